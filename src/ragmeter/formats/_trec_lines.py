"""What the readers of TREC runs and of judgments share: line by line, slow, and right about every fault.

A file is read whole, since rows of one query need not stand together. Ids are text: a `#` is content, and
the order of ids is that of their UTF-8 bytes, which is the order of Python's strings.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import itemgetter
from pathlib import Path

from ragmeter.errors import Problems
from ragmeter.reading import HEAD

Row = tuple[int, str, str, float]  # number of the line, query, passage, score or grade
Table = dict[str, tuple[dict[str, int], list[float]]]  # query -> (passage -> its line, values in that order)

LOOKED_AT = 20  # lines of a head by which a file is recognised
LARGEST = 2**31 - 1  # grade


def head_rows(head: bytes) -> list[list[bytes]]:
    """The columns of the first whole lines that are not blank; none where the file begins like JSON."""
    if head.lstrip()[:1] in (b"{", b"["):
        return []
    whole_lines = head.split(b"\n", LOOKED_AT * 2)
    if len(whole_lines) > 1 and len(head) >= HEAD:
        whole_lines.pop()  # the head may end within it
    return list(islice(filter(None, map(bytes.split, whole_lines)), LOOKED_AT))


def mostly(fits: Iterable[bool]) -> bool:
    """Whether more than half of the lines looked at fit; False where there is none."""
    said = list(fits)
    return 2 * sum(said) > len(said)


def is_number(word: bytes) -> bool:
    """Whether a word is a finite decimal number."""
    return number(word) is not None


def is_whole(word: bytes) -> bool:
    """Whether a word is a whole number that fits a grade."""
    return whole(word) is not None


def number(word: bytes) -> float | None:
    """A finite decimal number such as 1, -.5, 2.e-3; None for anything else: nan, inf, 0x1p3, 1_000."""
    try:
        value = float(word)
    except ValueError:
        return None
    return None if value - value or b"_" in word else value


def whole(word: bytes) -> int | None:
    """A whole number of at most 32 bits; None for anything else: 0.5, 1e0, 1_000."""
    try:
        value = int(word)
    except ValueError:
        return None
    return value if -LARGEST - 1 <= value <= LARGEST and b"_" not in word else None


def shown(word: bytes) -> str:
    """A word of a line as messages name it."""
    text = word.decode(errors="replace")
    return repr(text if len(text) <= 40 else text[:39] + "…")


def is_text(path: str | Path, line_number: int, line: bytes, problems: Problems) -> bool:
    """Whether a line is UTF-8 without a carriage return inside; else the fault is written down."""
    if b"\r" in line.rstrip():
        at = line.index(b"\r") + 1
        problems.add(path, line_number, "a carriage return inside the line; lines end with LF or CR LF", column=at)
        return False
    try:
        line.isascii() or line.decode()
    except UnicodeDecodeError as why:
        problems.add(path, line_number, "invalid UTF-8", column=why.start + 1)
        return False
    return True


def table(path: str | Path, rows: Iterable[Row], problems: Problems, what: str) -> Table:
    """The rows by query, both in order of first appearance. A passage that comes twice is a fault.

    `what` is the word for rows in messages; a file without any, right or wrong, is a fault too.
    """
    found: Table = {}
    faults = problems.count
    last = None
    passages: dict[str, int] = {}
    values: list[float] = []
    for line_number, query, passage, value in rows:
        if query != last:
            last = query
            passages, values = found.setdefault(query, ({}, []))
        first = passages.setdefault(passage, line_number)
        if first == line_number:
            values.append(value)
            continue
        said = f"query '{query}' has passage '{passage}' twice; the first time in line {first}"
        problems.add(path, line_number, said, kind="duplicate")
    if not found and problems.count == faults:
        problems.add(path, 0, f"the file holds no {what}")
    return found


def ranking(passages: Iterable[str], scores: Iterable[float], *, ties: str, score_bits: int) -> list[tuple[float, str]]:
    """(score, passage) by falling score. Equal scores: by falling id ('id_descending') or as they came ('input').

    With `score_bits` 32 scores are rounded to single precision before they are compared, as trec_eval 9 does.
    """
    pairs = zip(array("f", scores) if score_bits == 32 else scores, passages, strict=True)
    if ties == "id_descending":
        return sorted(pairs, reverse=True)
    return sorted(pairs, key=itemgetter(0), reverse=True)


def column_fault(found: int, expected: str, hint: str = "") -> str:
    """'expected 6 columns (...), found 4: ...'."""
    return f"expected {len(expected.split())} columns ({expected}), found {found}{hint and ': '}{hint}"


def judgments(path: str | Path, rows: Iterable[Row], problems: Problems) -> Iterator[tuple[str, dict[str, int]]]:
    """(query, {passage: grade}) of every query, in order of first appearance."""
    for query, (passages, grades) in table(path, rows, problems, "judgments").items():
        yield query, dict(zip(passages, map(int, grades), strict=True))
