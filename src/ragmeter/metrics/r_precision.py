"""R-precision: precision at rank R, where R is the number of relevant passages.

    r_precision = |relevant ∩ first R retrieved| / R

Between 0 and 1. Undefined (`no_relevant`) when R is 0; the trec profiles and beir count that as 0.

Source: Buckley and Voorhees, SIGIR 2000; trec_eval `Rprec`.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import NO_RELEVANT, Score, null


def score(facts: Facts) -> Score:
    """The definition."""
    if not facts.relevant:
        return null("no_relevant")
    return Score(sum([rank <= facts.relevant for rank in facts.hit_ranks]), facts.relevant)


def kernel(batch: Any) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    within = batch.hits & (batch.rank <= batch.relevant[batch.case])
    return batch.count(within), batch.relevant, (batch.relevant == 0) * NO_RELEVANT


METRIC = Metric(score, kernel, needs=("qrels", "retrieved"))
