"""What a judge is: it turns a case and its output into questions, and each question into a judgment.

A judge is one file here with `JUDGE`, called with the rest of its SPEC. `asks(case, output, judged)` yields
the next questions, given the judgments so far by question key, until it yields none (claims first, verdicts
second). `ask(question)` answers one, async or plain. `judge` owns the loop, the file, limits and retries.
A judge that is `local` needs no network, and `score` may ask it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, Protocol

from msgspec import Struct

from ragmeter.records import Case, Judgment, Output


class Question(Struct, frozen=True):
    """One thing to judge. `texts` in the order that its kind defines; `subject` says which item of the case."""

    case: str
    kind: str
    subject: str
    texts: tuple[str, ...]

    @property
    def key(self) -> str:
        """The hash of kind and texts: equal questions of different cases share one judgment."""
        return digest(self.kind, *self.texts)


class JudgeError(Exception):
    """The judge could not answer. `reason` is one of result.ERRORS; an error is never a score."""

    def __init__(self, message: str, *, reason: str = "judge_error", retry: bool = True, after: float | None = None):
        super().__init__(message)
        self.reason = reason
        self.retry = retry
        self.after = after


class Judge(Protocol):
    """Questions and answers. `identity` (judge, model, version, parameters, prompt hashes) enters the call key."""

    name: str
    local: bool
    identity: Mapping[str, Any]

    def asks(self, case: Case, output: Output, judged: Mapping[str, Judgment]) -> Iterator[Question]:
        """The questions that can be asked now and are not in `judged` (by question key)."""
        ...

    async def ask(self, question: Question) -> Judgment:
        """The answer, with value (or num and den, or label); keys are filled in by `judge`."""
        ...


def digest(*parts: str) -> str:
    """A short, stable hash of texts; no two different lists of texts share one by concatenation."""
    hasher = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        hasher.update(len(data).to_bytes(8, "big"))
        hasher.update(data)
    return hasher.hexdigest()
