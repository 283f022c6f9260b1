"""German numbers in words, compounds such as 'zweihundertfünf' and 'zweiwöchig' included."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from ragmeter.text.numerals.words import Found, Word, decimal, has_unit, numbered, text_at

_UNITS = numbered(
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn"
) | {"ein": 1, "zwo": 2}
_TENS = numbered("zwanzig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig", 20, 10)
_ONE = numbered("ein eine einen einem einer eines", 1, 0)
_PARTS = {"drittel": 3, "viertel": 4, "fünftel": 5, "sechstel": 6, "achtel": 8, "zehntel": 10}
_ORDINALS = {"erste": 1, "zweite": 2, "dritte": 3, "vierte": 4, "fünfte": 5, "sechste": 6}
_PERIOD = re.compile("(.{3,40}?)(jährig|monatig|wöchig|tägig|stündig|minütig)(?:e|er|es|en|em)?")


@cache
def _german_below_hundred() -> dict[str, int]:
    table = dict(_UNITS) | dict(_TENS)
    for tens, ten in _TENS.items():
        for unit, one in _UNITS.items():
            if 0 < one < 10:
                table[f"{unit}und{tens}"] = ten + one
    return table


def german_value(word: str) -> Fraction | None:
    """The value of one written German number, None when the word is none."""
    word = word.replace("fuenf", "fünf").replace("zwoelf", "zwölf")
    if word.endswith("einhalb") and word != "einhalb":
        whole = german_value(word[:-7])
        return None if whole is None else whole + Fraction(1, 2)
    if word == "anderthalb":
        return Fraction(3, 2)
    value = _german_integer(word)
    return None if value is None else Fraction(value)


def _german_integer(word: str) -> int | None:
    for mark, scale in (("tausend", 1000), ("hundert", 100)):
        left, found, right = word.partition(mark)
        if found:
            times = _german_integer(left) if left else 1
            rest = _german_integer(right.removeprefix("und")) if right else 0
            return None if times is None or rest is None or rest >= scale else times * scale + rest
    return _german_below_hundred().get(word)


def german_at(words: Sequence[Word], at: int) -> Found | None:
    """The German number that begins at word `at`."""
    text = words[at].text
    if text in _ONE:
        return _german_one(words, at)
    if text.startswith("halb") and len(text) <= 6:
        return Found("0.5", at, at + 1) if has_unit(words, at + 1) else None
    if text == "dutzend":
        return Found("12", at, at + 1)
    if text == "hälfte":
        return Found("0.5", at, at + 1, weak=True)
    if text.rstrip("nrsm") in _ORDINALS and text[-1] in "ernsm":
        return Found(str(_ORDINALS[text.rstrip("nrsm")]), at, at + 1, weak=True)
    if period := _PERIOD.fullmatch(text):
        value = german_value(period[1])
        return Found(f"{decimal(value)} {period[2]}", at, at + 1) if value else None
    if text.endswith("mal") and (times := german_value(text[:-3])):
        return Found(f"{decimal(times)} mal", at, at + 1, weak=times == 1)
    if text[0] not in "nezdvfshta":
        return None
    value = german_value(text)
    if value is None or text == "null":
        return None
    if (part := _PARTS.get(text_at(words, at + 1))) and value < part:
        return Found(decimal(value / part), at, at + 2)
    return Found(decimal(value), at, at + 1, weak=text == "elf" and not has_unit(words, at + 1))


def _german_one(words: Sequence[Word], at: int) -> Found | None:
    """'ein halbes Jahr', 'ein Drittel'; 'ein Jahr' is one year, any other 'ein' no number."""
    following = text_at(words, at + 1)
    if following.startswith("halb") and has_unit(words, at + 2):
        return Found("0.5", at, at + 2)
    if following in _PARTS:
        return Found(decimal(Fraction(1, _PARTS[following])), at, at + 2, weak=True)
    if following == "dutzend":
        return Found("12", at, at + 2)
    if following in ("million", "milliarde"):
        return Found("1", at, at + 1)
    return Found("1", at, at + 1, weak=True) if has_unit(words, at + 1) else None
