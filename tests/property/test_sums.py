"""What holds for every sum: order and partition change no bit."""

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from ragmeter.sums import Exact, Histogram

DOUBLES = st.floats(allow_nan=False, allow_infinity=False, width=64).filter(lambda x: abs(x) < 1e300)
SCORES = st.one_of(
    st.tuples(st.integers(-50, 50), st.integers(1, 60)),
    st.tuples(st.floats(-1, 1, allow_nan=False), st.just(1)),
)


def split(items, cuts):
    """`items` cut at the places in `cuts`."""
    edges = [0, *sorted(cut % (len(items) + 1) for cut in cuts), len(items)]
    return [items[a:b] for a, b in zip(edges, edges[1:], strict=False)]


@given(values=st.lists(DOUBLES, max_size=40), data=st.data())
def test_a_sum_is_fsum_in_any_order_and_partition(values, data):
    shuffled = data.draw(st.permutations(values))
    parts = split(shuffled, data.draw(st.lists(st.integers(0, 40), max_size=4)))
    total = Exact()
    for part in parts:
        total += Exact(part)
    assert total == Exact(values)
    assert total.value() == math.fsum(values)
    assert Fraction(*total.ratio()) == sum(map(Fraction, values))


@given(values=st.lists(DOUBLES.filter(lambda x: abs(x) < 1e150), max_size=20))
def test_array_sums_and_squares_are_exact(values):
    import numpy as np

    total, squares = Exact(), Exact()
    total.add_array(np.array(values, dtype=float))
    squares.add_square_array(np.array(values, dtype=float))
    assert Fraction(*total.ratio()) == sum(map(Fraction, values))
    assert Fraction(*squares.ratio()) == sum(Fraction(x) ** 2 for x in values)


@given(scores=st.lists(SCORES, max_size=60), limit=st.integers(1, 40), data=st.data())
def test_a_histogram_has_the_same_state_in_any_order_and_partition(scores, limit, data):
    whole = Histogram(limit)
    for score in scores:
        whole.add(*score)
    shuffled = data.draw(st.permutations(scores))
    merged = Histogram(limit)
    for part in split(shuffled, data.draw(st.lists(st.integers(0, 60), max_size=4))):
        piece = Histogram(limit)
        for score in part:
            piece.add(*score)
        merged = piece + merged
    assert merged.to_json() == whole.to_json()
    assert merged.distinct() == whole.distinct()
    assert merged.moments() == whole.moments()


@given(a=st.lists(SCORES, max_size=20), b=st.lists(SCORES, max_size=20), c=st.lists(SCORES, max_size=20))
def test_merging_is_associative_and_commutative(a, b, c):
    x, y, z = (Histogram(limit=15) for _ in range(3))
    for histogram, scores in ((x, a), (y, b), (z, c)):
        for score in scores:
            histogram.add(*score)
    assert (x + y) + z == x + (y + z) == (z + y) + x


@given(scores=st.lists(SCORES, min_size=2, max_size=60), limit=st.sampled_from([3, 100]))
def test_moments_are_the_exact_ones_rounded_once(scores, limit):
    histogram = Histogram(limit)
    for score in scores:
        histogram.add(*score)
    exact = [Fraction(num) / den for num, den in scores]
    mean = sum(exact) / len(exact)
    variance = sum((x - mean) ** 2 for x in exact) / (len(exact) - 1)
    assert histogram.moments() == (len(exact), float(mean), float(variance))
