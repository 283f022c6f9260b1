"""Abstention MCC: the correlation of should abstain and did abstain (Matthews).

    mcc = (tp tn - fp fn) / sqrt((tp + fp)(tp + fn)(tn + fp)(tn + fn))

0 for a system whose refusals have nothing to do with the question. No value where a row or a column is empty. The row of a case is 1 when the system abstained where it should and answered where it should,
else 0. Undefined: (`not_recorded`) where nobody said whether the question can be answered, (`no_answer`) for an
empty answer, the judge's own failure. What abstaining is: a judgment `abstention`, else the words of the answer
(option `by`: `both`, `judge`, `text`).
"""

import math

from ragmeter.metrics import Metric
from ragmeter.metrics._confusion import OPTIONS, Confusion, count, right


def finish(seen: Confusion) -> float | None:
    """The correlation, None where a row or a column of the confusion is empty."""
    tp, fp, fn, tn = seen
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / math.sqrt(product) if product else None


METRIC = Metric(right, state=count, finish=finish, bounds=(-1.0, 1.0), **OPTIONS)
