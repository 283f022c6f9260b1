"""Columnar facts: a shard of cases as numpy arrays, for bulk files such as TREC runs.

A batch holds judged retrieved passages only (and of those only the positive ones, unless a metric needs the
rest), with counts and ideals per case. Kernels read it; `facts(i)` gives any other metric its Facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec

from ragmeter.facts import QRELS, RETRIEVED, Facts


class FactsBatch(msgspec.Struct, frozen=True, dict=True):
    """n cases. `case`, `rank`, `grade` are int64 arrays of one length, sorted by case, then rank.

    `case` indexes `ids`. `relevant`, `retrieved`, `repeated`, `nonrelevant` are int64 arrays of length n.
    `ideal_case`, `ideal_grade` list the positive grades of all judged passages, sorted by case, best first.
    """

    ids: Sequence[str]
    case: Any
    rank: Any
    grade: Any
    relevant: Any
    retrieved: Any
    repeated: Any
    nonrelevant: Any
    ideal_case: Any
    ideal_grade: Any
    level: int = 1

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def hits(self) -> Any:
        """Which of the retrieved judged passages are relevant (bool array)."""
        return self.grade >= self.level

    @cached_property
    def starts(self) -> Any:
        """Where the retrieved passages of each case begin: n + 1 offsets."""
        import numpy as np

        return np.searchsorted(self.case, np.arange(len(self) + 1))

    @cached_property
    def ideal_starts(self) -> Any:
        """Where the ideal list of each case begins: n + 1 offsets."""
        import numpy as np

        return np.searchsorted(self.ideal_case, np.arange(len(self) + 1))

    @cached_property
    def ideal_rank(self) -> Any:
        """The 1-based place of each entry of the ideal lists."""
        import numpy as np

        return np.arange(len(self.ideal_case)) - self.ideal_starts[self.ideal_case] + 1

    @cached_property
    def hit_number(self) -> Any:
        """How many relevant passages stand at or above each entry, within its case."""
        import numpy as np

        running = np.concatenate(([0], np.cumsum(self.hits)))
        return running[1:] - running[self.starts[:-1]][self.case]

    def count(self, chosen: Any) -> Any:
        """How many chosen entries (bool array) each case has: int64 array of length n."""
        import numpy as np

        return np.bincount(self.case[chosen], minlength=len(self))

    def total(self, case: Any, weights: Any) -> Any:
        """The weights summed per case, left to right as `metrics.running` adds them: float64 array of length n."""
        import numpy as np

        return np.bincount(case, weights=weights, minlength=len(self))

    def first_hit(self) -> Any:
        """The rank of the first relevant passage of each case, 0 where there is none."""
        import numpy as np

        first = np.zeros(len(self), dtype=np.int64)
        case, rank = self.case[self.hits], self.rank[self.hits]
        first[case[::-1]] = rank[::-1]  # the last write of a case is its first rank
        return first

    def facts(self, i: int) -> Facts:
        """The Facts of case i, for metrics without a kernel."""
        here = slice(self.starts[i], self.starts[i + 1])
        counts: dict[int, int] = {}
        for grade in self.ideal_grade[self.ideal_starts[i] : self.ideal_starts[i + 1]].tolist():
            counts[grade] = counts.get(grade, 0) + 1
        return Facts(
            relevant=int(self.relevant[i]),
            retrieved=int(self.retrieved[i]),
            repeated=int(self.repeated[i]),
            ranks=tuple(self.rank[here].tolist()),
            grades=tuple(self.grade[here].tolist()),
            ideal=tuple(counts.items()),
            nonrelevant=int(self.nonrelevant[i]),
            level=self.level,
            recorded=QRELS | RETRIEVED,
        )


def batch_of(rows: Sequence[tuple[str, Facts]], level: int = 1) -> FactsBatch:
    """A batch of the same integers as these Facts."""
    import numpy as np

    def column(values: list[int]) -> Any:
        return np.array(values, dtype=np.int64)

    facts = [f for _, f in rows]
    return FactsBatch(
        ids=[id for id, _ in rows],
        case=column([i for i, f in enumerate(facts) for _ in f.ranks]),
        rank=column([r for f in facts for r in f.ranks]),
        grade=column([g for f in facts for g in f.grades]),
        relevant=column([f.relevant for f in facts]),
        retrieved=column([f.retrieved for f in facts]),
        repeated=column([f.repeated for f in facts]),
        nonrelevant=column([f.nonrelevant for f in facts]),
        ideal_case=column([i for i, f in enumerate(facts) for _, n in f.ideal for _ in range(n)]),
        ideal_grade=column([g for f in facts for g, n in f.ideal for _ in range(n)]),
        level=level,
    )
