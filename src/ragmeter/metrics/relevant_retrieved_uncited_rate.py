"""Relevant-retrieved-uncited rate: how much of what was found the answer leaves out.

    relevant_retrieved_uncited_rate = |(relevant ∩ retrieved) \\ cited| / |relevant ∩ retrieved|

Between 0 and 1, lower is better. Undefined (`no_relevant_retrieved`) when nothing relevant was retrieved.

Source: the loss between retrieval and citation, on ids.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition."""
    found = len(facts.hit_ranks)
    if not found:
        return null("no_relevant_retrieved")
    return Score(found - facts.cited_hits, found)


METRIC = Metric(score, needs=("qrels", "retrieved", "cited"), higher_is_better=False)
