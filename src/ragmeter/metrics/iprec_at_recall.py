"""Interpolated precision at a recall level.

    iprec_at_recall@x = max over ranks by which recall x is reached of precision at that rank

`@` gives x from 0 to 1. Recall x is reached at c relevant passages: c = round(x * R), halves up, under
rounding `10` (trec_eval 10, the default), c = trunc(x * R + 0.9) under `9` (trec_eval 9); at least 1. It is 0
when x is never reached. Undefined (`no_relevant`) when R is 0; the trec profiles count that as 0.

Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval, 8.4; trec_eval `iprec_at_recall`.
"""

import math

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts, *, k: float, rounding: str) -> Score:
    """The definition; k is the recall level x."""
    if not facts.relevant:
        return null("no_relevant")
    needed = max(1, recall_level(k, facts.relevant, rounding))
    best = Score(0)
    for n, rank in enumerate(facts.hit_ranks, 1):
        if n >= needed and n * best.den > best.num * rank:
            best = Score(n, rank)
    return best


def recall_level(x: float, relevant: int, rounding: str) -> int:
    """How many relevant passages make up recall x."""
    if rounding == "9":
        return int(x * relevant + 0.9)
    return math.floor(x * relevant) + (x * relevant - math.floor(x * relevant) >= 0.5)


METRIC = Metric(
    score,
    needs=("qrels", "retrieved"),
    defaults={"k": 0.1, "rounding": "10"},
    conventions={"9": {"rounding": "9"}, "10": {"rounding": "10"}},
    limits={"k": (0.0, 1.0)},
)
