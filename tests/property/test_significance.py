"""What holds for every interval, test and coefficient: bounds, symmetry, independence of order."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from ragmeter.significance.agreement import cohen_kappa, gwet_ac1, krippendorff_alpha
from ragmeter.significance.corrections import benjamini_hochberg, holm
from ragmeter.significance.debias import ppi_mean
from ragmeter.significance.distributions import beta_quantile, beta_tails, student_quantile, student_two_sided
from ragmeter.significance.draws import Stream
from ragmeter.significance.intervals import (
    bootstrap_mean,
    clopper_pearson,
    cluster_bootstrap,
    cluster_t,
    interval_for_mean,
    rule_of_three,
    wilson,
)
from ragmeter.significance.paired import cohen_dz, mcnemar_exact, paired_t, rank_biserial, sign_test, wilcoxon
from ragmeter.significance.pairs import differences, tally
from ragmeter.significance.power import cases_needed, minimum_detectable_effect
from ragmeter.significance.rankings import kendall_tau, rank_biased_overlap
from ragmeter.significance.signflip import sign_flip
from ragmeter.sums import Histogram

SCORES = st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0]) | st.floats(0, 1)
COUNTED = st.dictionaries(SCORES, st.integers(1, 60), min_size=1, max_size=12)
DIFFERENCES = st.dictionaries(
    st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0]) | st.floats(-1, 1).map(lambda x: round(x, 6)),
    st.integers(1, 30),
    min_size=1,
    max_size=10,
)
LEVELS = st.floats(0.5, 0.999)
SHARES = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(share=SHARES, level=LEVELS)
def test_proportion_intervals_hold_the_share_and_mirror(share, level):
    k, n = share
    for interval in (wilson, clopper_pearson):
        low, high = interval(k, n, level)
        assert 0 <= low <= k / n <= high <= 1
        mirrored = interval(n - k, n, level)
        assert math.isclose(mirrored[0], 1 - high, abs_tol=1e-12)
        assert math.isclose(mirrored[1], 1 - low, abs_tol=1e-12)


@given(share=SHARES)
def test_more_confidence_is_wider_and_clopper_pearson_inverts_its_tails(share):
    k, n = share
    for interval in (wilson, clopper_pearson):
        narrow, wide = interval(k, n, 0.8), interval(k, n, 0.99)
        assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]
    low, high = clopper_pearson(k, n)
    if k > 0:
        assert math.isclose(beta_tails(k, n - k + 1, low)[0], 0.025, rel_tol=1e-10)
    if k < n:
        assert math.isclose(beta_tails(k + 1, n - k, high)[1], 0.025, rel_tol=1e-10)


@given(a=st.floats(0.3, 5000), b=st.floats(0.3, 5000), p=st.floats(1e-6, 1 - 1e-6))
def test_beta_quantiles_invert_the_tails(a, b, p):
    x, rest = beta_quantile(a, b, p)
    assert math.isclose(beta_tails(a, b, x, rest)[0], p, rel_tol=1e-9)


@given(df=st.floats(0.5, 1e5), p=st.floats(1e-6, 0.499999))
def test_student_quantiles_invert_the_tails_and_mirror(df, p):
    t = student_quantile(p, df)
    assert math.isclose(student_two_sided(t, df), 2 * p, rel_tol=1e-9)
    assert math.isclose(student_quantile(1 - p, df), -t, rel_tol=1e-8)


@given(n=st.integers(1, 500), value=st.floats(0, 1), level=LEVELS)
def test_the_rule_of_three_stays_within_bounds_and_narrows(n, value, level):
    low, high = rule_of_three(n, value, (0.0, 1.0), level)
    assert 0 <= low <= value <= high <= 1
    narrower = rule_of_three(n + 1, value, (0.0, 1.0), level)
    assert low <= narrower[0] <= narrower[1] <= high


@settings(max_examples=40)
@given(scores=COUNTED, seed=st.integers(0, 99), method=st.sampled_from(["percentile", "bca"]))
def test_a_bootstrap_lies_within_the_scores_and_forgets_their_order(scores, seed, method):
    values, counts = list(scores), list(scores.values())
    options = {"seed": seed, "key": "k", "draws": 300, "method": method}
    low, high = bootstrap_mean(values, counts, **options)
    assert min(values) - 1e-12 <= low <= high <= max(values) + 1e-12
    assert bootstrap_mean(values[::-1], counts[::-1], **options) == (low, high)


@settings(max_examples=40)
@given(scores=COUNTED, data=st.data())
def test_an_interval_depends_on_the_histogram_and_not_on_its_history(scores, data):
    cases = [value for value, count in scores.items() for _ in range(count)]
    shuffled = data.draw(st.permutations(cases))
    cut = data.draw(st.integers(0, len(cases)))
    whole, left, right = Histogram(), Histogram(), Histogram()
    for filled, some in ((whole, cases), (left, shuffled[:cut]), (right, shuffled[cut:])):
        for value in some:
            filled.add(value)
    options = {"seed": 1, "key": "m", "bounds": (0.0, 1.0)}
    found = interval_for_mean(whole, **options)
    assert interval_for_mean(right + left, **options) == found
    assert (found.low is None) == (found.kind == "too_few") == (len(cases) < 30)
    if found.low is not None:
        assert 0 <= found.low <= found.high <= 1


CLUSTERS = st.lists(
    st.integers(1, 6).flatmap(lambda n: st.tuples(st.floats(0, n), st.just(n))), min_size=2, max_size=30
)


@settings(max_examples=40)
@given(clusters=CLUSTERS, data=st.data())
def test_cluster_intervals_forget_the_order_of_clusters(clusters, data):
    shuffled = data.draw(st.permutations(clusters))
    one, other = tuple(zip(*clusters, strict=True)), tuple(zip(*shuffled, strict=True))
    assert cluster_t(*one) == cluster_t(*other)
    drawn = cluster_bootstrap(*one, seed=0, key="c", draws=200)
    assert drawn == cluster_bootstrap(*other, seed=0, key="c", draws=200)
    means = [total / size for total, size in clusters]
    assert min(means) - 1e-9 <= drawn[0] <= drawn[1] <= max(means) + 1e-9


@settings(max_examples=60)
@given(d=DIFFERENCES)
def test_tests_are_two_sided_and_forget_the_order(d):
    mirrored = {-x + 0.0: count for x, count in reversed(d.items())}
    for test in (lambda x: sign_flip(x, seed=0, key="k", draws=200), sign_test, paired_t, wilcoxon):
        one, other = test(d), test(mirrored)
        if one.test == "sign_flip":  # drawn ones share the draws, sorted by size
            assert one.p == other.p
        elif one.p is None:
            assert other.p is None and one.reason == other.reason != ""
        else:
            assert math.isclose(one.p, other.p, rel_tol=1e-9)
        assert one.p is None or 0 <= one.p <= 1
    won, lost = tally(d), tally(mirrored)
    assert (won.wins, won.ties, won.losses) == (lost.losses, lost.ties, lost.wins)
    assert sum(won) == sum(d.values())


@given(d=DIFFERENCES)
def test_effect_sizes_change_sign_with_the_runs(d):
    mirrored = {-x + 0.0: count for x, count in d.items()}
    for effect in (cohen_dz, rank_biserial):
        one, other = effect(d), effect(mirrored)
        assert one is other is None or math.isclose(one, -other, abs_tol=1e-9, rel_tol=1e-9)
    assert rank_biserial(d) is None or -1 <= rank_biserial(d) <= 1


@given(pairs=st.dictionaries(st.tuples(SCORES, SCORES), st.integers(0, 9), max_size=20))
def test_differences_keep_every_pair(pairs):
    d = differences(pairs)
    assert sum(d.values()) == sum(pairs.values())
    assert list(d) == sorted(d)
    assert all(-1 <= x <= 1 and count for x, count in d.items())


@given(b=st.integers(0, 3000), c=st.integers(0, 3000))
def test_mcnemar_is_symmetric_and_falls_with_the_imbalance(b, c):
    p = mcnemar_exact(b, c).p
    assert 0 <= p <= 1
    assert math.isclose(mcnemar_exact(c, b).p, p, rel_tol=1e-12)
    low, high = sorted((b, c))
    if low:
        assert mcnemar_exact(low - 1, high + 1).p <= p * (1 + 1e-9)


@given(ps=st.lists(st.floats(0, 1) | st.none(), max_size=15), data=st.data())
def test_corrections_raise_and_keep_the_order(ps, data):
    order = data.draw(st.permutations(range(len(ps))))
    for correct in (holm, benjamini_hochberg):
        adjusted = correct(ps)
        assert all(p is a is None or p <= a * (1 + 1e-12) <= 1 + 1e-9 for p, a in zip(ps, adjusted, strict=True))
        assert correct([ps[i] for i in order]) == [adjusted[i] for i in order]
        real = sorted((p, a) for p, a in zip(ps, adjusted, strict=True) if p is not None)
        assert all(a <= b for (_, a), (_, b) in zip(real, real[1:], strict=False))
    pairs = zip(benjamini_hochberg(ps), holm(ps), strict=True)
    assert all(b is h is None or b <= h * (1 + 1e-12) for b, h in pairs)


@given(sd=st.floats(0.01, 5), effect=st.floats(0.01, 2), power=st.floats(0.5, 0.99))
def test_needed_cases_are_the_fewest_that_detect(sd, effect, power):
    n = cases_needed(sd, effect, power=power)
    assert minimum_detectable_effect(sd, n, power=power) <= effect * (1 + 1e-12)
    if n > 2:
        assert minimum_detectable_effect(sd, n - 1, power=power) > effect


@given(x=st.lists(st.integers(0, 6), min_size=1, max_size=25), data=st.data())
def test_kendalls_tau_counts_pairs(x, data):
    y = data.draw(st.lists(st.integers(0, 6), min_size=len(x), max_size=len(x)))
    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    score = sum(((x[i] > x[j]) - (x[i] < x[j])) * ((y[i] > y[j]) - (y[i] < y[j])) for i, j in pairs)
    untied = [sum(z[i] != z[j] for i, j in pairs) for z in (x, y)]
    found = kendall_tau(x, y)
    if not all(untied):
        assert found is None
    else:
        assert math.isclose(found, score / math.sqrt(untied[0] * untied[1]), abs_tol=1e-12)


@given(a=st.permutations(range(8)), b=st.permutations(range(8)), cut=st.integers(1, 8), p=st.floats(0.05, 0.99))
def test_rank_biased_overlap_is_symmetric_and_bounded(a, b, cut, p):
    found = rank_biased_overlap(a[:cut], b, p)
    assert math.isclose(found, rank_biased_overlap(b, a[:cut], p), rel_tol=1e-12)
    assert -1e-12 <= found <= 1 + 1e-12
    assert math.isclose(rank_biased_overlap(a, a, p), 1.0, rel_tol=1e-12)


CONFUSIONS = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(1, 30), min_size=1, max_size=10
)


@settings(max_examples=60)
@given(cells=CONFUSIONS, weights=st.sampled_from(["none", "linear", "quadratic"]))
def test_agreement_is_symmetric_bounded_and_one_only_when_perfect(cells, weights):
    options = {"seed": 0, "key": "k", "draws": 100}
    swapped = {(b, a): count for (a, b), count in reversed(cells.items())}
    perfect = all(a == b for a, b in cells)
    for coefficient in (
        lambda c: cohen_kappa(c, weights=weights, **options),
        lambda c: gwet_ac1(c, **options),
        lambda c: krippendorff_alpha(c, metric="ordinal", **options),
    ):
        one, other = coefficient(cells), coefficient(swapped)
        if one.value is None:
            assert other.value is None and one.reason == "one_label"
            continue
        assert math.isclose(one.value, other.value, abs_tol=1e-12)
        assert one.value <= 1
        assert (one.value == 1) == perfect
        if one.interval.low is not None:
            assert one.interval.low <= one.interval.high <= 1


@given(
    pairs=st.dictionaries(
        st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 1.0])),
        st.integers(1, 50),
        min_size=2,
        max_size=6,
    ),
    others=st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
)
def test_debiased_means_hold_their_value_and_weigh_the_judge_between_0_and_1(pairs, others):
    judged = Histogram()
    judged.add(1, 1, others[0])
    judged.add(0, 1, others[1] - others[0])
    found = ppi_mean(pairs, judged)
    assert 0 <= found.weight <= 1
    labels = sum(y * count for (_, y), count in pairs.items()) / sum(pairs.values())
    if found.weight == 0:
        assert math.isclose(found.value, labels, abs_tol=1e-12)
    if found.interval.low is not None:
        assert found.interval.low <= found.value <= found.interval.high
    assert ppi_mean(dict(reversed(pairs.items())), judged) == found


@settings(max_examples=30)
@given(counts=st.lists(st.integers(1, 500), min_size=1, max_size=8), seed=st.integers(0, 9))
def test_multinomials_add_up(counts, seed):
    total = 0
    for place, taken in Stream(seed, "m").multinomial(counts, 50):
        assert 0 <= place < len(counts)
        assert (taken >= 0).all()
        total = total + taken
    assert (total == sum(counts)).all()
