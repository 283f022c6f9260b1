"""The memory experiment of DVC-RAG: every figure of EXPECTED.json, from the published file and its seven cases."""

import json
from pathlib import Path
from typing import Any

import pytest

from ragmeter.errors import Problems
from ragmeter.evaluate import evaluate
from ragmeter.formats import recognise
from ragmeter.memory import lint, null_rewrite
from ragmeter.metrics import measures
from ragmeter.obtain import obtain, target
from ragmeter.profiles import profile
from ragmeter.records import Case, Output
from ragmeter.result import Result
from ragmeter.significance.intervals import clopper_pearson
from ragmeter.text.normal import MODES, hits, seed_fold

ARMS = ["coreference:baseline", "coreference", "coreference_gain", "coreference_gain_p"]
NULLS = ["coreference:identity", "coreference:window", "coreference:all"]
LAYERS = {"B1_summary": "B1", "B2_episodic": "B2"}


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "conformance" / "dvc_rag" / "exp03"


@pytest.fixture(scope="module")
def expected(folder: Path) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((folder.parent / "EXPECTED.json").read_text(encoding="utf-8"))["exp03"]
    return said


@pytest.fixture(scope="module")
def cases(folder: Path) -> list[Case]:
    path = folder / "memory_cases.reconstructed.jsonl"
    problems = Problems()
    found = list(recognise(path)[1].read(path, problems))
    assert len(found) == 7 and not problems.faults
    return found


@pytest.fixture(scope="module")
def published(folder: Path) -> list[tuple[Case, Output]]:
    name, format = recognise(folder / "memory_ablation.json")
    assert name == "memory_results"
    problems = Problems()
    pairs = list(format.read(folder / "memory_ablation.json", problems))
    assert not problems.faults and not problems.warnings
    return pairs


def measured(pairs: list[tuple[Case, Output]], specs: list[str]) -> Result:
    chosen = profile("standard")
    return evaluate(pairs, measures(specs, chosen), chosen, by=("layer",))


def values(result: Result, specs: list[str], slice: str = "") -> list[float | None]:
    return [result.find(spec, slice).value for spec in specs]  # type: ignore[union-attr]


def test_the_four_published_accuracies_come_out_of_the_result_file(published: Any, expected: dict[str, Any]) -> None:
    result = measured(published, ARMS)
    for name, short in LAYERS.items():
        said = expected[name]
        base, memory, gain, p = values(result, ARMS, f"layer={name}")
        assert (base, memory, gain) == (said["baseline_acc"], said["with_memory_acc"], said["gain"])
        assert p == pytest.approx(expected["mcnemar_exact_two_sided_p"][short], abs=1e-12)
        assert result.find("coreference", f"layer={name}").n_scored == said["n"]  # type: ignore[union-attr]
    pooled = values(result, ARMS)[3]
    assert pooled == pytest.approx(expected["mcnemar_exact_two_sided_p"]["pooled_7"], abs=1e-12)


def test_the_exact_intervals_of_four_and_three_hits(expected: dict[str, Any]) -> None:
    assert clopper_pearson(4, 4) == pytest.approx(expected["clopper_pearson_95_for_4_of_4"], abs=1e-9)
    assert clopper_pearson(3, 3) == pytest.approx(expected["clopper_pearson_95_for_3_of_3"], abs=1e-9)


def test_all_normalisation_and_hit_probes(expected: dict[str, Any]) -> None:
    assert len(expected["normalisation_probes"]) == 16 and len(expected["hit_probes"]) == 9
    for probe in expected["normalisation_probes"]:
        assert seed_fold(probe["in"]) == probe["out"]
    for probe in expected["hit_probes"]:
        assert hits(probe["text"], probe["expected"]) == probe["hit"], probe["why"]


def test_the_recorded_hits_are_those_of_every_mode(published: Any) -> None:
    specs = [f"coreference:{arm}mode={mode}" for arm in ("", "baseline,") for mode in MODES]
    chosen = profile("standard")
    result = evaluate(published, [m for spec in specs for m in measures(spec, chosen)], chosen)
    assert values(result, specs) == [1.0] * 4 + [0.0] * 4


def test_without_the_conversation_the_null_systems_that_need_it_are_not_recorded(published: Any) -> None:
    result = measured(published, NULLS)
    assert values(result, NULLS) == [0.0, None, None]
    assert result.find("coreference:all").n_null == {"not_recorded": 7}  # type: ignore[union-attr]


def test_beside_the_cases_the_null_systems_show_how_little_the_table_proves(folder: Path, cases: list[Case]) -> None:
    from ragmeter.formats.memory_results import read_beside

    problems = Problems()
    pairs = list(read_beside(folder / "memory_ablation.json", problems, cases))
    assert not problems.faults and [case.id for case, _ in pairs] == [case.id for case in cases]
    result = measured(pairs, [*ARMS, *NULLS])
    assert values(result, NULLS, "layer=B1_summary") == [0.0, 0.25, 1.0]
    assert values(result, NULLS, "layer=B2_episodic") == [0.0, 0.0, 1.0]
    assert values(result, ARMS[:2], "layer=B1_summary") == [0.0, 1.0]
    gain = measured(pairs, ["coreference_gain:against=null:all"]).estimates[0]
    assert gain.value == 0.0 and gain.n_scored == 7


def test_the_linter_finds_the_case_whose_answer_stands_in_the_window(cases: list[Case]) -> None:
    assert {case.id: lint(case) for case in cases if lint(case)} == {"mem-b1-003": ("expected_in_window",)}


def test_a_file_of_other_cases_does_not_match_by_place(folder: Path, cases: list[Case]) -> None:
    from ragmeter.formats.memory_results import read_beside

    problems = Problems()
    swapped = [cases[1], cases[0], *cases[2:-1]]
    list(read_beside(folder / "memory_ablation.json", problems, swapped))
    said = [problem.message for problem in problems.faults]
    assert said == [
        "/B1_summary/rows/0/follow_up: is not that of case 'mem-b1-001' at this place",
        "/B1_summary/rows/1/follow_up: is not that of case 'mem-b1-000' at this place",
        "/B2_episodic/rows/2: there is no case at this place; 2 cases are of B2_episodic",
    ]


def test_the_reference_memory_runs_both_layers_and_pooling_tests_recall(cases: list[Case]) -> None:
    alone = outputs(target("memory:reference"), cases)
    pool = target("memory:reference?pooled")
    pool.prepare(cases)
    together = outputs(pool, cases)
    specs = ["coreference:baseline", "coreference", "memory_hit"]
    assert values(measured(alone, specs), specs, "layer=B1_summary") == [0.0, 1.0, 1.0]
    assert values(measured(alone, specs), specs, "layer=B2_episodic") == [0.0, 1.0, 1.0]
    assert values(measured(together, specs), specs, "layer=B2_episodic") == [
        0.0,
        pytest.approx(1 / 3),
        pytest.approx(2 / 3),
    ]


def outputs(system: Any, cases: list[Case]) -> list[tuple[Case, Output]]:
    said = {output.case: output for output in obtain(cases, system)}
    assert all(output.error is None for output in said.values())
    return [(case, said[case.id]) for case in cases]


def test_null_systems_are_computed_from_the_case_alone(cases: list[Case]) -> None:
    case = cases[0]
    assert null_rewrite(case, "null:identity") == case.question
    window = null_rewrite(case, "null:window")
    assert window is not None and case.history[-2].user in window and case.history[0].user not in window
    assert case.history[0].user in (null_rewrite(case, "null:all") or "")


CAST = {
    "rewrite_bleu": ("sacrebleu_bleu", 1),
    "rewrite_chrf": ("sacrebleu_chrf", 1),
    "rewrite_rouge_1": ("rouge1_f", 100),
    "rewrite_rouge_l": ("rougeL_f", 100),
    "rewrite_exact": ("exact_match_normalised", 100),
}


def test_the_rewrites_of_cast_2020_score_as_sacrebleu_and_rouge_score_say(shared: Path) -> None:
    folder = shared / "samples_memory"
    said = json.loads((folder / "reference_values.json").read_text(encoding="utf-8"))["CAsT2020"]
    path = folder / "trec_cast" / "2020_manual_evaluation_topics_v1.0.json"
    turns = [turn for topic in json.loads(path.read_text(encoding="utf-8")) for turn in topic["turn"]]
    pairs = [
        (
            Case(f"t{i}", turn["raw_utterance"], references=(turn["manual_rewritten_utterance"],)),
            Output(f"t{i}", rewrites={"with_memory": turn["automatic_rewritten_utterance"]}),
        )
        for i, turn in enumerate(turns)
    ]
    assert len(pairs) == 216
    for arm, name in (("", "automatic_vs_manual"), (":identity", "raw_vs_manual")):
        result = measured(pairs, [f"{metric}{arm}" for metric in CAST])
        for metric, (field, scale) in CAST.items():
            value = values(result, [f"{metric}{arm}"])[0]
            assert value is not None and value * scale == pytest.approx(said[name][field] * scale, abs=0.0051), metric
    added = values(
        measured(pairs, ["added_recall", "added_recall:identity"]), ["added_recall", "added_recall:identity"]
    )
    assert added[0] is not None and added[0] > 0.3 and added[1] == 0.0
