"""Figures that are names and no amounts: laws, sizes, telephone numbers, versions, ratios, model numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ragmeter.text.figures import Piece, Reading, readings_of_number
from ragmeter.text.plain import WEAK, Claims
from ragmeter.text.units import currencies, spaced_units

_LEGAL = re.compile(r"(?<!\d)\d{1,5}/(?:\d{4}/)?[a-zđ]{2,10}(?:[-/][a-zđ0-9]{1,12}){0,5}")
_GIANT = re.compile(r"\d{19}\d*+")
_SIZE = re.compile(r"(?<![\d.,])\d{1,6}(?:[.,]\d{1,3})? ?x ?\d{1,6}(?:[.,]\d{1,3})?(?: ?x ?\d{1,6})?(?!\d)")
_PHONE = re.compile(r"(?<![\d.,])(?:\+|\(?0)\d[\d ().-]{6,18}\d(?!\d)")
_PARTED = re.compile(r"(?<![\d.,])\d{1,6}(?:[.-]\d{1,6}){2,6}(?:\.[a-z]\d{1,3})?(?![\d])")
_RATIO = re.compile(r"(?<![\d:.,/])\d{1,6}:\d{1,6}(?![\d:])")
_SLASHED = re.compile(rf"(?<![\d/.,]){WEAK}?(\d{{1,5}})/(\d{{1,5}})(?![\d/])")
_MIXED = re.compile(r"(?<![^\W_])(?:[a-zđ]{1,10}-?\d{1,10}[a-zđ\d]{0,10}|\d{1,10}[a-zđ]{1,4}\d{1,10}[a-z\d]{0,6})")


def codes(text: str) -> list[Piece]:
    found: list[Piece] = []
    claims = Claims(len(text))
    for pattern in (_LEGAL, _GIANT, _SIZE, _PHONE, _PARTED, _RATIO, _SLASHED, _MIXED):
        for match in pattern.finditer(text):
            readings = _code_readings(pattern, match)
            if readings and claims.claim(*match.span()):
                found.append(Piece(match.start(), match.end(), readings, match[0][0] == WEAK))
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
