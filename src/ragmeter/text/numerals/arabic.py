"""Arabic numbers in words, duals such as 'two days' included."""

from __future__ import annotations

from collections.abc import Sequence

from ragmeter.text.numerals.words import LONGEST, Found, Word, has_unit, text_at
from ragmeter.text.units import spaced_units

_UNITS = {
    **dict.fromkeys(("واحد", "واحدة", "احد", "احدى"), 1),
    **dict.fromkeys(("اثنان", "اثنين", "اثنتان", "اثنتين", "اثنا", "اثني", "اثنتا", "اثنتي"), 2),
    **dict.fromkeys(("ثلاث", "ثلاثة"), 3),
    **dict.fromkeys(("اربع", "اربعة"), 4),
    **dict.fromkeys(("خمس", "خمسة"), 5),
    **dict.fromkeys(("ست", "ستة"), 6),
    **dict.fromkeys(("سبع", "سبعة"), 7),
    **dict.fromkeys(("ثمان", "ثماني", "ثمانية"), 8),
    **dict.fromkeys(("تسع", "تسعة"), 9),
    **dict.fromkeys(("عشر", "عشرة"), 10),
}
_TENS = {
    f"{stem}{end}": 10 * n
    for n, stem in enumerate(("عشر", "ثلاث", "اربع", "خمس", "ست", "سبع", "ثمان", "تسع"), 2)
    for end in ("ون", "ين")
}
_HUNDREDS = {
    "مئة": 100,
    "مائة": 100,
    "مئتان": 200,
    "مئتين": 200,
    "مئتا": 200,
    "مائتا": 200,
    "مئتي": 200,
    "مائتان": 200,
    "مائتين": 200,
}
_HUNDREDS |= {
    f"{stem}{hundred}": 100 * n
    for n, stem in enumerate(("ثلاث", "اربع", "خمس", "ست", "سبع", "ثمان", "تسع"), 3)
    for hundred in ("مئة", "مائة")
}
_BIG = {
    "الف": 1000,
    "الفا": 1000,
    "الاف": 1000,
    "الفان": 2000,
    "الفين": 2000,
    "مليون": 10**6,
    "ملايين": 10**6,
}
_BIG |= {"مليونان": 2 * 10**6, "مليونين": 2 * 10**6, "مليار": 10**9}
_ONE_OF_TWO = {"سنت": "سنة", "ساعت": "ساعة", "دقيقت": "دقيقة", "مر": "مرة", "مرت": "مرة", "نسخت": "نسخة"}
_ONE_OF_TWO |= {word: word for word in ("يوم", "شهر", "عام", "اسبوع")} | {"صورت": "صورة"}
_TWO = {f"{stem}{end}": unit for stem, unit in _ONE_OF_TWO.items() for end in ("ان", "ين")}
_ALEF = str.maketrans("أإآٱ", "اااا")


def arabic_at(words: Sequence[Word], at: int) -> Found | None:
    """The Arabic number that begins at word `at`; a dual such as 'two days' too."""
    text = _arabic(words[at].text)
    if text in _TWO or text[1:] in _TWO and text[0] in "بلو":
        return Found(f"2 {_TWO.get(text) or _TWO[text[1:]]}", at, at + 1)
    if text == "نصف":
        return Found("0.5", at, at + 1, weak=not has_unit(words, at + 1))
    if text in ("ثلث", "ربع"):
        return Found("1/3" if text == "ثلث" else "0.25", at, at + 1, weak=True)
    if words[at].text in spaced_units():
        return None
    value, last = _arabic_cardinal(words, at)
    if last == at:
        return None
    if value == 1 and at and words[at].gap == " " and words[at - 1].text in spaced_units():  # 'year one'
        return Found(f"1 {words[at - 1].text}", at - 1, last)
    if value == 1:
        return Found("1", at, last, weak=True)
    return Found(str(value), at, last)


def _arabic(word: str) -> str:
    return word.translate(_ALEF)


def _arabic_part(word: str, first: bool) -> str:
    """The number word without 'and', or without a preposition or article where a number may begin."""
    for prefix in ("و", *(("ال", "بال", "ب", "ل", "لل") if first else ())):
        bare = word.removeprefix(prefix)
        if bare != word and (bare in _UNITS or bare in _TENS or bare in _HUNDREDS or bare in _BIG):
            return bare
    return word


def _arabic_cardinal(words: Sequence[Word], at: int) -> tuple[int, int]:
    total = group = 0
    start = at
    while at < len(words) and at - start < LONGEST:
        text = _arabic(words[at].text if at == start else text_at(words, at))
        part = _arabic_part(text, at == start)
        tied = part != text or at == start  # behind 'and', or the first word
        if part in ("عشر", "عشرة") and at > start and 0 < group % 100 < 10 and part == text:
            group += 10
        elif part in _UNITS and tied and not group % 10:
            group += _UNITS[part]
        elif part in _TENS and tied and group % 100 < 10:
            group += _TENS[part]
        elif part in _HUNDREDS and group < 10:
            group = group * 100 if group > 2 and part in ("مئة", "مائة") else group + _HUNDREDS[part]
        elif part in _BIG and (at > start or part not in ("الاف", "ملايين")):
            total, group = total + (group or 1) * _BIG[part], 0
        else:
            break
        at += 1
    return total + group, at
