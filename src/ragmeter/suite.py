"""A Suite: everything that was asked for, whether by options or by ragmeter.toml. There is no second way in."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from ragmeter.errors import UsageError, nearest


class Suite(Struct, frozen=True, omit_defaults=True):
    """What to measure, how, and what must hold. Paths are as typed, relative to where the command runs."""

    cases: tuple[str, ...] = ()
    from_: str | None = None
    qrels: tuple[str, ...] = ()
    target: str | None = None
    judges: tuple[str, ...] = ()
    judgments: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    profile: str | None = None
    k: int | None = None
    by: tuple[str, ...] = ()
    level: int = 1
    queries: str | None = None
    judged_only: bool = False
    ties: bool = False
    per_query: bool = False
    minimum: dict[str, float] = {}
    maximum: dict[str, float] = {}
    gates: tuple[str, ...] = ()
    baseline: str | None = None
    inconclusive: Literal["fail", "pass"] = "fail"
    seed: int = 0
    strict: bool = False
    offline: bool = False
    max_errors: int = 0
    name: str = ""
    concurrency: int = 8
    timeout: float = 60.0
    retries: int = 4
    repeat: int = 1
    rate: float | None = None
    tokens: float | None = None
    max_cost: float | None = None


# Words of ragmeter.toml that differ from the fields, which Python or the options already use.
_WORDS = {"from": "from_", "min": "minimum", "max": "maximum", "relevance-level": "level"}


def read_suite(path: str | Path | None = None) -> Suite | None:
    """The suite of that file, else of ragmeter.toml or [tool.ragmeter] of pyproject.toml beside us, else None.

    Paths inside are taken from the folder of the file. Raises UsageError for a word it does not know.
    """
    if path is not None:
        return _from_toml(Path(path), named=True)
    for candidate in (Path("ragmeter.toml"), Path("pyproject.toml")):
        if candidate.is_file() and (suite := _from_toml(candidate)):
            return suite
    return None


def _from_toml(path: Path, *, named: bool = False) -> Suite | None:
    import tomllib

    try:
        table = tomllib.loads(path.read_bytes().decode())
    except OSError as why:
        raise UsageError(f"{path}: {why.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as why:
        raise UsageError(f"{path}: not TOML: {why}") from None
    if path.name == "pyproject.toml":
        found = table.get("tool", {})
        table = found.get("ragmeter", {}) if isinstance(found, dict) else {}
        if not table and not named:
            return None
    return suite_of(table, str(path), path.parent)


def suite_of(table: dict[str, Any], place: str, folder: Path) -> Suite:
    """A table of settings as a Suite; UsageError names the key that does not fit."""
    import msgspec

    known = {name.rstrip("_").replace("_", "-"): name for name in Suite.__struct_fields__} | _WORDS
    settings: dict[str, Any] = {}
    faults = []
    for key, value in table.items():
        if key not in known:
            faults.append(f"unknown setting '{key}'{nearest(key, known)}")
            continue
        settings[known[key]] = [value] if isinstance(value, str) and known[key] in _LISTS else value
        try:
            msgspec.convert({known[key]: settings[known[key]]}, Suite)
        except msgspec.ValidationError as why:
            faults.append(
                f"setting '{key}': {str(why).replace(f' - at `$.{known[key]}', ' - at `')}".removesuffix(" - at ``")
            )
    if faults:
        raise UsageError("\n".join(f"{place}: {fault}" for fault in faults))
    suite = msgspec.convert(settings, Suite)
    places = {field: tuple(_beside(folder, p) for p in getattr(suite, field)) for field in _PATHS}
    if suite.baseline is not None and (folder / suite.baseline).exists():  # else it is the name of a run
        return msgspec.structs.replace(suite, baseline=_beside(folder, suite.baseline), **places)
    return msgspec.structs.replace(suite, **places)


_LISTS = {"cases", "qrels", "judges", "judgments", "metrics", "by", "gates"}
_PATHS = ("cases", "qrels", "judgments")


def _beside(folder: Path, path: str) -> str:
    return path if Path(path).is_absolute() else str(folder / path)
