"""Relevance judgments as BEIR keeps them: tab-separated, under a header.

    query-id	corpus-id	score
    q1	doc17	2

Ids may hold blanks; fields are quoted as in CSV where they hold a quote or a tab. A score is a whole number.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ragmeter.errors import Problems
from ragmeter.formats import Format, lines
from ragmeter.formats._trec_lines import Row, is_text, judgments, shown, whole
from ragmeter.records import Case

HEADER = [b"query-id", b"corpus-id", b"score"]


def recognise(head: bytes) -> bool:
    """The first line is the header."""
    return head.partition(b"\n")[0].rstrip().split(b"\t") == HEADER


def read(path: str | Path, problems: Problems) -> Iterator[Case]:
    """A case with its judgments for every query, in order of first appearance."""
    for query, qrels in judgments(path, rows(path, problems), problems):
        yield Case(query, qrels=qrels)


def rows(path: str | Path, problems: Problems) -> Iterator[Row]:
    """Every line that is right; the others become problems."""
    for line_number, line in lines(path, problems):
        if line_number == 1 and line.rstrip().split(b"\t") == HEADER:
            continue
        if line_number == 1:
            problems.add(path, 1, "expected the header query-id, corpus-id, score, parted by tabs")
        if not line.strip() or not is_text(path, line_number, line, problems):
            continue
        words = fields(line)
        if len(words) != 3:
            blanks = ": they must be parted by tabs" if len(line.split()) == 3 else ""
            said = f"expected 3 columns (query-id corpus-id score), found {len(words)}{blanks}"
            problems.add(path, line_number, said)
            continue
        empty = [name.decode() for name, word in zip(HEADER, words, strict=True) if not word]
        grade = whole(words[2].encode())
        if empty:
            problems.add(path, line_number, f"{empty[0]}: expected a text that is not empty")
        elif grade is None:
            problems.add(path, line_number, f"score: expected a whole number, found {shown(words[2].encode())}")
        else:
            yield line_number, words[0], words[1], grade


def fields(line: bytes) -> list[str]:
    """The fields of a line; quotes are taken off as BEIR's own reader does."""
    text = line.rstrip(b" \t\r").decode()
    if '"' not in text:
        return text.split("\t")
    import csv

    return next(csv.reader([text], delimiter="\t"), [])


def batches(path: str | Path) -> object:
    """The judgments in columns, block by block; see `ragmeter.formats._trec_blocks.judgments`."""
    from ragmeter.formats._trec_blocks import judgments

    return judgments(path, separator=b"\t", columns=3, places=(0, 1, 2), header=b"\t".join(HEADER))


FORMAT = Format(
    recognise,
    read,
    "qrels",
    "BEIR relevance judgments: query-id, corpus-id, score, parted by tabs",
    profile="beir",
    suffixes=(".tsv",),
    batches=batches,
)
