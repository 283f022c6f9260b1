"""faithfulness pooled over all claims: each of the claims weighs the same, not each case.

    faithfulness_micro = sum over cases of num / sum over cases of den, of faithfulness

Rows show the share of their case. Undefined as faithfulness is, and (`not_recorded`) for a case whose
judgment has a value without its counts.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY, poolable, pooled
from ragmeter.metrics.faithfulness import score as per_case
from ragmeter.result import Score


def score(facts: Facts, *, empty: str) -> Score:
    """The ratio of one case, with its counts."""
    return poolable(facts, "faithfulness", per_case(facts, empty=empty))


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={"empty": "null"},
    conventions=EMPTY,
    judge="faithfulness",
    **pooled(score),
)
