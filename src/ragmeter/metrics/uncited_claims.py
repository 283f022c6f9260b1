"""Uncited claims: how many longer sentences of the answer have no citation. A count, the lower the better.

    uncited_claims = sentences of more than 30 characters without any marker

Under `dvc` sentences and markers are read by its rules and the courtesies of its list do not count; it also
leaves out questions that cannot be answered (`scope=answerable`: `not_answerable`) and counts 0 in an empty
answer. Read from the answer itself; no judge is asked. Undefined (`no_answer`) for an empty answer.

Source: the published DVC-RAG experiment.
"""

from ragmeter.citations import read_answer
from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY
from ragmeter.metrics._support import no_score
from ragmeter.result import Score


def score(facts: Facts, *, rules: str, scope: str, empty: str) -> Score:
    """The count of one answer."""
    assert facts.output is not None
    ended = no_score(facts, scope, empty)
    return ended or Score(read_answer(facts.output, rules=rules).uncited_claims)


METRIC = Metric(
    score,
    needs=("answer", "texts"),
    defaults={"rules": "plain", "scope": "all", "empty": "null"},
    conventions={"dvc": {"rules": "dvc", "scope": "answerable", "empty": "zero"}} | EMPTY,
    bounds=None,
    higher_is_better=False,
)
