"""Identity rate: the share of rewrites that are the follow-up again, but for case and punctuation.

    identity_rate = unchanged rewrites / rewrites

Neither good nor bad by itself: right for a question that stands alone, a failure for one that does not. Option `arm`
as in `coreference`. Each score is 0 or 1. Undefined: (`no_rewrite`), (`not_recorded`).

Source: our own.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._memory import records, rewritten
from ragmeter.metrics._rewrite import ARM, OPTIONS
from ragmeter.result import Score, null
from ragmeter.text.overlap import is_identity


def score(facts: Facts, *, arm: str) -> Score:
    """1 when the rewrite has the words of the follow-up in the same order, else 0."""
    text, reason = rewritten(facts, arm)
    return null(reason) if reason else Score(int(is_identity(records(facts)[0].question, text)))


METRIC = Metric(
    score,
    needs=("texts",),
    defaults=OPTIONS,
    conventions=ARM,
    proportion=True,
    higher_is_better=False,
)
