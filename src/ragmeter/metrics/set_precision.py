"""Set precision: how much of all that came back is relevant, whatever the order.

    set_precision = |relevant ∩ retrieved| / |retrieved|

Undefined (`nothing_retrieved`, `no_relevant`); the trec profiles count both as 0.

Source: trec_eval `set_P`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition, between 0 and 1."""
    if not facts.relevant:
        return null("no_relevant")
    if not facts.retrieved:
        return null("nothing_retrieved")
    return Score(len(facts.hit_ranks), facts.retrieved)


METRIC = Metric(score, needs=("qrels", "retrieved"))
