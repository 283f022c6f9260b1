"""What a format is, and how the format of a file is found.

A format is one file here. It reads bytes, splits on LF alone, appends every fault to `problems` with its
place and reads on. It never guesses a missing field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ragmeter.errors import InputError, Problem, UsageError
from ragmeter.reading import Seen, bad_json, first_object, head, lines, open_bytes
from ragmeter.registry import find, names, own_names, plugin_names

__all__ = ["Format", "Seen", "bad_json", "first_object", "head", "lines", "open_bytes", "recognise"]


class Format(Struct, frozen=True):
    """How one kind of file is recognised and read.

    `recognise(head)` looks at the first 64 KiB (unpacked, without BOM). `read(path, problems)` yields Cases,
    Outputs, Judgments, or (Case, Output) pairs where one line holds both. `holds` says which: 'pairs',
    'cases', 'outputs', 'judgments', 'qrels', 'run'. `batches(run, qrels, problems, profile, ...)` answers
    with FactsBatch shards for bulk files. `reduced(path, problems, level, depth)` yields (id, tuple of
    integers) for bulk lines, equal to `facts.reduce` of what `read` yields. `write(records)` yields lines. `schema` is the shipped JSON Schema.
    `beside(path, problems, cases)` reads pairs whose cases stand in another file, matched by place.
    """

    recognise: Callable[[bytes], bool]
    read: Callable[..., Iterator[Any]]
    holds: str
    about: str
    profile: str = "standard"
    suffixes: tuple[str, ...] = ()
    batches: Callable[..., Any] | None = None
    write: Callable[..., Iterator[bytes]] | None = None
    schema: str = ""
    headline: Callable[[Sequence[Problem]], str] | None = None
    reduced: Callable[..., Iterator[tuple[str, tuple[Any, ...]]]] | None = None
    beside: Callable[..., Iterator[tuple[Any, Any]]] | None = None


def recognise(path: str | Path, named: str | None = None) -> tuple[str, Format]:
    """The format of a file: the one `named`, else the one that recognises its head.

    Two formats claiming one file, or none, is a UsageError that names --from; a `.jsonl` that nothing
    recognises is read as S2, whose errors then speak.
    """
    if named is not None:
        return named, find("format", named)
    start = head(path)
    claims = _claims(own_names("format"), start) or _claims(plugin_names("format"), start)
    if len(claims) == 1:
        return claims[0]
    if claims:
        claimed = ", ".join(name for name, _ in claims)
        raise UsageError(f"{path}: {claimed} all recognise this file; name one with --from")
    if str(path).endswith((".jsonl", ".jsonl.gz", ".ndjson")):
        return "s2", find("format", "s2")
    raise InputError("", [Problem(str(path), 0, f"no format recognises this file; {_advice(path)}")])


def _advice(path: str | Path) -> str:
    """What to do with a file that no format recognises."""
    from ragmeter.convert import recognise as known_elsewhere

    kind = known_elsewhere(path)
    if kind:
        return f"`ragmeter convert` knows it as {kind}"
    return f"name one with --from ({', '.join(names('format'))})"


def _claims(known: Iterable[str], start: bytes) -> list[tuple[str, Format]]:
    return [(name, format) for name in known if (format := find("format", name)).recognise(start)]
