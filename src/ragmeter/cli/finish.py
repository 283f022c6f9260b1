"""The end of every measuring command: the verdict, the reports, the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from ragmeter.cli.options import emit
from ragmeter.errors import UsageError
from ragmeter.gate import Gate, gate, gates
from ragmeter.metrics import measure
from ragmeter.profiles import PROFILES
from ragmeter.registry import find
from ragmeter.reports import visible
from ragmeter.result import Outcome, Result, Row, Verdict
from ragmeter.suite import Suite

if TYPE_CHECKING:
    from ragmeter.compare import Source


def finish(suite: Suite, result: Result, rows: Iterable[Row], reports: Sequence[tuple[str, str]], state: Path = Path(".ragmeter")) -> int:  # fmt: skip
    """Hold the gates, write the reports, say on stderr what failed, answer with the exit code."""
    rules = gates(
        {shown(metric, result): value for metric, value in suite.minimum.items()},
        {shown(metric, result): value for metric, value in suite.maximum.items()},
    )
    if suite.gates:
        from ragmeter.rules import parse

        named = [parse(text) for text in suite.gates]
        rules += [
            rule if rule.kind == "share" else structs.replace(rule, metric=shown(rule.metric, result)) for rule in named
        ]
    verdict = gate(
        result,
        rules,
        inconclusive_fails=suite.inconclusive == "fail",
        rows=rows,
        baseline=_baseline(suite, rules, state),
        seed=suite.seed,
    )
    if rules:
        result = structs.replace(result, verdict=verdict)
    if all(file for _, file in reports):
        reports = [(default_report(result), ""), *reports]
    for name, file in reports:
        show(name, result, rows, file)
    for estimate in result.estimates:
        own = result.provenance.get("profile") == "s2" and estimate.metric in PROFILES["s2"].titles
        if not (estimate.slice or estimate.n_scored or estimate.n_error or own):
            why = ", ".join(f"{count} {reason}" for reason, count in estimate.n_null.items())
            print(f"warning: {estimate.metric}: nothing was scored ({why})", file=sys.stderr)
    for outcome in verdict.outcomes:
        if outcome.message:
            print(said(outcome), file=sys.stderr)
    if suite.gates or result.provenance.get("profile") != "s2":  # the offline harness says nothing more
        annotate(verdict)
    cases_failed = max((e.n_error for e in result.estimates if not e.slice), default=0)
    if cases_failed > suite.max_errors:
        print(f"measured incompletely: {cases_failed} of {result.case_count} cases failed", file=sys.stderr)
        return 3
    return verdict.exit_code


def _baseline(suite: Suite, rules: Sequence[Gate], state: Path) -> Source | None:
    """What regressions are held against; opened only where a gate asks for it."""
    if suite.baseline is None:
        return None
    if not any(rule.kind == "regression" for rule in rules):
        raise UsageError(
            '--baseline is for gates such as --gate "no regression of recall@5 beyond 0.01"; there is none'
        )
    from ragmeter.compare import open_source

    base = open_source(suite.baseline, state)
    if base.result is None:
        print(f"warning: {base.name}: only scores, so data and profile are unchecked", file=sys.stderr)
    return base


def said(outcome: Outcome) -> str:
    """Why a gate does not pass, and how many cases would settle it."""
    needed = f" (about {outcome.needed} cases would be needed)" if outcome.needed is not None else ""
    return outcome.message + needed


def annotate(verdict: Verdict) -> None:
    """A line per gate that does not pass which GitHub Actions shows beside the step; nothing elsewhere."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return
    for outcome in verdict.outcomes:
        if outcome.outcome == "PASS":
            continue
        level = "warning" if outcome.outcome == "INCONCLUSIVE" and not verdict.inconclusive_fails else "error"
        text = visible(said(outcome) or outcome.gate).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        print(f"::{level} title=ragmeter {outcome.outcome}::{text}", file=sys.stderr)


def shown(key: str, result: Result) -> str:
    """The name under which a gate's metric was measured: a gate may say whatever -m may, 'map' or 'P@5' too."""
    name, bracket, slice = key.partition("[")
    profile = PROFILES.get(result.provenance.get("profile", ""))
    known = {estimate.metric for estimate in result.estimates}
    if profile is None or name in known:
        return key
    if name in profile.labels:
        return profile.labels[name] + bracket + slice
    try:
        definition = measure(name, profile, result.k).definition
    except UsageError:
        return key
    same = (estimate.metric for estimate in result.estimates if estimate.definition == definition)
    return next(same, name) + bracket + slice


def show(name: str, result: Result, rows: Iterable[Row], file: str = "") -> None:
    """One report to a file or to stdout; on a terminal in its own width and colours where the report has them."""
    report = find("report", name)
    if file or not sys.stdout or not sys.stdout.isatty():
        emit(report.render(result, rows), file)
        return
    if report.screen is None:
        emit(visible(piece) for piece in report.render(result, rows))
        return
    from shutil import get_terminal_size

    colour = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    emit(report.screen(result, rows, width=get_terminal_size().columns, colour=colour))


def default_report(result: Result) -> str:
    """Markdown, or the terminal's own report on a terminal (the offline harness always answers in Markdown)."""
    return (
        "terminal"
        if sys.stdout is not None and sys.stdout.isatty() and result.provenance.get("profile") != "s2"
        else "markdown"
    )
