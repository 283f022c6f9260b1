"""Nugget score: how many of the nuggets of a complete answer are in the answer.

    each nugget: support 1, partial_support 0.5 (0 when strict), not_support 0
    all       mean over all nuggets
    vital     mean over the vital ones (with strict: the main measure of TREC RAG)
    weighted  vital ones count 1, okay ones 0.5

Conventions: `all` (default), `strict`, `vital`, `vital_strict`, `weighted`, `weighted_strict`. The nuggets are
the points of the case with their importance. Judgments: one `nugget_support` a nugget (subject 'point:0' ...).
Between 0 and 1. Undefined: (`no_checklist`) without nuggets, (`undefined`) without vital ones where only those
count (the reference code says 0), (`not_judged`) when one was not judged, (`no_answer`) for an empty answer
unless `empty_zero`.

Source: Pradeep et al., Initial Nugget Evaluation Results for the TREC 2024 RAG Track, arXiv 2411.09607.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY, unanswered, verdicts
from ragmeter.result import Score, null

OKAY = {"all": 1.0, "vital": 0.0, "weighted": 0.5}  # what a nugget counts that is not vital


def score(facts: Facts, *, over: str, strict: bool, empty: str) -> Score:
    """The weighted mean of the nuggets."""
    nuggets = facts.case.points if facts.case is not None else ()
    if not nuggets:
        return null("no_checklist")
    if (ended := unanswered(facts, empty)) is not None:
        return ended
    said = verdicts((facts.judged or {}).get("nugget_support", {}))
    num = den = 0.0
    for i, nugget in enumerate(nuggets):
        weight = 1.0 if nugget.importance == "vital" else OKAY[over]
        value = said.get(f"point:{i}", "not_judged")
        if weight and isinstance(value, str):
            return null(value)
        if weight and not isinstance(value, str):
            num += weight * (float(value >= 1) if strict else value)
            den += weight
    return Score(num, den) if den else null("undefined")


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={"over": "all", "strict": False, "empty": "null"},
    conventions={
        "all": {"over": "all"},
        "strict": {"strict": True},
        "vital": {"over": "vital"},
        "vital_strict": {"over": "vital", "strict": True},
        "weighted": {"over": "weighted"},
        "weighted_strict": {"over": "weighted", "strict": True},
        **EMPTY,
    },
    judge="nuggets",
)
