"""Citation validity: how many of the cited passages were retrieved at all.

    citation_validity = |cited ∩ retrieved| / |cited|

It compares ids over the whole retrieved list, not its first k. Undefined (`no_citations`) when nothing is
cited; profile s2 counts that as 0 and flags `missing_citations`.

Source: the offline harness for RAG citation fixtures (profile s2).
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition: cited passages that were retrieved over all cited ones, between 0 and 1."""
    if not facts.cited:
        return null("no_citations")
    return Score(facts.cited_retrieved, facts.cited)


METRIC = Metric(score, needs=("retrieved", "cited"))
