"""`ragmeter list`: all that the registry knows, a line each, and schemas."""

import json
import sys
from types import ModuleType

import pytest

from ragmeter import registry
from ragmeter.cli.list import KINDS
from tests.helpers.command import ragmeter
from tests.helpers.schemas import FOLDER, NAMES


@pytest.mark.parametrize("kind", KINDS)
def test_every_member_has_its_line_and_says_what_it_is(kind: str) -> None:
    said = json.loads(ragmeter("list", kind, "--format", "json").stdout)
    lines = ragmeter("list", kind).stdout.splitlines()
    if kind != "profiles":
        assert [one["name"] for one in said] == registry.names(KINDS[kind])
    assert len(lines) == len(said) > 0
    for one, line in zip(said, lines, strict=True):
        assert line.startswith(f"{one['name']} ")
        assert len(one["about"]) > 10 and one["about"] in line
        assert "cannot be loaded" not in line


def test_metrics_say_what_they_need_and_can_be_told() -> None:
    said = {one["name"]: one for one in json.loads(ragmeter("list", "metrics", "--format", "json").stdout)}
    assert said["recall"]["needs"] == ["qrels", "retrieved"]
    assert said["recall"]["options"] == {"k": 5}
    lines = {line.split()[0]: line for line in ragmeter("list", "metrics").stdout.splitlines()}
    assert lines["recall"].endswith("[needs qrels, retrieved; options k=5]")
    assert lines["reciprocal_rank"].endswith("[needs qrels, retrieved; options k=none]")


def test_formats_point_to_their_schema_and_schemas_are_printed() -> None:
    lines = {line.split()[0]: line for line in ragmeter("list", "formats").stdout.splitlines()}
    assert lines["cases"].endswith("[schema cases.schema.json]")
    for name in NAMES:
        ran = ragmeter("list", "formats", "--schema", name.removesuffix(".schema.json"))
        assert (ran.code, ran.stdout) == (0, (FOLDER / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("formats", "--schema", "case"), "no JSON Schema 'case'; did you mean 'cases'?"),
        (("metrics", "--schema", "cases"), "--schema goes with formats"),
        (("metric",), "'metric' is not one of"),
        ((), "Missing argument"),
    ],
)
def test_what_is_not_there_is_said(arguments: tuple[str, ...], message: str) -> None:
    ran = ragmeter("list", *arguments)
    assert (ran.code, ran.stdout) == (2, "")
    assert message in ran.messages[0]


class Point:
    """A stand-in for an entry point."""

    def __init__(self, name: str, module: str):
        self.name, self.module = name, module

    def load(self) -> object:
        raise ImportError("no module named 'far'\nand more")


def test_a_plugin_that_cannot_be_loaded_spoils_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("far_away")
    module.__doc__ = "A far metric."
    monkeypatch.setitem(sys.modules, "far_away", module)
    plugins = {"far": Point("far", "far_away")}
    monkeypatch.setattr(registry, "plugin_names", lambda kind: plugins if kind == "metric" else {})
    ran = ragmeter("list", "metrics")
    assert ran.code == 0
    lines = [line for line in ran.stdout.splitlines() if line.startswith("far ")]
    assert len(lines) == 1 and "cannot be loaded: no module named 'far'" in lines[0]
    assert len(ran.stdout.splitlines()) == len(registry.own_names("metric")) + 1
