"""Dates and times of day in a plain text, with every reading an ambiguous one has.

A date is (year, month, day), None for what is not said. 03/04/2024 has two readings, 25/12/2024 one. Years of
two digits are read as 1950-2049. A time of day is minutes after midnight; '2:30' without am or pm is also
14:30. All orders: ISO, day first, month first, 'day month year' with month names of nine languages, and
年月日, 년월일, ngày tháng năm. Japanese era years are converted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ragmeter.text.plain import Claims


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split("|"))


Date = tuple[int | None, int | None, int | None]

_MONTH_NAMES = (
    "january jan januar jänner janvier enero يناير كانون_الثاني",
    "february feb februar feber février fevrier febrero فبراير شباط",
    "march mar märz mrz maerz mars marzo مارس آذار اذار",
    "april apr avril abril أبريل ابريل نيسان إبريل",
    "may mai mayo مايو أيار ايار",
    "june jun juni juin junio يونيو حزيران",
    "july jul juli juillet julio يوليو تموز",
    "august aug août aout agosto أغسطس اغسطس آب",
    "september sep sept septembre septiembre setiembre سبتمبر أيلول ايلول",
    "october oct oktober okt octobre octubre أكتوبر اكتوبر تشرين_الأول",
    "november nov novembre noviembre نوفمبر تشرين_الثاني",
    "december dec dezember dez décembre decembre diciembre ديسمبر كانون_الأول",
)
_MONTHS = {name.replace("_", " "): n for n, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_NAME = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}

# A number in words may carry the sign of weakness, which means nothing inside a date.
_W = "\ue001?"
_D = r"(?<![\d.,/])" + _W + r"(?P<d>\d{1,2})"
_TH = r"(?:st|nd|rd|th|er|\.)?"
_Y = r"(?P<y>\d{4})(?!\d)"
_END = r"(?![^\W\d_])"

_DATES = (
    r"(?<![\d/.-])(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![\d/]|[.,]\d|-\d)",
    r"(?<![\d/.-])(?P<a>\d{1,2})(?P<s>[-/.])(?P<b>\d{1,2})(?P=s)(?P<y>\d{4})(?![\d/]|[.,]\d|-\d)",
    r"(?<![\d/.-])(?P<a>\d{1,2})(?P<s>[-/.])(?P<b>\d{1,2})(?P=s)(?P<y>\d\d)(?![\d/]|[.,]\d|-\d)",
    r"(?<![\d/.-])(?P<y>\d{4})\. (?P<m>\d{1,2})\. (?P<d>\d{1,2})(?:\.|(?!\d))",
    rf"(?:(?P<era>令和|平成|昭和|民國|民国)(?P<ey>\d{{1,3}}|元)|(?<!\d)(?P<y>\d{{4}}))年(?:度)?"
    rf"(?: ?{_W}(?P<m>\d{{1,2}})月(?: ?{_W}(?P<d>\d{{1,2}})[日号號])?)?",
    rf"(?<!\d){_W}(?P<m>\d{{1,2}})月(?:份)? ?{_W}(?P<d>\d{{1,2}})[日号號](?!間|间)",
    r"(?<!\d)(?P<y>\d{4}) ?년(?: (?P<m>\d{1,2}) ?월(?: (?P<d>\d{1,2}) ?일)?)?(?!간)",
    r"(?<!\d)(?P<m>\d{1,2})월(?: ?(?P<d>\d{1,2}) ?일)?(?!간)",
    r"(?<!\d)(?P<m>\d{1,2})月(?![間间\d])(?:份)?",
    rf"(?:ngày|mùng|mồng) {_W}(?P<d>\d{{1,2}}) ?(?:tháng|[/-]) ?{_W}(?P<m>\d{{1,2}})"
    rf"(?:(?: năm |[/-]|, ?| ){_Y})?(?!\d)",
    rf"{_D} tháng {_W}(?P<m>\d{{1,2}}),?(?: năm)? {_Y}",
    rf"tháng {_W}(?P<m>\d{{1,2}})(?:(?:,? năm |[/-]|, ?| ){_Y})?(?![\d.,]\d|\d)",
    rf"(?<![^\W\d_])(?P<n>{_NAME})\.? (?:the )?{_D}{_TH}(?![\d]|[.,]\d)(?:,? {_Y})?",
    rf"{_D}{_TH}(?: of| de|-)? ?(?P<n>{_NAME})(?:\.|{_END})(?:,?(?: del?|-)? ?{_Y})?",
    rf"(?<![^\W\d_])(?P<n>{_NAME})\.?(?:,| of| del?)? {_Y}",
    r"(?<![\d/.,-])(?P<m>0?[1-9]|1[0-2])[/](?P<y>(?:19|20)\d\d)(?![\d/]|[.-]\d)",
    rf"(?:năm|vào năm) {_Y}",
    r"(?<=(?:am|em|um|om|is|ab|it) )(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?!\d)",  # am, dem, zum, vom, bis, ab, seit
)
_PART = r"am|pm|a\.m\.?|p\.m\.?|uhr|sáng|trưa|chiều|tối|đêm|صباحا|مساء|ص|م"
_HALF = "上午|下午|晚上|早上|中午|凌晨|午前|午後|오전|오후|아침|저녁|밤"
_TIMES = (
    rf"(?:(?P<half>{_HALF}) ?)?(?<![\d:])(?P<h>\d{{1,2}}):(?P<min>\d\d)(?::\d\d)?(?![\d:])"
    rf"(?: ?(?P<part>{_PART}){_END})?",
    rf"(?<![\d:.,])(?P<h>\d{{1,2}}) ?h ?(?P<min>\d\d)(?!\d)(?: ?(?P<part>{_PART}){_END})?",
    rf"(?<![\d:.,])(?P<h>\d{{1,2}})\.(?P<min>\d\d) ?(?P<part>am|pm|a\.m\.?|p\.m\.?|uhr){_END}",
    rf"(?<![\d:.,])(?P<h>\d{{1,2}}) ?(?P<part>am|pm|a\.m\.?|p\.m\.?|uhr){_END}(?: (?P<min>\d\d)(?!\d))?",
    rf"(?:(?P<half>{_HALF}) ?)?(?<!\d)(?P<h>\d{{1,2}})(?:[点點時](?![间間])|时(?!间))"
    r"(?:(?P<min>\d{1,2})分|(?P<thirty>半)|[钟整])?",
    rf"(?:(?P<half>{_HALF}) ?)?(?<!\d)(?P<h>\d{{1,2}}) ?시(?![간작행])"
    r"(?: ?(?P<min>\d{1,2}) ?분| ?(?P<thirty>반)(?!\w))?",
    r"(?<![\d:.,])(?P<h>\d{1,2}) giờ(?! làm)(?: (?P<min>\d{1,2})(?: phút)?(?![.,]?\d)|(?P<thirty> rưỡi))?"
    rf"(?: (?P<part>sáng|trưa|chiều|tối|đêm){_END})?",
    rf"الساعة (?P<h>\d{{1,2}})(?::(?P<min>\d\d))?(?: (?P<part>صباحا|مساء|ص|م){_END})?",
    rf"(?<![\d:.,])(?P<h>\d{{1,2}}) (?P<part>صباحا|مساء){_END}",
)
_MORNING = _set("am|a.m|a.m.|sáng|上午|早上|凌晨|午前|오전|아침|صباحا|ص")
_EVENING = _set("pm|p.m|p.m.|chiều|tối|đêm|下午|晚上|午後|오후|저녁|밤|مساء|م")


class Found(NamedTuple):
    """A date or time in the plain text and its readings, none where it looks like one and cannot be."""

    start: int
    end: int
    dates: tuple[Date, ...] = ()
    times: tuple[int, ...] = ()
    hours: tuple[int, int] | None = None  # (hours, minutes) where it may be a duration as well ('8 giờ 30 phút')


_compiled: dict[str, re.Pattern[str]] = {}


def dates(text: str) -> list[Found]:
    """The dates of a plain text in which written numbers are digits already; earlier patterns win."""
    return _scan(text, _DATES, _date)


def times(text: str) -> list[Found]:
    """The times of day."""
    return _scan(text, _TIMES, _time)


def _scan(text: str, patterns: tuple[str, ...], make: Callable[[re.Match[str]], Found | None]) -> list[Found]:
    found: list[Found] = []
    claims = Claims(len(text))
    for pattern in patterns:
        for match in _matches(pattern, text):
            made = make(match)
            if made and claims.claim(made.start, made.end):
                found.append(made)
    return sorted(found)


def _matches(pattern: str, text: str) -> Iterator[re.Match[str]]:
    if pattern not in _compiled:
        _compiled[pattern] = re.compile(pattern)
    return _compiled[pattern].finditer(text)


def _date(match: re.Match[str]) -> Found | None:
    parts = match.groupdict()
    readings = [reading for reading in _readings(parts) if _is_possible(*reading)]
    if not readings and parts.get("a") and len(parts["y"] or "") == 2:  # 1.42.10 is a version, not a wrong date
        return None
    return Found(match.start(), match.end(), dates=tuple(dict.fromkeys(readings)))


def _readings(parts: dict[str, str | None]) -> list[Date]:
    year = _year(parts)
    if parts.get("a"):
        first, second = int(parts["a"] or 0), int(parts["b"] or 0)
        day_first, month_first = (year, second, first), (year, first, second)
        return [day_first] if parts["s"] == "." else [day_first, month_first]
    month = _MONTHS[parts["n"] or ""] if parts.get("n") else _int(parts.get("m"))
    return [(year, month, _int(parts.get("d")))]


def _year(parts: dict[str, str | None]) -> int | None:
    if parts.get("era"):
        number = parts["ey"]
        return _ERAS[parts["era"] or ""] + (1 if number == "元" else int(number or 0))
    year = _int(parts.get("y"))
    if year is None or year > 99:
        return year
    return 2000 + year if year < 50 else 1900 + year


def _int(digits: str | None) -> int | None:
    return int(digits) if digits else None


def _is_possible(year: int | None, month: int | None, day: int | None) -> bool:
    if year is not None and not 1000 <= year <= 2999:
        return False
    if month is not None and not 1 <= month <= 12:
        return False
    longest = 31 if month is None else (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    return day is None or 1 <= day <= longest


def _time(match: re.Match[str]) -> Found | None:
    parts = match.groupdict()
    hour, minute = int(match["h"]), int(parts.get("min") or (30 if parts.get("thirty") else 0))
    if hour > 24 or minute > 59:
        return None
    part = parts.get("part") or parts.get("half") or ""
    may_be_hours = "giờ" in match[0] and not part
    return Found(
        match.start(),
        match.start() + len(match[0].rstrip()),
        times=_minutes(hour, minute, part, padded=match["h"][0] == "0"),
        hours=(hour, minute) if may_be_hours else None,
    )


def _minutes(hour: int, minute: int, part: str, *, padded: bool) -> tuple[int, ...]:
    at = hour % 24 * 60 + minute
    if part in _MORNING:
        return (at % 720 if hour == 12 else at,)
    if part in _EVENING:
        return (at % 720 + 720,)
    if hour > 12 or padded or part == "uhr":
        return (at,)
    return (at, (at + 720) % 1440)
