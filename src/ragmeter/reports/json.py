"""JSON: summary, diagnostics and cases in the shape of the offline harness, then estimates and provenance.

`summary` has case_count, k where there is one, and METRIC with METRIC_evaluated_cases; where several runs are
measured, these of each run under `runs`. `cases` has one
object a case: id, metrics, diagnostics. `estimates` has every slice with its interval and counts; `ragmeter`
says version, profile, conventions, seed and inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import json, to_builtins

from ragmeter.reports import Report
from ragmeter.result import Result, Row


def render(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    """One JSON document; a case a line, so that it streams and diffs well."""
    summary: dict[str, object] = {"case_count": result.case_count}
    if result.k is not None:
        summary["k"] = result.k
    for estimate in result.estimates:
        if not estimate.slice:
            summary[estimate.metric] = estimate.value
            summary[f"{estimate.metric}_evaluated_cases"] = estimate.n_scored
    if runs := _runs(result):
        summary["runs"] = runs
    yield f'{{\n  "summary": {_text(summary)},\n  "diagnostics": {_text(result.diagnostics)},\n  "cases": ['
    yield from _cases(rows)
    yield '\n  ],\n  "estimates": ['
    between = "\n    "
    for estimate in result.estimates:
        yield between + _text(estimate)
        between = ",\n    "
    yield "\n  ],\n"
    if result.verdict is not None:
        yield f'  "verdict": {_text({"passed": result.verdict.passed, **to_builtins(result.verdict)})},\n'
    yield f'  "ragmeter": {_text(result.provenance)}\n}}\n'


def _runs(result: Result) -> dict[str, dict[str, object]]:
    """The same of each of several runs, by its name."""
    runs: dict[str, dict[str, object]] = {}
    for estimate in result.estimates:
        tag, _, name = estimate.slice.partition("=")
        if tag == "run" and ", " not in name:
            said = runs.setdefault(name, {})
            said[estimate.metric] = estimate.value
            said[f"{estimate.metric}_evaluated_cases"] = estimate.n_scored
    return runs


def _cases(rows: Iterable[Row]) -> Iterator[str]:
    """Rows, a line each; those that stand in a spool are JSON already and pass as they are."""
    between = "\n    "
    spool = getattr(rows, "spool", None)
    pieces = map(_row, rows) if spool is None else (piece[:-1].decode() for piece in spool.chunks())
    for piece in pieces:
        if piece:
            yield between + piece.replace("\n", ",\n    ")
            between = ",\n    "


def _row(row: Row) -> str:
    """One row as a spool holds it: what was not recorded is left out."""
    said = {"id": row.id, "metrics": row.metrics, "diagnostics": row.diagnostics}
    beside = {"nulls": row.nulls, "tags": row.tags, "extra": row.extra, "cluster": row.cluster}
    return _text({**said, **{name: value for name, value in beside.items() if value}})


def _text(value: object) -> str:
    return json.encode(value).decode()


REPORT = Report(render, ".json", "summary, diagnostics, cases, estimates: for programs")
