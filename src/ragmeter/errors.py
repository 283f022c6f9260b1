"""Every error a user can mend, each with the exit code it ends in, and the list of problems of an input.

Exit codes: 0 all gates pass; 1 a gate fails or is inconclusive; 2 bad arguments or input; 3 measured
incompletely; 70 a bug of ours; 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

SHOWN = 20  # problems printed of one input; the rest is counted


class RagmeterError(Exception):
    """An error the user can mend. `str(error)` is what they read."""

    exit_code = 2


class UsageError(RagmeterError):
    """The arguments do not fit: an unknown option, a value out of range, a name nothing has."""


class InputError(RagmeterError):
    """A file does not hold what it should. `headline`, when given, is the first line users read."""

    def __init__(self, headline: str = "", problems: Iterable[Problem] = ()):
        self.headline = headline
        self.problems = tuple(problems)
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """The headline, then the problems with their places, capped at `SHOWN`."""
        said = [self.headline] if self.headline else []
        said += [str(problem) for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            said.append(f"... and {len(self.problems) - SHOWN} more problems")
        return said


class IncompleteError(RagmeterError):
    """Something that was asked for could not be measured: missing judgments offline, too many failures."""

    exit_code = 3


class MissingExtraError(RagmeterError):
    """A member needs packages that are not installed."""

    def __init__(self, member: str, extra: str, packages: str):
        super().__init__(f"{member} needs {packages}: pip install 'ragmeter[{extra}]'")


class Problem(NamedTuple):
    """One fault of one input: where it is, and what was expected there."""

    path: str
    line: int  # 1-based; 0 when the fault belongs to the whole file
    message: str
    column: int = 0  # 1-based; 0 when unknown
    kind: str = "fault"  # 'syntax' beats every other kind in S2; 'duplicate' is a repeated id

    def __str__(self) -> str:
        place = self.path
        if self.line:
            place += f":{self.line}"
        if self.column:
            place += f":{self.column}"
        return f"{place}: {self.message}"


class Problems:
    """Collects what is wrong with the inputs while reading goes on; keeps the first `limit`, counts all.

    `strict` asks readers to report as faults what they otherwise only count as warnings.
    """

    def __init__(self, *, strict: bool = False, limit: int = 10_000):
        self.strict = strict
        self.limit = limit
        self.faults: list[Problem] = []
        self.warnings: dict[str, list[Problem]] = {}
        self.warning_counts: dict[str, int] = {}
        self.count = 0
        self._syntax = False  # the first syntax fault is kept even beyond the limit: it is S2's headline

    def add(self, path: object, line: int, message: str, *, column: int = 0, kind: str = "fault") -> None:
        """A fault: the input will be refused, after the rest of it has been looked at."""
        self.count += 1
        if len(self.faults) < self.limit or (kind == "syntax" and not self._syntax):
            self._syntax = self._syntax or kind == "syntax"
            self.faults.append(Problem(str(path), line, message, column, kind))

    def warn(self, path: object, line: int, message: str, *, group: str, column: int = 0) -> None:
        """Something odd that does not stop the reading; one line per `group`, with a count. A fault when strict."""
        if self.strict:
            self.add(path, line, message, column=column)
            return
        self.warning_counts[group] = self.warning_counts.get(group, 0) + 1
        kept = self.warnings.setdefault(group, [])
        if len(kept) < 3:
            kept.append(Problem(str(path), line, message, column, "warning"))

    def warning_lines(self) -> list[str]:
        """Each group of warnings once: its first case and how many there were."""
        said = []
        for group, kept in self.warnings.items():
            more = self.warning_counts[group] - 1
            said.append(f"warning: {kept[0]}" + (f" (and {more} more like it)" if more else ""))
        return said

    def check(self, headline: str = "") -> None:
        """Raise InputError when there is any fault."""
        if self.faults:
            raise InputError(headline, self.faults)


def nearest(word: str, known: Iterable[str]) -> str:
    """The nearest known word as '; did you mean X?', or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""


def choices(word: str, known: Iterable[str]) -> str:
    """The nearest known word, and all of them: '; did you mean X? known: X, Y'."""
    listed = sorted(known)
    near = nearest(word, listed)
    return f"{near}{' known' if near else '; known'}: {', '.join(listed)}"
