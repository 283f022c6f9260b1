"""Korean numbers in Hangul: Sino-Korean (삼십오), native (스물다섯) and the day words (열흘).

The syllables 이, 일, 사, 만 ... are also parts of ordinary words, so a number must begin a word and something
that counts must follow it.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ragmeter.text.numerals.words import decimal
from ragmeter.text.plain import WEAK

_DIGITS = dict(zip("영공일이삼사오육륙칠팔구", (0, 0, 1, 2, 3, 4, 5, 6, 6, 7, 8, 9), strict=True))
_SMALL = {"십": 10, "백": 100, "천": 1000}
_BIG = {"만": 10**4, "억": 10**8, "조": 10**12}
_RUN = "[영공일이삼사오육륙칠팔구십백천만억조]"
_COUNTER = (
    "개월|년|월|주일|주|일|시간|시|분|초|원|달러|유로|엔|퍼센트|프로|%|명|회|번|부|장|세|대|건|개|가지|킬로|미터|그램|배|점|위|"
    "층|항|호|평|인|매|쪽|차|학년|도|영업일|근무일|리터|톤"
)
_SINO = re.compile(rf"(?<![가-힣\d])({_RUN}{{1,20}})")
_RUNS = re.compile(f"{_RUN}{{1,20}}(?:(?<=[천만억조]) {_RUN}{{2,8}}){{0,2}}")
_COUNTERS = re.compile(f" ?({_COUNTER})")
_NATIVE_ONES = {"하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "서": 3, "넷": 4, "네": 4}
_NATIVE_ONES |= {"넉": 4, "너": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9}
_NATIVE_TENS = {"열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70}
_NATIVE_TENS |= {"여든": 80, "아흔": 90}
_NATIVE_COUNTER = (
    "시간|시|달|살|명|번|개|가지|장|부|주|사람|마리|곳|차례|배|권|잔|통|대|건|쌍|해|가구|세트|알|정|분|차|군데|단계"
)
_NATIVE = re.compile(
    rf"(?<![가-힣\d])((?:{'|'.join(_NATIVE_TENS)})?(?:{'|'.join(_NATIVE_ONES)})?)( ?)(?={_NATIVE_COUNTER})"
)
_ALONE = re.compile("(?<![가-힣])(다섯|여섯|일곱|여덟|아홉|열하나|열둘|열|스물|서른|마흔|하나|둘|셋|넷)(?![가-힣])")
_DAYS = {
    "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10,
    "보름": 15,
}  # fmt: skip
_OTHER = {"반년": "6개월", "유월": "6월", "시월": "10월"}
_DAY = re.compile(f"(?<![가-힣])({'|'.join(_DAYS)}|하루|반년|절반|반값|유월(?= |에)|시월(?= |에))")
_PARTS = re.compile(rf"(?<![가-힣\d])({_RUN}{{1,6}}|\d{{1,4}}) ?분의 ?({_RUN}{{1,6}}|\d{{1,4}})")
_LONGER_WORD = re.compile("(?:한|두|세|네|너|서) ?(?:번째|분야|대로|정도|장소|개인|시작|대한|부분|사람들)")
# A lone syllable counts only before these: '사회' is society and '사항' a matter, not four of something.
_SAFE = re.compile(" ?(?:개월|주일|퍼센트|프로|달러|유로|영업일|근무일|학년|층|%)|년|(?<=[일삼오육칠팔구십]) 년")
_SAFE_AFTER_SOME = re.compile(
    "(?<=[일이삼사오칠팔구])월|(?<=[삼오육칠팔구십백천])일|(?<=[삼오십])분|(?<=[십백천만억])(?: ?원| ?명)"
)


def changes(text: str) -> list[tuple[int, int, str]]:
    """(start, end, digits) of the numbers in a plain text, in order, without overlap."""
    if not re.search("[가-힣]", text):
        return []
    found = {m.start(): (m.start(), m.end(), _day(m[1])) for m in _DAY.finditer(text)}
    found |= {m.start(): (m.start(), m.end(), part) for m in _PARTS.finditer(text) if (part := _part(m))}
    for pattern, make in ((_SINO, _sino), (_NATIVE, _native), (_ALONE, _alone)):
        for match in pattern.finditer(text):
            if match[1] and match.start() not in found and (new := make(text, match)):
                found[match.start()] = (match.start(), *new)
    return _without_overlap(sorted(found.values()))


def value(run: str) -> int | None:
    """The value of '삼십오' or '이천만'; None when the syllables make no number."""
    if all(c in _DIGITS for c in run):
        return int("".join(str(_DIGITS[c]) for c in run)) if len(run) in (1, 4) else None
    total = section = 0
    digit: int | None = None
    for c in run:
        if c in _DIGITS:
            if digit is not None:
                return None
            digit = _DIGITS[c]
        elif c in _SMALL:
            section, digit = section + (digit or 1) * _SMALL[c], None
        else:
            total, section, digit = total + (section + (digit or 0) or 1) * _BIG[c], 0, None
    return total + section + (digit or 0)


def _without_overlap(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    kept: list[tuple[int, int, str]] = []
    for change in found:
        if not kept or change[0] >= kept[-1][1]:
            kept.append(change)
    return kept


def _day(word: str) -> str:
    if word == "하루":
        return WEAK + "1일간"
    if word in ("절반", "반값"):
        return WEAK + decimal(Fraction(1, 2))
    if word in _OTHER:
        return _OTHER[word]
    return f"{_DAYS[word]}일간"


def _part(match: re.Match[str]) -> str:
    """'4분의 1' is a quarter."""
    below, above = (int(each) if each.isdecimal() else value(each) for each in match.groups())
    return decimal(Fraction(above, below)) if above and below else ""


def _sino(text: str, match: re.Match[str]) -> tuple[int, str] | None:
    """The longest number before a counter: '이십일일' is 21일, '이십일' 20일, '오일' 5일."""
    start = match.start()
    run = _RUNS.match(text, start)
    for end in range(run.end() if run else start, start, -1):
        number = None if text[end - 1] == " " else value(text[start:end].replace(" ", ""))
        if number is not None and _counts(text, start, end, number):
            return end, str(number)
    if run and len(set(run[0]) & set("백천만억")) > 1:  # so large a number needs no counter
        number = value(run[0].replace(" ", ""))
        return None if number is None else (run.end(), str(number))
    return None


def _counts(text: str, start: int, end: int, number: int) -> bool:
    """Whether what follows is a counter that this number can have."""
    if end - start == 1:
        return bool(_SAFE.match(text, end) or _SAFE_AFTER_SOME.match(text, end))
    counter = _COUNTERS.match(text, end)
    if not counter or ("조" in text[start:end] and counter[1] not in ("원", "달러")):
        return False
    return number <= {"시": 24, "월": 12}.get(counter[1], number)


def _native(text: str, match: re.Match[str]) -> tuple[int, str] | None:
    if _LONGER_WORD.match(text, match.start()):
        return None
    number = _native_value(match[1])
    weak = number == 1 and not re.match("달|시간|해", text[match.end() :][:2])
    return match.end(1), f"{WEAK if weak else ''}{number}"


def _native_value(word: str) -> int:
    for tens, ten in _NATIVE_TENS.items():
        if word.startswith(tens):
            return ten + _NATIVE_ONES.get(word[len(tens) :], 0)
    return _NATIVE_ONES[word]


def _alone(text: str, match: re.Match[str]) -> tuple[int, str] | None:
    return match.end(), f"{WEAK}{_native_value(match[1])}"
