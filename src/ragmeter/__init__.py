"""ragmeter measures retrieval-augmented generation: what was retrieved, cited, answered, remembered.

from ragmeter import Suite, score
result, rows = score(Suite(cases=("fixture.jsonl",)))
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from ragmeter.version import __version__

_FACE = {
    "Case": "ragmeter.records",
    "Output": "ragmeter.records",
    "Judgment": "ragmeter.records",
    "Result": "ragmeter.result",
    "Suite": "ragmeter.suite",
    "obtain": "ragmeter.obtain",
    "judge": "ragmeter.judge",
    "score": "ragmeter.score",
    "evaluate": "ragmeter.evaluate",
    "gate": "ragmeter.gate",
}

__all__ = ["__version__", *_FACE]


def __getattr__(name: str) -> Any:
    """The face is loaded name by name, so that `import ragmeter` costs nothing."""
    if name not in _FACE:
        raise AttributeError(f"module 'ragmeter' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_FACE[name]), name)


class _Face(ModuleType):
    """Keeps `ragmeter.score` the function: importing the file of that name would put its module there instead."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _FACE and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
