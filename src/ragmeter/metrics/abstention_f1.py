"""Abstention F1: the harmonic mean of abstention precision and recall.

    abstention_f1 = 2 tp / (2 tp + fp + fn)

tp: unanswerable and declined, fp: over-refusals, fn: over-answers. No value where all three are 0. The row of a case is 1 when the system abstained where it should and answered where it should,
else 0. Undefined: (`not_recorded`) where nobody said whether the question can be answered, (`no_answer`) for an
empty answer, the judge's own failure. What abstaining is: a judgment `abstention`, else the words of the answer
(option `by`: `both`, `judge`, `text`).
"""

from ragmeter.metrics import Metric
from ragmeter.metrics._confusion import OPTIONS, Confusion, count, right


def finish(seen: Confusion) -> float | None:
    """F1, None where nothing was unanswerable and nothing was declined."""
    den = 2 * seen.tp + seen.fp + seen.fn
    return 2 * seen.tp / den if den else None


METRIC = Metric(right, state=count, finish=finish, bounds=(0.0, 1.0), **OPTIONS)
