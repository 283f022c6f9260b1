"""Set MAP: precision of the retrieved set times its recall.

    set_map = |relevant ∩ retrieved|^2 / (|retrieved| * |relevant|)

0 when nothing came back. Undefined (`no_relevant`); the trec profiles count that as 0.

Source: trec_eval `set_map`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition, between 0 and 1."""
    if not facts.relevant:
        return null("no_relevant")
    found = len(facts.hit_ranks)
    return Score(found * found, facts.retrieved * facts.relevant) if facts.retrieved else Score(0)


METRIC = Metric(score, needs=("qrels", "retrieved"))
