"""judgments: one judged question about one case a line; cache and cassette are files of this kind.

    {"case": "q1", "kind": "similarity", "subject": "reference 1", "value": 0.82, "judge": "human"}

The fields are those of `Judgment`; schemas/judgments.schema.json explains each. A value is a number or a
ratio of `num` and `den`; `error` says why there is none. A question may be answered more than once: where a
call key comes twice, the last line wins. Unknown fields and repeated keys are faults; other things go under
`extra`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ragmeter.errors import Problems
from ragmeter.formats import Format, first_object
from ragmeter.formats._records import Kind, mostly
from ragmeter.formats._records import read as read_records
from ragmeter.formats._records import write as write_records
from ragmeter.records import Judgment

LARGEST = 1 << 31
MARKS = frozenset({"kind", "question_key", "call_key"})


def recognise(head: bytes) -> bool:
    """The first object has a case, and a kind or a key of what was asked; half of it is ours."""
    first = first_object(head)
    if first is None or "case" not in first or MARKS.isdisjoint(first):
        return False
    return mostly(first, Judgment)


def read(path: str | Path, problems: Problems) -> Iterator[Judgment]:
    """Judgments in file order, repeats included; every fault becomes a problem with its line and place."""
    return read_records(KIND, path, problems)


def write(records: Iterable[Judgment]) -> Iterator[bytes]:
    """Lines that read back as the same judgments. InputError for a judgment that no line can hold."""
    return write_records(KIND, records)


def _keeps(judgment: Judgment) -> bool:
    if not judgment.case.strip() or not judgment.kind.strip() or not 0 <= judgment.repetition < LARGEST:
        return False
    if (judgment.num is None) != (judgment.den is None) or (judgment.den is not None and judgment.den <= 0):
        return False
    return all(0 <= trimmed < LARGEST for trimmed in (judgment.trims or {}).values())


KIND = Kind(Judgment, "judgments.schema.json", "judgment", _keeps, may_be_empty=True)

FORMAT = Format(
    recognise,
    read,
    "judgments",
    "JSONL judgments: kind, subject, value or ratio, judge",
    suffixes=(".jsonl",),
    write=write,
    schema="judgments.schema.json",
)
