"""Memory cases through the corridor: the profile they choose, intervals of few cases, flags, matching by place."""

import json
import math
from pathlib import Path

import pytest

from ragmeter.errors import Problems
from ragmeter.meanings import FLAG
from ragmeter.memory import memory_flags
from ragmeter.records import Case, Output, Turn
from ragmeter.result import Result
from ragmeter.run import begin, conclude, obtain_missing
from ragmeter.score import score
from ragmeter.significance.paired import newcombe
from ragmeter.suite import Suite

ROOT = Path(__file__).resolve().parents[3]
CASES = str(ROOT / "examples" / "memory" / "cases.jsonl")


def ran(spec: str, folder: Path) -> Result:
    suite, problems = Suite(cases=(CASES,), target=spec), Problems()
    run, cases, system = begin(suite, problems, root=folder)
    list(obtain_missing(suite, run, cases, system))
    return conclude(suite, run, problems)[0]


def values(result: Result, slice: str) -> dict[str, float | None]:
    return {e.metric: e.value for e in result.estimates if e.slice == slice}


def test_a_plain_run_shows_both_layers_without_and_with_and_the_null_systems(tmp_path: Path) -> None:
    result = ran("memory:reference", tmp_path)
    assert result.provenance["profile"] == "memory"
    b1, b2 = (values(result, f"layer={name}") for name in ("B1_summary", "B2_episodic"))
    assert (b1["coreference:baseline"], b1["coreference"], b1["coreference:all"]) == (0.25, 1.0, 1.0)
    assert (b2["coreference:baseline"], b2["coreference"], b2["coreference_gain_p"]) == (0.0, 1.0, 0.125)
    gain = result.find("coreference_gain", "layer=B2_episodic")
    assert gain is not None and gain.interval == "newcombe" and gain.low == pytest.approx(0.3072, abs=1e-4)
    assert result.diagnostics["expected_in_window"] == 1


def test_pooled_every_past_is_told_before_the_first_question(tmp_path: Path) -> None:
    b2 = values(ran("memory:reference?pooled", tmp_path), "layer=B2_episodic")
    assert b2["coreference"] == 0.75  # what was nearest is not always what was meant


def test_the_interval_of_a_paired_difference() -> None:
    """4 of 4 against 0 of 4: Wilson [.5101, 1] and [0, .4899], no correlation: 1 - sqrt(2 x .4899^2)."""
    low, high = newcombe({(0, 1): 4})
    assert low == pytest.approx(1 - math.sqrt(2) * 0.48989, abs=1e-4) and high == 1.0
    assert newcombe({(1, 0): 4}) == pytest.approx((-high, -low))
    same = newcombe({(1, 1): 5, (0, 0): 5})
    assert same[0] == -same[1] and 0 < same[1] < 0.5
    with pytest.raises(ValueError, match="."):
        newcombe({})


def test_newcombe_agrees_with_its_published_example() -> None:
    """Newcombe 1998, table II: 36 both, 12 and 2 discordant, 0 neither: 0.2, interval 0.0569 to 0.3404."""
    assert newcombe({(1, 1): 36, (0, 1): 12, (1, 0): 2}) == pytest.approx((0.0569, 0.3404), abs=1e-4)


def test_a_result_file_beside_cases_is_matched_by_place(tmp_path: Path) -> None:
    row = {"follow_up": "And?", "expected": ["permit"], "baseline": "And?", "baseline_hit": False,
           "with_summary": "The permit?", "with_summary_hit": True}  # fmt: skip
    (tmp_path / "memory.json").write_text(json.dumps({"B1_summary": {"rows": [row]}}))
    case = {"id": "x", "question": "And?", "history": [["A permit?", "Yes."], ["a", "b"], ["c", "d"]],
            "expected": ["permit"], "tags": {"layer": "B1_summary"}}  # fmt: skip
    (tmp_path / "cases.jsonl").write_text(json.dumps(case) + "\n")
    suite = Suite(cases=(str(tmp_path / "cases.jsonl"), str(tmp_path / "memory.json")))
    result, rows = score(suite, Problems())
    assert [row.id for row in rows] == ["x"]
    said = values(result, "")
    assert (said["coreference"], said["coreference:window"], said["coreference:all"]) == (1.0, 0.0, 1.0)


def test_every_flag_of_memory_cases_has_a_meaning() -> None:
    case = Case("x", "And?", history=(Turn("hộ chiếu"),), expected=("đăng ký", "a", " "), forbidden=("x",))
    for text in ("", "dang ky x", "And? " * 9):
        for back in (None, {"with_memory": ()}):
            assert set(memory_flags(case, Output("x", rewrites={"with_memory": text}, recalled=back))) <= set(FLAG)
