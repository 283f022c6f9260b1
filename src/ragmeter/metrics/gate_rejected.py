"""Gate rejected: whether the relevance gate lets nothing pass, over the questions that have no answer.

    gate_rejected = 1 if no retrieved passage passes, else 0

What passes: see the option `threshold` (0) and, for questions for which nothing was retrieved, the conventions
`retrieved` (default: left out as `nothing_retrieved`: the gate had nothing to reject), `strict` (0) and
`published` (1: a failed retrieval looks like a rejection). A failed retrieval that says so is an error,
counted beside the mean. Undefined (`answerable`) for a question that has an answer, (`not_recorded`) where
nobody said: see gate_kept.

Source: the gate experiment of the published DVC-RAG evaluation.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._gate import OPTIONS, nothing_there, passed
from ragmeter.result import Score, null


def score(facts: Facts, *, threshold: float, nothing: str) -> Score:
    """0 or 1."""
    assert facts.case is not None
    if facts.case.answerable is not False:
        return null("not_recorded" if facts.case.answerable is None else "answerable")
    ended = nothing_there(facts, nothing)
    return ended or Score(int(not passed(facts, threshold)))


METRIC = Metric(score, **OPTIONS)
