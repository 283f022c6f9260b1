"""Many tests at once: adjusted p values, and a randomisation test that compares all runs together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragmeter.significance.draws import Key, Stream
from ragmeter.significance.intervals import DRAWS

if TYPE_CHECKING:
    from numpy.typing import NDArray


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down adjusted p values, in the order given: they bound the chance of any false alarm.

    With p(1) <= ... <= p(m): adjusted(i) = max over j <= i of min(1, (m - j + 1) p(j)). None (no test) stays
    None and is not counted. Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979.
    """
    order = _ascending(ps)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, place) in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p))
        adjusted[place] = highest
    return adjusted


def benjamini_hochberg(ps: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Hochberg's step-up adjusted p values: they bound the expected share of false alarms.

    adjusted(i) = min over j >= i of m p(j) / j. None stays None and is not counted. Source: Benjamini and
    Hochberg, Controlling the False Discovery Rate, 1995.
    """
    order = _ascending(ps)
    adjusted: list[float | None] = [None] * len(ps)
    lowest = 1.0
    for rank in range(len(order), 0, -1):
        p, place = order[rank - 1]
        lowest = min(lowest, len(order) * p / rank)
        adjusted[place] = lowest
    return adjusted


def max_t(
    scores: Sequence[Sequence[float]],
    *,
    seed: int,
    key: Key,
    baseline: int | None = None,
    draws: int = DRAWS,
) -> dict[tuple[int, int], float]:
    """Adjusted p for every pair of runs at once: randomised Tukey HSD.

    `scores` has a row per case and a column per run. Under the null the runs of a case are exchangeable: each
    draw permutes every row and keeps the largest difference between two column means. p of (i, j) is (draws
    at or beyond the observed difference of i and j + 1) / (draws + 1). With `baseline` only the pairs
    (baseline, j) are compared, and only their differences enter the maximum. Bounds the chance of any false
    alarm. {} below two runs or without cases. Does not depend on the order of rows. Sources: Carterette,
    Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval Experiments, 2012; Sakai,
    Laboratory Experiments in Information Retrieval, 2018. ValueError when rows differ in length or a score is
    not finite.
    """
    import numpy as np

    if not len(scores):
        return {}
    rows = np.array(sorted(map(tuple, scores)), np.float64)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise ValueError("scores need one finite number for every case and run")
    runs = rows.shape[1]
    if runs < 2:
        return {}
    rows = _whole(rows)
    observed = rows.sum(axis=0)
    moving = rows[(rows != rows[:, :1]).any(axis=1)]
    fixed = observed - moving.sum(axis=0)
    sums = _permuted_sums(moving, Stream(seed, key), draws) + fixed
    if baseline is None:
        largest = sums.max(axis=1) - sums.min(axis=1)
        pairs = [(i, j) for i in range(runs) for j in range(i + 1, runs)]
    else:
        largest = np.abs(sums - sums[:, baseline : baseline + 1]).max(axis=1)
        pairs = [(baseline, j) for j in range(runs) if j != baseline]
    hits = {(i, j): int((largest >= abs(observed[i] - observed[j])).sum()) for i, j in pairs}
    return {pair: (count + 1) / (draws + 1) for pair, count in hits.items()}


def _ascending(ps: Sequence[float | None]) -> list[tuple[float, int]]:
    order = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    if any(not 0 <= p <= 1 for p, _ in order):
        raise ValueError("a p value lies between 0 and 1")
    return order


def _whole(rows: NDArray[Any]) -> NDArray[Any]:
    """The scores as whole multiples of a small unit (int64), so that sums are exact and ties are ties."""
    import numpy as np

    largest = float(np.abs(rows).max()) * len(rows)
    scale = 1e12
    while largest * scale >= 2.0**62:
        scale /= 10
    return np.rint(rows * scale).astype(np.int64)


def _permuted_sums(rows: NDArray[Any], stream: Stream, draws: int) -> NDArray[Any]:
    """Column sums after permuting every row at random: (draws, runs), int64."""
    import numpy as np

    cases, runs = rows.shape
    sums = np.zeros((draws, runs), np.int64)
    if not cases:
        return sums
    block = max(1, (1 << 18) // (cases * runs))
    for start in range(0, draws, block):
        stop = min(start + block, draws)
        keys = stream.words((stop - start) * cases * runs).reshape(-1, cases, runs)
        mixed = np.take_along_axis(rows[None], np.argsort(keys, axis=2), axis=2)
        sums[start:stop] = mixed.sum(axis=1)
    return sums
