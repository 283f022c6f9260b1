"""What equal scores leave open: the best and the worst rank of every judged passage.

A run does not say in which order equally scored passages come; a rule decides (trec_eval: by falling id).
Within each group of equal scores `best` puts passages of higher grade first and unjudged ones last, `worst`
the other way round. These are the exact extremes of every metric that gains whenever a passage of higher
grade moves up (or, for `judged` and `unj`, a judged one): all of ours but those of `OPEN`, for which neither
order need be extreme.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ragmeter.batch import FactsBatch
from ragmeter.metrics import Measure

OPEN = frozenset({"infap"})  # what stands above a relevant passage can raise it as well as lower it


class TiedBatch(FactsBatch, frozen=True, dict=True):
    """A batch that also knows, for every entry, the ranks at which its group of equal scores begins and ends."""

    first: Any = None  # int64, first <= rank <= last
    last: Any = None


def sensitive(measures: Iterable[Measure]) -> list[Measure]:
    """The measures whose extremes over the orders of equal scores can be said."""
    return [m for m in measures if not m.metric.by_record and m.definition.split("@")[0].split(":")[0] not in OPEN]


def best(batch: TiedBatch) -> FactsBatch:
    """The batch with the judged passages of each group in front, the higher grades first."""
    import numpy as np

    order = np.lexsort((-batch.grade, batch.first, batch.case))
    return _ranked(batch, order, batch.first[order] + _place(batch, order))


def worst(batch: TiedBatch) -> FactsBatch:
    """The batch with the judged passages of each group at its end, the higher grades last."""
    import numpy as np

    order = np.lexsort((batch.grade, batch.first, batch.case))
    starts, sizes = _groups(batch, order)
    return _ranked(batch, order, batch.last[order] - np.repeat(sizes, sizes) + 1 + _place(batch, order))


def _groups(batch: TiedBatch, order: Any) -> tuple[Any, Any]:
    """Where the groups begin in that order, and how many entries each has."""
    import numpy as np

    case, first = batch.case[order], batch.first[order]
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = (case[1:] != case[:-1]) | (first[1:] != first[:-1])
    starts = np.flatnonzero(begins)
    return starts, np.diff(np.append(starts, len(order)))


def _place(batch: TiedBatch, order: Any) -> Any:
    """The place of each entry within its group, from 0."""
    import numpy as np

    starts, sizes = _groups(batch, order)
    return np.arange(len(order)) - np.repeat(starts, sizes)


def _ranked(batch: TiedBatch, order: Any, rank: Any) -> FactsBatch:
    return FactsBatch(
        ids=batch.ids,
        case=batch.case[order],
        rank=rank,
        grade=batch.grade[order],
        relevant=batch.relevant,
        retrieved=batch.retrieved,
        repeated=batch.repeated,
        nonrelevant=batch.nonrelevant,
        ideal_case=batch.ideal_case,
        ideal_grade=batch.ideal_grade,
        level=batch.level,
    )
