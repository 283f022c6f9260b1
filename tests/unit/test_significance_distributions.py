"""Tails and quantiles against scipy, closed forms and exact fractions."""

import math
from fractions import Fraction

import pytest
from scipy import special, stats

from ragmeter.significance.distributions import (
    beta_quantile,
    beta_tails,
    binomial_cdf,
    normal_cdf,
    normal_quantile,
    normal_sf,
    student_quantile,
    student_two_sided,
)

TAILS = [1e-10, 1e-3, 0.025, 0.3, 0.5, 0.7, 0.975, 0.999]


@pytest.mark.parametrize("p", [1e-300, 1e-20, 0.001, 0.025, 0.3, 0.499, 0.5, 0.6, 0.975, 1 - 1e-10])
def test_normal_quantiles_are_scipys(p):
    assert normal_quantile(p) == pytest.approx(float(special.ndtri(p)), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("z", [-40.0, -3.0, -0.5, 0.0, 1.96, 10.0])
def test_normal_tails_are_scipys(z):
    assert normal_cdf(z) == pytest.approx(float(stats.norm.cdf(z)), rel=1e-12)
    assert normal_sf(z) == pytest.approx(float(stats.norm.sf(z)), rel=1e-12)


@pytest.mark.parametrize("a", [0.5, 1, 2, 3.5, 10, 100, 1000])
@pytest.mark.parametrize("b", [0.5, 1, 3, 10, 100, 1000])
def test_beta_tails_and_quantiles_are_scipys(a, b):
    for p in TAILS:
        expected = float(special.betaincinv(a, b, p))
        x, rest = beta_quantile(a, b, p)
        assert x == pytest.approx(expected, rel=1e-11)
        assert x + rest == pytest.approx(1, rel=1e-15)
        lower, upper = beta_tails(a, b, expected)
        assert lower == pytest.approx(float(special.betainc(a, b, expected)), rel=1e-10)
        assert upper == pytest.approx(float(special.betaincc(a, b, expected)), rel=2e-10)
        assert beta_quantile(a, b, p, upper=True)[0] == pytest.approx(float(special.betainccinv(a, b, p)), rel=1e-10)


@pytest.mark.parametrize("x", [1e-9, 9e-7, 1e-6, 3.7e-6, 1e-5])
def test_large_parameters_lose_no_digits(x):
    # with a = 1 the tail is 1 - (1 - x)^b
    lower, upper = beta_tails(1, 1e6, x)
    assert lower == pytest.approx(-math.expm1(1e6 * math.log1p(-x)), rel=1e-13)
    assert upper == pytest.approx(math.exp(1e6 * math.log1p(-x)), rel=1e-13)


def test_beta_tails_have_their_ends():
    assert beta_tails(2, 3, 0.0) == (0.0, 1.0)
    assert beta_tails(2, 3, 1.0) == (1.0, 0.0)


@pytest.mark.parametrize("df", [0.5, 1, 2, 3, 5, 10, 29, 99, 999, 10_000])
def test_student_is_scipys(df):
    for p in TAILS:
        t = float(stats.t.ppf(p, df))
        assert student_quantile(p, df) == pytest.approx(t, rel=1e-11, abs=1e-14)
        assert student_two_sided(t, df) == pytest.approx(2 * float(stats.t.sf(abs(t), df)), rel=1e-10)


def test_student_approaches_the_normal_as_its_expansion_says():
    z = normal_quantile(0.975)
    df = 1e8
    assert student_quantile(0.975, df) == pytest.approx(z + (z**3 + z) / (4 * df), rel=1e-14)


@pytest.mark.parametrize(("k", "n"), [(0, 5), (2, 5), (5, 5), (40, 100), (499, 1000), (400, 1000)])
def test_a_binomial_tail_is_the_exact_fraction(k, n):
    exact = Fraction(sum(math.comb(n, i) for i in range(k + 1)), 2**n)
    assert binomial_cdf(k, n) == pytest.approx(float(exact), rel=1e-12)
    assert binomial_cdf(-1, n) == 0.0


@pytest.mark.parametrize("call", [normal_quantile, lambda p: student_quantile(p, 5), lambda p: beta_quantile(1, 2, p)])
@pytest.mark.parametrize("p", [0.0, 1.0, -0.1, math.nan])
def test_a_probability_outside_its_range_is_refused(call, p):
    with pytest.raises(ValueError, match="between 0 and 1"):
        call(p)


def test_impossible_parameters_are_refused():
    for bad in ((0, 1, 0.5), (1, 1, -0.1), (1, 1, 1.1)):
        with pytest.raises(ValueError, match="incomplete beta"):
            beta_tails(*bad)
    with pytest.raises(ValueError, match="degrees of freedom"):
        student_two_sided(1.0, 0)
    with pytest.raises(ValueError, match="degrees of freedom"):
        student_quantile(0.9, 0)
