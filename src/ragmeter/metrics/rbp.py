"""Rank-biased precision: what a reader gains who goes on to the next passage with probability p.

    rbp = (1 - p) * sum over ranks of p^(rank - 1) * gain

The gain is 1 for a relevant passage (`binary`, the default) or grade / max_grade (`scaled`). Passages that were
not judged gain nothing; rbp_residual says how much they could. Between 0 and 1. Undefined (`no_relevant`)
without a relevant passage; the trec profiles count that as 0. Options: `p=` (0.8), `max_grade=` (0: the case's
own highest grade).

Source: Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 2008.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, running
from ragmeter.result import Score, null


def score(facts: Facts, *, k: int | None, p: float, gain: str, max_grade: int) -> Score:
    """The definition."""
    if not facts.relevant:
        return null("no_relevant")
    top = max_grade or (facts.ideal[0][0] if facts.ideal else 1)
    parts = [
        p ** (rank - 1) * (1.0 if gain == "binary" else max(grade, 0) / top)
        for rank, grade in zip(facts.ranks, facts.grades, strict=True)
        if (k is None or rank <= k) and (gain != "binary" or grade >= facts.level)
    ]
    return Score((1 - p) * running(parts))


METRIC = Metric(
    score,
    needs=("qrels", "retrieved"),
    defaults={"k": None, "p": 0.8, "gain": "binary", "max_grade": 0},
    conventions={"binary": {"gain": "binary"}, "scaled": {"gain": "scaled"}},
    limits={"p": (0.0, 0.999999), "max_grade": (0, 1000)},
)
