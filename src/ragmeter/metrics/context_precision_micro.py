"""context_precision_judged pooled over all contexts: each of the contexts weighs the same, not each case.

    context_precision_micro = sum over cases of num / sum over cases of den, of context_precision_judged

Rows show the share of their case. Undefined as context_precision_judged is, and (`not_recorded`) for a case whose
judgment has a value without its counts.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import poolable, pooled
from ragmeter.metrics.context_precision_judged import score as per_case
from ragmeter.result import Score


def score(facts: Facts) -> Score:
    """The ratio of one case, with its counts."""
    return poolable(facts, "context_precision", per_case(facts, form="share"))


METRIC = Metric(
    score,
    needs=("judgments", "texts"),
    judge="context_relevance",
    **pooled(score),
)
