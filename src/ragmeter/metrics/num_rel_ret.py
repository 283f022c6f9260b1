"""Number of relevant passages retrieved.

The value of a slice is the sum over its cases, not a mean. Always defined.

Source: trec_eval `num_rel_ret`.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score


def score(facts: Facts) -> Score:
    """The count of one case."""
    return Score(len(facts.hit_ranks))


def kernel(batch: Any) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    return batch.count(batch.hits), 1, batch.relevant * 0


METRIC = Metric(score, kernel, needs=("qrels", "retrieved"), aggregate="sum", bounds=None)
