"""Agreement and debiasing: published examples, statsmodels, and the formulas written out once more."""

import math

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from ragmeter.significance.agreement import (
    cohen_kappa,
    confusion,
    gwet_ac1,
    krippendorff_alpha,
    raw_agreement,
)
from ragmeter.significance.debias import ppi_mean, rogan_gladen
from ragmeter.significance.intervals import wilson
from ragmeter.sums import Histogram

SAME = {"seed": 0, "key": "k", "draws": 500}

# Fleiss, Cohen, Everitt 1969: two raters, three categories, 200 cases; kappa = 0.429
FLEISS = [[106, 10, 4], [22, 28, 10], [2, 12, 6]]
# Gwet 2002 (Kappa Statistic Is Not Satisfactory): 118 + 5 + 2 + 0; kappa = -0.0234, AC1 = 0.9408
GWET = {("+", "+"): 118, ("+", "-"): 5, ("-", "+"): 2, ("-", "-"): 0}
# Krippendorff 2011 (Computing Krippendorff's Alpha-Reliability), example C: four observers, twelve units
KRIPPENDORFF = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
]


def cells(table):
    return {(i, j): count for i, row in enumerate(table) for j, count in enumerate(row)}


def units(rows):
    columns = zip(*(row.split() for row in rows), strict=True)
    found = {}
    for column in columns:
        unit = tuple(None if rating == "." else int(rating) for rating in column)
        found[unit] = found.get(unit, 0) + 1
    return found


def test_a_confusion_leaves_out_what_one_did_not_label():
    assert confusion([1, 1, None, 0], [1, 0, 1, None]) == {(1, 1): 1, (1, 0): 1}
    with pytest.raises(ValueError):
        confusion([1], [1, 0])


def test_raw_agreement_has_wilsons_interval():
    assert raw_agreement(GWET) == ("agreement", 118 / 125, (*wilson(118, 125), "wilson"), 125, "")
    assert raw_agreement({(1, 1): 9}).interval.kind == "too_few"
    assert raw_agreement({}).reason == "no_pairs"


def test_kappa_of_the_published_table():
    assert cohen_kappa(cells(FLEISS), **SAME).value == pytest.approx(0.429, abs=5e-4)


@pytest.mark.parametrize(("weights", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_kappas_are_those_of_statsmodels(weights, theirs):
    random = np.random.Generator(np.random.Philox(2))
    for table in (FLEISS, random.integers(0, 30, (5, 5)).tolist()):
        expected = cohens_kappa(np.array(table), wt=theirs, return_results=False)
        assert cohen_kappa(cells(table), weights=weights, **SAME).value == pytest.approx(expected, rel=1e-12)


def test_kappas_interval_is_near_the_asymptotic_one():
    theirs = cohens_kappa(np.array(FLEISS))
    found = cohen_kappa(cells(FLEISS), seed=0, key="k", draws=10_000).interval
    assert found.kind == "bootstrap"
    assert (found.low, found.high) == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=0.015)
    assert (found.low, found.high) == (0.321082646872454, 0.53204971971728)


def test_labels_give_the_weights_their_order():
    table = {
        ("bad", "fair"): 5,
        ("fair", "fair"): 20,
        ("good", "bad"): 2,
        ("good", "good"): 9,
        ("bad", "bad"): 7,
    }
    order = ["bad", "fair", "good"]
    numbers = {(order.index(a), order.index(b)): count for (a, b), count in table.items()}
    named = cohen_kappa(table, weights="linear", labels=order, **SAME)
    assert named == cohen_kappa(numbers, weights="linear", **SAME)
    with pytest.raises(ValueError, match="good"):
        cohen_kappa(table, labels=["bad", "fair"], **SAME)
    with pytest.raises(ValueError, match="weights"):
        cohen_kappa(table, weights="cubic", **SAME)


def test_kappa_collapses_where_ac1_does_not():
    assert cohen_kappa(GWET, **SAME).value == pytest.approx(-0.0234, abs=5e-5)
    assert gwet_ac1(GWET, **SAME).value == pytest.approx(0.9408, abs=5e-5)


def test_ac1_worked_by_hand_with_three_labels():
    # pi = (250, 110, 40) / 400; p_e = sum pi (1 - pi) / 2; p_o = 140 / 200
    pi = [250 / 400, 110 / 400, 40 / 400]
    chance = sum(x * (1 - x) for x in pi) / 2
    assert gwet_ac1(cells(FLEISS), **SAME).value == pytest.approx((0.7 - chance) / (1 - chance), rel=1e-13)
    # a fourth label that nobody used still counts as one
    chance = sum(x * (1 - x) for x in pi) / 3
    found = gwet_ac1(cells(FLEISS), labels=[0, 1, 2, 3], **SAME)
    assert found.value == pytest.approx((0.7 - chance) / (1 - chance), rel=1e-13)


@pytest.mark.parametrize(
    ("metric", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_the_published_data(metric, published):
    found = krippendorff_alpha(units(KRIPPENDORFF), metric=metric, **SAME)
    assert found.value == pytest.approx(published, abs=5e-4)
    assert found.n == 11  # one unit has a single rating
    assert found.interval == (None, None, "too_few")


def naive_alpha(table, metric) -> float:
    """Alpha from all pairs of ratings, as the definition reads."""
    pairs: dict[tuple[int, int], float] = {}
    for unit, count in table.items():
        given = [rating for rating in unit if rating is not None]
        for i, c in enumerate(given):
            for j, k in enumerate(given):
                if i != j:
                    pairs[c, k] = pairs.get((c, k), 0) + count / (len(given) - 1)
    totals: dict[int, float] = {}
    for (c, _), weight in pairs.items():
        totals[c] = totals.get(c, 0) + weight
    n = sum(totals.values())

    def distance(c, k):
        if metric == "ordinal":
            low, high = sorted((c, k))
            between = sum(totals.get(g, 0) for g in range(low, high + 1))
            return (between - (totals[c] + totals[k]) / 2) ** 2
        if metric == "interval":
            return (c - k) ** 2
        if metric == "ratio":
            return ((c - k) / (c + k)) ** 2 if c + k else 0
        return float(c != k)

    observed = sum(weight * distance(c, k) for (c, k), weight in pairs.items()) / n
    expected = sum(totals[c] * totals[k] * distance(c, k) for c in totals for k in totals) / (n * (n - 1))
    return 1 - observed / expected


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_is_the_definition_and_has_an_interval(metric):
    random = np.random.Generator(np.random.Philox(5))
    truth = random.integers(0, 5, 120)
    ratings = np.clip(truth[:, None] + random.integers(-1, 2, (120, 3)), 0, 6)
    gaps = random.random((120, 3)) < 0.2
    table: dict[tuple, int] = {}
    for row, gap in zip(ratings.tolist(), gaps.tolist(), strict=True):
        unit = tuple(None if missing else rating for rating, missing in zip(row, gap, strict=True))
        table[unit] = table.get(unit, 0) + 1
    found = krippendorff_alpha(table, metric=metric, **SAME)
    assert found.value == pytest.approx(naive_alpha(table, metric), rel=1e-12)
    assert found.interval.low < found.value < found.interval.high
    mirrored = {unit[::-1]: count for unit, count in reversed(table.items())}
    assert krippendorff_alpha(mirrored, metric=metric, **SAME) == found


def test_alpha_of_two_raters_is_near_scotts_pi():
    # nominal, two raters, no gaps: 1 - alpha = (1 - pi) (2n - 1) / (2n)
    n, same = 200, 140
    shares = [250 / 400, 110 / 400, 40 / 400]
    chance = sum(x * x for x in shares)
    pi = (same / n - chance) / (1 - chance)
    found = krippendorff_alpha(cells(FLEISS), **SAME).value
    assert 1 - found == pytest.approx((1 - pi) * (2 * n - 1) / (2 * n), rel=1e-12)


def test_one_label_is_not_agreement_but_a_reason():
    table = {(1, 1): 50}
    for found in (
        cohen_kappa(table, **SAME),
        gwet_ac1(table, **SAME),
        krippendorff_alpha(table, **SAME),
        krippendorff_alpha(table, metric="ordinal", **SAME),
    ):
        assert (found.value, found.interval, found.n) == (None, (None, None, "none"), 50)
        assert found.reason == "one_label"


def test_no_pair_is_a_reason():
    assert cohen_kappa({}, **SAME).reason == "no_pairs"
    assert gwet_ac1({(1, 0): 0}, **SAME).reason == "no_pairs"
    assert krippendorff_alpha({(1, None): 9, (None, None): 2}, **SAME).reason == "no_pairs"


def test_alpha_refuses_what_it_cannot_measure():
    with pytest.raises(ValueError, match="alpha is"):
        krippendorff_alpha({(1, 2): 3}, metric="cosine", **SAME)
    with pytest.raises(ValueError, match="negative"):
        krippendorff_alpha({(-1, 2): 3}, metric="ratio", **SAME)


def test_perfect_agreement_shows_no_interval():
    found = cohen_kappa({(0, 0): 40, (1, 1): 60}, **SAME)
    assert found.value == 1.0
    assert found.interval == (None, None, "constant")


def test_a_coefficient_often_undefined_shows_no_interval():
    found = cohen_kappa({(0, 0): 99, (1, 1): 1}, **SAME)
    assert found.value == 1.0
    assert found.interval == (None, None, "undefined")


def test_few_cases_show_no_interval():
    assert gwet_ac1({(0, 0): 10, (0, 1): 5, (1, 1): 14}, **SAME).interval == (None, None, "too_few")


def binary(ones: int, n: int) -> Histogram:
    judged = Histogram()
    judged.add(1, 1, ones)
    judged.add(0, 1, n - ones)
    return judged


PAIRS = {(1.0, 1.0): 60, (1.0, 0.0): 12, (0.0, 1.0): 5, (0.0, 0.0): 43}


def labelled() -> tuple[np.ndarray, np.ndarray]:
    f, y = np.array(list(PAIRS)).T
    return np.repeat(f, list(PAIRS.values())), np.repeat(y, list(PAIRS.values()))


def test_classical_ppi_is_its_formula():
    f, y = labelled()
    others = np.repeat([1.0, 0.0], [700, 300])
    found = ppi_mean(PAIRS, binary(700, 1000), tuned=False, unseen=0)
    value = others.mean() - (f - y).mean()
    error = math.sqrt(others.var(ddof=1) / 1000 + (f - y).var(ddof=1) / 120)
    assert found.value == pytest.approx(value, rel=1e-13)
    reach = 1.9800998764569285 * error  # t with 119 degrees of freedom
    assert (found.interval.low, found.interval.high) == pytest.approx((value - reach, value + reach), rel=1e-10)
    assert (found.weight, found.labelled, found.unlabelled, found.interval.kind) == (1.0, 120, 1000, "ppi")
    assert found.judged == pytest.approx((700 + 72) / 1120)


def test_tuned_ppi_is_its_formula():
    f, y = labelled()
    others = np.repeat([1.0, 0.0], [700, 300])
    found = ppi_mean(PAIRS, binary(700, 1000), unseen=0)
    weight = np.cov(y, f)[0, 1] / ((1 + 120 / 1000) * np.concatenate([f, others]).var(ddof=1))
    value = y.mean() + weight * (others.mean() - f.mean())
    error = math.sqrt((y - weight * f).var(ddof=1) / 120 + weight**2 * others.var(ddof=1) / 1000)
    assert found.weight == pytest.approx(weight, rel=1e-12)
    assert found.value == pytest.approx(value, rel=1e-13)
    assert found.interval.high - found.interval.low == pytest.approx(2 * 1.9800998764569285 * error, rel=1e-10)
    assert found.interval.high - found.interval.low < 2 * 1.98 * y.std(ddof=1) / math.sqrt(120)


def test_an_unseen_error_widens_the_interval_by_one_case():
    f, y = labelled()
    found = ppi_mean(PAIRS, binary(700, 1000), tuned=False, unseen=1, bounds=(0, 1))
    spread = ((f - y - (f - y).mean()) ** 2).sum() + 1
    error = math.sqrt(0.21 * 1000 / 999 / 1000 + spread / 119 / 120)
    assert found.interval.high - found.interval.low == pytest.approx(2 * 1.9800998764569285 * error, rel=1e-9)


def test_a_judge_without_an_error_among_the_labels_still_leaves_doubt():
    perfect = {(1, 1): 30, (0, 0): 20}
    found = ppi_mean(perfect, binary(6000, 10_000), tuned=False)
    published = ppi_mean(perfect, binary(6000, 10_000), tuned=False, unseen=0)
    assert found.value == published.value == pytest.approx(0.6)
    assert found.interval.high - found.interval.low > 3 * (published.interval.high - published.interval.low)


def test_a_useless_judge_is_not_used():
    noise = {(1, 1): 30, (0, 1): 30, (1, 0): 30, (0, 0): 30}
    found = ppi_mean(noise, binary(900, 1000))
    assert (found.weight, found.value) == (0.0, 0.5)
    contrary = {(1, 1): 5, (0, 1): 55, (1, 0): 55, (0, 0): 5}
    assert ppi_mean(contrary, binary(900, 1000)).weight == 0.0


def test_without_unlabelled_cases_the_labels_speak_alone():
    found = ppi_mean(PAIRS, Histogram())
    assert found.value == pytest.approx(65 / 120)
    assert (found.weight, found.unlabelled) == (0.0, 0)
    assert ppi_mean(PAIRS, Histogram(), tuned=False).value == pytest.approx(65 / 120)


def test_few_labels_show_no_interval_and_one_no_value():
    assert ppi_mean({(1, 1): 20, (0, 0): 9}, binary(50, 100)).interval == (None, None, "too_few")
    assert ppi_mean({(1, 1): 1}, binary(50, 100))[:2] == (None, (None, None, "none"))
    assert ppi_mean({(1, 1): 1}, binary(50, 100)).reason == "too_few_labels"
    assert ppi_mean({(1, 1): 40}, Histogram()).interval.kind == "constant"


def test_a_ppi_interval_stays_within_bounds():
    found = ppi_mean({(1, 1): 58, (0, 1): 1, (0, 0): 1}, binary(950, 1000), bounds=(0, 1))
    assert found.interval.high == 1.0


def test_rogan_gladen_worked_by_hand():
    # p 0.3, sens 0.9, spec 0.8: (0.3 + 0.8 - 1) / 0.7 = 1/7
    found = rogan_gladen(300, 1000, true_positives=90, positives=100, true_negatives=160, negatives=200)
    v = 1 / 7
    assert found.value == pytest.approx(v, rel=1e-12)
    variance = (0.3 * 0.7 / 1000 + v**2 * 0.09 / 100 + (1 - v) ** 2 * 0.16 / 200) / 0.49
    reach = 1.959963984540054 * math.sqrt(variance)
    assert found.interval == pytest.approx((v - reach, v + reach, "delta"))
    assert (found.judged, found.labelled, found.unlabelled) == (0.3, 300, 1000)


def test_rogan_gladen_is_cut_to_a_share():
    found = rogan_gladen(50, 1000, true_positives=90, positives=100, true_negatives=160, negatives=200)
    assert found.value == 0.0
    assert found.interval.low == 0.0


def test_a_judge_no_better_than_chance_corrects_nothing():
    found = rogan_gladen(50, 100, true_positives=20, positives=40, true_negatives=20, negatives=40)
    assert (found.value, found.reason) == (None, "judge_no_better_than_chance")
    found = rogan_gladen(50, 100, true_positives=0, positives=0, true_negatives=20, negatives=40)
    assert (found.value, found.reason) == (None, "too_few_labels")
    with pytest.raises(ValueError, match="no share"):
        rogan_gladen(5, 4, true_positives=1, positives=1, true_negatives=1, negatives=1)


def test_rogan_gladen_shows_no_interval_where_it_knows_too_little():
    few = rogan_gladen(50, 100, true_positives=20, positives=29, true_negatives=35, negatives=40)
    assert few.interval == (None, None, "too_few")
    sure = rogan_gladen(0, 100, true_positives=40, positives=40, true_negatives=40, negatives=40)
    assert (sure.value, sure.interval) == (0.0, (None, None, "constant"))
