"""Answer correctness: claims of the answer against claims of the expected answer, as one F score.

    tp = claims of the answer that the expected answer supports, fp = the others
    fn = claims of the expected answer that the answer lacks
    F_beta = (1 + beta^2) tp / ((1 + beta^2) tp + beta^2 fn + fp)
    answer_correctness = (1 - similarity) F_beta + similarity * similarity_to_expected

Option `beta` (1), option `similarity` (0: claims alone; convention `ragas` is 0.25 and asks the judge
`similarity` too). Judgments: `answer_correctness` of the case, else `claim_correct` and `claim_covered` a claim.
Between 0 and 1. Undefined: (`no_claims`) when neither has one (RAGAS says 1), (`not_judged`), the judge's own
failure, (`no_references`) where similarity counts and there is no expected answer, and (`no_answer`) for an
empty answer unless `as_judged` or `empty_zero`.

Source: RAGAS, answer correctness, 0.1.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY, ratio, share, unanswered, verdicts, whole
from ragmeter.metrics.similarity_to_expected import score as similarity_to_expected
from ragmeter.result import Score, null


def score(facts: Facts, *, beta: float, similarity: float, empty: str) -> Score:
    """The weighted mean of F over claims and similarity."""
    if (ended := unanswered(facts, empty)) is not None:
        return ended
    if whole(facts, "answer_correctness") is not None:
        return ratio(facts, "answer_correctness", "")
    claims = _f(facts, beta)
    if claims.reason or not similarity:
        return claims
    near = similarity_to_expected(facts)
    if near.reason:
        return near
    return Score((1 - similarity) * claims.num / claims.den + similarity * near.num / near.den)


def _f(facts: Facts, beta: float) -> Score:
    judged = facts.judged or {}
    correct = share(verdicts(judged.get("claim_correct", {})), None)
    covered = share(verdicts(judged.get("claim_covered", {})), None)
    for side in (correct, covered):
        if side.reason and side.reason != "no_claims":
            return side
    if correct.reason and covered.reason:
        return null("no_claims")
    tp, fp = (0.0, 0.0) if correct.reason else (correct.num, correct.den - correct.num)
    fn = 0.0 if covered.reason else covered.den - covered.num
    den = (1 + beta**2) * tp + beta**2 * fn + fp
    return Score((1 + beta**2) * tp, den) if den else null("undefined")


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={"beta": 1.0, "similarity": 0.0, "empty": "null"},
    conventions={"claims": {"similarity": 0.0}, "ragas": {"similarity": 0.25}} | EMPTY,
    judge="claims",
)
