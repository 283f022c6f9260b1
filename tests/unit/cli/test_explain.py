"""`ragmeter explain`: what its words mean, and what it says when they mean nothing."""

import json
from pathlib import Path

import pytest

from tests.helpers.command import Ran, ragmeter

LINES = [
    {
        "id": "a",
        "relevant_document_ids": ["x"],
        "retrieved_document_ids": ["y", "x"],
        "cited_document_ids": ["x"],
    },
    {"id": "b", "relevant_document_ids": [], "retrieved_document_ids": [], "cited_document_ids": []},
]
CASES = [
    {"id": "q1", "question": "How?", "qrels": {"d1": 2, "d2": 1}},
    {"id": "q2", "question": "When?", "qrels": {"d1": 1}},
]
OUTPUTS = [
    {"case": "q1", "retrieved": ["d2", "dx"], "cited": ["d2"], "answer": "So."},
    {"case": "q2", "error": "timeout: 3 s"},
]


def write(path: Path, records: list[dict]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "fixture.jsonl", LINES)
    write(tmp_path / "cases.jsonl", CASES)
    write(tmp_path / "outputs.jsonl", OUTPUTS)
    return tmp_path


def explained(*arguments: str) -> str:
    ran = ragmeter("explain", *arguments)
    assert ran.code == 0, ran.stderr
    assert ran.stderr == ""
    return ran.stdout


def refused(*arguments: str) -> Ran:
    ran = ragmeter("explain", *arguments)
    assert (ran.code, ran.stdout) == (2, "")
    return ran


def test_a_metric_under_a_profile(folder: Path) -> None:
    said = explained("recall", "--profile", "s2", "--k", "3")
    assert said.startswith("Recall@k: ") and "  in full      recall@3\n" in said


def test_several_metrics_have_a_rule_between_them(folder: Path) -> None:
    said = explained("recall@1,2", "reciprocal_rank")
    assert said.count("-" * 72) == 2 and said.count("Recall@k: ") == 2 and "Reciprocal rank: " in said


def test_a_metric_wins_over_a_file_of_its_name(folder: Path) -> None:
    (folder / "recall").write_text("")
    assert explained("recall").startswith("Recall@k: ")


def test_a_case_of_a_fixture_by_place_or_by_option(folder: Path) -> None:
    said = explained("fixture.jsonl", "a", "--k", "1")
    assert said.startswith("Case a\n") and "recall_at_k = recall@1" in said and "    0 / 1 = 0\n" in said
    assert explained("fixture.jsonl", "--case", "a", "--k", "1") == said


def test_only_the_metrics_asked_for(folder: Path) -> None:
    said = explained("fixture.jsonl", "a", "-m", "recall@5", "--profile", "standard")
    assert "  recall@5\n" in said and "context_precision" not in said and "profile standard" in said


def test_cases_and_outputs_are_joined(folder: Path) -> None:
    said = explained("cases.jsonl", "outputs.jsonl", "q1", "-m", "recall@5", "--relevance-level", "2")
    assert "Judged passages: 2, relevant: 1" in said and "    0 / 1 = 0\n" in said
    assert "  failed: timeout: 3 s" in explained("cases.jsonl", "outputs.jsonl", "--case", "q2", "-m", "recall@5")


def test_faults_of_other_lines_do_not_stand_in_the_way(folder: Path) -> None:
    with open(folder / "fixture.jsonl", "a") as file:
        file.write("{broken\n")
    assert explained("fixture.jsonl", "a").startswith("Case a\n")
    assert "fixture.jsonl:3" in refused("fixture.jsonl", "z").stderr


def test_an_unknown_case_names_the_nearest(folder: Path) -> None:
    assert "no case 'zz' in the input; it holds 2, the first is 'a'" in refused("fixture.jsonl", "zz").stderr
    assert "did you mean 'q1'" in refused("cases.jsonl", "outputs.jsonl", "q11", "-m", "recall").stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "explain needs a metric"),
        (["recal"], "unknown metric 'recal'; did you mean 'recall'?"),
        (["fixtur.jsonl", "a"], "'fixtur.jsonl' is no file and no run either"),
        (["fixture.jsonl"], "which case of fixture.jsonl?"),
        (["cases.jsonl", "outputs.jsonl"], "which case of cases.jsonl?"),
        (["recall", "--profile", "s3"], "unknown profile 's3'"),
        (["recall:nonsense"], "metric 'recall' has no convention 'nonsense'"),
        (["latest", "--case", "q1"], "no runs in .ragmeter/runs yet; `ragmeter run` makes one"),
        (["recall", "--k", "0"], "k must be a positive integer"),
    ],
)
def test_what_means_nothing_is_said(folder: Path, arguments: list[str], said: str) -> None:
    assert said in refused(*arguments).stderr


@pytest.fixture
def run(folder: Path) -> Path:
    """A finished run over cases.jsonl: a target that always answers the same."""
    program = 'def answer(case):\n    return {"answer": "So.", "retrieved": ["d2"]}\n'
    (folder / "explained_target.py").write_text(program)
    target = ("--target", "function:explained_target:answer")
    ran = ragmeter("run", "cases.jsonl", *target, "-m", "recall@1,reciprocal_rank", "--relevance-level", "2")
    assert ran.code == 0, ran.stderr
    return next((folder / ".ragmeter" / "runs").iterdir())


@pytest.mark.parametrize("word", ["latest", "cases", "folder"])
def test_a_case_of_a_run_with_what_the_run_measured(run: Path, word: str) -> None:
    said = explained(str(run) if word == "folder" else word, "q1")
    assert "profile standard, relevant is grade >= 2" in said
    assert "  recall@1\n" in said and "  reciprocal_rank\n" in said and "precision" not in said
    assert "    0 / 1 = 0\n" in said and "the run recorded" not in said


def test_inputs_that_changed_since_the_run_are_pointed_out(run: Path, folder: Path) -> None:
    write(folder / "cases.jsonl", [{**CASES[0], "qrels": {"d2": 2}}, CASES[1]])
    ran = ragmeter("explain", "latest", "q1")
    assert ran.code == 0 and "warning: cases.jsonl has changed since the run" in ran.stderr
    assert "    1 / 1 = 1\n    the run recorded 0\n" in ran.stdout
