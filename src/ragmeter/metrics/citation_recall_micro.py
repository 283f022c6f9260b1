"""Citation recall pooled over all sentences: each weighs the same, not each case.

    citation_recall_micro = sum over cases of num / sum over cases of den, of citation_recall

Options, conventions, judgments and what is undefined: as citation_recall; and (`not_recorded`) for a case
whose judgment has a value without its counts.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import poolable, pooled
from ragmeter.metrics.citation_recall import METRIC as PER_CASE
from ragmeter.result import Score


def score(facts: Facts, **options: Any) -> Score:
    """The ratio of one case, with its counts."""
    return poolable(facts, "citation_recall", PER_CASE.score(facts, **options))


METRIC = Metric(
    score,
    needs=PER_CASE.needs,
    defaults=PER_CASE.defaults,
    conventions=PER_CASE.conventions,
    choices=PER_CASE.choices,
    judge=PER_CASE.judge,
    **pooled(score),
)
