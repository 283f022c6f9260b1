"""The front door to bytes: heads, lines, careful JSON, repeated ids.

Bytes are read and split on LF alone. Every fault is appended to `problems` with its place; reading goes on.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from ragmeter.errors import InputError, Problems

BLOCK = 1 << 18  # bytes read at a time
HEAD = 1 << 16  # bytes that recognition looks at
LINE_LIMIT = 64 << 20  # bytes of one line; a longer one is refused
BOM = b"\xef\xbb\xbf"
SMALL = 100_000  # ids kept as they are before only their hashes are
DEPTH = 500  # levels of nesting in one line
LONG = 300  # digits of an integer beyond which it is read as a double
LONGEST = 4300  # digits of an integer that Python and msgspec read at all
SURROGATE = b"\\ud"
# What JavaScript's trim() takes off: a line of these alone is blank.
WHITE = (
    "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
LFS = b"version https://git-lfs.github.com/spec/"


class Seen:
    """Finds repeated ids in 8 bytes an id: keyed hashes; only where two are equal are the lines read again.

    `id_of(line)` decodes the id of a line that was valid before. Faults say the line of the repeat.
    """

    def __init__(self, path: str | Path, problems: Problems, id_of: Callable[[bytes], str], what: str = "case id"):
        self.path = path
        self.problems = problems
        self.id_of = id_of
        self.what = what
        self._small: set[str] | None = set()
        self._hashes = array("q")

    def add(self, number: int, id: str) -> None:
        """An id in the order of its lines."""
        if self._small is None:
            self._hashes.append(hash(id))
            return
        if id in self._small:
            self.problems.add(self.path, number, f"has duplicate {self.what}: {id}", kind="duplicate")
        self._small.add(id)
        if len(self._small) > SMALL:
            self._hashes.extend(map(hash, self._small))
            self._small = None

    def finish(self) -> None:
        """Call once, at the end of the file."""
        if self._small is not None:
            return
        doubtful = _repeated(self._hashes)
        del self._hashes
        if doubtful:
            self._read_again(doubtful)

    def _read_again(self, doubtful: set[int]) -> None:
        from msgspec import MsgspecError

        met: set[str] = set()
        said = {problem.line for problem in self.problems.faults if problem.kind == "duplicate"}
        for number, line in lines(self.path, Problems()):
            try:
                id = self.id_of(line)
            except (MsgspecError, RecursionError, ValueError):
                continue
            if hash(id) not in doubtful:
                continue
            if id in met and number not in said:
                self.problems.add(self.path, number, f"has duplicate {self.what}: {id}", kind="duplicate")
            met.add(id)


def _repeated(hashes: array[int]) -> set[int]:
    """The values that stand in it more than once. numpy sorts them in place; up to `SMALL` ids it is not loaded."""
    import numpy as np

    values = np.frombuffer(hashes, dtype=np.int64)
    values.sort()
    return set(values[1:][values[1:] == values[:-1]].tolist())


def bad_json(line: bytes, *, repeated_keys: bool = False, finite: bool = False) -> tuple[Any, str]:
    """(value, "") of a line, or (None, why it is refused): what no fast decoder can say.

    'blank' for a line of white space alone. Refused: anything JSON does not allow (NaN, two values, a comma
    too many), invalid UTF-8, lone surrogate escapes, nesting over `DEPTH`; when asked for, repeated keys and
    numbers that are out of range (else those are infinite, as in JavaScript).
    """
    import json

    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        return None, f"invalid UTF-8 at byte {error.start + 1}"
    if not text.strip(WHITE):
        return None, "blank"
    if too_deep(line):
        return None, f"nested deeper than {DEPTH} levels"
    hooks: dict[str, Any] = {"parse_constant": _refuse, "parse_int": _integer}
    if repeated_keys:
        hooks["object_pairs_hook"] = _once
    if finite:
        hooks |= {"parse_int": _finite_integer, "parse_float": _finite}
    try:
        value = json.loads(text, **hooks)
    except json.JSONDecodeError as error:
        said = "more than one value" if error.msg == "Extra data" else error.msg
        return None, f"{said} at column {error.pos + 1}"
    except RecursionError:
        return None, "nested too deeply"
    except ValueError as error:
        return None, str(error)
    if SURROGATE in line.lower() and _lone_surrogate(value):
        return None, "a lone surrogate escape is not a character"
    return value, ""


def too_deep(line: bytes) -> bool:
    """Whether brackets nest deeper than `DEPTH`, found without parsing: a line may be long and deep."""
    if len(line) <= 2 * DEPTH or line.count(b"[") + line.count(b"{") <= DEPTH:
        return False
    import re

    depth = 0
    for token in re.finditer(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]+|[\]}]+', line, re.DOTALL):
        said = token.group()
        if said[0] == 0x22:
            continue
        depth += len(said) if said[0] in b"[{" else -len(said)
        if depth > DEPTH:
            return True
    return False


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not a JSON value")


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= LONG else float(digits)


def _finite_integer(digits: str) -> int:
    if len(digits.removeprefix("-")) > LONGEST:
        raise ValueError(f"the number {digits[:12]}... is out of range")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if value - value:
        raise ValueError(f"the number {digits[:24]} is out of range")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) < len(pairs):
        met: set[str] = set()
        for key, _ in pairs:
            if key in met:
                raise ValueError(f"key '{key}' is repeated")
            met.add(key)
    return held


def _lone_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        return not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, list):
        return any(map(_lone_surrogate, value))
    if isinstance(value, dict):
        return any(_lone_surrogate(key) or _lone_surrogate(held) for key, held in value.items())
    return False


def open_bytes(path: str | Path) -> IO[bytes]:
    """The file's bytes, unpacked when it is gzip. InputError when it cannot be read, or cannot be meant.

    Inputs are read more than once (recognised, read, hashed), so a pipe is refused. So is a Git LFS pointer,
    and text in UTF-16 or UTF-32.
    """
    import os
    import stat

    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise InputError(f"{path}: is not a regular file; inputs are read more than once, so save it first")
        with open(path, "rb") as file:
            start = file.read(len(LFS))
        if packed := start.startswith(b"\x1f\x8b"):
            start = _unpacked_start(path)
        if why_not := _not_meant(start):
            raise InputError(f"{path}: {why_not}")
        return _unpack(path) if packed else open(path, "rb")
    except (OSError, ValueError) as why:
        raise InputError(f"{path}: {getattr(why, 'strerror', None) or why}") from None


def _unpack(path: str | Path) -> IO[bytes]:
    import gzip

    return gzip.open(path, "rb")  # type: ignore[return-value]


def _unpacked_start(path: str | Path) -> bytes:
    """The first bytes inside a gzip file; none where it is damaged, which whoever reads on meets with its place."""
    with _unpack(path) as file:
        try:
            return file.read(len(LFS))
        except Exception as why:
            if not _is_damage(why):
                raise
            return b""


def _not_meant(start: bytes) -> str:
    if start.startswith(LFS):
        return "this is a Git LFS pointer, not the data; fetch it with 'git lfs pull'"
    little, big = start[1:4:2] == b"\0\0", start[0:3:2] == b"\0\0"
    if start[:2] in (b"\xff\xfe", b"\xfe\xff") or (little != big) or (little and start[:4] == b"\0\0\0{"):
        return "this looks like UTF-16 or UTF-32 text; save it as UTF-8"
    return ""


def _is_damage(why: Exception) -> bool:
    """Whether reading failed on the file and not on us; zlib.error has no common base with the others."""
    return isinstance(why, OSError | EOFError) or type(why).__name__ == "error"


def head(path: str | Path) -> bytes:
    """The first bytes of a file, unpacked, without a BOM."""
    with open_bytes(path) as file:
        try:
            start = file.read(HEAD)
        except Exception as why:
            if not _is_damage(why):
                raise
            raise InputError(f"{path}: cannot be read: {why}") from None
    return start.removeprefix(BOM)


def lines(path: str | Path, problems: Problems, *, limit: int = LINE_LIMIT) -> Iterator[tuple[int, bytes]]:
    """(number, line) of every line, numbers from 1, without its end; split on LF alone, CR before it dropped.

    A line over `limit` bytes becomes a problem and is skipped in bounded memory. The BOM of the first line
    is dropped. Damaged gzip data become a problem at the line reached.
    """
    with open_bytes(path) as file:
        number = 0
        try:
            while line := file.readline(limit + 1):
                number += 1
                if len(line) > limit and not line.endswith(b"\n"):
                    problems.add(path, number, f"line is longer than {limit >> 20} MiB", kind="syntax")
                    while (rest := file.readline(1 << 20)) and not rest.endswith(b"\n"):
                        pass
                    continue
                if number == 1 and line.startswith(BOM):
                    line = line[3:]
                if line.endswith(b"\r\n"):
                    yield number, line[:-2]
                elif line.endswith(b"\n"):
                    yield number, line[:-1]
                else:
                    yield number, line
        except Exception as why:
            if not _is_damage(why):
                raise
            problems.add(path, number + 1, f"cannot be read further: {why}")


def first_object(start: bytes) -> dict[str, Any] | None:
    """The first line of a head that is a JSON object, or None: what JSONL recognition looks at.

    The head must begin with an object, be it a damaged one. Where no line is whole, because the first is longer
    than the head, the answer has its top-level keys as far as they can be seen, each with None.
    """
    from msgspec import DecodeError, json

    begun = b""
    for line in start.split(b"\n", 64)[:64]:
        line = line.strip()
        if not line.startswith(b"{"):
            if line and not begun:
                return None
            continue
        try:
            value: dict[str, Any] = json.decode(line)
            return value
        except (DecodeError, RecursionError, UnicodeError):
            begun = begun or line
    return dict.fromkeys(_top_keys(begun)) or None


def _top_keys(line: bytes) -> Iterator[str]:
    """The keys of the outermost object of a line that is broken or cut off."""
    import re

    depth, last = 0, b""
    for token in re.findall(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}:"]', line):
        if token == b'"':  # a string that is cut off
            return
        if token == b":" and depth == 1 and last[:1] == b'"':
            yield last[1:-1].decode(errors="replace")
        depth += (token in b"[{") - (token in b"]}")
        last = token
