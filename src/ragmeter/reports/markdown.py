"""Markdown: a summary table, the slices, one row a case, the diagnostics, the verdict and the conventions.

Profile s2 prints the offline harness's own tables; the others add intervals and the counts behind each mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragmeter.profiles import PROFILES
from ragmeter.reports import (
    Report,
    apart,
    by_slice,
    cell,
    code,
    conventions,
    failures,
    fixed,
    headline,
    one_line,
    ordered,
)
from ragmeter.reports._tables import cases, estimates, head, line, side_by_side
from ragmeter.result import Result, Row


def render(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    """The whole report in pieces."""
    if result.provenance.get("profile") == "s2" and {e.slice for e in result.estimates} == {""}:
        yield from _harness(result, rows)
        return
    yield f"# {cell(result.title or 'RAG Evaluation Report')}\n\n"
    yield f"Cases: {result.case_count} | Profile: {code(result.provenance.get('profile', ''))}"
    yield f" | K: {result.k}\n\n" if result.k is not None else "\n\n"
    if failed := failures(result):
        yield f"Measured incompletely: {failed} of {result.case_count} cases failed.\n\n"
    yield from _verdict(result)
    yield from _estimates(result)
    if next(iter(rows), None) is not None:
        yield "## Cases\n\n"
        yield from cases(rows, list(dict.fromkeys(e.metric for e in result.estimates)))
    yield from _diagnostics(result)
    yield from _conventions(result)


def _harness(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    titles = PROFILES["s2"].titles
    metrics = [estimate.metric for estimate in result.estimates]
    cutoff = f" | K: {result.k}" if result.k is not None else ""
    yield f"# RAG Evaluation Report\n\nCases: {result.case_count}{cutoff}\n\n## Summary\n\n"
    yield "| Metric | Macro average | Evaluated cases |\n| --- | ---: | ---: |\n"
    for e in result.estimates:
        yield f"| {titles.get(e.metric, cell(e.metric))} | {fixed(e.value)} | {e.n_scored} |\n"
    short = {"reciprocal_rank": "RR"}
    heads = [short.get(metric, titles.get(metric, cell(metric))) for metric in metrics]
    yield f"\n## Cases\n\n| ID | {' | '.join(heads)} | Diagnostics |\n| --- | {'---: | ' * len(heads)}--- |\n"
    for row in rows:
        values = " | ".join([fixed(row.metrics[metric]) for metric in metrics])
        yield f"| {one_line(row.id)} | {values} | {', '.join(row.diagnostics) or 'none'} |\n"
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
    yield f"## Verdict\n\n**{headline(result)}**\n\n"
    yield head(["Outcome", "Gate", "Value", "Why"], right=(2,))
    for o in ordered(result.verdict.outcomes):
        needed = f" (about {o.needed} cases would be needed)" if o.needed is not None else ""
        yield line([cell(o.outcome), cell(o.gate), apart(o.value, o.threshold), cell(o.message + needed)])
    yield "\n"


def _estimates(result: Result) -> Iterator[str]:
    slices = by_slice(result)
    if slices and "" not in slices:
        yield "## Summary\n\n"
        yield from side_by_side(result.estimates)
        return
    for name, group in slices.items():
        yield f"## {cell(name)}\n\n" if name else "## Summary\n\n"
        yield from estimates(group)


def _conventions(result: Result) -> Iterator[str]:
    yield "\n## Conventions\n\n"
    for name, choice in conventions(result):
        yield f"- {cell(name)}: {cell(choice)}\n"


REPORT = Report(render, ".md", "tables for people and pull requests")
