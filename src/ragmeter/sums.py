"""Sums and means that do not depend on order or partition: exact inside, rounded once at the end.

`Exact` adds doubles and integers without rounding. `Histogram` is the mergeable state of a mean of scores.
Both merge with `+`; however the cases were ordered or split, the numbers that come out have the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import frexp, gcd
from operator import index
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LIMIT = 10_000  # distinct values a histogram keeps; beyond that only its exact moments
LARGEST_DEN = 65_536  # ratios of integers stay exact up to it; beyond, the score is a double
_SCALE = 2.0**53
_BLOCK = 65_536  # array elements at a time: fits the cache and keeps partial sums exact in a double


class Exact:
    """The exact sum of finite doubles and integers.

    The state is one integer per binary exponent: limb e counts units of 2**(e - 53). `value()` rounds once,
    half to even, and so equals `math.fsum` of the same numbers in any order and any partition.
    """

    __slots__ = ("_limbs",)

    def __init__(self, values: Iterable[float] = ()):
        self._limbs: dict[int, int] = {}
        for value in values:
            self.add(value)

    def add(self, x: float, count: int = 1) -> None:
        """Add `x`, `count` times (a negative count takes away). ValueError when `x` is not finite."""
        unit, exponent = _split(x)
        limbs = self._limbs
        limbs[exponent] = limbs.get(exponent, 0) + unit * count

    def add_square(self, x: float, count: int = 1) -> None:
        """Add x * x without rounding the product, `count` times. ValueError when `x` is not finite."""
        unit, exponent = _split(x)
        exponent = 2 * exponent - 53
        limbs = self._limbs
        limbs[exponent] = limbs.get(exponent, 0) + unit * unit * count

    def add_array(self, values: ArrayLike) -> None:
        """Add every element of a numpy array of doubles or integers; about 35 ms a million doubles.

        Same sum as `add` one by one. ValueError when an element is not finite.
        """
        import numpy as np

        array = np.asarray(values).ravel()
        if array.dtype.kind in "iub":
            self._add_units(_integer_sum(array), 53)
            return
        for base, (high, low) in _limb_blocks(array, 2, 26):
            for place in np.flatnonzero((high != 0) | (low != 0)):
                self._add_units((int(high[place]) << 26) + int(low[place]), base + int(place))

    def add_square_array(self, values: ArrayLike) -> None:
        """Add the square of every element of a numpy array of doubles, without rounding a product."""
        import numpy as np

        array = np.asarray(values, dtype=np.float64).ravel()
        for base, sums in _limb_blocks(array, 6, 18):
            for place in np.flatnonzero(np.any(sums != 0, axis=0)):
                top, upper, middle, lower, bottom, centre = (int(s[place]) for s in sums)
                units = top << 72
                units += 2 * upper << 54
                units += (2 * middle + centre) << 36
                units += (2 * lower << 18) + bottom
                self._add_units(units, 2 * (base + int(place)) - 53)

    def _add_units(self, units: int, exponent: int) -> None:
        self._limbs[exponent] = self._limbs.get(exponent, 0) + units

    def __iadd__(self, other: Exact) -> Exact:
        for exponent, units in other._limbs.items():
            self._add_units(units, exponent)
        return self

    def __add__(self, other: Exact) -> Exact:
        both = Exact()
        both += self
        both += other
        return both

    def ratio(self) -> tuple[int, int]:
        """The sum as (numerator, denominator) in lowest terms; the denominator is a power of two."""
        if not self._limbs:
            return 0, 1
        lowest = min(self._limbs)
        units = sum(units << (exponent - lowest) for exponent, units in self._limbs.items())
        shift = lowest - 53
        if shift >= 0:
            return units << shift, 1
        spare = min(-shift, (units & -units).bit_length() - 1) if units else -shift
        return units >> spare, 1 << (-shift - spare)

    def value(self) -> float:
        """The sum rounded once. OverflowError when it is beyond the doubles."""
        num, den = self.ratio()
        return num / den

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exact) and self.ratio() == other.ratio()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        num, den = self.ratio()
        return f"Exact({num}/{den})" if num.bit_length() < 64 else f"Exact({num / den!r})"

    def to_json(self) -> list[str]:
        """[numerator, denominator] in hexadecimal; the same bytes for the same sum."""
        num, den = self.ratio()
        return [hex(num), hex(den)]

    @classmethod
    def from_json(cls, state: list[str]) -> Exact:
        """The sum that `to_json` wrote."""
        num, den = (int(part, 16) for part in state)
        if den <= 0 or den & (den - 1):
            raise ValueError("an exact sum has a power of two as its denominator")
        total = cls()
        total._add_units(num, 54 - den.bit_length())
        return total


class Histogram:
    """The state of a mean of scores: how often each (num, den) occurred.

    Ratios of integers stay exact up to denominator `LARGEST_DEN`; any other pair is the double num / den.
    Past `limit` distinct scores the histogram folds into count, exact sum and exact sum of squares. Folding
    depends on what was added alone, not on its order or partition: a histogram is folded if and only if it
    saw more than `limit` distinct scores. Memory: about 150 bytes a distinct score, at most a few MB.
    """

    __slots__ = ("_binary", "_binary_squares", "_counts", "_ratios", "limit", "n")

    def __init__(self, limit: int = LIMIT):
        self.limit = limit
        self.n = 0
        self._counts: dict[tuple[float, int], int] | None = {}
        self._ratios: dict[int, list[int]] = {}  # den -> [sum of num, sum of num * num], when folded
        self._binary = Exact()  # the doubles, when folded
        self._binary_squares = Exact()

    @property
    def folded(self) -> bool:
        """Whether the distinct scores were given up for their exact moments."""
        return self._counts is None

    def add(self, num: float, den: float = 1, count: int = 1) -> None:
        """A score num / den that occurred `count` times. ValueError when it is not a finite number."""
        if count < 1:
            if count == 0:
                return
            raise ValueError("a score cannot occur a negative number of times")
        self._add(_canonical(num, den), count)

    def _add(self, key: tuple[float, int], count: int) -> None:
        self.n += count
        if self._counts is None:
            self._add_moments(key, count)
            return
        self._counts[key] = self._counts.get(key, 0) + count
        if len(self._counts) > self.limit:
            self._fold()

    def add_arrays(self, num: ArrayLike, den: ArrayLike = 1) -> None:
        """One score an element: num and den are numpy arrays of one length (den may be a single number)."""
        import numpy as np

        top, bottom = np.broadcast_arrays(np.asarray(num), np.asarray(den))
        top, bottom = top.ravel(), bottom.ravel()
        if not top.size:
            return
        if not bottom.all():
            raise ValueError("a score has the denominator 0")
        if top.dtype.kind in "iub" and bottom.dtype.kind in "iub":
            self._add_ratios(top, bottom)
        else:
            self._add_doubles(top / bottom)

    def _add_ratios(self, top: NDArray[Any], bottom: NDArray[Any]) -> None:
        import numpy as np

        order = np.lexsort((top, bottom))
        top, bottom = top[order], bottom[order]
        first = np.flatnonzero(np.r_[True, (top[1:] != top[:-1]) | (bottom[1:] != bottom[:-1])])
        counts = np.diff(np.r_[first, len(top)])
        for a, b, count in zip(top[first].tolist(), bottom[first].tolist(), counts.tolist(), strict=True):
            self._add(_canonical(a, b), count)

    def _add_doubles(self, values: NDArray[Any]) -> None:
        import numpy as np

        values = np.sort(values.astype(np.float64))
        if not np.isfinite(values).all():
            raise ValueError("a score is not a finite number")
        first = np.flatnonzero(np.r_[True, values[1:] != values[:-1]])
        counts = np.diff(np.r_[first, len(values)])
        if self._counts is not None and len(first) <= self.limit:
            for value, count in zip(values[first].tolist(), counts.tolist(), strict=True):
                self._add(_canonical(value, 1), count)
            return
        self._fold()
        self.n += len(values)
        self._binary.add_array(values)
        self._binary_squares.add_square_array(values)

    def _fold(self) -> None:
        counts, self._counts = self._counts, None
        for key, count in (counts or {}).items():
            self._add_moments(key, count)

    def _add_moments(self, key: tuple[float, int], count: int) -> None:
        num, den = key
        if isinstance(num, float) or den == 1:
            self._binary.add(num, count)
            self._binary_squares.add_square(num, count)
            return
        sums = self._ratios.setdefault(den, [0, 0])
        sums[0] += num * count
        sums[1] += num * num * count

    def __iadd__(self, other: Histogram) -> Histogram:
        if self.limit != other.limit:
            raise ValueError("histograms with different limits do not merge")
        if other._counts is not None:
            for key, count in list(other._counts.items()):
                self._add(key, count)
            return self
        self._fold()
        self.n += other.n
        self._binary += other._binary
        self._binary_squares += other._binary_squares
        for den, (total, squares) in list(other._ratios.items()):
            sums = self._ratios.setdefault(den, [0, 0])
            sums[0] += total
            sums[1] += squares
        return self

    def __add__(self, other: Histogram) -> Histogram:
        both = Histogram(self.limit)
        both += self
        both += other
        return both

    def _folded_copy(self) -> Histogram:
        if self._counts is None:
            return self
        copy = Histogram(self.limit)
        copy._counts, copy.n = dict(self._counts), self.n
        copy._fold()
        return copy

    def _total(self, power: int) -> tuple[int, int]:
        """The exact sum of the scores (power 1) or of their squares (power 2) as a ratio of integers."""
        state = self._folded_copy()
        parts = [(sums[power - 1], den**power) for den, sums in sorted(state._ratios.items())]
        binary = state._binary if power == 1 else state._binary_squares
        return _sum_of_ratios([*parts, binary.ratio()])

    def total(self) -> float:
        """The sum of all scores, rounded once; 0.0 when there is none."""
        num, den = self._total(1)
        return num / den

    def mean(self) -> float | None:
        """The mean score, rounded once; None when there is none."""
        if not self.n:
            return None
        num, den = self._total(1)
        return num / (den * self.n)

    def moments(self) -> tuple[int, float | None, float | None]:
        """(n, mean, sample variance with n - 1), each rounded once; the mean of none and the variance of one
        score are None."""
        if self.n < 2:
            return self.n, self.mean(), None
        num, den = self._total(1)
        square_num, square_den = self._total(2)
        # (sum of squares - sum^2 / n) / (n - 1), over the common denominator square_den * den^2 * n
        top = square_num * den * den * self.n - num * num * square_den
        return self.n, num / (den * self.n), top / (square_den * den * den * self.n * (self.n - 1))

    def distinct(self) -> tuple[tuple[float, ...], tuple[int, ...]] | None:
        """(distinct scores ascending as doubles, how often each occurred), or None when folded."""
        if self._counts is None:
            return None
        merged: dict[float, int] = {}
        for (num, den), count in self._counts.items():
            value = num / den
            merged[value] = merged.get(value, 0) + count
        values = sorted(merged)
        return tuple(values), tuple(merged[value] for value in values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Histogram) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kept = "folded" if self._counts is None else f"{len(self._counts)} distinct"
        return f"Histogram(n={self.n}, {kept}, mean={self.mean()})"

    def to_json(self) -> dict[str, Any]:
        """The state as JSON values: `counts` [[num, den, count]] ascending, or exact moments when folded."""
        if self._counts is not None:
            rows = sorted(self._counts.items(), key=lambda item: (item[0][0] / item[0][1], item[0][1]))
            return {"limit": self.limit, "counts": [[num, den, count] for (num, den), count in rows]}
        ratios = {str(den): [hex(a), hex(b)] for den, (a, b) in sorted(self._ratios.items())}
        return {
            "limit": self.limit,
            "n": self.n,
            "ratios": ratios,
            "doubles": self._binary.to_json(),
            "squares": self._binary_squares.to_json(),
        }

    @classmethod
    def from_json(cls, state: dict[str, Any]) -> Histogram:
        """The histogram that `to_json` wrote."""
        histogram = cls(state["limit"])
        if "counts" in state:
            for num, den, count in state["counts"]:
                histogram.add(num, den, count)
            return histogram
        histogram._counts = None
        histogram.n = state["n"]
        histogram._ratios = {int(den): [int(a, 16), int(b, 16)] for den, (a, b) in state["ratios"].items()}
        histogram._binary = Exact.from_json(state["doubles"])
        histogram._binary_squares = Exact.from_json(state["squares"])
        return histogram


def _split(x: float) -> tuple[int, int]:
    """(units, exponent) with x = units * 2**(exponent - 53) exactly."""
    if isinstance(x, int):
        return x, 53
    mantissa, exponent = frexp(x)
    try:
        return int(mantissa * _SCALE), exponent
    except (OverflowError, ValueError):
        raise ValueError(f"{x} is not a finite number") from None


def _canonical(num: float, den: float) -> tuple[float, int]:
    """The one key of a score: a reduced ratio of integers, or a double over 1."""
    if type(num) is not int or type(den) is not int:
        return _canonical_double(num, den)
    if den == 1:
        return num, 1
    if den <= 0:
        if den == 0:
            raise ValueError("a score has the denominator 0")
        num, den = -num, -den
    common = gcd(num, den)
    num, den = num // common, den // common
    return (num, den) if den <= LARGEST_DEN else _canonical_double(num / den, 1.0)


def _canonical_double(num: float, den: float) -> tuple[float, int]:
    if hasattr(num, "__index__") and hasattr(den, "__index__"):  # numpy integers, booleans
        return _canonical(index(num), index(den))
    if den == 0:
        raise ValueError("a score has the denominator 0")
    value = float(num / den)
    if value - value != 0:  # NaN and the infinities
        raise ValueError(f"a score is not a finite number: {num} / {den}")
    return (int(value), 1) if value.is_integer() else (value, 1)


def _sum_of_ratios(parts: list[tuple[int, int]]) -> tuple[int, int]:
    """The exact sum of ratios as one, added in a balanced tree so that the integers grow late."""
    while len(parts) > 1:
        paired = [_plus(*parts[i], *parts[i + 1]) for i in range(0, len(parts) - 1, 2)]
        parts = paired + parts[len(parts) & ~1 :]
    return parts[0]


def _plus(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    common = gcd(b, d)
    return a * (d // common) + c * (b // common), b // common * d


def _integer_sum(array: NDArray[Any]) -> int:
    """The sum of an integer array of any width, in halves that cannot overflow below 2**31 elements."""
    import numpy as np

    if array.dtype.itemsize < 8:
        return int(array.sum(dtype=np.int64))
    low = int((array & 0xFFFFFFFF).sum(dtype=np.uint64))
    return (int((array >> 32).sum(dtype=array.dtype)) << 32) + low


def _limb_blocks(array: NDArray[Any], parts: int, bits: int) -> Iterable[tuple[int, NDArray[Any]]]:
    """Per block: (lowest exponent, sums[part, exponent - lowest]), each sum exact in a double.

    With 2 parts the mantissas' high and low halves; with 6 the products of their thirds (18 bits each, so a
    product has at most 36 bits and 65,536 of them stay under 2**53).
    """
    import numpy as np

    array = array.astype(np.float64, copy=False)
    if not np.isfinite(array).all():
        raise ValueError("a number to be summed is not finite")
    for start in range(0, array.size, _BLOCK):
        mantissa, exponent = np.frexp(array[start : start + _BLOCK])
        units = (mantissa * _SCALE).astype(np.int64)
        base = int(exponent.min())
        pieces = _halves(units, bits) if parts == 2 else _products(np.abs(units), bits)
        yield base, np.stack([np.bincount(exponent - base, piece.astype(np.float64)) for piece in pieces])


def _halves(units: NDArray[Any], bits: int) -> list[NDArray[Any]]:
    return [units >> bits, units & ((1 << bits) - 1)]


def _products(units: NDArray[Any], bits: int) -> list[NDArray[Any]]:
    mask = (1 << bits) - 1
    a, b, c = units >> 2 * bits, units >> bits & mask, units & mask
    return [a * a, a * b, a * c, b * c, c * c, b * b]
