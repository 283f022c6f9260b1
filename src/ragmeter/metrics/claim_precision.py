"""Claim precision: how many claims of the answer the expected answer supports.

    claim_precision = claims of the answer that the expected answer entails / claims of the answer

Judgments: `claim_precision` of the case (a ratio, or a list of verdicts), else one `claim_correct` a claim of the answer (subject 'claim:0' ...). A
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
    return unanswered(facts, empty) or ratio(facts, "claim_precision", "claim_correct")


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={"empty": "null"},
    conventions=EMPTY,
    judge="claims",
)
