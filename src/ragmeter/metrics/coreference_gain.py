"""Coreference gain: what the memory adds, case by case.

    coreference_gain = mean over cases of (hit of `arm` - hit of `against`)

Options `arm` (with_memory), `against` (baseline; any arm or null system of `coreference`) and `mode`. Only cases
in which both arms are known count, so that both have the same denominator; otherwise the reason of the arm that
is missing. Each score is -1, 0 or 1. Read it with `coreference_gain_p`, and against `null:all` before believing it.

Source: coreference accuracy as in `coreference`; differences of paired proportions, McNemar, 1947.
"""

from collections import Counter
from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._memory import BASELINE, MODE, WITH_MEMORY, arm_hit, paired
from ragmeter.result import Score
from ragmeter.significance.paired import newcombe


def score(facts: Facts, *, arm: str, against: str, mode: str) -> Score:
    """1 where only `arm` hits, -1 where only `against` does, else 0."""
    before, after = arm_hit(facts, against, mode), arm_hit(facts, arm, mode)
    if before.reason or after.reason:
        return before if before.reason else after
    return Score(after.num - before.num)


def state(facts: Facts, **options: Any) -> Counter[tuple[float, float]]:
    """{(hit of `against`, hit of `arm`): cases}, merged by +."""
    return paired(facts, **options)


def interval(state: Counter[tuple[float, float]]) -> tuple[float, float, str]:
    """Newcombe's interval of the paired difference, for few cases."""
    return *newcombe(state), "newcombe"


METRIC = Metric(
    score,
    state=state,
    interval=interval,
    needs=("texts",),
    defaults={"arm": WITH_MEMORY, "against": BASELINE, "mode": "seed"},
    conventions=MODE,
    bounds=(-1.0, 1.0),
)
