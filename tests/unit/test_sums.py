"""Exact sums and histograms, with numbers worked by hand and math.fsum as the judge."""

import json
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from ragmeter.sums import LARGEST_DEN, Exact, Histogram


def test_ten_tenths_are_one():
    assert Exact([0.1] * 10).value() == 1.0
    total = Exact()
    total.add(0.1, count=10)
    assert total.value() == 1.0


def test_what_cancels_leaves_the_small_number():
    assert Exact([1e308, 5e-324, -1e308]).value() == 5e-324
    assert Exact([1e16, 1.0, -1e16]).value() == 1.0


def test_an_empty_sum_is_zero():
    assert Exact().value() == 0.0
    assert Exact().ratio() == (0, 1)


def test_integers_of_any_size_are_exact():
    total = Exact()
    total.add(10**40)
    total.add(-(10**40) + 3)
    assert total.ratio() == (3, 1)


def test_a_sum_is_rounded_half_to_even():
    assert Exact([2.0**53, 1.0]).value() == 2.0**53
    assert Exact([2.0**53, 1.0, 1.0]).value() == 2.0**53 + 2
    assert Exact([2.0**53, 1.0, 5e-324]).value() == 2.0**53 + 2


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_refused(bad):
    with pytest.raises(ValueError, match="not a finite number"):
        Exact().add(bad)
    with pytest.raises(ValueError, match="not finite"):
        Exact().add_array(np.array([1.0, bad]))
    with pytest.raises(ValueError, match="finite"):
        Histogram().add(bad)
    with pytest.raises(ValueError, match="finite"):
        Histogram().add_arrays(np.array([1.0, bad]))


def test_a_count_may_take_away():
    total = Exact([0.1, 0.7])
    total.add(0.1, count=-1)
    assert total == Exact([0.7])


def test_a_sum_beyond_the_doubles_says_so():
    with pytest.raises(OverflowError):
        Exact([1.7e308, 1.7e308]).value()


def test_arrays_and_single_additions_agree():
    draw = random.Random(5)
    values = [math.ldexp(draw.uniform(-1, 1), draw.randint(-1074, 1000)) for _ in range(3000)]
    values += [0.0, -0.0, 5e-324, -5e-324, 1.7e308]
    one_by_one, at_once = Exact(values), Exact()
    at_once.add_array(np.array(values))
    assert at_once == one_by_one
    assert at_once.value() == math.fsum(values)


def test_more_than_one_block_is_still_exact():
    values = np.random.Generator(np.random.Philox(1)).normal(size=150_000)
    total = Exact()
    total.add_array(values)
    assert total.value() == math.fsum(values.tolist())


def test_squares_are_not_rounded():
    values = [0.1, -1 / 3, 1e200, 3e-170, 2.5]
    squares, at_once = Exact(), Exact()
    for value in values:
        squares.add_square(value)
    at_once.add_square_array(np.array(values))
    expected = sum(Fraction(value) ** 2 for value in values)
    assert Fraction(*squares.ratio()) == expected
    assert Fraction(*at_once.ratio()) == expected


def test_squares_of_many_blocks_agree_with_fractions():
    values = np.random.Generator(np.random.Philox(2)).uniform(-1, 1, size=70_000)
    total = Exact()
    total.add_square_array(values)
    units = [int(value * 2.0**80) for value in values.tolist()]  # exact: none has a bit below 2**-80
    assert all(unit / 2.0**80 == value for unit, value in zip(units, values.tolist(), strict=True))
    assert Fraction(*total.ratio()) == Fraction(sum(unit * unit for unit in units), 2**160)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64, np.bool_])
def test_integer_arrays_do_not_overflow(dtype):
    top = 1 if dtype is np.bool_ else np.iinfo(dtype).max
    total = Exact()
    total.add_array(np.full(1000, top, dtype=dtype))
    assert total.ratio() == (1000 * int(top), 1)


def test_negative_wide_integers_sum_exactly():
    low = np.iinfo(np.int64).min
    total = Exact()
    total.add_array(np.array([low, low, 5], dtype=np.int64))
    assert total.ratio() == (2 * int(low) + 5, 1)


def test_an_exact_sum_survives_json():
    total = Exact([0.1, 1e300, -3e-310])
    assert Exact.from_json(json.loads(json.dumps(total.to_json()))) == total
    with pytest.raises(ValueError, match="power of two"):
        Exact.from_json(["0x1", "0x3"])


def test_thirds_add_up_to_one():
    histogram = Histogram()
    for _ in range(3):
        histogram.add(1, 3)
    assert histogram.total() == 1.0
    assert histogram.mean() == 1 / 3
    assert histogram.distinct() == ((1 / 3,), (3,))


def test_moments_worked_by_hand():
    histogram = Histogram()
    histogram.add(1, 2, count=2)
    histogram.add(1, 1)
    histogram.add(0, 7)
    # 0, 1/2, 1/2, 1: mean 1/2, squared deviations 1/4 + 0 + 0 + 1/4 over 3
    assert histogram.moments() == (4, 0.5, 1 / 6)


def test_nothing_has_no_mean_and_one_score_no_variance():
    assert Histogram().mean() is None
    assert Histogram().moments() == (0, None, None)
    assert Histogram().distinct() == ((), ())
    one = Histogram()
    one.add(2, 5)
    assert one.moments() == (1, 0.4, None)


def test_the_same_score_written_differently_is_one_value():
    histogram = Histogram()
    histogram.add(1, 2)
    histogram.add(2, 4)
    histogram.add(-3, -6)
    histogram.add(0.5)
    histogram.add(np.int64(4), np.int64(8))
    assert histogram.distinct() == ((0.5,), (5,))


def test_a_zero_denominator_is_refused():
    for num, den in ((1, 0), (1.0, 0), (0.5, 0.0)):
        with pytest.raises(ValueError, match="denominator 0"):
            Histogram().add(num, den)
    with pytest.raises(ValueError, match="denominator 0"):
        Histogram().add_arrays(np.array([1, 2]), np.array([1, 0]))


def test_a_negative_count_is_refused_and_none_changes_nothing():
    histogram = Histogram()
    histogram.add(1, 2, count=0)
    assert histogram.n == 0
    with pytest.raises(ValueError, match="negative"):
        histogram.add(1, 2, count=-1)


def test_a_large_denominator_is_scored_as_a_double():
    histogram = Histogram()
    histogram.add(1, LARGEST_DEN + 1)
    assert histogram.to_json()["counts"] == [[1 / (LARGEST_DEN + 1), 1, 1]]


def test_a_histogram_folds_past_its_limit_and_keeps_exact_moments():
    scores = [(i, 97 + i % 5) for i in range(50)] + [(0.1 * i, 1) for i in range(50)]
    whole, folded = Histogram(), Histogram(limit=20)
    for num, den in scores:
        whole.add(num, den)
        folded.add(num, den)
    assert whole.distinct() is not None
    assert folded.folded
    assert folded.distinct() is None
    assert folded.moments() == whole.moments()
    exact = [Fraction(a, b) if isinstance(a, int) else Fraction(a) for a, b in scores]
    mean = sum(exact) / 100
    assert folded.moments() == (100, float(mean), float(sum((x - mean) ** 2 for x in exact) / 99))


def test_folding_depends_on_the_scores_and_not_on_the_partition():
    scores = [(i % 30, 31) for i in range(300)]
    for limit in (29, 30):
        whole = Histogram(limit)
        for score in scores:
            whole.add(*score)
        parts = [Histogram(limit) for _ in range(7)]
        for place, score in enumerate(scores):
            parts[place % 7].add(*score)
        merged = sum(parts[1:], parts[0])
        assert whole.folded == (limit == 29)
        assert merged.to_json() == whole.to_json()


def test_folded_and_unfolded_parts_merge_both_ways():
    large, small = Histogram(limit=5), Histogram(limit=5)
    for i in range(9):
        large.add(i, 11)
    small.add(1, 2)
    small.add(0.3)
    assert (large + small).to_json() == (small + large).to_json()
    assert (large + small).n == 11
    assert large.n == 9


def test_histograms_of_different_limits_do_not_merge():
    with pytest.raises(ValueError, match="limits"):
        Histogram(limit=5) + Histogram(limit=6)


def test_arrays_fill_the_same_histogram():
    draw = random.Random(11)
    num = [draw.randint(-3, 9) for _ in range(2000)]
    den = [draw.choice([-2, 1, 3, 10]) for _ in range(2000)]
    one_by_one, at_once = Histogram(), Histogram()
    for a, b in zip(num, den, strict=True):
        one_by_one.add(a, b)
    at_once.add_arrays(np.array(num), np.array(den, dtype=np.int32))
    assert at_once == one_by_one


@pytest.mark.parametrize("limit", [10, 10_000])
def test_arrays_of_doubles_fill_the_same_histogram(limit):
    values = np.random.Generator(np.random.Philox(3)).integers(0, 40, size=3000) / 7
    one_by_one, at_once, halves = (Histogram(limit) for _ in range(3))
    for value in values.tolist():
        one_by_one.add(value)
    at_once.add_arrays(values)
    halves.add_arrays(values[:1000])
    halves.add_arrays(values[1000:])
    assert at_once.to_json() == one_by_one.to_json() == halves.to_json()


def test_arrays_of_doubles_over_integers_are_divided_per_case():
    histogram = Histogram()
    histogram.add_arrays(np.array([1.0, 2.5]), np.array([3, 5]))
    histogram.add_arrays(np.array([], dtype=float))
    assert histogram.distinct() == ((1 / 3, 0.5), (1, 1))


@pytest.mark.parametrize("limit", [3, 100])
def test_a_histogram_survives_json(limit):
    histogram = Histogram(limit)
    for i in range(9):
        histogram.add(i, 11, count=i + 1)
        histogram.add(i / 7)
    copy = Histogram.from_json(json.loads(json.dumps(histogram.to_json())))
    assert copy == histogram
    assert copy.moments() == histogram.moments()
    assert copy + histogram == histogram + copy


def test_many_denominators_stay_exact():
    histogram = Histogram(limit=100)
    for den in range(1, 2001):
        histogram.add(1, den)
    assert histogram.folded
    assert histogram.total() == float(sum(Fraction(1, den) for den in range(1, 2001)))
