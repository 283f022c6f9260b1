"""What holds for every format: it claims its own files and no other's, reads them in any wrapping, guesses nothing."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragmeter.errors import Problems, RagmeterError
from ragmeter.formats import recognise
from ragmeter.reading import HEAD, head
from ragmeter.records import Case, Judgment, Output, record_json
from ragmeter.registry import find, own_names
from ragmeter.testing import check_format

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
NAMES = own_names("format")
LINES = ("s2", "cases", "outputs", "judgments")
WRITERS = [name for name in NAMES if find("format", name).write]
OURS = [*(ROOT / "examples").rglob("*.jsonl"), *(ROOT / "src" / "ragmeter" / "templates").glob("*.jsonl")]
EXAMPLES = sorted(path for path in OURS if find("format", "s2").recognise(head(path)) or path.stem in LINES)
BAD = {
    "s2": '{"id":"a"}\n',
    "cases": '{"id":"a","question":5}\n',
    "outputs": '{"case":"a","answer":5}\n',
    "judgments": '{"case":"a","kind":5}\n',
}


def records(name: str, path: Path) -> list[Any]:
    problems = Problems()
    found = list(find("format", name).read(path, problems))
    assert problems.faults == []
    return found


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_our_examples_are_recognised_by_one_format_and_read_without_a_problem(path: Path, tmp_path: Path) -> None:
    name, format = recognise(path)
    assert format.recognise(head(path))
    assert name == (path.stem if path.stem in LINES else "s2")
    (tmp_path / "bad.jsonl").write_text(BAD[name])
    assert check_format(format, path, tmp_path / "bad.jsonl") == records(name, path)


def test_there_is_an_example_of_every_kind_of_line() -> None:
    assert {recognise(path)[0] for path in EXAMPLES} == set(LINES)


WRAPPED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "a BOM": lambda data: b"\xef\xbb\xbf" + data,
    "a BOM in gzip": lambda data: gzip.compress(b"\xef\xbb\xbf" + data, mtime=0),
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "blank lines": lambda data: b"\n \t\n" + data.replace(b"\n", b"\n\n\xc2\xa0\n"),
    "no last line end": lambda data: data.removesuffix(b"\n"),
    "ASCII escapes": lambda data: b"\n".join(json.dumps(json.loads(line)).encode() for line in data.splitlines()),
    "other spacing": lambda data: data.replace(b'":', b'" \t: ').replace(b',"', b' , "'),
}


@pytest.mark.parametrize("wrapped", WRAPPED.values(), ids=WRAPPED)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_same_records_come_out_of_every_wrapping(path: Path, wrapped: Any, tmp_path: Path) -> None:
    name, _ = recognise(path)
    other = tmp_path / "other.jsonl"
    other.write_bytes(wrapped(path.read_bytes()))
    assert recognise(other)[0] == name
    assert records(name, other) == records(name, path)


@pytest.mark.parametrize("name", WRITERS)
def test_what_a_format_writes_it_recognises_and_reads_back_equal(name: str, tmp_path: Path) -> None:
    format = find("format", name)
    own = [path for path in EXAMPLES if recognise(path)[0] == name]
    if not own:
        pytest.skip(f"no example of '{name}' is one of JSON lines")
    for path in own:
        first = records(name, path)
        (tmp_path / "again.jsonl").write_bytes(b"".join(format.write(first)))
        assert recognise(tmp_path / "again.jsonl")[0] == name
        assert records(name, tmp_path / "again.jsonl") == first


@pytest.mark.parametrize("name", NAMES)
def test_a_format_says_what_it_is(name: str) -> None:
    format = find("format", name)
    assert format.about and format.holds in {"pairs", "cases", "outputs", "judgments", "qrels", "run"}


@given(
    st.binary(max_size=200)
    | st.text(max_size=100).map(str.encode)
    | st.binary(max_size=40).map(lambda b: b'{"id":' + b)
)
def test_recognising_answers_for_any_bytes(start: bytes) -> None:
    for name in NAMES:
        assert find("format", name).recognise(start) in (True, False)


KEYS = st.sampled_from(
    ["id", "case", "question", "answer", "qrels", "kind", "retrieved", "relevant_document_ids", "sample_type"]
    + ["retrieved_document_ids", "cited_document_ids", "gold_ma_thu_tuc", "metrics", "_id", "query-id", "value", "x"]
)


@given(st.dictionaries(KEYS, st.none() | st.text(max_size=3), max_size=8))
def test_no_two_line_formats_claim_one_file(first: dict[str, Any]) -> None:
    start = json.dumps(first).encode()
    claims = [name for name in LINES if find("format", name).recognise(start)]
    assert len(claims) <= 1
    padded = json.dumps({**first, "zz": "x" * HEAD}).encode()[:HEAD]
    if len(first) > 3:  # one more key does not tip the balance then
        assert [name for name in LINES if find("format", name).recognise(padded)] in (claims, [])


def test_real_files_of_other_kinds_are_not_claimed() -> None:
    if not SHARED.is_dir():
        pytest.skip("no shared data: ../shared does not exist beside the checkout")
    looked, claimed = 0, set()
    for path in sorted(SHARED.glob("samples*/**/*")) + sorted(SHARED.glob("conformance/**/*")):
        if not path.is_file():
            continue
        try:
            start = head(path)
        except RagmeterError:
            continue
        looked += 1
        for name in LINES:
            if find("format", name).recognise(start):
                claimed.add((name, path.relative_to(SHARED).as_posix()))
    assert looked > 200
    wrong = [(name, path) for name, path in claimed if name != "s2" or "s2" not in Path(path).as_posix()]
    assert wrong == []


@pytest.mark.parametrize("record", [Case("a", "x"), Output("a", answer="x"), Judgment("a", "s", value=1.0)])
def test_a_record_as_any_step_writes_it_is_read_by_its_format(record: Any, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(record_json(record) + b"\n")
    name, _ = recognise(path)
    assert name == {Case: "cases", Output: "outputs", Judgment: "judgments"}[type(record)]
    assert records(name, path) == [record]
