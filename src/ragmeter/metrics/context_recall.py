"""Context recall: how many points of the checklist the contexts hold.

    context_recall = points found in the contexts / points

The points are those of the case, else those that the judge made from the expected answer. Judgments:
`context_recall` of the case (a ratio, or a list of verdicts), else one `point_in_context` a point (subject
'point:0' ...). A point judged twice counts once, points beyond the checklist are dropped. Between 0 and 1.
Undefined: (`no_checklist`), (`not_judged`), the judge's own failure. The answer plays no part.

Source: Es et al., RAGAS, 2023, with a checklist in place of the sentences of an expected answer.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import points, ratio
from ragmeter.result import Score


def score(facts: Facts) -> Score:
    """Points in the contexts over all points."""
    return ratio(facts, "context_recall", "point_in_context", count=points(facts), nothing="no_checklist")


METRIC = Metric(score, needs=("judgments", "texts"), judge="completeness")
