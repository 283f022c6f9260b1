"""CSV: one row per estimate, all cases first, then slice by slice. For spreadsheets and data frames.

Numbers stand with all their digits; an undefined value and an absent bound are empty cells. `interval` says
how the bounds were found or why there are none. `n_null` counts the cases left out, `nulls` says why
('no_relevant=3;no_answer=1'), `n_error` counts failures. `profile` and `conventions` close every row, so that
rows of several runs can stand in one table. Cells are quoted as RFC 4180 says, lines end in a line feed, and
text that a spreadsheet would run as a formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from ragmeter.reports import Report, conventions, plain, visible
from ragmeter.result import Estimate, Result, Row

COLUMNS = (
    "metric", "definition", "slice", "value", "low", "high", "interval",
    "n_scored", "n_null", "n_error", "nulls", "profile", "conventions",
)  # fmt: skip


def render(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    """The head, then a line per estimate. Case rows are not in it."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    tail = [_text(result.provenance.get("profile", "")), _text(_conventions(result))]
    table.writerow(COLUMNS)
    for estimate in result.estimates:
        table.writerow([*_cells(estimate), *tail])
        yield text.getvalue()
        text.seek(0)
        text.truncate()
    yield text.getvalue()


def _conventions(result: Result) -> str:
    """'relevant: grade >= 1; ties: ...'; what other columns say is left out."""
    others = {"profile", *(e.metric for e in result.estimates)}
    return "; ".join(f"{name}: {choice}" for name, choice in conventions(result) if name not in others)


def _cells(e: Estimate) -> list[object]:
    """The cells of one estimate; None is written as an empty cell."""
    why = ";".join(f"{reason}={count}" for reason, count in e.n_null.items())
    numbers = [_exact(value) for value in (e.value, e.low, e.high)]
    return [_text(e.metric), _text(e.definition), _text(e.slice), *numbers, _text(e.interval),
            e.n_scored, e.nulls, e.n_error, _text(why)]  # fmt: skip


def _exact(value: float | None) -> str:
    """The shortest digits that give the same double back."""
    return "" if value is None else repr(float(value))


def _text(value: object) -> str:
    return plain(visible(str(value)))


REPORT = Report(render, ".csv", "one row per estimate: for spreadsheets and data frames")
