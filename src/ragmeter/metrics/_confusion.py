"""What abstention metrics share: the confusion of should abstain and did abstain.

                   abstained        answered
    unanswerable   right            over-answer
    answerable     over-refusal     right

`Case.answerable` says what should happen. A judgment `abstention` says what did happen, else the words of the
answer do; option `by` is `both` (default), `judge` or `text`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ragmeter.abstention import abstained
from ragmeter.facts import Facts
from ragmeter.result import Score, null

OPTIONS: dict[str, Any] = {
    "needs": ("answer", "judgments", "texts"),
    "defaults": {"by": "both"},
    "conventions": {word: {"by": word} for word in ("both", "judge", "text")},
    "judge": "abstention",
}


def outcome(facts: Facts, by: str) -> tuple[bool, bool] | str:
    """(should abstain, did abstain), or the reason why that cannot be said."""
    assert facts.case is not None and facts.output is not None
    if facts.case.answerable is None:
        return "not_recorded"
    said = abstained(facts.output, facts.judged, by=by)
    return said if isinstance(said, str) else (not facts.case.answerable, said)


class Confusion(NamedTuple):
    """Cases counted: abstained rightly, over-refused, over-answered, answered rightly."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    def __add__(self, other: Confusion) -> Confusion:  # type: ignore[override]
        return Confusion(*(a + b for a, b in zip(self, other, strict=True)))


def right(facts: Facts, *, by: str) -> Score:
    """1 for a case that abstained when it should and answered when it should, else 0."""
    said = outcome(facts, by)
    return null(said) if isinstance(said, str) else Score(int(said[0] == said[1]))


def count(facts: Facts, *, by: str) -> Confusion:
    """The confusion of one case."""
    said = outcome(facts, by)
    if isinstance(said, str):
        return Confusion()
    should, did = said
    return Confusion(should and did, not should and did, should and not did, not should and not did)
