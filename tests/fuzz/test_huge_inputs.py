"""Files that are too large, too deep or damaged far inside end in a clear error, in bounded memory."""

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

if not Path("/proc/self/status").exists():
    pytestmark = pytest.mark.skip("peak memory is read from /proc, which is not here")

SOURCE = Path(__file__).resolve().parents[2] / "src"
MEGABYTES = 200  # peak memory of a whole process; a line may be 64 MiB
SECONDS = 300
CHILD = """\
import sys
sys.path.insert(0, sys.argv.pop(1))
from ragmeter.cli import main
code = main(sys.argv[1:])
# not ru_maxrss: that one counts the memory of the process which started this one
peak = [line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')]
print('peak', int(peak[0]) >> 10, file=sys.stderr)
sys.exit(code)
"""
S2 = b'{"id":"q%d","relevant_document_ids":["a"],"retrieved_document_ids":["d"],"cited_document_ids":[]%s}\n'


class Ended(NamedTuple):
    code: int
    said: str
    megabytes: int


def run(*arguments: str) -> Ended:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(SOURCE), *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", timeout=SECONDS,
    )  # fmt: skip
    *said, peak = done.stderr.splitlines()
    assert peak.startswith("peak "), done.stderr
    return Ended(done.returncode, "\n".join([done.stdout, *said]), int(peak.split()[1]))


def sparse(path: Path, start: bytes, size: int, end: bytes = b"") -> None:
    """A file of that size of which almost nothing stands on the disk."""
    with open(path, "wb") as file:
        file.write(start)
        file.truncate(size - len(end))
        file.seek(0, os.SEEK_END)
        file.write(end)


def endless(path: Path, start: bytes, middle: bytes, times: int, end: bytes) -> None:
    with open(path, "wb") as file:
        file.write(start)
        for _ in range(times):
            file.write(middle)
        file.write(end)


def two_gigabytes_of_one_line(path: Path) -> None:
    sparse(path, b'{"id":"', 2 << 30)


def two_gigabytes_of_nul(path: Path) -> None:
    sparse(path, b"", 2 << 30)


def a_good_line_behind_a_long_one(path: Path) -> None:
    sparse(path, S2 % (1, b"") + b'{"id":"', 1 << 30, b"\n" + S2 % (2, b""))


def ten_megabytes_of_brackets(path: Path) -> None:
    endless(path, b"", b"[" * (1 << 20), 10, b"")


def ten_megabytes_of_objects(path: Path) -> None:
    endless(path, b"", b'{"id":' * (1 << 18), 7, b"\n")


def deep_and_closed(path: Path) -> None:
    endless(path, S2.replace(b"\n", b"") % (1, b',"x":' + b"[" * 5_000_000 + b"]" * 5_000_000), b"", 0, b"\n")


def a_gzip_bomb_of_one_line(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(1 << 10):
            file.write(b"x" * (1 << 20))


def garbage_lines(path: Path) -> None:
    endless(path, b"", b"no\n" * 100_000, 10, b"")


HUGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "2 GB of one line": (two_gigabytes_of_one_line, ":1: line is longer than 64 MiB"),
    "2 GB of NUL": (two_gigabytes_of_nul, ":1: line is longer than 64 MiB"),
    "a good line behind a long one": (a_good_line_behind_a_long_one, ":2: line is longer than 64 MiB"),
    "10 MB of [": (ten_megabytes_of_brackets, "nested deeper than 500 levels"),
    "10 MB of {": (ten_megabytes_of_objects, "nested deeper than 500 levels"),
    "deep and closed": (deep_and_closed, "nested deeper than 500 levels"),
    "a gzip bomb": (a_gzip_bomb_of_one_line, ":1: line is longer than 64 MiB"),
}


@pytest.mark.slow
@pytest.mark.parametrize("command", ["score", "validate"])
@pytest.mark.parametrize("kind", HUGE)
def test_a_huge_line_ends_in_a_clear_error_in_bounded_memory(kind: str, command: str, tmp_path: Path) -> None:
    make, why = HUGE[kind]
    path = tmp_path / "huge.jsonl"
    make(path)
    ended = run(command, str(path))
    path.unlink()
    assert ended.code == 2, ended
    assert why in ended.said
    assert "Traceback" not in ended.said
    assert ended.megabytes < MEGABYTES


@pytest.mark.slow
@pytest.mark.parametrize("format", ["s2", "cases", "outputs", "judgments"])
def test_a_million_bad_lines_are_counted_in_bounded_memory(format: str, tmp_path: Path) -> None:
    path = tmp_path / "huge.jsonl"
    garbage_lines(path)
    ended = run("validate", str(path), "--from", format)
    assert ended.code == 2
    assert ended.said.rstrip().endswith("1000000 problems")
    assert ended.megabytes < MEGABYTES


@pytest.mark.slow
def test_memory_is_flat_in_the_number_of_cases(tmp_path: Path) -> None:
    """Each case more costs 8 bytes for its id, and its row is spooled to the disk."""
    peaks = []
    for count in (50_000, 500_000):
        path = tmp_path / f"{count}.jsonl"
        with open(path, "wb") as file:
            file.writelines(S2 % (number, b"") for number in range(count))
        ended = run("validate", str(path))
        assert ended.code == 0, ended
        peaks.append(ended.megabytes)
    assert peaks[1] - peaks[0] < 40, peaks
