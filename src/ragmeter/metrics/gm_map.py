"""Geometric mean of average precision over cases (GMAP).

    gm_map = exp(mean over cases of ln(max(average_precision, 0.00001)))

The row of a case shows ln(max(average_precision, 0.00001)). It weighs the hard cases more than the mean does.
Undefined (`no_relevant`) as average_precision is; the trec profiles count such a case as ln 0.00001.

Source: Robertson, On GMAP, CIKM 2006; trec_eval `gm_map`.
"""

import math

from ragmeter.facts import Facts
from ragmeter.metrics import FLOOR, Metric
from ragmeter.metrics.average_precision import score as average_precision
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The share of one case: a logarithm, never above 0."""
    if not facts.relevant:
        return null("no_relevant")
    plain = average_precision(facts, k=None)
    return Score(math.log(max(plain.num / plain.den, FLOOR)))


METRIC = Metric(score, needs=("qrels", "retrieved"), finish=math.exp, bounds=None)
