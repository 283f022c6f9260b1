"""Result files of memory ablations: arms by position, what the file says about itself, faults with their place."""

import json
from pathlib import Path
from typing import Any

import pytest

from ragmeter.errors import Problems
from ragmeter.formats import recognise
from ragmeter.formats.memory_results import read, read_beside
from ragmeter.records import Case
from ragmeter.testing import check_format

ROW = {"follow_up": "The fee?", "expected": ["permit"], "baseline": "The fee?", "baseline_hit": False}
B1 = {**ROW, "with_summary": "The permit fee?", "with_summary_hit": True}
B2 = {**ROW, "recalled": ["my permit", "a dog"], "with_episodic": "The fee?", "with_episodic_hit": False}
GOOD: dict[str, Any] = {
    "config": {"window": 2},
    "B1_summary": {"n": 1, "baseline_acc": 0.0, "summary_acc": 1.0, "rows": [B1]},
    "B2_episodic": {"n": 1, "baseline_acc": 0.0, "episodic_acc": 0.0, "rows": [B2]},
}


def written(folder: Path, value: Any) -> Path:
    path = folder / "memory.json"
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    return path


def said(folder: Path, value: Any) -> tuple[list[str], list[str]]:
    problems = Problems()
    list(read(written(folder, value), problems))
    warned = [problem.message for kept in problems.warnings.values() for problem in kept]
    return [problem.message for problem in problems.faults], warned


def test_a_file_is_recognised_and_its_rows_become_cases_with_arms(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    name, format = recognise(path)
    assert name == "memory_results"
    (tmp_path / "bad.json").write_text('{"B1_summary": {"rows": [5]}}')
    (first, one), (second, two) = check_format(format, path, tmp_path / "bad.json")
    assert (first.id, first.question, first.expected, first.tags) == (
        "mem-b1-000",
        "The fee?",
        ("permit",),
        {"layer": "B1_summary"},
    )
    assert one.rewrites == {"baseline": "The fee?", "with_memory": "The permit fee?"} and one.recalled is None
    assert one.extra == {"recorded_hits": {"baseline": False, "with_memory": True}}
    assert second.id == "mem-b2-000"
    assert [(p.id, p.text) for p in two.recalled["with_memory"]] == [("?1", "my permit"), ("?2", "a dog")]


def test_several_layers_of_memory_keep_their_names(tmp_path: Path) -> None:
    row = {**B1, "with_episodic": "x", "with_episodic_hit": False}
    ((_, output),) = read(written(tmp_path, {"B1_summary": {"rows": [row]}}), Problems())
    assert list(output.rewrites or ()) == ["baseline", "with_summary", "with_episodic"]


def test_what_a_file_says_about_itself_is_checked(tmp_path: Path) -> None:
    wrong = {"n": 2, "baseline_acc": 0.5, "summary_acc": 1.0, "rows": [{**B1, "with_summary": "The fee?"}]}
    faults, warned = said(tmp_path, {"B1_summary": wrong})
    assert faults == []
    assert warned == [
        "/B1_summary/n: says 2, but there are 1 rows",
        "/B1_summary/rows/0/with_summary_hit: is recorded as True; the published rule disagrees",
        "/B1_summary/baseline_acc: says 0.5, its rows 0",
    ]


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        (5, ["/B1_summary/rows: expected an array of objects"]),
        ([5, B1], ["/B1_summary/rows/0: expected an object"]),
        ([{**B1, "follow_up": None}], ["/B1_summary/rows/0/follow_up: expected text"]),
        ([{**B1, "expected": "permit"}], ["/B1_summary/rows/0/expected: expected an array of texts"]),
        ([{**B1, "baseline": 1, "baseline_hit": 0}], ["/B1_summary/rows/0/baseline: expected text", "/B1_summary/rows/0/baseline_hit: expected true or false"]),
        ([{"follow_up": "x", "expected": []}], ["/B1_summary/rows/0: expected an arm, such as 'baseline' with 'baseline_hit'"]),
    ],
)  # fmt: skip
def test_faults_say_where(rows: Any, faults: list[str], tmp_path: Path) -> None:
    assert said(tmp_path, {"B1_summary": {"rows": rows}})[0] == faults


def test_a_file_without_sections_or_without_json_is_refused(tmp_path: Path) -> None:
    assert said(tmp_path, {"config": {}})[0] == ["expected a section such as B1_summary with rows; there is none"]
    assert said(tmp_path, [])[0] == ["expected a JSON object"]
    path = tmp_path / "nan.json"
    path.write_text('{"B1_summary": {"n": NaN}}')
    problems = Problems()
    assert list(read(path, problems)) == []
    assert [problem.message for problem in problems.faults] == ["invalid JSON: NaN is not a JSON value"]


def test_rows_are_matched_with_cases_by_place_within_their_layer(tmp_path: Path) -> None:
    cases = [
        Case("b", "The fee?", expected=("dog",), tags={"layer": "B2_episodic"}),
        Case("a", "The fee?", expected=("permit",), tags={"layer": "B1_summary"}),
        Case("c", "Another?", expected=("permit",), tags={"layer": "B1_summary"}),
    ]
    problems = Problems()
    pairs = dict((case.id, output) for case, output in read_beside(written(tmp_path, GOOD), problems, cases))
    assert not problems.faults
    assert pairs["a"].rewrites == {"baseline": "The fee?", "with_memory": "The permit fee?"}
    assert pairs["b"].rewrites == {"baseline": "The fee?", "with_memory": "The fee?"}
    assert pairs["c"].error is not None and pairs["c"].error.startswith("not obtained")
