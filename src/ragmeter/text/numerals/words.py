"""What the number parsers of spaced scripts share: words with their places, and what a parser finds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ragmeter.text.units import ADJECTIVES, spaced_units

LONGEST = 24  # words of one number

_WORD = re.compile(r"[^\W\d_]{1,60}+(?:'[a-z]{1,2})?")


class Word(NamedTuple):
    """A word of the plain text and its place; `gap` is what parts it from the word before,
    cut to the last three characters."""

    text: str
    start: int
    end: int
    gap: str


class Found(NamedTuple):
    """`words[first:last]` are this number; weak: often not meant as one."""

    digits: str
    first: int
    last: int
    weak: bool = False


def numbered(words: str, first: int = 0, step: int = 1) -> dict[str, int]:
    """Blank-separated words with the numbers first, first + step ..."""
    return {word: first + step * n for n, word in enumerate(words.split())}


def split(text: str) -> list[Word]:
    """The words of a plain text."""
    words: list[Word] = []
    end = 0
    for match in _WORD.finditer(text):
        gap = text[max(end, match.start() - 3) : match.start()]
        words.append(Word(match[0], match.start(), match.end(), gap))
        end = match.end()
    return words


def joined(words: Sequence[Word], at: int) -> bool:
    """Whether word `at` follows the one before it with a single blank or hyphen."""
    return at < len(words) and words[at].gap in (" ", "-")


def text_at(words: Sequence[Word], at: int) -> str:
    return words[at].text if joined(words, at) else ""


def has_unit(words: Sequence[Word], at: int) -> bool:
    """Whether a unit begins at word `at`, an adjective such as 'working' before it allowed."""
    if text_at(words, at) in ADJECTIVES:
        at += 1
    return text_at(words, at) in spaced_units() or f"{text_at(words, at)} {text_at(words, at + 1)}" in spaced_units()


def decimal(value: Fraction | int) -> str:
    """Digits for a value: an integer, or as many decimals as it has (thirds and the like as 'a/b')."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    places = next((p for p in range(1, 7) if (value * 10**p).denominator == 1), 0)
    return f"{float(value):.{places}f}" if places else f"{value.numerator}/{value.denominator}"
