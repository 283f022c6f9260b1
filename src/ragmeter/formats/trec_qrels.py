"""TREC relevance judgments (qrels): which passages were judged for a query, and how relevant they are.

    q1 0 doc17 2

Columns are parted by blanks or tabs: query, an unused word, passage, grade. A grade is a whole number; below 0
it says 'not judged'. Blank lines are passed over; there are no comments, for ids may begin with `#`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ragmeter.errors import Problems
from ragmeter.formats import Format, lines
from ragmeter.formats._trec_lines import (
    Row,
    column_fault,
    head_rows,
    is_number,
    is_text,
    is_whole,
    judgments,
    mostly,
    shown,
    whole,
)
from ragmeter.records import Case

COLUMNS = "query 0 passage grade"
HINTS = {
    3: "is the second column missing, which is always 0?",
    5: "five columns are neither qrels nor a run",
    6: "this looks like a run; give it as the file to score, not as --qrels",
}


def recognise(head: bytes) -> bool:
    """Most of the first lines have four columns, the fourth a whole number."""
    return mostly(map(_fits, head_rows(head)))


def _fits(words: list[bytes]) -> bool:
    if len(words) != 4:
        return False
    return is_whole(words[3]) or (words[1] in (b"0", b"Q0") and is_number(words[3]))


def read(path: str | Path, problems: Problems) -> Iterator[Case]:
    """A case with its judgments for every query, in order of first appearance."""
    for query, qrels in judgments(path, rows(path, problems), problems):
        yield Case(query, qrels=qrels)


def rows(path: str | Path, problems: Problems) -> Iterator[Row]:
    """Every line that is right; the others become problems."""
    for line_number, line in lines(path, problems):
        words = line.split()
        if not words or not is_text(path, line_number, line, problems):
            continue
        if len(words) != 4:
            problems.add(path, line_number, column_fault(len(words), COLUMNS, HINTS.get(min(len(words), 6), "")))
            continue
        grade = whole(words[3])
        if grade is None:
            problems.add(path, line_number, f"grade: expected a whole number, found {shown(words[3])}")
            continue
        yield line_number, words[0].decode(), words[2].decode(), grade


def batches(path: str | Path) -> object:
    """The judgments in columns, block by block; see `ragmeter.formats._trec_blocks.judgments`."""
    from ragmeter.formats._trec_blocks import judgments

    return judgments(path, columns=4, places=(0, 2, 3))


FORMAT = Format(
    recognise,
    read,
    "qrels",
    "TREC relevance judgments: query 0 passage grade",
    profile="trec10",
    suffixes=(".qrels", ".txt"),
    batches=batches,
)
