"""The commands of docs/samples.md, run as they stand there, print the published figures."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.command import ragmeter

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "conformance" / "dvc_rag"
PAGE = ROOT / "docs" / "samples.md"
COMMANDS = [
    " ".join(block.replace("\\\n", " ").split())
    for fence in re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for block in re.split(r"\n(?=ragmeter )", fence.strip())
]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    if not DATA.is_dir():
        pytest.skip("no published data: ../shared/conformance/dvc_rag does not exist beside the checkout")
    monkeypatch.chdir(ROOT)


def report(command: str, *more: str) -> dict[str, Any]:
    program, *words = shlex.split(command)
    assert program == "ragmeter"
    ran = ragmeter(*words, *more, "--format", "json")
    assert ran.code == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def one(*words: str) -> str:
    """The one command of the page that has all these words."""
    (found,) = [command for command in COMMANDS if all(word in command.split() or word in command for word in words)]
    return found


def estimates(said: dict[str, Any]) -> dict[str, float | None]:
    return {e["metric"]: e["value"] for e in said["estimates"] if not e["slice"]}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_runs(command: str) -> None:
    program, *words = shlex.split(command)
    ran = ragmeter(*words)
    assert (program, ran.code) == ("ragmeter", 0), ran.stderr
    assert ran.stdout


@pytest.mark.parametrize(("which", "n"), [("hybrid", 180), ("manual", 20)])
def test_retrieval(which: str, n: int) -> None:
    said = report(one(f"run_{which}"))
    wanted = json.loads((DATA / "EXPECTED.json").read_bytes())["exp01"][which]["overall"]
    assert estimates(said) == pytest.approx(
        {metric: value for metric, value in wanted.items() if metric != "n"}, abs=1e-9
    )
    assert {e["n_scored"] for e in said["estimates"] if not e["slice"]} == {n}
    assert {e["n_error"] for e in said["estimates"]} == {0}
    assert said["ragmeter"]["profile"] == "dvc"


def test_answers() -> None:
    said = report(one("gen_outputs", "--by"))
    wanted = json.loads((DATA / "EXPECTED.json").read_bytes())["exp02"]
    found = estimates(said)
    for group in ("generation", "completeness", "citation"):
        for metric, by in wanted[group].items():
            if metric != "citation_f1" and isinstance(by, dict) and "macro_mean_none_skipped" in by:
                assert found[metric] == pytest.approx(by["macro_mean_none_skipped"], abs=1e-9), metric
    assert found["citation_f1"] == pytest.approx(
        wanted["citation"]["variants"]["f1_of_macro_means (published method)"], abs=1e-9
    )
    assert said["diagnostics"]["empty_answer"] == said["diagnostics"]["empty_answer_judged"] == 1
    assert said["diagnostics"]["leaked_prompt"] == 3
    assert said["diagnostics"]["judged_on_trimmed_text"] == 28


def test_the_judgments_are_never_written_to() -> None:
    before = {path: path.read_bytes() for path in DATA.rglob("*_scores.jsonl")}
    test_answers()
    assert before and before == {path: path.read_bytes() for path in before}
