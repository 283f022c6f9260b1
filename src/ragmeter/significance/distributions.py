"""Normal, beta and Student-t tails and quantiles in pure Python, to about 13 digits.

Quantiles are found by Newton's method on the logarithm of a tail. All three distributions have log-concave
tails in the variable used here, so that the iteration converges from any start.

Sources: DiDonato and Morris, Algorithm 708: Significant Digit Computation of the Incomplete Beta Function
Ratios, 1992 (the continued fraction); Loader, Fast and Accurate Computation of Binomial Probabilities, 2000
(the deviance form of the weight); Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7 (Student's
t).
"""

from __future__ import annotations

from math import comb, erfc, exp, lgamma, log, log1p, pi, sqrt

_HALF_LOG_TAU = 0.5 * log(2 * pi)
_STEPS = 100  # Newton needs 4 to 12


def normal_sf(z: float) -> float:
    """P(Z > z) of the standard normal."""
    return 0.5 * erfc(z / sqrt(2))


def normal_cdf(z: float) -> float:
    """P(Z <= z) of the standard normal."""
    return 0.5 * erfc(-z / sqrt(2))


def normal_quantile(p: float) -> float:
    """The z with P(Z <= z) = p. ValueError unless 0 < p < 1."""
    _inside(p, "p")
    tail = min(p, 1 - p)
    if tail == 0.5:
        return 0.0
    z = sqrt(-2 * log(2 * tail))
    for _ in range(_STEPS):
        sf = normal_sf(z)
        step = log(sf / tail) * sf / (exp(-0.5 * z * z) / sqrt(2 * pi))
        z += step
        if abs(step) <= 1e-15 * z:
            break
    return z if p > 0.5 else -z


def beta_tails(a: float, b: float, x: float, rest: float | None = None) -> tuple[float, float]:
    """(I_x(a, b), 1 - I_x(a, b)): the regularised incomplete beta function and its complement.

    `rest` is 1 - x where the caller knows it more precisely. ValueError unless a, b > 0 and 0 <= x <= 1.
    """
    rest = 1 - x if rest is None else rest
    if a <= 0 or b <= 0 or x < 0 or rest < 0:
        raise ValueError("the incomplete beta function needs a, b > 0 and 0 <= x <= 1")
    if x == 0 or rest == 0:
        return (0.0, 1.0) if x == 0 else (1.0, 0.0)
    lower, upper, _ = _log_beta_tails(a, b, x, rest)
    return exp(lower), exp(upper)


def beta_quantile(a: float, b: float, p: float, *, upper: bool = False) -> tuple[float, float]:
    """(x, 1 - x) with I_x(a, b) = p, or with 1 - I_x(a, b) = p when `upper`; both to full precision."""
    _inside(p, "p")
    if upper:
        x, rest = beta_quantile(b, a, p)
        return rest, x
    target = log(p)
    u = log(a / b) + normal_quantile(p) * sqrt(1 / a + 1 / b)  # u is the logit of x
    last = float("inf")
    for _ in range(_STEPS):
        x, rest = _logistic(u)
        lower, _, weight = _log_beta_tails(a, b, x, rest)
        step = (target - lower) * exp(min(lower - weight, 700.0))
        step = max(step, -700.0 - u)
        u += step
        if abs(step) <= 1e-15 * abs(u) or (abs(step) < 1e-12 and abs(step) >= last):
            break
        last = abs(step)
    return _logistic(u)


def student_two_sided(t: float, df: float) -> float:
    """P(|T| >= |t|) of Student's t with `df` degrees of freedom (need not be whole)."""
    if df <= 0:
        raise ValueError("Student's t needs degrees of freedom above 0")
    square = t * t
    return beta_tails(df / 2, 0.5, df / (df + square), square / (df + square))[0]


def student_quantile(p: float, df: float) -> float:
    """The t with P(T <= t) = p for `df` degrees of freedom. ValueError unless 0 < p < 1 and df > 0."""
    _inside(p, "p")
    if df <= 0:
        raise ValueError("Student's t needs degrees of freedom above 0")
    tail = min(p, 1 - p)
    if tail == 0.5:
        return 0.0
    far, near = beta_quantile(df / 2, 0.5, 2 * tail)  # far = df / (df + t^2)
    t = sqrt(df * near / far)
    return t if p > 0.5 else -t


def binomial_cdf(k: int, n: int, p: float = 0.5) -> float:
    """P(X <= k) of the binomial with n trials; for fair coins, up to 500 of them, rounded once."""
    if k < 0:
        return 0.0
    if k >= n:
        return 1.0
    if p == 0.5 and n <= 500:
        return sum(comb(n, i) for i in range(k + 1)) / (1 << n)
    return beta_tails(k + 1, n - k, p)[1]


def _log_beta_tails(a: float, b: float, x: float, rest: float) -> tuple[float, float, float]:
    """Logarithms of I_x(a, b), of its complement and of the weight x^a (1 - x)^b / B(a, b)."""
    weight = _log_weight(a, b, x, rest)
    if a * rest >= b * x:
        lower = weight + log(_fraction(a, b, x, rest))
        return lower, _log_complement(lower), weight
    upper = weight + log(_fraction(b, a, rest, x))
    return _log_complement(upper), upper, weight


def _log_complement(log_p: float) -> float:
    """log(1 - p) from log(p)."""
    return log1p(-exp(log_p)) if log_p < 0 else -745.0


def _log_weight(a: float, b: float, x: float, rest: float) -> float:
    n = a + b
    deviance = _deviance(a, n * x) + _deviance(b, n * rest)
    return 0.5 * log(a * b / (2 * pi * n)) + _stirling(n) - _stirling(a) - _stirling(b) - deviance


def _deviance(x: float, mean: float) -> float:
    """x log(x / mean) + mean - x, without cancellation where x is close to mean."""
    gap = x - mean
    if abs(gap) > 0.1 * (x + mean):
        return x * log(x / mean) - gap
    v = gap / (x + mean)
    total, term, odd = gap * v, 2 * x * v, 1
    while True:
        term *= v * v
        odd += 2
        bigger = total + term / odd
        if bigger == total:
            return total
        total = bigger


def _stirling(n: float) -> float:
    """log(n!) minus Stirling's formula for it."""
    if n < 16:
        return lgamma(n + 1) - (n + 0.5) * log(n) + n - _HALF_LOG_TAU
    square = n * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n


def _fraction(a: float, b: float, x: float, rest: float) -> float:
    """The continued fraction for I_x(a, b) over its weight; all terms are positive for x <= a / (a + b)."""
    slack = a * rest - b * x + 1
    total = c = a * slack / (a + 1)
    d = 0.0
    for m in range(1, 1_000_000):
        odd = a + 2 * m - 1
        top = (a + m - 1) * (a + b + m - 1) * m * (b - m) * x * x / (odd * odd)
        bottom = m + m * (b - m) * x / odd + (a + m) * (slack + m * (1 + rest)) / (odd + 2)
        c = bottom + top / c
        d = 1 / (bottom + top * d)
        total *= c * d
        if abs(c * d - 1) < 4e-16:
            break
    return 1 / total


def _logistic(u: float) -> tuple[float, float]:
    """(x, 1 - x) with logit u."""
    small = exp(-abs(u))
    x, rest = 1 / (1 + small), small / (1 + small)
    return (x, rest) if u >= 0 else (rest, x)


def _inside(p: float, name: str) -> None:
    if not 0 < p < 1:
        raise ValueError(f"{name} must lie between 0 and 1, not {p}")
