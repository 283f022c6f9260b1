"""What a target is: a system that answers one case. Retries, deadlines, limits and order belong to `obtain`.

A target is one file here with `TARGET`, called with the rest of its SPEC (`command:python ask.py` gives
'python ask.py'). It has `async answer(case) -> Output`, or a plain method that `obtain` runs in a thread,
and optionally `async aclose()`.
"""

from __future__ import annotations

from typing import Protocol

from ragmeter.errors import RagmeterError
from ragmeter.records import Case, Output


class TargetError(Exception):
    """The system could not answer this case. Becomes Output.error; never a wrong answer.

    `retry` says whether another try may help; `after` is the wait in seconds that the system asked for.
    """

    def __init__(self, message: str, *, retry: bool = True, after: float | None = None):
        super().__init__(message)
        self.retry = retry
        self.after = after


class TargetUnusable(RagmeterError):
    """The target cannot work at all (bad SPEC, missing program): the run stops before the first case."""


class Target(Protocol):
    """One method, one case."""

    async def answer(self, case: Case) -> Output:
        """What the system did with the case. Raises TargetError when it could not answer."""
        ...
