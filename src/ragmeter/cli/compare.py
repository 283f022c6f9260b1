"""`ragmeter compare`: how two or more runs on the same cases differ."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ragmeter.cli.options import emit, listed
from ragmeter.errors import UsageError, choices

FORMS = ("terminal", "markdown", "json", "csv")


@click.command("compare", short_help="say how two or more runs differ, and how surely")
@click.argument("runs", nargs=-1, metavar="BASE NEW [MORE...]")
@click.option(
    "-m", "--metrics", multiple=True, callback=listed, metavar="METRIC", help="Only these, as they are shown."
)
@click.option(
    "--tolerance",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    help="A difference that nobody would notice.",
)
@click.option(
    "--allow",
    "allowed",
    multiple=True,
    type=click.Choice(["different-data", "different-profile", "different-metrics"]),
    help="Compare although these differ; the report says so.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of every draw.")
@click.option("--format", "forms", multiple=True, metavar="NAME[=FILE]", help=f"One of {', '.join(FORMS)}; repeatable.")
@click.option("--state", type=click.Path(path_type=Path), default=Path(".ragmeter"), show_default=True, help="Where runs are kept.")  # fmt: skip
def command(
    runs: tuple[str, ...], forms: tuple[str, ...], state: Path, allowed: tuple[str, ...], **options: Any
) -> int:
    """Compare runs case by case: runs by name, run folders, JSON reports, or scores.jsonl files.

    Each difference has an interval, a paired p value, wins, ties and losses; then come the worst regressions,
    nulls and classes that changed, and cases in one run only. NEW is held against BASE; with more runs a table of
    all of them says which cannot be told apart.

    \b
    Example:
      ragmeter compare base-scores.jsonl new-scores.jsonl --tolerance 0.01 --format markdown
    """
    from ragmeter.compare import compare, league, open_source
    from ragmeter.compared import FORMS as drawn

    if len(runs) < 2:
        raise UsageError("compare needs two runs or more: ragmeter compare BASE NEW")
    wanted = [(name, file) for name, _, file in (form.partition("=") for form in forms)]
    for name, _ in wanted:
        if name not in FORMS:
            raise UsageError(f"'{name}' is no form of a comparison{choices(name, FORMS)}")
    if sum(not file for _, file in wanted) > 1:
        raise UsageError("only one --format goes to stdout; write the others as NAME=FILE")
    if (clash := next((run for place, run in enumerate(runs) if run in runs[:place]), None)) is not None:
        raise UsageError(f"{clash}: given twice; a run does not differ from itself")
    sources = [open_source(run, state) for run in runs]
    found = compare(sources[0], sources[1], allowed=allowed, **options)
    options.pop("tolerance")
    tables = league(sources, allowed=allowed, **options) if len(sources) > 2 else []
    for note in found.notes:
        print(f"warning: {note}", file=sys.stderr)
    if all(file for _, file in wanted):
        shown = "terminal" if sys.stdout is not None and sys.stdout.isatty() else "markdown"
        wanted = [(shown, ""), *wanted]
    for name, file in wanted:
        emit(drawn[name](found, tables), file)
    return 0
