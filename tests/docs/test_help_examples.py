"""Every example in the help of a command is run: in a folder with our example files, as a user would type it."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click
import pytest

from ragmeter.cli import COMMANDS, commands

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SECONDS = 120  # a hanging example is a failure, not a hanging test run
SERVES = {"view"}  # commands that end only when they are told to


def every_command(command: click.Command = commands, name: str = "ragmeter") -> Iterator[tuple[str, click.Command]]:
    """(full name, command) of the command line and all that is below it."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for below in command.list_commands(context):
            child = command.get_command(context, below)
            if child is not None and not child.hidden:
                yield from every_command(child, f"{name} {below}")


def examples(command: click.Command) -> list[str]:
    """The lines of the help that a user may type: those that begin with our name, below 'Example'."""
    _, _, below = cleandoc(command.help or "").partition("\nExample")
    return [line.strip() for line in below.split("\n") if line.strip().startswith("ragmeter ")]


HELP = {name: examples(command) for name, command in every_command()}
LINES = [line for lines in HELP.values() for line in lines]


@pytest.mark.parametrize("name", HELP)
def test_every_command_has_an_example_of_its_own(name: str) -> None:
    assert HELP[name], f"{name} --help has no line below 'Example:' that begins with 'ragmeter '"
    if name != "ragmeter":
        assert all(line.split()[: name.count(" ") + 1] == name.split() for line in HELP[name])


def test_no_command_is_left_out() -> None:
    assert [f"ragmeter {name}" for name in COMMANDS] == [name for name in HELP if name.count(" ") == 1]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our example files in one folder, and the runs that the examples of `ragmeter run` leave there."""
    folder = tmp_path_factory.mktemp("examples")
    files = [path for path in EXAMPLES.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    for path in sorted(files, key=lambda path: (path.parent.name == "cases", path)):  # its cases.jsonl is the one
        shutil.copy(path, folder / path.name)
    for line in HELP.get("ragmeter run", [])[:1]:
        run(line, folder)
    return folder


@pytest.mark.parametrize("line", LINES)
def test_an_example_works(line: str, prepared: Path, tmp_path: Path) -> None:
    if line.split()[1] in SERVES:
        pytest.skip("serves until it is interrupted")
    folder = tmp_path / "here"
    shutil.copytree(prepared, folder)
    before = contents(folder)
    ran = run(line, folder)
    assert ran.returncode in (0, 1), f"exit code {ran.returncode}\n{ran.stderr}"
    assert "Traceback" not in ran.stderr
    assert ran.stdout or contents(folder) != before, "it neither says nor writes anything"
    changed = [name for name, data in before.items() if ".ragmeter" not in name and contents(folder).get(name) != data]
    assert changed == [], "an input was changed"


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    paths = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    return subprocess.run(
        [sys.executable, "-m", "ragmeter", *shlex.split(line)[1:]],
        cwd=folder,
        env={**os.environ, "PATH": os.pathsep.join(paths), "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
