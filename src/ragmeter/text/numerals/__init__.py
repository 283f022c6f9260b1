"""Numbers written in words, turned into digits.

`digits_for_words` rewrites a plain text so that later patterns meet digits only: "two weeks" becomes
"2 weeks", "zweieinhalb Stunden" "2.5 stunden", "hai mươi lăm phần trăm" "25 phần trăm", "三十天" "30天",
"열흘" "10일간". A word that is often no number ("one", "a third", Vietnamese "ba") gets the WEAK sign before
its digits unless a unit follows. One file per language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ragmeter.text.numerals import arabic, english, german, ideographs, korean, romance, vietnamese
from ragmeter.text.numerals.words import Found, Word, split
from ragmeter.text.plain import WEAK, Plain, replaced
from ragmeter.text.units import scales

_VIETNAMESE = re.compile("[ăđơư\u1ea0-\u1ef9]")


def digits_for_words(before: Plain) -> Plain:
    """The text with written numbers as digits."""
    if not before.text.isascii():
        before = _changed(before, ideographs.changes)
        before = _changed(before, korean.changes)
    return _changed(before, _spaced)


def _changed(before: Plain, changes: Callable[[str], list[tuple[int, int, str]]]) -> Plain:
    found = changes(before.text)
    return replaced(before, found) if found else before


def _spaced(text: str) -> list[tuple[int, int, str]]:
    words = split(text)
    is_vietnamese = bool(_VIETNAMESE.search(text))
    changes: list[tuple[int, int, str]] = []
    at = 0
    while at < len(words):
        found = None if _is_scale(words[at]) else _number_at(words, at, is_vietnamese)
        if not found:
            at += 1
            continue
        digits = (WEAK if found.weak else "") + found.digits
        changes.append((words[found.first].start, words[found.last - 1].end, digits))
        at = found.last
    return changes


def _is_scale(word: Word) -> bool:
    """'million' of '1.2 million' stays: the digits before it take it as their scale."""
    return word.text in scales() and word.gap.rstrip()[-1:].isdigit()


def _number_at(words: Sequence[Word], at: int, is_vietnamese: bool) -> Found | None:
    text = words[at].text
    if text[0] >= "\u0600":
        return arabic.arabic_at(words, at) if text[0] <= "\u06ff" else None
    if is_vietnamese and text in vietnamese.FIRST:
        return vietnamese.vietnamese_at(words, at)
    if text in romance.FIRST and (found := romance.romance_at(words, at)):
        return found
    if text in english.FIRST:
        return english.english_at(words, at)
    return german.german_at(words, at)
