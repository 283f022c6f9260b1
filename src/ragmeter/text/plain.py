"""A text made plain for pattern matching, with the way back to the places in the original.

Lower case, NFKC, decimal digits of all scripts to ASCII, one kind of blank, dash and apostrophe, vulgar
fractions to decimals, Arabic vowel marks and tatweel dropped. Patterns then need to know one form only, and
what they find is reported where it stands in the original.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

WEAK = "\ue001"  # stands before a number that is worth matching but not worth an alarm ("one", "a third")

_ALONE = dict.fromkeys("‐‑‒–—―−﹣－", "-") | dict.fromkeys("’‘ʼ′´`", "'")
_ALONE |= {
    "٫": ".",
    "٬": ",",
    "٪": "%",
    "،": ";",
    "؛": ";",
    "〜": "~",
    "～": "~",
    "∼": "~",
    "⁄": "/",
    "−": "-",
}
_ALONE |= {"×": "x", "·": ".", "º": "°", "ـ": ""}
_DROPPED = re.compile("[\u064b-\u0652\u0670]")


class Plain(NamedTuple):
    """`text[i]` comes from the characters `starts[i]` up to `ends[i]` of the original."""

    text: str
    starts: list[int]
    ends: list[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of the non-empty `text[start:end]`."""
        return self.starts[start], self.ends[end - 1]


def plain(text: str) -> Plain:
    """The plain form. Never raises; as long as the original or a little longer."""
    if text.isascii():
        places = list(range(len(text) + 1))
        return Plain(text.lower().replace("`", "'"), places[:-1], places[1:])
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        made = _made_plain(text[start:end], out[-1] if out else " ")
        out += made
        starts += [start] * len(made)
        ends += [end] * len(made)
    return Plain("".join(out), starts, ends)


def replaced(before: Plain, changes: Iterable[tuple[int, int, str]]) -> Plain:
    """The plain text with some stretches written otherwise. `changes` are (start, end, new text), in order
    and without overlap; the place of a change is the place of what it stands for."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for start, end, new in changes:
        out += (before.text[at:start], new)
        starts += before.starts[at:start] + [before.starts[start]] * len(new)
        ends += before.ends[at:start] + [before.ends[end - 1]] * len(new)
        at = end
    out.append(before.text[at:])
    return Plain("".join(out), starts + before.starts[at:], ends + before.ends[at:])


class Claims:
    """Who comes first keeps its stretch of a text; later finds that touch it are turned away."""

    def __init__(self, length: int):
        self._taken = bytearray(length)

    def claim(self, start: int, end: int) -> bool:
        """Take the stretch, if all of it is free."""
        if any(self._taken[start:end]):
            return False
        self._taken[start:end] = b"\1" * (end - start)
        return True


def _clusters(text: str) -> Iterable[tuple[int, int]]:
    """(start, end) of each character with the marks (or conjoining Hangul letters) that follow it."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not (unicodedata.combining(c := text[at]) or "\u1160" <= c <= "\u11ff"):
            yield start, at
            start = at


def _made_plain(cluster: str, before: str) -> str:
    c = cluster[0]
    if len(cluster) == 1:
        if c.isascii():
            return c.lower()
        if c in _ALONE:
            return _ALONE[c]
        if unicodedata.category(c) in ("No", "Cf", "Co", "Cs"):
            return _number_sign(c, before)
    folded = unicodedata.normalize("NFKC", _DROPPED.sub("", unicodedata.normalize("NFKC", cluster)).casefold())
    return "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in folded)


def _number_sign(c: str, before: str) -> str:
    """½ as .5 or 0.5, m² as m2; a raised footnote number, a circled one or a private character as a blank."""
    if unicodedata.category(c) == "Cf":
        return ""
    kind = unicodedata.decomposition(c).partition(" ")[0]
    if kind == "<fraction>":
        return _fraction(c, before)
    if kind == "<super>" and before.isalpha():
        return str(unicodedata.digit(c, 0))
    return " "


def _fraction(c: str, before: str) -> str:
    value = f"{unicodedata.numeric(c):.6f}".rstrip("0")
    if len(value) > 6:  # thirds, sixths, sevenths have no short decimal form
        return " " + unicodedata.normalize("NFKC", c).replace("⁄", "/")
    return value[1:] if before.isdigit() else value
