"""A cold start is light: the face, the help and a small offline score load nothing heavy."""

import tomllib
from pathlib import Path

import pytest

from tests.architecture.isolated import CASES, ROOT, Ran, ragmeter, run

# importlib.metadata stands for a scan of entry points; asyncio for the loop that only live systems need.
HEAVY = ["numpy", "polars", "httpx", "rich", "yaml", "jmespath", "dask", "asyncio", "importlib.metadata"]
# What a file of ids has no use for: texts are read by expressions that take milliseconds to compile.
HEAVY += [f"ragmeter.text.{name}" for name in ("tokens", "sentences", "markers", "overlap", "refusal", "quantities")]

# Commands on which none of them may load, with a word that their output has when they worked.
LIGHT = {
    "--version": "0.",
    "--help": "score",
    "score --help": "--k",
    "score fixture.jsonl": "q1",
    "score fixture.jsonl --k 3 --format json --min-recall 0.8": '"q1"',
    "score fixture.jsonl --k 3 --format markdown": "q1",
}

MODULES = "report = lambda: sorted(sys.modules)"


def heavy(ran: Ran) -> list[str]:
    return [name for name in HEAVY if name in ran.report]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "fixture.jsonl").write_text(CASES, encoding="utf-8")
    return tmp_path


def test_importing_the_face_loads_nothing_heavy(folder: Path) -> None:
    ran = run("import ragmeter", folder=folder, prelude=MODULES)
    assert ran.code == 0, str(ran)
    assert "ragmeter" in ran.report
    assert heavy(ran) == []


@pytest.mark.parametrize(("command", "word"), LIGHT.items(), ids=LIGHT)
def test_a_light_command_loads_nothing_heavy(folder: Path, command: str, word: str) -> None:
    ran = ragmeter(*command.split(), folder=folder, prelude=MODULES)
    assert ran.code == 0, str(ran)
    assert word in ran.stdout, str(ran)
    assert heavy(ran) == []


def test_the_version_is_the_one_in_pyproject(folder: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ran = ragmeter("--version", folder=folder)
    assert project["version"] in ran.stdout.split(), str(ran)


@pytest.mark.parametrize("name", ["yaml", "asyncio", "importlib.metadata"])
def test_a_heavy_module_would_be_seen(folder: Path, name: str) -> None:
    assert name in heavy(run(f"import {name}", folder=folder, prelude=MODULES))
