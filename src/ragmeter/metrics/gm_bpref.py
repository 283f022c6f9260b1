"""Geometric mean of bpref over cases.

    gm_bpref = exp(mean over cases of ln(max(bpref, 0.00001)))

The row of a case shows ln(max(bpref, 0.00001)). It weighs the hard cases more than the mean does. Undefined
(`no_relevant`) as bpref is; the trec profiles count such a case as ln 0.00001.

Source: trec_eval `gm_bpref`.
"""

import math

from ragmeter.facts import Facts
from ragmeter.metrics import FLOOR, Metric
from ragmeter.metrics.bpref import score as bpref
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The share of one case: a logarithm, never above 0."""
    if not facts.relevant:
        return null("no_relevant")
    plain = bpref(facts)
    return Score(math.log(max(plain.num / plain.den, FLOOR)))


METRIC = Metric(score, needs=("qrels", "retrieved", "pool"), finish=math.exp, bounds=None)
