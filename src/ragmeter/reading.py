"""The front door to bytes: heads, lines, careful JSON, repeated ids.

Bytes are read and split on LF alone; every fault is appended to `problems` with its place and reading goes on.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from ragmeter.errors import InputError, Problems

HEAD = 1 << 16  # bytes that recognition looks at
LINE_LIMIT = 64 << 20  # bytes of one line; a longer one is refused
BOM = b"\xef\xbb\xbf"
SMALL = 20_000  # ids kept as they are before only their hashes are
DEPTH = 500  # levels of nesting in one line
SURROGATE = b"\\ud"
# What JavaScript's trim() takes off: a line of these alone is blank.
WHITE = (
    "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
LFS = b"version https://git-lfs.github.com/spec/"


class Seen:
    """Finds repeated ids in 8 bytes an id: keyed hashes, and only where two are equal the lines are read again.

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
        ordered = sorted(self._hashes)
        doubtful = {a for a, b in pairwise(ordered) if a == b}
        del ordered, self._hashes
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


def bad_json(line: bytes, *, repeated_keys: bool = False) -> tuple[Any, str]:
    """(value, "") of a line, or (None, why it is refused): what no fast decoder can say.

    'blank' for a line of white space alone. Refused: anything JSON does not allow (NaN, two values, a comma too
    many), invalid UTF-8, lone surrogate escapes, nesting over `DEPTH`, and repeated keys when asked for.
    """
    import json

    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        return None, f"invalid UTF-8 at byte {error.start + 1}"
    if not text.strip(WHITE):
        return None, "blank"
    try:
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_once if repeated_keys else None)
    except json.JSONDecodeError as error:
        return None, f"{error.msg} at column {error.pos + 1}"
    except RecursionError:
        return None, "nested too deeply"
    except ValueError as error:
        return None, str(error)
    if _depth(line) > DEPTH:
        return None, f"nested deeper than {DEPTH} levels"
    if SURROGATE in line.lower() and _lone_surrogate(value):
        return None, "a lone surrogate escape is not a character"
    return value, ""


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not a JSON value")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) < len(pairs):
        met: set[str] = set()
        for key, _ in pairs:
            if key in met:
                raise ValueError(f"key '{key}' is repeated")
            met.add(key)
    return held


def _depth(line: bytes) -> int:
    if line.count(b"[") + line.count(b"{") <= DEPTH:
        return 0
    deep = deepest = 0
    inside = escaped = False
    for byte in line:
        if inside:
            inside = escaped or byte != 0x22
            escaped = not escaped and byte == 0x5C
        elif byte == 0x22:
            inside = True
        elif byte in b"[{":
            deep += 1
            deepest = max(deepest, deep)
        elif byte in b"]}":
            deep -= 1
    return deepest


def _lone_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        return not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, list):
        return any(map(_lone_surrogate, value))
    if isinstance(value, dict):
        return any(_lone_surrogate(key) or _lone_surrogate(held) for key, held in value.items())
    return False


def open_bytes(path: str | Path) -> IO[bytes]:
    """The file's bytes, unpacked when it is gzip. InputError when it cannot be read."""
    try:
        file = open(path, "rb")  # noqa: SIM115 (closed by whoever reads the lines)
        magic = file.read(2)
        file.seek(0)
    except OSError as why:
        raise InputError(f"{path}: {why.strerror or why}") from None
    if magic == b"\x1f\x8b":
        import gzip

        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    return file


def head(path: str | Path) -> bytes:
    """The first bytes of a file, unpacked, without a BOM. InputError for a Git LFS pointer."""
    with open_bytes(path) as file:
        try:
            start = file.read(HEAD)
        except (OSError, EOFError) as why:
            raise InputError(f"{path}: cannot be unpacked: {why}") from None
    if start.startswith(LFS):
        raise InputError(f"{path}: this is a Git LFS pointer, not the data; fetch it with 'git lfs pull'")
    return start.removeprefix(BOM)


def lines(path: str | Path, problems: Problems, *, limit: int = LINE_LIMIT) -> Iterator[tuple[int, bytes]]:
    """(number, line) of every line, numbers from 1, without line end; split on LF alone, CR before it dropped.

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
        except (OSError, EOFError) as why:
            problems.add(path, number + 1, f"cannot be read further: {why}")
        except Exception as why:  # zlib.error has no common base with the others
            if type(why).__name__ != "error":
                raise
            problems.add(path, number + 1, f"damaged gzip data: {why}")


def first_object(start: bytes) -> dict[str, Any] | None:
    """The first non-blank line of a head as a JSON object, or None: what JSONL recognition looks at."""
    from msgspec import DecodeError, json

    for line in start.split(b"\n", 64)[:64]:
        if line.strip():
            try:
                value = json.decode(line)
            except (DecodeError, RecursionError, UnicodeError):
                return None
            return value if isinstance(value, dict) else None
    return None
