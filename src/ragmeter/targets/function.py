"""Ask a Python function: `function:module:callable`, plain or async.

It is called with the Case and answers with text, a dict of Output fields, or an Output. Retries, deadlines and
threads belong to `obtain`. Code named in a file runs only when --allow-code is given.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from ragmeter.records import Case, Output
from ragmeter.targets import TargetError, TargetUnusable


class Function:
    """`function:MODULE:CALLABLE`; the current folder is looked at first."""

    def __init__(self, spec: str):
        self.function = load(spec)
        self.answer = self._awaited if inspect.iscoroutinefunction(self.function) else self._plain

    async def _awaited(self, case: Case) -> Output:
        return as_output(case, await self.function(case))

    def _plain(self, case: Case) -> Output:
        return as_output(case, self.function(case))


def load(spec: str) -> Callable[[Case], Any]:
    """The callable behind 'module:attribute'. TargetUnusable when there is none."""
    module, colon, attribute = spec.partition(":")
    if not module or not colon or not attribute:
        raise TargetUnusable(f"target function: expected MODULE:CALLABLE, got '{spec}'")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found: Any = importlib.import_module(module)
    except (ImportError, TypeError, ValueError) as why:
        raise TargetUnusable(f"target function: {why}") from None
    for name in attribute.split("."):
        if not hasattr(found, name):
            raise TargetUnusable(f"target function: module '{module}' has no '{attribute}'")
        found = getattr(found, name)
    if not callable(found):
        raise TargetUnusable(f"target function: '{spec}' cannot be called")
    return found  # type: ignore[no-any-return]


def as_output(case: Case, said: Any) -> Output:
    """Text, a dict of fields or an Output as the Output of that case."""
    if isinstance(said, Output):
        return said
    if isinstance(said, str):
        return Output(case.id, answer=said)
    if isinstance(said, dict):
        try:
            return msgspec.convert({**said, "case": case.id}, Output)
        except msgspec.ValidationError as why:
            raise TargetError(f"not an Output: {why}", retry=False) from None
    raise TargetError(f"the function answered with {type(said).__name__}; text, dict or Output expected", retry=False)


TARGET = Function
