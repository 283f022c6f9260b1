"""ragmeter.toml and options meet in one Suite; options typed win."""

from pathlib import Path

import pytest

from ragmeter.cli import main

FIXTURE = '{"id":"q","relevant_document_ids":["a","b"],"retrieved_document_ids":["a"],"cited_document_ids":["a"]}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.jsonl").write_text(FIXTURE)
    return tmp_path


def test_the_file_here_is_used_when_no_cases_are_typed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ragmeter.toml").write_text('cases = "f.jsonl"\nk = 1\n[min]\nrecall = 0.9\n')
    assert main(["score"]) == 1
    assert "Threshold failed: recall_at_k=0.5 is below 0.9" in capsys.readouterr().err
    assert main(["score", "--min-recall", "0.2"]) == 0
    assert "K: 1" in capsys.readouterr().out
    assert main(["score", "f.jsonl"]) == 0, "cases typed: the file here plays no part"


def test_pyproject_serves_too_and_a_named_file_is_taken_from_its_own_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pyproject.toml").write_text('[tool.ragmeter]\ncases = ["f.jsonl"]\nprofile = "standard"\n')
    assert main(["score", "--format", "json"]) == 0
    assert '"profile":"standard"' in capsys.readouterr().out
    below = folder / "below"
    below.mkdir()
    (below / "suite.toml").write_text('cases = ["../f.jsonl"]\n')
    assert main(["score", "--config", "below/suite.toml"]) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [("casse = ['f.jsonl']", "did you mean 'cases'"), ("k = 'three'", "k"), ("cases = [", "not TOML")],
)
def test_a_setting_that_does_not_fit_is_exit_code_2(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    (folder / "ragmeter.toml").write_text(text + "\n")
    assert main(["score"]) == 2
    assert said in capsys.readouterr().err


def test_code_named_in_a_file_needs_leave(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "c.jsonl").write_text('{"id":"q","question":"a?"}\n')
    (folder / "ragmeter.toml").write_text(
        'cases = ["c.jsonl"]\ntarget = "command:cat"\nmetrics = ["similarity_to_expected"]\n'
    )
    assert main(["run"]) == 2
    assert "--allow-code" in capsys.readouterr().err
    assert main(["run", "--allow-code"]) == 0
