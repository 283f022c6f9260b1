"""From cases to outputs: ask a target every case, with limits, retries and deadlines.

An answer that did not come becomes Output.error and keeps its place; it is never scored as a wrong answer.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable, Iterator
from math import isfinite
from typing import Any

from msgspec import ValidationError, convert, structs, to_builtins

from ragmeter.calls import Limits, Pace, as_finished, call, walk
from ragmeter.errors import UsageError
from ragmeter.records import Case, Output
from ragmeter.registry import find
from ragmeter.targets import TargetError


def target(spec: str) -> Any:
    """The target that a SPEC names: 'command:python ask.py', 'function:module:callable'."""
    name, _, rest = spec.partition(":")
    made = find("target", name)(rest)
    if not hasattr(made, "answer"):
        raise UsageError(f"target '{name}' has no method answer(case)")
    return made


def obtain(cases: Iterable[Case], target: Any, limits: Limits | None = None) -> Iterator[Output]:
    """One Output a case, as they come. Closing the iterator early cancels what is under way.

    `target.answer(case)` may be async or plain (then it runs in a thread, and a deadline abandons it).
    """
    settled = limits or Limits()
    return walk(_obtain(iter(cases), target, settled), getattr(target, "aclose", None))


async def _obtain(cases: Iterator[Case], target: Any, limits: Limits) -> AsyncIterator[Output]:
    pace = Pace(limits.rate)

    async def one(case: Case) -> Output:
        return await _answer(case, target, limits, pace)

    async for output in as_finished(cases, one, limits.concurrency):
        yield output


async def _answer(case: Case, target: Any, limits: Limits, pace: Pace) -> Output:
    began = time.monotonic()
    try:
        output = await call(target.answer, case, limits, pace, TargetError)
    except TargetError as why:
        return Output(case.id, error=str(why) or "the target failed")
    except TimeoutError:
        return Output(case.id, error=f"timeout: no answer in {limits.timeout:g} s")
    except Exception as why:  # a target is somebody's code: whatever it raises fails this case alone
        return Output(case.id, error=f"{type(why).__name__}: {why}")
    if not isinstance(output, Output):
        return Output(case.id, error=f"the target answered with {type(output).__name__}, not an Output")
    fault = _fault(output)
    if fault:
        return Output(case.id, error=f"not an Output: {fault}")
    seconds = output.seconds if output.seconds is not None else round(time.monotonic() - began, 6)
    return structs.replace(output, case=case.id, seconds=seconds)


def _fault(output: Output) -> str:
    """What is wrong with what a system answered: a wrong type, an empty id, a number that is none."""
    try:
        told = to_builtins(output)
        convert(told, Output)
    except (ValidationError, TypeError) as why:
        return str(why)
    return "a number is not finite" if _endless(told) else ""


def _endless(value: Any) -> bool:
    if isinstance(value, float):
        return not isfinite(value)
    if isinstance(value, dict):
        return any(map(_endless, value.values()))
    return isinstance(value, list | tuple) and any(map(_endless, value))
