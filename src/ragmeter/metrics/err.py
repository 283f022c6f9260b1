"""Expected reciprocal rank: when a reader is satisfied who stops the likelier the better the passage.

    err@k = sum over the first k ranks of 1/rank * R_rank * product over ranks above of (1 - R),
            R = (2^grade - 1) / 2^max_grade

`max_grade` is the highest grade of the scale (4); a higher one counts as it. Between 0 and 1. Undefined
(`no_relevant`) when no judged passage has a positive grade; the trec profiles count that as 0.

Source: Chapelle, Metlzer, Zhang, Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009.
"""

from collections.abc import Iterable

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts, *, k: int | None, max_grade: int) -> Score:
    """The definition."""
    if not facts.ideal:
        return null("no_relevant")
    return Score(cascade(zip(facts.ranks, facts.grades, strict=True), k, max_grade))


def cascade(ranked: Iterable[tuple[int, int]], k: int | None, max_grade: int) -> float:
    """The sum over (rank, grade), ranks ascending."""
    total, reading = 0.0, 1.0
    for rank, grade in ranked:
        if k is not None and rank > k:
            break
        stops = (2.0 ** min(max(grade, 0), max_grade) - 1) / 2**max_grade
        total += reading * stops / rank
        reading *= 1 - stops
    return total


METRIC = Metric(
    score, needs=("qrels", "retrieved"), defaults={"k": None, "max_grade": 4}, limits={"max_grade": (1, 1000)}
)
