"""`ragmeter init`: write a first file to start from. A kind is a file in templates/."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ragmeter.cli.options import emit
from ragmeter.errors import UsageError, choices

TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
ALSO = {"s2": "fixtures"}  # formats whose template has another name


@click.command("init", short_help="write a first file to start from")
@click.argument("kind", required=False)
@click.option("--output", metavar="FILE", help="Where to write it; - is stdout. The default is its own name.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def command(kind: str | None, output: str | None, force: bool) -> int:
    """Write a small file of a KIND that works as it is, to be filled with your own.

    Without a KIND, list the kinds there are.

    \b
    Examples:
      ragmeter init
      ragmeter init cases --output my_cases.jsonl
      ragmeter init ragmeter.toml --output -
    """
    found = templates()
    if kind is None:
        emit(f"{name}  ({path.name})\n" for name, path in found.items())
        return 0
    template = found.get(ALSO.get(kind, kind)) or next((path for path in found.values() if path.name == kind), None)
    if template is None:
        raise UsageError(f"nothing to start a '{kind}' from{choices(kind, found)}")
    target = Path(output if output is not None else template.name)
    if output != "-" and target.exists() and not force:
        raise UsageError(f"{target} is there already; name another --output, or --force to replace it")
    emit([template.read_text(encoding="utf-8")], "" if output == "-" else str(target))
    if output != "-":
        print(f"wrote {target}", file=sys.stderr)
    return 0


def templates() -> dict[str, Path]:
    """What there is to start from: the kind (a file's name without its end) and the file."""
    files = [path for path in sorted(TEMPLATES.iterdir()) if path.is_file() and path.name[0] not in "._"]
    return {path.stem: path for path in files}
