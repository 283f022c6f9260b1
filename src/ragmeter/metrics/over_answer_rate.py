"""Over-answer rate: how many unanswerable questions the system answered all the same.

    over_answer_rate = answered / unanswerable questions

The lower the better. The row of a case is 0 or 1. Undefined: (`answerable`) for a question that has an answer, (`not_recorded`) where nobody said whether
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
    return Score(int(not did)) if should else null("answerable")


METRIC = Metric(score, proportion=True, higher_is_better=False, **OPTIONS)
