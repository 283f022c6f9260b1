"""Bpref: how rarely a judged non-relevant passage stands above a relevant one.

    bpref = 1/R * sum over relevant retrieved passages of (1 - min(n, R) / min(N, R))

R is the number of relevant, N of judged non-relevant passages, n how many judged non-relevant ones stand above
the passage (a passage with n = 0 adds 1). Unjudged passages are passed over, so missing judgments cost nothing.
A grade below 0 counts as unjudged. Between 0 and 1. Undefined (`no_relevant`) when R is 0; the trec profiles
count that as 0.

Source: Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004; trec_eval `bpref`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, running
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The definition."""
    if not facts.relevant:
        return null("no_relevant")
    above, parts = 0, []
    for grade in facts.grades:
        if grade >= facts.level:
            bound = min(facts.nonrelevant, facts.relevant)
            parts.append(1 - min(above, facts.relevant) / bound if above else 1.0)
        elif grade >= 0:
            above += 1
    return Score(running(parts), facts.relevant)


METRIC = Metric(score, needs=("qrels", "retrieved", "pool"))
