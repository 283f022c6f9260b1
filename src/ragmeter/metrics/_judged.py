"""What metrics on judgments share: a recorded ratio or the verdicts behind it, the empty answer, pooled ratios.

A judgment of a whole case has the subject ''. It carries num/den, a value, a label that is a reason for having
none (`no_claims`), or an `extra.verdicts` list of {"idx": 0, "value": 1}. Else the verdicts are judgments of
their own, one a subject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ragmeter.facts import Facts
from ragmeter.records import Judgment
from ragmeter.result import REASONS, Score, null
from ragmeter.sums import Exact

# What an empty answer is: no score; whatever was judged of it; nothing at all.
EMPTY = {"answered": {"empty": "null"}, "as_judged": {"empty": "judged"}, "empty_zero": {"empty": "zero"}}
WORDS = {
    **dict.fromkeys(
        ("yes", "true", "supported", "support", "full", "full_support", "relevant", "entailment", "1"), 1.0
    ),
    **dict.fromkeys(("partial", "partial_support"), 0.5),
    **dict.fromkeys(
        (
            "no",
            "false",
            "unsupported",
            "none",
            "not_support",
            "no_support",
            "not_relevant",
            "neutral",
            "contradiction",
            "0",
        ),
        0.0,
    ),
}


def unanswered(facts: Facts, empty: str) -> Score | None:
    """The score of an empty answer: null, 0 when `empty` is 'zero'; None when the answer is to be scored."""
    if (facts.output is not None and (facts.output.answer or "").strip()) or empty == "judged":
        return None
    return Score(0) if empty == "zero" else null("no_answer")


def whole(facts: Facts, kind: str) -> Judgment | None:
    """The judgment of the whole case, when there is one."""
    found: Judgment | None = (facts.judged or {}).get(kind, {}).get("")
    return found


def failed(judgment: Judgment) -> str:
    """The reason of a judgment that failed or has nothing to judge, '' for one with an answer."""
    if judgment.error:
        return judgment.error.partition(":")[0]
    return judgment.label if judgment.label in REASONS and judgment.label else ""


def number(judgment: Judgment) -> float | None:
    """The answer as a number: the value, the ratio, or what its label says."""
    if judgment.value is not None:
        return judgment.value
    if judgment.num is not None and judgment.den:
        return judgment.num / judgment.den
    return WORDS.get((judgment.label or "").strip().lower().replace(" ", "_"))


def ratio(facts: Facts, kind: str, parts: str, *, count: int | None = None, nothing: str = "no_claims") -> Score:
    """The share of one case: the recorded ratio, capped at 1, else the verdicts `parts`.

    `count` is how many items there are (the checklist): verdicts beyond it are dropped, and a missing one
    leaves the score `not_judged`. `nothing` is the reason when there is no item.
    """
    if count == 0:
        return null(nothing)
    said = whole(facts, kind)
    if said is None:
        return share(verdicts((facts.judged or {}).get(parts, {})), count, nothing)
    if why := failed(said):
        return null(why)
    if said.extra and "verdicts" in said.extra:
        return share(listed(said.extra["verdicts"]), count or (int(said.den) if said.den else None), nothing)
    if said.num is not None and said.den:
        return Score(min(said.num, said.den), said.den)
    value = number(said)
    return null("judge_unparsable") if value is None else Score(min(value, 1.0))


def verdicts(judged: Mapping[str, Judgment]) -> dict[str, float | str]:
    """By subject the verdict as a number, or the reason why there is none."""
    said: dict[str, float | str] = {}
    for subject, judgment in judged.items():
        value = number(judgment)
        said[subject] = failed(judgment) or ("judge_unparsable" if value is None else value)
    return said


def listed(found: Iterable[Any]) -> dict[str, float | str]:
    """A list of {"idx", "value"} by index: of several with one index the last counts."""
    said: dict[str, float | str] = {}
    for one in found:
        value = one.get("value") if isinstance(one, dict) else None
        value = WORDS.get(value.lower()) if isinstance(value, str) else value
        if not isinstance(value, int | float) or not isinstance(one.get("idx"), int):
            return {"": "judge_unparsable"}
        said[str(one["idx"])] = float(value)
    return said


def share(said: Mapping[str, float | str], count: int | None, nothing: str = "no_claims") -> Score:
    """The mean verdict of the first `count` subjects, null when one of them failed or is missing.

    Subjects end in their 0-based place ('claim:3', '3').
    """
    kept = [value for subject, value in said.items() if count is None or place(subject) < count]
    for value in kept:
        if isinstance(value, str):
            return null(value)
    if not kept:
        return null("not_judged")
    if count is not None and len(kept) < count:
        return null("not_judged")
    return Score(sum(value for value in kept if not isinstance(value, str)), len(kept))


def place(subject: str) -> int:
    """The number at the end of a subject, 0 when there is none."""
    tail = subject.rpartition(":")[2]
    return int(tail) if tail.isdecimal() else 0


def points(facts: Facts) -> int | None:
    """How many checklist points the case has; None when it brings none and the judgment has to say."""
    return (len(facts.case.points) or None) if facts.case is not None else None


class Totals:
    """Numerators and denominators of many cases, each summed exactly: the state of a pooled (micro) ratio."""

    def __init__(self, num: float = 0, den: float = 0):
        self.num = Exact((num,))
        self.den = Exact((den,))

    def __add__(self, other: Totals) -> Totals:
        both = Totals()
        both.num, both.den = self.num + other.num, self.den + other.den
        return both

    def ratio(self) -> float | None:
        """All numerators over all denominators, None over nothing."""
        den = self.den.value()
        return self.num.value() / den if den else None


def pooled(score: Callable[..., Score]) -> dict[str, Any]:
    """`state` and `finish` of a metric whose estimate is sum(num) / sum(den) over the scored cases."""

    def state(facts: Facts, **options: Any) -> Totals:
        said = score(facts, **options)
        return Totals(said.num, said.den)

    return {"state": state, "finish": Totals.ratio}


def poolable(facts: Facts, kind: str, said: Score) -> Score:
    """The score when its counts are known; a bare value says nothing about how much it weighs."""
    recorded = whole(facts, kind)
    if said.reason or recorded is None or recorded.den or (recorded.extra and "verdicts" in recorded.extra):
        return said
    return null("not_recorded")
