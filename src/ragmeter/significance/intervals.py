"""Confidence intervals for proportions and means: numbers in, bounds out.

All are two-sided with equal tails. What fits when is decided in `interval_for_mean` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from ragmeter.significance.distributions import beta_quantile, normal_cdf, normal_quantile, student_quantile
from ragmeter.significance.draws import ONE_BY_ONE, Key, Stream, as_integers, resampled_sums
from ragmeter.sums import Histogram

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEWEST_CASES = 30  # below, no interval is shown
FEWEST_CLUSTERS = 20
MOST_DISTINCT = 4_096  # distinct values above which a mean gets a t interval
MOST_CASES = 20_000  # cases above which both bounds agree to three digits, and draws cost more than they tell
MOST_WORK = 4_096  # cases, or 40 times the distinct values, above which it gets one too: 0.2 s of draws
DRAWS = 10_000


class Interval(NamedTuple):
    """Bounds and how they were found; both None where `kind` says why there are none."""

    low: float | None
    high: float | None
    kind: str


def wilson(successes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval for a proportion: all p with |p^ - p| <= z sqrt(p (1 - p) / n).

    Its coverage is near `level` on average over p, not for every p. Source: Wilson, Probable Inference, the
    Law of Succession, and Statistical Inference, 1927. ValueError unless 0 <= successes <= n and n >= 1.
    """
    _check_count(successes, n)
    z = normal_quantile(upper_share(level))
    p, square = successes / n, z * z
    centre = (successes + square / 2) / (n + square)
    reach = z / (n + square) * sqrt(n * p * (1 - p) + square / 4)
    low = 0.0 if successes == 0 else max(0.0, centre - reach)
    high = 1.0 if successes == n else min(1.0, centre + reach)
    return low, high


def clopper_pearson(successes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The exact interval for a proportion: the p at which either binomial tail is (1 - level) / 2.

    Its coverage is at least `level` for every p. Bounds are beta quantiles. Source: Clopper and Pearson, The
    Use of Confidence or Fiducial Limits, 1934. ValueError unless 0 <= successes <= n and n >= 1.
    """
    _check_count(successes, n)
    tail = 1 - upper_share(level)
    low = 0.0 if successes == 0 else beta_quantile(successes, n - successes + 1, tail)[0]
    high = 1.0 if successes == n else beta_quantile(successes + 1, n - successes, tail, upper=True)[0]
    return low, high


def t_interval(n: int, mean: float, variance: float, level: float = 0.95) -> tuple[float, float]:
    """mean -+ t sqrt(variance / n), t of Student with n - 1 degrees of freedom; `variance` is over n - 1.

    Exact for normal scores, good for any with n above some hundreds. ValueError when n < 2.
    """
    if n < 2 or variance < 0:
        raise ValueError("a t interval needs two scores or more and a variance that is not negative")
    reach = student_quantile(upper_share(level), n - 1) * sqrt(variance / n)
    return mean - reach, mean + reach


def rule_of_three(n: int, value: float, bounds: tuple[float, float], level: float = 0.95) -> tuple[float, float]:
    """Bounds on the mean when all n scores were equal to `value` and scores lie within `bounds`.

    If a share q of all cases scored otherwise, n equal scores would have had the chance (1 - q)^n; the
    largest q not ruled out is 1 - (1 - level)^(1/n), about 3 / n at 95 %. The mean then moves at most that
    share of the way to either bound. Source: Hanley and Lippman-Hand, If Nothing Goes Wrong, Is Everything
    All Right?, 1983.
    """
    low, high = bounds
    if n < 1 or not low <= value <= high:
        raise ValueError(f"the value {value} lies outside {low} to {high}, or there is no score")
    share = 1 - (1 - level) ** (1 / n)
    return value - share * (value - low), value + share * (high - value)


def bootstrap_mean(
    values: Sequence[float],
    counts: Sequence[int],
    *,
    seed: int,
    key: Key,
    draws: int = DRAWS,
    method: str = "percentile",
    level: float = 0.95,
) -> tuple[float, float]:
    """Bootstrap interval of the mean of scores, `values[i]` having occurred `counts[i]` times.

    `method` is 'percentile' or 'bca' (bias-corrected and accelerated, with the jackknife's acceleration).
    Bounds are order statistics of the resampled means: places floor((draws + 1) a) from either end. Depends
    on seed, key, values and counts alone, not on the order of values. When all scores are equal, both bounds
    are that score, which says nothing: `interval_for_mean` does not show it. Sources: Efron and Tibshirani,
    An Introduction to the Bootstrap, 1993, 13.3 and 14.3. ValueError when there is no score.
    """
    merged = _merge(values, counts)
    values, counts = list(merged), list(merged.values())
    if not values:
        raise ValueError("there is no score to resample")
    if method not in ("percentile", "bca"):
        raise ValueError(f"the bootstrap is 'percentile' or 'bca', not {method!r}")
    n = sum(counts)
    if len(values) == 1:
        return values[0], values[0]
    units, offset, unit = as_integers(values, n)
    sums = resampled_sums(Stream(seed, key), counts, [units], draws)[0]
    sums.sort()
    tails = 1 - upper_share(level), 1 - upper_share(level)
    if method == "bca":
        tails = _bca_tails(sums, units, counts, tails[0])
    below, above = (outer_rank(tail, draws) for tail in tails)
    low, high = int(sums[below - 1]), int(sums[draws - above])
    return offset + unit * (low / n), offset + unit * (high / n)


def cluster_t(sums: Sequence[float], sizes: Sequence[int], level: float = 0.95) -> tuple[float, float]:
    """t interval of the mean of all cases when whole clusters were sampled; C - 1 degrees of freedom.

    `sums[c]` is the sum of the scores of cluster c, `sizes[c]` their number, n their total. Standard error:
    sqrt(C / (C - 1) sum_c (sums[c] - sizes[c] mean)^2) / n, the cluster-robust one. Source: Cameron and
    Miller, A Practitioner's Guide to Cluster-Robust Inference, 2015. ValueError below two clusters.
    """
    pairs = _clusters(zip(sums, sizes, strict=True))
    clusters, n = len(pairs), sum(size for _, size in pairs)
    if clusters < 2:
        raise ValueError("a cluster interval needs two clusters or more")
    mean = fsum(total for total, _ in pairs) / n
    spread = fsum((total - size * mean) ** 2 for total, size in pairs)
    error = sqrt(clusters / (clusters - 1) * spread) / n
    reach = student_quantile(upper_share(level), clusters - 1) * error
    return mean - reach, mean + reach


def cluster_bootstrap(
    sums: Sequence[float],
    sizes: Sequence[int],
    *,
    seed: int,
    key: Key,
    draws: int = DRAWS,
    level: float = 0.95,
) -> tuple[float, float]:
    """Percentile interval of the mean of all cases, resampling whole clusters with their cases.

    Each draw takes C clusters with replacement and divides the sum of their sums by that of their sizes.
    Does not depend on the order of the clusters. Source: Davison and Hinkley, Bootstrap Methods and Their
    Application, 1997, 3.8. ValueError when there is no cluster.
    """
    merged: dict[tuple[float, int], int] = {}
    for pair in _clusters(zip(sums, sizes, strict=True)):
        merged[pair] = merged.get(pair, 0) + 1
    if not merged:
        raise ValueError("there is no cluster to resample")
    units, offset, unit = as_integers([total for total, _ in merged], len(sums))
    columns = [units, [size for _, size in merged]]
    totals, cases = resampled_sums(Stream(seed, key), list(merged.values()), columns, draws)
    means = (offset * len(sums) + unit * totals) / cases
    means.sort()
    rank = outer_rank(1 - upper_share(level), draws)
    return float(means[rank - 1]), float(means[draws - rank])


def interval_for_mean(
    histogram: Histogram,
    *,
    seed: int,
    key: Key,
    proportion: bool = False,
    clusters: Iterable[tuple[float, int]] | None = None,
    bounds: tuple[float, float] | None = None,
    level: float = 0.95,
    bootstrap: bool = False,
) -> Interval:
    """The interval of a mean of scores, by the rules of the house; the first that fits.

    - fewer than 30 cases, or 20 clusters: 'too_few'
    - `clusters` [(sum, size)] where some share a cluster: 'cluster_t'
    - scores that are all 0 or 1 within `bounds` of (0, 1), which `proportion` stands for: 'wilson'
    - all scores equal: 'rule_of_three' within `bounds`, or 'constant' without bounds and without an interval
    - more than 4,096 distinct scores, or both n and 40 times their number above 4,096: 't' from the exact
      moments; `bootstrap=True` asks for the bootstrap wherever the distinct scores are still known
    - else 'bootstrap', by percentiles

    `bounds` are the least and the largest score a case can have, where that is known; bounds of the interval
    do not leave them. Only the bootstrap draws, and only it imports numpy.
    """
    if proportion:
        bounds = (0.0, 1.0)
    pairs = _clusters(clusters) if clusters is not None else []
    grouped = any(size > 1 for _, size in pairs)
    if histogram.n < FEWEST_CASES or (grouped and len(pairs) < FEWEST_CLUSTERS):
        return Interval(None, None, "too_few")
    distinct = histogram.distinct()
    if distinct is not None and len(distinct[0]) == 1:
        return _constant(len(pairs) if grouped else histogram.n, distinct[0][0], bounds, level)
    if grouped:
        low, high = cluster_t([total for total, _ in pairs], [size for _, size in pairs], level)
        return _within(low, high, "cluster_t", bounds)
    if distinct is not None and distinct[0] == (0.0, 1.0) and bounds == (0, 1):
        return Interval(*wilson(distinct[1][1], histogram.n, level), "wilson")
    if distinct is not None and (bootstrap or _affordable(histogram.n, len(distinct[0]))):
        return Interval(*bootstrap_mean(*distinct, seed=seed, key=key, level=level), "bootstrap")
    n, mean, variance = histogram.moments()
    assert mean is not None and variance is not None  # n >= 30
    return _within(*t_interval(n, mean, variance, level), "t", bounds)


def _affordable(n: int, distinct: int) -> bool:
    return n <= MOST_CASES and distinct <= MOST_DISTINCT and min(n, ONE_BY_ONE * distinct) <= MOST_WORK


def _constant(n: int, value: float, bounds: tuple[float, float] | None, level: float) -> Interval:
    if bounds is None or not bounds[0] <= value <= bounds[1]:
        return Interval(None, None, "constant")
    if bounds == (0, 1) and value in (0, 1):
        return Interval(*wilson(n if value else 0, n, level), "wilson")
    return Interval(*rule_of_three(n, value, bounds, level), "rule_of_three")


def _within(low: float, high: float, kind: str, bounds: tuple[float, float] | None) -> Interval:
    least, largest = bounds or (low, high)
    return Interval(max(low, least), min(high, largest), kind)


def _clusters(pairs: Iterable[tuple[float, int]]) -> list[tuple[float, int]]:
    """(sum, size) of every cluster that has cases, in an order of their own."""
    kept = sorted((total, size) for total, size in pairs if size)
    if any(size < 0 for _, size in kept):
        raise ValueError("a cluster cannot have a negative number of cases")
    return kept


def _bca_tails(sums: NDArray[Any], units: Sequence[int], counts: Sequence[int], tail: float) -> tuple[float, float]:
    """The shares to cut below and above, corrected for bias and acceleration; `sums` ascend."""
    draws, n = len(sums), sum(counts)
    observed = sum(unit * count for unit, count in zip(units, counts, strict=True))
    below, upto = (int(sums.searchsorted(observed, "left")), int(sums.searchsorted(observed, "right")))
    share = min(max((below + upto) / (2 * draws), 0.5 / draws), 1 - 0.5 / draws)
    bias = normal_quantile(share)
    gaps = [unit - observed / n for unit in units]
    squares = fsum(gap * gap * count for gap, count in zip(gaps, counts, strict=True))
    cubes = fsum(gap**3 * count for gap, count in zip(gaps, counts, strict=True))
    pull = cubes / (6 * squares**1.5)

    def corrected(z: float) -> float:
        return normal_cdf(bias + (bias + z) / (1 - pull * (bias + z)))

    z = normal_quantile(1 - tail)
    return corrected(-z), 1 - corrected(z)


def outer_rank(tail: float, draws: int) -> int:
    """How far from the end the order statistic stands that cuts off `tail`: 1 is the outermost."""
    return min(max(int((draws + 1) * tail + 1e-9), 1), draws)


def _merge(values: Sequence[float], counts: Sequence[int]) -> dict[float, int]:
    """Count per distinct value, ascending, values that did not occur left out."""
    merged: dict[float, int] = {}
    for value, count in sorted(zip(values, counts, strict=True)):
        if count < 0:
            raise ValueError("a score cannot occur a negative number of times")
        if count:
            merged[value] = merged.get(value, 0) + count
    return merged


def upper_share(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
    return 0.5 + level / 2


def _check_count(successes: int, n: int) -> None:
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} cases is no proportion")
