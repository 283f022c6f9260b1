"""Completeness: how many points of the checklist the answer holds.

    completeness = points found in the answer / points

The points are those of the case, else those that the judge made from the expected answer. Judgments:
`completeness` of the case (a ratio, or a list of verdicts), else one `point_in_answer` a point (subject
'point:0' ...). A point judged twice counts once, points beyond the checklist are dropped. Between 0 and 1.
Undefined: (`no_checklist`), (`not_judged`), the judge's own failure, and (`no_answer`) for an empty answer
unless `as_judged` or `empty_zero`. Beside context_recall it says what was there and left out.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY, points, ratio, unanswered
from ragmeter.result import Score


def score(facts: Facts, *, empty: str) -> Score:
    """Points in the answer over all points."""
    ended = unanswered(facts, empty)
    return ended or ratio(facts, "completeness", "point_in_answer", count=points(facts), nothing="no_checklist")


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={"empty": "null"},
    conventions=EMPTY,
    judge="completeness",
)
