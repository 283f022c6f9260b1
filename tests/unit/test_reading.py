"""The front door to bytes: what is unpacked, split, refused, and what is said then."""

import gzip
import os
from pathlib import Path
from typing import Any

import pytest

from ragmeter.errors import InputError, Problems
from ragmeter.reading import DEPTH, SMALL, Seen, bad_json, first_object, head, lines


def said(path: Path, **options: Any) -> tuple[list[tuple[int, bytes]], list[str]]:
    problems = Problems()
    found = list(lines(path, problems, **options))
    return found, [str(problem).removeprefix(str(path)) for problem in problems.faults]


def made(folder: Path, data: bytes, name: str = "file.jsonl") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_lines_end_at_lf_alone(tmp_path: Path) -> None:
    path = made(tmp_path, "\ufeffa\r\nb\u2028c\x85\rd\n\n\re".encode())
    assert said(path) == ([(1, b"a"), (2, "b\u2028c\x85\rd".encode()), (3, b""), (4, b"\re")], [])


@pytest.mark.parametrize(
    ("data", "found"),
    [(b"", []), (b"\n", [(1, b"")]), (b"a", [(1, b"a")]), (b"a\n", [(1, b"a")]), (b"\r\n\xef\xbb\xbf", [(1, b""), (2, b"\xef\xbb\xbf")])],
)  # fmt: skip
def test_the_last_line_end_and_a_later_bom_are_left_alone(tmp_path: Path, data: bytes, found: Any) -> None:
    assert said(made(tmp_path, data)) == (found, [])


def test_an_over_long_line_is_a_problem_and_is_skipped(tmp_path: Path) -> None:
    limit = 1 << 20
    path = made(tmp_path, b"a\n" + b"x" * (3 * limit) + b"\nb\n" + b"y" * limit + b"\n" + b"z" * (limit + 1))
    found, faults = said(path, limit=limit)
    assert [(number, line[:1]) for number, line in found] == [(1, b"a"), (3, b"b"), (4, b"y")]
    assert faults == [":2: line is longer than 1 MiB", ":5: line is longer than 1 MiB"]


def test_gzip_is_unpacked_whatever_its_name(tmp_path: Path) -> None:
    path = made(tmp_path, gzip.compress(b"\xef\xbb\xbfa\nb", mtime=0))
    assert said(path) == ([(1, b"a"), (2, b"b")], [])
    assert head(path) == b"a\nb"


@pytest.mark.parametrize("cut", [3, 12, 40, -9, -4])
def test_cut_gzip_is_a_problem_with_its_line(tmp_path: Path, cut: int) -> None:
    packed = gzip.compress(b"".join(b"line %d %d\n" % (i, i * i) for i in range(5000)), mtime=0)
    found, faults = said(made(tmp_path, packed[:cut]))
    assert faults == [f":{len(found) + 1}: cannot be read further: {why_of(faults)}"]
    assert why_of(faults)


def test_gzip_with_wrong_bytes_is_a_problem_with_its_line(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(os.urandom(0) + bytes(range(256)) * 2000, mtime=0))
    packed[len(packed) // 2] ^= 0xFF
    _, faults = said(made(tmp_path, bytes(packed)))
    assert len(faults) == 1 and "cannot be read further" in faults[0]


def why_of(faults: list[str]) -> str:
    return faults[0].partition("further: ")[2]


@pytest.mark.parametrize("data", [b"\x1f\x8b", b"\x1f\x8b\x00\x00garbage", gzip.compress(b"abc" * 99, mtime=0)[:-20]])
def test_the_head_of_damaged_gzip_is_an_error_of_the_file(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(InputError, match="file.jsonl: cannot be read: "):
        head(made(tmp_path, data))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("packed", [False, True])
def test_other_encodings_are_named(tmp_path: Path, encoding: str, packed: bool) -> None:
    data = '{"id": "é"}\n'.encode(encoding)
    path = made(tmp_path, gzip.compress(data, mtime=0) if packed else data)
    for open_it in (head, said):
        with pytest.raises(InputError, match="file.jsonl: this looks like UTF-16 or UTF-32 text; save it as UTF-8"):
            open_it(path)


@pytest.mark.parametrize("data", [b"", b"{", b"\0", b"{\0", b"\0\0\0\0", b'{"a\0', b"ab\0\0\0"])
def test_nul_bytes_alone_are_no_other_encoding(tmp_path: Path, data: bytes) -> None:
    assert said(made(tmp_path, data)) == ([(1, data)] if data else [], [])


def test_a_git_lfs_pointer_is_named(tmp_path: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 1\n"
    with pytest.raises(InputError, match="Git LFS pointer.*git lfs pull"):
        head(made(tmp_path, pointer))
    with pytest.raises(InputError, match="Git LFS pointer.*git lfs pull"):
        said(made(tmp_path, pointer))


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    expected = {
        tmp_path: "Is a directory",
        tmp_path / "absent": "No such file or directory",
        tmp_path / "loop": "Too many levels of symbolic links",
        tmp_path / "pipe": "is not a regular file; inputs are read more than once, so save it first",
        tmp_path / "nul\0": "embedded null byte",
        tmp_path / ("x" * 300): "File name too long",
    }
    for path, why in expected.items():
        with pytest.raises(InputError) as caught:
            head(path)
        assert str(caught.value) == f"{path}: {why}"


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    path = made(tmp_path, b"{}")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(InputError, match="Permission denied"):
        head(path)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b'{"a":1,"a":2}', {"a": 2}),
        (b' [1e999,-1e999, "\\ud83d\\ude00"]\t', [float("inf"), float("-inf"), "😀"]),
        (b"9" * 5000, float("inf")),
        (b"-" + b"9" * 300, float("-" + "9" * 300)),
        ("\ufeff\u00a0".encode(), None),
        (b"[" * DEPTH + b"]" * DEPTH, ...),
        (b'"' + b"[" * 5000 + b'"', "[" * 5000),
        (b'["\\"' + b"{" * 5000 + b'\\\\", "' + b"[" * 5000 + b'"]', ['"' + "{" * 5000 + "\\", "[" * 5000]),
        (b"[" + b"[]," * 2000 + b"[]]", [[]] * 2001),
    ],
)
def test_what_careful_reading_takes(line: bytes, value: Any) -> None:
    found, why = bad_json(line)
    assert why == ("blank" if value is None else "")
    if value is not ...:
        assert found == value


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"NaN", "NaN is not a JSON value"),
        (b"[-Infinity]", "-Infinity is not a JSON value"),
        (b"{'a':1}", "Expecting property name enclosed in double quotes at column 2"),
        (b"[1,]", "Illegal trailing comma before end of array at column 3"),
        (b"1 2", "more than one value at column 3"),
        (b'"\xff"', "invalid UTF-8 at byte 2"),
        (b'"\\ud800"', "a lone surrogate escape is not a character"),
        (b'{"\\uDC00":1}', "a lone surrogate escape is not a character"),
        (b'{"a":[{"b":"x\\ud83d y"}]}', "a lone surrogate escape is not a character"),
        (b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1), f"nested deeper than {DEPTH} levels"),
        (b"[" * 100_000, f"nested deeper than {DEPTH} levels"),
        (b'{"a":' * (DEPTH + 1), f"nested deeper than {DEPTH} levels"),
        (b'"a\x00b"', "Invalid control character at at column 3"),
        (b"\x00", "Expecting value at column 1"),
    ],
)
def test_what_careful_reading_refuses(line: bytes, why: str) -> None:
    value, said = bad_json(line)
    assert value is None
    if why.startswith(("Illegal", "Invalid control")):  # the words of Python's own parser differ by version
        assert "column" in said
    else:
        assert said == why


def test_repeated_keys_and_numbers_out_of_range_are_refused_when_asked_for() -> None:
    assert bad_json(b'{"a":1,"b":{"c":1,"c":1}}', repeated_keys=True) == (None, "key 'c' is repeated")
    assert bad_json(b'{"a":1,"b":{"a":1}}', repeated_keys=True) == ({"a": 1, "b": {"a": 1}}, "")
    assert bad_json(b"[1e999]", finite=True) == (None, "the number 1e999 is out of range")
    assert bad_json(b"-" + b"1" * 4301, finite=True) == (None, "the number -11111111111... is out of range")
    assert bad_json(b"-" + b"1" * 4300, finite=True) == (int("-" + "1" * 4300), "")
    assert bad_json(b"[1e308, 0.1]", finite=True) == ([1e308, 0.1], "")


@pytest.mark.parametrize(
    ("start", "keys"),
    [
        (b"", None),
        (b"\n \n", None),
        (b"[1]\n[2]", None),
        (b"a,b\n1,2", None),
        (b'[{"a":1}]', None),
        (b'\n{"a":1,"b":{"c":2}}\n{"z":1}', ["a", "b"]),
        (b'nonsense\n{"z":1}', None),
        (b'{nonsense\nnonsense\n{"z":1}', ["z"]),
        (b'{"a":1,\n{"z":1}', ["z"]),
        (b'{"a" : {"b":1}, "c\\"":[{"d":1}], "e":"}{\\"f\\":1', ["a", 'c\\"', "e"]),
        (b'{"a"', None),
        (b'{"a":', ["a"]),
    ],
)
def test_the_first_object_of_a_head(start: bytes, keys: list[str] | None) -> None:
    found = first_object(start)
    assert (None if found is None else list(found)) == keys


@pytest.mark.parametrize("count", [10, SMALL + 10])
def test_repeated_ids_are_found_with_their_lines(tmp_path: Path, count: int) -> None:
    ids = [f"q{i}" for i in range(count)] + ["q3", "new", "q3", "q9"]
    path = made(tmp_path, "\n".join(ids).encode())
    problems = Problems()
    seen = Seen(path, problems, bytes.decode)
    for number, id in enumerate(ids, 1):
        seen.add(number, id)
    seen.finish()
    expected = [(count + 1, "q3"), (count + 3, "q3"), (count + 4, "q9")]
    assert [(p.line, p.message) for p in problems.faults] == [
        (line, f"has duplicate case id: {id}") for line, id in expected
    ]


def test_equal_hashes_of_different_ids_are_no_repeat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragmeter.reading.hash", lambda id: 7, raising=False)
    ids = [f"q{i}" for i in range(SMALL + 5)]
    path = made(tmp_path, "\n".join([*ids, "q2"]).encode())
    problems = Problems()
    seen = Seen(path, problems, bytes.decode)
    for number, id in enumerate([*ids, "q2"], 1):
        seen.add(number, id)
    seen.finish()
    assert [(p.line, p.message) for p in problems.faults] == [(SMALL + 6, "has duplicate case id: q2")]
