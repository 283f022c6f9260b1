"""Claim recall: how many claims of the expected answer are in the answer.

    claim_recall = claims of the expected answer that the answer entails / claims of the expected answer

Judgments: `claim_recall` of the case (a ratio, or a list of verdicts), else one `claim_covered` a claim of the expected answer (subject 'claim:0' ...). A
claim judged twice counts once. Between 0 and 1. Undefined: (`no_claims`), (`not_judged`), the judge's own
failure, and (`no_answer`) for an empty answer unless `as_judged` or `empty_zero`. RAGChecker counts every empty
case as 0.

Source: Ru et al., RAGChecker, 2024.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY, ratio, unanswered
from ragmeter.result import Score


def score(facts: Facts, *, empty: str) -> Score:
    """Entailed claims over claims."""
    return unanswered(facts, empty) or ratio(facts, "claim_recall", "claim_covered")


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={"empty": "null"},
    conventions=EMPTY,
    judge="claims",
)
