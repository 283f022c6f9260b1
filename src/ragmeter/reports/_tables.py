"""Tables in Markdown that more than one report shows. Every piece is a whole line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ragmeter.reports import cell, interval, nulls, number
from ragmeter.result import Estimate, Row


def line(cells: Iterable[str]) -> str:
    """One row of a table; the cells are escaped already."""
    return f"| {' | '.join(cells)} |\n"


def head(names: Sequence[str], right: Collection[int] = ()) -> str:
    """The head of a table, the columns at the places of `right` flush right."""
    rule = ["---:" if place in right else "---" for place in range(len(names))]
    return line(map(cell, names)) + line(rule)


def estimates(group: Iterable[Estimate]) -> Iterator[str]:
    """Value, interval and the counts behind them, a line per estimate, and an empty line."""
    yield head(["Metric", "Value", "95 % interval", "Scored", "Null", "Error"], right=(1, 3, 5))
    for e in group:
        counts = [str(e.n_scored), cell(nulls(e)), str(e.n_error)]
        yield line([cell(e.metric), number(e.value), cell(interval(e)), *counts])
    yield "\n"


def cases(rows: Iterable[Row], metrics: Sequence[str]) -> Iterator[str]:
    """One line a case: a value or the reason why there is none per metric, then the flags."""
    yield head(["ID", *metrics, "Diagnostics"], right=range(1, len(metrics) + 1))
    for row in rows:
        said = [(row.metrics.get(m), m) for m in metrics]
        why = row.nulls or {}
        values = [cell(why.get(m, "N/A")) if value is None else number(value) for value, m in said]
        yield line([cell(row.id), *values, cell(", ".join(row.diagnostics)) or "none"])
