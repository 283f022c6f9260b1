"""Cited-irrelevant rate: how much of what is cited is not relevant.

    cited_irrelevant_rate = |cited \\ relevant| / |cited|

An unjudged passage counts as not relevant. Between 0 and 1, lower is better. Undefined (`no_citations`) when
nothing is cited.

Source: the complement of citation precision on ids.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition."""
    if not facts.cited:
        return null("no_citations")
    return Score(facts.cited - facts.cited_relevant, facts.cited)


METRIC = Metric(score, needs=("qrels", "cited"), higher_is_better=False)
