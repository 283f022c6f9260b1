"""Normalised expected reciprocal rank.

    nerr@k = err@k / err@k of all judged passages in the best order

Between 0 and 1. Undefined (`no_relevant`) as err is; the trec profiles count that as 0.

Source: Chapelle, Metlzer, Zhang, Grinspan, CIKM 2009; as normalised in the TREC web track.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, best_first
from ragmeter.metrics.err import cascade
from ragmeter.result import Score, null


def score(facts: Facts, *, k: int | None, max_grade: int) -> Score:
    """The definition."""
    if not facts.ideal:
        return null("no_relevant")
    ideal = cascade(enumerate(best_first(facts), 1), k, max_grade)
    return Score(cascade(zip(facts.ranks, facts.grades, strict=True), k, max_grade), ideal)


METRIC = Metric(
    score, needs=("qrels", "retrieved"), defaults={"k": None, "max_grade": 4}, limits={"max_grade": (1, 1000)}
)
