"""The randomisation test of a mean difference, counted in full where that is cheap, else drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb, fsum, gcd, prod
from typing import TYPE_CHECKING, Any

from ragmeter.significance.distributions import binomial_cdf
from ragmeter.significance.draws import Key, Stream
from ragmeter.significance.intervals import DRAWS
from ragmeter.significance.pairs import DECIMALS, Differences, Finding, mean_difference
from ragmeter.sums import Exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_EXACT = 1 << 20  # distinguishable sign assignments that are counted in full; about 0.05 s
MOST_EQUAL = 2_000  # differences of one size whose ways to turn are counted in whole numbers
MANY = 16  # equal differences from which one binomial beats flipping them one by one


def sign_flip(d: Differences, *, seed: int, key: Key, draws: int = DRAWS) -> Finding:
    """Randomisation test of the mean difference: each difference may as well have had the other sign.

    p is the share of sign assignments whose sum is at least as far from 0 as the observed one. It is exact
    ('sign_flip_exact') where all assignments can be counted: up to 20 differing cases, or more where
    they have few distinct sizes; else estimated from `draws` random ones, the observed one counted among
    them: (hits + 1) / (draws + 1). Statistic: the mean difference over all n cases, ties included. p is 1
    when nothing differs. Sources: Fisher, The Design of Experiments, 1935, 21; Smucker, Allan, Carterette, A
    Comparison of Statistical Significance Tests for Information Retrieval Evaluation, 2007; Phipson and
    Smyth, Permutation P-values Should Never Be Zero, 2010.
    """
    n = sum(d.values())
    if not n:
        return Finding("sign_flip", None, None, 0, "no_pairs")
    sizes, observed = _sizes(d)
    mean = mean_difference(d)
    if not sizes:
        return Finding("sign_flip_exact", 1.0, 0.0, n)
    if max(sizes.values()) <= MOST_EQUAL and prod(count + 1 for count in sizes.values()) <= MOST_EXACT:
        return Finding("sign_flip_exact", _exact_share(sizes, observed), mean, n)
    if len(sizes) == 1:
        return Finding("sign_flip_exact", _one_size(*next(iter(sizes.items())), observed), mean, n)
    sums = _flipped_sums(sizes, Stream(seed, key), draws)
    hits = int((abs(sums) >= observed).sum())
    return Finding("sign_flip", (hits + 1) / (draws + 1), mean, n)


def _sizes(d: Differences) -> tuple[dict[int, int], int]:
    """({size of a difference: cases}, size of the sum of differences) in whole units.

    Units are 1e-12 over their common divisor, coarser where the sum would leave the 2**53 that doubles hold.
    """
    scale = 10**DECIMALS
    total = fsum(abs(difference) * count for difference, count in d.items())
    while total * scale >= 2**52 and scale > 1:
        scale //= 10
    units = {difference: round(difference * scale) for difference in d}
    common = gcd(*units.values()) or 1
    sizes: dict[int, int] = {}
    for difference, count in d.items():
        size = abs(units[difference]) // common
        if size and count:
            sizes[size] = sizes.get(size, 0) + count
    observed = abs(sum(units[difference] // common * count for difference, count in d.items()))
    return dict(sorted(sizes.items())), observed


def _one_size(size: int, count: int, observed: int) -> float:
    """The same share where all differences are of one size: a binomial."""
    return 1.0 if observed == 0 else min(1.0, 2 * binomial_cdf((count - observed // size) // 2, count))


def _exact_share(sizes: Mapping[int, int], observed: int) -> float:
    """The share of all sign assignments whose sum is at least `observed` in size.

    Equal sizes are flipped together: k of c turn positive in C(c, k) of 2^c ways.
    """
    import numpy as np

    sums, shares = np.zeros(1, np.int64), np.ones(1)
    for size, count in sizes.items():
        ways = np.array([comb(count, k) / (1 << count) for k in range(count + 1)])
        turned = size * (2 * np.arange(count + 1) - count)
        sums, shares = np.add.outer(sums, turned).ravel(), np.multiply.outer(shares, ways).ravel()
    total = Exact()
    total.add_array(shares[np.abs(sums) >= observed])
    return min(1.0, total.value())


def _flipped_sums(sizes: Mapping[int, int], stream: Stream, draws: int) -> NDArray[Any]:
    """`draws` sums of the sizes under random signs: exact, being whole numbers below 2**53."""
    import numpy as np

    sums = np.zeros(draws)
    single: list[int] = []
    for size, count in sizes.items():
        if count < MANY:
            single += [size] * count
            continue
        sums += size * (2.0 * stream.binomial(count, 0.5, draws) - count)
    for start in range(0, len(single), 64):
        some = np.array(single[start : start + 64], np.float64)
        for block, signs in _signs(stream, draws, len(some)):
            sums[block] += signs @ some
    return sums


def _signs(stream: Stream, draws: int, width: int) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Random signs in blocks of rows: (which draws, matrix of -1.0 and 1.0 with `width` columns)."""
    import numpy as np

    for start in range(0, draws, 2048):
        block = slice(start, min(start + 2048, draws))
        words = stream.words(block.stop - start).astype("<u8")
        bits = np.unpackbits(words.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little", count=width)
        yield block, bits * 2.0 - 1.0
