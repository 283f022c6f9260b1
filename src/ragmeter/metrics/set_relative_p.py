"""Set relative precision: relevant passages found over the most that could be.

    set_relative_p = |relevant ∩ retrieved| / min(|retrieved|, |relevant|)

Undefined (`nothing_retrieved`, `no_relevant`); the trec profiles count both as 0.

Source: trec_eval `set_relative_P`.
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
    return Score(len(facts.hit_ranks), min(facts.retrieved, facts.relevant))


METRIC = Metric(score, needs=("qrels", "retrieved"))
