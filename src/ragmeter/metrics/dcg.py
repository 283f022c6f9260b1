"""DCG@k: discounted cumulative gain, not normalised.

    dcg@k = sum over the first k ranks of gain / log2(rank + 1)

Gains as in ndcg. From 0 on, without an upper bound: compare only within one case. Always defined.

Source: Järvelin and Kekäläinen, TOIS 2002; trec_eval 10 `dcg`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, discounted
from ragmeter.result import Score


def score(facts: Facts, *, k: int | None, gain: str) -> Score:
    """The definition."""
    return Score(discounted(zip(facts.ranks, facts.grades, strict=True), k, gain))


METRIC = Metric(
    score,
    needs=("qrels", "retrieved"),
    defaults={"k": None, "gain": "linear"},
    conventions={"linear": {"gain": "linear"}, "exp": {"gain": "exp"}},
    bounds=None,
)
