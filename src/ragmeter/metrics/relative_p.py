"""Relative precision@k: precision over the best precision that k places allow.

    relative_p@k = |relevant ∩ first k retrieved| / min(k, |relevant|)

Also known as capped recall. Between 0 and 1. Undefined (`no_relevant`) without a relevant passage; the trec
profiles count that as 0.

Source: trec_eval `relative_P`; BEIR `R_cap`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts, *, k: int) -> Score:
    """The definition."""
    if not facts.relevant:
        return null("no_relevant")
    return Score(sum([rank <= k for rank in facts.hit_ranks]), min(k, facts.relevant))


METRIC = Metric(score, needs=("qrels", "retrieved"), defaults={"k": 5})
