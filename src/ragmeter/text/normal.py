"""Normal forms, and whether a text contains an expected string under each of them.

`seed_fold` is the rule of the published memory experiment and only that rule reproduces its numbers:
NFD, drop category Mn, lower-case. It leaves đ alone, folds no width and no white space, and drops marks
that are letters in Hindi, Thai or kana. `fold` is our recommendation for new data. `keep_accents` tells
"thuế" from "thuê" and treats "hoà" and "hòa" as one word.

The same expected string can hit under one mode and miss under another; `verdicts` gives all of them and
`fragile` says which folding step a hit hangs on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

MODES = ("seed", "fold", "boundary", "accent")
BOUNDARIES = ("none", "start", "word", "auto")
STEPS = ("width", "case", "accent", "letter", "space")
SHORT = 3  # an expected string of so few folded letters needs word bounds under boundary='auto'

# Marks that fold keeps are the ones outside these blocks: vowel signs of Indic scripts, Thai, Khmer, Myanmar,
# and kana voicing are letters ("ปี" is not "ปู", "バス" is not "ハス").
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
)

# Letters that Unicode does not decompose, in casefolded form.
_LETTERS = str.maketrans(
    {
        **dict(zip("đðłøıħŧƶɨɓɗ", "ddloihtzibd", strict=True)),
        **{"æ": "ae", "œ": "oe", "þ": "th", "ĳ": "ij"},
        **dict(zip("ةىیکٱے", "هييكاي", strict=True)),
        "ـ": "",
    }
)
_PUNCTUATION = str.maketrans(
    {**dict.fromkeys("‘’‚‛′ʼ`´", "'"), **dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("‐‒–—―−", "-")}
)
# Scripts that put no blank between words: a word boundary means nothing inside them.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)


@cache
def _one_of(characters: str) -> re.Pattern[str]:
    """Matches one of these characters. Compiled when it is needed: a file of ids needs none of this."""
    return re.compile(f"[{characters}]")


@cache
def _tone() -> re.Pattern[str]:
    """Vietnamese writes the tone of an open "oa oe uy" on either vowel; one form is enough to compare."""
    return re.compile("(o(?=.[ae])|u(?=.y))([\u0300\u0301\u0303\u0309\u0323])([aey])(?![\u0300-\u036f])")


def nfc(text: str) -> str:
    """Canonical composed form: what ids and procedure names are compared in."""
    return unicodedata.normalize("NFC", text)


def seed_fold(text: str) -> str:
    """NFD, category Mn dropped, lower-cased; nothing else. `đ` stays, white space and width stay."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn").lower()


def fold(text: str, *, locale: str = "", without: str = "") -> str:
    """Case, width, accents, undecomposable letters, quotes, dashes, digits and white space made alike.

    NFKC, casefold, format characters dropped, marks dropped except where they are letters, letter map
    (đ ł ø ı æ ..., Arabic and Persian pairs, tatweel), decimal digits to ASCII, space runs to one blank,
    ends stripped, NFC. Idempotent. `locale` 'tr' or 'az' keeps ı and i apart. `without` leaves out one of
    STEPS, to learn what a match hangs on.
    """
    if text.isascii() and not without and locale not in ("tr", "az"):
        return " ".join(text.lower().translate(_PUNCTUATION).split())
    if without != "width":
        text = unicodedata.normalize("NFKC", text)
    text = _cased(text, locale, without)
    if without != "accent":
        text = _one_of(_MARKS).sub("", unicodedata.normalize("NFD", text))
    text = unicodedata.normalize("NFC" if without == "width" else "NFKC", text)
    if without != "letter":
        text = _letters(text, locale)
    text = _plain(text)
    if without != "space":
        text = " ".join(text.split())
    return text


def keep_accents(text: str) -> str:
    """As `fold`, but marks and letters keep their difference; Vietnamese tone placement is unified."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    text = _tone().sub(r"\1\3\2", unicodedata.normalize("NFD", _plain(text).replace("ـ", "")))
    return unicodedata.normalize("NFC", " ".join(text.split()))


def contains(text: str, wanted: str, *, mode: str = "seed", boundary: str = "", locale: str = "") -> bool:
    """Whether `wanted` occurs in `text` under one of MODES.

    seed: the published rule; an empty `wanted` always hits. fold: both folded. boundary: folded, and
    `wanted` must be a whole word in scripts that write blanks. accent: accents matter. In the last three a
    `wanted` that is empty after folding never hits. `boundary` overrides the mode's own: none, start, word,
    or auto (word for at most 3 folded characters, else none). Raises ValueError for an unknown mode.
    """
    if mode not in MODES:
        raise ValueError(f"unknown mode '{mode}': one of {', '.join(MODES)}")
    if mode == "seed":
        return seed_fold(wanted) in seed_fold(text)
    form = keep_accents if mode == "accent" else (lambda each: fold(each, locale=locale))
    return _occurs(form(text), form(wanted), boundary or ("word" if mode == "boundary" else "none"))


def hits(text: str, expected: Iterable[str], *, mode: str = "seed", boundary: str = "", locale: str = "") -> bool:
    """Whether any of the expected strings is contained: the hit of the memory experiment."""
    return any(contains(text, each, mode=mode, boundary=boundary, locale=locale) for each in expected)


def verdicts(text: str, expected: Iterable[str], *, locale: str = "") -> dict[str, bool]:
    """The hit under every mode, in the order of MODES."""
    wanted = tuple(expected)
    return {mode: hits(text, wanted, mode=mode, locale=locale) for mode in MODES}


def depends_on_mode(text: str, expected: Iterable[str], *, locale: str = "") -> bool:
    """Whether the hit is not the same under all modes: such a case deserves a look."""
    return len(set(verdicts(text, expected, locale=locale).values())) > 1


def fragile(text: str, expected: Iterable[str], *, locale: str = "") -> tuple[str, ...]:
    """What a hit hangs on: the folding steps (width, case, accent, letter, space) without which it is gone,
    'boundary' when it lies inside a word, 'seed_only' when only the published rule sees it.

    Empty for a plain hit and for a miss in every mode.
    """
    wanted = tuple(expected)
    if not hits(text, wanted, mode="fold", locale=locale):
        return ("seed_only",) if hits(text, wanted, mode="seed") else ()
    found = [step for step in STEPS if not _hits_without(text, wanted, step, locale)]
    if not hits(text, wanted, mode="boundary", locale=locale):
        found.append("boundary")
    return tuple(found)


def _hits_without(text: str, wanted: tuple[str, ...], step: str, locale: str) -> bool:
    folded = fold(text, locale=locale, without=step)
    return any(_occurs(folded, fold(each, locale=locale, without=step), "none") for each in wanted)


def _cased(text: str, locale: str, without: str) -> str:
    if locale in ("tr", "az"):
        text = text.replace("I", "ı").replace("İ", "i")
    return text if without == "case" else text.casefold()


def _letters(text: str, locale: str) -> str:
    if locale not in ("tr", "az"):
        return text.translate(_LETTERS)
    return "ı".join(part.translate(_LETTERS) for part in text.split("ı"))


def _plain(text: str) -> str:
    """Format characters out; quotes, dashes and decimal digits to their ASCII forms."""
    if text.isascii():
        return text.translate(_PUNCTUATION)
    return "".join(map(_plain_character, text)).translate(_PUNCTUATION)


def _plain_character(c: str) -> str:
    if c.isascii() or c.isalpha():
        return c
    if unicodedata.category(c) == "Cf":
        return ""
    return str(unicodedata.decimal(c)) if c.isdecimal() else c


def _occurs(text: str, wanted: str, boundary: str) -> bool:
    if boundary not in BOUNDARIES:
        raise ValueError(f"unknown boundary '{boundary}': one of {', '.join(BOUNDARIES)}")
    if not wanted:
        return False
    if boundary == "auto":
        boundary = "word" if len(wanted) <= SHORT else "none"
    if boundary == "none":
        return wanted in text
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _free(text, at) and (boundary == "start" or _free(text, end)):
            return True
        at = text.find(wanted, at + 1)
    return False


def _free(text: str, at: int) -> bool:
    """Whether a word may begin or end between the characters before and at `at`."""
    if at in (0, len(text)):
        return True
    before, after = text[at - 1], text[at]
    if not (_in_word(before) and _in_word(after)):
        return True
    return bool(_one_of(_UNSPACED).match(before) or _one_of(_UNSPACED).match(after))


def _in_word(c: str) -> bool:
    return c.isalnum() or unicodedata.category(c)[0] == "M"
