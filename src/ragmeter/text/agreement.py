"""Do the numbers of an answer agree with those of the expected answer?

Two quantities agree when any reading of one agrees with any reading of the other: the same value in the same
unit (14 days = two weeks, 1 year = 12 months, never 1 month = 30 days), or the same figure where one side has
no unit, or one half and 50 %. A date agrees with a less precise one that it falls in. Codes agree when they
are equal or one begins the other.

What disagrees: the answer has a quantity that the expected answer does not have, and lacks one of a
comparable kind that it has. A quantity that is only missing (a terse answer) or only extra (a fuller one) is
reported and is no contradiction, for it is none.

Quantities are matched one to one, precise agreements first, so that "6 copies, 5 originals" does not pass
for "5 copies, 5 originals". A quantity of the answer that repeats a matched one is not extra; it is suspect
only where both texts have equally many ("5 to 5 days" for "5 to 7 days").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from ragmeter.text.figures import Reading
from ragmeter.text.quantities import Quantity, quantities

SMALL = 12  # the largest bare number that a measured quantity does not contradict

_NUMERIC = frozenset(("number", "percent", "money", "duration", "measure"))
_FORMS = frozenset(("date", "time", "code"))
_VAGUE_CURRENCIES = {
    "usd": "$",
    "aud": "$",
    "cad": "$",
    "hkd": "$",
    "sgd": "$",
    "twd": "$",
    "jpy": "¥",
    "cny": "¥",
}
_VAGUE_CURRENCIES |= {"mxn": "$"}


class Comparison(NamedTuple):
    """agreements: (of the answer, of the expected) pairs. missing: expected quantities with no match.
    extra: quantities of the answer with no match. contradicting: (extra, missing) pairs of comparable kind,
    where 'missing' may be the second mention of a quantity that the answer has once. Weak quantities appear
    among the agreements only."""

    agreements: tuple[tuple[Quantity, Quantity], ...] = ()
    missing: tuple[Quantity, ...] = ()
    extra: tuple[Quantity, ...] = ()
    contradicting: tuple[tuple[Quantity, Quantity], ...] = ()

    @property
    def disagrees(self) -> bool:
        """Whether the answer has a wrong number."""
        return bool(self.contradicting)


def compare_quantities(answer: str | Sequence[Quantity], expected: str | Iterable[str | Quantity]) -> Comparison:
    """What of the expected quantities the answer has, lacks and contradicts. Several expected
    texts count together. Never raises for texts."""
    ours = quantities(answer) if isinstance(answer, str) else tuple(answer)
    theirs = quantities(expected) if isinstance(expected, str) else _all(expected)
    pairs = _matched(ours, theirs)
    used = {i for i, _ in pairs}, {j for _, j in pairs}
    ours_known, theirs_known = _published(ours), _published(theirs)
    left = [q for i, q in enumerate(ours) if i not in used[0] and not q.weak]
    unmatched = [q for j, q in enumerate(theirs) if j not in used[1] and (not q.weak or _is_part(q))]
    extra = tuple(q for q in left if not _repeats(q, theirs_known))
    suspects = left if _strong(ours) == _strong(theirs) else extra
    return Comparison(
        agreements=tuple((ours[i], theirs[j]) for i, j in sorted(pairs)),
        missing=tuple(q for q in unmatched if not q.weak and not _repeats(q, ours_known)),
        extra=extra,
        contradicting=tuple(_contradictions(suspects, unmatched)),
    )


def agree(a: Quantity, b: Quantity) -> bool:
    """Whether any reading of one agrees with any reading of the other."""
    published = {key for _, key in _keys(b)}
    return any(key in published for _, key in _sought(a))


def _all(expected: Iterable[str | Quantity]) -> tuple[Quantity, ...]:
    """Quantities as they are; several expected texts count together."""
    found: list[Quantity] = []
    for each in expected:
        found += quantities(each) if isinstance(each, str) else (each,)
    return tuple(found)


def _matched(ours: Sequence[Quantity], theirs: Sequence[Quantity]) -> list[tuple[int, int]]:
    """One-to-one pairs of places: exact agreements first, then quantities that say less than what is expected
    (no unit, no day), then those that say more, then equal figures with different units. Work is linear in
    the number of readings."""
    open_by_key: dict[Hashable, list[int]] = defaultdict(list)
    for j in reversed(range(len(theirs))):
        for _, key in _keys(theirs[j]):
            open_by_key[key].append(j)
    pairs: list[tuple[int, int]] = []
    free_ours, taken = list(range(len(ours))), set[int]()
    for strength in (0, 1, 2, 3):
        waiting = []
        rivals = _shapes(quantity for j, quantity in enumerate(theirs) if j not in taken)
        for i in sorted(free_ours, key=lambda i: (ours[i].weak, len(ours[i].readings))):
            rivalled = strength == 2 and bool(_shapes([ours[i]]) & rivals)
            place = None if rivalled else _first_open(ours[i], strength, open_by_key, taken)
            if place is None:
                waiting.append(i)
            else:
                taken.add(place)
                pairs.append((i, place))
        free_ours = waiting
    return pairs


def _shapes(found: Iterable[Quantity]) -> set[tuple[bool, ...]]:
    """What is said of dates: year, month, day. '13 March 2024' is no more precise form of '2024' where
    '12 March 2024' is expected too."""
    dates = (reading.value for quantity in found for reading in quantity.readings if reading.kind == "date")
    shapes = {tuple(part is not None for part in date) for date in dates if isinstance(date, tuple)}
    return shapes - {(True, False, False)}


def _first_open(
    quantity: Quantity, strength: int, open_by_key: dict[Hashable, list[int]], taken: set[int]
) -> int | None:
    for how, key in _sought(quantity):
        places = open_by_key.get(key) if how == strength else None
        while places and places[-1] in taken:
            places.pop()
        if places:
            return places[-1]
    return None


def _repeats(quantity: Quantity, known: frozenset[Hashable]) -> bool:
    """Whether the other side has it too, if matched already; one that says more is no repetition."""
    return any(key in known for how, key in _sought(quantity) if how < 2)


def _published(found: Iterable[Quantity]) -> frozenset[Hashable]:
    return frozenset(key for quantity in found for _, key in _keys(quantity))


def _strong(found: Iterable[Quantity]) -> int:
    return sum(not quantity.weak for quantity in found)


def _is_part(quantity: Quantity) -> bool:
    """'half of them', 'one in five': contradicted by '80 %', weak or not."""
    numbers = (reading.value for reading in quantity.readings if reading.kind == "number")
    return any(isinstance(value, Fraction) and value.denominator > 1 for value in numbers)


def _contradictions(suspects: Iterable[Quantity], unmatched: Sequence[Quantity]) -> Iterator[tuple[Quantity, Quantity]]:
    """Each suspect with one unmatched quantity of a comparable kind, the same kind and unit first."""
    by_kind: dict[Hashable, list[Quantity]] = defaultdict(list)
    for quantity in reversed(unmatched):
        by_kind[_sort(quantity)].append(quantity)
    for quantity in suspects:
        same = by_kind.get(_sort(quantity))
        places = [same] if same else [rest for rest in by_kind.values() if rest and _comparable(quantity, rest[-1])]
        if places:
            yield quantity, places[0].pop()


def _sort(quantity: Quantity) -> Hashable:
    return quantity.weak, tuple((reading.kind, reading.unit) for reading in quantity.readings)


def _comparable(a: Quantity, b: Quantity) -> bool:
    """Whether `a` may stand where `b` was expected: the same kind, a bare number for anything, a date, time
    or code for one of these, anything measured for a bare number that is no small count."""
    kinds, others = ({reading.kind for reading in each.readings} for each in (a, b))
    if b.weak:
        return "percent" in kinds or _is_part(a)
    if "number" in others:
        return "number" in kinds or _is_large(b) or ("percent" in kinds and _is_part(b))
    return (
        bool(kinds & others)
        or ("number" in kinds and b.readings[0].face != 1)
        or (kinds <= _FORMS and bool(others & _FORMS))
    )


def _is_large(quantity: Quantity) -> bool:
    """Not such a number as 'three instalments': words about measured things seldom stand for those."""
    return any(isinstance(reading.value, Fraction) and reading.value > SMALL for reading in quantity.readings)


def _keys(quantity: Quantity) -> Iterator[tuple[int, Hashable]]:
    """What an expected quantity can be found by."""
    for reading in quantity.readings:
        yield from _keys_of(reading)
    if quantity.kind == "code":  # not of 2/3, which is a number first
        yield from ((0, ("part", part)) for part in _parts(str(quantity.value)))


def _keys_of(reading: Reading) -> Iterator[tuple[int, Hashable]]:
    kind, value = reading.kind, reading.value
    if kind == "number":
        yield 0, ("bare", value)
    elif kind in _NUMERIC:
        yield 0, (kind, reading.unit, value)
        yield 0, ("figure", reading.face)
        if kind == "percent" and isinstance(value, Fraction):
            yield 0, ("share", value / 100)
        if vague := _VAGUE_CURRENCIES.get(reading.unit):
            yield 0, ("vague", vague, value)
    elif kind == "date" and isinstance(value, tuple):
        yield 0, ("date", value)
        yield from ((0, ("in", less)) for less in _less_precise(value))
    elif kind == "code" and isinstance(value, str):
        yield 0, ("code", value)
        yield from ((0, ("begins", beginning)) for beginning in _beginnings(value))
    else:
        yield 0, (kind, value)


def _sought(quantity: Quantity) -> Iterator[tuple[int, Hashable]]:
    """(strength, key) under which a quantity finds its like: 0 exact, 1 with less said (no unit, no day),
    2 with more said, 3 the same figure with another unit ('80 km', '80 km/h'); 2 and 3 only once each."""
    for reading in quantity.readings:
        yield from _sought_of(reading)


def _sought_of(reading: Reading) -> Iterator[tuple[int, Hashable]]:
    kind, value = reading.kind, reading.value
    if kind == "number":
        yield 0, ("bare", value)
        yield 1, ("figure", value)
        yield 1, ("share", value)
        yield 1, ("part", value)
    elif kind in _NUMERIC:
        yield 0, (kind, reading.unit, value)
        yield 2, ("bare", reading.face)
        if kind == "measure":
            yield 3, ("figure", reading.face)
        if kind == "percent" and isinstance(value, Fraction):
            yield 2, ("bare", value / 100)
        if reading.unit in ("$", "¥"):
            yield 1, ("vague", reading.unit, value)
        elif vague := _VAGUE_CURRENCIES.get(reading.unit):
            yield 1, (kind, vague, value)
    elif kind == "date" and isinstance(value, tuple):
        yield 0, ("date", value)
        yield 1, ("in", value)
        yield from ((2, ("date", less)) for less in _less_precise(value))
    elif kind == "code" and isinstance(value, str):
        yield 0, ("code", value)
        yield 1, ("begins", value)
        yield from ((1, ("code", beginning)) for beginning in _beginnings(value))
    else:
        yield 0, (kind, value)


def _less_precise(date: tuple[int | None, int | None, int | None]) -> Iterator[tuple[int | None, ...]]:
    year, month, day = date
    if day is not None and year is not None:
        yield None, month, day
        yield year, month, None
    if month is not None and year is not None:
        yield year, None, None
    if month is not None and (year is not None or day is not None):
        yield None, month, None


def _parts(code: str) -> Iterator[Fraction]:
    """The numbers in a code of several parts; '61' and '2018' of '61/2018/ND-CP'."""
    parts = [part for part in code.replace(".", "/").replace("x", "/").split("/") if part.isdecimal()]
    return (Fraction(int(part)) for part in parts if len(part) < 19)


def _beginnings(code: str) -> Iterator[str]:
    parts = code.split("/")
    return ("/".join(parts[:count]) for count in range(2, len(parts)))
