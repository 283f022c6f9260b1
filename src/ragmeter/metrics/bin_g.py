"""Binary G: each relevant passage discounted by the others above it.

    bin_g = 1/R * sum over relevant retrieved passages of 1 / log2(2 + non-relevant passages above it)

Unjudged passages count as non-relevant. Between 0 and 1. Undefined (`no_relevant`) when R is 0; the trec
profiles count that as 0.

Source: trec_eval `binG`.
"""

import math

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, running
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition."""
    if not facts.relevant:
        return null("no_relevant")
    ranks = enumerate(facts.hit_ranks, 1)
    return Score(running([1 / math.log2(2 + rank - n) for n, rank in ranks]), facts.relevant)


METRIC = Metric(score, needs=("qrels", "retrieved"))
