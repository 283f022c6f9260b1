"""Tokens: the exact rule of the lexical similarity, and words for overlap scores in any script.

`lexical_tokens` is frozen: changing it changes every lexical similarity ever reported. `words` equals the
tokens of the rouge-score package on ASCII text and goes on to work where that package sees nothing:
ideographs and kana are one token each, Thai, Lao, Khmer and Myanmar one token per consonant with its marks,
all other scripts (Korean, Arabic, Vietnamese, German ...) one token per written word.
"""

from __future__ import annotations

import re
import unicodedata

# One token per ideograph or kana.
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_RUN = rf"[^\W_{_IDEOGRAPH}]+"
_LEXICAL = re.compile(rf"[{_IDEOGRAPH}]|{_RUN}(?:[.,:/'’-]{_RUN})*")

# `\w` leaves out combining marks, which belong to the words of Hindi, Thai or pointed Arabic.
_MARK = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0900-\u0903\u093a-\u094f\u0951-\u0957"
    "\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u09d7\u09e2\u09e3\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71\u0a75"
    "\u0a81-\u0a83\u0abc-\u0acd\u0ae2\u0ae3\u0b01-\u0b03\u0b3c-\u0b57\u0b62\u0b63\u0b82\u0bbe-\u0bcd\u0bd7"
    "\u0c00-\u0c04\u0c3c-\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbc-\u0cd6\u0ce2\u0ce3\u0d00-\u0d03\u0d3b-\u0d4d\u0d57"
    "\u0d62\u0d63\u0d81-\u0d83\u0dca-\u0df3\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
)
_UNSPACED_MARK = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u17b4-\u17d3\u17dd"
)
_UNSPACED = "\u0e01-\u0e2e\u0e2f-\u0e46\u0e81-\u0edf\u1000-\u102a\u103f\u1050-\u1081\u1780-\u17b3\u17d7"
_CJK = f"{_IDEOGRAPH}\u3005-\u3007\U00020000-\U0003ffff"
_SINGLE = f"{_CJK}{_UNSPACED}{_UNSPACED_MARK}"
_WORD = re.compile(
    rf"[{_UNSPACED}][{_UNSPACED_MARK}]*|(?:[^\W_{_SINGLE}]|[{_MARK}])+|(?=[^\W_])[{_CJK}]|[{_UNSPACED_MARK}]+"
)


def lexical_tokens(text: str) -> list[str]:
    """NFKC, casefold; ideographs and kana alone, else word characters joined by single . , : / ' ’ -"""
    return _LEXICAL.findall(unicodedata.normalize("NFKC", text).casefold())


def words(text: str) -> list[str]:
    """NFKC, casefold; words of spaced scripts, single ideographs, kana, and Thai-like consonant clusters.

    Punctuation and the underscore separate and are dropped: '3.5' is two tokens, as in ROUGE.
    """
    if text.isascii():
        return _WORD.findall(text.lower())
    return _WORD.findall(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()))


def weighted_length(text: str) -> int:
    """Characters that are not white space, an ideograph, kana or Hangul syllable counting as 3.

    So that one limit on length serves texts of all scripts.
    """
    return sum(3 if c >= "\u3040" and c.isalpha() else 1 for c in text if not c.isspace())


# Words that carry no content of their own; few, so that what is added by a rewrite is seldom hidden.
STOP_WORDS = frozenset(
    (
        "a an the of in on at to for from by with and or is are was were be been do does did it its this that "
        "these those as i you he she we they what which who how when where me my your there "
        "der die das den dem des ein eine einen einem einer und oder ist sind war in im am an auf zu zum zur für "
        "von vom mit bei was wer wie wann wo es "
        "và hoặc là của cho với các những thì mà ở tại được bị có này đó khi gì nào ai bao nhiêu như thế ạ "
        "le la les un une des du de et ou est sont à au aux en dans pour avec ce cette quel quelle "
        "el los las una unos y o es son en con para por que cual del al "
        "的 了 在 是 和 与 或 吗 呢 の は が を に で と も か へ "
        "은 는 이 가 을 를 의 에 와 과 في من على إلى عن و هل ما هو هي"
    ).split()
)


def content_words(text: str) -> list[str]:
    """The `words` of a text without STOP_WORDS."""
    return [word for word in words(text) if word not in STOP_WORDS]
