"""`ragmeter run`: ask a live system, judge, measure."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from ragmeter.cli.options import gating, measuring, reporting, settle, spare
from ragmeter.errors import Problems, UsageError


@click.command("run", short_help="ask a live system, judge, measure")
@click.argument("cases", nargs=-1)
@click.option("--target", metavar="SPEC", help="The system: command:PROGRAM, function:MODULE:CALLABLE.")
@click.option("--judge", "judges", multiple=True, metavar="SPEC", help="Who judges, such as similarity:lexical.")
@click.option("--judgments", multiple=True, metavar="FILE", help="Where judgments are kept and replayed from.")
@click.option("--name", default="", help="A name for the run folder.")
@click.option(
    "--state",
    type=click.Path(path_type=Path),
    default=Path(".ragmeter"),
    show_default=True,
    help="Where runs are kept.",
)
@click.option("--fresh", is_flag=True, help="Ask everything again instead of going on where this run left off.")
@click.option("--concurrency", type=click.IntRange(1), default=8, show_default=True, help="Calls under way at once.")
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True, help="Seconds for one try."
)
@click.option("--retries", type=click.IntRange(0), default=4, show_default=True, help="Further tries of a failed call.")
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="Calls a minute, at most.")
@click.option("--config", metavar="FILE", help="Settings from this ragmeter.toml.")
@click.option("--allow-code", is_flag=True, help="Run a target that a file names.")
@measuring
@gating
@reporting
@click.option("--offline", is_flag=True, help="Ask no judge; missing judgments end in exit code 3.")
@click.option("--max-errors", type=click.IntRange(0), default=0, show_default=True, help="Failed cases that are borne.")
@click.pass_context
def command(ctx: click.Context, **options: Any) -> int:
    """Ask a system every case, keep its outputs, judge and measure them.

    An interrupted run goes on with the same command: what was answered is not asked again.

    A command gets the question on its standard input and answers on its standard output, with text or with an
    Output as JSON; `command:--json PROGRAM` gets the whole case as JSON.

    \b
    Examples:
      ragmeter run cases.jsonl --target command:"python ask.py" -m similarity_to_expected --judge similarity
      ragmeter run cases.jsonl --target function:my_rag:answer --name nightly
    """
    from ragmeter.cli.finish import finish
    from ragmeter.run import begin, conclude, obtain_missing

    reports, state, fresh = options.pop("reports"), options.pop("state"), options.pop("fresh")
    named = options.pop("allow_code")
    suite = settle(ctx, options)
    if not suite.cases:
        raise UsageError("run needs a file of cases")
    if suite.target is None:
        raise UsageError("run needs a target: --target command:PROGRAM or function:MODULE:CALLABLE")
    if ctx.get_parameter_source("target") is not click.core.ParameterSource.COMMANDLINE and not named:
        raise UsageError(f"the target '{suite.target}' is named in a file: give --allow-code to run it")
    spare([*suite.cases, *suite.qrels, *suite.judgments], reports)
    problems = Problems()
    run, cases, system = begin(suite, problems, root=state, fresh=fresh)
    with run.held():
        asked = progress(obtain_missing(suite, run, cases, system), len(cases))
        failed = [output for output in asked if output.error]
        result, rows = conclude(suite, run, problems)
    for output in failed[:10]:
        print(f"failed: {output.case}: {output.error}", file=sys.stderr)
    if len(failed) > 10:
        print(f"... and {len(failed) - 10} more failed", file=sys.stderr)
    print(f"run: {run.folder}", file=sys.stderr)
    for line in problems.warning_lines():
        print(line, file=sys.stderr)
    return finish(suite, result, rows, reports, state)


def progress(items: Iterable[Any], total: int) -> Iterator[Any]:
    """The items, with a count on stderr where that is a terminal."""
    shown = sys.stderr.isatty()
    try:
        for done, item in enumerate(items, 1):
            if shown:
                print(f"\r{done} of {total}", end="", file=sys.stderr, flush=True)
            yield item
    finally:
        close = getattr(items, "close", None)
        if close is not None:
            close()
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
