"""Chinese and Japanese numbers in ideographs.

一 and 十 are in every second word (一般, 十分, 統一), so a number is taken only where something counts: a
counter follows, or the run is a larger number of several characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from ragmeter.text.numerals.words import decimal
from ragmeter.text.plain import WEAK, Claims

_DIGITS = dict(zip("〇零一二三四五六七八九", (0, 0, *range(1, 10)), strict=True)) | {"两": 2, "兩": 2}
_SMALL = {"十": 10, "百": 100, "千": 1000}
_BIG = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_RUN = "[〇零一二两兩三四五六七八九十百千万萬亿億兆]"
_COUNTER = (
    "个|個|年|月|日|天|周|週|星期|礼拜|小时|小時|時間|時|时|分|秒|岁|歲|歳|才|元|块|塊|円|圓|美元|欧元|人|名|位|份|次|回|件|"
    "张|張|本|页|頁|条|條|款|项|項|种|種|ヶ|か月|カ|ヵ|か所|箇|枚|部|通|台|倍|割|成|点|點|公里|米|公斤|千克|克|吨|平方|公顷|升|"
    "层|階|期|级|級|家|所|篇|世纪|世紀|营业日|営業日|工作日|つ|%|パーセント|ドル|ユーロ|メートル|キロ|グラム|度|步|段|句|字|席|户|套|章|号|號|"
    "毫|厘|楼|樓|题|題|问|問|瓶|只|隻|辆|座|根|首|组|組|间|排|栋|门|位|点|杯|课|節|节|倍|亩|英|平|立方|吨|場|场|州|省|国|轮|层|人"
)
_PER_HUNDRED = re.compile(rf"(百|千|万)分之(\d{{1,9}}(?:\.\d{{1,9}})?|{_RUN}{{1,9}}(?:[点・]{_RUN}{{1,9}})?)")
_PARTS = re.compile(rf"({_RUN}{{1,6}}|\d{{1,4}})分(?:之|の)({_RUN}{{1,6}}|\d{{1,4}})")
_HALF = re.compile(r"(?<![上下前後后大多一])半(?:个)?(?=年|月|個月|天|日|小时|小時|時間|周|週|分)")
_AND_HALF = re.compile(rf"(\d{{1,4}}|{_RUN}{{1,4}})(?:个|個)半(?=小时|小時|钟|月|星期|学期)")
_HALF_OF = re.compile("一半|半数|半數|半价|半價|半額|对半")
_POINT = re.compile(rf"({_RUN}{{1,9}})[点點・]([〇零一二三四五六七八九]{{1,9}})")
_COUNTED = re.compile(
    rf"({_RUN}{{1,20}})(?=\s?(?:多|余|餘)?\s?({_COUNTER}|(?:到|至|から|或|か|[-~]){_RUN}{{1,6}}(?:{_COUNTER}))|)"
)
_IDIOM = re.compile("十分(?![钟鐘之間间])|千万(?![元円块人年美个日])|万一|一二|三三两两|百万富翁|四川|三明治|七夕")
_TIME_UNIT = re.compile("年|个月|個月|か月|ヶ月|カ月|天|日|周|週|星期|小时|小時|時間|分钟|分間|秒")
_KANA = re.compile("[\u3041-\u30fa]")
_ARTICLES = frozenset(("条", "條", "款", "项", "項", "章", "号", "號"))
_APPROXIMATE = frozenset("数數几幾多好")


def changes(text: str) -> list[tuple[int, int, str]]:
    """(start, end, digits) of the numbers in a plain text, in order, without overlap."""
    if not re.search(f"{_RUN}|半|分[之の]", text):
        return []
    found: list[tuple[int, int, str]] = []
    claims = Claims(len(text))
    for pattern, make in _MAKERS:
        for match in pattern.finditer(text):
            if (new := make(match)) and claims.claim(*match.span()):
                found.append((*match.span(), new))
    shortens = not _KANA.search(text)
    for match in _COUNTED.finditer(text):
        change = _counted(text, match, shortens)
        if change and claims.claim(*match.span()):
            found.append(change)
    return sorted(found)


def value(run: str, *, shortens: bool = True) -> int | None:
    """The value of '三十五', '二〇二四', '三万五千', '两百'; None when the characters make no number.

    Chinese `shortens`: 三万五 is 35,000 and 二百五 is 250, but 205 in Japanese.
    """
    if all(c in _DIGITS for c in run):
        return int("".join(str(_DIGITS[c]) for c in run)) if len(run) == 1 or _is_positional(run) else None
    total = section = biggest = 0
    digit: int | None = None
    last = 0  # the scale before, for '三万五' which is 35,000
    for c in run:
        if c in _DIGITS:
            if digit:
                return None
            digit = _DIGITS[c]
            last = 0 if digit == 0 else last
        elif c in _SMALL:
            section, digit, last = section + (1 if digit is None else digit or 1) * _SMALL[c], None, _SMALL[c]
        else:
            big = _BIG[c]
            part = section + (digit or 0)
            total = total + (part or 1) * big if 0 < big < biggest else (total + part or 1) * big
            section, digit, last, biggest = 0, None, big, max(big, biggest)
    short = shortens and digit and last >= 100 and run[-2] not in "零〇"
    return total + section + (digit or 0) * (last // 10 if short else 1)


def _is_positional(run: str) -> bool:
    return len(run) >= 3 and not set(run) & {"两", "兩"}


def _percent(match: re.Match[str]) -> str:
    number = match[2] if match[2][0].isdigit() else _decimal(match[2])
    return f"{number}{ {'百': '%', '千': '‰', '万': '‱'}[match[1]] }" if number else ""


def _parts(match: re.Match[str]) -> str:
    below, above = _either(match[1]), _either(match[2])
    return decimal(Fraction(above, below)) if above and below else ""


def _either(number: str) -> int | None:
    return int(number) if number.isdecimal() else value(number)


def _half(match: re.Match[str]) -> str:
    return "0.5" + match[0][1:]


def _and_half(match: re.Match[str]) -> str:
    """'一个半小时' is 1.5 hours."""
    number = _either(match[1])
    return "" if number is None else f"{number}.5个"


def _point(match: re.Match[str]) -> str:
    return _decimal(match[0])


def _decimal(run: str) -> str:
    whole, _, rest = re.sub("[點・]", "点", run).partition("点")
    number = value(whole)
    if number is None:
        return ""
    return str(number) + ("." + "".join(str(_DIGITS.get(c, "")) for c in rest) if rest else "")


def _counted(text: str, match: re.Match[str], shortens: bool) -> tuple[int, int, str] | None:
    run, counter = match[1], match[2]
    start, end = match.span(1)
    before = text[start - 1 : start]
    if _IDIOM.match(text, start) or before in _APPROXIMATE or (before == "上" and run[0] in "百千万"):
        return None
    if before.isdigit() and run[0] not in _DIGITS:  # '3万', '5千': the digits take it as their scale
        return None
    number = value(run, shortens=shortens)
    if number is None or not (counter or len(run) > 1):
        return None
    if before == "第" and counter not in _ARTICLES:
        return start, end, f"{WEAK}{number}"
    weak = (not counter and len(run) < 3 and "十" not in run) or (run == "一" and not _TIME_UNIT.match(text, end))
    return start, end, f"{WEAK if weak else ''}{number}"


_MAKERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_PER_HUNDRED, _percent),
    (_PARTS, _parts),
    (_AND_HALF, _and_half),
    (_HALF, _half),
    (_HALF_OF, lambda _: f"{WEAK}0.5"),
    (_POINT, _point),
)
