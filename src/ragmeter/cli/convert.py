"""`ragmeter convert`: files of other tools and benchmarks as cases, outputs and judgments."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from ragmeter.cli.options import emit
from ragmeter.errors import Problems, UsageError


@click.command("convert", short_help="files of other tools as cases, outputs and judgments")
@click.argument("path", metavar="FILE", required=False)
@click.option("--as", "named", metavar="KIND", help="what FILE is, where that cannot be seen")
@click.option("--output", metavar="FOLDER", default=".", show_default=True, help="where the files go")
@click.option("--force", is_flag=True, help="replace files that are there already")
@click.option("--strict", is_flag=True, help="what is only warned about is a fault")
def command(path: str | None, named: str | None, output: str, force: bool, strict: bool) -> int:
    """Make cases, outputs and judgments of a FILE that another tool or a benchmark wrote.

    Without FILE, list the kinds that are known. NAME.csv becomes NAME.cases.jsonl, NAME.outputs.jsonl and
    NAME.judgments.jsonl, as far as it holds such. Scores of other tools are not taken over.

    \b
    Example:
      ragmeter convert ragas.csv --output build
    """
    from ragmeter.convert import convert, importers, recognise
    from ragmeter.store import write_atomically

    if path is None:
        width = max(map(len, importers()))
        emit(f"{name:<{width}}  {one.about}{' (refused)' if one.refuse else ''}\n" for name, one in importers().items())
        return 0
    problems = Problems(strict=strict)
    kind = named or recognise(path)
    if not kind:
        raise UsageError(f"{path}: {_read_as_it_is(path)}name a kind with --as ({', '.join(importers())})")
    made = convert(path, kind, problems)
    click.echo("\n".join(problems.warning_lines()), err=True, nl=bool(problems.warnings))
    problems.check()
    written = _files(Path(output), Path(path), made)
    for target in written:
        if target.exists() and not force:
            raise UsageError(f"{target} is there already; name another --output, or --force to replace it")
    Path(output).mkdir(parents=True, exist_ok=True)
    for target, records in written.items():
        write_atomically(target, (line + b"\n" for line in _lines(records)))
    emit([f"{path}: {kind}\n", *(f"{target}: {len(records)}\n" for target, records in written.items())])
    return 0


def _read_as_it_is(path: str) -> str:
    """Which of our own formats reads the file, if one does."""
    from ragmeter.errors import RagmeterError
    from ragmeter.formats import head, recognise

    try:
        name, format = recognise(path)
    except RagmeterError:
        return "no kind of file that is known; "
    if not format.recognise(head(path)):
        return "no kind of file that is known; "
    return f"needs no conversion, it is read as it is ({name}); for something else "


def _files(folder: Path, path: Path, made: Any) -> dict[Path, list[Any]]:
    stem = path.name.removesuffix(".gz")
    stem = stem.rpartition(".")[0] or stem
    kinds = ("cases", "outputs", "judgments")
    return {folder / f"{stem}.{kind}.jsonl": getattr(made, kind) for kind in kinds if getattr(made, kind)}


def _lines(records: Iterable[Any]) -> Iterable[bytes]:
    from ragmeter.records import record_json

    return map(record_json, records)
