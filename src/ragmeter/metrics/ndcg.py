"""nDCG@k: discounted cumulative gain over that of the ideal ranking.

    dcg@k  = sum over the first k ranks of gain / log2(rank + 1)
    ndcg@k = dcg@k / dcg@k of all judged passages in the best order

The gain is the grade (convention `linear`, the default, as trec_eval) or 2^grade - 1 (`exp`). Passages without
a positive grade gain nothing; the relevance level plays no part. Between 0 and 1. Undefined (`no_relevant`)
when no judged passage has a positive grade; the trec profiles and beir count that as 0.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002; trec_eval
`ndcg`, `ndcg_cut`; the exponential gain is that of Burges et al., ICML 2005.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, best_first, discounted, logarithms, worth
from ragmeter.result import NO_RELEVANT, Score, null


def score(facts: Facts, *, k: int | None, gain: str) -> Score:
    """The definition: both sums are cut at k."""
    ideal = discounted(enumerate(best_first(facts), 1), k, gain)
    if not ideal:
        return null("no_relevant")
    return Score(discounted(zip(facts.ranks, facts.grades, strict=True), k, gain), ideal)


def kernel(batch: Any, *, k: int | None, gain: str) -> Any:
    """The same for a columnar batch: num, den and reason code, one entry a case."""
    import numpy as np

    def sums(case: Any, rank: Any, grade: Any) -> Any:
        chosen = grade > 0 if k is None else (grade > 0) & (rank <= k)
        case, rank, grade = case[chosen], rank[chosen], grade[chosen]
        gains = grade
        if gain == "exp":
            worth(int(grade.max(initial=0)), gain)
            gains = np.exp2(grade) - 1
        return batch.total(case, gains / np.array(logarithms(int(rank.max(initial=0))))[rank])

    ideal = sums(batch.ideal_case, batch.ideal_rank, batch.ideal_grade)
    none = ideal == 0
    return sums(batch.case, batch.rank, batch.grade), np.where(none, 1, ideal), none * NO_RELEVANT


METRIC = Metric(
    score,
    kernel,
    needs=("qrels", "retrieved"),
    defaults={"k": None, "gain": "linear"},
    conventions={"linear": {"gain": "linear"}, "exp": {"gain": "exp"}},
)
