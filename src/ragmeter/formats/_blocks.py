"""TREC and BEIR files in blocks: polars splits the lines, numpy finds the judged passages and their ranks.

It is right or it raises `Unsure`; then the careful reader of `_trec` reads the file and words the faults. A run in
order is never sorted, and of equal scores only those are ordered that a judged passage has.

Judged passages are found by 64-bit hashes of query and passage; where two agree the ids themselves are compared.
Measured: blocks of 4 MiB (run) and 1 MiB (qrels), one polars thread, `np.sort` to find repeats.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ragmeter.reading import BOM, LINE_LIMIT, open_bytes

RUN_BLOCK = 4 << 20
QRELS_BLOCK = 1 << 20
BLANKS = bytes.maketrans(b"\t\r\v\f", b"    ")
SPREAD = 0x9E3779B97F4A7C15  # odd, so that multiplying by it maps the integers mod 2**64 one to one


class Unsure(Exception):
    """The fast reader cannot vouch for this file."""


class Layout(NamedTuple):
    """Where the columns stand: how many, what separates them, and which are query, passage and number."""

    width: int
    separator: str
    query: int
    passage: int
    number: int


RUN = Layout(6, " ", 0, 2, 4)
TREC_QRELS = Layout(4, " ", 0, 2, 3)
BEIR_QRELS = Layout(3, "\t", 0, 1, 2)


class Rows(NamedTuple):
    """Lines of whole queries: `starts` is where each query begins among them, with their number at the end."""

    queries: list[str]
    starts: Any  # int64 array, one more than queries
    passages: Any  # polars String series
    numbers: Any  # scores (float64) or grades (int32)


def load_polars() -> Any:
    """polars with one thread (two cost more CPU than they save time), unless it is there already or told otherwise."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    import polars

    return polars


def rows_of(path: str | Path, layout: Layout, size: int) -> Iterator[Rows]:
    """All lines of a file, each query in one piece. Unsure when a line is not of this layout."""
    carried = b""
    header = layout is BEIR_QRELS
    with open_bytes(path) as file:
        while True:
            data = _read(file, size)
            block = carried + data if carried else data
            if not data and block and not block.endswith(b"\n"):
                block += b"\n"
            end = block.rfind(b"\n") + 1
            if not end:
                if not data:
                    return
                if len(block) > LINE_LIMIT:
                    raise Unsure
                carried = block
                continue
            text, rest = block[:end], block[end:]
            if header:
                text, header = _without_header(text), False
            text = tidy(text.removeprefix(BOM), layout)
            rows = _parsed(text, layout)
            if rows is None or not data:
                if rows is not None:
                    yield rows
                if not data:
                    return
                carried = rest
            elif len(rows.queries) == 1:  # perhaps cut: look at it again with more behind it
                carried, size = text + rest, 2 * size
            else:
                last = rows.starts[-2]
                carried = _last_lines(text, int(rows.starts[-1] - last)) + rest
                yield Rows(rows.queries[:-1], rows.starts[:-1], rows.passages[:last], rows.numbers[:last])


def _read(file: Any, size: int) -> bytes:
    try:
        data: bytes = file.read(size)
    except Exception as why:  # the careful reader meets it again and says where
        raise Unsure from why
    return data


def _without_header(text: bytes) -> bytes:
    first, _, others = text.removeprefix(BOM).partition(b"\n")
    if first.split() != [b"query-id", b"corpus-id", b"score"]:
        raise Unsure
    return others


def tidy(text: bytes, layout: Layout) -> bytes:
    """The same lines with one separator between columns and nothing else. Unsure where that cannot be had."""
    if not text or _is_regular(text, layout):
        return text
    if layout.separator == "\t":
        text = text.replace(b"\r\n", b"\n")
    else:
        text = text.translate(BLANKS)
        while b"  " in text:
            text = text.replace(b"  ", b" ")
        text = text.replace(b" \n", b"\n").replace(b"\n ", b"\n").lstrip(b" ")
    while b"\n\n" in text:
        text = text.replace(b"\n\n", b"\n")
    text = text.lstrip(b"\n")
    if text and not _is_regular(text, layout):
        raise Unsure
    return text


def _is_regular(text: bytes, layout: Layout) -> bool:
    """Whether lines are as many as separators allow, with no two blanks side by side and no other control bytes.

    Whether each line has its share of the separators is seen later: the last column of every line must be there.
    """
    import numpy as np

    data = np.frombuffer(text, np.uint8)
    blank = data <= 32
    ends = np.count_nonzero(data == 10)
    separators = np.count_nonzero(data == ord(layout.separator))
    if separators != ends * (layout.width - 1) or np.count_nonzero(blank) != ends + separators:
        return False
    return not blank[0] and not bool((blank[1:] & blank[:-1]).any())


def _parsed(text: bytes, layout: Layout) -> Rows | None:
    if not text:
        return None
    import numpy as np

    pl = load_polars()
    number = pl.Float64 if layout is RUN else pl.Int32
    columns = sorted({layout.query, layout.passage, layout.number, layout.width - 1})
    schema = {f"c{i}": number if i == layout.number else pl.String for i in range(layout.width)}
    try:
        table = pl.read_csv(
            text, has_header=False, separator=layout.separator, quote_char=None, columns=columns, schema=schema
        )
    except pl.exceptions.PolarsError as why:
        raise Unsure from why
    if any(table.null_count().row(0)):
        raise Unsure
    query, passages = table[f"c{layout.query}"], table[f"c{layout.passage}"]
    begins = np.flatnonzero((query != query.shift(1)).fill_null(True).to_numpy())
    return Rows(
        query.gather(begins).to_list(),
        np.append(begins, len(query)),
        passages,
        table[f"c{layout.number}"].to_numpy(),
    )


def _last_lines(text: bytes, count: int) -> bytes:
    place = len(text)
    for _ in range(count + 1):
        place = text.rfind(b"\n", 0, place)
    return text[place + 1 :]


def keys_of(passages: Any, queries: Any) -> Any:
    """A 64-bit key of each (query number, passage)."""
    import numpy as np

    spread = (queries.astype(np.uint64) + np.uint64(1)) * np.uint64(SPREAD)
    keys = passages.hash(seed=0).to_numpy() ^ spread
    return keys


def has_repeats(keys: Any) -> bool:
    """Whether two of the keys are equal."""
    import numpy as np

    ordered = np.sort(keys)
    return bool((ordered[1:] == ordered[:-1]).any())


def spans(starts: Any, counts: Any) -> Any:
    """starts[0], starts[0] + 1, ... counts[0] of them, then those of starts[1], ..., as one array."""
    import numpy as np

    before = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) + np.repeat(starts - before, counts)


class Columns:
    """Judgments as arrays. Those of case i stand at starts[i]:starts[i + 1] of `grade`, `key` and `passages`.

    `relevant` and `nonrelevant` count all judgments of each case, also those that are not kept.
    """

    def __init__(
        self, ids: list[str], starts: Any, grade: Any, passages: Any, key: Any, relevant: Any, nonrelevant: Any
    ):
        self.ids = ids
        self.number = {id: i for i, id in enumerate(ids)}
        self.starts = starts
        self.grade = grade
        self.passages = passages
        self.key = key
        self.relevant = relevant
        self.nonrelevant = nonrelevant

    def grades(self, case: int) -> dict[str, int]:
        """{passage: grade} of the kept judgments of one case."""
        here = slice(int(self.starts[case]), int(self.starts[case + 1]))
        return dict(zip(self.passages[here].to_list(), self.grade[here].tolist(), strict=True))


def read_qrels(paths: Sequence[tuple[str | Path, Layout]], level: int, keep_nonrelevant: bool) -> Columns:
    """The judgments of these files, each query in one piece of one file. Unsure when that is not so."""
    import numpy as np

    maker = ColumnsMaker(level, keep_nonrelevant)
    for path, layout in paths:
        before = len(maker.ids)
        for rows in rows_of(path, layout, QRELS_BLOCK):
            maker.add(rows)
        if len(maker.ids) == before:  # empty: the careful reader says so
            raise Unsure
    if len(set(maker.ids)) < len(maker.ids):
        raise Unsure
    made = maker.made()
    assert len(made.starts) == len(maker.ids) + 1 and int(np.sum(made.relevant)) >= 0
    return made


class ColumnsMaker:
    """Collects rows of judgments into Columns. Unsure when a passage is judged twice (or two keys are equal)."""

    def __init__(self, level: int, keep_nonrelevant: bool):
        self.level = level
        self.keep_nonrelevant = keep_nonrelevant
        self.ids: list[str] = []
        self.parts: list[tuple[Any, ...]] = []

    def add(self, rows: Rows) -> None:
        """Queries that were not added before, each with all of its judgments."""
        import numpy as np

        first, grade = len(self.ids), rows.numbers
        lengths = np.diff(rows.starts)
        key = keys_of(rows.passages, np.repeat(np.arange(first, first + len(lengths)), lengths))
        if has_repeats(key):
            raise Unsure
        keep = grade >= np.iinfo(np.int32).min if self.keep_nonrelevant else grade > 0
        begins = rows.starts[:-1]
        relevant = np.add.reduceat((grade >= self.level).astype(np.int32), begins, dtype=np.int32)
        others = (grade >= 0) & (grade < self.level)
        nonrelevant = np.add.reduceat(others.astype(np.int32), begins, dtype=np.int32)
        kept = np.add.reduceat(keep.astype(np.int32), begins, dtype=np.int32)
        self.ids += rows.queries
        self.parts.append((kept, _narrow(grade[keep]), rows.passages.filter(keep), key[keep], relevant, nonrelevant))

    def made(self) -> Columns:
        """All that was added."""
        import numpy as np

        pl = load_polars()
        kept, grade, passages, key, relevant, nonrelevant = zip(*self.parts, strict=True)
        self.parts = []
        starts = np.concatenate(([0], np.cumsum(np.concatenate(kept), dtype=np.int64)))
        joined = pl.concat(passages, rechunk=True)
        del passages
        return Columns(
            self.ids, starts, np.concatenate(grade), joined, np.concatenate(key),
            np.concatenate(relevant), np.concatenate(nonrelevant),
        )  # fmt: skip


def _narrow(grade: Any) -> Any:
    """As bytes where they fit: grades nearly always do."""
    import numpy as np

    fits = not len(grade) or (int(grade.min()) >= -128 and int(grade.max()) < 128)
    return grade.astype(np.int8) if fits else grade.astype(np.int32)
