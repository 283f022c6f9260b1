"""Numbers in a plain text with what stands around them: scale words, units, currencies.

The plain text has its written numbers as digits already (see `numerals`), so one pattern meets them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from ragmeter.text.dates import Date
from ragmeter.text.plain import WEAK
from ragmeter.text.units import ADJECTIVES, Unit, cjk_units, currencies, is_cjk, scales, spaced_units

Value = Fraction | Date | int | str

_STEP = re.compile(r"(?:step|bước|schritt|étape|paso|步骤|手順|ステップ|단계|الخطوة) ?$")
_NUMBER = re.compile(
    rf"(?P<weak>{WEAK}?)(?P<sign>(?<![\w)%.,-]) ?-(?=\d))?"
    r"(?P<number>(?<!\d)\d{1,3}(?:[ ']\d{3}){1,5}(?!\d)(?:[.,]\d{1,4}(?!\d))?|\d{1,18}(?:[.,']\d{1,18}){0,8})"
)
_SCALE_WORD = re.compile(r"([ -]?)([^\W\d_]{1,14}+)\.?")
_HALF_MORE = re.compile(r" ?(?:rưỡi|and a half)(?![^\W\d_])| ?半| ?반(?=[이입간을의동에만걸정,. )]|$)")
_GAP = re.compile(r"(?: ?\([^()]{1,30}\))?[ -]?|\) ")
_WORDS = re.compile(r"([^\W\d_]+(?:/(?:h|giờ|std)|\^?[23](?!\d))?)(?: ([^\W\d_]+))?(?: ([^\W\d_]+))?")
_SIGN = re.compile(r"(?:us|nt|hk|[acs])?\$|[%‰€£¥₫₩₹฿]|°[cf]?")
_CURRENCY_BEFORE = re.compile(r"(?<![^\W_])((?:us|nt|hk|[acs])?\$|[€£¥₫₩₹฿]|[a-zđ]{2,4}\.?) ?$")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|ème|°)(?![^\W_])")
_DAILY = re.compile(
    r" ?(?:times|x|mal|lần|مرات|fois|veces)(?: (?:a|\ue0011) day| per day| daily| each day| am tag| pro tag"
    r"| täglich|/ngày| mỗi ngày| (?:một|\ue0011|1) ngày| في اليوم| يوميا| par jour| al día)"
)
_DAILY_BEFORE = re.compile(
    r"(?:每天|每日|一天|[1一]日に?|1天|하루(?:에)?|1일간(?:에)?|mỗi ngày|täglich)[^\d.,;。，、]{0,5}$"
)
_DAILY_AFTER = re.compile(" ?(?:次|回|번|회|lần|mal)")
_PER_DAY = re.compile(f"{WEAK}?1(?:日|天|일)")
_CJK_LONGEST = 6


class Reading(NamedTuple):
    """One way to read a quantity.

    kind: number, percent, money, duration, measure, date, time or code. `value` is in `unit` (durations in
    'second' or 'month'); a date is (year, month, day), a time minutes, a code its text. `face` is the number
    as it stands, before its unit.
    """

    kind: str
    value: Value
    unit: str = ""
    face: Fraction | None = None


class Piece(NamedTuple):
    """A quantity in the plain text, at `start` to `end` of it."""

    start: int
    end: int
    readings: tuple[Reading, ...]
    weak: bool = False


def readings_of_number(raw: str) -> tuple[Fraction, ...]:
    """The values a digit string with separators can have, likeliest first; none when it is no number.

    '1,000' is 1000 or 1; '1.234,5' is 1234.5; '0.500' is a half; '1.2.3' is nothing.
    """
    signs = [c for c in raw if not c.isdigit()]
    if not signs:
        return (Fraction(int(raw)),)
    groups = re.split(r"[.,' ]", raw)
    if len(set(signs)) == 1:
        return _one_sign(signs[0], groups)
    *thousands, last = groups
    if signs[-1] in " '" or len(set(signs[:-1])) != 1 or signs[-1] == signs[0] or not _are_thousands(thousands):
        return ()
    return (Fraction(f"{''.join(thousands)}.{last}"),)


def _one_sign(sign: str, groups: list[str]) -> tuple[Fraction, ...]:
    values: list[Fraction] = []
    if _are_thousands(groups) or (sign == "," and _are_lakhs(groups)):
        values.append(Fraction("".join(groups)))
    if len(groups) == 2 and sign in ".,":
        values.append(Fraction(".".join(groups)))
    return tuple(values)


def _are_thousands(groups: list[str]) -> bool:
    head, *rest = groups
    return 1 <= len(head) <= 3 and head[0] != "0" and all(len(group) == 3 for group in rest)


def _are_lakhs(groups: list[str]) -> bool:
    head, *middle, last = groups
    return bool(middle) and len(head) <= 2 and len(last) == 3 and all(len(group) == 2 for group in middle)


def numbers(text: str) -> Iterator[Piece]:
    end = 0
    for match in _NUMBER.finditer(text):
        if match.start("number") < end:
            continue
        piece = _number(text, match)
        end = max(end, piece.end)
        if piece.readings:
            yield piece


def _number(text: str, match: re.Match[str]) -> Piece:
    values = readings_of_number(match["number"])
    start, at = match.start(), match.end()
    if not values:
        return Piece(start, at, (Reading("code", match["number"]),), bool(match["weak"]))
    if match["sign"]:
        values = tuple(-value for value in values)
    currency, start = _currency_before(text, start)
    values, at = _scaled(text, at, values, bool(currency))
    units, at, values = _unit_after(text, at, values)
    if currency:
        units = (Unit("money", currency),)
    weak = bool(match["weak"]) or bool(_STEP.search(text[max(0, start - 12) : start]))
    if units:
        readings = [_reading(value, unit) for unit in units for value in values]
        if re.fullmatch(" ?h", text[match.end() : at]):  # '18 h' is an hour of the day as well
            readings += clock_readings(values[0])
        return Piece(start, at, tuple(readings), weak or _is_rate(text, start, at))
    if match.end() == at and (code := _glued_letters(text, match["number"], at)):
        return Piece(start, at + len(code) - len(match["number"]), (Reading("code", code),), weak)
    if ordinal := _ORDINAL.match(text, at):
        at = ordinal.end()
    readings = [Reading("number", value, "", value) for value in values]
    if _is_daily(text, start, at) and values[0]:
        readings.append(Reading("duration", 86400 / values[0], "second", 24 / values[0]))
    if len(match["number"]) == 4 and match["number"].isdigit() and 1500 <= values[0] <= 2200:
        readings.append(Reading("date", (int(values[0]), None, None)))
    return Piece(start, at, tuple(readings), weak)


def _is_rate(text: str, start: int, at: int) -> bool:
    """'1日' of '1日8時間': per day."""
    return bool(_PER_DAY.fullmatch(text, start, at)) and text[at : at + 1].isdigit()


def _is_daily(text: str, start: int, at: int) -> bool:
    """'three times a day' is also 'every eight hours'."""
    if _DAILY.match(text, at):
        return True
    return bool(_DAILY_AFTER.match(text, at) and _DAILY_BEFORE.search(text[max(0, start - 14) : start]))


def _reading(face: Fraction, unit: Unit) -> Reading:
    return Reading(unit.kind, face * unit.factor, unit.name, face)


def _glued_letters(text: str, number: str, at: int) -> str:
    """'3d', '4th' excepted: a number with letters that are no unit is a code."""
    letters = re.compile(r"[a-z]{1,4}(?![^\W_])").match(text, at)
    return number + letters[0] if letters and not _ORDINAL.match(text, at) else ""


def _currency_before(text: str, start: int) -> tuple[str, int]:
    """The currency right before a number, and where it begins."""
    match = re.search(
        r"(?<![^\W_])((?:us|nt|hk|[acs])?\$|[€£¥₫₩₹฿]|[a-zđ]{2,4}\.?) ?$", text[max(0, start - 6) : start]
    )
    code = currencies().get(match[1].rstrip(".")) if match else None
    if not match or not code or match[1].isalpha() and len(match[1]) > 3:
        return "", start
    return code, start - (len(match[0]))


def _scaled(text: str, at: int, values: tuple[Fraction, ...], is_money: bool) -> tuple[tuple[Fraction, ...], int]:
    """Values times the 'million', 'triệu' or '万' behind them, smaller parts ('1 triệu 200 nghìn') added."""
    scale, end = _scale_at(text, at, is_money)
    if not scale:
        return values, at
    values = tuple(value * scale for value in values)
    while more := re.compile(r" ?(\d{1,4})(?!\d)").match(text, end):
        smaller, behind = _scale_at(text, more.end(), False)
        attached = not smaller and more[0][0] != " " and is_cjk(text[end - 1])
        if not (attached or 0 < smaller < scale):
            break
        values = tuple(value + int(more[1]) * (smaller or 1) for value in values)
        scale, end = smaller or 1, behind if smaller else more.end()
    if half := _HALF_MORE.match(text, end):
        values, end = tuple(value + Fraction(scale, 2) for value in values), half.end()
    return values, end


def _scale_at(text: str, at: int, is_money: bool) -> tuple[int, int]:
    word = _SCALE_WORD.match(text, at)
    if not word:
        return 0, at
    known = scales()
    if is_cjk(word[2][0]):
        return _cjk_scale(text, word)
    if is_money and word[2] in ("m", "b", "t") and not word[1]:
        return {"m": 10**6, "b": 10**9, "t": 10**12}[word[2]], word.end(2)
    scale = known.get(word[2], 0)
    return (scale, word.end() if word[2] in ("mio", "mrd", "tsd") else word.end(2)) if scale else (0, at)


def _cjk_scale(text: str, word: re.Match[str]) -> tuple[int, int]:
    """'3万', '5千万'. '조' is also an article of law: it needs a currency behind it."""
    scale, end = 1, word.start(2)
    while end < word.end(2) and (factor := scales().get(text[end])):
        if text[end] == "조" and not re.compile("조 ?(?:원|달러)").match(text, end):
            break
        scale, end = scale * factor, end + 1
    return (scale, end) if scale > 1 else (0, word.start())


def _unit_after(text: str, at: int, values: tuple[Fraction, ...]) -> tuple[tuple[Unit, ...], int, tuple[Fraction, ...]]:
    """The units the number can have, where they end, and the values with 'and a half' added."""
    gap = _GAP.match(text, at)
    units, end = _unit_at(text, gap.end() if gap else at)
    if not units:
        return (), at, values
    if half := _HALF_MORE.match(text, end):
        return units, half.end(), tuple(value + Fraction(1, 2) for value in values)
    return units, end, values


def _unit_at(text: str, at: int) -> tuple[tuple[Unit, ...], int]:
    if sign := _SIGN.match(text, at):
        return spaced_units().get(sign[0], ()), sign.end()
    words = _WORDS.match(text, at)
    if not words:
        return (), at
    if is_cjk(words[1][0]):
        return _cjk_unit(words[1], at)
    for adjective in range(2):
        if words and words[1] in ADJECTIVES and words[2] and adjective == 0:
            words = _WORDS.match(text, words.start(2))
    return _spaced_unit(words) if words else ((), at)


def _spaced_unit(words: re.Match[str]) -> tuple[tuple[Unit, ...], int]:
    """The longest of the next three, two or one words that is a unit."""
    for count in (3, 2, 1):
        if words[count]:
            units = spaced_units().get(" ".join(words.groups()[:count]))
            if units:
                return units, words.end(count)
    return (), words.start()


def _cjk_unit(word: str, at: int) -> tuple[tuple[Unit, ...], int]:
    for size in range(min(_CJK_LONGEST, len(word)), 0, -1):
        if units := cjk_units().get(word[:size]):
            return units, at + size
    return (), at


def clock_readings(hour: Value) -> Iterator[Reading]:
    """The 8 of 'from 8 to 17 Uhr', as a time."""
    if isinstance(hour, Fraction) and hour.denominator == 1 and 0 <= hour <= 24:
        yield Reading("time", int(hour) % 24 * 60)
        if hour <= 12:
            yield Reading("time", (int(hour) + 12) % 24 * 60)
