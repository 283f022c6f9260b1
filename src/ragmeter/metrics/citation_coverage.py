"""Citation coverage: how much of what is relevant the answer cites.

    citation_coverage = |cited ∩ relevant| / |relevant|

It compares ids; it does not establish that a citation supports its sentence. Undefined (`no_relevant`) when
the case has no relevant passage.

Source: the offline harness for RAG citation fixtures (profile s2).
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition: relevant passages cited over all relevant ones, between 0 and 1."""
    if not facts.relevant:
        return null("no_relevant")
    return Score(facts.cited_relevant, facts.relevant)


METRIC = Metric(score, needs=("qrels", "cited"))
