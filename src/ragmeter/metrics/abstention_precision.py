"""Abstention precision: how many of the questions the system declined have no answer.

    abstention_precision = unanswerable and abstained / abstained

The row of a case is 0 or 1. Undefined: (`undefined`) for a question that was answered, (`not_recorded`) where nobody said whether
the question can be answered, (`no_answer`) for an empty answer, the judge's own failure. What abstaining is:
a judgment `abstention`, else the words of the answer (option `by`: `both`, `judge`, `text`).
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._confusion import OPTIONS, outcome
from ragmeter.result import Score, null


def score(facts: Facts, *, by: str) -> Score:
    """0 or 1 for the cases that count."""
    said = outcome(facts, by)
    if isinstance(said, str):
        return null(said)
    should, did = said
    return Score(int(should)) if did else null("undefined")


METRIC = Metric(score, proportion=True, **OPTIONS)
