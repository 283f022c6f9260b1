"""Answer relevance: how near questions made from the answer are to the question asked.

    answer_relevance = mean over back-made questions of cosine(question, back-made question)

0 when the judge finds the answer noncommittal (judgment `noncommittal` above 0, or on the way of a recorded
value already). Judgments: `answer_relevance` of the case, else one `question_similarity` a back-made question.
Between -1 and 1, and never comparable between embedders. Undefined (`not_judged`), the judge's own failure, and
(`no_answer`) for an empty answer unless `as_judged` or `empty_zero`.

Source: Es et al., RAGAS, 2023.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, judged_values
from ragmeter.metrics._judged import EMPTY, failed, number, unanswered, whole
from ragmeter.result import Score, null


def score(facts: Facts, *, empty: str) -> Score:
    """The mean cosine, or 0 for an answer that says nothing."""
    if (ended := unanswered(facts, empty)) is not None:
        return ended
    said, hedged = whole(facts, "answer_relevance"), whole(facts, "noncommittal")
    if said is not None and (why := failed(said)):
        return null(why)
    if hedged is not None and (number(hedged) or 0) > 0:
        return Score(0)
    if said is not None:
        value = number(said)
        return null("judge_unparsable") if value is None else Score(value)
    values, why = judged_values(facts, "question_similarity")
    return Score(sum(values), len(values)) if values else null(why)


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={"empty": "null"},
    conventions=EMPTY,
    bounds=(-1.0, 1.0),
    judge="answer_relevance",
)
