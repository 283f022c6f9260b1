"""How many cases are needed, and what a number of cases can show.

All are for two-sided tests at `alpha` and a chance `power` of finding the effect. With few cases Student's t
replaces the normal quantile, which agrees with the noncentral t to about one case.

Sources: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; Fleiss, Levin, Paik, Statistical
Methods for Rates and Proportions, 2003, 4 (proportions).
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, sqrt

from ragmeter.significance.distributions import normal_quantile, student_quantile


def minimum_detectable_effect(sd: float, n: int, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest true mean difference that n paired cases find with chance `power`.

    (t(1 - alpha/2) + t(power)) sd / sqrt(n), n - 1 degrees of freedom; `sd` is that of the differences. None
    below two cases, or when sd is 0: then nothing was seen from which to tell.
    """
    _check(alpha, power)
    if n < 2 or sd <= 0:
        return None
    return (student_quantile(1 - alpha / 2, n - 1) + student_quantile(power, n - 1)) * sd / sqrt(n)


def cases_needed(sd: float, effect: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """The fewest paired cases with which a true mean difference of `effect` is found with chance `power`.

    None when `effect` is 0: no number finds it. At least 2.
    """
    _check(alpha, power)
    if effect == 0:
        return None
    ratio = sd / abs(effect)
    z = normal_quantile(1 - alpha / 2) + normal_quantile(power)

    def enough(n: int) -> bool:
        t = student_quantile(1 - alpha / 2, n - 1) + student_quantile(power, n - 1)
        return t * ratio <= sqrt(n)

    return _fewest(enough, ceil((z * ratio) ** 2))


def paired_sd(discordant: float, difference: float) -> float:
    """The standard deviation of paired 0/1 differences: sqrt(discordant - difference^2).

    `discordant` is the share of cases in which the two runs disagree, `difference` the difference of their
    proportions; put it into the functions above for paired proportions. ValueError unless |difference| <=
    discordant <= 1.
    """
    if not abs(difference) <= discordant <= 1:
        raise ValueError("proportions cannot differ by more than the share of discordant cases")
    return sqrt(discordant - difference * difference)


def cases_needed_proportions(p: float, q: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """The fewest cases in each of two independent groups to find the difference of proportions p and q.

    n = (z(1 - alpha/2) sqrt(2 m (1 - m)) + z(power) sqrt(p (1 - p) + q (1 - q)))^2 / (p - q)^2, m their mean.
    None when p = q. For two runs on the same cases use `cases_needed(paired_sd(...), ...)`, which needs
    fewer.
    """
    _check(alpha, power)
    _check_share(p)
    _check_share(q)
    if p == q:
        return None
    m = (p + q) / 2
    null, true = sqrt(2 * m * (1 - m)), sqrt(p * (1 - p) + q * (1 - q))
    return ceil(_square((normal_quantile(1 - alpha / 2) * null + normal_quantile(power) * true) / (p - q)))


def minimum_detectable_proportion(p: float, n: int, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest rise above proportion p that n cases in each of two independent groups find.

    Found by bisection of the formula of `cases_needed_proportions`; None when even a rise to 1 is not found.
    """
    if n < 1 or not 0 <= p < 1:
        raise ValueError("a rise needs a case and a proportion below 1")

    def found(rise: float) -> bool:
        needed = cases_needed_proportions(p, min(p + rise, 1.0), alpha, power)
        return needed is not None and needed <= n

    low, high = 0.0, 1 - p
    if not found(high):
        return None
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


def cases_needed_for_threshold(
    value: float,
    threshold: float,
    *,
    sd: float | None = None,
    level: float = 0.95,
    power: float | None = None,
) -> int | None:
    """The fewest cases at which the interval of a mean near `value` no longer reaches `threshold`.

    For a gate that asks for the whole interval on one side. Without `sd` the value is a proportion and the
    interval Wilson's: n = z^2 t (1 - t) / (value - t)^2; with it the t interval: the n at which t sd /
    sqrt(n) < |value - threshold|. Without `power` the value is taken to stay as it is; with it, it is the
    true one and the gate shall be passed with that chance: z(power) times its own standard error is added.
    None when value equals threshold: no number of cases tells them apart. At least 2.
    """
    _check(1 - level, 0.5 if power is None else power)
    gap = abs(value - threshold)
    if gap <= 1e-12:
        return None
    z, more = normal_quantile(0.5 + level / 2), 0.0 if power is None else normal_quantile(power)
    if sd is None:
        _check_share(value)
        _check_share(threshold)
        null, true = sqrt(threshold * (1 - threshold)), sqrt(value * (1 - value))
        return max(2, int(_square((z * null + more * true) / gap) * (1 + 1e-12)) + 1)
    if sd < 0:
        raise ValueError("a standard deviation cannot be negative")
    ratio = sd / gap

    def enough(n: int) -> bool:
        extra = 0.0 if power is None else student_quantile(power, n - 1)
        return (student_quantile(0.5 + level / 2, n - 1) + extra) * ratio < sqrt(n)

    return _fewest(enough, ceil(_square((z + more) * ratio)))


def _fewest(enough: Callable[[int], bool], start: int) -> int:
    """The least n >= 2 that is enough, near `start`; enough(n) holds from some n on."""
    n = max(2, start)
    while not enough(n):
        n += 1
    while n > 2 and enough(n - 1):
        n -= 1
    return n


def _square(x: float) -> float:
    return x * x


def _check(alpha: float, power: float) -> None:
    if not 0 < alpha < 1 or not 0 < power < 1:
        raise ValueError("alpha, level and power lie between 0 and 1")


def _check_share(p: float) -> None:
    if not 0 <= p <= 1:
        raise ValueError(f"a proportion lies between 0 and 1, not {p}")
