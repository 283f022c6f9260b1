"""Random numbers that stay the same: a fixed bit stream and our own way from bits to draws.

numpy promises the raw bits of its Philox generator, not what its distributions make of them (NEP 19). So the
bits come from Philox4x64-10 (Salmon, Moraes, Dror, Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, 2011),
keyed by a hash of the seed and the words that name the estimate, and everything above the bits is here. The
same seed and key give the same draws on every platform and with every version of numpy; test vectors hold it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Key = str | Sequence[str]
ONE_BY_ONE = 40  # drawing one item costs about 1/40 of one binomial; measured


class Stream:
    """The stream of random bits named by `seed` and `key`.

    A key is one string or several; ('ab', 'c') is not ('a', 'bc'). Every method consumes the stream from
    where the last one stopped.
    """

    def __init__(self, seed: int, key: Key):
        from numpy.random import Philox

        self._bits = Philox(key=_hash(seed, key))

    def words(self, size: int) -> NDArray[Any]:
        """`size` random 64-bit words (uint64)."""
        return self._bits.random_raw(size)

    def uniforms(self, size: int) -> NDArray[Any]:
        """`size` doubles in [0, 1), multiples of 2**-53: the top 53 bits of a word each."""
        return (self.words(size) >> 11) * 2.0**-53

    def below(self, bound: int, size: int) -> NDArray[Any]:
        """`size` integers in [0, bound) (uint64) from 32 bits each; the bias is below bound / 2**32.

        Even places come from the high, odd ones from the low halves of the words. `bound` is at most 2**31.
        """
        import numpy as np

        if not 0 < bound <= 2**31:
            raise ValueError(f"the bound must lie between 1 and 2**31, not {bound}")
        words = self.words((size + 1) // 2)
        halves = np.empty((len(words), 2), np.uint64)
        np.right_shift(words, 32, out=halves[:, 0])
        np.bitwise_and(words, 0xFFFFFFFF, out=halves[:, 1])
        halves *= np.uint64(bound)
        halves >>= np.uint64(32)
        return halves.ravel()[:size]

    def binomial(self, n: int, p: float, size: int) -> NDArray[Any]:
        """`size` draws (int64) from the binomial with n trials, by inversion of its table."""
        import numpy as np

        if n == 0 or p <= 0:
            return np.zeros(size, np.int64)
        if p >= 1:
            return np.full(size, n, np.int64)
        first, table = _binomial_table(n, p)
        return _invert(table, self.uniforms(size)) + first

    def binomials(self, n: NDArray[Any], p: float) -> NDArray[Any]:
        """One binomial draw for each number of trials in `n` (int64).

        All get a draw of the smallest n, and the rest is added bit by bit, so that a dozen tables serve
        however many different n there are.
        """
        import numpy as np

        if not n.size or p <= 0 or p >= 1:
            return n.copy() if p >= 1 else np.zeros_like(n)
        least = int(n.min())
        k = self.binomial(least, p, n.size)
        rest = n - least
        for power in range(int(rest.max()).bit_length()):
            chosen = np.flatnonzero(rest >> power & 1)
            k[chosen] += self.binomial(1 << power, p, chosen.size)
        return k

    def multinomial(self, counts: Sequence[int], draws: int) -> Iterator[tuple[int, NDArray[Any]]]:
        """Resample sum(counts) items, `draws` times: yields (place, how often that value was drawn, int64).

        One value after another, the frequent ones first: each a binomial given those before it.
        """
        import numpy as np

        order = sorted(range(len(counts)), key=lambda place: -counts[place])
        weight = sum(counts)
        left = np.full(draws, weight, np.int64)
        for place in order:
            taken = self.binomials(left, counts[place] / weight) if counts[place] < weight else left
            yield place, taken
            left = left - taken
            weight -= counts[place]


def resampled_sums(
    stream: Stream, counts: Sequence[int], columns: Sequence[Sequence[int]], draws: int
) -> list[NDArray[Any]]:
    """Sums over sum(counts) items drawn with replacement, `draws` times (int64, one array a column).

    `columns[c][place]` is the integer that an item of that kind adds to sum c; sums must stay below 2**63.
    Many items of few kinds are drawn as multinomial counts, else one by one: the same distribution.
    """
    import numpy as np

    table = [np.array(column, np.int64) for column in columns]
    if sum(counts) <= ONE_BY_ONE * len(counts):
        return _gathered(stream, np.repeat(np.arange(len(counts)), counts), table, draws)
    sums = [np.zeros(draws, np.int64) for _ in table]
    for place, taken in stream.multinomial(counts, draws):
        for total, column in zip(sums, table, strict=True):
            total += taken * column[place]
    return sums


def _gathered(stream: Stream, items: NDArray[Any], table: list[NDArray[Any]], draws: int) -> list[NDArray[Any]]:
    import numpy as np

    expanded = [column[items] for column in table]
    rows = max(1, (1 << 17) // len(items))
    sums = [np.empty(draws, np.int64) for _ in table]
    for start in range(0, draws, rows):
        stop = min(start + rows, draws)
        drawn = stream.below(len(items), (stop - start) * len(items)).astype(np.int64)
        for total, column in zip(sums, expanded, strict=True):
            total[start:stop] = column[drawn].reshape(stop - start, -1).sum(axis=1)
    return sums


def resampled_counts(stream: Stream, counts: Sequence[int], draws: int) -> Iterator[NDArray[Any]]:
    """How often each kind came up when sum(counts) items are resampled: blocks (draws, kinds), int64."""
    import numpy as np

    kinds, n = len(counts), sum(counts)
    rows = max(1, (1 << 21) // max(kinds, n if n <= ONE_BY_ONE * kinds else 0))
    items = np.repeat(np.arange(kinds), counts) if n <= ONE_BY_ONE * kinds else None
    for start in range(0, draws, rows):
        height = min(rows, draws - start)
        if items is None:
            block = np.empty((height, kinds), np.int64)
            for place, taken in stream.multinomial(counts, height):
                block[:, place] = taken
            yield block
            continue
        drawn = items[stream.below(n, height * n).astype(np.int64)].reshape(height, n)
        drawn += np.arange(height)[:, None] * kinds
        yield np.bincount(drawn.ravel(), minlength=height * kinds).reshape(height, kinds)


def as_integers(values: Sequence[float], items: int) -> tuple[list[int], float, float]:
    """(integers, offset, unit) with value = offset + unit * integer, to about 15 digits of the spread.

    `items` of the integers add up exactly in 64 bits, so that sums do not depend on their order.
    """
    offset = min(values)
    spread = max(values) - offset
    steps = 1 << min(52, 62 - items.bit_length())
    if spread == 0:
        return [0] * len(values), offset, 0.0
    return [round((value - offset) / spread * steps) for value in values], offset, spread / steps


def _hash(seed: int, key: Key) -> int:
    """128 bits from the seed and the words of the key, each with its length before it."""
    from hashlib import blake2b

    digest = blake2b(digest_size=16, person=b"ragmeter.draws")
    for word in (str(seed), *([key] if isinstance(key, str) else key)):
        coded = word.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(coded) + coded)
    return int.from_bytes(digest.digest(), "little")


def _binomial_table(n: int, p: float) -> tuple[int, NDArray[Any]]:
    """(k, cumulative probabilities of k, k + 1, ...); what lies outside has less than 2**-70 together."""
    import numpy as np

    mode = min(int((n + 1) * p), n)
    reach = int(10 * sqrt(n * p * (1 - p))) + 40
    first, last = max(0, mode - reach), min(n, mode + reach)
    odds = p / (1 - p)
    up = np.arange(mode, last, dtype=np.float64)
    down = np.arange(mode, first, -1, dtype=np.float64)
    above = np.cumprod((n - up) / (up + 1) * odds)
    below = np.cumprod(down / (n - down + 1) / odds)
    table = np.cumsum(np.concatenate((below[::-1], [1.0], above)))
    table /= table[-1]
    return first, table


def _invert(table: NDArray[Any], u: NDArray[Any]) -> NDArray[Any]:
    """For each u the first place whose cumulative probability exceeds it (int64), as a search would find it.

    1,024 cells remember where a search would start; only the tails need one.
    """
    import numpy as np

    if u.size < 512:
        return np.searchsorted(table, u, side="right")
    start = np.searchsorted(table, np.arange(1024) / 1024, side="right")
    place = start[(u * 1024).astype(np.int64)]
    place += table[place] <= u
    late = np.flatnonzero(table[place] <= u)
    place[late] = np.searchsorted(table, u[late], side="right")
    return place
