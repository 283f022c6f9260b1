"""Reciprocal rank: how early the first relevant passage comes.

    reciprocal_rank@k = 1 / rank of the first relevant passage among the first k, else 0

Without a cutoff (the default; profile s2 cuts at k) the whole list is looked at. Undefined
(`no_relevant`) when the case has no relevant passage; profile s2 and the trec profiles count that as 0.
Its mean over cases is known as MRR.

Source: Voorhees, The TREC-8 Question Answering Track Report, 1999.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import NO_RELEVANT, Score, null


def score(facts: Facts, *, k: int | None) -> Score:
    """The definition: 1 over the first relevant rank, 0 when none is within k, between 0 and 1."""
    if not facts.relevant:
        return null("no_relevant")
    first = min(facts.hit_ranks, default=0)
    return Score(1, first) if first and (k is None or first <= k) else Score(0)


def kernel(batch: Any, *, k: int | None) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    first = batch.first_hit()
    found = (first > 0) & ((first <= k) if k is not None else True)
    den = first.copy()
    den[~found] = 1
    return found * 1, den, (batch.relevant == 0) * NO_RELEVANT


METRIC = Metric(score, kernel, needs=("qrels", "retrieved"), defaults={"k": None})
