"""From cases and outputs to a Result: each distinct tuple of integers is scored once and counted.

Rows follow input order; every number is the same whatever the order or the partition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import json

from ragmeter.aggregate import Tally
from ragmeter.diagnostics import flags, record_flags
from ragmeter.facts import Facts, reduce
from ragmeter.metrics import Measure
from ragmeter.profiles import Profile
from ragmeter.records import Case, Output
from ragmeter.result import Result, Score
from ragmeter.store import Spool

ROWS = 256  # rows joined before they go to the spool
DISTINCT = 10_000  # distinct tuples held before they are folded into the tallies

Judged = Mapping[str, Mapping[str, Any]]


class Entry:
    """What one distinct tuple of integers means: its scores, its flags, its part of the row, how often it came."""

    __slots__ = ("count", "facts", "flags", "scores", "slices", "tail")

    def __init__(self, facts: Facts, scores: tuple[Score, ...], flags: tuple[str, ...], tail: bytes):
        self.facts = facts
        self.scores = scores
        self.flags = flags
        self.tail = tail
        self.count = 0
        self.slices: dict[tuple[str, ...], int] = {}


class Evaluation:
    """Takes cases one by one (or in columnar shards) and ends in a Result. Rows go to `spool` as they come."""

    def __init__(
        self,
        measures: Sequence[Measure],
        profile: Profile,
        *,
        by: Sequence[str] = (),
        seed: int = 0,
        level: int = 1,
        spool: Spool | None = None,
    ):
        self.measures = tuple(measures)
        self.profile = profile
        self.by = tuple(by)
        self.seed = seed
        self.level = level
        self.spool = spool
        self.depth = max((m.depth for m in self.measures), default=0)
        self.by_record = any(m.metric.by_record for m in self.measures)
        self.case_count = 0
        self.first: dict[str, int] = {}  # flag -> index of its first case
        self.flag_counts: dict[str, int] = {}
        self._memo: dict[tuple[Any, ...], Entry] = {}
        self._tallies: dict[str, list[Tally]] = {"": self._fresh()}

    @property
    def integers_only(self) -> bool:
        """Whether a case is nothing but its tuple of integers: no slices, no records, no flags of records."""
        return not (self.by or self.by_record or self.profile.record_flags)

    def _fresh(self) -> list[Tally]:
        return [Tally(measure) for measure in self.measures]

    def add_judged(self, triples: Iterable[tuple[Case, Output, Judged]]) -> None:
        """Every case with its output and its judgments by kind and subject."""
        for case, output, judged in triples:
            self.add(case, output, judged)
        self._fold()

    def add_all(self, pairs: Iterable[tuple[Case, Output]]) -> None:
        """Every pair, without judgments."""
        if not self.integers_only:
            for case, output in pairs:
                self.add(case, output)
            self._fold()
            return
        level, depth = self.level, self.depth
        self.add_reduced((case.id, reduce(case, output, level, depth)) for case, output in pairs)

    def add_reduced(self, reduced: Iterable[tuple[str, tuple[Any, ...]]]) -> None:
        """Ids with their tuples of integers: the hot path, a million cases in a few seconds."""
        memo, encode = self._memo, json.encode
        rows: list[bytes] = []
        for id, key in reduced:
            entry = memo.get(key)
            if entry is None:
                entry = self._enter(key)
            entry.count += 1
            self.case_count += 1
            rows.append(b'{"id":' + encode(id) + entry.tail)
            if len(rows) >= ROWS:
                self._write(rows)
        self._write(rows)
        self._fold()

    def _write(self, rows: list[bytes]) -> None:
        if self.spool is not None:
            self.spool.write(b"".join(rows))
        rows.clear()

    def add(self, case: Case, output: Output, judged: Judged | None = None) -> None:
        """One case, with its slices, clusters and whatever its metrics need beyond the integers."""
        key = reduce(case, output, self.level, self.depth)
        entry = self._memo.get(key) or self._enter(key)
        tags = self._tags(case)
        names = self._slices(tags)
        scores, tail = entry.scores, entry.tail
        more = self._record_flags(case, output, judged)
        if self.by_record or more or case.cluster is not None:
            facts = entry.facts._replace(judged=judged, case=case, output=output)
            if self.by_record:
                scores = tuple(
                    measure.score(facts) if measure.metric.by_record else score
                    for measure, score in zip(self.measures, entry.scores, strict=True)
                )
            found = entry.flags + more
            tail = self._tail(scores, found, tags, case.cluster)
            self._count_flags(found, 1)
            self._tally(names, scores, facts, 1, case.cluster)
        else:
            entry.slices[names] = entry.slices.get(names, 0) + 1
            tail = self._tail(scores, entry.flags, tags) if tags else tail
        self.case_count += 1
        if self.spool is not None:
            self.spool.write(b'{"id":' + json.encode(case.id) + tail)
        if len(self._memo) >= DISTINCT:
            self._fold()

    def _record_flags(self, case: Case, output: Output, judged: Judged | None) -> tuple[str, ...]:
        profile = self.profile
        return record_flags(case, output, judged, rules=profile.reading) if profile.record_flags else ()

    def add_batch(self, batch: Any) -> None:
        """A columnar shard: kernels where a measure has one, else the distinct Facts of its cases."""
        import numpy as np

        columns: list[tuple[Any, Any, Any] | None] = []
        own = [(m, t) for m, t in zip(self.measures, self._tallies[""], strict=True) if m.metric.kernel is None]
        for measure, tally in zip(self.measures, self._tallies[""], strict=True):
            if measure.metric.kernel is None:
                columns.append(None)
                continue
            num, den, reason = measure.metric.kernel(batch, **measure.options)
            den = np.broadcast_to(den, num.shape)
            tally.add_arrays(num, den, reason)
            columns.append((num, den, reason))
        self.case_count += len(batch)
        if own or self.spool is not None:
            self._batch_rows(batch, columns)

    def _batch_rows(self, batch: Any, columns: list[Any]) -> None:
        from ragmeter.result import REASONS

        lists = [column and tuple(array.tolist() for array in column) for column in columns]
        for i in range(len(batch)):
            facts = batch.facts(i)
            scores = []
            for measure, tally, column in zip(self.measures, self._tallies[""], lists, strict=True):
                if column is None:
                    score = measure.score(facts)
                    tally.add(score, facts)
                else:
                    score = measure.settle(Score(column[0][i], column[1][i], REASONS[column[2][i]]))
                scores.append(score)
            found = flags(facts)
            self._count_flags(found, 1)
            if self.spool is not None:
                self.spool.write(b'{"id":' + json.encode(batch.ids[i]) + self._tail(tuple(scores), found, None))

    def _enter(self, key: tuple[Any, ...]) -> Entry:
        if len(self._memo) >= DISTINCT:
            self._fold()
        facts = Facts(*key)
        scores = tuple(Score(0, 1, "not_scored") if m.metric.by_record else m.score(facts) for m in self.measures)
        found = flags(facts)
        for flag in found:
            self.first.setdefault(flag, self.case_count)
        entry = Entry(facts, scores, found, self._tail(scores, found, None))
        self._memo[key] = entry
        return entry

    def _tail(self, scores: tuple[Score, ...], found: tuple[str, ...], tags: dict[str, str] | None, cluster: str | None = None) -> bytes:  # fmt: skip
        row: dict[str, Any] = {
            "metrics": {m.label: s.value for m, s in zip(self.measures, scores, strict=True)},
            "diagnostics": found,
        }
        nulls = {m.label: s.reason for m, s in zip(self.measures, scores, strict=True) if s.reason}
        if nulls and self.profile.row_nulls:
            row["nulls"] = nulls
        if tags:
            row["tags"] = tags
        if cluster is not None:
            row["cluster"] = cluster
        return b"," + json.encode(row)[1:] + b"\n"

    def _tags(self, case: Case) -> dict[str, str]:
        tags = case.tags or {}
        return {name: tags[name] for name in self.by if name in tags}

    def _slices(self, tags: dict[str, str]) -> tuple[str, ...]:
        return ("", *(f"{name}={value}" for name, value in tags.items()))

    def _count_flags(self, found: tuple[str, ...], count: int) -> None:
        for flag in found:
            self.first.setdefault(flag, self.case_count)
            self.flag_counts[flag] = self.flag_counts.get(flag, 0) + count

    def _tally(self, names: Iterable[str], scores: tuple[Score, ...], facts: Facts, count: int, cluster: str | None = None) -> None:  # fmt: skip
        for name in names:
            if name not in self._tallies:
                self._tallies[name] = self._fresh()
            for tally, score in zip(self._tallies[name], scores, strict=True):
                tally.add(score, facts, count, cluster)

    def _fold(self) -> None:
        """Pour the counted tuples into the tallies and forget them."""
        for entry in self._memo.values():
            if entry.count:
                entry.slices[("",)] = entry.slices.get(("",), 0) + entry.count
            for names, count in entry.slices.items():
                self._tally(names, entry.scores, entry.facts, count)
                self._count_flags(entry.flags, count)
            entry.count, entry.slices = 0, {}
        self._memo.clear()

    def result(self, provenance: dict[str, Any], *, k: int | None = None, title: str = "") -> Result:
        """The estimates of all slices (the whole first, then slices by tag in the order asked for)."""
        self._fold()
        order = {name: place for place, name in enumerate(self.by)}
        names = sorted(self._tallies, key=lambda name: (name != "", order.get(name.partition("=")[0], 0), name))
        estimates = tuple(
            tally.estimate(name, seed=self.seed, intervals=self.profile.intervals)
            for name in names
            for tally in self._tallies[name]
        )
        counts = {flag: self.flag_counts[flag] for flag in sorted(self.flag_counts, key=self.first.__getitem__)}
        return Result(self.case_count, k, estimates, counts, provenance, title=title)


def evaluate(
    pairs: Iterable[tuple[Case, Output]],
    measures: Sequence[Measure],
    profile: Profile,
    *,
    by: Sequence[str] = (),
    seed: int = 0,
    level: int = 1,
    spool: Spool | None = None,
    provenance: dict[str, Any] | None = None,
    k: int | None = None,
) -> Result:
    """The whole step at once, for callers that have pairs: cases with what one system did with them."""
    evaluation = Evaluation(measures, profile, by=by, seed=seed, level=level, spool=spool)
    evaluation.add_all(pairs)
    return evaluation.result(provenance or {}, k=k)
