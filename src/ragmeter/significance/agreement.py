"""How far raters agree: a judge and a human, or any number of raters with gaps.

Two raters come as a confusion, {(label of one, label of the other): cases}; more as units, {(rating, rating,
None, ...): cases}. Every coefficient has a percentile bootstrap over cases. It is null with a reason where it
is not defined, which happens when one label is all there is: nobody can tell agreement from habit then.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ragmeter.significance.draws import Key, Stream, resampled_counts
from ragmeter.significance.intervals import DRAWS, FEWEST_CASES, Interval, outer_rank, upper_share, wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

Confusion = Mapping[tuple[Any, Any], int]
Units = Mapping[tuple[Any, ...], int]
WEIGHTS = {"none": 0, "linear": 1, "quadratic": 2}
FEWEST_DEFINED = 0.95  # share of resamples in which a coefficient must be defined to get an interval


class Agreement(NamedTuple):
    """A coefficient, its interval and the cases it stands on; `value` is None for a reason."""

    name: str
    value: float | None
    interval: Interval
    n: int
    reason: str = ""


def confusion(one: Iterable[Any], other: Iterable[Any]) -> dict[tuple[Any, Any], int]:
    """{(label of one, label of the other): cases}; a case that either left out (None) is not counted."""
    cells: dict[tuple[Any, Any], int] = {}
    for pair in zip(one, other, strict=True):
        if None not in pair:
            cells[pair] = cells.get(pair, 0) + 1
    return cells


def raw_agreement(cells: Confusion, level: float = 0.95) -> Agreement:
    """The share of cases in which both gave the same label, with Wilson's interval.

    The interval is 'too_few' below 30 cases. Null without a case ('no_pairs').
    """
    n = sum(cells.values())
    if not n:
        return _null("agreement", 0, "no_pairs")
    same = sum(count for (a, b), count in cells.items() if a == b)
    if n < FEWEST_CASES:
        return Agreement("agreement", same / n, Interval(None, None, "too_few"), n)
    return Agreement("agreement", same / n, Interval(*wilson(same, n, level), "wilson"), n)


def cohen_kappa(
    cells: Confusion,
    *,
    seed: int,
    key: Key,
    weights: str = "none",
    labels: Sequence[Hashable] | None = None,
    draws: int = DRAWS,
    level: float = 0.95,
) -> Agreement:
    """Cohen's kappa: 1 - sum w O / sum w E, observed over expected disagreement; 1 is perfect, 0 is chance.

    w is [i != j], |i - j| ('linear') or (i - j)^2 ('quadratic'), i and j the places of the labels in `labels`
    (by default the labels seen, sorted); E is the product of both raters' shares. Null when both used one and
    the same label only ('one_label'), or without a case ('no_pairs'). Collapses where one label is rare: see
    `gwet_ac1`. Sources: Cohen, A Coefficient of Agreement for Nominal Scales, 1960; Cohen, Weighted Kappa,
    1968. ValueError for unknown weights or a label that is not in `labels`.
    """
    if weights not in WEIGHTS:
        raise ValueError(f"weights are {', '.join(WEIGHTS)}; not {weights!r}")
    name = "kappa" if weights == "none" else f"kappa_{weights}"
    order, places, counts = _cells(cells, labels)
    if not counts:
        return _null(name, 0, "no_pairs")

    def formula(block: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        gaps = np.abs(np.subtract.outer(np.arange(len(order)), np.arange(len(order))))
        w = gaps ** WEIGHTS[weights] * (gaps > 0)
        first, second = _marginals(block, places, len(order))
        expected = ((first @ w) * second).sum(axis=1)
        observed = block @ np.array([w[i, j] for i, j in places]) * block.sum(axis=1)
        return _one_minus(observed, expected)

    return _estimate(name, counts, formula, "one_label", Stream(seed, key), draws, level)


def gwet_ac1(
    cells: Confusion,
    *,
    seed: int,
    key: Key,
    labels: Sequence[Hashable] | None = None,
    draws: int = DRAWS,
    level: float = 0.95,
) -> Agreement:
    """Gwet's AC1: (p_o - p_e) / (1 - p_e), which stays meaningful where one label is rare.

    p_e = sum_k pi_k (1 - pi_k) / (K - 1), pi_k being the mean of both raters' shares of label k. K counts
    `labels` (by default the labels seen). Null with fewer than two labels ('one_label') or without a case
    ('no_pairs'). Source: Gwet, Computing Inter-Rater Reliability and Its Variance in the Presence of High
    Agreement, 2008.
    """
    order, places, counts = _cells(cells, labels)
    if not counts:
        return _null("ac1", 0, "no_pairs")
    if len(order) < 2:
        return _null("ac1", sum(counts), "one_label")

    def formula(block: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        n = block.sum(axis=1)
        first, second = _marginals(block, places, len(order))
        shared = first + second  # 2 n pi_k
        chance = (shared * (2 * n[:, None] - shared)).sum(axis=1) / (4.0 * n * n * (len(order) - 1))
        same = block @ np.array([i == j for i, j in places], np.int64) / n
        result: NDArray[Any] = (same - chance) / (1 - chance)  # chance is at most 1 / K
        return result

    return _estimate("ac1", counts, formula, "one_label", Stream(seed, key), draws, level)


def krippendorff_alpha(
    units: Units,
    *,
    seed: int,
    key: Key,
    metric: str = "nominal",
    draws: int = DRAWS,
    level: float = 0.95,
) -> Agreement:
    """Krippendorff's alpha: 1 - D_o / D_e for any number of raters; None is a rating that is missing.

    A unit with m >= 2 ratings adds its pairs, each over m - 1, to the n pairable ratings; D_o = (1 / n) sum
    o_ck d_ck, D_e = 1 / (n (n - 1)) sum n_c n_k d_ck. d is [c != k] ('nominal'), (midrank(c) - midrank(k))^2
    ('ordinal'), (c - k)^2 ('interval') or ((c - k) / (c + k))^2 ('ratio'). The bootstrap draws units. Null
    without a unit that has two ratings ('no_pairs') and when all ratings are equal ('one_label'), where
    others return 1 or 0. Ordered metrics need ratings that sort, the last two numbers. Source: Krippendorff,
    Content Analysis, 2004, 11.3. ValueError for another metric, or a negative ratio.
    """
    if metric not in ("nominal", "ordinal", "interval", "ratio"):
        raise ValueError(f"alpha is nominal, ordinal, interval or ratio; not {metric!r}")
    name = f"alpha_{metric}"
    order, patterns = _patterns(units)
    if not patterns:
        return _null(name, 0, "no_pairs")
    if metric == "ratio" and order[0] < 0:
        raise ValueError("a ratio scale has no negative ratings")
    build = _ordinal if metric == "ordinal" else _fixed
    formula = build(order, list(patterns), metric)
    return _estimate(name, list(patterns.values()), formula, "one_label", Stream(seed, key), draws, level)


Formula = Callable[["NDArray[Any]"], "NDArray[Any]"]


def _fixed(order: Sequence[Any], patterns: Sequence[tuple[int, ...]], metric: str) -> Formula:
    """Alpha for a block of unit counts, with distances that do not depend on the ratings seen."""
    import numpy as np

    table = np.array(patterns, np.float64)
    distance = np.array([[_distance(a, b, metric) for b in order] for a in order], np.float64)
    within = ((table @ distance) * table).sum(axis=1) / (table.sum(axis=1) - 1)

    def formula(block: NDArray[Any]) -> NDArray[Any]:
        totals = block @ table
        n = totals.sum(axis=1)
        expected = ((totals @ distance) * totals).sum(axis=1)
        return _one_minus((block @ within) * (n - 1), expected)

    return formula


def _ordinal(order: Sequence[Any], patterns: Sequence[tuple[int, ...]], metric: str) -> Formula:
    """Alpha for a block of unit counts, with the distances of midranks, which every resample has its own.

    The sum of (r_c - r_k)^2 over all ordered pairs of m ratings is 2 (m sum r^2 - (sum r)^2).
    """
    import numpy as np

    table = np.array(patterns, np.float64)
    m = table.sum(axis=1)

    def formula(block: NDArray[Any]) -> NDArray[Any]:
        totals = block @ table
        n = totals.sum(axis=1)
        ranks = np.cumsum(totals, axis=1) - totals / 2 - n[:, None] / 2
        within = (m * (ranks * ranks @ table.T) - (ranks @ table.T) ** 2) / (m - 1)
        expected = n * (totals * ranks * ranks).sum(axis=1) - (totals * ranks).sum(axis=1) ** 2
        return _one_minus((block * within).sum(axis=1) * (n - 1), expected)

    return formula


def _distance(a: Any, b: Any, metric: str) -> float:
    if a == b:
        return 0.0
    if metric == "nominal":
        return 1.0
    gap = a - b if metric == "interval" else (a - b) / (a + b)
    return float(gap * gap)


def _patterns(units: Units) -> tuple[list[Any], dict[tuple[int, ...], int]]:
    """(ratings seen, ascending; {how often a unit was given each: units}), for units with two or more."""
    pairable = {
        unit: count for unit, count in units.items() if count and sum(rating is not None for rating in unit) > 1
    }
    order = _sorted({rating for unit in pairable for rating in unit if rating is not None})
    place = {rating: i for i, rating in enumerate(order)}
    found: dict[tuple[int, ...], int] = {}
    for unit, count in pairable.items():
        given = [0] * len(order)
        for rating in unit:
            if rating is not None:
                given[place[rating]] += 1
        found[tuple(given)] = found.get(tuple(given), 0) + count
    return order, dict(sorted(found.items()))


def _cells(cells: Confusion, labels: Sequence[Hashable] | None) -> tuple[list[Any], list[tuple[int, int]], list[int]]:
    """(labels in order, (place, place) of every cell that has cases, their counts), in canonical order."""
    seen = {label for pair, count in cells.items() if count for label in pair}
    order = list(labels) if labels is not None else _sorted(seen)
    if not seen <= set(order):
        raise ValueError(f"a label is not among {order}: {_sorted(seen - set(order))}")
    place = {label: i for i, label in enumerate(order)}
    rows = sorted((place[a], place[b], count) for (a, b), count in cells.items() if count)
    return order, [(a, b) for a, b, _ in rows], [count for _, _, count in rows]


def _sorted(labels: Iterable[Any]) -> list[Any]:
    """Ascending; labels of different kinds by the name of their type first, numbers together."""
    return sorted(labels, key=lambda x: ("" if isinstance(x, (int, float)) else type(x).__name__, x))


def _marginals(
    block: NDArray[Any], places: Sequence[tuple[int, int]], labels: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """How often either rater gave each label: two arrays (draws, labels), int64."""
    import numpy as np

    eye = np.eye(labels, dtype=np.int64)
    first, second = np.array(places).T
    return block @ eye[first], block @ eye[second]


def _one_minus(observed: NDArray[Any], expected: NDArray[Any]) -> NDArray[Any]:
    """1 - observed / expected; NaN, for the caller to drop, where nothing is expected."""
    import numpy as np

    ratio = np.full(len(expected), np.nan)
    np.divide(observed, expected, out=ratio, where=expected > 0)
    return 1 - ratio


def _estimate(
    name: str,
    counts: Sequence[int],
    formula: Formula,
    reason: str,
    stream: Stream,
    draws: int,
    level: float,
) -> Agreement:
    """The coefficient of the counts as they are, and percentiles of those of resampled counts."""
    import numpy as np

    n = sum(counts)
    value = float(formula(np.array([counts]))[0])
    if np.isnan(value):
        return _null(name, n, reason)
    if n < FEWEST_CASES:
        return Agreement(name, value, Interval(None, None, "too_few"), n)
    drawn = np.concatenate([formula(block) for block in resampled_counts(stream, counts, draws)])
    drawn = np.sort(drawn[~np.isnan(drawn)])
    if len(drawn) < FEWEST_DEFINED * draws:
        return Agreement(name, value, Interval(None, None, "undefined"), n)
    if drawn[0] == drawn[-1]:
        return Agreement(name, value, Interval(None, None, "constant"), n)
    rank = outer_rank(1 - upper_share(level), len(drawn))
    return Agreement(name, value, Interval(float(drawn[rank - 1]), float(drawn[-rank]), "bootstrap"), n)


def _null(name: str, n: int, reason: str) -> Agreement:
    return Agreement(name, None, Interval(None, None, "none"), n, reason)
