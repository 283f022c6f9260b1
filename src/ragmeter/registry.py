"""From a name that users type to the object behind it: our own file, else a plugin's entry point.

`find("metric", "recall")` is `ragmeter/metrics/recall.py`'s METRIC. Entry points (`ragmeter.metrics`, ...)
are scanned only when no file of ours has the name, or when all names are listed.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from typing import Any

from ragmeter.errors import UsageError, choices, nearest

WINGS = {
    "metric": "metrics",
    "format": "formats",
    "target": "targets",
    "judge": "judges",
    "report": "reports",
    "embedder": "embedders",
}


@cache
def own_names(kind: str) -> tuple[str, ...]:
    """The names of our own members, sorted; no member is imported."""
    wing = importlib.import_module(f"ragmeter.{WINGS[kind]}")
    files = [name for folder in wing.__path__ for name in os.listdir(folder)]  # pkgutil would take 5 ms to import
    return tuple(sorted(name[:-3] for name in files if name.endswith(".py") and name[0] not in "._"))


@cache
def plugin_names(kind: str) -> dict[str, Any]:
    """Entry points of other packages, by name. Ours are never shadowed by them."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=f"ragmeter.{WINGS[kind]}")}


def names(kind: str) -> list[str]:
    """All names users can type for this kind: ours, then those of plugins."""
    return sorted({*own_names(kind), *plugin_names(kind)})


def find(kind: str, name: str) -> Any:
    """The member of that name. Raises UsageError, naming the nearest one, when there is none."""
    if name in own_names(kind):
        return _ours(kind, name)
    if name in plugin_names(kind):
        return plugin_names(kind)[name].load()
    known = names(kind)
    advice = nearest(name, known) + "; `ragmeter list metrics` has all" if kind == "metric" else choices(name, known)
    raise UsageError(f"unknown {kind} '{name}'{advice}")


@cache
def _ours(kind: str, name: str) -> Any:
    module = importlib.import_module(f"ragmeter.{WINGS[kind]}.{name}")
    return getattr(module, kind.upper())
