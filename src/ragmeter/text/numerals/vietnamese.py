"""Vietnamese numbers in words. 'năm' is five or year, and 'tháng ba' March but 'ba tháng' three months."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ragmeter.text.numerals.words import LONGEST, Found, Word, decimal, has_unit, joined, numbered, text_at

_DIGITS = {"một": 1, "mốt": 1, "hai": 2, "ba": 3, "bốn": 4, "tư": 4, "năm": 5, "lăm": 5, "nhăm": 5, "sáu": 6}
_DIGITS |= {"bảy": 7, "bẩy": 7, "tám": 8, "chín": 9}
_BIG = {"nghìn": 1000, "ngàn": 1000, "triệu": 10**6, "tỷ": 10**9, "tỉ": 10**9, "vạn": 10**4}
_MONTHS = {"giêng": 1, "chạp": 12, "tư": 4}
_COUNTERS = numbered(
    "người bản cái chiếc lần phần mươi trăm nghìn ngàn triệu tỷ tỉ vạn bộ tờ ảnh trang điểm bước loại hồ "
    "giấy thành trường đợt kỳ suất khoản mục điều cơ vụ hộ con cây đơn tỉnh ca môn bậc cấp lớp tầng phòng"
)
FIRST = {*_DIGITS, "mười", "nửa", "tháng", "rưỡi"} - {"mốt", "lăm", "nhăm", "tư", "rưỡi"}


def vietnamese_at(words: Sequence[Word], at: int) -> Found | None:
    """The Vietnamese number that begins at word `at`."""
    text = words[at].text
    if text == "nửa":
        return Found("0.5", at, at + 1, weak=not has_unit(words, at + 1))
    if text == "tháng":
        return _vietnamese_month(words, at)
    if text == "năm" and not _counts(words, at + 1):
        return None
    value, last = _vietnamese_cardinal(words, at)
    if last == at:
        return None
    if text_at(words, last) == "phần" and text_at(words, last + 1) in _DIGITS and value < 10:
        return Found(decimal(Fraction(value, _DIGITS[text_at(words, last + 1)])), at, last + 2)
    if text == "một" and last - at == 1 and text_at(words, last) == "nửa":
        return Found("0.5", at, last + 1, weak=True)
    weak = last - at == 1 and not has_unit(words, last) and _is_no_count(words, at, value)
    return Found(decimal(value), at, last, weak)


def _is_no_count(words: Sequence[Word], at: int, value: Fraction) -> bool:
    """'một' is mostly an article, 'thứ hai' a Monday, 'ba mẹ' parents."""
    before = words[at - 1].text if at and joined(words, at) else ""
    return value == 1 or before in ("thứ", "ngày thứ") or text_at(words, at + 1) in ("mẹ", "má", "tôi", "ơi", "em")


def _counts(words: Sequence[Word], at: int) -> bool:
    return text_at(words, at) in _COUNTERS or has_unit(words, at)


def _vietnamese_month(words: Sequence[Word], at: int) -> Found | None:
    """'tháng ba' is March; 'ba tháng' are three months."""
    named = _MONTHS.get(text_at(words, at + 1))
    if named:
        return Found(f"tháng {named}", at, at + 2)
    if text_at(words, at + 1) not in {*_DIGITS, "mười"} or text_at(words, at + 1) == "năm" and not at:
        return None
    value, last = _vietnamese_cardinal(words, at + 1)
    if not 1 <= value <= 12 or (text_at(words, at + 1) == "năm" and text_at(words, at + 2) != "năm"):
        return None
    return Found(f"tháng {value}", at, last)


def _vietnamese_cardinal(words: Sequence[Word], at: int) -> tuple[Fraction, int]:
    """Value and end of 'hai trăm linh năm nghìn', 'mười lăm', 'một triệu rưỡi'."""
    total = Fraction(0)
    group = 0
    start, scale = at, 0
    digit: int | None = None  # one not yet known to be ones, tens or hundreds
    while at < len(words) and at - start < LONGEST:
        text = words[at].text if at == start else text_at(words, at)
        following = text_at(words, at + 1)
        if text in _DIGITS and digit is None and _is_digit(text, following, words[at - 1].text if at > start else ""):
            digit = _DIGITS[text]
        elif text == "mười" and digit is None and group % 100 == 0:
            group += 10
        elif text in ("mươi", "chục") and digit:
            group, digit = group + 10 * digit, None
        elif text == "trăm" and digit:
            group, digit = group + 100 * digit, None
        elif text == "không" and following == "trăm" and scale and not group and digit is None:
            at += 1
        elif text in ("linh", "lẻ") and digit is None and at > start and following in _DIGITS:
            digit, at = _DIGITS[following], at + 1
        elif text in _BIG and (group or digit):
            larger = _BIG[text] > scale > 0  # 'hai nghìn tỷ' multiplies, 'hai tỷ ba nghìn' adds
            scale = _BIG[text]
            total = (total + group + (digit or 0)) * scale if larger else total + (group + (digit or 0)) * scale
            group, digit = 0, None
        elif text == "rưỡi" and scale and not group and digit is None:
            total += Fraction(scale, 2)
        else:
            break
        at += 1
    return total + group + (digit or 0), at


def _is_digit(text: str, following: str, before: str) -> bool:
    """'năm' behind a number is a year, unless it multiplies; 'tư', 'mốt', 'lăm' need tens before them."""
    if text in ("tư", "mốt", "lăm", "nhăm"):
        return before in ("mươi", "chục", "mười", "linh", "lẻ")
    if text == "năm" and before:
        return following in ("mươi", "trăm", "nghìn", "ngàn", "triệu", "tỷ", "tỉ", "phần")
    return True
