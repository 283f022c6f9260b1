"""`ragmeter runs`: list finished and interrupted runs."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command("runs", short_help="list finished and interrupted runs")
@click.option(
    "--state",
    type=click.Path(path_type=Path),
    default=Path(".ragmeter"),
    show_default=True,
    help="Where runs are kept.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(state: Path, form: str) -> int:
    """List the runs kept here, oldest first, with their state.

    \b
    Example:
      ragmeter runs
    """
    import msgspec

    from ragmeter.errors import InputError
    from ragmeter.reports import visible
    from ragmeter.store import all_runs

    listed = []
    for run in all_runs(state):
        try:
            held = run.manifest
        except InputError as why:
            print(str(why), file=sys.stderr)
            continue
        state_ = "finished" if held.get("state") == "finished" else "interrupted or running"
        answered = len(run.answered())
        listed.append({"run": run.folder.name, "state": state_, "cases": held.get("case_count"), "answered": answered})
    if form == "json":
        click.echo(msgspec.json.encode(listed))
        return 0
    for one in listed:
        click.echo(visible(f"{one['run']}  {one['state']}  {one['answered']} of {one['cases']} answered"))
    if not listed:
        click.echo(f"no runs in {state / 'runs'}", err=True)
    return 0
