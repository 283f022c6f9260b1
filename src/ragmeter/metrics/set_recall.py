"""Set recall: how much of what is relevant came back at all.

    set_recall = |relevant ∩ retrieved| / |relevant|

Undefined (`no_relevant`); the trec profiles count that as 0.

Source: trec_eval `set_recall`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition, between 0 and 1."""
    if not facts.relevant:
        return null("no_relevant")
    return Score(len(facts.hit_ranks), facts.relevant)


METRIC = Metric(score, needs=("qrels", "retrieved"))
