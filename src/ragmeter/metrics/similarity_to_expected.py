"""Similarity to the expected answer: how close the answer is to the nearest expected one.

    similarity_to_expected = max over expected answers of similarity(answer, expected)

The judge `similarity` answers it; with its lexical embedder this is a cosine of character n-grams, which is
blind to meaning, to negation and to wrong digits. Between 0 and 1 for the lexical embedder. Undefined
(`no_references`) without an expected answer, (`no_answer`) for an empty one, (`not_judged`) without a judge.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, judged_values
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """The largest judged similarity with an expected answer."""
    if facts.case is None or not facts.case.references:
        return null("no_references")
    if facts.output is None or not (facts.output.answer or "").strip():
        return null("no_answer")
    values, why = judged_values(facts, "similarity", "reference:")
    return Score(max(values)) if values else null(why)


METRIC = Metric(score, needs=("answer", "judgments", "texts"), judge="similarity")
