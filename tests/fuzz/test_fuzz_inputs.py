"""Whatever the bytes of an input: an answer or a clear refusal, never a traceback, a NaN, or a case lost in silence."""

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragmeter.errors import Problems
from ragmeter.reading import WHITE
from ragmeter.registry import find, own_names
from tests.helpers.command import Ran, ragmeter
from tests.helpers.s2_fixtures import case, damaged, line

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
LINES = ("s2", "cases", "outputs", "judgments")
BUG = 70


class Inputs(NamedTuple):
    """Files of one command line: name and bytes, in the order of the arguments; and the rest of the command."""

    files: tuple[tuple[str, bytes], ...]
    options: tuple[str, ...]


def read(folder: str, name: str) -> bytes:
    return (EXAMPLES / folder / name).read_bytes()


JSON = ("--format", "json")
ASKED: dict[str, Inputs] = {
    "s2": Inputs((("f.jsonl", read("s2", "fixture.jsonl")),), JSON),
    "cases": Inputs((("c.jsonl", read("cases", "cases.jsonl")), ("o.jsonl", read("cases", "outputs.jsonl"))), JSON),
    "judged": Inputs(
        (("c.jsonl", read("cases", "cases.jsonl")), ("o.jsonl", read("cases", "outputs.jsonl")),
         ("--judgments", b""), ("j.jsonl", read("cases", "judgments.jsonl"))), JSON,
    ),
}  # fmt: skip
if "trec_run" in own_names("format"):
    ASKED["trec"] = Inputs(
        (("r.run", read("trec", "bm25.run")), ("--qrels", b""), ("q.txt", read("trec", "qrels.txt"))),
        ("--per-query", *JSON),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def asked(folder: Path, inputs: Inputs) -> tuple[Ran, list[Path]]:
    """Run `score` on the files, hold what must hold for any answer, and give the answer with the paths."""
    words, paths = [], []
    for name, data in inputs.files:
        if name.startswith("--"):
            words.append(name)
            continue
        path = folder / name
        path.write_bytes(data)
        words.append(str(path))
        paths.append(path)
    ran = ragmeter("score", *words, *inputs.options)
    must_hold(ran, paths, inputs)
    return ran, paths


def must_hold(ran: Ran, paths: list[Path], inputs: Inputs) -> None:
    assert ran.code in (0, 1, 2, 3), ran.stderr
    assert "Traceback" not in ran.stderr
    kept = [data for name, data in inputs.files if not name.startswith("--")]
    assert [path.read_bytes() for path in paths] == kept, "an input was changed"
    if ran.code == 2:
        assert ran.stdout == "" and ran.stderr
        return
    report = json.loads(ran.stdout, parse_constant=refuse)
    assert report["summary"]["case_count"] == len(report["cases"]) > 0


def refuse(word: str) -> None:
    raise AssertionError(f"{word} in a report")


def filled(path: Path) -> int:
    """How many lines of a file are not blank."""
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return sum(bool(one.decode().strip(WHITE)) for one in data.split(b"\n"))


def nothing_is_lost(ran: Ran, paths: list[Path]) -> None:
    """Every line of the first file that is not blank is a case of the report."""
    if ran.code != 2:
        assert json.loads(ran.stdout)["summary"]["case_count"] == filled(paths[0])


def validated(*paths: Path) -> Ran:
    ran = ragmeter("validate", *map(str, paths), "--format", "json")
    assert ran.code in (0, 2), ran.stderr
    said = json.loads(ran.stdout, parse_constant=refuse)
    assert said["valid"] == (ran.code == 0) == (said["problem_count"] == 0)
    assert len(said["problems"]) == said["problem_count"]
    assert all(problem["path"] and problem["message"] for problem in said["problems"])
    return ran


RANDOMS = st.randoms(use_true_random=False)


@pytest.mark.parametrize("kind", ASKED)
def test_damaged_files_are_answered_or_refused(kind: str, folder: Path) -> None:
    inputs, codes = ASKED[kind], set()

    @settings(max_examples=150)
    @given(RANDOMS, st.integers(0, 4))
    def hold(random: Random, times: int) -> None:
        files = list(inputs.files)
        for _ in range(times):
            at = random.choice([i for i, (name, _) in enumerate(files) if not name.startswith("--")])
            files[at] = (files[at][0], damaged(random, files[at][1]))
        ran, paths = asked(folder, Inputs(tuple(files), inputs.options))
        codes.add(ran.code)
        if kind != "trec":
            nothing_is_lost(ran, paths)
        unfit = ("two judges", "these are judgments")  # each file is right, but they do not go together
        if validated(*paths).code == 0 and not any(word in ran.stderr for word in unfit):
            assert ran.code != 2, ran.stderr

    hold()
    assert {0, 2} <= codes


@pytest.mark.parametrize("name", LINES)
def test_lines_of_any_words_are_answered_or_refused(name: str, folder: Path) -> None:
    """Lines put together from the words of the format, in any order: near enough to be read, now and then."""
    example = {"s2": ("s2", "fixture.jsonl")}.get(name, ("cases", f"{name}.jsonl"))
    words = sorted(
        {*tokens(read(*example)), b"null", b"true", b"1e999", b"-1", b'"\\ud800"', b'""', b"\xff", b"\n", b"NaN"}
    )
    path = folder / "words.jsonl"

    @settings(max_examples=150)
    @given(st.lists(st.sampled_from(words), max_size=30), st.booleans())
    def hold(chosen: list[bytes], wrap: bool) -> None:
        data = b"".join(chosen)
        path.write_bytes(b"{" + data + b"}" if wrap else data)
        ran = ragmeter("score", str(path), "--from", name, *JSON)
        must_hold(ran, [path], Inputs(((path.name, path.read_bytes()),), ()))
        validated(path)
        problems = Problems()
        records = list(find("format", name).read(path, problems))
        blank = not path.read_bytes().decode(errors="replace").strip(WHITE + "\n")
        assert records or problems.faults or (blank and name == "judgments")

    hold()


def tokens(data: bytes) -> Iterator[bytes]:
    """Strings and single marks of JSON."""
    import re

    yield from re.findall(rb'"[^"\\]*"|[][{}:,]|-?\d+', data)


@settings(max_examples=200)
@given(st.binary(max_size=300) | st.text(max_size=100).map(str.encode) | st.binary(max_size=60).map(gzip.compress))
def test_any_bytes_are_refused_with_a_reason(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        for name in ("any.jsonl", "any"):
            ran, paths = asked(Path(made), Inputs(((name, data),), JSON))
            assert ran.code == 2
            assert validated(*paths).code == 2


@settings(max_examples=100)
@given(RANDOMS, st.sampled_from(["json", "markdown"]))
def test_markdown_and_json_never_hold_a_nan(random: Random, form: str) -> None:
    import tempfile

    values = [case(random, number) for number in range(random.randint(1, 4))]
    for value in values:
        value["id"] = value["id"].replace("nan", "-")
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "f.jsonl"
        path.write_text("\n".join(line(random, value) for value in values), encoding="utf-8", newline="")
        for profile in ("s2", "standard"):
            ran = ragmeter("score", str(path), "--profile", profile, "--format", form, "--k", str(random.randint(1, 4)))
            assert ran.code in (0, 2), ran.stderr
            said = ran.stdout.lower()
            assert "nan" not in said and "infinity" not in said and "inf " not in said


S2 = b'{"id":"q%d","relevant_document_ids":[],"retrieved_document_ids":["d"],"cited_document_ids":[]}\n'


def lfs(folder: Path) -> bytes:
    return b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12\n"


ODD: dict[str, tuple[bytes | Callable[[Path], bytes], str]] = {
    "cut gzip": (gzip.compress(b"".join(S2 % number for number in range(999)), mtime=0)[:-30], "cannot be read"),
    "wrong gzip": (b"\x1f\x8b\x08\x00" + b"\xff" * 60, "cannot be read"),
    "gzip in name only": (b"\x1f\x8b", "cannot be read"),
    "LFS pointer": (lfs, "Git LFS pointer"),
    "UTF-16": (read("s2", "fixture.jsonl").decode().encode("utf-16"), "looks like UTF-16"),
    "UTF-16 without BOM": (read("s2", "fixture.jsonl").decode().encode("utf-16-le"), "looks like UTF-16"),
    "UTF-32": (read("s2", "fixture.jsonl").decode().encode("utf-32"), "looks like UTF-16"),
    "NUL bytes": (b"\0" * 5000, "JSONL line 1 is not valid JSON"),
    "NUL within": (read("s2", "fixture.jsonl").replace(b"orchids", b"orch\0ids"), "JSONL line 2 is not valid JSON"),
    "Latin-1": ('{"id":"q","relevant_document_ids":["é"]}'.encode("latin-1"), "JSONL line 1 is not valid JSON"),
    "an array of cases": (b"[\n" + read("s2", "fixture.jsonl").replace(b"\n", b",\n") + b"]", "JSONL line 1 is not valid JSON"),
    "empty": (b"", "input contains no evaluation cases"),
    "blank": (b" \r\n\t\n", "input contains no evaluation cases"),
}  # fmt: skip


@pytest.mark.parametrize("named", [False, True], ids=["recognised", "--from s2"])
@pytest.mark.parametrize("kind", ODD)
def test_odd_files_are_refused_with_their_reason(kind: str, named: bool, tmp_path: Path) -> None:
    data, why = ODD[kind]
    path = tmp_path / "f.jsonl"
    path.write_bytes(data(tmp_path) if callable(data) else data)
    for command in ("score", "validate"):
        ran = ragmeter(command, str(path), *(["--from", "s2"] if named else []))
        assert ran.code == 2
        assert "Traceback" not in ran.stderr
    ran = ragmeter("score", str(path), *(["--from", "s2"] if named else []))
    assert why in ran.stderr, ran.stderr
    assert ran.stdout == ""


@pytest.mark.parametrize("command", ["score", "validate"])
@pytest.mark.parametrize("options", [[], ["--from", "s2"], ["--from", "cases"]], ids=" ".join)
def test_what_is_no_readable_file_is_refused(command: str, options: list[str], tmp_path: Path) -> None:
    import os

    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name, why in {
        ".": "Is a directory",
        "absent.jsonl": "No such file or directory",
        "loop": "Too many levels of symbolic links",
        "pipe.jsonl": "is not a regular file",
        "": "",
    }.items():
        path = str(tmp_path / name) if name else ""
        ran = ragmeter(command, path, *options)
        assert ran.code == 2 and "Traceback" not in ran.stderr
        assert why in ran.stdout + ran.stderr


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    import os

    path = tmp_path / "f.jsonl"
    path.write_bytes(read("s2", "fixture.jsonl"))
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    ran = ragmeter("score", str(path))
    assert (ran.code, ran.messages[0]) == (2, f"{path}: Permission denied")


DEEP: dict[str, bytes] = {
    "arrays": b"[" * 200_000,
    "closed arrays": b"[" * 200_000 + b"]" * 200_000,
    "objects": b'{"id":' * 100_000,
    "in an ignored field": b'{"id":"a","x":' + b"[" * 600 + b"]" * 600
    + b',"relevant_document_ids":[],"retrieved_document_ids":[],"cited_document_ids":[]}',
    "in extra": b'{"id":"a","question":"x","extra":{"x":' + b"[" * 600 + b"]" * 600 + b"}}",
}  # fmt: skip


@pytest.mark.parametrize("format", LINES)
@pytest.mark.parametrize("data", DEEP.values(), ids=DEEP)
def test_deep_nesting_is_refused(data: bytes, format: str, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(data)
    ran = ragmeter("validate", str(path), "--from", format)
    assert ran.code == 2
    assert "nested deeper than 500 levels" in ran.stdout
