"""Markdown: a summary table, the slices, one row a case, the diagnostics, the verdict and the conventions.

Profile s2 prints the offline harness's own tables; the others add intervals and the counts behind each mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragmeter.profiles import PROFILES
from ragmeter.reports import Report, cell, fixed
from ragmeter.result import Estimate, Result, Row


def render(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    """The whole report in pieces."""
    if result.provenance.get("profile") == "s2" and {e.slice for e in result.estimates} == {""}:
        yield from _harness(result, rows)
        return
    yield f"# {cell(result.title or 'RAG Evaluation Report')}\n\n"
    yield f"Cases: {result.case_count} | Profile: {result.provenance.get('profile', '')}"
    yield f" | K: {result.k}\n\n" if result.k is not None else "\n\n"
    yield from _verdict(result)
    yield from _estimates(result)
    yield from _cases(result, rows)
    yield from _diagnostics(result)
    yield from _conventions(result)


def _harness(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    titles = PROFILES["s2"].titles
    metrics = [estimate.metric for estimate in result.estimates]
    yield f"# RAG Evaluation Report\n\nCases: {result.case_count} | K: {result.k}\n\n## Summary\n\n"
    yield "| Metric | Macro average | Evaluated cases |\n| --- | ---: | ---: |\n"
    for e in result.estimates:
        yield f"| {titles.get(e.metric, cell(e.metric))} | {fixed(e.value)} | {e.n_scored} |\n"
    short = {"reciprocal_rank": "RR"}
    heads = [short.get(metric, titles.get(metric, cell(metric))) for metric in metrics]
    yield f"\n## Cases\n\n| ID | {' | '.join(heads)} | Diagnostics |\n| --- | {'---: | ' * len(heads)}--- |\n"
    for row in rows:
        values = " | ".join([fixed(row.metrics[metric]) for metric in metrics])
        yield f"| {cell(row.id)} | {values} | {', '.join(row.diagnostics) or 'none'} |\n"
    yield from _diagnostics(result)


def _diagnostics(result: Result) -> Iterator[str]:
    yield "\n## Diagnostics\n\n"
    if not result.diagnostics:
        yield "No diagnostics reported.\n"
    for name, count in result.diagnostics.items():
        yield f"- {cell(name)}: {count}\n"


def _verdict(result: Result) -> Iterator[str]:
    if result.verdict is None or not result.verdict.outcomes:
        return
    yield f"## Verdict: {'PASS' if result.verdict.passed else 'FAIL'}\n\n| Gate | Outcome | Value |\n| --- | --- | ---: |\n"
    for outcome in result.verdict.outcomes:
        yield f"| {cell(outcome.gate)} | {outcome.outcome} | {fixed(outcome.value)} |\n"
    yield "\n"


def _estimates(result: Result) -> Iterator[str]:
    for name in dict.fromkeys(estimate.slice for estimate in result.estimates):
        yield f"## {cell(name)}\n\n" if name else "## Summary\n\n"
        yield "| Metric | Value | 95 % interval | Scored | Null | Error |\n| --- | ---: | --- | ---: | --- | ---: |\n"
        for e in result.estimates:
            if e.slice == name:
                yield f"| {cell(e.metric)} | {fixed(e.value)} | {interval(e)} | {e.n_scored} | {nulls(e)} | {e.n_error} |\n"
        yield "\n"


def interval(e: Estimate) -> str:
    """'0.71 – 0.83 (wilson)', or why there is none."""
    if e.low is None or e.high is None:
        return {"none": "", "too_few": "too few cases"}.get(e.interval, e.interval)
    return f"{fixed(e.low)} – {fixed(e.high)} ({e.interval})"


def nulls(e: Estimate) -> str:
    """'3 no_relevant, 1 no_answer', or 0."""
    return ", ".join(f"{count} {reason}" for reason, count in e.n_null.items()) or "0"


def _cases(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    metrics = list(dict.fromkeys(estimate.metric for estimate in result.estimates))
    yield f"## Cases\n\n| ID | {' | '.join(map(cell, metrics))} | Diagnostics |\n| --- | {'---: | ' * len(metrics)}--- |\n"
    for row in rows:
        values = " | ".join(fixed(row.metrics.get(m), absent=(row.nulls or {}).get(m, "N/A")) for m in metrics)
        yield f"| {cell(row.id)} | {values} | {cell(', '.join(row.diagnostics)) or 'none'} |\n"


def _conventions(result: Result) -> Iterator[str]:
    yield "\n## Conventions\n\n"
    for e in result.estimates:
        if not e.slice:
            yield f"- {cell(e.metric)}: `{e.definition}`\n"
    for name, said in result.provenance.get("conventions", {}).items():
        yield f"- {cell(name)}: {cell(said)}\n"


REPORT = Report(render, ".md", "tables for people and pull requests")
