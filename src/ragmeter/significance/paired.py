"""Two runs on the same cases: tests, effect sizes and the interval of the mean difference."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, fsum, lgamma, sqrt
from typing import NamedTuple

from ragmeter.significance.distributions import binomial_cdf, normal_sf, student_two_sided
from ragmeter.significance.draws import Key
from ragmeter.significance.intervals import DRAWS, FEWEST_CASES, Interval, bootstrap_mean, rule_of_three, wilson
from ragmeter.significance.pairs import (
    Differences,
    Finding,
    Pairs,
    Tally,
    checked,
    differences,
    mean_difference,
    moments,
    rank_sums,
    tally,
)
from ragmeter.significance.signflip import sign_flip

MOST_EXACT_RANKS = 50


class Comparison(NamedTuple):
    """All that is said of one metric in two runs; see `compare_pairs`."""

    n: int
    mean_a: float
    mean_b: float
    difference: float
    interval: Interval
    tally: Tally
    test: Finding
    cohen_dz: float | None
    rank_biserial: float | None


def compare_pairs(
    pairs: Pairs,
    *,
    seed: int,
    key: Key,
    tolerance: float = 0.0,
    bounds: tuple[float, float] | None = None,
    level: float = 0.95,
) -> Comparison:
    """One metric in two runs: means, difference b - a with its interval, wins and losses, p and effect sizes.

    The test is exact McNemar when every score is 0 or 1, else the sign flip. `bounds` are those of a score,
    `tolerance` counts small differences as ties in the tally alone. ValueError when there is no pair.
    """
    d = differences(pairs)
    n = sum(d.values())
    difference = mean_difference(d)
    if all(a in (0, 1) and b in (0, 1) for a, b in pairs):
        test = mcnemar_exact(d.get(-1.0, 0), d.get(1.0, 0))
    else:
        test = sign_flip(d, seed=seed, key=key)
    span = None if bounds is None else (bounds[0] - bounds[1], bounds[1] - bounds[0])
    return Comparison(
        n,
        fsum(a * count for (a, _), count in pairs.items()) / n,
        fsum(b * count for (_, b), count in pairs.items()) / n,
        difference,
        interval_of_difference(d, seed=seed, key=key, level=level, bounds=span),
        tally(d, tolerance),
        test,
        cohen_dz(d),
        rank_biserial(d),
    )


def sign_test(d: Differences, tolerance: float = 0.0) -> Finding:
    """Exact sign test: wins against losses, ties left out; twice the smaller binomial tail, at most 1.

    Statistic: wins. Source: Arbuthnot, 1710; Dixon and Mood, The Statistical Sign Test, 1946.
    """
    wins, _, losses = tally(d, tolerance)
    return mcnemar_exact(losses, wins)._replace(test="sign_test")


def mcnemar_exact(b: int, c: int) -> Finding:
    """Exact McNemar test of two paired proportions, from the cases in which just one run is right.

    In `b` of them it is a, in `c` it is b.
    p = min(1, 2 P(X <= min(b, c))) for X binomial with b + c trials and chance 1/2; 1 when none is
    discordant. Statistic: c; n: b + c. Source: McNemar, Note on the Sampling Error of the Difference Between
    Correlated Proportions, 1947.
    """
    n = checked(b) + checked(c)
    p = 1.0 if b == c else min(1.0, 2 * binomial_cdf(min(b, c), n))
    return Finding("mcnemar_exact", p, float(c), n)


def newcombe(pairs: Pairs, level: float = 0.95) -> tuple[float, float]:
    """Interval of the difference b - a of two paired proportions; scores are 0 or 1. Good for few cases.

    Wilson's limits of both proportions, squared and added, less twice their correlation (continuity-corrected).
    Source: Newcombe, Improved Confidence Intervals for the Difference Between Binomial Proportions Based on Paired
    Data, 1998, method 10. ValueError when there is no pair.
    """
    both, only_a, only_b, neither = (pairs.get(key, 0) for key in ((1, 1), (1, 0), (0, 1), (0, 0)))
    n = both + only_a + only_b + neither
    p, q = (both + only_b) / n if n else 0.0, (both + only_a) / n if n else 0.0
    low_b, high_b = wilson(both + only_b, n, level)
    low_a, high_a = wilson(both + only_a, n, level)
    phi = _phi(both, only_a, only_b, neither)
    down, up = p - low_b, high_b - p
    low = down**2 - 2 * phi * down * (high_a - q) + (high_a - q) ** 2
    high = up**2 - 2 * phi * up * (q - low_a) + (q - low_a) ** 2
    return max(-1.0, p - q - sqrt(max(low, 0.0))), min(1.0, p - q + sqrt(max(high, 0.0)))


def _phi(both: int, only_a: int, only_b: int, neither: int) -> float:
    """The correlation of two paired proportions, a positive covariance drawn in by n / 2; 0 where a margin is empty."""
    n = both + only_a + only_b + neither
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    if not margins:
        return 0.0
    covariance = both * neither - only_a * only_b
    return (covariance if covariance < 0 else max(covariance - n / 2, 0.0)) / sqrt(margins)


def paired_t(d: Differences) -> Finding:
    """Student's paired t test: t = mean / (sd / sqrt(n)), n - 1 degrees of freedom.

    Null below two pairs ('too_few') and when all differences are equal ('constant'). Source: Student, The
    Probable Error of a Mean, 1908.
    """
    n, mean, variance = moments(d)
    if n < 2:
        return Finding("paired_t", None, None, n, "too_few")
    if variance == 0:
        return Finding("paired_t", None, None, n, "constant")
    t = mean / sqrt(variance / n)
    return Finding("paired_t", student_two_sided(t, n - 1), t, n)


def wilcoxon(d: Differences) -> Finding:
    """Wilcoxon's signed-rank test; zeros are left out, ties share their mean rank.

    Statistic: the smaller of the sums of positive and of negative ranks; n: the differences that are not
    zero. Exact ('wilcoxon_exact') up to 50 of them without ties; else the normal approximation with the tie
    correction, variance n(n+1)(2n+1)/24 - sum(t^3 - t)/48, without continuity correction. Null when nothing
    differs ('no_differences'). Source: Wilcoxon, Individual Comparisons by Ranking Methods, 1945; Conover,
    Practical Nonparametric Statistics, 5.7.
    """
    plus, minus, n, ties = rank_sums(d)
    if not n:
        return Finding("wilcoxon", None, None, 0, "no_differences")
    statistic = min(plus, minus)
    if not ties and n <= MOST_EXACT_RANKS:
        return Finding("wilcoxon_exact", _exact_wilcoxon(int(statistic), n), statistic, n)
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    z = (statistic - n * (n + 1) / 4) / sqrt(variance)
    return Finding("wilcoxon", min(1.0, 2 * normal_sf(abs(z))), statistic, n)


def cohen_dz(d: Differences, *, hedges: bool = False) -> float | None:
    """Cohen's d of paired scores: mean / sd of the differences.

    None below two pairs or when sd is 0.
    With `hedges` times J = gamma(m/2) / (sqrt(m/2) gamma((m-1)/2)), m = n - 1, which removes the bias of
    small samples (needs three pairs). Sources: Cohen, Statistical Power Analysis, 1988, 2.3; Hedges,
    Distribution Theory for Glass's Estimator of Effect Size, 1981.
    """
    n, mean, variance = moments(d)
    if n < (3 if hedges else 2) or variance == 0:
        return None
    effect = mean / sqrt(variance)
    return effect * _hedges(n - 1) if hedges else effect


def rank_biserial(d: Differences) -> float | None:
    """Matched-pairs rank-biserial correlation, -1 to 1: (sum of positive - of negative ranks) / their total.

    None when nothing differs. Source: Kerby, The Simple Difference Formula, 2014.
    """
    plus, minus, n, _ = rank_sums(d)
    return (plus - minus) / (plus + minus) if n else None


def cliff_delta(a: Mapping[float, int], b: Mapping[float, int]) -> float | None:
    """Cliff's delta of two score histograms {score: cases}: P(b > a) - P(b < a) over all pairs, -1 to 1.

    Pairing is not used. None when either is empty. Source: Cliff, Dominance Statistics, 1993.
    """
    n_a, n_b = sum(a.values()), sum(b.values())
    if not n_a or not n_b:
        return None
    more = above = 0  # cases of a below the score at hand; b above a minus b below a
    for score in sorted({*a, *b}):
        above += b.get(score, 0) * (2 * more + a.get(score, 0) - n_a)
        more += a.get(score, 0)
    return above / (n_a * n_b)


def interval_of_difference(
    d: Differences,
    *,
    seed: int,
    key: Key,
    draws: int = DRAWS,
    level: float = 0.95,
    bounds: tuple[float, float] | None = None,
    method: str = "percentile",
) -> Interval:
    """Bootstrap interval of the mean difference, cases resampled as pairs.

    'too_few' below 30 pairs. When all differences are equal: 'rule_of_three' within `bounds` (-1 and 1 for
    scores between 0 and 1), else 'constant' without an interval.
    """
    n = sum(d.values())
    if n < FEWEST_CASES:
        return Interval(None, None, "too_few")
    if len(d) == 1:
        if bounds is None:
            return Interval(None, None, "constant")
        return Interval(*rule_of_three(n, next(iter(d)), bounds, level), "rule_of_three")
    low, high = bootstrap_mean(list(d), list(d.values()), seed=seed, key=key, draws=draws, method=method, level=level)
    return Interval(low, high, "bootstrap")


def _hedges(m: float) -> float:
    return exp(lgamma(m / 2) - lgamma((m - 1) / 2)) / sqrt(m / 2)


def _exact_wilcoxon(statistic: int, n: int) -> float:
    """P of a rank sum as small as `statistic` or as large as its mirror, by counting subsets of 1..n."""
    ways = [1] + [0] * (n * (n + 1) // 2)
    for rank in range(1, n + 1):
        for total in range(len(ways) - 1, rank - 1, -1):
            ways[total] += ways[total - rank]
    return min(1.0, 2 * sum(ways[: statistic + 1]) / (1 << n))
