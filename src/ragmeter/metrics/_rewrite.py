"""What the metrics of rewrites against a gold rewrite share: the texts, and the best of several golds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ragmeter.facts import Facts
from ragmeter.memory import WITH_MEMORY
from ragmeter.metrics._memory import ARM, records, rewritten
from ragmeter.records import Case
from ragmeter.result import Score, null
from ragmeter.text.overlap import Shared

OPTIONS: dict[str, Any] = {"arm": WITH_MEMORY}
__all__ = ["ARM", "OPTIONS", "against", "best", "golds", "shared"]


def golds(case: Case) -> tuple[str, ...]:
    """The gold rewrites: `extra.rewrites` (a text or a list of texts), else the case's references."""
    said = (case.extra or {}).get("rewrites")
    if said is None:
        return case.references
    return (said,) if isinstance(said, str) else tuple(str(text) for text in said)


def against(facts: Facts, arm: str) -> tuple[str, tuple[str, ...], str]:
    """(rewrite of the arm, gold rewrites, '') or the reason why they cannot be compared."""
    case, _ = records(facts)
    text, reason = rewritten(facts, arm)
    if reason:
        return "", (), reason
    said = golds(case)
    return text, said, "" if said else "no_references"


def best(facts: Facts, arm: str, similar: Callable[[str, str], float | None]) -> Score:
    """The highest value over the gold rewrites; `undefined` where none has one."""
    text, said, reason = against(facts, arm)
    if reason:
        return null(reason)
    values = [value for gold in said if (value := similar(text, gold)) is not None]
    return Score(max(values)) if values else null("undefined")


def shared(facts: Facts, arm: str, overlap: Callable[[str, str], Shared]) -> Score:
    """The F1 of an overlap with the gold that is nearest."""
    return best(facts, arm, lambda text, gold: overlap(text, gold).f1)
