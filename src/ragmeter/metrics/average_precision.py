"""Average precision: the precision at the rank of each relevant passage, over all relevant ones.

    average_precision = sum over relevant retrieved passages of (relevant at or above its rank / rank) / |relevant|

A relevant passage that is not retrieved adds 0. With a k only the first k ranks add; the denominator stays all
relevant passages. Between 0 and 1. Undefined (`no_relevant`) when the case has no relevant passage; the trec
profiles and beir count that as 0. Its mean over cases is known as MAP.

Source: Buckley and Voorhees, Evaluating Evaluation Measure Stability, SIGIR 2000; trec_eval `map`, `map_cut`.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, running
from ragmeter.result import NO_RELEVANT, Score, null


def score(facts: Facts, *, k: int | None) -> Score:
    """The definition."""
    if not facts.relevant:
        return null("no_relevant")
    ranks = [rank for rank in facts.hit_ranks if k is None or rank <= k]
    return Score(running([n / rank for n, rank in enumerate(ranks, 1)]), facts.relevant)


def kernel(batch: Any, *, k: int | None) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    chosen = batch.hits if k is None else batch.hits & (batch.rank <= k)
    parts = batch.hit_number[chosen] / batch.rank[chosen]
    return batch.total(batch.case[chosen], parts), batch.relevant, (batch.relevant == 0) * NO_RELEVANT


METRIC = Metric(score, kernel, needs=("qrels", "retrieved"), defaults={"k": None})
