"""outputs: what one system did with one case a line.

    {"case": "q1", "retrieved": ["terms-4", "faq-2"], "cited": ["terms-4"], "answer": "Two years [1]."}

The fields are those of `Output`; schemas/outputs.schema.json explains each. Passages are ids or objects with
an id, in rank order. [] says that nothing came back; a list that is left out was not recorded. Unknown
fields, repeated keys, a second output of one case and blank ids are faults; other things go under `extra`.
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
from ragmeter.records import Citation, Output, Passage, passage_ids

LARGEST = 1 << 31
OTHERS = frozenset({"id", "kind", "question_key", "call_key"})


def recognise(head: bytes) -> bool:
    """The first object has a case and nothing of a judgment; half of it is ours."""
    first = first_object(head)
    if first is None or "case" not in first or not OTHERS.isdisjoint(first):
        return False
    return mostly(first, Output)


def read(path: str | Path, problems: Problems) -> Iterator[Output]:
    """Outputs in file order; every fault becomes a problem with its line and its place in it."""
    return read_records(KIND, path, problems)


def write(records: Iterable[Output]) -> Iterator[bytes]:
    """Lines that read back as the same outputs. InputError for an output that no line can hold."""
    return write_records(KIND, records)


def _keeps(output: Output) -> bool:
    if not output.case.strip() or (output.seconds is not None and output.seconds < 0):
        return False
    for passages in (output.retrieved, output.contexts, *(output.recalled or {}).values()):
        if passages and not (no_blank(passage_ids(passages)) and all(map(_numbered, passages))):
            return False
    if output.cited and not no_blank(output.cited):
        return False
    return all(map(_points_somewhere, output.citations or ()))


def _numbered(passage: str | Passage) -> bool:
    if isinstance(passage, str) or passage.indices is None:
        return True
    return all(0 <= index < LARGEST for index in passage.indices)


def _points_somewhere(citation: Citation) -> bool:
    if citation.sentence is not None and not 0 <= citation.sentence < LARGEST:
        return False
    return citation.passage is None or bool(citation.passage.strip())


def _parts(value: dict[str, Any]) -> Parts:
    yield value.get("retrieved"), Passage
    yield value.get("contexts"), Passage
    yield value.get("citations"), Citation
    for passages in (value.get("recalled") or {}).values():
        yield passages, Passage


KIND = Kind(
    Output,
    "outputs.schema.json",
    "output for case",
    _keeps,
    _parts,
    id_of=lambda output: str(output.case),
)

FORMAT = Format(
    recognise,
    read,
    "outputs",
    "JSONL outputs of one system: retrieved, cited, answer, contexts",
    suffixes=(".jsonl",),
    write=write,
    schema="outputs.schema.json",
)
