"""What somebody tried who wanted to break it, each held as a test."""

import os
import stat
from pathlib import Path

import pytest

from ragmeter.cli import main
from ragmeter.errors import InputError, UsageError
from ragmeter.store import FileRows, Run, open_run, write_atomically

FIXTURE = '{"id":"q","relevant_document_ids":["a"],"retrieved_document_ids":["a"],"cited_document_ids":["a"]}\n'


@pytest.fixture
def fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "f.jsonl"
    path.write_text(FIXTURE)
    return path


def test_a_link_keeps_pointing_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", iter([b"new"]))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, iter([b"said"]))
    assert os.read(reader, 10) == b"said"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize("written", ["json=.", "json=missing/x"])
def test_what_cannot_be_a_report_is_refused(fixture: Path, written: str) -> None:
    assert main(["score", "f.jsonl", "--format", written]) == 2


@pytest.mark.parametrize(
    "metric",
    ["rbp:p=2", "rbp:p=-1", "rbp:p=1", "rbp:p=nan", "rbp:p=inf", "err:max_grade=0", "err:max_grade=5000",
     "nerr:max_grade=-1", "iprec_at_recall@2", "recall@" + "9" * 5000],
)  # fmt: skip
def test_an_option_that_means_nothing_is_refused(fixture: Path, metric: str) -> None:
    assert main(["score", "f.jsonl", "-m", metric]) == 2


def test_a_threshold_without_end_is_refused(fixture: Path) -> None:
    assert main(["score", "f.jsonl", "--min", "recall=1e999"]) == 2


def test_one_file_given_twice_counts_nothing_twice(fixture: Path) -> None:
    assert main(["score", "f.jsonl", "f.jsonl"]) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("q1 Q0 a 1 9 rq1 Q0 b 2 8 r\n", "two rows on one line"),
        ("q1 Q0 a 1 9 r\rq1 Q0 b 2 8 r\n", "a carriage return inside the line"),
    ],
)
def test_no_row_of_a_run_is_dropped_in_silence(
    fixture: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    Path("r.run").write_text(line, newline="")
    Path("q.txt").write_text("q1 0 b 1\n")
    assert main(["score", "r.run", "--qrels", "q.txt", "-m", "recall@2"]) == 2
    assert "r.run:1" in (err := capsys.readouterr().err) and said in err


def test_words_after_the_name_of_a_run_are_told(fixture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("r.run").write_text("q1 Q0 b 1 9 r more words\n")
    Path("q.txt").write_text("q1 0 b 1\n")
    assert main(["score", "r.run", "--qrels", "q.txt", "-m", "recall@2"]) == 0
    assert "2 words after the name of the run" in capsys.readouterr().err
    assert main(["validate", "r.run", "--strict"]) == 2


def finished(folder: Path) -> Run:
    cases = folder / "c.jsonl"
    cases.write_text('{"id":"a","question":"x?","references":["x"]}\n{"id":"b","question":"y?","references":["y"]}\n')
    assert (
        main(["run", "c.jsonl", "--target", "command:cat", "-m", "similarity_to_expected", "--judge", "similarity"])
        == 0
    )
    return Run(next((folder / ".ragmeter" / "runs").iterdir()))


@pytest.mark.parametrize("damage", [lambda data: data[:-5], lambda data: b"", lambda data: data + b'{"x":1}\n'])
def test_damaged_rows_are_not_passed_over(fixture: Path, damage: object) -> None:
    run = finished(fixture.parent)
    scores = run.folder / "scores.jsonl"
    scores.write_bytes(damage(scores.read_bytes()))  # type: ignore[operator]
    assert main(["report", "latest", "--format", "markdown"]) == 2
    scores.unlink()
    assert main(["report", "latest", "--format", "markdown"]) == 2


def test_an_old_result_of_a_run_that_is_not_finished_is_no_result(fixture: Path) -> None:
    run = finished(fixture.parent)
    run.update(state="running")
    assert main(["report", "latest"]) == 2
    assert main(["gate", "latest", "--min", "similarity_to_expected=0"]) == 2


@pytest.mark.parametrize("manifest", ["[1]", "[" * 100_000, "", "{"])
def test_a_manifest_that_is_none_is_refused(fixture: Path, manifest: str) -> None:
    run = finished(fixture.parent)
    (run.folder / "manifest.json").write_text(manifest)
    assert main(["report", "latest"]) == 2


def test_only_one_process_works_on_a_run(tmp_path: Path) -> None:
    run = open_run(tmp_path, "k", "n")
    with run.held(), pytest.raises(UsageError, match="another process"), run.held():
        raise AssertionError


def test_fresh_runs_of_one_second_are_several(tmp_path: Path) -> None:
    runs = []
    for _ in range(3):
        run = open_run(tmp_path, "k", "n", fresh=True)
        run.update(state="running")
        runs.append(run.folder)
    assert len(set(runs)) == 3
    assert open_run(tmp_path, "k", "n").folder == runs[-1]


def test_rows_must_be_as_many_as_the_cases(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text('{"id":"a","metrics":{}}\n')
    assert len(list(FileRows(path, 1))) == 1
    with pytest.raises(InputError, match="damaged"):
        list(FileRows(path, 2))


@pytest.mark.parametrize("spec", ["function:../x:y", "function:.x:y", "function:x", "function: :y"])
def test_a_function_that_cannot_be_is_refused(fixture: Path, spec: str) -> None:
    Path("c.jsonl").write_text('{"id":"a","question":"x?"}\n')
    assert main(["run", "c.jsonl", "--target", spec]) == 2


def test_nested_judgments_are_refused(fixture: Path) -> None:
    Path("c.jsonl").write_text('{"id":"a","question":"x?"}\n')
    Path("o.jsonl").write_text('{"case":"a","answer":"x"}\n')
    Path("j.jsonl").write_text("[" * 100_000 + "\n")
    assert main(["score", "c.jsonl", "o.jsonl", "--judgments", "j.jsonl", "--judge", "similarity"]) == 2


def test_a_gate_that_cannot_hold_is_found_before_anything_is_asked(fixture: Path) -> None:
    Path("c.jsonl").write_text('{"id":"a","question":"x?"}\n')
    command = ["run", "c.jsonl", "--target", "command:touch asked", "-m", "recall@3"]
    assert main([*command, "--min", "foo=1"]) == 2
    assert not Path("asked").exists() and not Path(".ragmeter").exists()


@pytest.mark.parametrize(
    "more", [["--target", "command:no-such-program"], ["--target", "command:cat", "--judge", "nobody"]]
)
def test_a_start_that_fails_leaves_no_run(fixture: Path, more: list[str]) -> None:
    Path("c.jsonl").write_text('{"id":"a","question":"x?"}\n')
    assert main(["run", "c.jsonl", "-m", "recall@3", *more]) == 2
    assert not Path(".ragmeter").exists()


def test_cases_alone_are_told_what_is_missing(fixture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("c.jsonl").write_text('{"id":"a","question":"x?"}\n')
    assert main(["score", "c.jsonl"]) == 2
    assert "outputs of a system" in capsys.readouterr().err


def test_what_was_asked_for_and_is_not_there_is_told(fixture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "f.jsonl", "--by", "nope", "-m", "faithfulness"]) == 0
    said = capsys.readouterr().err
    assert "no case has a tag 'nope'" in said and "faithfulness: nothing was scored" in said


def test_a_repeated_id_is_told_once(fixture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("c.jsonl").write_text('{"id":"a","question":"x?"}\n' * 2)
    Path("o.jsonl").write_text('{"case":"a","answer":"x"}\n' * 2)
    assert main(["score", "c.jsonl", "o.jsonl"]) == 2
    said = [line for line in capsys.readouterr().err.splitlines() if ".jsonl" in line]
    assert len(said) == 2 and said[0].startswith("c.jsonl:2:") and said[1].startswith("o.jsonl:2:")


@pytest.mark.parametrize("name", ["map", "P", "recip_rank", "success", "Rprec", "set_P", "mrr"])
def test_explain_knows_the_names_that_are_measured(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", name]) == 0
    assert "Source:" in capsys.readouterr().out
