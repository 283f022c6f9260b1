"""Which cases to look at first: those that failed, then those that weigh on the metric that matters.

What matters is every metric with a gate that does not pass; without one, the first metric measured. A value
that must not be so low is weighed down by the lowest scores, one that must not be so high by the highest.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from msgspec import Struct

from ragmeter.result import ERRORS, Outcome, Result, Row


class Key(NamedTuple):
    """What a list of worst cases is about. `lowest`: the lowest scores are the worst."""

    metric: str
    slice: str
    lowest: bool


class Worst(Struct):
    """The worst cases of one metric in one slice, worst first, and how many more are worse than the best."""

    metric: str
    slice: str
    lowest: bool
    rows: list[Row] = []
    more: int = 0
    best: float | None = None
    scored: int = 0

    @property
    def heading(self) -> str:
        """'Cases with the lowest recall@5 in topic=fees'."""
        where = f" in {self.slice}" if self.slice else ""
        return f"Cases with the {'lowest' if self.lowest else 'highest'} {self.metric}{where}"


class Sought(Struct):
    """All worst lists of a result, and the cases that failed (the first of them, and how many in all)."""

    lists: list[Worst]
    failed: list[Row]
    failed_count: int


def worst(result: Result, rows: Iterable[Row], *, limit: int = 10) -> Sought:
    """One walk over the rows, holding no more than `limit` of them per list.

    Equal scores are ordered by the other metrics, then as in the input. A case as good as the best one met is
    no worst case, so the list of a perfect run is empty. A null is no score and is not listed.
    """
    directions = {e.metric: e.higher_is_better for e in result.estimates}
    sought = Sought([Worst(*key) for key in keys(result)], [], 0)
    orders = [_Lowest(one.metric, directions | {one.metric: one.lowest}, limit) for one in sought.lists]
    for place, row in enumerate(rows):
        if failed(row):
            sought.failed_count += 1
            if len(sought.failed) < limit:
                sought.failed.append(row)
        for one, order in zip(sought.lists, orders, strict=True):
            if _within(row, one.slice):
                order.add(row, place)
    for one, order in zip(sought.lists, orders, strict=True):
        order.settle(one)
    return sought


def keys(result: Result) -> list[Key]:
    """Metric, slice and direction of every gate that does not pass, else of the first estimate."""
    outcomes = result.verdict.outcomes if result.verdict is not None else ()
    held = [key_of(outcome, result) for outcome in outcomes if outcome.outcome != "PASS" and outcome.metric]
    return list(dict.fromkeys(held)) or [Key(e.metric, e.slice, e.higher_is_better) for e in result.estimates[:1]]


def key_of(outcome: Outcome, result: Result) -> Key:
    """Which cases weigh on a gate: the highest where the value fails by being too high, and so on."""
    if outcome.outcome == "FAIL" and outcome.value is not None and outcome.on_scale:
        return Key(outcome.metric, outcome.slice, outcome.value < outcome.threshold)
    estimate = result.find(outcome.metric, outcome.slice)
    return Key(outcome.metric, outcome.slice, estimate is None or estimate.higher_is_better)


def failed(row: Row) -> bool:
    """Whether the system, a judge or the recording failed this case."""
    return "target_failed" in row.diagnostics or any(why in ERRORS for why in (row.nulls or {}).values())


def reasons(row: Row) -> str:
    """Why a failed case failed: 'timeout', or the flag where reasons are not kept."""
    found = {why for why in (row.nulls or {}).values() if why in ERRORS}
    return ", ".join(sorted(found)) or "target_failed"


def _within(row: Row, slice: str) -> bool:
    tag, _, value = slice.partition("=")
    return not slice or (row.tags or {}).get(tag) == value


class _Lowest:
    """The `limit` lowest rows by one metric, and counts of the rest."""

    def __init__(self, metric: str, lowest: dict[str, bool], limit: int):
        self.metric = metric
        self.limit = limit
        ways = {name: 1 if low else -1 for name, low in lowest.items()}
        self.way = ways.pop(metric)
        self.others = list(ways.items())
        self.held: list[tuple[tuple[float, ...], int, Row]] = []
        self.scored = 0
        self.best = -inf
        self.at_best = 0

    def add(self, row: Row, place: int) -> None:
        value = row.metrics.get(self.metric)
        if value is None:
            return
        value *= self.way
        self.scored += 1
        if value > self.best:
            self.best, self.at_best = value, 0
        self.at_best += value == self.best
        if len(self.held) < self.limit or value <= self.held[-1][0][0]:
            insort(self.held, (self._order(value, row), place, row), key=lambda entry: entry[:2])
            del self.held[self.limit :]

    def _order(self, value: float, row: Row) -> tuple[float, ...]:
        rest = [(row.metrics.get(name), way) for name, way in self.others]
        return (value, *(inf if said is None else said * way for said, way in rest))

    def settle(self, into: Worst) -> None:
        into.rows = [row for order, _, row in self.held if order[0] < self.best]
        into.more = self.scored - self.at_best - len(into.rows)
        into.best = self.best * self.way if self.scored else None
        into.scored = self.scored
