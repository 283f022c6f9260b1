"""From TREC runs and judgments to columnar shards, whichever way the files were read.

Small files, and all that the fast reader has a doubt about, are read line by line. Either way the shards list
the judged queries in the order in which the judgments first name them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import compress
from operator import neg
from typing import Any

from msgspec import Struct

from ragmeter.errors import Problems
from ragmeter.formats import Format
from ragmeter.formats._trec_lines import Row, Table, ranking
from ragmeter.ties import TiedBatch

SHARD = 1 << 15  # queries

Rows = Callable[[str, Problems], Iterator[Row]]


class Rules(Struct, frozen=True):
    """How a run is read: see Profile. `level` is the lowest relevant grade; `tied` asks for groups of equal scores."""

    level: int = 1
    ties: str = "id_descending"
    score_bits: int = 64
    queries: str = "judged"
    judged_only: bool = False
    tied: bool = False


class Judged(Struct, frozen=True):
    """The judgments of all files. Arrays are numpy's; `relevant` and `nonrelevant` have one entry a query.

    `ideal_case`, `ideal_grade` list the positive grades, by query, best first. `grades` is there only when the
    files were read line by line.
    """

    ids: Sequence[str]
    index: dict[str, int]
    relevant: Any
    nonrelevant: Any
    ideal_case: Any
    ideal_grade: Any
    grades: Sequence[dict[str, int]] = ()


class Hits(Struct, frozen=True):
    """The judged passages of one run: numpy arrays sorted by query, then rank.

    `retrieved` has one entry a query: how many passages count, -1 where the run lacks the query. `first` and
    `last` (ranks at which a group of equal scores begins and ends) are None unless asked for. `strangers` are the
    queries of the run that have no judgments, in its order.
    """

    case: Any
    rank: Any
    grade: Any
    retrieved: Any
    strangers: Collection[str]
    unjudged_retrieved: int
    first: Any = None
    last: Any = None


class RunFacts(Struct, frozen=True):
    """One run against the judgments: `shards()` to be walked, `counts` of what is odd about it."""

    path: str
    judged: Judged
    hits: Hits
    rules: Rules

    @property
    def counts(self) -> dict[str, int]:
        """Named diagnostics of the run as a whole; those that are 0 are left out."""
        said = {
            "judged_queries_missing_from_run": int((self.hits.retrieved < 0).sum()),
            "run_queries_without_judgments": len(self.hits.strangers),
            "unjudged_retrieved": self.hits.unjudged_retrieved,
        }
        return {name: count for name, count in said.items() if count}

    def flags(self) -> Iterator[tuple[str, int, int]]:
        """The flags that the queries have (see `diagnostics`): name, place of the first query, how many."""
        keep = self._kept(slice(None))
        for flag, there in (
            ("empty_retrieval", self.hits.retrieved[keep] <= 0),
            ("no_relevant_documents", self.judged.relevant[keep] == 0),
        ):
            if there.any():
                yield flag, int(there.argmax()), int(there.sum())

    def _kept(self, here: slice) -> Any:
        """Which of these queries count (bool array)."""
        import numpy as np

        retrieved = self.hits.retrieved[here]
        return retrieved >= 0 if self.rules.queries == "common" else np.ones(len(retrieved), dtype=bool)

    def shards(self) -> Iterator[TiedBatch]:
        """The queries that count, in the order of the judgments."""
        for start in range(0, len(self.judged.ids), SHARD):
            if len(shard := self._shard(start)):
                yield shard

    def _shard(self, start: int) -> TiedBatch:
        import numpy as np

        judged, hits = self.judged, self.hits
        here = slice(start, start + SHARD)
        retrieved = hits.retrieved[here]
        keep = self._kept(here)
        place = np.cumsum(keep) - 1
        ends = (start, start + len(retrieved))
        entries, ideals = within(hits.case, ends), within(judged.ideal_case, ends)
        ideal_case = judged.ideal_case[ideals].astype(np.int64) - start
        counted = keep[ideal_case]

        def column(values: Any) -> Any:
            return values[entries].astype(np.int64)

        return TiedBatch(
            ids=list(compress(judged.ids[here], keep.tolist())),
            case=place[column(hits.case) - start],
            rank=column(hits.rank),
            grade=column(hits.grade),
            relevant=judged.relevant[here][keep],
            retrieved=retrieved[keep].clip(min=0).astype(np.int64),
            repeated=np.zeros(int(keep.sum()), dtype=np.int64),
            nonrelevant=judged.nonrelevant[here][keep],
            ideal_case=place[ideal_case[counted]],
            ideal_grade=judged.ideal_grade[ideals].astype(np.int64)[counted],
            level=self.rules.level,
            first=None if hits.first is None else column(hits.first),
            last=None if hits.last is None else column(hits.last),
        )


def within(ascending: Any, ends: tuple[int, int]) -> slice:
    """Where the values from the first to before the second end stand in an ascending array."""
    import numpy as np

    # needles of another type would have the whole array converted
    return slice(*np.searchsorted(ascending, np.array(ends, dtype=ascending.dtype)))


def judged_of(qrels: Sequence[tuple[str, Format]], problems: Problems, level: int) -> Judged:
    """The judgments of all files, read line by line. A query that stands in two files is a fault."""
    import numpy as np

    grades: dict[str, dict[str, int]] = {}
    for path, format in qrels:
        for case in format.read(path, problems):
            if case.id in grades:
                problems.add(path, 0, f"query '{case.id}' has judgments in another file too", kind="duplicate")
            grades[case.id] = case.qrels
    held = list(grades.values())
    ideals = [sorted([grade for grade in one.values() if grade > 0], reverse=True) for one in held]
    return Judged(
        ids=list(grades),
        index={query: place for place, query in enumerate(grades)},
        relevant=np.array([sum([g >= level for g in one.values()]) for one in held], dtype=np.int64),
        nonrelevant=np.array([sum([0 <= g < level for g in one.values()]) for one in held], dtype=np.int64),
        ideal_case=np.repeat(np.arange(len(held)), [len(ideal) for ideal in ideals]),
        ideal_grade=np.array([grade for ideal in ideals for grade in ideal], dtype=np.int64),
        grades=held,
    )


def hits_of(found: Table, judged: Judged, rules: Rules) -> Hits:
    """The judged passages of a run that was read line by line."""
    import numpy as np

    case, rank, grade, first, last = (array("q") for _ in range(5))
    retrieved = np.full(len(judged.index), -1, dtype=np.int64)
    strangers: list[str] = []
    unjudged = 0
    for query, (passages, scores) in found.items():
        place = judged.index.get(query)
        if place is None:
            strangers.append(query)
            continue
        grades = judged.grades[place]
        ranked = ranking(passages, scores, ties=rules.ties, score_bits=rules.score_bits)
        known = [pair for pair in ranked if grades.get(pair[1], -1) >= 0]
        unjudged += len(ranked) - len(known)
        if rules.judged_only:
            ranked = known
        retrieved[place] = len(ranked)
        falling = [score for score, _ in ranked] if rules.tied else []
        for at, (score, passage) in enumerate(ranked, 1):
            if passage not in grades:
                continue
            case.append(place)
            rank.append(at)
            grade.append(grades[passage])
            if rules.tied:
                first.append(bisect_left(falling, -score, key=neg) + 1)
                last.append(bisect_right(falling, -score, key=neg))
    order = np.argsort(np.array(case, dtype=np.int64), kind="stable")

    def sorted_(values: array[int]) -> Any:
        return np.array(values, dtype=np.int64)[order]

    return Hits(
        case=sorted_(case),
        rank=sorted_(rank),
        grade=sorted_(grade),
        retrieved=retrieved,
        strangers=strangers,
        unjudged_retrieved=unjudged,
        first=sorted_(first) if rules.tied else None,
        last=sorted_(last) if rules.tied else None,
    )


def warn_of_strangers(run: str, judged: Judged, hits: Hits, problems: Problems) -> None:
    """No common query at all is most often a mistake of files, which zeros would hide."""
    if judged.ids and hits.strangers and (hits.retrieved < 0).all():
        ours, theirs = judged.ids[0], next(iter(hits.strangers))
        said = f"no query of this run has judgments: it begins with '{theirs}', the judgments with '{ours}'"
        problems.warn(run, 0, said, group=f"no common query {run}")
