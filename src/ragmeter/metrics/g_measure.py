"""Buckley's G: each gain discounted by how much an ideal list would have gained more by then.

    g_measure = sum over ranks of gain / log2(2 + ahead - got) / sum of all ideal gains

At each rank `ahead` grows by max(1, ideal gain there) and by 1 behind the ideal list's end, `got` by the gain
there. Gains are the grades. Undefined (`no_relevant`) without a positive grade; the trec profiles count that
as 0.

Source: trec_eval `G`.
"""

import math

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, best_first, running
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition."""
    ideal = best_first(facts)
    if not ideal:
        return null("no_relevant")
    parts, got, place = [], 0, 0
    ahead = 0.0
    for rank, grade in zip(facts.ranks, facts.grades, strict=True):
        while place < rank:
            ahead += max(1.0, ideal[place]) if place < len(ideal) else 1.0
            place += 1
        if grade > 0:
            got += grade
            parts.append(grade / math.log2(2 + ahead - got))
    return Score(running(parts), sum(ideal))


METRIC = Metric(score, needs=("qrels", "retrieved"))
