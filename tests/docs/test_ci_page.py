"""docs/ci.md and docs/gates.md: the files in them are what CI servers read, and their commands run on our examples."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragmeter.rules import parse
from ragmeter.suite import suite_of

ROOT = Path(__file__).resolve().parents[2]


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of that language."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def files() -> list[dict[Any, Any]]:
    import yaml

    return [yaml.safe_load(text) for text in blocks("ci.md", "yaml")]


def commands() -> Iterator[str]:
    """Every command of ours in the order of the page."""
    github, gitlab = files()
    yield from (line for text in blocks("ci.md", "sh") for line in text.strip().split("\n"))
    steps = [step["run"] for step in github["jobs"]["measure"]["steps"] if "run" in step]
    yield from (one for one in [*steps, *gitlab["rag"]["script"]] if one.startswith("ragmeter "))


def test_the_files_have_the_shape_that_their_servers_read() -> None:
    github, gitlab = files()
    assert True in github or "on" in github  # YAML 1.1 reads a bare `on` as true
    assert all(("uses" in step) != ("run" in step) for step in github["jobs"]["measure"]["steps"])
    assert gitlab["rag"]["artifacts"]["reports"]["junit"] in gitlab["rag"]["artifacts"]["paths"]


def test_every_command_of_the_page_runs_on_our_examples(tmp_path: Path) -> None:
    for name in ("cases.jsonl", "outputs.jsonl"):
        shutil.copy(ROOT / "examples" / "cases" / name, tmp_path)
    program = tmp_path / "bin" / "ragmeter"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ragmeter "$@"\n')
    program.chmod(0o755)
    summary = tmp_path / "summary.md"
    path = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    setting = {**os.environ, "PYTHONPATH": path, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    setting |= {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_ACTIONS": "true"}
    said = [*commands()]
    assert len(said) == 4
    for command in said:
        done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=setting, capture_output=True, timeout=120, check=False)  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stderr.decode()}"
    assert "all 3 gates pass" in summary.read_text(encoding="utf-8")
    assert "against baseline.json" in summary.read_text(encoding="utf-8")
    assert (tmp_path / "ragmeter.xml").read_text(encoding="utf-8").count("<testcase") == 4
    worse = said[1].replace("recall@5 >= 0.6", "recall@5 >= 0.9")
    done = subprocess.run(["sh", "-c", worse], cwd=tmp_path, env=setting, capture_output=True, timeout=120, check=False)
    assert done.returncode == 1 and b"::error title=ragmeter FAIL::" in done.stderr


def test_every_gate_of_the_page_is_one() -> None:
    (text,) = blocks("gates.md", "toml")
    settings = suite_of(tomllib.loads(text), "gates.md", ROOT)
    assert [parse(rule).kind for rule in settings.gates] == ["point", "regression"]
    page = (ROOT / "docs" / "gates.md").read_text(encoding="utf-8")
    rules = [rule for rule in re.findall(r"`([^`\n]+)`", page) if re.search(r"[<>]=|^no regression", rule)]
    assert len(rules) >= 8
    for rule in rules:
        parse(rule)


@pytest.mark.parametrize("page", ["gates.md", "compare.md", "ci.md"])
def test_links_lead_somewhere(page: str) -> None:
    for link in re.findall(r"\]\(([^)#]+)", (ROOT / "docs" / page).read_text(encoding="utf-8")):
        assert (ROOT / "docs" / link).exists()
