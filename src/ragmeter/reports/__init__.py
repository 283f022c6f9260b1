"""What a report is: pieces of text from a Result and its case rows. It decides nothing and opens no file.

Rounding for human eyes happens here and nowhere earlier. Text that came from an input (ids, slices, reasons)
is data: `cell` for Markdown, `plain` for spreadsheets, `inline` for terminals take away what it could do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from ragmeter.result import Estimate, Outcome, Result, Row

HOSTILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069]")
# What Markdown would read as markup. An underscore inside a word (recall_at_k) is none.
_MARKUP = re.compile(r"[\\`*~|]|\](?=\()|<(?=[A-Za-z/!?])|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_BLOCK = re.compile(r"\[|>|(#+|[-+])(?=\s|$)")  # ... and where a line begins with it
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NO_INTERVAL = {"none": "", "too_few": "too few cases", "constant": "all scores equal"}
_SEVERITY = {"FAIL": 0, "INCONCLUSIVE": 1}


class Report(Struct, frozen=True):
    """`render(result, rows)` yields text; `rows` can be walked more than once. `suffix` names its files.

    `screen(result, rows, width=..., colour=...)` is how the report looks on a terminal, where that differs.
    """

    render: Callable[[Result, Iterable[Row]], Iterator[str]]
    suffix: str
    about: str = ""
    screen: Callable[..., Iterator[str]] | None = None


def fixed(value: float | None, digits: int = 4, absent: str = "N/A") -> str:
    """A number with that many decimals from its exact binary value, ties away from zero, as toFixed does."""
    if value is None:
        return absent
    # Python rounds the exact value too, but ties to even; only odd multiples of 2^-(digits + 1) are ties.
    if abs(value) * 2.0 ** (digits + 1) % 2 != 1:
        return f"{value + 0.0:.{digits}f}"
    num, den = abs(value).as_integer_ratio()
    scaled = (2 * num * 10**digits + den) // (2 * den)
    whole, rest = divmod(scaled, 10**digits)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


def number(value: float | None, absent: str = "N/A") -> str:
    """A number for human eyes: four decimals, more where four would hide that it is not whole.

    0.99999 is not shown as 1.0000, which would claim that no case failed; what is whole to eight decimals is.
    From a thousand million on it has an exponent.
    """
    if value is None:
        return absent
    if abs(value) >= 1e9:
        return f"{value:.4e}"
    if value == int(value):
        return fixed(value)
    for digits in (4, 5, 6, 7, 8):
        if (said := fixed(value, digits)).rstrip("0")[-1] != ".":
            return said
    return fixed(value)


def apart(value: float | None, threshold: float) -> str:
    """A value beside its threshold: as many decimals as it takes to tell them apart."""
    if value is None or value == threshold:
        return number(value)
    for digits in range(4, 16):
        if abs(value) < 1e9 and fixed(value, digits) != fixed(threshold, digits):
            return number(value) if digits == 4 else fixed(value, digits)
    return repr(float(value))


def interval(e: Estimate) -> str:
    """'0.7100 – 0.8300 (wilson)', or why there is none."""
    if e.low is None or e.high is None:
        return _NO_INTERVAL.get(e.interval, e.interval)
    return f"{number(e.low)} – {number(e.high)} ({e.interval})"


def nulls(e: Estimate) -> str:
    """'3 no_relevant, 1 no_answer', or 0."""
    return ", ".join(f"{count} {reason}" for reason, count in e.n_null.items()) or "0"


def headline(result: Result) -> str:
    """The verdict in a line: 'FAIL: 1 of 3 gates fails, 1 is inconclusive', or 'no gates'."""
    if result.verdict is None or not result.verdict.outcomes:
        return "no gates"
    words = [outcome.outcome for outcome in result.verdict.outcomes]
    gates = f"{len(words)} {'gate' if len(words) == 1 else 'gates'}"
    said = []
    if fails := words.count("FAIL"):
        said.append(f"{fails} of {gates} {'fails' if fails == 1 else 'fail'}")
    if unsure := words.count("INCONCLUSIVE"):
        which = str(unsure) if fails else f"{unsure} of {gates}"
        said.append(f"{which} {'is' if unsure == 1 else 'are'} inconclusive")
    whole = "1 gate passes" if len(words) == 1 else f"all {gates} pass"
    return f"{'PASS' if result.verdict.passed else 'FAIL'}: {', '.join(said) or whole}"


def failures(result: Result) -> int:
    """The largest number of cases that failed on one metric: the system, a judge, or nothing obtained."""
    return max((e.n_error for e in result.estimates if not e.slice), default=0)


def ordered(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Failing gates first, then inconclusive ones; else the order in which they were asked for."""
    return sorted(outcomes, key=lambda outcome: _SEVERITY.get(outcome.outcome, len(_SEVERITY)))


def conventions(result: Result) -> list[tuple[str, str]]:
    """What stands at the foot of every report: profile, its choices, seed, version.

    A metric is among them where its full name says more than the one shown.
    """
    provenance = result.provenance
    said = [("profile", str(provenance.get("profile", "")))]
    said += [(name, str(choice)) for name, choice in provenance.get("conventions", {}).items()]
    said += [(e.metric, e.definition) for e in result.estimates if not e.slice and e.metric != e.definition]
    said += [("seed", str(provenance.get("seed", ""))), ("ragmeter", str(provenance.get("version", "")))]
    return said


def by_slice(result: Result) -> dict[str, list[Estimate]]:
    """The estimates of each slice, in the order measured; '' is all cases."""
    groups: dict[str, list[Estimate]] = {}
    for estimate in result.estimates:
        groups.setdefault(estimate.slice, []).append(estimate)
    return groups


def input_names(result: Result) -> list[str]:
    """The inputs by name, as they were given."""
    inputs = result.provenance.get("inputs", [])
    return [str(one.get("name", one.get("path", ""))) for one in inputs]


def cell(text: Any) -> str:
    """Text for a Markdown table cell: no bar ends it, no line break leaves it, nothing in it is markup.

    Control characters are shown, HTML is text, and an id such as `*a*` or `<b>` is read as it is.
    """
    said = _MARKUP.sub(_unmarked, str(text))
    said = f"\\{said}" if _BLOCK.match(said) else said
    return visible(said.replace("\r\n", "<br>").replace("\n", "<br>").replace("\r", "<br>"))


def code(text: Any) -> str:
    """Text as code in Markdown; as a cell where it holds what would end the code."""
    said = str(text)
    return cell(said) if not said.strip() or re.search(r"[`|\r\n]", said) else f"`{visible(said)}`"


def one_line(text: str) -> str:
    """Bars and line breaks escaped, and nothing else: what the tables of profile s2 allow themselves."""
    said = text.replace("\\", "\\\\") if "|" in text else text
    return said.replace("|", "\\|").replace("\r\n", "<br>").replace("\n", "<br>").replace("\r", "<br>")


def visible(text: str) -> str:
    """Control and bidirectional characters written as \\x.. or \\u...., so that a terminal obeys none."""
    return HOSTILE.sub(lambda found: _escape(found.group()), text)


def inline(text: Any) -> str:
    """Text on one line of a terminal: line breaks and tabs are shown too."""
    return visible(str(text).replace("\n", "\\n").replace("\t", "\\t"))


def plain(text: Any) -> str:
    """Text for a spreadsheet cell: what would begin a formula is quoted."""
    said = str(text)
    return f"'{said}" if said.startswith(_FORMULA) else said


def _unmarked(found: re.Match[str]) -> str:
    entities = {"<": "&lt;", "&": "&amp;"}
    return entities.get(found.group()) or f"\\{found.group()}"


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
