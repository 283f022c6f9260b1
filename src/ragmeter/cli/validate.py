"""`ragmeter validate`: check files without measuring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click
from msgspec import Struct, field, to_builtins

from ragmeter.cli.options import emit
from ragmeter.convert import recognise as known_elsewhere
from ragmeter.errors import Problem, Problems, RagmeterError, UsageError
from ragmeter.formats import Format, recognise
from ragmeter.reading import head, lines
from ragmeter.records import Case, Judgment, Output

NOUNS = {
    "cases": "case",
    "outputs": "output",
    "judgments": "judgment",
    "settings": "setting",
    "pairs": "case with its output",
}


class Checks(Problems):
    """Problems under which repeated keys are faults and other oddities stay warnings, unless strict."""

    def __init__(self, *, strict: bool):
        super().__init__(strict=True)
        self.warnings_are_faults = strict

    def warn(self, path: object, line: int, message: str, *, group: str, column: int = 0) -> None:
        """As Problems.warn, but for what `strict` means."""
        self.strict = self.warnings_are_faults
        super().warn(path, line, message, group=group, column=column)
        self.strict = True


class File(Struct):
    """One file and what is in it: how many records of each kind, and the ids of the cases they are about."""

    path: str
    format: str = ""
    note: str = ""
    records: dict[str, int] = field(default_factory=dict)
    problems: int = 0
    asked: set[str] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)
    judged: set[str] = field(default_factory=set)


@click.command("validate", short_help="check files without measuring")
@click.argument("files", nargs=-1)
@click.option("--from", "from_", metavar="FORMAT", help="Format of the files, instead of recognising each.")
@click.option("--strict", is_flag=True, help="Warnings are errors too.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(files: tuple[str, ...], from_: str | None, strict: bool, form: str) -> int:
    """Read FILES to their end and list every problem with its line, without measuring anything.

    Repeated keys are errors here in every format. Where cases and outputs are both given, they are held
    against each other. The exit code is 0 when there is no problem, else 2.

    \b
    Examples:
      ragmeter validate fixture.jsonl
      ragmeter validate cases.jsonl outputs.jsonl judgments.jsonl --strict
    """
    if not files:
        raise UsageError("validate needs at least one file")
    problems = Checks(strict=strict)
    checked = [check(path, from_, problems, alone=len(files) == 1) for path in files]
    if not problems.count:  # else every record that could not be read would be missed by the others
        cross_check(checked, problems)
    emit(as_json(checked, problems) if form == "json" else as_text(checked, problems))
    return 2 if problems.count else 0


def check(path: str, named: str | None, problems: Checks, *, alone: bool = False) -> File:
    """Read one file to its end. What keeps it from being read at all is a problem of it."""
    file, before = File(path), problems.count
    try:
        if path.endswith(".toml") and named is None:
            file.format = "ragmeter.toml"
            file.records["settings"] = settings(path)
            return file
        file.format, format = recognise(path, named)
        if named is None and not format.recognise(head(path)):
            kind = known_elsewhere(path)
            file.note = f"no format recognises it, so it is read as {file.format}"
            file.note += f"; `ragmeter convert` knows it as {kind}" if kind else ""
        take(file, format, problems, keep_ids=not alone)
    except RagmeterError as why:
        for message in str(why).split("\n"):
            problems.add(path, 0, message.removeprefix(f"{path}: "))
    file.problems = problems.count - before
    return file


def settings(path: str) -> int:
    """How many settings a ragmeter.toml makes. UsageError for one that does not fit, or that another lacks."""
    from ragmeter.suite import read_suite

    return len(to_builtins(read_suite(path)))


def take(file: File, format: Format, problems: Checks, *, keep_ids: bool) -> None:
    """Count the records of a file, and keep the ids that other files are held against."""
    kinds = {Case: "cases", Output: "outputs", Judgment: "judgments", tuple: "pairs"}
    ids = {"cases": file.asked, "pairs": file.asked, "outputs": file.answered, "judgments": file.judged}
    for record in format.read(file.path, problems):
        kind = kinds.get(type(record), format.holds)
        file.records[kind] = file.records.get(kind, 0) + 1
        if keep_ids and kind in ids:
            about = record[0] if kind == "pairs" else record
            ids[kind].add(about.id if isinstance(about, Case) else about.case)


def cross_check(files: Sequence[File], problems: Checks) -> None:
    """Hold the ids of all files against each other."""
    for kind, ids_of in (("case", lambda file: file.asked), ("output for case", lambda file: file.answered)):
        met: dict[str, str] = {}
        for file in files:
            again = [id for id in ids_of(file) if id in met]
            for id, line in placed(file, again):
                problems.warn(file.path, line, f"{kind} '{id}' is in {met[id]} too", group=f"{kind} again")
            met.update(dict.fromkeys(ids_of(file), file.path))
    asked = set[str]().union(*[file.asked for file in files])
    answered = set[str]().union(*[file.answered for file in files])
    for file in files if asked else ():
        for id, line in placed(file, file.answered - asked):
            problems.warn(file.path, line, f"output for '{id}', which is no case", group="output, no case")
        for id, line in placed(file, file.judged - asked):
            problems.warn(file.path, line, f"judgment of '{id}', which is no case", group="judgment, no case")
        missed = file.asked - answered if answered and "pairs" not in file.records else ()
        for id, line in placed(file, missed):
            problems.warn(file.path, line, f"case '{id}' has no output", group="case, no output")


class _Line(Struct):
    id: str = ""
    case: str = ""


def placed(file: File, ids: Iterable[str]) -> list[tuple[str, int]]:
    """(id, line) in the order of the file; line 0 where the file is not one of JSON lines."""
    from msgspec import DecodeError, json

    wanted = dict.fromkeys(ids, 0)
    if not wanted:
        return []
    decode = json.Decoder(_Line).decode
    for number, line in lines(file.path, Problems()):
        try:
            found = decode(line)
        except (DecodeError, RecursionError):
            continue
        for id in (found.id, found.case):
            if wanted.get(id) == 0:
                wanted[id] = number
    return sorted(wanted.items(), key=lambda pair: (pair[1], pair[0]))


def as_text(files: Sequence[File], problems: Checks) -> Iterator[str]:
    """A line a file, a line a problem, and how many there are."""
    from ragmeter.reports import visible

    for line in said(files, problems):
        yield visible(line.replace("\n", "\\n")) + "\n"


def said(files: Sequence[File], problems: Checks) -> Iterator[str]:
    for file in files:
        found = plural("problem", file.problems) if file.problems else counted(file)
        yield f"{file.path}: {file.format or 'not read'}, {found}"
        if file.note:
            yield f"{file.path}: {file.note}"
    yield from map(str, problems.faults)
    if problems.count > len(problems.faults):
        yield f"... and {problems.count - len(problems.faults)} more problems"
    yield from problems.warning_lines()
    yield plural("problem", problems.count)


def counted(file: File) -> str:
    """'3 cases', '12 cases with their outputs'."""
    nouns = {kind: NOUNS.get(kind, f"record of {kind}") for kind in file.records}
    return ", ".join(plural(nouns[kind], count) for kind, count in file.records.items()) or "nothing in it"


def plural(noun: str, count: int) -> str:
    """'1 problem', '2 problems', '2 cases with their outputs'."""
    first, space, rest = noun.partition(" ")
    many = f"{first}s{space}{rest.replace('its output', 'their outputs')}"
    return f"{count} {noun if count == 1 else many}"


def as_json(files: Sequence[File], problems: Checks) -> Iterator[str]:
    """{files, problems, warnings, valid}."""
    from msgspec import json

    document: dict[str, Any] = {
        "valid": not problems.count,
        "problem_count": problems.count,
        "files": [
            {
                "path": file.path,
                "format": file.format or None,
                "records": None if file.problems else file.records,
                "problems": file.problems,
                **({"note": file.note} if file.note else {}),
            }
            for file in files
        ],
        "problems": [entry(problem) for problem in problems.faults],
        "warnings": [
            {"group": group, "count": problems.warning_counts[group], "first": [entry(one) for one in kept]}
            for group, kept in problems.warnings.items()
        ],
    }
    yield json.format(json.encode(document), indent=2).decode() + "\n"


def entry(problem: Problem) -> dict[str, Any]:
    """A problem as an object; line and column only where known."""
    said = {"path": problem.path, "line": problem.line, "column": problem.column, "message": problem.message}
    return {key: value for key, value in said.items() if value}
