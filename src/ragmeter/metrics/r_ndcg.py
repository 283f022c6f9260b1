"""R-nDCG: nDCG read where the ideal ranking passes to a lower gain, averaged.

    r_ndcg = mean of ndcg@c over the points c

The points are the ranks after which the ideal ranking's grade drops (the last positive one included), and the
list's end when it lies at least two ranks behind that. Gains are the grades. Undefined (`no_relevant`) without
a relevant passage; the trec profiles count that as 0.

Source: trec_eval `Rndcg`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, best_first, discounted, running
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition, between 0 and 1."""
    ideal = best_first(facts)
    if not ideal or not facts.relevant:
        return null("no_relevant")
    last = len(ideal)
    points = [rank for rank in range(1, last) if ideal[rank - 1] != ideal[rank]] + [last]
    if facts.retrieved > last + 1:
        points.append(facts.retrieved)
    ranked = list(zip(facts.ranks, facts.grades, strict=True))
    parts = [discounted(ranked, point) / discounted(enumerate(ideal, 1), point) for point in points]
    return Score(running(parts), len(points))


METRIC = Metric(score, needs=("qrels", "retrieved"))
