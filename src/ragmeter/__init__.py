"""ragmeter measures retrieval-augmented generation: what was retrieved, cited, answered, remembered.

    from ragmeter import Suite, score
    result, rows = score(Suite(cases=("fixture.jsonl",)))
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"

_FACE = {
    "Case": "ragmeter.records",
    "Output": "ragmeter.records",
    "Judgment": "ragmeter.records",
    "Result": "ragmeter.result",
    "Suite": "ragmeter.suite",
    "score": "ragmeter.score",
    "evaluate": "ragmeter.evaluate",
    "gate": "ragmeter.gate",
}

__all__ = ["Case", "Judgment", "Output", "Result", "Suite", "__version__", "evaluate", "gate", "score"]


def __getattr__(name: str) -> Any:
    """The face is loaded name by name, so that `import ragmeter` costs nothing."""
    if name not in _FACE:
        raise AttributeError(f"module 'ragmeter' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_FACE[name]), name)
