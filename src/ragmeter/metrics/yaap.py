"""Yet another average precision: a smoothed log odds of average precision.

    yaap = ln((1 + s) / (1 + R - s)),   s = sum over relevant retrieved passages of precision at their rank

Any real number. Undefined (`no_relevant`) when R is 0; the trec profiles count that as 0.

Source: Robertson, a 2012 proposal kept in trec_eval as `yaap`.
"""

import math

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, running
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition."""
    if not facts.relevant:
        return null("no_relevant")
    found = running([n / rank for n, rank in enumerate(facts.hit_ranks, 1)])
    return Score(math.log((1 + found) / (1 + facts.relevant - found)))


METRIC = Metric(score, needs=("qrels", "retrieved"), bounds=None)
