"""Numbers, per cents, money, durations, measures, dates, times and codes in a text, in all their usual forms.

Written numbers count (two weeks, hai tuần, 二週間, zwei Wochen), so do 1,000 and 1.000 and 1 000 and 1k,
triệu, 万 and Milliarden, and the digits of all scripts. What can be read in several ways keeps all readings:
1.000 is one thousand or one, 03/04/2024 is in March or in April. `agreement.compare_quantities` says whether
two texts agree.

Left out: list numbers at the start of a line, '(1)' in running text, web addresses. A *weak* quantity ("one",
"a third", "Step 2") is there to be matched and is never reported as missing or extra.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from ragmeter.text.dates import Date, dates, times
from ragmeter.text.numerals import digits_for_words
from ragmeter.text.plain import WEAK, Claims, Plain, plain
from ragmeter.text.units import ADJECTIVES, Unit, cjk_units, currencies, is_cjk, scales, spaced_units

Value = Fraction | Date | int | str

_MASK = "\ue002"
_IGNORED = re.compile(
    r"https?://[^\s<>]{1,2000}+|www\.[^\s<>]{1,500}+"
    r"|(?m:^)[ \t>*#-]{0,8}\(?\d{1,2}(?:\.\d{1,2}){0,3}[.)](?=\s)|(?<=\()\d{1,2}(?=\)[ \w])"
)
_STEP = re.compile(r"(?:step|bước|schritt|étape|paso|步骤|手順|ステップ|단계|الخطوة) ?$")

_LEGAL = re.compile(r"(?<!\d)\d{1,5}/(?:\d{4}/)?[a-zđ]{2,10}(?:[-/][a-zđ0-9]{1,12}){0,5}")
_GIANT = re.compile(r"\d{19}\d*+")
_SIZE = re.compile(r"(?<![\d.,])\d{1,6}(?:[.,]\d{1,3})? ?x ?\d{1,6}(?:[.,]\d{1,3})?(?: ?x ?\d{1,6})?(?!\d)")
_PHONE = re.compile(r"(?<![\d.,])(?:\+|\(?0)\d[\d ().-]{6,18}\d(?!\d)")
_PARTED = re.compile(r"(?<![\d.,])\d{1,6}(?:[.-]\d{1,6}){2,6}(?:\.[a-z]\d{1,3})?(?![\d])")
_RATIO = re.compile(r"(?<![\d:.,/])\d{1,6}:\d{1,6}(?![\d:])")
_SLASHED = re.compile(rf"(?<![\d/.,]){WEAK}?(\d{{1,5}})/(\d{{1,5}})(?![\d/])")
_SHARE = re.compile(r" (?:in|out of|of|of the|von|trong|trong số|sur|de cada|من|من كل)(?: every)? ")
_SHARE_REVERSED = re.compile(r"(?:人に|人中有?|명 중 |명 가운데 |名中有?|个中有?)")
_MIXED = re.compile(r"(?<![^\W_])(?:[a-zđ]{1,10}-?\d{1,10}[a-zđ\d]{0,10}|\d{1,10}[a-zđ]{1,4}\d{1,10}[a-z\d]{0,6})")
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


class Quantity(NamedTuple):
    """Something countable in a text: `text[start:end]` of the original, and all its readings."""

    text: str
    start: int
    end: int
    readings: tuple[Reading, ...]
    weak: bool = False

    @property
    def kind(self) -> str:
        """The kind of the first reading."""
        return self.readings[0].kind

    @property
    def value(self) -> Value:
        """The value of the first reading."""
        return self.readings[0].value

    @property
    def unit(self) -> str:
        """The unit of the first reading, '' for none."""
        return self.readings[0].unit

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands."""
        return self.start, self.end


class _Piece(NamedTuple):
    """A quantity in the plain text."""

    start: int
    end: int
    readings: tuple[Reading, ...]
    weak: bool = False


def quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of a text in order. Citation markers are to be stripped before; never raises."""
    before = digits_for_words(plain(text))
    pieces = _with_shares(before.text, _shared_units(before.text, _pieces(before)))
    pieces = _joined_durations(before.text, pieces)
    return tuple(_quantity(text, before, piece) for piece in pieces)


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


def _quantity(text: str, before: Plain, piece: _Piece) -> Quantity:
    start, end = before.span(piece.start, piece.end)
    return Quantity(text[start:end], start, end, piece.readings, piece.weak)


def _pieces(before: Plain) -> list[_Piece]:
    """Dates, then times, codes, and numbers in what they leave."""
    left = before.text
    found: list[_Piece] = []
    for scan in (_dates, _ignored, _times, _codes, _numbers):
        pieces = list(scan(left))
        found += (piece for piece in pieces if piece.readings)
        left = _masked(left, pieces)
    return sorted(found)


def _masked(text: str, pieces: Iterable[_Piece]) -> str:
    parts: list[str] = []
    at = 0
    for piece in sorted(pieces):
        parts += (text[at : piece.start], _MASK * (piece.end - piece.start))
        at = piece.end
    return "".join(parts) + text[at:] if parts else text


def _ignored(text: str) -> Iterator[_Piece]:
    return (_Piece(m.start(), m.end(), ()) for m in _IGNORED.finditer(text))


def _dates(text: str) -> Iterator[_Piece]:
    for found in dates(text):
        readings = [Reading("date", date) for date in found.dates]
        code = Reading("code", text[found.start : found.end].replace(WEAK, ""))  # '72 March': no date, yet not right
        yield _Piece(found.start, found.end, tuple(readings) or (code,))


def _times(text: str) -> Iterator[_Piece]:
    for found in times(text):
        readings = [Reading("time", minutes) for minutes in found.times]
        if found.hours:
            hours = Fraction(found.hours[0] * 60 + found.hours[1], 60)
            readings.append(Reading("duration", hours * 3600, "second", hours))
        yield _Piece(found.start, found.end, tuple(readings))


def _codes(text: str) -> list[_Piece]:
    found: list[_Piece] = []
    claims = Claims(len(text))
    for pattern in (_LEGAL, _GIANT, _SIZE, _PHONE, _PARTED, _RATIO, _SLASHED, _MIXED):
        for match in pattern.finditer(text):
            readings = _code_readings(pattern, match)
            if readings and claims.claim(*match.span()):
                found.append(_Piece(match.start(), match.end(), readings, match[0][0] == WEAK))
    return found


def _code_readings(pattern: re.Pattern[str], match: re.Match[str]) -> tuple[Reading, ...]:
    code = Reading("code", re.sub(r"[ ()+-]", "", match[0]).strip(".").replace("đ", "d"))
    if pattern is _SLASHED:
        return (*_slashed(int(match[1]), int(match[2])), code)
    if pattern is _PHONE and sum(map(str.isdigit, match[0])) < 8:
        return ()
    if pattern is _PARTED and readings_of_number(match[0]):
        return ()
    if pattern is _MIXED and _is_unit_or_money(match[0]):
        return ()
    return (code,)


def _slashed(a: int, b: int) -> Iterator[Reading]:
    """'3/4': three quarters, 3 April or 4 March."""
    if b:
        yield Reading("number", Fraction(a, b), "", Fraction(a, b))
    for month, day in ((b, a), (a, b)):
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield Reading("date", (None, month, day))


def _is_unit_or_money(word: str) -> bool:
    letters = word.rstrip("0123456789").rstrip("-")
    after = word.lstrip("0123456789")
    return (
        word in spaced_units()
        or after in spaced_units()
        or letters in spaced_units()
        or letters in currencies()
        or letters in ("us", "rs")
    )


def _numbers(text: str) -> Iterator[_Piece]:
    end = 0
    for match in _NUMBER.finditer(text):
        if match.start("number") < end:
            continue
        piece = _number(text, match)
        end = max(end, piece.end)
        if piece.readings:
            yield piece


def _number(text: str, match: re.Match[str]) -> _Piece:
    values = readings_of_number(match["number"])
    start, at = match.start(), match.end()
    if not values:
        return _Piece(start, at, (Reading("code", match["number"]),), bool(match["weak"]))
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
            readings += _clock_readings(values[0])
        return _Piece(start, at, tuple(readings), weak or _is_rate(text, start, at))
    if match.end() == at and (code := _glued_letters(text, match["number"], at)):
        return _Piece(start, at + len(code) - len(match["number"]), (Reading("code", code),), weak)
    if ordinal := _ORDINAL.match(text, at):
        at = ordinal.end()
    readings = [Reading("number", value, "", value) for value in values]
    if _is_daily(text, start, at) and values[0]:
        readings.append(Reading("duration", 86400 / values[0], "second", 24 / values[0]))
    if len(match["number"]) == 4 and match["number"].isdigit() and 1500 <= values[0] <= 2200:
        readings.append(Reading("date", (int(values[0]), None, None)))
    return _Piece(start, at, tuple(readings), weak)


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


_RANGE = re.compile(r"\s?(?:-|~|to|bis|đến|tới|至|到|から|에서|부터|إلى|الى|or|hoặc|oder|and|und|và|و|à|a|và|～)\s?")
_JOIN = re.compile(r"\s?(?:,? ?and|und|và|و|y|et|又|と|零|-)?\s?")


def _shared_units(text: str, pieces: list[_Piece]) -> list[_Piece]:
    """'5-7 days', '2 to 3 million': the first number takes the unit and the scale of the second as well."""
    out = list(pieces)
    for at in range(len(out) - 2, -1, -1):
        first, second = out[at], out[at + 1]
        if first.readings[0].kind != "number" or not _RANGE.fullmatch(text, first.end, second.start):
            continue
        if second.start - first.end > 8:
            continue
        if second.readings[0].kind == "time":
            out[at] = first._replace(readings=(*_clock_readings(first.readings[0].value), *first.readings))
        elif second.readings[0].face is not None:
            out[at] = first._replace(readings=(*_with_unit_of(first, second), *first.readings))
    return out


def _with_unit_of(first: _Piece, second: _Piece) -> Iterator[Reading]:
    """Readings of the first number in the unit of the second, times its scale too where that is larger."""
    for model in second.readings:
        if model.face is None or not model.face or isinstance(model.value, (tuple, str)):
            continue
        factor = model.value / model.face
        for reading in first.readings:
            if isinstance(reading.value, Fraction):
                for scale in {1, _round_scale(model.face)} if reading.value < 1000 else {1}:
                    face = reading.value * scale
                    if model.unit or scale > 1:
                        yield Reading(model.kind, face * factor, model.unit, face)


def _clock_readings(hour: Value) -> Iterator[Reading]:
    """The 8 of 'from 8 to 17 Uhr', as a time."""
    if isinstance(hour, Fraction) and hour.denominator == 1 and 0 <= hour <= 24:
        yield Reading("time", int(hour) % 24 * 60)
        if hour <= 12:
            yield Reading("time", (int(hour) + 12) % 24 * 60)


def _round_scale(value: Fraction) -> int:
    return next((scale for scale in (10**9, 10**6, 10**4, 1000) if value >= scale and not value % (scale // 10)), 1)


def _with_shares(text: str, pieces: list[_Piece]) -> list[_Piece]:
    """'one in five', '五人に一人': the smaller number is also a fifth."""
    out = list(pieces)
    for at, (first, second) in enumerate(pairwise(pieces)):
        if _SHARE.fullmatch(text, first.end, second.start):
            out[at] = _as_share(first, second)
        elif _SHARE_REVERSED.fullmatch(text, first.end, second.start):
            out[at + 1] = _as_share(second, first)
    return out


def _as_share(part: _Piece, whole: _Piece) -> _Piece:
    a, b = part.readings[0].value, whole.readings[0].value
    if not isinstance(a, Fraction) or not isinstance(b, Fraction) or not 0 < a < b <= 100:
        return part
    if part.readings[0].kind != "number" or whole.readings[0].kind != "number":
        return part
    return part._replace(readings=(*part.readings, Reading("number", a / b, "", a / b)), weak=False)


def _joined_durations(text: str, pieces: list[_Piece]) -> list[_Piece]:
    """'2 hours 30 minutes' and '1 year and 6 months' are one duration each."""
    out: list[_Piece] = []
    for piece in pieces:
        if out and (joined := _sum(text, out[-1], piece)):
            out[-1] = joined
        else:
            out.append(piece)
    return out


def _sum(text: str, first: _Piece, second: _Piece) -> _Piece | None:
    a, b = first.readings[0], second.readings[0]
    if first.weak and not second.weak:  # '1日8時間' is eight hours a day
        return None
    if a.kind != "duration" or b.kind != "duration" or a.unit != b.unit or not a.face or not b.face:
        return None
    if not isinstance(a.value, Fraction) or not isinstance(b.value, Fraction):
        return None
    if b.value / b.face >= a.value / a.face or b.value >= a.value / a.face or second.start - first.end > 6:
        return None
    if not _JOIN.fullmatch(text, first.end, second.start):
        return None
    total = a.value + b.value
    return _Piece(first.start, second.end, (Reading("duration", total, a.unit, total),), first.weak and second.weak)
