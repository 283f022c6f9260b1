"""Corrections, power and rankings against statsmodels, scipy, and by hand."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import samplesize_proportions_2indep_onetail

from ragmeter.significance.corrections import benjamini_hochberg, holm, max_t
from ragmeter.significance.intervals import t_interval, wilson
from ragmeter.significance.pairs import differences
from ragmeter.significance.power import (
    cases_needed,
    cases_needed_for_threshold,
    cases_needed_proportions,
    minimum_detectable_effect,
    minimum_detectable_proportion,
    paired_sd,
)
from ragmeter.significance.rankings import kendall_tau, rank_biased_overlap
from ragmeter.significance.signflip import sign_flip

PS = [[0.01, 0.04, 0.03, 0.005], [0.5], [], [0.2, 0.2, 1.0, 0.0], [0.9, 0.01, 0.01, 0.012, 0.3, 0.04]]


@pytest.mark.parametrize("ps", PS)
@pytest.mark.parametrize(("mine", "method"), [(holm, "holm"), (benjamini_hochberg, "fdr_bh")])
def test_adjusted_ps_are_those_of_statsmodels(mine, method, ps):
    expected = multipletests(ps, method=method)[1].tolist() if ps else []
    assert mine(ps) == pytest.approx(expected, rel=1e-14)


def test_holm_worked_by_hand():
    # 4 x 0.005, 3 x 0.01, 2 x 0.03, then 0.04 is raised to 0.06
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_a_missing_test_is_not_counted():
    assert holm([None, 0.01, None, 0.04]) == [None, 0.02, None, 0.04]
    assert benjamini_hochberg([0.03, None, 0.04]) == [0.04, None, 0.04]


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan])
def test_what_is_no_probability_is_refused(bad):
    for correct in (holm, benjamini_hochberg):
        with pytest.raises(ValueError, match="p value"):
            correct([0.5, bad])


def scores(seed: int, cases: int, shifts: list[float]) -> list[list[float]]:
    random = np.random.Generator(np.random.Philox(seed))
    return (random.normal(0, 1, (cases, 1)) + random.normal(0, 0.5, (cases, len(shifts))) + shifts).tolist()


def test_two_runs_are_compared_as_by_sign_flips():
    rows = scores(1, 60, [0.0, 0.15])
    pairs: dict[tuple[float, float], int] = {}
    for a, b in rows:
        pairs[a, b] = pairs.get((a, b), 0) + 1
    single = sign_flip(differences(pairs), seed=0, key="k", draws=20_000).p
    assert max_t(rows, seed=0, key="k", draws=20_000)[0, 1] == pytest.approx(single, abs=0.015)


def test_three_cases_of_three_runs_counted_in_full():
    rows = [[1.0, 2.0, 4.0], [0.0, 3.0, 3.0], [5.0, 5.0, 6.0]]
    ranges = []
    for mixed in itertools.product(*(itertools.permutations(row) for row in rows)):
        means = np.array(mixed).sum(axis=0)
        ranges.append(means.max() - means.min())
    found = max_t(rows, seed=1, key="k", draws=20_000)
    totals = np.array(rows).sum(axis=0)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        expected = np.mean([r >= abs(totals[i] - totals[j]) for r in ranges])
        assert found[i, j] == pytest.approx(expected, abs=0.015)


def test_many_runs_are_judged_more_strictly_than_two():
    rows = scores(2, 50, [0.0, 0.25, 0.0, 0.0, 0.0])
    everyone = max_t(rows, seed=0, key="k", draws=4000)
    against = max_t(rows, seed=0, key="k", draws=4000, baseline=0)
    alone = max_t([row[:2] for row in rows], seed=0, key="k", draws=4000)
    assert set(everyone) == set(itertools.combinations(range(5), 2))
    assert set(against) == {(0, 1), (0, 2), (0, 3), (0, 4)}
    assert alone[0, 1] < against[0, 1] < everyone[0, 1]


def test_a_true_difference_is_found_and_equal_runs_are_not_told_apart():
    found = max_t(scores(3, 200, [0.0, 0.5, 0.5]), seed=0, key="k", draws=999)
    assert found[0, 1] == found[0, 2] == 1 / 1000
    assert found[1, 2] > 0.05
    assert max_t([[0.5, 0.5]] * 9, seed=0, key="k", draws=99) == {(0, 1): 1.0}


def test_the_order_of_cases_changes_nothing():
    rows = scores(4, 30, [0.0, 0.2, 0.1])
    assert max_t(rows[::-1], seed=0, key="k", draws=500) == max_t(rows, seed=0, key="k", draws=500)


def test_nothing_to_compare_is_an_empty_answer_and_gaps_are_refused():
    assert max_t([], seed=0, key="k") == {}
    assert max_t([[0.5], [0.7]], seed=0, key="k") == {}
    with pytest.raises(ValueError, match="finite"):
        max_t([[0.5, math.nan]], seed=0, key="k")
    with pytest.raises(ValueError):
        max_t([[0.5, 1.0], [1.0]], seed=0, key="k")


@pytest.mark.parametrize("effect", [0.1, 0.2, 0.5, 0.8])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_needed_cases_agree_with_the_noncentral_t_to_one_case(effect, power):
    exact = TTestPower().solve_power(effect_size=effect, alpha=0.05, power=power)
    needed = cases_needed(2.0, 2.0 * effect, power=power)
    assert abs(needed - math.ceil(exact)) <= 1
    assert minimum_detectable_effect(2.0, needed, power=power) <= 2.0 * effect
    assert minimum_detectable_effect(2.0, needed - 1, power=power) > 2.0 * effect


@pytest.mark.parametrize("n", [30, 100, 1000])
def test_detectable_effects_agree_with_the_noncentral_t(n):
    exact = TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8)
    assert minimum_detectable_effect(1.0, n) == pytest.approx(exact, rel=0.005)


def test_power_that_cannot_be_told_is_null():
    assert minimum_detectable_effect(0.0, 50) is None
    assert minimum_detectable_effect(0.3, 1) is None
    assert cases_needed(0.3, 0.0) is None
    assert cases_needed(0.0, 0.1) == 2
    with pytest.raises(ValueError, match="alpha"):
        cases_needed(0.3, 0.1, alpha=0)


def test_the_spread_of_paired_proportions():
    d = np.repeat([-1, 0, 1], [10, 70, 20])
    assert paired_sd(0.3, 0.1) == pytest.approx(d.std(), rel=1e-14)
    with pytest.raises(ValueError, match="discordant"):
        paired_sd(0.05, 0.1)


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.6), (0.9, 0.95), (0.1, 0.02)])
def test_cases_for_two_proportions_are_those_of_statsmodels(p, q):
    exact = samplesize_proportions_2indep_onetail(q - p, p, 0.8, ratio=1, alpha=0.05, alternative="two-sided")
    assert cases_needed_proportions(p, q) == pytest.approx(exact, rel=0.02)


def test_cases_for_two_proportions_worked_by_hand():
    # Fleiss, Levin, Paik 4: p = 0.25 and 0.4, alpha 0.01, power 0.95: 332.7 without continuity correction
    m = 0.325
    a, b = 2.575829304 * math.sqrt(2 * m * (1 - m)), 1.644853627 * math.sqrt(0.25 * 0.75 + 0.4 * 0.6)
    assert cases_needed_proportions(0.25, 0.4, alpha=0.01, power=0.95) == math.ceil((a + b) ** 2 / 0.0225)
    assert cases_needed_proportions(0.3, 0.3) is None


def test_the_detectable_rise_turns_the_formula_round():
    rise = minimum_detectable_proportion(0.7, 300)
    assert cases_needed_proportions(0.7, 0.7 + rise) <= 300
    assert cases_needed_proportions(0.7, 0.7 + 0.999 * rise) > 300
    assert minimum_detectable_proportion(0.99, 5) is None


@pytest.mark.parametrize(("value", "threshold"), [(0.85, 0.8), (0.9, 0.895), (0.02, 0.05), (1.0, 0.9)])
def test_the_needed_cases_are_where_wilson_leaves_the_threshold(value, threshold):
    n = cases_needed_for_threshold(value, threshold)

    def clear(cases: int) -> bool:
        z2 = 1.959963984540054**2
        reach = math.sqrt(z2 * (value * (1 - value) * cases + z2 / 4)) / (cases + z2)
        centre = (value * cases + z2 / 2) / (cases + z2)
        return abs(centre - threshold) > reach

    assert clear(n)
    assert not clear(n - 1)
    if value == 1.0:
        assert wilson(n, n)[0] > threshold >= wilson(n - 1, n - 1)[0]


def test_the_needed_cases_of_a_mean_are_where_t_leaves_the_threshold():
    n = cases_needed_for_threshold(0.72, 0.7, sd=0.3)
    assert t_interval(n, 0.72, 0.09)[0] > 0.7 >= t_interval(n - 1, 0.72, 0.09)[0]
    assert cases_needed_for_threshold(0.72, 0.74, sd=0.3) == n  # the same distance from above
    assert cases_needed_for_threshold(0.72, 0.7, sd=0.3, power=0.9) > n
    assert cases_needed_for_threshold(0.72, 0.7, sd=0.0) == 2


def test_no_number_of_cases_separates_equal_values():
    assert cases_needed_for_threshold(0.8, 0.8) is None
    assert cases_needed_for_threshold(0.1 * 7, 0.7, sd=0.3) is None
    with pytest.raises(ValueError, match="proportion"):
        cases_needed_for_threshold(1.2, 0.8)
    with pytest.raises(ValueError, match="standard deviation"):
        cases_needed_for_threshold(0.9, 0.8, sd=-1)


def test_the_promised_power_is_kept():
    n = cases_needed_for_threshold(0.86, 0.8, power=0.8)
    passed = sum(stats.binom.pmf(k, n, 0.86) for k in range(n + 1) if wilson(k, n)[0] > 0.8)
    assert passed == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kinds", [3, 1000])
def test_kendalls_tau_is_scipys(seed, kinds):
    random = np.random.Generator(np.random.Philox(seed))
    x, y = random.integers(0, kinds, 37), random.integers(0, kinds, 37)
    assert kendall_tau(x.tolist(), (x + y).tolist()) == pytest.approx(stats.kendalltau(x, x + y).statistic, rel=1e-13)


def test_kendalls_tau_of_constants_is_null():
    assert kendall_tau([1, 1, 1], [1, 2, 3]) is None
    assert kendall_tau([1], [2]) is None
    assert kendall_tau([], []) is None
    assert kendall_tau([1, 2, 3], [9, 5, 1]) == -1.0
    with pytest.raises(ValueError):
        kendall_tau([1, 2], [1])


def endless_overlap(a: list[str], b: list[str], p: float) -> float:
    """The sum of Webber et al. 3 with agreements assumed beyond the end of either list as in their 4.4."""
    short, long = sorted((a, b), key=len)
    s, end = len(short), len(long)
    at_s = len(set(short) & set(long[:s]))
    at_end = len(set(short) & set(long))
    total = 0.0
    for d in range(1, 2000):
        if d <= s:
            agreement = len(set(short[:d]) & set(long[:d])) / d
        elif d <= end:
            agreement = (len(set(short) & set(long[:d])) + at_s * (d - s) / s) / d
        else:
            agreement = (at_end + at_s * (end - s) / s) / end
        total += (1 - p) * p ** (d - 1) * agreement
    return total


@pytest.mark.parametrize(
    ("a", "b"),
    [("abcde", "abcde"), ("abc", "xyz"), ("abcdefg", "cab"), ("ab", "bxayz"), ("dcba", "abcdefghij")],
)
@pytest.mark.parametrize("p", [0.5, 0.9, 0.98])
def test_rank_biased_overlap_is_the_endless_sum(a, b, p):
    found = rank_biased_overlap(a, b, p)
    assert found == pytest.approx(endless_overlap(list(a), list(b), p), abs=1e-12)
    assert rank_biased_overlap(b, a, p) == found


def test_rank_biased_overlap_worked_by_hand():
    # p = 0.5, agreements 0 and 1, then 1 for ever: 0.5 x 0 + 0.25 x 1 + 0.25 x 1
    assert rank_biased_overlap(["a", "b"], ["b", "a"], 0.5) == pytest.approx(0.5)
    assert rank_biased_overlap(["a"], ["a"]) == pytest.approx(1.0)
    assert rank_biased_overlap([], ["a"]) == 0.0
    assert rank_biased_overlap([], []) is None


def test_rank_biased_overlap_refuses_what_is_no_ranking():
    with pytest.raises(ValueError, match="twice"):
        rank_biased_overlap(["a", "a"], ["b"])
    with pytest.raises(ValueError, match="persistence"):
        rank_biased_overlap(["a"], ["b"], 1.0)
