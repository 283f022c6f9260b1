"""Whether a system declined to answer: what a judge said, else what the words of the answer say.

A judgment of kind `abstention` has the label abstain or substantive (or a value, 1 or 0) and overrides the
detection of refusals in the text. An empty answer is neither: it is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ragmeter.records import Judgment, Output
from ragmeter.text.markers import markers
from ragmeter.text.refusal import refusal
from ragmeter.text.tokens import weighted_length

ABSTAINS = frozenset({"abstain", "abstained", "abstains", "refusal", "refused", "refuses", "declined", "unanswered"})
ANSWERS = frozenset({"substantive", "answer", "answered", "answers"})
LONG = 400  # weighted characters from which an answer that is said to abstain deserves a look

Judged = Mapping[str, Mapping[str, Any]]


def label(judged: Judged | None) -> bool | str | None:
    """What a judge said: True for abstained, the reason when it failed, None when nobody was asked."""
    said: Judgment | None = (judged or {}).get("abstention", {}).get("")
    if said is None:
        return None
    if said.error:
        return said.error.partition(":")[0]
    word = (said.label or "").strip().lower()
    if word in ABSTAINS or word in ANSWERS:
        return word in ABSTAINS
    return said.value > 0 if said.value is not None else "judge_unparsable"


def abstained(output: Output, judged: Judged | None = None, *, by: str = "both") -> bool | str:
    """Whether the system abstained, or the reason why that cannot be said.

    `by` is 'both' (a judgment, else the text), 'judge' or 'text'. Raises ValueError for another word.
    """
    if by not in ("both", "judge", "text"):
        raise ValueError(f"unknown source '{by}': one of both, judge, text")
    if not (output.answer or "").strip():
        return "no_answer"
    said = label(judged) if by != "text" else None
    if said is not None:
        return said
    return "not_judged" if by == "judge" else _refuses(output.answer or "")


@lru_cache(maxsize=4)  # several metrics ask about one answer in turn
def _refuses(answer: str) -> bool:
    return refusal(answer)


def doubtful(output: Output, judged: Judged | None) -> bool:
    """Whether a judge said 'abstained' of an answer that tells something: it cites, has digits, or is long."""
    answer = output.answer or ""
    if not answer.strip() or label(judged) is not True:
        return False
    return bool(markers(answer)) or any(map(str.isdecimal, answer)) or weighted_length(answer) > LONG
