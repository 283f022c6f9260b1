"""Eleven-point average: the mean of interpolated precision at recall 0, 0.1, ..., 1.

    eleven_point_average = 1/11 * sum over x in 0, 0.1, ..., 1 of iprec_at_recall@x

Rounding of the levels as in iprec_at_recall. Undefined (`no_relevant`) without a relevant passage; the trec
profiles count that as 0.

Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 8.4; trec_eval `11pt_avg`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, running
from ragmeter.metrics.iprec_at_recall import score as iprec
from ragmeter.result import Score, null


def score(facts: Facts, *, rounding: str) -> Score:
    """The definition."""
    if not facts.relevant:
        return null("no_relevant")
    levels = [iprec(facts, k=tenth / 10, rounding=rounding) for tenth in range(11)]
    return Score(running([level.num / level.den for level in levels]), 11)


METRIC = Metric(
    score,
    needs=("qrels", "retrieved"),
    defaults={"rounding": "10"},
    conventions={"9": {"rounding": "9"}, "10": {"rounding": "10"}},
)
