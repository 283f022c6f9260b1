"""Recall@k: how much of what is relevant was found in the first k passages.

    recall@k = |relevant ∩ first k retrieved| / |relevant|

A repeated passage counts once, at its first rank. Undefined (`no_relevant`) when the case has no relevant
passage: such a case is left out of the mean. The profiles trec9, trec10 and beir count it as 0, as trec_eval
does.

Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 8.3.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import NO_RELEVANT, Score, null


def score(facts: Facts, *, k: int) -> Score:
    """The definition: hits in the first k over all relevant passages, between 0 and 1."""
    if not facts.relevant:
        return null("no_relevant")
    return Score(sum([rank <= k for rank in facts.hit_ranks]), facts.relevant)


def kernel(batch: Any, *, k: int) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    return batch.count(batch.hits & (batch.rank <= k)), batch.relevant, (batch.relevant == 0) * NO_RELEVANT


METRIC = Metric(score, kernel, needs=("qrels", "retrieved"), defaults={"k": 5})
