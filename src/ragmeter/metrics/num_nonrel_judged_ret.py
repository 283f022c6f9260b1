"""Number of retrieved passages that are judged not relevant.

The value of a slice is the sum over its cases, not a mean. Always defined.

Source: trec_eval `num_nonrel_judged_ret`.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score


def score(facts: Facts) -> Score:
    """The count of one case."""
    return Score(sum([0 <= grade < facts.level for grade in facts.grades]))


def kernel(batch: Any) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    return batch.count((batch.grade >= 0) & (batch.grade < batch.level)), 1, batch.relevant * 0


METRIC = Metric(
    score, kernel, needs=("qrels", "retrieved", "pool"), aggregate="sum", higher_is_better=False, bounds=None
)
