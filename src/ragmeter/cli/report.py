"""`ragmeter report`: print a finished run in another form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ragmeter.cli.options import reporting


@click.command("report", short_help="print a finished run in another form")
@click.argument("run")
@reporting
@click.option(
    "--state",
    type=click.Path(path_type=Path),
    default=Path(".ragmeter"),
    show_default=True,
    help="Where runs are kept.",
)
def command(run: str, reports: tuple[tuple[str, str], ...], state: Path) -> Any:
    """Print a finished run: RUN is its folder, part of its name, or 'latest'.

    \b
    Example:
      ragmeter report latest --format markdown --format csv=estimates.csv
    """
    from ragmeter.cli.details import of_run
    from ragmeter.cli.finish import default_report, show
    from ragmeter.store import find_run

    found = find_run(state, run)
    result = found.result()
    for name, file in reports or ((default_report(result), ""),):
        show(name, result, of_run(found, result), file)
    return 0
