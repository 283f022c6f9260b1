"""Faithfulness: how many of the answer's claims the contexts support.

    faithfulness = supported claims / claims

Judgments: `faithfulness` of the case (a ratio, or a list of verdicts), else one `claim_support` a claim
(subject 'claim:0' ...). A claim judged twice counts once; supported claims never count more than there are
claims. Between 0 and 1. Undefined: (`no_claims`) when the judge found none, (`not_judged`), the judge's own
failure, and (`no_answer`) for an empty answer, unless convention `as_judged` (the published DVC figures: a
judge once found ten claims in an empty answer) or `empty_zero` says otherwise.

Source: Es et al., RAGAS, 2023. RAGChecker asks each context alone, deepeval counts what is not contradicted:
other quantities.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY, ratio, unanswered
from ragmeter.result import Score


def score(facts: Facts, *, empty: str) -> Score:
    """Supported over all claims."""
    return unanswered(facts, empty) or ratio(facts, "faithfulness", "claim_support")


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={"empty": "null"},
    conventions=EMPTY,
    judge="faithfulness",
)
