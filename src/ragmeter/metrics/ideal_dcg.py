"""Ideal DCG@k: the DCG of all judged passages in the best order.

    ideal_dcg@k = sum over the first k of the judged passages, best first, of gain / log2(rank + 1)

The denominator of ndcg; a property of the judgments, not of the system. Always defined.

Source: Järvelin and Kekäläinen, TOIS 2002; trec_eval 10 `ideal_dcg`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, best_first, discounted
from ragmeter.result import Score


def score(facts: Facts, *, k: int | None, gain: str) -> Score:
    """The definition."""
    return Score(discounted(enumerate(best_first(facts), 1), k, gain))


METRIC = Metric(
    score,
    needs=("qrels",),
    defaults={"k": None, "gain": "linear"},
    conventions={"linear": {"gain": "linear"}, "exp": {"gain": "exp"}},
    bounds=None,
)
