"""Unjudged@k: places of the first k that hold an unjudged passage, over k.

    unj@k = unjudged among the first k retrieved / k

It divides by k even when fewer came back. A grade below 0 is no judgment. Always defined.

Source: trec_eval 10 `unj`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score


def score(facts: Facts, *, k: int) -> Score:
    """The definition, between 0 and 1."""
    ranked = zip(facts.ranks, facts.grades, strict=True)
    known = sum([rank <= k and grade >= 0 for rank, grade in ranked])
    return Score(min(k, facts.retrieved) - known, k)


METRIC = Metric(score, needs=("qrels", "retrieved", "pool"), defaults={"k": 10}, higher_is_better=False)
