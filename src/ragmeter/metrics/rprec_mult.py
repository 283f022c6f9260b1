"""R-precision at a multiple: precision after x times the number of relevant passages.

    rprec_mult@x = |relevant ∩ first c retrieved| / c,   c = trunc(x * |relevant| + 0.9)

`@` gives x. When c is 0 the value is 0. Undefined (`no_relevant`) without a relevant passage; the trec profiles
count that as 0.

Source: trec_eval `Rprec_mult`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts, *, k: float) -> Score:
    """The definition; k is the multiple x."""
    if not facts.relevant:
        return null("no_relevant")
    cutoff = int(k * facts.relevant + 0.9)
    return Score(sum([rank <= cutoff for rank in facts.hit_ranks]), cutoff) if cutoff else Score(0)


METRIC = Metric(score, needs=("qrels", "retrieved"), defaults={"k": 1.0})
