"""gen_outputs and dvc_scores: numbers join by title and snippet, shares become counts, nulls stay nulls."""

import json
from pathlib import Path
from typing import Any

import pytest

from ragmeter.errors import Problems
from ragmeter.formats import recognise
from ragmeter.formats.dvc_scores import FORMAT as SCORES
from ragmeter.formats.gen_outputs import FORMAT as OUTPUTS
from ragmeter.records import Citation, Judgment

ROW: dict[str, Any] = {
    "id": "manual-000", "q_type": "manual_inscope", "question": "Nộp đơn ở đâu?", "gold_ma_thu_tuc": ["1.002090"],
    "primary_ma_thu_tuc": "1.002090", "ten": "Cấp thẻ", "linh_vuc": "Thư viện", "engine": "tay",
    "answer": "Bạn nộp đơn tại quầy【2】. Lệ phí là năm nghìn【1】【9】.",
    "contexts": [
        {"doc_id": "d1", "file_name": "Thẻ — Nơi nộp", "score": 0.5, "text": "Nộp tại quầy số một."},
        {"doc_id": "d2", "file_name": "Thẻ — Lệ phí", "score": None, "text": "Lệ phí năm nghìn."},
        {"doc_id": "d3", "file_name": "Thẻ — Nơi nộp", "score": 0.1, "text": "Nộp ở nơi khác.", "is_web": True},
    ],
    "citations": [
        {"indices": [1], "title": "Thẻ — Lệ phí", "snippet": "Lệ phí năm nghìn."},
        {"indices": [2, 3], "title": "Thẻ — Nơi nộp", "snippet": "… nơi khác"},
        {"indices": [], "title": "Thẻ — Nơi nộp", "snippet": "tại quầy"},
    ],
}  # fmt: skip


def read(format: Any, folder: Path, *values: Any) -> tuple[list[Any], Problems]:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    problems = Problems()
    return list(format.read(path, problems)), problems


def test_a_generated_answer_becomes_a_case_and_its_output(tmp_path: Path) -> None:
    ((case, output),), problems = read(OUTPUTS, tmp_path, ROW)
    assert not problems.faults and not problems.warnings
    assert (case.answerable, case.tags, case.qrels) == (
        True,
        {"q_type": "manual_inscope", "linh_vuc": "Thư viện"},
        None,
    )
    assert (case.extra or {})["gold_ma_thu_tuc"] == ["1.002090"], "codes are no document ids"
    assert output.retrieved == ("d1", "d2", "d3")
    assert [passage.indices for passage in output.contexts or ()] == [(), (1,), (2, 3)], "by title, then by snippet"
    assert output.cited == ("d3", "d2")
    assert output.citations == (Citation("【2】", "d3", 0), Citation("【1】", "d2", 1), Citation("【9】", None, 1))
    assert (output.extra or {})["web"] == ["d3"]


def test_an_empty_answer_is_not_a_missing_one(tmp_path: Path) -> None:
    rows = [{**ROW, "answer": ""}, {**ROW, "id": "oos-000", "answer": None, "q_type": "out_of_scope"}]
    ((_, empty), (case, missing)), problems = read(OUTPUTS, tmp_path, *rows)
    assert (empty.answer, empty.cited, missing.answer, missing.cited, case.answerable) == ("", (), None, None, False)
    assert not problems.faults


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"id": " "}, "/id: expected a text, got ' '"),
        ({"answer": 5}, "/answer: expected a string or null, got 5"),
        ({"contexts": [{"file_name": "x"}]}, "/contexts/0/doc_id: is missing: expected a text"),
        (
            {"citations": [{"indices": ["1"]}]},
            "/citations/0/indices/0: expected a whole number from 0 to 2147483647, got '1'",
        ),
    ],
)
def test_faults_have_their_place(tmp_path: Path, change: dict[str, Any], fault: str) -> None:
    found, problems = read(OUTPUTS, tmp_path, ROW, {**ROW, "id": "x"} | change)
    assert len(found) == 1
    assert [(one.line, one.message) for one in problems.faults] == [(2, fault)]


def test_repeated_ids_and_empty_files_are_faults(tmp_path: Path) -> None:
    _, problems = read(OUTPUTS, tmp_path, ROW, ROW)
    assert [one.message for one in problems.faults] == ["has duplicate case id: manual-000"]
    _, problems = read(OUTPUTS, tmp_path)
    assert [one.message for one in problems.faults] == ["the file holds no outputs"]
    row = {"id": "a", "context_recall": 1, "n_points": 1}
    _, problems = read(SCORES, tmp_path, row, row)
    assert [one.message for one in problems.faults] == ["has duplicate row for case: a"]


def test_shares_become_counts(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "faithfulness": 0.8666666666666667, "n_claims": 15, "answer_relevance": 0.7, "noncommittal": 0, "context_precision": 0.25, "n_ctx": 8},
        {"id": "b", "citation_recall": 0.5, "n_cited_sent": 4, "citation_precision": 1.0, "n_cit": 5, "n_uncited_claim": 2},
        {"id": "c", "context_recall": 1.0, "answer_completeness": 0.5, "n_points": 6},
    ]  # fmt: skip
    found, problems = read(SCORES, tmp_path, *rows)
    assert not problems.faults and not problems.warnings
    said = {(one.case, one.kind): (one.num, one.den) if one.den else one.value for one in found}
    assert said == {
        ("a", "faithfulness"): (13, 15), ("a", "context_precision"): (2, 8), ("a", "answer_relevance"): 0.7,
        ("a", "noncommittal"): 0, ("b", "citation_recall"): (2, 4), ("b", "citation_precision"): (5, 5),
        ("b", "uncited_claims"): 2, ("c", "context_recall"): (6, 6), ("c", "completeness"): (3, 6),
    }  # fmt: skip
    assert {one.kind: one.trims for one in found}["faithfulness"] == {"context": 1500}


def test_a_null_is_a_failure_or_nothing_to_judge_and_never_a_zero(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "faithfulness": None, "n_claims": 3, "answer_relevance": None},
        {"id": "b", "faithfulness": None, "n_claims": 0},
        {"id": "c", "citation_recall": None, "n_cited_sent": 0, "citation_precision": None, "n_cit": 0},
    ]
    found, problems = read(SCORES, tmp_path, *rows)
    assert not problems.faults
    assert found[0] == Judgment("a", "faithfulness", error="judge_error: faithfulness is null")
    assert found[1].error == "judge_error: answer_relevance is null"
    assert [one.label for one in found[2:]] == ["no_claims", "no_cited_sentences", "no_cited_sentences"]
    assert all(one.value is None and one.num is None for one in found)


def test_odd_shares_are_warned_about(tmp_path: Path) -> None:
    found, problems = read(
        SCORES,
        tmp_path,
        {"id": "a", "faithfulness": 1.5, "n_claims": 2},
        {"id": "b", "faithfulness": 0.33, "n_claims": 2},
    )
    assert (found[0].num, found[0].den, found[1].value, found[1].den) == (3, 2, 0.33, None)
    assert set(problems.warning_counts) == {"faithfulness above 1", "faithfulness is no share"}


def test_a_percentage_is_a_fault(tmp_path: Path) -> None:
    _, problems = read(SCORES, tmp_path, {"id": "a", "faithfulness": 75, "n_claims": 4})
    assert [one.message for one in problems.faults] == [
        "/faithfulness: expected a share from 0 to 1, got 75; is it a percentage?"
    ]


@pytest.mark.parametrize(
    ("row", "name"),
    [
        (ROW, "gen_outputs"),
        ({"id": "a", "faithfulness": 1.0, "n_claims": 2}, "dvc_scores"),
        ({"id": "a", "citation_recall": None, "n_cited_sent": 0}, "dvc_scores"),
        ({"id": "a", "q_type": "x", "context_recall": 0.5, "n_points": 2, "question": "Sao?"}, "dvc_scores"),
    ],
)
def test_they_are_recognised(tmp_path: Path, row: Any, name: str) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(json.dumps(row) + "\n")
    assert recognise(path)[0] == name
