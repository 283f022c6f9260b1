"""Where output cannot go, and where it must not."""

import subprocess
import sys
from pathlib import Path

import pytest

FIXTURE = '{"id":"q","relevant_document_ids":["a"],"retrieved_document_ids":["a"],"cited_document_ids":["a"]}\n'


@pytest.fixture
def fixture(tmp_path: Path) -> Path:
    path = tmp_path / "f.jsonl"
    path.write_text(FIXTURE)
    return path


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    line = command.replace("RAGMETER", f"{sys.executable} -m ragmeter")
    return subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("command", ["RAGMETER score f.jsonl > /dev/full", "RAGMETER score f.jsonl >&-"])
def test_a_report_that_cannot_be_written_is_one_message(fixture: Path, command: str) -> None:
    ran = shell(command, fixture.parent)
    assert ran.returncode == 2
    assert "standard output" in ran.stderr and "Traceback" not in ran.stderr


def test_a_reader_that_goes_away_is_no_error(fixture: Path) -> None:
    fixture.write_text("".join(FIXTURE.replace('"q"', f'"q{n}"') for n in range(5000)))
    ran = shell("RAGMETER score f.jsonl | head -1; echo ${PIPESTATUS[0]}", fixture.parent)
    assert ran.stdout.splitlines() == ["# RAG Evaluation Report", "0"]
    assert ran.stderr == ""


@pytest.mark.parametrize("written", ["f.jsonl", "./f.jsonl", "link"])
def test_no_report_is_written_over_an_input(fixture: Path, written: str) -> None:
    (fixture.parent / "link").symlink_to(fixture)
    ran = shell(f"RAGMETER score f.jsonl --format json={written}", fixture.parent)
    assert ran.returncode == 2 and "would write over the input" in ran.stderr
    assert fixture.read_text() == FIXTURE


def test_a_report_goes_to_a_file_whole(fixture: Path) -> None:
    ran = shell("RAGMETER score f.jsonl --format csv=out.csv --format json", fixture.parent)
    assert ran.returncode == 0 and ran.stdout.startswith("{")
    assert sorted(path.name for path in fixture.parent.iterdir()) == ["f.jsonl", "out.csv"]
    assert shell("RAGMETER score f.jsonl --format csv=missing/out.csv", fixture.parent).returncode == 2
