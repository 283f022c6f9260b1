"""Context precision@k over ids: the share of relevant passages among those the first k places hold.

    context_precision@k = |relevant ∩ first k retrieved| / min(k, |retrieved|)

This is not precision@k, which divides by k even when fewer passages came back. Undefined
(`nothing_retrieved`) when nothing came back; profile s2 counts that as 0.

Source: the offline harness for RAG citation fixtures (profile s2).
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import NOTHING_RETRIEVED, Score, null


def score(facts: Facts, *, k: int) -> Score:
    """The definition: hits in the first k over the passages there, between 0 and 1."""
    if not facts.retrieved:
        return null("nothing_retrieved")
    return Score(sum([rank <= k for rank in facts.hit_ranks]), min(k, facts.retrieved))


def kernel(batch: Any, *, k: int) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    held = batch.retrieved.clip(max=k)
    return batch.count(batch.hits & (batch.rank <= k)), held, (held == 0) * NOTHING_RETRIEVED


METRIC = Metric(score, kernel, needs=("qrels", "retrieved"), defaults={"k": 5})
