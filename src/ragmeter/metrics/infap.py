"""Inferred AP: average precision estimated where only a sample of the pool was judged.

    infap = 1/R * sum over relevant retrieved passages of
            1/rank + (d/rank) * (r + e) / (r + n + 2e),   e = 0.00001

d counts the pooled passages above (those in the qrels, negative grades included), r the relevant and n the
judged non-relevant ones among them; passages outside the qrels count nowhere. A grade below 0 marks a pooled
passage that was not judged. Undefined (`no_relevant`) when R is 0; the trec profiles count that as 0.

Source: Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006;
trec_eval `infAP`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import FLOOR, Metric, running
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition."""
    if not facts.relevant:
        return null("no_relevant")
    parts = []
    right = wrong = unsampled = 0
    for rank, grade in zip(facts.ranks, facts.grades, strict=True):
        if grade < 0:
            unsampled += 1
        elif grade < facts.level:
            wrong += 1
        else:
            share = (right + FLOOR) / (right + wrong + 2 * FLOOR)
            parts.append(1 / rank + ((right + wrong + unsampled) / rank) * share)
            right += 1
    return Score(running(parts), facts.relevant)


METRIC = Metric(score, needs=("qrels", "retrieved", "pool"))
