"""Paired tests and effect sizes against scipy and statsmodels, and by hand."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from ragmeter.significance import signflip
from ragmeter.significance.intervals import bootstrap_mean, rule_of_three
from ragmeter.significance.paired import (
    cliff_delta,
    cohen_dz,
    compare_pairs,
    interval_of_difference,
    mcnemar_exact,
    paired_t,
    rank_biserial,
    sign_test,
    wilcoxon,
)
from ragmeter.significance.pairs import differences, mean_difference, tally
from ragmeter.significance.signflip import sign_flip


def histogram(values) -> dict[float, int]:
    found: dict[float, int] = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return found


def expanded(d: dict[float, int]) -> np.ndarray:
    return np.repeat(list(d), list(d.values()))


def flip(d, **options):
    return sign_flip(d, seed=0, key="k", **options)


SMALL = {-0.5: 2, -0.125: 1, 0.0: 3, 0.25: 4, 0.75: 2, 1.0: 1}
CONTINUOUS = histogram(np.random.Generator(np.random.Philox(1)).normal(0.1, 0.3, 40).tolist())
LARGE = {-1.0: 40, -0.5: 130, -1 / 3: 60, 0.0: 700, 1 / 3: 65, 0.5: 150, 1.0: 55}


def test_differences_swallow_the_noise_of_doubles():
    pairs = {(0.1, 0.3): 2, (0.2, 0.4): 1, (0.3, 0.1 * 3): 4, (1, 0): 1, (0.7, 0.2): 0}
    assert differences(pairs) == {-1.0: 1, 0.0: 4, 0.2: 3}
    assert str(list(differences({(0.5, 0.5): 1})))[1] == "0"  # not -0.0
    with pytest.raises(ValueError, match="negative"):
        differences({(0, 1): -1})


def test_wins_ties_and_losses_use_the_tolerance():
    d = {-0.3: 1, -0.1: 2, 0.0: 4, 0.1: 8, 0.3: 16}
    assert tally(d) == (24, 4, 3)
    assert tally(d, tolerance=0.1) == (16, 14, 1)


@pytest.mark.parametrize(("b", "c"), [(0, 0), (0, 1), (3, 3), (3, 9), (25, 10), (400, 480), (0, 60)])
def test_mcnemar_is_that_of_statsmodels(b, c):
    expected = mcnemar([[50, b], [c, 20]], exact=True).pvalue
    found = mcnemar_exact(b, c)
    assert found.p == pytest.approx(min(1.0, float(expected)), rel=1e-11)
    assert (found.test, found.statistic, found.n) == ("mcnemar_exact", c, b + c)


def test_mcnemar_worked_by_hand():
    # 1 against 5: 2 (1 + 6) / 64
    assert mcnemar_exact(1, 5).p == pytest.approx(14 / 64, rel=1e-14)


def test_the_sign_test_is_the_binomial_test():
    expected = stats.binomtest(7, 10).pvalue
    found = sign_test(SMALL)
    assert found.p == pytest.approx(expected, rel=1e-12)
    assert (found.test, found.statistic, found.n) == ("sign_test", 7, 10)


@pytest.mark.parametrize("d", [SMALL, CONTINUOUS, LARGE])
def test_the_t_test_is_scipys(d):
    expected = stats.ttest_1samp(expanded(d), 0)
    found = paired_t(d)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-10)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-11)
    assert found.n == len(expanded(d))


def test_students_sleep_data():
    # Student 1908: additional hours of sleep; t = 4.06, p = 0.0028
    hours = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    found = paired_t(histogram(hours))
    assert found.statistic == pytest.approx(4.0621, abs=1e-4)
    assert found.p == pytest.approx(0.002833, abs=1e-6)


def test_a_t_test_without_spread_has_no_p():
    assert paired_t({0.3: 1})[1:] == (None, None, 1, "too_few")
    assert paired_t({0.1: 7})[1:] == (None, None, 7, "constant")


@pytest.mark.parametrize("d", [SMALL, LARGE, {**CONTINUOUS, 0.0: 2}])
def test_wilcoxon_with_ties_or_zeros_is_scipys(d):
    expected = stats.wilcoxon(expanded(d), method="approx", zero_method="wilcox", correction=False)
    found = wilcoxon(d)
    if found.test == "wilcoxon_exact":
        expected = stats.wilcoxon(expanded({x: n for x, n in d.items() if x}), method="exact")
    assert found.p == pytest.approx(expected.pvalue, rel=1e-10)
    assert found.statistic == expected.statistic


@pytest.mark.parametrize("n", [1, 5, 12, 50])
def test_wilcoxon_is_exact_without_ties(n):
    values = np.random.Generator(np.random.Philox(n)).normal(0.2, 1, n)
    expected = stats.wilcoxon(values, method="exact")
    found = wilcoxon(histogram(values.tolist()))
    assert found.test == "wilcoxon_exact"
    assert found.p == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.statistic == expected.statistic


def test_wilcoxon_is_approximate_beyond_fifty():
    values = np.random.Generator(np.random.Philox(3)).normal(0.2, 1, 51)
    assert wilcoxon(histogram(values.tolist())).test == "wilcoxon"


def test_darwins_maize():
    # Darwin 1876 as in Fisher 1935, differences in eighths of an inch: 863 of 2^14 * 2 sign assignments reach
    # the sum of 314 in one direction or the other
    eighths = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert flip(histogram(eighths)).p == 1726 / 2**15


def test_no_difference_is_no_evidence():
    assert flip({0.0: 9})[:4] == ("sign_flip_exact", 1.0, 0.0, 9)
    assert flip({})[1:] == (None, None, 0, "no_pairs")
    assert wilcoxon({0.0: 9})[1:] == (None, None, 0, "no_differences")
    assert sign_test({0.0: 9}).p == 1.0
    assert rank_biserial({0.0: 9}) is None


def all_signs(d: dict[float, int]) -> Fraction:
    """p by walking through every sign assignment with exact numbers."""
    sizes = [abs(Fraction(x)) for x, count in d.items() for _ in range(count) if x]
    observed = abs(sum(Fraction(x) * count for x, count in d.items()))
    walks = itertools.product((1, -1), repeat=len(sizes))
    hits = sum(abs(sum(s * x for s, x in zip(signs, sizes, strict=True))) >= observed for signs in walks)
    return Fraction(hits, 2 ** len(sizes))


@pytest.mark.parametrize(
    "d", [SMALL, {0.5: 3}, {-0.5: 2, 0.5: 5, 0.0: 1}, {0.25: 1, -0.75: 1, 0.5: 1}, {-1.0: 4, 0.5: 4, 1.0: 1}]
)
def test_exact_sign_flips_count_every_assignment(d):
    found = flip(d)
    assert found.test == "sign_flip_exact"
    assert found.p == float(all_signs(d))
    assert found.statistic == pytest.approx(expanded(d).mean())


def test_exact_sign_flips_are_scipys_permutation_test():
    values = np.random.Generator(np.random.Philox(7)).normal(0.3, 1, 12)
    expected = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    assert flip(histogram(values.tolist())).p == pytest.approx(expected.pvalue, rel=1e-12)


def test_twenty_differing_cases_are_counted_in_full():
    values = np.random.Generator(np.random.Philox(8)).normal(0.3, 1, 21).tolist()
    assert flip(histogram(values[:20])).test == "sign_flip_exact"
    assert flip(histogram(values)).test == "sign_flip"


def test_one_size_of_difference_is_the_sign_test_however_many():
    d = {-1.0: 50_100, 0.0: 7, 1.0: 50_900}
    assert flip(d).test == "sign_flip_exact"
    assert flip(d).p == pytest.approx(stats.binomtest(50_100, 101_000).pvalue, rel=1e-9)
    assert flip({-1.0: 5, 1.0: 5}).p == 1.0


@pytest.mark.parametrize("d", [{-0.5: 30, -0.25: 20, 0.25: 35, 0.5: 37, 1.0: 15, -1.0: 9}, SMALL])
def test_drawn_sign_flips_approach_the_exact_share(d, monkeypatch):
    exact = flip(d)
    assert exact.test == "sign_flip_exact"
    monkeypatch.setattr(signflip, "MOST_EXACT", 0)
    drawn = flip(d, draws=40_000)
    assert drawn.test == "sign_flip"
    assert drawn.p == pytest.approx(exact.p, abs=4 * (exact.p / 40_000) ** 0.5)


def test_drawn_sign_flips_of_many_sizes_approach_the_t_test():
    # 40 sizes one by one; and seven sizes as binomials
    assert flip(CONTINUOUS).p == pytest.approx(paired_t(CONTINUOUS).p, abs=0.012)
    assert flip(LARGE).p == pytest.approx(paired_t(LARGE).p, abs=0.02)


def test_drawn_sign_flips_are_pinned():
    assert flip(CONTINUOUS).p == 0.0122987701229877
    assert flip(LARGE).p == 0.0496950304969503
    assert flip(dict(reversed(LARGE.items()))).p == flip(LARGE).p


def test_a_drawn_p_is_never_zero():
    d = {0.5: 300, 0.3: 300, 0.1: 300, -0.1: 10}
    assert flip(d, draws=999).p == 1 / 1000


def test_huge_differences_lose_no_ties():
    d = {1e9: 3, -1e9: 2, 3e9: 2}
    assert flip(d).p == float(all_signs(d))


def test_effect_sizes_worked_by_hand():
    d = {1.0: 1, 2.0: 1, 3.0: 1}  # mean 2, sd 1
    assert cohen_dz(d) == pytest.approx(2.0)
    # J for m = 2: gamma(1) / (1 gamma(1/2)) = 1 / sqrt(pi)
    assert cohen_dz(d, hedges=True) == pytest.approx(2 / np.pi**0.5, rel=1e-13)
    # sizes 1 (-), 2 (+), 3 (+): (5 - 1) / 6
    assert rank_biserial({-1.0: 1, 2.0: 1, 3.0: 1}) == pytest.approx(4 / 6)
    # pairs (a, b): (1, 2) (1, 2) (1, 1) and (2, 2) (2, 2) (2, 1): 2 above, 1 below of 6
    assert cliff_delta({1: 1, 2: 1}, {2: 2, 1: 1}) == pytest.approx(1 / 6)
    assert cliff_delta({1: 3}, {}) is None


def test_effect_sizes_that_are_not_defined_are_null():
    assert cohen_dz({0.5: 9}) is None
    assert cohen_dz({0.5: 1}) is None
    assert cohen_dz({0.5: 1, 0.6: 1}, hedges=True) is None


def test_cliffs_delta_is_the_mann_whitney_statistic_rescaled():
    random = np.random.Generator(np.random.Philox(4))
    a, b = random.integers(0, 5, 30), random.integers(1, 6, 40)
    u = stats.mannwhitneyu(b, a).statistic
    assert cliff_delta(histogram(a.tolist()), histogram(b.tolist())) == pytest.approx(2 * u / 1200 - 1)


def test_the_interval_of_a_difference_is_the_bootstrap_of_differences():
    found = interval_of_difference(LARGE, seed=1, key="k")
    assert found == (*bootstrap_mean(list(LARGE), list(LARGE.values()), seed=1, key="k"), "bootstrap")


def test_differences_without_spread_get_the_rule_of_three():
    assert interval_of_difference({0.0: 29}, seed=1, key="k") == (None, None, "too_few")
    assert interval_of_difference({0.0: 90}, seed=1, key="k") == (None, None, "constant")
    found = interval_of_difference({0.0: 90}, seed=1, key="k", bounds=(-1, 1))
    assert found == (*rule_of_three(90, 0.0, (-1, 1)), "rule_of_three")


def test_a_comparison_holds_everything_together():
    pairs = {(0.0, 0.5): 10, (0.5, 0.5): 20, (1.0, 0.5): 4, (0.5, 1.0): 6}
    found = compare_pairs(pairs, seed=1, key="k", bounds=(0, 1))
    d = differences(pairs)
    assert found.n == 40
    assert (found.mean_a, found.mean_b) == ((10 + 4 + 3) / 40, (17 + 6) / 40)
    assert found.difference == pytest.approx(found.mean_b - found.mean_a)
    assert found.interval == interval_of_difference(d, seed=1, key="k")
    assert found.tally == (16, 20, 4)
    assert found.test == sign_flip(d, seed=1, key="k")
    assert found.cohen_dz == cohen_dz(d)
    assert found.rank_biserial == rank_biserial(d)


def test_a_comparison_of_proportions_is_mcnemars():
    pairs = {(0, 0): 10, (1, 1): 50, (1, 0): 3, (0, 1): 9}
    assert compare_pairs(pairs, seed=1, key="k").test == mcnemar_exact(3, 9)


def test_a_comparison_of_equal_runs_is_bounded_by_the_scores():
    found = compare_pairs({(0.5, 0.5): 100}, seed=1, key="k", bounds=(0, 1))
    assert found.interval == (*rule_of_three(100, 0.0, (-1, 1)), "rule_of_three")


def test_nothing_cannot_be_compared():
    with pytest.raises(ValueError, match="no pair"):
        compare_pairs({}, seed=1, key="k")
    with pytest.raises(ValueError, match="no pair"):
        mean_difference({})
