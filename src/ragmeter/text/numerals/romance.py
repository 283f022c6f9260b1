"""French and Spanish numbers in words, where a unit follows: 'deux ans', 'treinta y cinco días'.

Without a unit the words are left alone: 'once' and 'six' are words of other languages too.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragmeter.text.numerals.words import Found, Word, has_unit, numbered, text_at

_ONES = numbered(
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
    2,
) | numbered("dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis", 2)
_TENS = numbered("vingt trente quarante cinquante soixante", 20, 10)
_TENS |= numbered("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa", 20, 10)
_HUNDREDS = {
    "cent": 100,
    "cien": 100,
    "ciento": 100,
    "doscientos": 200,
    "trescientos": 300,
    "quinientos": 500,
}
FIRST = {*_ONES, *_TENS, *_HUNDREDS}


def romance_at(words: Sequence[Word], at: int) -> Found | None:
    """The number that begins at word `at` if a unit stands behind it."""
    total, last = 0, at
    for table in (_HUNDREDS, _TENS, _ONES):
        word = words[last].text if last == at else text_at(words, last)
        if word in ("y", "et") and text_at(words, last + 1) in table and last > at:
            word, last = text_at(words, last + 1), last + 1
        if word in table:
            total, last = total + table[word], last + 1
    return Found(str(total), at, last) if last > at and has_unit(words, last) else None
