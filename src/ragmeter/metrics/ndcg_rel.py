"""nDCG at relevant ranks: nDCG read at the rank of each gainful passage, averaged.

    ndcg_rel = 1/G * (sum over gainful retrieved passages of ndcg@its rank + missed * ndcg at the list's end)

G counts the judged passages with a positive grade, `missed` those of them that were not retrieved; they enter
with the DCG of the whole list over the whole ideal. Gains are the grades. Undefined (`no_relevant`) when G is 0;
the trec profiles count that as 0.

Source: trec_eval `ndcg_rel`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, best_first, discounted, running
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition, between 0 and 1."""
    ideal = best_first(facts)
    if not ideal:
        return null("no_relevant")
    ranked = [(rank, grade) for rank, grade in zip(facts.ranks, facts.grades, strict=True) if grade > 0]
    parts = [discounted(ranked, rank) / discounted(enumerate(ideal, 1), rank) for rank, _ in ranked]
    missed = (len(ideal) - len(ranked)) * discounted(ranked, None) / discounted(enumerate(ideal, 1), None)
    return Score(running([*parts, missed]), len(ideal))


METRIC = Metric(score, needs=("qrels", "retrieved"))
