"""context_recall pooled over all points: each of the points weighs the same, not each case.

    context_recall_micro = sum over cases of num / sum over cases of den, of context_recall

Rows show the share of their case. Undefined as context_recall is, and (`not_recorded`) for a case whose
judgment has a value without its counts.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import poolable, pooled
from ragmeter.metrics.context_recall import score as per_case
from ragmeter.result import Score


def score(facts: Facts) -> Score:
    """The ratio of one case, with its counts."""
    return poolable(facts, "context_recall", per_case(facts))


METRIC = Metric(
    score,
    needs=("judgments", "texts"),
    judge="completeness",
    **pooled(score),
)
