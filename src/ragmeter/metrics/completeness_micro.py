"""completeness pooled over all points: each of the points weighs the same, not each case.

    completeness_micro = sum over cases of num / sum over cases of den, of completeness

Rows show the share of their case. Undefined as completeness is, and (`not_recorded`) for a case whose
judgment has a value without its counts.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY, poolable, pooled
from ragmeter.metrics.completeness import score as per_case
from ragmeter.result import Score


def score(facts: Facts, *, empty: str) -> Score:
    """The ratio of one case, with its counts."""
    return poolable(facts, "completeness", per_case(facts, empty=empty))


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={"empty": "null"},
    conventions=EMPTY,
    judge="completeness",
    **pooled(score),
)
