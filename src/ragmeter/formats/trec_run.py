"""A TREC run: for every query the passages that one system retrieved, with their scores.

    q1 Q0 doc17 1 14.25 bm25

Columns are parted by blanks or tabs: query, an unused word, passage, rank, score, name of the run (the rest of
the line). The order is that of the scores, falling; the rank column and the order of the lines are not looked
at, as trec_eval does. Equal scores: see the profile. Blank lines are passed over. Files may be packed (gzip).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ragmeter.errors import Problems
from ragmeter.formats import Format, lines
from ragmeter.formats._trec_lines import (
    Row,
    column_fault,
    head_rows,
    is_number,
    is_text,
    is_whole,
    mostly,
    number,
    ranking,
    shown,
    table,
)
from ragmeter.records import Output

COLUMNS = "query Q0 passage rank score name"
MARKS = (b"0", b"Q0")  # what the unused second column most often says


def recognise(head: bytes) -> bool:
    """Most of the first lines have six columns, the fifth a number; or begin so and lack some."""
    return mostly(map(_fits, head_rows(head)))


def _fits(words: list[bytes]) -> bool:
    if len(words) >= 6:
        return is_number(words[4])
    marked = len(words) > 1 and words[1] in MARKS
    if len(words) == 5:
        return marked and is_number(words[4])
    return len(words) == 4 and not marked and is_whole(words[2]) and not is_whole(words[3]) and is_number(words[3])


def read(
    path: str | Path, problems: Problems, *, ties: str = "id_descending", score_bits: int = 64
) -> Iterator[Output]:
    """The ranking of every query, in order of first appearance. `ties` and `score_bits` as in a profile."""
    for query, (passages, scores) in table(path, rows(path, problems), problems, "results").items():
        ranked = ranking(passages, scores, ties=ties, score_bits=score_bits)
        yield Output(query, tuple([passage for _, passage in ranked]))


def rows(path: str | Path, problems: Problems) -> Iterator[Row]:
    """Every line that is right; the others become problems."""
    for line_number, line in lines(path, problems):
        words = line.split()
        if not words or not is_text(path, line_number, line, problems):
            continue
        if len(words) > 6 and b"Q0" in words[6:]:
            problems.add(path, line_number, "two rows on one line: the line end between them is missing")
            continue
        if len(words) < 6 or (len(words) > 6 and not is_whole(words[3])):
            problems.add(path, line_number, column_fault(len(words), COLUMNS, _hint(words)))
            continue
        if len(words) > 6:
            more = f"{len(words) - 6} words after the name of the run, which are not looked at"
            problems.warn(path, line_number, more, group="words after the name of a run")
        score = number(words[4])
        if score is None:
            problems.add(path, line_number, f"score: expected a finite number, found {shown(words[4])}")
            continue
        yield line_number, words[0].decode(), words[2].decode(), score


def _hint(words: list[bytes]) -> str:
    """What a line of another number of columns may be."""
    if len(words) > 6:
        return "does an id hold a blank?"
    if len(words) == 5:
        return "is the name of the run missing at the end?"
    if len(words) == 4 and is_whole(words[3]) and words[1] in MARKS:
        return "these look like judgments (query 0 passage grade); give the file as --qrels"
    if len(words) in (3, 4) and is_whole(words[2]):
        return f"this looks like an MS MARCO run (query passage rank{' score' * (len(words) == 4)})"
    return ""


def batches(runs: Sequence[str], qrels: Sequence[tuple[str, Format]], problems: Problems, **rules: Any) -> Any:
    """Each run as columnar shards, all against one reading of the judgments; see `_trec.batches`."""
    from ragmeter.formats._trec import batches

    return batches(rows, runs, qrels, problems, **rules)


FORMAT = Format(
    recognise,
    read,
    "run",
    "TREC run: query Q0 passage rank score name",
    profile="trec10",
    suffixes=(".trec", ".run", ".txt"),
    batches=batches,
)
