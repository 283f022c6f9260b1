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

from ragmeter.text.codes import codes
from ragmeter.text.dates import dates, times
from ragmeter.text.figures import Piece, Reading, Value, clock_readings, numbers
from ragmeter.text.numerals import digits_for_words
from ragmeter.text.plain import WEAK, Plain, plain

_MASK = "\ue002"
_IGNORED = re.compile(
    r"https?://[^\s<>]{1,2000}+|www\.[^\s<>]{1,500}+"
    r"|(?m:^)[ \t>*#-]{0,8}\(?\d{1,2}(?:\.\d{1,2}){0,3}[.)](?=\s)|(?<=\()\d{1,2}(?=\)[ \w])"
)
_SHARE = re.compile(r" (?:in|out of|of|of the|von|trong|trong số|sur|de cada|من|من كل)(?: every)? ")
_SHARE_REVERSED = re.compile(r" ?(?:人に|人中有?|명 중 |명 가운데 |名中有?|个中有?)")
_RANGE = re.compile(r"\s?(?:-|~|to|bis|đến|tới|至|到|から|에서|부터|إلى|الى|or|hoặc|oder|and|und|và|و|à|a|và|～)\s?")
_JOIN = re.compile(r"\s?(?:,? ?and|und|và|و|y|et|又|と|零|-)?\s?")


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


def quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of a text in order. Citation markers are to be stripped before; never raises."""
    before = digits_for_words(plain(text))
    pieces = _with_shares(before.text, _shared_units(before.text, _pieces(before)))
    pieces = _joined_durations(before.text, pieces)
    return tuple(_quantity(text, before, piece) for piece in pieces)


def _quantity(text: str, before: Plain, piece: Piece) -> Quantity:
    start, end = before.span(piece.start, piece.end)
    return Quantity(text[start:end], start, end, piece.readings, piece.weak)


def _pieces(before: Plain) -> list[Piece]:
    """Dates, then times, codes, and numbers in what they leave."""
    left = before.text
    found: list[Piece] = []
    for scan in (_dates, _ignored, _times, codes, numbers):
        pieces = list(scan(left))
        found += (piece for piece in pieces if piece.readings)
        left = _masked(left, pieces)
    return sorted(found)


def _masked(text: str, pieces: Iterable[Piece]) -> str:
    parts: list[str] = []
    at = 0
    for piece in sorted(pieces):
        parts += (text[at : piece.start], _MASK * (piece.end - piece.start))
        at = piece.end
    return "".join(parts) + text[at:] if parts else text


def _ignored(text: str) -> Iterator[Piece]:
    return (Piece(m.start(), m.end(), ()) for m in _IGNORED.finditer(text))


def _dates(text: str) -> Iterator[Piece]:
    for found in dates(text):
        readings = [Reading("date", date) for date in found.dates]
        code = Reading("code", text[found.start : found.end].replace(WEAK, ""))  # '72 March': no date, yet not right
        yield Piece(found.start, found.end, tuple(readings) or (code,))


def _times(text: str) -> Iterator[Piece]:
    for found in times(text):
        readings = [Reading("time", minutes) for minutes in found.times]
        if found.hours:
            hours = Fraction(found.hours[0] * 60 + found.hours[1], 60)
            readings.append(Reading("duration", hours * 3600, "second", hours))
        yield Piece(found.start, found.end, tuple(readings))


def _shared_units(text: str, pieces: list[Piece]) -> list[Piece]:
    """'5-7 days', '2 to 3 million': the first number takes the unit and the scale of the second as well."""
    out = list(pieces)
    for at in range(len(out) - 2, -1, -1):
        first, second = out[at], out[at + 1]
        if first.readings[0].kind != "number" or not _RANGE.fullmatch(text, first.end, second.start):
            continue
        if second.start - first.end > 8:
            continue
        if second.readings[0].kind == "time":
            out[at] = first._replace(readings=(*clock_readings(first.readings[0].value), *first.readings))
        elif second.readings[0].face is not None:
            out[at] = first._replace(readings=(*_with_unit_of(first, second), *first.readings))
    return out


def _with_unit_of(first: Piece, second: Piece) -> Iterator[Reading]:
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


def _round_scale(value: Fraction) -> int:
    return next((scale for scale in (10**9, 10**6, 10**4, 1000) if value >= scale and not value % (scale // 10)), 1)


def _with_shares(text: str, pieces: list[Piece]) -> list[Piece]:
    """'one in five', '五人に一人': the smaller number is also a fifth."""
    out = list(pieces)
    for at, (first, second) in enumerate(pairwise(pieces)):
        if _SHARE.fullmatch(text, first.end, second.start):
            is_article = text[first.end : second.start].startswith(" of ")  # 'one of the two'
            out[at] = _as_share(first, second, weak=first.weak and is_article)
        elif _SHARE_REVERSED.fullmatch(text, first.end, second.start):
            out[at + 1] = _as_share(second, first, weak=False)
    return out


def _as_share(part: Piece, whole: Piece, *, weak: bool) -> Piece:
    a, b = part.readings[0].value, whole.readings[0].value
    if not isinstance(a, Fraction) or not isinstance(b, Fraction) or not 0 < a < b <= 100:
        return part
    if part.readings[0].kind != "number" or whole.readings[0].kind != "number":
        return part
    return part._replace(readings=(*part.readings, Reading("number", a / b, "", a / b)), weak=weak)


def _joined_durations(text: str, pieces: list[Piece]) -> list[Piece]:
    """'2 hours 30 minutes' and '1 year and 6 months' are one duration each."""
    out: list[Piece] = []
    for piece in pieces:
        if out and (joined := _sum(text, out[-1], piece)):
            out[-1] = joined
        else:
            out.append(piece)
    return out


def _sum(text: str, first: Piece, second: Piece) -> Piece | None:
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
    return Piece(first.start, second.end, (Reading("duration", total, a.unit, total),), first.weak and second.weak)
