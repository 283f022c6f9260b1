"""Precision@k: how much of the first k places is relevant.

    precision@k = |relevant ∩ first k retrieved| / k

It divides by k even when fewer passages came back (compare context_precision). Undefined (`no_relevant`)
when the case has no relevant passage; the trec profiles and beir count that as 0.

Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 8.3.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import NO_RELEVANT, Score, null


def score(facts: Facts, *, k: int) -> Score:
    """The definition: hits in the first k over k, between 0 and 1."""
    if not facts.relevant:
        return null("no_relevant")
    return Score(sum([rank <= k for rank in facts.hit_ranks]), k)


def kernel(batch: Any, *, k: int) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    return batch.count(batch.hits & (batch.rank <= k)), k, (batch.relevant == 0) * NO_RELEVANT


METRIC = Metric(score, kernel, needs=("qrels", "retrieved"), defaults={"k": 5})
