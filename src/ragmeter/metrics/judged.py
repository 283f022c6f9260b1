"""Judged@k: how much of what was shown has been judged at all.

    judged@k = judged among the first k retrieved / min(k, |retrieved|)

A low value says that the other numbers rest on little. A grade below 0 is no judgment. Undefined
(`nothing_retrieved`).

Source: Soboroff, as printed beside scores in TREC overviews; ir_measures `Judged`.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import NOTHING_RETRIEVED, Score, null


def score(facts: Facts, *, k: int) -> Score:
    """The definition, between 0 and 1."""
    if not facts.retrieved:
        return null("nothing_retrieved")
    ranked = zip(facts.ranks, facts.grades, strict=True)
    return Score(sum([rank <= k and grade >= 0 for rank, grade in ranked]), min(k, facts.retrieved))


def kernel(batch: Any, *, k: int) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    held = batch.retrieved.clip(max=k)
    return batch.count((batch.grade >= 0) & (batch.rank <= k)), held, (held == 0) * NOTHING_RETRIEVED


METRIC = Metric(score, kernel, needs=("qrels", "retrieved", "pool"), defaults={"k": 10})
