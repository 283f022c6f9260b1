"""Draws: the same for ever (pinned), and from the distributions they claim (with fixed seeds)."""

import numpy as np
import pytest
from scipy import stats

from ragmeter.significance.draws import (
    Stream,
    _binomial_table,
    _invert,
    as_integers,
    resampled_counts,
    resampled_sums,
)


def test_philox_is_the_published_one():
    # first block of the known answers for philox4x64 with 10 rounds, key and counter 0 (numpy steps before
    # it gives a block)
    bits = np.random.Philox(key=0, counter=2**256 - 1)
    assert [hex(word) for word in bits.random_raw(4).tolist()] == [
        "0x16554d9eca36314c",
        "0xdb20fe9d672d0fdc",
        "0xd7e772cee186176b",
        "0x7e68b68aec7ba23b",
    ]


def test_streams_are_pinned():
    words = Stream(7, ("a", "b")).words(3).tolist()
    assert words == [
        18398411012473739917,
        14574533192846583824,
        10515000791533145945,
    ]
    assert Stream(0, "recall@5").uniforms(2).tolist() == [0.41545399610253964, 0.9514326269916473]
    assert Stream(0, "x").below(10, 9).tolist() == [4, 0, 0, 7, 8, 7, 4, 4, 6]
    assert Stream(0, "x").binomial(1000, 0.3, 5).tolist() == [299, 281, 317, 296, 306]
    assert Stream(0, "x").binomials(np.array([5, 50, 500, 7]), 0.25).tolist() == [1, 18, 125, 1]


def test_seed_and_key_name_the_stream_without_mixing_their_words():
    keys = [(0, "ab"), (1, "ab"), (0, ("a", "b")), (0, ("ab", "")), (0, ("", "ab")), (10, "ab"), (-1, "ab")]
    assert len({tuple(Stream(seed, key).words(2).tolist()) for seed, key in keys}) == len(keys)
    assert Stream(0, "ab").words(2).tolist() == Stream(0, ("ab",)).words(2).tolist()


def test_a_stream_goes_on_where_it_stopped():
    at_once, in_parts = Stream(3, "k"), Stream(3, "k")
    assert at_once.words(10).tolist() == [*in_parts.words(4).tolist(), *in_parts.words(6).tolist()]


def test_a_key_may_hold_any_text():
    assert Stream(0, "độ phủ \ud800").words(1).size == 1


def test_uniforms_and_bounded_integers_are_even():
    uniforms = Stream(1, "u").uniforms(50_000)
    assert uniforms.min() >= 0 and uniforms.max() < 1
    assert stats.kstest(uniforms, "uniform").pvalue > 0.01
    drawn = Stream(1, "b").below(7, 50_001)
    assert drawn.size == 50_001
    assert stats.chisquare(np.bincount(drawn.astype(int), minlength=7)).pvalue > 0.01


@pytest.mark.parametrize("bound", [0, 2**31 + 1])
def test_a_bound_that_does_not_fit_is_refused(bound):
    with pytest.raises(ValueError, match="bound"):
        Stream(0, "b").below(bound, 3)


@pytest.mark.parametrize(
    ("n", "p"), [(1, 0.5), (10, 0.3), (8, 1e-4), (1000, 0.999), (10_000, 0.1), (10**6, 0.5), (10**6, 1e-6)]
)
def test_binomial_tables_are_the_distribution(n, p):
    first, table = _binomial_table(n, p)
    k = np.arange(first, first + len(table))
    np.testing.assert_allclose(table, stats.binom.cdf(k, n, p), rtol=1e-11, atol=1e-15)
    assert table[-1] == 1.0


@pytest.mark.parametrize("size", [100, 5000])
def test_inversion_finds_what_a_search_finds(size):
    u = np.concatenate([Stream(2, "i").uniforms(size), [0.0, 1 - 2**-53]])
    for n, p in ((3, 0.5), (10_000, 0.1), (50, 0.98)):
        _, table = _binomial_table(n, p)
        u[0] = table[0]  # a tie goes up
        assert _invert(table, u).tolist() == np.searchsorted(table, u, side="right").tolist()


def test_certain_binomials_need_no_luck():
    stream = Stream(0, "c")
    assert stream.binomial(0, 0.5, 3).tolist() == [0, 0, 0]
    assert stream.binomial(4, 0.0, 2).tolist() == [0, 0]
    assert stream.binomial(4, 1.0, 2).tolist() == [4, 4]
    assert stream.binomials(np.array([2, 5]), 1.0).tolist() == [2, 5]
    assert stream.binomials(np.array([2, 5]), 0.0).tolist() == [0, 0]


def test_binomials_with_many_numbers_of_trials_have_their_distributions():
    trials = np.repeat([3, 10, 77, 1000], 20_000)
    drawn = Stream(5, "many").binomials(trials, 0.3)
    for n in (3, 10, 77, 1000):
        mine = drawn[trials == n]
        seen = np.bincount(mine, minlength=n + 1)
        expected = stats.binom.pmf(np.arange(n + 1), n, 0.3) * 20_000
        common = expected > 5
        seen[common.argmax()] += seen[~common].sum()
        expected[common.argmax()] += expected[~common].sum()
        chi = stats.chisquare(seen[common], expected[common], sum_check=False)
        assert chi.pvalue > 0.001


def test_a_multinomial_keeps_its_total_and_its_margins():
    counts = [1, 40, 9, 50]
    drawn = np.zeros((4, 20_000), int)
    for place, taken in Stream(4, "m").multinomial(counts, 20_000):
        drawn[place] = taken
    assert (drawn.sum(axis=0) == 100).all()
    np.testing.assert_allclose(drawn.mean(axis=1), counts, rtol=0.03)
    shares = np.array(counts) / 100
    expected = 100 * (np.diag(shares) - np.outer(shares, shares))
    np.testing.assert_allclose(np.cov(drawn), expected, atol=0.6)


@pytest.mark.parametrize("counts", [[2] * 30, [200, 100, 300]])  # one by one; as multinomial counts
def test_resampled_sums_have_the_mean_and_variance_of_resampling(counts):
    values = list(range(len(counts)))
    n = sum(counts)
    first, ones = resampled_sums(Stream(1, "s"), counts, [values, [1] * len(counts)], 20_000)
    assert (ones == n).all()
    x = np.repeat(values, counts)
    assert first.mean() == pytest.approx(x.sum(), rel=0.01)
    assert first.var() == pytest.approx(n * x.var(), rel=0.03)


@pytest.mark.parametrize("counts", [[2] * 30, [2000, 1000, 3000]])
def test_resampled_counts_have_the_covariance_of_resampling(counts):
    blocks = list(resampled_counts(Stream(1, "s"), counts, 4000))
    drawn = np.concatenate(blocks)
    n = sum(counts)
    assert drawn.shape == (4000, len(counts))
    assert (drawn.sum(axis=1) == n).all()
    np.testing.assert_allclose(drawn.mean(axis=0), counts, rtol=0.08)
    shares = np.array(counts) / n
    np.testing.assert_allclose(drawn.var(axis=0), n * shares * (1 - shares), rtol=0.2)


def test_resampled_counts_come_in_blocks_of_bounded_size():
    blocks = list(resampled_counts(Stream(1, "s"), [1] * 3000, 1500))
    assert len(blocks) > 1
    assert sum(len(block) for block in blocks) == 1500
    assert all((block.sum(axis=1) == 3000).all() for block in blocks)


def test_integers_stand_for_values_to_twelve_digits():
    values = [0.1, 1 / 3, 0.9, 0.35]
    units, offset, unit = as_integers(values, 10_000)
    assert [offset + unit * i for i in units] == pytest.approx(values, rel=1e-13)
    assert max(units) * 10_000 < 2**63
    assert as_integers([0.3, 0.3], 5) == ([0, 0], 0.3, 0.0)
