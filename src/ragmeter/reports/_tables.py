"""Tables in Markdown that more than one report shows. Every piece is a whole line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ragmeter.reports import cell, interval, nulls, number
from ragmeter.result import Estimate, Row

COLUMNS = ("Value", "95 % interval", "Scored", "Null", "Error")


def line(cells: Iterable[str]) -> str:
    """One row of a table; the cells are escaped already."""
    return f"| {' | '.join(cells)} |\n"


def head(names: Sequence[str], right: Collection[int] = ()) -> str:
    """The head of a table, the columns at the places of `right` flush right."""
    rule = ["---:" if place in right else "---" for place in range(len(names))]
    return line(map(cell, names)) + line(rule)


def estimates(group: Iterable[Estimate]) -> Iterator[str]:
    """Value, interval and the counts behind them, a line per estimate, and an empty line."""
    yield head(["Metric", *COLUMNS], right=(1, 3, 5))
    for e in group:
        yield line([cell(e.metric), *_counts(e)])
    yield "\n"


def side_by_side(estimates: Sequence[Estimate]) -> Iterator[str]:
    """The same for several runs in one table: metric by metric, a line per run."""
    yield head(["Metric", "Run", *COLUMNS], right=(2, 4, 6))
    for metric in dict.fromkeys(e.metric for e in estimates):
        for e in estimates:
            if e.metric == metric:
                yield line([cell(metric), cell(e.slice.removeprefix("run=")), *_counts(e)])
    yield "\n"


def _counts(e: Estimate) -> list[str]:
    return [number(e.value), cell(interval(e)), str(e.n_scored), cell(nulls(e)), str(e.n_error)]


def cases(rows: Iterable[Row], metrics: Sequence[str]) -> Iterator[str]:
    """One line a case: a value or the reason why there is none per metric, then the flags."""
    yield head(["ID", *metrics, "Diagnostics"], right=range(1, len(metrics) + 1))
    for row in rows:
        said = [(row.metrics.get(m), m) for m in metrics]
        why = row.nulls or {}
        values = [cell(why.get(m, "N/A")) if value is None else number(value) for value, m in said]
        run = f" ({cell(row.tags['run'])})" if row.tags and "run" in row.tags else ""
        yield line([cell(row.id) + run, *values, cell(", ".join(row.diagnostics)) or "none"])
