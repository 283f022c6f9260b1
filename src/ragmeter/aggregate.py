"""From scores to estimates: mergeable states, and the interval that stands beside each mean.

A Tally is the state of one measure in one slice. Tallies merge with `+`; order and partition change no number.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Measure
from ragmeter.result import ERRORS, REASONS, Estimate, Score
from ragmeter.sums import Exact, Histogram


class Tally:
    """Counts the scores of one measure: a histogram of values, and the reasons of the nulls."""

    def __init__(self, measure: Measure):
        self.measure = measure
        self.histogram = Histogram()
        self.reasons: Counter[str] = Counter()
        self.state: Any = None
        self.clusters: dict[str, tuple[Exact, int]] | None = None

    def add(self, score: Score, facts: Facts, count: int = 1, cluster: str | None = None) -> None:
        """A score that `count` cases share; `facts` feed metrics that keep a state of their own."""
        if score.reason:
            self.reasons[score.reason] += count
        else:
            self.histogram.add(score.num, score.den, count)
            if cluster is not None:
                self._add_cluster(cluster, score, count)
        if self.measure.metric.state is not None and not score.reason:
            state = self.measure.metric.state(facts, **self.measure.options)
            for _ in range(count):
                self.state = state if self.state is None else self.state + state

    def add_arrays(self, num: Any, den: Any, reason: Any) -> None:
        """The arrays of a kernel: one entry a case, reason 0 where there is a score."""
        import numpy as np

        for code in np.flatnonzero(np.bincount(reason)) if reason.any() else ():
            if code:
                count = int((reason == code).sum())
                word = REASONS[code]
                if word in self.measure.empty:
                    self.histogram.add(self.measure.empty[word], 1, count)
                else:
                    self.reasons[word] += count
        there = reason == 0
        if there.any():
            self.histogram.add_arrays(num[there], den[there] if np.ndim(den) else den)

    def _add_cluster(self, cluster: str, score: Score, count: int) -> None:
        if self.clusters is None:
            self.clusters = {}
        total, size = self.clusters.get(cluster) or (Exact(), 0)
        total.add(score.num / score.den, count)
        self.clusters[cluster] = (total, size + count)

    def __add__(self, other: Tally) -> Tally:
        both = Tally(self.measure)
        both.histogram = self.histogram + other.histogram
        both.reasons = self.reasons + other.reasons
        states = [t.state for t in (self, other) if t.state is not None]
        both.state = None if not states else states[0] if len(states) == 1 else states[0] + states[1]
        if self.clusters or other.clusters:
            both.clusters = dict(self.clusters or {})
            for name, (total, size) in (other.clusters or {}).items():
                mine = both.clusters.get(name) or (Exact(), 0)
                both.clusters[name] = (mine[0] + total, mine[1] + size)
        return both

    def value(self) -> float | None:
        """The aggregate: mean, sum, or what the metric's own `finish` makes of its state."""
        metric = self.measure.metric
        if not self.histogram.n:
            return None
        if metric.finish is not None:
            return metric.finish(self.state if metric.state is not None else self.histogram.mean())
        return self.histogram.total() if metric.aggregate == "sum" else self.histogram.mean()

    def estimate(self, slice: str, *, seed: int, intervals: bool) -> Estimate:
        """The estimate with its counts and, where asked for and defined, its interval."""
        measure = self.measure
        low, high, kind = None, None, "none"
        plain_mean = measure.metric.finish is None and measure.metric.aggregate == "mean"
        if intervals and plain_mean and self.histogram.n:
            low, high, kind = self._interval(slice, seed)
            if kind == "too_few" and measure.metric.interval is not None and not self._clustered:
                low, high, kind = measure.metric.interval(self.state)
        return Estimate(
            metric=measure.label,
            definition=measure.definition,
            slice=slice,
            value=self.value(),
            n_scored=self.histogram.n,
            n_null={reason: n for reason, n in sorted(self.reasons.items()) if reason not in ERRORS},
            n_error=sum(n for reason, n in self.reasons.items() if reason in ERRORS),
            low=low,
            high=high,
            interval=kind,
            higher_is_better=measure.metric.higher_is_better,
        )

    @property
    def _clustered(self) -> bool:
        return bool(self.clusters) and len(self.clusters or ()) < self.histogram.n

    def _interval(self, slice: str, seed: int) -> tuple[float | None, float | None, str]:
        from ragmeter.significance.intervals import interval_for_mean

        clusters = None
        if self._clustered:
            clusters = [(total.value(), size) for _, (total, size) in sorted((self.clusters or {}).items())]
        return interval_for_mean(
            self.histogram,
            seed=seed,
            key=f"{self.measure.definition}|{slice}",
            proportion=self.measure.metric.proportion,
            clusters=clusters,
            bounds=self.measure.metric.bounds,
        )
