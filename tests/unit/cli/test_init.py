"""`ragmeter init`: what it writes works as it is, and nothing is ever overwritten unasked."""

from pathlib import Path

import pytest

from ragmeter.cli.init import TEMPLATES, templates
from ragmeter.suite import read_suite
from tests.helpers.command import ragmeter

KINDS = sorted(templates())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_kinds_are_listed() -> None:
    ran = ragmeter("init")
    assert (ran.code, [line.split()[0] for line in ran.stdout.splitlines()]) == (0, KINDS)
    assert {"cases", "outputs", "fixtures", "judgments", "ragmeter"} <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_valid(kind: str, folder: Path) -> None:
    ran = ragmeter("init", kind)
    written = templates()[kind].name
    assert (ran.code, ran.stdout, ran.stderr) == (0, "", f"wrote {written}\n")
    assert [path.name for path in folder.iterdir()] == [written]
    assert (folder / written).read_bytes() == (TEMPLATES / written).read_bytes()
    if written.endswith(".toml"):
        assert read_suite() is not None
        return
    checked = ragmeter("validate", written, "--strict")
    assert checked.code == 0, checked.stdout


def test_the_files_belong_together() -> None:
    for kind in ("cases", "outputs", "judgments", "ragmeter"):
        assert ragmeter("init", kind).code == 0
    assert ragmeter("validate", "cases.jsonl", "outputs.jsonl", "judgments.jsonl", "--strict").code == 0
    suite = read_suite()
    assert suite is not None
    ran = ragmeter("score", *suite.cases, "-m", ",".join(suite.metrics), *(f"--by={tag}" for tag in suite.by),
                   *(f"--min={metric}={least}" for metric, least in suite.minimum.items()))  # fmt: skip
    assert ran.code == 0, ran.stderr


def test_nothing_is_overwritten_unasked(folder: Path) -> None:
    (folder / "cases.jsonl").write_text("mine")
    ran = ragmeter("init", "cases")
    assert (ran.code, ran.messages[0]) == (
        2,
        "cases.jsonl is there already; name another --output, or --force to replace it",
    )
    assert (folder / "cases.jsonl").read_text() == "mine"
    assert ragmeter("init", "cases", "--force").code == 0
    assert (folder / "cases.jsonl").read_bytes() == (TEMPLATES / "cases.jsonl").read_bytes()


def test_it_writes_elsewhere_or_to_stdout(folder: Path) -> None:
    assert ragmeter("init", "ragmeter.toml", "--output", "other.toml").code == 0
    assert (folder / "other.toml").is_file()
    ran = ragmeter("init", "fixtures", "--output", "-")
    assert (ran.stdout, ran.stderr) == ((TEMPLATES / "fixtures.jsonl").read_text(encoding="utf-8"), "")
    assert not (folder / "fixtures.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("case",), "nothing to start a 'case' from; did you mean 'cases'? known: cases, fixtures, "),
        (("cases", "--output", "no/such/folder.jsonl"), "no/such/folder.jsonl: cannot be written: "),
    ],
)
def test_what_cannot_be_written_is_said(arguments: tuple[str, ...], message: str, folder: Path) -> None:
    ran = ragmeter("init", *arguments)
    assert ran.code == 2 and ran.messages[0].startswith(message)
    assert list(folder.iterdir()) == []
