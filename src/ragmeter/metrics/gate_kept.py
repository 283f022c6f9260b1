"""Gate kept: whether a relevant passage survives the relevance gate, over the answerable questions.

    gate_kept = 1 if a relevant passage is among those that pass, else 0

What passes: see the option `threshold` (0) and, for questions for which nothing was retrieved, the conventions
`retrieved` (default: left out as `nothing_retrieved`), `strict` (0) and `published` (0: its list is empty). A
failed retrieval is an error, counted beside the mean. Undefined (`no_relevant`) without a relevant passage,
(`not_answerable`) for a question without an answer: see gate_rejected.

Source: the gate experiment of the published DVC-RAG evaluation.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._gate import OPTIONS, nothing_there, passed
from ragmeter.result import Score, null


def score(facts: Facts, *, threshold: float, nothing: str) -> Score:
    """0 or 1."""
    assert facts.case is not None
    if facts.case.answerable is False:
        return null("not_answerable")
    relevant = {id for id, grade in (facts.case.qrels or {}).items() if grade >= facts.level}
    if not relevant:
        return null("no_relevant")
    if (ended := nothing_there(facts, nothing)) is not None:
        return ended
    return Score(int(not relevant.isdisjoint(passed(facts, threshold))))


METRIC = Metric(score, **OPTIONS)
