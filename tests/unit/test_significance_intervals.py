"""Intervals against scipy and statsmodels, and the rules of which one is shown."""

import subprocess
import sys

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from ragmeter.significance.draws import Stream, as_integers, resampled_sums
from ragmeter.significance.intervals import (
    Interval,
    bootstrap_mean,
    clopper_pearson,
    cluster_bootstrap,
    cluster_t,
    interval_for_mean,
    outer_rank,
    rule_of_three,
    t_interval,
    wilson,
)
from ragmeter.sums import Histogram

COUNTS = [
    *((0, 1), (1, 1), (0, 30), (1, 30), (15, 30), (30, 30)),
    *((7, 200), (199, 200), (4321, 10_000), (9999, 10_000)),
]


def histogram(*scores: tuple[float, float, int], limit: int = 10_000) -> Histogram:
    filled = Histogram(limit)
    for num, den, count in scores:
        filled.add(num, den, count)
    return filled


@pytest.mark.parametrize(("successes", "n"), COUNTS)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_wilson_and_clopper_pearson_are_those_of_statsmodels(successes, n, level):
    for mine, method in ((wilson, "wilson"), (clopper_pearson, "beta")):
        low, high = proportion_confint(successes, n, 1 - level, method)
        expected = (0.0 if successes == 0 else float(low), 1.0 if successes == n else float(high))
        assert mine(successes, n, level) == pytest.approx(expected, rel=1e-10, abs=1e-15)


def test_wilson_worked_by_hand():
    # 8 of 10, z = 1.959964: (8 + 1.920729) / 13.841459 -+ 1.959964 / 13.841459 sqrt(1.6 + 0.960365)
    assert wilson(8, 10) == pytest.approx((0.490162, 0.943318), abs=1e-6)


def test_clopper_pearson_at_zero_is_the_closed_form():
    assert clopper_pearson(0, 20) == pytest.approx((0, 1 - 0.025 ** (1 / 20)), rel=1e-13)
    assert clopper_pearson(20, 20) == pytest.approx((0.025 ** (1 / 20), 1), rel=1e-13)


@pytest.mark.parametrize("bad", [(1, 0), (-1, 5), (6, 5)])
def test_impossible_proportions_are_refused(bad):
    for interval in (wilson, clopper_pearson):
        with pytest.raises(ValueError, match="no proportion"):
            interval(*bad)


@pytest.mark.parametrize("level", [0.0, 1.0, 95])
def test_an_impossible_level_is_refused(level):
    with pytest.raises(ValueError, match="level"):
        wilson(1, 2, level)


@pytest.mark.parametrize("n", [2, 3, 30, 1000, 10**6])
def test_t_intervals_are_scipys(n):
    expected = stats.t.interval(0.95, n - 1, loc=0.3, scale=np.sqrt(0.04 / n))
    assert t_interval(n, 0.3, 0.04) == pytest.approx(expected, rel=1e-10)


def test_a_t_interval_needs_two_scores():
    for bad in ((1, 0.5, 0.0), (5, 0.5, -1.0)):
        with pytest.raises(ValueError, match="t interval"):
            t_interval(*bad)


def test_the_rule_of_three_at_a_bound_is_the_binomial_one():
    low, high = rule_of_three(100, 1.0, (0.0, 1.0))
    assert high == 1.0
    assert low == pytest.approx(0.05 ** (1 / 100), rel=1e-14)  # 1 - 2.95 / 100
    low, high = rule_of_three(100, 0.25, (0.0, 1.0))
    share = 1 - 0.05 ** (1 / 100)
    assert (low, high) == pytest.approx((0.25 - share * 0.25, 0.25 + share * 0.75))
    with pytest.raises(ValueError, match="outside"):
        rule_of_three(100, 1.5, (0.0, 1.0))


VALUES, TIMES = [0.0, 1 / 3, 0.5, 1.0], [40, 25, 60, 75]


def test_bootstrap_intervals_are_pinned():
    assert bootstrap_mean(VALUES, TIMES, seed=0, key="recall@5") == (0.5141666666666667, 0.6191666666666666)
    assert bootstrap_mean(VALUES, TIMES, seed=0, key="recall@5", method="bca") == (
        0.5141666666666667,
        0.6183333333333333,
    )
    assert bootstrap_mean([i / 97 for i in range(97)], [1] * 97, seed=0, key="ndcg") == (
        0.43755978318631095,
        0.5508555638218726,
    )


def test_bootstrap_bounds_are_the_ranked_means_of_the_draws():
    units, offset, unit = as_integers(VALUES, 200)
    sums = np.sort(resampled_sums(Stream(5, "k"), TIMES, [units], 999)[0])
    low, high = bootstrap_mean(VALUES, TIMES, seed=5, key="k", draws=999)
    assert low == offset + unit * (int(sums[24]) / 200)  # the 25th of 999 from below
    assert high == offset + unit * (int(sums[974]) / 200)  # and from above


@pytest.mark.parametrize(
    ("tail", "draws", "rank"), [(0.025, 10_000, 250), (0.025, 999, 25), (0.05, 999, 50), (0.001, 99, 1)]
)
def test_ranks_count_from_the_outside(tail, draws, rank):
    assert outer_rank(tail, draws) == rank


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("sample", [np.repeat(VALUES, TIMES), stats.expon.ppf(np.arange(1, 60) / 60)])
def test_the_bootstrap_agrees_with_scipys_up_to_its_noise(method, sample):
    name = {"percentile": "percentile", "bca": "BCa"}[method]
    theirs = stats.bootstrap((sample,), np.mean, method=name, n_resamples=20_000, rng=3).confidence_interval
    values, counts = np.unique(sample, return_counts=True)
    args = values.tolist(), counts.tolist()
    low, high = bootstrap_mean(*args, seed=1, key="k", draws=20_000, method=method)
    width = theirs.high - theirs.low
    assert low == pytest.approx(theirs.low, abs=0.03 * width)
    assert high == pytest.approx(theirs.high, abs=0.03 * width)


def test_bca_shifts_towards_the_long_tail():
    values, counts = [i * i / 2500 for i in range(51)], [1] * 51
    plain = bootstrap_mean(values, counts, seed=1, key="k")
    corrected = bootstrap_mean(values, counts, seed=1, key="k", method="bca")
    assert corrected[0] > plain[0] and corrected[1] > plain[1]


def test_the_bootstrap_does_not_see_the_order_of_values():
    forwards = bootstrap_mean(VALUES, TIMES, seed=2, key="k")
    assert bootstrap_mean(VALUES[::-1], TIMES[::-1], seed=2, key="k") == forwards
    assert bootstrap_mean([*VALUES, 0.5, 7.0], [40, 25, 10, 75, 50, 0], seed=2, key="k") == forwards


def test_the_bootstrap_depends_on_seed_and_key():
    args = [i / 97 for i in range(97)], [1] * 97
    found = {bootstrap_mean(*args, seed=s, key=k) for s, k in ((0, "a"), (1, "a"), (0, "b"), (0, ("a", "x")))}
    assert len(found) == 4


def test_a_bootstrap_of_equal_scores_has_no_width_and_one_of_none_is_refused():
    assert bootstrap_mean([0.7], [50], seed=0, key="k") == (0.7, 0.7)
    with pytest.raises(ValueError, match="no score"):
        bootstrap_mean([0.7], [0], seed=0, key="k")
    with pytest.raises(ValueError, match="negative"):
        bootstrap_mean([0.7, 1], [5, -1], seed=0, key="k")
    with pytest.raises(ValueError, match="percentile"):
        bootstrap_mean([0.7, 1], [5, 1], seed=0, key="k", method="basic")


def clustered(seed: int, clusters: int) -> tuple[list[float], list[int], np.ndarray, np.ndarray]:
    random = np.random.Generator(np.random.Philox(seed))
    sizes = random.integers(1, 8, clusters)
    groups = np.repeat(np.arange(clusters), sizes)
    scores = np.clip(random.normal(0.6, 0.2, clusters)[groups] + random.normal(0, 0.1, len(groups)), 0, 1)
    return np.bincount(groups, scores).tolist(), sizes.tolist(), scores, groups


def test_cluster_t_is_the_cluster_robust_regression_on_a_constant():
    sums, sizes, scores, groups = clustered(1, 40)
    fit = sm.OLS(scores, np.ones(len(scores))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    assert cluster_t(sums, sizes) == pytest.approx(tuple(fit.conf_int()[0]), rel=1e-10)


def test_cluster_t_of_single_cases_is_the_t_interval():
    scores = np.random.Generator(np.random.Philox(2)).random(50)
    expected = t_interval(50, scores.mean(), scores.var(ddof=1))
    assert cluster_t(scores.tolist(), [1] * 50) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("repeat", [1, 60])  # distinct clusters; few kinds of cluster
def test_a_cluster_bootstrap_has_the_width_of_the_cluster_t(repeat):
    sums, sizes, _, _ = clustered(3, 100 if repeat == 1 else 8)
    sums, sizes = sums * repeat, sizes * repeat
    t = cluster_t(sums, sizes)
    low, high = cluster_bootstrap(sums, sizes, seed=0, key="c")
    assert (high - low) == pytest.approx(t[1] - t[0], rel=0.08)
    assert low < sum(sums) / sum(sizes) < high
    assert cluster_bootstrap(sums[::-1], sizes[::-1], seed=0, key="c") == (low, high)


def test_cluster_intervals_need_clusters():
    with pytest.raises(ValueError, match="two clusters"):
        cluster_t([1.0], [3])
    with pytest.raises(ValueError, match="no cluster"):
        cluster_bootstrap([], [], seed=0, key="c")
    with pytest.raises(ValueError, match="negative"):
        cluster_t([1.0, 1.0], [3, -1])


def shown(scores: Histogram, **options: object) -> Interval:
    return interval_for_mean(scores, seed=0, key=("recall@5", ""), **options)  # type: ignore[arg-type]


def test_too_few_cases_or_clusters_show_no_interval():
    assert shown(histogram((1, 2, 15), (1, 1, 14))) == (None, None, "too_few")
    assert shown(histogram((1, 2, 15), (1, 1, 15))).kind == "bootstrap"
    many = histogram((0, 1, 50), (1, 1, 50))
    assert shown(many, clusters=[(3, 5)] * 10 + [(2, 5)] * 9 + [(2, 5)] * 0).kind == "too_few"
    assert shown(many, clusters=[(3, 5)] * 10 + [(2, 5)] * 10).kind == "cluster_t"


def test_proportions_get_wilson():
    scores = histogram((0, 1, 40), (1, 1, 60))
    assert shown(scores, proportion=True) == (*wilson(60, 100), "wilson")
    assert shown(scores, bounds=(0, 1)) == (*wilson(60, 100), "wilson")
    assert shown(scores).kind == "bootstrap"
    for value, successes in ((0, 0), (1, 100)):
        assert shown(histogram((value, 1, 100)), proportion=True) == (*wilson(successes, 100), "wilson")


def test_a_proportion_with_scores_between_is_a_mean():
    # a judge asked several times may say 2/3
    scores = histogram((0, 1, 40), (2, 3, 1), (1, 1, 60))
    assert shown(scores, proportion=True) == shown(scores)
    assert shown(scores).kind == "bootstrap"


def test_equal_scores_get_the_rule_of_three_or_nothing():
    scores = histogram((1, 2, 60))
    assert shown(scores) == (None, None, "constant")
    assert shown(scores, bounds=(0, 1)) == (*rule_of_three(60, 0.5, (0, 1)), "rule_of_three")
    assert shown(histogram((3, 2, 60)), bounds=(0, 1)) == (None, None, "constant")
    # in clusters the clusters are counted
    assert shown(scores, bounds=(0, 1), clusters=[(1.5, 3)] * 20) == (
        *rule_of_three(20, 0.5, (0, 1)),
        "rule_of_three",
    )


def test_means_get_the_bootstrap():
    scores = histogram(*((value, 1, count) for value, count in zip(VALUES, TIMES, strict=True)))
    expected = bootstrap_mean(VALUES, TIMES, seed=0, key=("recall@5", ""))
    assert shown(scores) == (*expected, "bootstrap")
    assert shown(scores, clusters=[(0.5, 1)] * 200) == (*expected, "bootstrap")  # clusters of one case


@pytest.mark.parametrize(
    "scores",
    [
        histogram(*((i, 5003, 1) for i in range(5000))),
        histogram(*((i, 40, 1) for i in range(41)), limit=40),
    ],
)
def test_many_distinct_or_folded_scores_get_t(scores):
    n, mean, variance = scores.moments()
    assert shown(scores) == (*t_interval(n, mean, variance), "t")


def test_a_t_interval_stays_within_bounds():
    scores = histogram(*((9_900 + i, 10_000, 1) for i in range(41)), (99, 100, 9), limit=40)
    scores.add(0.0)
    low, high, kind = shown(scores, bounds=(0, 1))
    assert kind == "t"
    assert high == 1.0
    assert shown(scores).high > 1.0


def test_the_bootstrap_can_be_asked_for():
    scores = histogram(*((i, 200, 50) for i in range(200)))
    assert shown(scores).kind == "t"
    assert shown(scores, bootstrap=True).kind == "bootstrap"


def test_only_the_bootstrap_imports_numpy():
    code = (
        "import sys, ragmeter.significance\n"
        "from ragmeter.significance.intervals import interval_for_mean, clopper_pearson\n"
        "from ragmeter.significance.paired import mcnemar_exact, sign_test, paired_t, wilcoxon\n"
        "from ragmeter.significance.corrections import holm, benjamini_hochberg\n"
        "from ragmeter.sums import Histogram\n"
        "h = Histogram(limit=40)\n"
        "for i in range(20): h.add(i, 19)\n"
        "kinds = [interval_for_mean(h, seed=0, key='k').kind]\n"
        "p = Histogram(); p.add(1, 1, 30); p.add(0, 1, 30)\n"
        "kinds += [interval_for_mean(p, seed=0, key='k', proportion=True).kind]\n"
        "for i in range(60): h.add(i, 59)\n"
        "kinds += [interval_for_mean(h, seed=0, key='k').kind]\n"
        "kinds += [interval_for_mean(h, seed=0, key='k', clusters=[(1, 2), (2, 2)] * 20).kind]\n"
        "d = {-1.0: 3, 0.5: 9}; mcnemar_exact(3, 9); sign_test(d); paired_t(d); wilcoxon(d)\n"
        "holm([.1, .2]); benjamini_hochberg([.1, .2]); clopper_pearson(3, 9)\n"
        "assert kinds == ['too_few', 'wilson', 't', 'cluster_t'], kinds\n"
        "assert not {'numpy', 'scipy', 'fractions', 'statistics', 'decimal'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_every_name_of_the_face_exists():
    from ragmeter import significance

    assert all(getattr(significance, name) is not None for name in dir(significance))
    assert significance.wilson is wilson
    with pytest.raises(AttributeError, match="no attribute 'bayes'"):
        _ = significance.bayes
