"""Big runs against big judgments, in blocks of columns: right, or in doubt and read line by line instead.

In doubt is, beside what `_trec_blocks` says, a query whose lines stand apart and a passage that comes twice. A
run whose scores fall is never sorted, and of equal scores only those are ordered that a judged passage has.

A judged passage is found by a 64-bit key: the place of its query in the upper bits, a hash of its id in the
lower ones. Passages with equal keys are compared as text, so equal hashes make no hit; two judgments of one
query with equal keys are a doubt.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import repeat
from typing import Any

from msgspec import Struct

from ragmeter.formats import Format
from ragmeter.formats._trec_blocks import RUN, Block, Doubt, blocks
from ragmeter.formats._trec_facts import Hits, Judged, Rules

QUERY_BITS = 24  # of a key
HASH_BITS = 64 - QUERY_BITS
TABLE_BITS = 20  # of the table by which rows find their keys; 4 MiB stay in the cache
FEW = 8  # rows to a key from which keys are few
SEED = 0x5EED
TOP = (1 << 32) - 1


def prepare(qrels: Sequence[tuple[str, Format]], rules: Rules) -> Prepared | None:
    """The judgments of all files, or None where the careful reader must read them."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # two threads take more CPU and save little time
    if any(format.batches is None for _, format in qrels):
        return None
    try:
        return Prepared(qrels, rules)
    except Doubt:
        return None


class Prepared:
    """Judgments in columns, sorted by key.

    `starts[q]` is where the keys of query q begin. `passages` are the ids of each block in its order, `parts[q]` says
    in which block query q is, `rows` in which row of it the passage of a key stands.
    """

    def __init__(self, qrels: Sequence[tuple[str, Format]], rules: Rules):
        import numpy as np

        self.rules = rules
        self.index: dict[str, int] = {}
        self.passages: list[Any] = []
        columns: tuple[list[Any], ...] = tuple([] for _ in range(8))
        held: list[int] = []  # queries of each block
        for path, format in qrels:
            for block in format.batches(path):  # type: ignore[misc]
                held.append(len(block.queries))
                for column, part in zip(columns, self._take(block), strict=True):
                    column.append(part)
        if not self.index:
            raise Doubt
        self.keys, self.rows, self.grades, sizes = map(joined, columns[:4])
        relevant, nonrelevant, ideal_case, ideal_grade = map(joined, columns[4:])
        self.parts = np.repeat(np.arange(len(held)), held)
        self.starts = np.append(0, np.cumsum(sizes))
        self.judged = Judged(list(self.index), self.index, relevant, nonrelevant, ideal_case, ideal_grade)

    def _take(self, block: Block) -> tuple[Any, ...]:
        """One block: keys, rows and grades by key; per query size, relevant, not relevant; the ideal, by query."""
        import numpy as np

        first, index = len(self.index), self.index
        index.update(zip(block.queries, range(first, first + len(block.queries)), strict=True))
        if len(index) != first + len(block.queries) or len(index) >= 1 << QUERY_BITS:
            raise Doubt
        sizes = np.diff(block.starts)
        local = np.repeat(np.arange(len(sizes)), sizes)
        grades = block.numbers
        keys = keyed(local + first, block.passages.hash(SEED).to_numpy())
        order = np.argsort(keys)
        keys = keys[order]
        if (keys[1:] == keys[:-1]).any():
            raise Doubt
        self.passages.append(block.passages)
        good = grades > 0
        ideal = np.sort(((local[good] + first) << 32) | (TOP - grades[good].astype(np.int64)))
        relevant = np.bincount(local[grades >= self.rules.level], minlength=len(sizes))
        judged = np.bincount(local[grades >= 0], minlength=len(sizes))
        ideal_case, ideal_grade = (ideal >> 32).astype(np.int32), narrow(TOP - (ideal & TOP))
        by_key = keys, order.astype(np.int32), narrow(grades[order])
        return *by_key, sizes, relevant, judged - relevant, ideal_case, ideal_grade

    def hits(self, run: str) -> Hits | None:
        """The judged passages of a run, or None where the careful reader must read it."""
        try:
            return Matching(self).read(run)
        except Doubt:
            return None

    def same_passages(self, at: Any, part: Any, passages: Any, rows: Any) -> Any:
        """Whether the passages (a polars Series) in these rows are those that the keys there were made of.

        `part` is the block of each key, ascending.
        """
        import numpy as np
        import polars as pl

        same = np.zeros(len(at), dtype=bool)
        cuts = [0, *(np.flatnonzero(part[1:] != part[:-1]) + 1).tolist(), len(part)]
        for here in map(slice, cuts[:-1], cuts[1:]) if len(part) else ():
            ours = self.passages[part[here.start]].gather(pl.Series(self.rows[at[here]], dtype=pl.UInt32))
            theirs = passages.gather(pl.Series(rows[here], dtype=pl.UInt32))
            same[here] = (ours == theirs).to_numpy()
        return same


def keyed(query: Any, hashes: Any) -> Any:
    """Keys (uint64) of passages with these hashes, of the queries at these places (int64)."""
    import numpy as np

    return (query.astype(np.uint64) << np.uint64(HASH_BITS)) | (hashes >> np.uint64(QUERY_BITS))


def narrow(grades: Any) -> Any:
    """The same as bytes where they fit, as they nearly always do."""
    import numpy as np

    fits = not len(grades) or (grades.min() >= -128 and grades.max() < 128)
    return grades.astype(np.int8 if fits else np.int32)


def joined(parts: list[Any]) -> Any:
    """One array of these, which are given up."""
    import numpy as np

    whole = np.concatenate(parts)
    parts.clear()
    return whole


class Matching:
    """One run against the prepared judgments, block by block."""

    def __init__(self, prepared: Prepared):
        import numpy as np

        self.prepared = prepared
        self.rules = prepared.rules
        self.retrieved = np.full(len(prepared.index), -1, dtype=np.int64)
        self.strangers: dict[str, None] = {}
        self.unjudged = 0
        self.found: list[tuple[Any, ...]] = []

    def read(self, run: str) -> Hits:
        """All judged passages, by query and rank. Raises Doubt."""
        import numpy as np

        for block in blocks(run, RUN):
            self._take(block)
        if not self.found:
            raise Doubt
        columns = [np.concatenate(parts) for parts in zip(*self.found, strict=True)]
        case = columns[0]
        if (case[1:] < case[:-1]).any():
            order = np.argsort(case, kind="stable")
            columns = [column[order] for column in columns]
        case, rank, grade, *group = columns
        return Hits(case, rank, grade, self.retrieved, self.strangers, self.unjudged, *group)

    def _take(self, block: Block) -> None:
        import numpy as np
        import polars as pl

        sizes = np.diff(block.starts)
        group = np.repeat(np.arange(len(sizes)), sizes)
        together = group[1:] == group[:-1]
        scores = block.numbers
        if self.rules.score_bits == 32:
            with np.errstate(over="ignore"):  # a double beyond the 32-bit floats is infinite among them
                scores = scores.astype(np.float32)
        passages = block.passages
        if ((scores[1:] > scores[:-1]) & together).any():
            order = np.lexsort((-scores, group))
            scores, passages = scores[order], passages.gather(pl.Series(order, dtype=pl.UInt32))
        hashes = passages.hash(SEED).to_numpy()
        refuse_repeats(group, hashes)
        places = self._places(block.queries)
        self.retrieved[places[places >= 0]] = sizes[places >= 0]
        rows, at = self._matched(places[group], hashes, passages)
        begins = np.append(True, (scores[1:] != scores[:-1]) | ~together)
        self._keep(Found(places, block.starts, group, passages, rows, self.prepared.grades[at], begins), sizes)

    def _places(self, queries: list[str]) -> Any:
        """Where the judgments have these queries, -1 for strangers. None may have come before."""
        import numpy as np

        index = self.prepared.index
        places = np.fromiter(map(index.get, queries, repeat(-1)), dtype=np.int64, count=len(queries))
        known = places[places >= 0]
        strangers = [queries[i] for i in np.flatnonzero(places < 0)]
        count = len(self.strangers) + len(strangers)
        self.strangers |= dict.fromkeys(strangers)
        ascending = known if (known[1:] > known[:-1]).all() else np.sort(known)
        repeated = (ascending[1:] == ascending[:-1]).any() or (self.retrieved[known] >= 0).any()
        if repeated or len(self.strangers) < count:
            raise Doubt
        return places

    def _matched(self, query: Any, hashes: Any, passages: Any) -> tuple[Any, Any]:
        """Rows that hold a judged passage, ascending, and where the key of each stands."""
        import numpy as np

        prepared = self.prepared
        keys = keyed(query, hashes)
        known = query >= 0
        if not known.any():
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        low = int(prepared.starts[query[known].min()])
        near = prepared.keys[low : int(prepared.starts[query.max() + 1])]
        rows, at = located(keys, known, near)
        at += low
        part = prepared.parts[query[rows]]
        if (part[1:] < part[:-1]).any():  # the run has another order of queries than the judgments
            order = np.argsort(part, kind="stable")
            same = prepared.same_passages(at[order], part[order], passages, rows[order])
            same[order] = same.copy()
        else:
            same = prepared.same_passages(at, part, passages, rows)
        return (rows, at) if same.all() else (rows[same], at[same])

    def _keep(self, found: Found, sizes: Any) -> None:
        """Ranks, and groups of equal scores, of the rows found."""
        import numpy as np

        bounds = np.append(np.flatnonzero(found.begins), len(found.begins))
        tie = np.cumsum(found.begins)[found.rows] - 1
        begin, end = bounds[tie], bounds[tie + 1]
        rows, grade = found.rows, found.grade
        if self.rules.ties == "id_descending" and (end - begin > 1).any():
            rows, grade = by_falling_id(found, begin, end)
        known = found.places >= 0
        judged = grade >= 0
        self.unjudged += int(sizes[known].sum()) - int(judged.sum())
        if self.rules.judged_only:
            rows, grade, begin, end = rows[judged], grade[judged], begin[judged], end[judged]
        group = found.group[rows]
        base = found.starts[group]
        if self.rules.judged_only:
            self.retrieved[found.places[known]] = np.bincount(group, minlength=len(sizes))[known]
            base = np.searchsorted(group, group)
            begin, end = np.searchsorted(rows, begin), np.searchsorted(rows, end)
            rows = np.arange(len(rows))
        columns = [found.places[group], rows - base + 1, grade]
        if self.rules.tied:
            columns += [begin - base + 1, end - base]
        self.found.append(tuple(column.astype(np.int32) for column in columns))


class Found(Struct, frozen=True):
    """The judged rows of one block. `begins` says of every row whether a group of equal scores begins there."""

    places: Any
    starts: Any
    group: Any
    passages: Any
    rows: Any
    grade: Any
    begins: Any


def by_falling_id(found: Found, begin: Any, end: Any) -> tuple[Any, Any]:
    """Rows and grades of the judged passages once those of equal scores stand by falling id.

    Only groups that hold a judged passage are ordered; all rows of such a group lie from `begin` to `end`.
    """
    import numpy as np
    import polars as pl

    tied = np.flatnonzero(end - begin > 1)
    first = np.append(True, begin[tied][1:] != begin[tied][:-1])
    begins, lengths = begin[tied][first], (end - begin)[tied][first]
    place = np.repeat(np.arange(len(begins)), lengths)
    slots = np.arange(len(place)) + np.repeat(begins - np.cumsum(lengths) + lengths, lengths)
    frame = pl.DataFrame({"place": place, "id": found.passages.gather(pl.Series(slots, dtype=pl.UInt32))})
    order = frame.with_row_index().sort("place", "id", descending=[False, True])["index"].to_numpy()
    now = np.empty_like(slots)
    now[order] = slots
    moved = now[np.searchsorted(slots, found.rows[tied])]
    sorting = np.argsort(moved)
    rows, grade = found.rows.copy(), found.grade.copy()
    rows[tied], grade[tied] = moved[sorting], found.grade[tied][sorting]
    return rows, grade


def refuse_repeats(group: Any, hashes: Any) -> None:
    """Doubt where two passages of one query have equal hashes: most likely one passage that comes twice."""
    import numpy as np

    bits = np.uint64(max(1, int(group[-1]).bit_length()))
    keys = np.sort((group.astype(np.uint64) << (np.uint64(64) - bits)) | (hashes >> bits))
    if (keys[1:] == keys[:-1]).any():
        raise Doubt


def located(keys: Any, known: Any, near: Any) -> tuple[Any, Any]:
    """The known rows whose keys are among `near`, which ascend; and where each stands there.

    A small table answers for nearly all rows with one look. Few keys: it says which slots are taken, and those
    rows are looked up by bisection. Many: it holds the last key of each slot, and only rows with another one are.
    """
    import numpy as np

    if FEW * len(near) < len(keys):
        taken = np.zeros(1 << TABLE_BITS, dtype=bool)
        taken[slot(near)] = True
        rows = np.flatnonzero(taken[slot(keys)] & known)
        at = np.searchsorted(near, keys[rows])
    elif len(near) <= 1 << (TABLE_BITS - 1):
        last = np.zeros(1 << TABLE_BITS, dtype=np.int32)
        last[slot(near)] = np.arange(1, len(near) + 1, dtype=np.int32)
        held = last[slot(keys)]
        rows = np.flatnonzero((held > 0) & known)
        at = held[rows].astype(np.int64) - 1
        other = np.flatnonzero(near[at] != keys[rows])
        at[other] = np.searchsorted(near, keys[rows[other]])
    else:
        rows = np.flatnonzero(known)
        at = np.searchsorted(near, keys[rows])
    at[at == len(near)] = 0
    found = near[at] == keys[rows]
    return rows[found], at[found]


def slot(keys: Any) -> Any:
    """A slot of the table for each key."""
    import numpy as np

    return (keys * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - TABLE_BITS)
