"""English numbers in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ragmeter.text.numerals.words import LONGEST, Found, Word, decimal, has_unit, joined, numbered, text_at
from ragmeter.text.units import spaced_units

_UNITS = numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = numbered("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
_BIG = {"thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINALS = numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
    1,
) | {"thirtieth": 30}
_PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fifth": 5,
    "fifths": 5,
}
_PARTS |= {"sixth": 6, "eighth": 8, "tenth": 10, "tenths": 10, "eighths": 8, "sixths": 6}
FIRST = {*_UNITS, *_TENS, *_ORDINALS, "a", "an", "half", "dozen", "hundred", "twice", "thrice", "quarter"}
_BEFORE_A_RATE = frozenset(("times", "once", "twice", "thrice", "hourly"))


def english_at(words: Sequence[Word], at: int) -> Found | None:
    """The English number that begins at word `at`."""
    text = words[at].text
    if text in ("a", "an"):
        return _article(words, at)
    if text in ("half", "quarter"):
        return _half(words, at)
    if text in ("twice", "thrice"):
        return Found("2" if text == "twice" else "3", at, at + 1, weak=True)
    if text in _ORDINALS:
        return _ordinal(words, at)
    value, last = _cardinal(words, at)
    return _finished(words, at, value, last) if last > at else None


def _article(words: Sequence[Word], at: int) -> Found | None:
    """'a hundred', 'a dozen', 'a third', 'a half'; 'a week' is weak."""
    following = text_at(words, at + 1)
    if following in ("hundred", *_BIG):
        value, last = _cardinal(words, at + 1)
        return Found(decimal(value), at, last)
    if following == "dozen":
        return Found("12", at, at + 2)
    if following in _PARTS and following != "second":
        return _part(words, at, Fraction(1, _PARTS[following]), at + 2, weak=True)
    if not has_unit(words, at + 1) or words[at].text == "an" or _is_rate(words, at):
        return None
    return Found("1", at, at + 1, weak=True)


def _is_rate(words: Sequence[Word], at: int) -> bool:
    """'24 hours a day', '5 euros a month', 'twice a week'."""
    before = words[at - 1].text if joined(words, at) and at else ""
    digits = words[at].gap.rstrip()[-1:]
    return digits.isdigit() or digits in "%€$" and digits != "" or before in _BEFORE_A_RATE or before in spaced_units()


def _part(words: Sequence[Word], at: int, value: Fraction, last: int, *, weak: bool) -> Found:
    """'three quarters of an hour' is 0.75 hour."""
    if text_at(words, last) == "of" and text_at(words, last + 1) in ("a", "an") and has_unit(words, last + 2):
        return Found(decimal(value), at, last + 2)
    return Found(decimal(value), at, last, weak)


def _half(words: Sequence[Word], at: int) -> Found | None:
    """'half a year', 'half an hour', 'half-hour'; any other half is weak."""
    value = "0.5" if words[at].text == "half" else "0.25"
    if text_at(words, at + 1) in ("a", "an") and has_unit(words, at + 2):
        return Found(value, at, at + 2)
    if value == "0.25":
        return None
    return Found(value, at, at + 1, weak=not has_unit(words, at + 1))


def _ordinal(words: Sequence[Word], at: int) -> Found | None:
    if words[at].text == "second" and _is_time(words, at):
        return None
    return Found(str(_ORDINALS[words[at].text]), at, at + 1, weak=True)


def _is_time(words: Sequence[Word], at: int) -> bool:
    """'thirty second delay', '5-second', 'per second'."""
    before = words[at - 1].text if at else ""
    return words[at].gap[:-1][-1:].isdigit() or before in ("per", "a", "every", "each", *_UNITS, *_TENS)


def _cardinal(words: Sequence[Word], at: int) -> tuple[int, int]:
    """Value and end of 'two hundred and thirty-five thousand'; (0, at) when there is none."""
    total = group = 0
    start, ceiling = at, 10**15
    while at < len(words) and at - start < LONGEST:
        text = words[at].text if at == start else text_at(words, at)
        if text in _UNITS and (not group % 100 or (group % 100 >= 20 and not group % 10 and 0 < _UNITS[text] < 10)):
            if at > start and group == 0 and total == 0:
                break
            group += _UNITS[text]
        elif text in _TENS and group % 100 == 0 and (at == start or group or total):
            group += _TENS[text]
        elif text == "hundred" and group < 100:
            group = (group or 1) * 100
        elif text in _BIG and _BIG[text] < ceiling:
            total, group, ceiling = total + (group or 1) * _BIG[text], 0, _BIG[text]
        elif not (text == "and" and at > start and (group >= 100 or not group) and _goes_on(words, at + 1)):
            break
        at += 1
    return total + group, at


def _takes_units(group: int, units: int) -> bool:
    """Whether 'units' may follow: behind full hundreds, or a number below ten behind tens."""
    return not group % 100 or (group % 100 >= 20 and not group % 10 and 0 < units < 10)


def _goes_on(words: Sequence[Word], at: int) -> bool:
    return text_at(words, at) in _UNITS or text_at(words, at) in _TENS


def _finished(words: Sequence[Word], at: int, value: int, last: int) -> Found:
    """Years, halves, fractions and dozens behind a cardinal; a lone 'one' is weak."""
    if 10 <= value <= 20 and last - at == 1 and joined(words, last):
        more, end = _cardinal(words, last)
        if 10 <= more <= 99:
            return Found(str(value * 100 + more), at, end)
    following = [text_at(words, last + n) for n in range(3)]
    if following in (["and", "a", "half"], ["and", "a", "quarter"]):
        return Found(decimal(value + Fraction(1, _PARTS[following[2]])), at, last + 3)
    if following[0] in _PARTS and last - at == 1 and 0 < value < 10 and not _is_ordinal_use(following[0], value):
        return _part(words, at, Fraction(value, _PARTS[following[0]]), last + 1, weak=False)
    if following[0] == "dozen":
        return Found(str(12 * value), at, last + 1)
    hyphen = following[0] and words[last].gap == "-"
    if hyphen and following[0] in _ORDINALS and value >= 20 and not value % 10:  # twenty-first
        return Found(str(value + _ORDINALS[following[0]]), at, last + 1, weak=True)
    weak = value <= 1 and last - at == 1 and not has_unit(words, last)
    return Found(str(value), at, last, weak)


def _is_ordinal_use(part: str, value: int) -> bool:
    """'two third parties' is no fraction, 'two thirds' is; 'one third' is."""
    return value > 1 and not part.endswith("s")
