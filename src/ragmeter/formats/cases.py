"""cases: one case a line, with its question, its relevance judgments, its expected answers.

    {"id": "q1", "question": "How long is the warranty?", "qrels": {"terms-4": 1}}

The fields are those of `Case`; schemas/cases.schema.json explains each. Turns of `history` and `past` may be
written {"user": ..., "assistant": ...} or [user, assistant]. Unknown fields, repeated keys, repeated ids and
blank ids are faults; other things go under `extra`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ragmeter.errors import Problems
from ragmeter.formats import Format, first_object
from ragmeter.formats._records import Kind, Parts, mostly, no_blank
from ragmeter.formats._records import read as read_records
from ragmeter.formats._records import write as write_records
from ragmeter.records import Case, Point, Turn

GRADES = 1 << 31
TURNS = ("history", "past")
# Fields by which a first line is known, and those of formats that have an id and a question too.
OURS = frozenset(Case.__struct_fields__) - {"id", "category", "tags", "params", "extra", "cluster", "primary"}
OTHERS = frozenset(
    {"sample_type", "gold_ma_thu_tuc", "follow_up", "case", "metrics"}
    | {"relevant_document_ids", "retrieved_document_ids", "cited_document_ids"}
)


def recognise(head: bytes) -> bool:
    """The first object has an id, and a question or something else that only cases have; half of it is ours."""
    first = first_object(head)
    if first is None or "id" not in first or OURS.isdisjoint(first) or not OTHERS.isdisjoint(first):
        return False
    return mostly(first, Case)


def read(path: str | Path, problems: Problems) -> Iterator[Case]:
    """Cases in file order; every fault becomes a problem with its line and its place in it."""
    return read_records(KIND, path, problems)


def write(records: Iterable[Case]) -> Iterator[bytes]:
    """Lines that read back as the same cases. InputError for a case that no line can hold."""
    return write_records(KIND, records)


def _keeps(case: Case) -> bool:
    if not (case.id.strip() and no_blank(case.references) and no_blank(case.bad_answers)):
        return False
    if not (no_blank(case.expected) and no_blank(case.forbidden)):
        return False
    if case.primary is not None and not case.primary.strip():
        return False
    if case.qrels:
        grades = case.qrels.values()
        if not no_blank(case.qrels) or min(grades) < -GRADES or max(grades) >= GRADES:
            return False
    return all(point.importance in ("vital", "okay") and point.text.strip() for point in case.points)


def _parts(value: dict[str, Any]) -> Parts:
    yield value.get("points"), Point
    for field in TURNS:
        yield value.get(field), Turn


def _settle(value: dict[str, Any]) -> None:
    """[user, assistant] becomes an object."""
    for field in TURNS:
        turns = value.get(field)
        if isinstance(turns, list):
            value[field] = [_turn(turn) for turn in turns]


def _turn(turn: Any) -> Any:
    if isinstance(turn, list) and len(turn) == 2 and all(isinstance(said, str) for said in turn):
        return {"user": turn[0], "assistant": turn[1]}
    return turn


KIND = Kind(
    Case,
    "cases.schema.json",
    "case id",
    _keeps,
    _parts,
    id_of=lambda case: str(case.id),
    settle=_settle,
)

FORMAT = Format(
    recognise,
    read,
    "cases",
    "JSONL cases: question, relevance judgments, expected answers, history",
    suffixes=(".jsonl",),
    write=write,
    schema="cases.schema.json",
)
