"""`ragmeter gate`: hold a finished run against thresholds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ragmeter.cli.options import gating, minima, reporting
from ragmeter.errors import UsageError


@click.command("gate", short_help="hold a finished run against thresholds")
@click.argument("run")
@gating
@reporting
@click.option("--max-errors", type=click.IntRange(0), default=0, show_default=True, help="Failed cases that are borne.")
@click.option(
    "--state",
    type=click.Path(path_type=Path),
    default=Path(".ragmeter"),
    show_default=True,
    help="Where runs are kept.",
)
def command(run: str, reports: Any, state: Path, max_errors: int, **options: Any) -> int:
    """Hold a finished run against thresholds: exit code 0 when all hold, 1 when one does not.

    \b
    Example:
      ragmeter gate latest --min similarity_to_expected=0.3
      ragmeter gate latest --gate "errors <= 0.02"
    """
    from ragmeter.cli.finish import finish
    from ragmeter.store import find_run
    from ragmeter.suite import Suite

    minimum = {**minima(options), **options.pop("minimum")}
    suite = Suite(minimum=minimum, max_errors=max_errors, **options)
    if not (suite.minimum or suite.maximum or suite.gates):
        raise UsageError("gate needs a rule: --min METRIC=VALUE, --max METRIC=VALUE or --gate RULE")
    found = find_run(state, run)
    return finish(suite, found.result(), found.rows(), reports, state)
