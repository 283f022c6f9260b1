"""Numbers spelled out, written for the tests and independently of the product: from a value to its words."""

from __future__ import annotations

EN = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
      "seventeen eighteen nineteen").split()  # fmt: skip
EN_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
DE = ("null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
      "siebzehn achtzehn neunzehn").split()  # fmt: skip
DE_TENS = "_ _ zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
VI = "không một hai ba bốn năm sáu bảy tám chín".split()
HAN = "零一二三四五六七八九"
HANGUL = "영일이삼사오육칠팔구"


def english(n: int) -> str:
    if n >= 1000:
        rest = f" {english(n % 1000)}" if n % 1000 else ""
        return f"{english(n // 1000)} thousand{rest}"
    if n >= 100:
        rest = f" and {english(n % 100)}" if n % 100 else ""
        return f"{EN[n // 100]} hundred{rest}"
    if n >= 20:
        return EN_TENS[n // 10] + (f"-{EN[n % 10]}" if n % 10 else "")
    return EN[n]


def german(n: int) -> str:
    if n >= 1000:
        return f"{german(n // 1000)}tausend{german(n % 1000) if n % 1000 else ''}"
    if n >= 100:
        return f"{DE[n // 100]}hundert{german(n % 100) if n % 100 else ''}"
    if n >= 20:
        return (f"{DE[n % 10]}und" if n % 10 else "") + DE_TENS[n // 10]
    return DE[n]


def vietnamese(n: int) -> str:
    if n >= 1000:
        rest = n % 1000
        skipped = "" if rest >= 100 else f" không trăm {_vi_below(rest)}" if rest else ""
        return f"{vietnamese(n // 1000)} nghìn{skipped}" + (f" {vietnamese(rest)}" if rest >= 100 else "")
    if n >= 100:
        return f"{VI[n // 100]} trăm" + (f" {_vi_below(n % 100)}" if n % 100 else "")
    return _vi_two(n)


def _vi_below(n: int) -> str:
    return f"linh {VI[n]}" if n < 10 else _vi_two(n)


def _vi_two(n: int) -> str:
    if n < 10:
        return VI[n]
    ones = {0: "", 5: " lăm"}.get(n % 10, f" {VI[n % 10]}")
    if n < 20:
        return f"mười{ones}"
    ones = {1: " mốt"}.get(n % 10, ones)
    return f"{VI[n // 10]} mươi{ones}"


def chinese(n: int) -> str:
    """With 一十 shortened to 十 at the beginning, and 零 for skipped places."""
    if n >= 10_000:
        rest = n % 10_000
        gap = "零" if 0 < rest < 1000 else ""
        return f"{chinese(n // 10_000)}万{gap}{chinese(rest) if rest else ''}"
    text, zero = "", False
    for scale, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = n // scale % 10
        if digit:
            text += ("零" if zero and text else "") + HAN[digit] + name
            zero = False
        else:
            zero = True
    return (text or "零").removeprefix("一") if 10 <= n < 20 else text or "零"


def japanese(n: int) -> str:
    if n >= 10_000:
        return f"{japanese(n // 10_000)}万{japanese(n % 10_000) if n % 10_000 else ''}"
    return _east(n, HAN, "千百十") or HAN[0]


def korean(n: int) -> str:
    if n >= 10_000:
        head = korean(n // 10_000) if n >= 20_000 else ""
        return f"{head}만{korean(n % 10_000) if n % 10_000 else ''}"
    return _east(n, HANGUL, "천백십") or HANGUL[0]


def _east(n: int, digits: str, names: str) -> str:
    text = ""
    for scale, name in zip((1000, 100, 10), names, strict=True):
        digit = n // scale % 10
        text += (digits[digit] if digit > 1 else "") + name if digit else ""
    return text + (digits[n % 10] if n % 10 else "")
