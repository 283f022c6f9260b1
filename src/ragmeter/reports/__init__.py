"""What a report is: pieces of text from a Result and its case rows. It decides nothing and opens no file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from ragmeter.result import Result, Row

HOSTILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Report(Struct, frozen=True):
    """`render(result, rows)` yields text; `rows` can be walked more than once. `suffix` names its files."""

    render: Callable[[Result, Iterable[Row]], Iterator[str]]
    suffix: str
    about: str = ""


def fixed(value: float | None, digits: int = 4, absent: str = "N/A") -> str:
    """A number with that many decimals from its exact binary value, ties away from zero, as toFixed does."""
    if value is None:
        return absent
    num, den = abs(value).as_integer_ratio()
    scaled = (2 * num * 10**digits + den) // (2 * den)
    whole, rest = divmod(scaled, 10**digits)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


def cell(text: Any) -> str:
    """Text for a Markdown table cell: no bar ends it, no line break leaves it, control characters are shown."""
    said = str(text).replace("\\", "\\\\") if "|" in str(text) else str(text)
    said = said.replace("|", "\\|").replace("\r\n", "<br>").replace("\n", "<br>").replace("\r", "<br>")
    return visible(said)


def visible(text: str) -> str:
    """Control and bidirectional-override characters written as \\x.. or \\u...., so that a terminal obeys none."""
    return HOSTILE.sub(lambda found: _escape(found.group()), text)


def plain(text: Any) -> str:
    """Text for a spreadsheet cell: what would begin a formula is quoted."""
    said = str(text)
    return f"'{said}" if said[:1] in ("=", "+", "-", "@", "\t", "\r") else said


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
