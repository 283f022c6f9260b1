"""What the metrics of memory cases share: their options, the hit of an arm, the paired counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ragmeter.errors import UsageError, nearest
from ragmeter.facts import Facts
from ragmeter.memory import ALL, BASELINE, IDENTITY, LAST, WITH_MEMORY, rewrite, wanted
from ragmeter.records import Case, Output
from ragmeter.result import Score, null
from ragmeter.significance.intervals import clopper_pearson
from ragmeter.text.normal import MODES, hits

MODE: dict[str, dict[str, Any]] = {mode: {"mode": mode} for mode in MODES}
ARM: dict[str, dict[str, Any]] = {
    "baseline": {"arm": BASELINE},
    "identity": {"arm": IDENTITY},
    "window": {"arm": LAST},
    "all": {"arm": ALL},
}

__all__ = ["ARM", "BASELINE", "MODE", "WITH_MEMORY", "arm_hit", "exact", "known", "paired", "records", "rewritten"]


def known(option: str, value: str, values: Iterable[str]) -> str:
    """The value, when it is one of the option's. UsageError else."""
    if value not in (said := list(values)):
        raise UsageError(f"{option}: expected one of {', '.join(said)}, got '{value}'{nearest(value, said)}")
    return value


def records(facts: Facts) -> tuple[Case, Output]:
    """The case and the output; a metric that asks for them has them."""
    assert facts.case is not None and facts.output is not None
    return facts.case, facts.output


def rewritten(facts: Facts, arm: str) -> tuple[str, str]:
    """(the rewrite of that arm, '') or ('', the reason why there is none)."""
    return rewrite(*records(facts), arm)


def arm_hit(facts: Facts, arm: str, mode: str) -> Score:
    """1 when the rewrite of that arm contains an expected string, else 0; null without strings or rewrite."""
    case, _ = records(facts)
    words = wanted(case.expected)
    if not words:
        return null("no_expected")
    text, reason = rewritten(facts, arm)
    return null(reason) if reason else Score(int(hits(text, words, mode=known("mode", mode, MODES))))


def exact(state: Counter[int]) -> tuple[float, float, str]:
    """The exact interval of a proportion from {score: cases}, for few cases."""
    return *clopper_pearson(state[1], state.total()), "clopper_pearson"


def paired(facts: Facts, arm: str, against: str, mode: str) -> Counter[tuple[float, float]]:
    """{(hit of `against`, hit of `arm`): 1}, for cases in which both are known."""
    return Counter({(arm_hit(facts, against, mode).num, arm_hit(facts, arm, mode).num): 1})
