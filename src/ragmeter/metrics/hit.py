"""Hit@k (success@k): whether anything relevant is among the first k passages.

    hit@k = 1 if one of the first k retrieved passages is relevant, else 0

Undefined (`no_relevant`) when the case has no relevant passage; the trec profiles and beir count that as 0.

Source: known as success_k in trec_eval and as hit rate in recommendation.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import NO_RELEVANT, Score, null


def score(facts: Facts, *, k: int) -> Score:
    """The definition: 0 or 1."""
    if not facts.relevant:
        return null("no_relevant")
    return Score(int(min(facts.hit_ranks, default=k + 1) <= k))


def kernel(batch: Any, *, k: int) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    first = batch.first_hit()
    return ((first > 0) & (first <= k)) * 1, 1, (batch.relevant == 0) * NO_RELEVANT


METRIC = Metric(score, kernel, needs=("qrels", "retrieved"), defaults={"k": 5}, proportion=True)
