"""S2 fixtures: one JSON object a line with an id and three lists of document ids.

    {"id": "q1", "relevant_document_ids": ["d1"], "retrieved_document_ids": ["d2"], "cited_document_ids": []}

Faults come in the seed's order: a line that is not JSON anywhere in the file before any other complaint, then
the first line that is not a case. Unknown fields are ignored. Repeated keys: the last one wins, an error when
strict. Invalid UTF-8, lone surrogate escapes, over-deep and over-long lines are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ragmeter.errors import Problem, Problems
from ragmeter.facts import CITED, QRELS, RETRIEVED
from ragmeter.formats import Format, Seen, bad_json, first_object, lines
from ragmeter.reading import DEPTH, too_deep
from ragmeter.records import Case, Id, Output

FIELDS = ("relevant_document_ids", "retrieved_document_ids", "cited_document_ids")


class Fixture(Struct, frozen=True, gc=False):
    """One line."""

    id: Id
    relevant_document_ids: tuple[Id, ...]
    retrieved_document_ids: tuple[Id, ...]
    cited_document_ids: tuple[Id, ...]


decode = msgspec.json.Decoder(Fixture).decode


def recognise(head: bytes) -> bool:
    """The first object has two of the three lists."""
    first = first_object(head)
    return first is not None and sum(field in first for field in FIELDS) >= 2


def read(path: str | Path, problems: Problems) -> Iterator[tuple[Case, Output]]:
    """(Case, Output) of every line; after the first fault only further faults are looked for."""
    for fixture in fixtures(path, problems):
        id = fixture.id
        yield (
            Case(id, "", dict.fromkeys(fixture.relevant_document_ids, 1)),
            Output(id, fixture.retrieved_document_ids, True, fixture.cited_document_ids),
        )


def reduced(path: str | Path, problems: Problems, level: int, depth: int) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """(id, facts.reduce of the pair that `read` yields) of every line, without making the pair: half the time."""
    everything = QRELS | RETRIEVED | CITED
    for fixture in fixtures(path, problems):
        relevant = {*fixture.relevant_document_ids}
        ids = fixture.retrieved_document_ids
        unique = dict.fromkeys(ids)
        found = len(unique)
        top = ids if found == len(ids) <= depth else tuple(unique)[:depth]
        hits: tuple[int, ...] = ()
        if not relevant.isdisjoint(top):
            hits = tuple([rank for rank, passage in enumerate(top, 1) if passage in relevant])
        cited = cited_relevant = cited_retrieved = cited_hits = 0
        for passage in {*fixture.cited_document_ids}:
            cited += 1
            if passage in unique:
                cited_retrieved += 1
                if passage in relevant:
                    cited_relevant += 1
                    cited_hits += 1
            elif passage in relevant:
                cited_relevant += 1
        count = len(relevant)
        if level == 1:
            key = (count, found, len(ids) - found, hits, (1,) * len(hits), ((1, count),) if count else (), 0, cited,
                   cited_relevant, cited_retrieved, cited_hits, 1, everything, True, "")  # fmt: skip
        else:  # all grades are 1, so none reaches a higher level
            key = (0, found, len(ids) - found, hits, (1,) * len(hits), ((1, count),) if count else (), count, cited,
                   0, cited_retrieved, 0, level, everything, True, "")  # fmt: skip
        yield fixture.id, key


def fixtures(path: str | Path, problems: Problems) -> Iterator[Fixture]:
    """Every line as it stands, until the first fault; then only further faults are looked for."""
    seen = Seen(path, problems, lambda line: str(decode(line).id))
    count, strict = 0, problems.strict
    for number, line in lines(path, problems):
        try:
            doubtful = b"\\" in line and b"\\u" in line
            if strict or doubtful or (len(line) > 2 * DEPTH and too_deep(line)):
                raise msgspec.DecodeError
            fixture = decode(line)
            line.isascii() or line.decode()
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            checked = _careful(path, number, line, problems)
            if checked is None:
                continue
            fixture = checked
        count += 1
        seen.add(number, fixture.id)
        if not problems.count:
            yield fixture
    seen.finish()
    if not count and not problems.count:
        problems.add(path, 0, "input contains no evaluation cases")


def headline(problems: Sequence[Problem]) -> str:
    """The seed's own message for a file with these faults."""
    syntax = [problem for problem in problems if problem.kind == "syntax"]
    first = min(syntax or problems, key=lambda problem: problem.line)
    if syntax:
        return f"JSONL line {first.line} is not valid JSON"
    return f"JSONL line {first.line} {first.message}" if first.line else first.message


def _careful(path: str | Path, number: int, line: bytes, problems: Problems) -> Fixture | None:
    """The line once more, slowly: None when it is blank or at fault, with the faults written down."""
    value, why = bad_json(line, repeated_keys=problems.strict)
    if why:
        if why != "blank":
            problems.add(path, number, f"is not valid JSON: {why}", kind="syntax")
        return None
    faults = list(_faults(value))
    for fault in faults:
        problems.add(path, number, fault)
    return None if faults else msgspec.convert(value, Fixture)


def _faults(value: Any) -> Iterator[str]:
    """What is wrong with a parsed line, in the seed's order and words."""
    if not isinstance(value, dict):
        yield "must be a JSON object"
        return
    if not isinstance(value.get("id"), str) or not value["id"]:
        yield "id must be a non-empty string"
    for field in FIELDS:
        ids = value.get(field)
        if not isinstance(ids, list):
            yield f"{field} must be an array"
        elif not all(isinstance(one, str) and one for one in ids):
            yield f"{field} must contain non-empty strings"


def write(records: Any) -> Iterator[bytes]:
    """S2 lines from (Case, Output) pairs; a list that was not recorded is written empty."""
    for case, output in records:
        relevant = [passage for passage, grade in (case.qrels or {}).items() if grade > 0]
        retrieved = [p if isinstance(p, str) else p.id for p in output.retrieved or ()]
        line = {"id": case.id, FIELDS[0]: relevant, FIELDS[1]: retrieved, FIELDS[2]: list(output.cited or ())}
        yield msgspec.json.encode(line) + b"\n"


FORMAT = Format(
    recognise,
    read,
    "pairs",
    "JSONL fixtures of document ids: relevant, retrieved, cited",
    profile="s2",
    suffixes=(".jsonl",),
    headline=headline,
    reduced=reduced,
    write=write,
    schema="s2.schema.json",
)
