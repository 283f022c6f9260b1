"""The shipped JSON Schemas and what reads and writes such documents agree, both ways.

jsonschema is the judge of the schemas, our readers are the judges of the lines. Beyond what a schema can say,
readers refuse repeated keys, repeated ids, text that is not UTF-8 and numbers out of range; no document made
here has these.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from ragmeter.errors import Problems
from ragmeter.formats import Format, _shape
from ragmeter.records import Case, Judgment, Output
from ragmeter.registry import find, own_names
from ragmeter.result import Result
from tests.helpers.command import ragmeter
from tests.helpers.schemas import FOLDER, NAMES, documents, validator

LINES = {"s2": "s2.schema.json", "cases": "cases.schema.json", "outputs": "outputs.schema.json",
         "judgments": "judgments.schema.json"}  # fmt: skip
RECORDS = {"cases": Case, "outputs": Output, "judgments": Judgment}
SPOKEN = {
    "type", "enum", "pattern", "minimum", "maximum", "exclusiveMinimum", "properties", "required", "dependentRequired",
    "additionalProperties", "propertyNames", "items", "minItems", "maxItems", "anyOf", "$ref", "$defs",
    "title", "description", "$schema", "$id",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one(name: str) -> None:
    schema = json.loads((FOLDER / name).read_bytes())
    validator(name).check_schema(schema)
    assert schema["$id"] == name
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert set(refs(schema)) == {f"#/$defs/{key}" for key in schema.get("$defs", {})}


def refs(value: Any) -> list[str]:
    if isinstance(value, list):
        return [one for inner in value for one in refs(inner)]
    if not isinstance(value, dict):
        return []
    own = [value["$ref"]] if "$ref" in value else []
    return own + [one for inner in value.values() for one in refs(inner)]


@pytest.mark.parametrize("name", own_names("format"))
def test_a_format_that_names_a_schema_ships_it(name: str) -> None:
    schema = find("format", name).schema
    if not schema:
        pytest.skip(f"'{name}' has no JSON Schema")
    assert (FOLDER / schema).is_file()


@pytest.mark.parametrize("name", RECORDS)
def test_a_schema_has_the_fields_of_its_record_and_says_what_each_is(name: str) -> None:
    properties = validator(LINES[name]).schema["properties"]
    assert tuple(properties) == RECORDS[name].__struct_fields__
    assert all(inner.get("description") for inner in properties.values())


@pytest.mark.parametrize("name", RECORDS)
def test_the_schemas_of_records_speak_only_what_messages_are_made_from(name: str) -> None:
    assert keywords(validator(LINES[name]).schema) <= SPOKEN


def keywords(shape: Any) -> set[str]:
    if not isinstance(shape, dict):
        return set()
    found = set(shape)
    for key in ("properties", "$defs"):
        for inner in shape.get(key, {}).values():
            found |= keywords(inner)
    for key in ("items", "additionalProperties", "propertyNames"):
        found |= keywords(shape.get(key))
    for inner in shape.get("anyOf", ()):
        found |= keywords(inner)
    return found


def accepts(format: Format, path: Path, text: str) -> tuple[bool, list[str]]:
    path.write_text(text + "\n", encoding="utf-8")
    problems = Problems()
    records = list(format.read(path, problems))
    said = [problem.message for problem in problems.faults]
    assert bool(records) != bool(said), (records, said)
    return not said, said


def spelt(value: Any) -> list[str]:
    """One document in several spellings, which all mean the same."""
    compact = msgspec.json.encode(value).decode()
    return [compact, json.dumps(value), json.dumps(value, indent=0).replace("\n", " ").replace('":', '" :')]


@pytest.fixture(scope="module")
def line_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("schemas") / "line.jsonl"


@pytest.mark.parametrize("name", LINES)
def test_reader_and_schema_agree_on_made_documents(name: str, line_file: Path) -> None:
    format, judge, said = find("format", name), validator(LINES[name]), Counter[bool]()

    @settings(max_examples=400)
    @given(documents(LINES[name]))
    def agree(value: Any) -> None:
        right = judge.is_valid(value)
        said[right] += 1
        for text in spelt(value):
            read, faults = accepts(format, line_file, text)
            assert read == right, (text, faults, [str(error.message) for error in judge.iter_errors(value)])
        if name in RECORDS:
            assert (not list(_shape.faults(value, LINES[name]))) == right

    agree()
    assert min(said.values()) > 50, said


HAND: dict[str, list[Any]] = {
    "cases": [
        {"id": "a"}, {"id": "a", "qrels": {"d": 1.0}}, {"id": "a", "qrels": {"d": 1.5}}, {"id": "a", "qrels": {" ": 1}},
        {"id": "a", "history": [["x", "y"], {"user": "x"}]}, {"id": "a", "history": [["x", "y", "z"]]},
        {"id": "a", "points": [{"text": "x", "importance": None}]}, {"id": "a", "primary": ""}, {"id": "a", "primary": None},
        {"id": "a", "question": None}, {"id": "a", "qrels": None}, {"id": "a", "answerable": 0}, {"id": "a", "extra": {"": []}},
        {"id": "\ufeff"}, {"id": "\x85"}, {"id": "\u3000x"}, {"id": "a", "tags": {"": ""}}, {"id": "a", "": 1},
        {"id": "a", "qrels": {"d": 2**31 - 1, "e": -(2**31)}}, {"id": "a", "qrels": {"d": 2**31}},
    ],
    "outputs": [
        {"case": "a"}, {"case": "a", "retrieved": []}, {"case": "a", "retrieved": [{"id": "x", "indices": [1.0]}]},
        {"case": "a", "retrieved": [[]]}, {"case": "a", "ranked": None}, {"case": "a", "seconds": -0.0},
        {"case": "a", "citations": [{"marker": "", "passage": None, "sentence": 0.0}]}, {"case": "a", "cited": None},
        {"case": "a", "recalled": {"": []}}, {"case": "a", "recalled": {"x": None}}, {"case": "a", "contexts": ["x"]},
        {"case": "a", "usage": {"x": 10**300}}, {"case": "a", "error": ""}, {"case": 1},
    ],
    "judgments": [
        {"case": "a", "kind": "s"}, {"case": "a", "kind": ""}, {"case": "a", "kind": "s", "num": None},
        {"case": "a", "kind": "s", "num": 0, "den": 1e-300}, {"case": "a", "kind": "s", "num": 0, "den": -1},
        {"case": "a", "kind": "s", "value": None, "error": None}, {"case": "a", "kind": "s", "repetition": 1.0},
        {"case": "a", "kind": "s", "repetition": None}, {"case": "a", "kind": "s", "trims": {"x": 0.5}},
    ],
    "s2": [
        dict.fromkeys(["relevant_document_ids", "retrieved_document_ids", "cited_document_ids"], []) | {"id": " "},
        dict.fromkeys(["relevant_document_ids", "retrieved_document_ids", "cited_document_ids"], [" "]) | {"id": "a", "x": 1},
        dict.fromkeys(["relevant_document_ids", "retrieved_document_ids", "cited_document_ids"], [""]) | {"id": "a"},
        dict.fromkeys(["relevant_document_ids", "retrieved_document_ids"], []) | {"id": "a"},
        dict.fromkeys(["relevant_document_ids", "retrieved_document_ids", "cited_document_ids"], None) | {"id": "a"},
        {"id": "a"}, [], None, "x",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, all_ in HAND.items() for value in all_])
def test_reader_and_schema_agree_on_documents_by_hand(name: str, value: Any, line_file: Path) -> None:
    right = validator(LINES[name]).is_valid(value)
    for text in spelt(value):
        read, faults = accepts(find("format", name), line_file, text)
        assert read == right, (text, faults)


@pytest.mark.parametrize("name", RECORDS)
def test_every_record_is_written_as_the_schema_says_and_reads_back_equal(name: str, line_file: Path) -> None:
    format, judge = find("format", name), validator(LINES[name])
    reached: set[str] = set()

    @settings(max_examples=200)
    @given(documents(LINES[name]).filter(judge.is_valid))
    def round_trip(value: Any) -> None:
        line_file.write_text(json.dumps(value), encoding="utf-8")
        first = list(format.read(line_file, Problems()))
        reached.update(key for key, held in value.items() if held not in (None, [], {}))
        written = b"".join(format.write(first))
        assert all(judge.is_valid(json.loads(line)) for line in written.splitlines())
        line_file.write_bytes(written)
        assert list(format.read(line_file, Problems(strict=True))) == first

    round_trip()
    assert reached == set(judge.schema["properties"])


REPORTS = [
    ["--format", "json"],
    ["--format", "json", "--min-recall", "0.5", "--k", "2"],
    ["--format", "json", "--min", "recall@2=1", "--profile", "standard", "-m", "recall@1,2,reciprocal_rank"],
]
FIXTURE = """\
{"id":"q1","relevant_document_ids":["a","c"],"retrieved_document_ids":["a","b","c"],"cited_document_ids":["a"]}
{"id":"q2","relevant_document_ids":[],"retrieved_document_ids":[],"cited_document_ids":[]}
"""


@pytest.mark.parametrize("options", REPORTS)
def test_json_reports_and_their_rows_are_as_the_schemas_say(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "f.jsonl").write_text(FIXTURE, encoding="utf-8")
    ran = ragmeter("score", str(tmp_path / "f.jsonl"), *options)
    assert ran.code in (0, 1), ran.stderr
    report = json.loads(ran.stdout)
    validator("report.schema.json").validate(report)
    for row in report["cases"]:
        validator("scores.schema.json").validate(row)
    for key in report:
        broken = {**report, key: "x"}
        assert not validator("report.schema.json").is_valid(broken), key


def test_a_manifest_is_as_the_schema_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases.jsonl").write_text('{"id":"q","question":"?"}\n', encoding="utf-8")
    target = "function:tests.conformance.test_members:echo"
    for more in ([], ["--name", "night", "--judge", "similarity", "--fresh"]):
        ran = ragmeter("run", "cases.jsonl", "--target", target, "-m", "similarity_to_expected", *more)
        assert ran.code == 0, ran.stderr
    kept = [json.loads(path.read_bytes()) for path in sorted(tmp_path.glob(".ragmeter/runs/*/manifest.json"))]
    assert len(kept) == 2
    for manifest in kept:
        validator("manifest.schema.json").validate(manifest)
        for key in manifest:
            assert not validator("manifest.schema.json").is_valid({**manifest, key: None}), key


def test_a_kept_result_is_as_the_schema_says(tmp_path: Path) -> None:
    from ragmeter.gate import gate, gates
    from ragmeter.score import score
    from ragmeter.suite import Suite

    (tmp_path / "f.jsonl").write_text(FIXTURE, encoding="utf-8")
    result, rows = score(Suite(cases=(str(tmp_path / "f.jsonl"),)), Problems())
    judged = msgspec.structs.replace(result, verdict=gate(result, gates({"recall_at_k": 0.5}, {"recall_at_k": 0.1})))
    for kept in (result, judged):
        document = json.loads(msgspec.json.encode(kept))
        validator("result.schema.json").validate(document)
        assert msgspec.convert(document, Result) == kept
        for key in document:
            assert not validator("result.schema.json").is_valid({k: v for k, v in document.items() if k != key}), key
    for row in rows:
        validator("scores.schema.json").validate(json.loads(msgspec.json.encode(row)))
