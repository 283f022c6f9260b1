"""What the formats of our own records share: one record a line, decoded fast, looked at slowly if in doubt.

The fast path decodes a line straight into its record. What a decoder passes over in silence (an unknown
field, a repeated key) is lost when the record is encoded again, and with it at least one colon: so a line
with as many colons as its record hides nothing. Every other line is parsed with care, and the schema says
its faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ragmeter.errors import InputError, Problems
from ragmeter.formats import Seen, bad_json, lines
from ragmeter.formats._shape import faults
from ragmeter.reading import too_deep
from ragmeter.records import record_json

FREE = ("extra", "params")  # fields that hold any JSON, to any depth
Parts = Iterable[tuple[Any, type[Struct]]]
Read = tuple[Any, list[str]]  # a record, or None and the faults of its line; (None, []) for a blank line


class Kind(Struct, frozen=True):
    """One kind of record as a line.

    `keeps(record)` tells whether the record keeps what its types cannot say. `parts(value)` yields the lists
    of objects in a parsed line, with the record of each (None: the schema looks at every doubtful line).
    `id_of(record)` may not come twice (None: anything may). `settle(value)` turns short forms in a parsed
    line into long ones.
    """

    record: type[Struct]
    schema: str
    what: str
    keeps: Callable[[Any], bool]
    parts: Callable[[dict[str, Any]], Parts] | None = None
    id_of: Callable[[Any], str] | None = None
    settle: Callable[[dict[str, Any]], None] | None = None
    may_be_empty: bool = False


def read(kind: Kind, path: str | Path, problems: Problems) -> Iterator[Any]:
    """The records of a file in file order; every fault becomes a problem with its line and place."""
    record_of, id_of = reader(kind), kind.id_of
    seen = Seen(path, problems, lambda line: _id(kind, record_of(line)), what=kind.what) if id_of else None
    count = 0
    for number, line in lines(path, problems):
        record, said = record_of(line)
        for fault in said:
            problems.add(path, number, fault)
        if record is None:
            count += bool(said)
            continue
        count += 1
        if seen is not None and id_of is not None:
            seen.add(number, id_of(record))
        yield record
    if seen is not None:
        seen.finish()
    if not count and not kind.may_be_empty:
        problems.add(path, 0, f"the file holds no {kind.schema.split('.')[0]}")


def reader(kind: Kind) -> Callable[[bytes], Read]:
    """From a line to its record, or to None and its faults."""
    decode = msgspec.json.Decoder(kind.record).decode
    keeps = kind.keeps

    def record_of(line: bytes) -> Read:
        try:
            record = decode(line)
            if hides_nothing(line, record) and keeps(record):
                return record, []
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            pass
        return careful(kind, line)

    return record_of


def _id(kind: Kind, read: Read) -> str:
    assert kind.id_of is not None
    if read[0] is None:
        raise ValueError("no record")
    return kind.id_of(read[0])


def hides_nothing(line: bytes, record: Struct) -> bool:
    """Whether all that the line says is in the record. False also where that is not certain."""
    if b"\\u003" in line:  # \u003a is a colon
        return False
    if any(getattr(record, free, None) is not None for free in FREE) and too_deep(line):
        return False
    line.isascii() or line.decode()
    return line.count(b":") == msgspec.json.encode(record).count(b":")


def careful(kind: Kind, line: bytes) -> Read:
    """The line once more, slowly: it may be right after all, with fields given as null or in a short form."""
    value, why = bad_json(line, repeated_keys=True, finite=True)
    if why:
        return None, [] if why == "blank" else [f"invalid JSON: {why}"]
    if isinstance(value, dict) and kind.parts is not None:
        if kind.settle is not None:
            kind.settle(value)
        try:
            record = msgspec.convert(value, kind.record)
            if known_fields(value, kind.record, kind.parts(value)) and kind.keeps(record):
                return record, []
        except msgspec.ValidationError:
            pass
    said = list(faults(value, kind.schema))
    return (None, said) if said else (msgspec.convert(value, kind.record, strict=False), [])


def known_fields(value: dict[str, Any], record: type[Struct], parts: Parts) -> bool:
    """Whether a parsed line has no field that its record, or a record in it, does not have."""
    if not value.keys() <= set(record.__struct_fields__):
        return False
    for held, inner in parts:
        fields = set(inner.__struct_fields__)
        if not all(one.keys() <= fields for one in held or () if isinstance(one, dict)):
            return False
    return True


def write(kind: Kind, records: Iterable[Any]) -> Iterator[bytes]:
    """A line for each record. InputError for one that would not read back as it is (NaN, a blank id)."""
    record_of = reader(kind)
    for record in records:
        if not isinstance(record, kind.record):
            raise InputError(f"a file of {kind.schema.split('.')[0]} holds no {type(record).__name__}")
        try:
            line = record_json(record)
        except (TypeError, ValueError, OverflowError, RecursionError) as why:
            raise InputError(f"{_name(kind, record)} cannot be written: {why}") from None
        back, said = record_of(line)
        if back != record:
            why_not = "; ".join(said) or "it would not read back as it is"
            raise InputError(f"{_name(kind, record)} cannot be written: {why_not}")
        yield line + b"\n"


def _name(kind: Kind, record: Any) -> str:
    return f"{kind.what} {kind.id_of(record)!r}" if kind.id_of else kind.what


def mostly(first: dict[str, Any], record: type[Struct]) -> bool:
    """Whether at least half of the keys of a first object are fields of the record."""
    known = len(first.keys() & set(record.__struct_fields__))
    return known >= len(first) - known


def no_blank(texts: Iterable[str]) -> bool:
    """Whether each of these texts has more than white space."""
    return "" not in map(str.strip, texts)
