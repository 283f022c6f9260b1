"""What humans would have said of all cases, from a judge on all and humans on some.

The labelled cases must be a random sample of the cases the claim is about; no formula here repairs a choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum, sqrt
from typing import NamedTuple

from ragmeter.significance.distributions import normal_quantile, student_quantile
from ragmeter.significance.intervals import FEWEST_CASES, Interval, upper_share
from ragmeter.sums import Histogram


class Debiased(NamedTuple):
    """A mean as humans would score it.

    `judged` is the judge's own mean, `weight` how far the judge was used (lambda, 0 to 1), `labelled` and
    `unlabelled` the cases with and without a human score. `value` is None for a reason.
    """

    value: float | None
    interval: Interval
    judged: float | None
    weight: float | None
    labelled: int
    unlabelled: int
    reason: str = ""


def ppi_mean(
    pairs: Mapping[tuple[float, float], int],
    unlabelled: Histogram,
    *,
    tuned: bool = True,
    unseen: float = 1.0,
    bounds: tuple[float, float] | None = None,
    level: float = 0.95,
) -> Debiased:
    """Prediction-powered mean of the human score.

    `pairs` is {(judge's score f, human's score y): cases} of the n labelled cases, `unlabelled` the judge's
    scores of the N others. value = mean(y) + w (mean of f on the others - mean of f on the labelled).
    Classical (`tuned=False`): w = 1. PPI++: w = Cov(y, f) / ((1 + n/N) Var(f)), between 0 and 1, the variance
    over all n + N. Variance: Var(y - w f) / n + w^2 Var(f on the others) / N, with Student's t of n - 1.

    Where the judge is good, few labelled cases show an error and the published variance is too small (87 %
    coverage with 50 labels and 2 % errors). So `unseen` more errors of full size (that of `bounds`, else of
    the scores seen) are added to the squares in Var(y - w f); 0 gives the published interval.

    'too_few' below 30 labelled cases, 'constant' when the variance is 0. w is 0 without unlabelled cases or
    when f never varies. Null below two labelled cases ('too_few_labels'). The value is unbiased whatever the
    judge does. Sources: Angelopoulos, Bates, Fannjiang, Jordan, Zrnic, Prediction-Powered Inference, 2023;
    Angelopoulos, Duchi, Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023.
    """
    n, total = sum(pairs.values()), unlabelled.n
    if n < 2:
        return Debiased(None, Interval(None, None, "none"), None, None, n, total, "too_few_labels")
    f, y = _mean(pairs, 0), _mean(pairs, 1)
    others = unlabelled.mean()
    judged = f if others is None else (n * f + total * others) / (n + total)
    weight = _weight(pairs, unlabelled, f, y) if tuned else (1.0 if total else 0.0)
    value = y if others is None else y + weight * (others - f)
    centre = y - weight * f
    spread = fsum((b - weight * a - centre) ** 2 * count for (a, b), count in pairs.items())
    spread += unseen * (weight * _size(pairs, bounds)) ** 2
    variance = spread / (n - 1) / n + (weight**2 * (unlabelled.moments()[2] or 0.0) / total if total else 0.0)
    return Debiased(value, _around(value, variance, n, bounds, level), judged, weight, n, total)


def rogan_gladen(
    flagged: int,
    judged: int,
    *,
    true_positives: int,
    positives: int,
    true_negatives: int,
    negatives: int,
    level: float = 0.95,
) -> Debiased:
    """The share of cases humans would flag, from the share a judge flags and its known error rates.

    value = (p + spec - 1) / (sens + spec - 1), cut to 0..1, with p = flagged / judged, sens = true_positives
    / positives and spec = true_negatives / negatives from cases with human labels that are not among the
    judged. Delta-method interval, cut to 0..1: variance [p (1 - p) / judged + v^2 sens (1 - sens) / positives
    + (1 - v)^2 spec (1 - spec) / negatives] / (sens + spec - 1)^2, 'too_few' below 30 positives or negatives
    or judged cases. Null without any of these ('too_few_labels') or when sens + spec <= 1
    ('judge_no_better_than_chance'). Sources: Rogan and Gladen, Estimating Prevalence from the Results of a
    Screening Test, 1978; Lang and Reiczigel, 2014 (how it fails in small samples).
    """
    labelled = positives + negatives
    for part, whole in ((flagged, judged), (true_positives, positives), (true_negatives, negatives)):
        if not 0 <= part <= whole:
            raise ValueError(f"{part} of {whole} is no share")
    if not judged or not positives or not negatives:
        return Debiased(None, Interval(None, None, "none"), None, None, labelled, judged, "too_few_labels")
    p, sens, spec = flagged / judged, true_positives / positives, true_negatives / negatives
    power = sens + spec - 1
    if power <= 1e-12:
        reason = "judge_no_better_than_chance"
        return Debiased(None, Interval(None, None, "none"), p, None, labelled, judged, reason)
    v = min(1.0, max(0.0, (p + spec - 1) / power))
    variance = p * (1 - p) / judged + v * v * sens * (1 - sens) / positives
    variance = (variance + (1 - v) ** 2 * spec * (1 - spec) / negatives) / power**2
    if min(judged, positives, negatives) < FEWEST_CASES:
        return Debiased(v, Interval(None, None, "too_few"), p, 1.0, labelled, judged)
    if variance == 0:
        return Debiased(v, Interval(None, None, "constant"), p, 1.0, labelled, judged)
    reach = normal_quantile(upper_share(level)) * sqrt(variance)
    interval = Interval(max(0.0, v - reach), min(1.0, v + reach), "delta")
    return Debiased(v, interval, p, 1.0, labelled, judged)


def _mean(pairs: Mapping[tuple[float, float], int], side: int) -> float:
    return fsum(pair[side] * count for pair, count in pairs.items()) / sum(pairs.values())


def _weight(pairs: Mapping[tuple[float, float], int], unlabelled: Histogram, f: float, y: float) -> float:
    """The tuned weight of the judge, between 0 and 1."""
    n, (total, others, variance) = sum(pairs.values()), unlabelled.moments()
    if others is None:
        return 0.0
    shared = fsum((a - f) * (b - y) * count for (a, b), count in pairs.items()) / (n - 1)
    squares = fsum((a - f) ** 2 * count for (a, _), count in pairs.items())
    squares += (variance or 0.0) * (total - 1) + n * total / (n + total) * (others - f) ** 2
    if squares <= 0:
        return 0.0
    return min(1.0, max(0.0, shared / ((1 + n / total) * squares / (n + total - 1))))


def _size(pairs: Mapping[tuple[float, float], int], bounds: tuple[float, float] | None) -> float:
    """The size of a full error of the judge."""
    seen = [score for pair, count in pairs.items() if count for score in pair]
    least, largest = bounds or (min(seen), max(seen))
    return largest - least


def _around(value: float, variance: float, n: int, bounds: tuple[float, float] | None, level: float) -> Interval:
    if n < FEWEST_CASES:
        return Interval(None, None, "too_few")
    if variance <= 0:
        return Interval(None, None, "constant")
    reach = student_quantile(upper_share(level), n - 1) * sqrt(variance)
    least, largest = bounds or (value - reach, value + reach)
    return Interval(max(value - reach, least), min(value + reach, largest), "ppi")
