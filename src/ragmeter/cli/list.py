"""`ragmeter list`: what there is of a kind, a line each."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from ragmeter.cli.options import emit
from ragmeter.errors import UsageError, choices

KINDS = {
    "metrics": "metric",
    "formats": "format",
    "targets": "target",
    "judges": "judge",
    "reports": "report",
    "embedders": "embedder",
    "profiles": "",
}
SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"


@click.command("list", short_help="list metrics, formats, targets, judges, reports, profiles, embedders")
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--schema", metavar="NAME", help="Print a JSON Schema: a format, scores, result, report.")
def command(kind: str, form: str, schema: str | None) -> int:
    """List what there is of a KIND, our own and that of plugins: the name and what it is.

    Metrics come with what they need and their options, formats with the file of their JSON Schema.

    \b
    Examples:
      ragmeter list metrics
      ragmeter list profiles --format json
      ragmeter list formats --schema cases
    """
    if schema is not None:
        if kind != "formats":
            raise UsageError("--schema goes with formats: ragmeter list formats --schema NAME")
        emit([schema_text(schema)])
        return 0
    if form == "json":
        import msgspec

        emit([msgspec.json.format(msgspec.json.encode(list(entries(kind))), indent=2).decode() + "\n"])
        return 0
    emit(text(list(entries(kind))))
    return 0


def entries(kind: str) -> Iterator[dict[str, Any]]:
    """Each member as {name, about, ...}; one that cannot be loaded says so in `about`."""
    if kind == "profiles":
        from ragmeter.profiles import PROFILES

        for profile in PROFILES.values():
            said = {"name": profile.name, "about": profile.about}
            yield {**said, "metrics": list(profile.metrics), "k": profile.k}
        return
    from ragmeter.registry import names

    for name in names(KINDS[kind]):
        try:
            yield {"name": name, "about": about(KINDS[kind], name), **details(KINDS[kind], name)}
        except Exception as why:  # a plugin may fail in any way, and the list is still wanted
            yield {"name": name, "about": f"cannot be loaded: {str(why).partition(chr(10))[0]}"}


def about(kind: str, name: str) -> str:
    """The first line of the member's docstring, without the name where it begins with it."""
    from ragmeter.registry import WINGS, own_names, plugin_names

    ours = name in own_names(kind)
    module = import_module(f"ragmeter.{WINGS[kind]}.{name}" if ours else plugin_names(kind)[name].module)
    line = (module.__doc__ or "").strip().split("\n")[0]
    return line.removeprefix(f"{name}: ")


def details(kind: str, name: str) -> dict[str, Any]:
    """What a member declares beside its docstring, for the kinds where that helps to choose."""
    from ragmeter.registry import find

    member = find(kind, name)
    if kind == "metric":
        return {
            "needs": list(member.needs),
            "options": dict(member.defaults),
            "conventions": list(member.conventions),
            "higher_is_better": member.higher_is_better,
        }
    if kind == "format":
        return {"holds": member.holds, "profile": member.profile, "schema": member.schema or None}
    return {}


def text(listed: list[dict[str, Any]]) -> Iterator[str]:
    """A line each: the name, what it is, and in brackets what it declares."""
    width = max((len(one["name"]) for one in listed), default=0)
    for one in listed:
        said = "; ".join(declared(one))
        yield f"{one['name']:<{width}}  {one['about']}" + (f"  [{said}]" if said else "") + "\n"
    if not listed:
        yield "none\n"


def declared(one: dict[str, Any]) -> Iterator[str]:
    if one.get("needs"):
        yield f"needs {', '.join(one['needs'])}"
    if one.get("options"):
        yield "options " + ", ".join(f"{key}={shown(value)}" for key, value in one["options"].items())
    if one.get("conventions"):
        yield f"conventions {', '.join(one['conventions'])}"
    if one.get("higher_is_better") is False:
        yield "lower is better"
    if one.get("schema"):
        yield f"schema {one['schema']}"
    if one.get("metrics"):
        yield f"measures {', '.join(one['metrics'])}"


def shown(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def schema_text(name: str) -> str:
    """The JSON Schema of a format, or the shipped one of that name. UsageError when there is none."""
    from ragmeter.registry import find, names

    shipped = {path.name.removesuffix(".schema.json"): path for path in sorted(SCHEMAS.glob("*.schema.json"))}
    if name in shipped:
        return shipped[name].read_text(encoding="utf-8")
    if name in names("format") and (SCHEMAS / (find("format", name).schema or "-")).is_file():
        return (SCHEMAS / find("format", name).schema).read_text(encoding="utf-8")
    raise UsageError(f"no JSON Schema '{name}'{choices(name, shipped)}")
