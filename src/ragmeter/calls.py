"""One call that may fail: paced, with a deadline, tried again with backoff. `obtain` and `judge` share it."""

from __future__ import annotations

import asyncio
import inspect
import random
import signal
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from msgspec import Struct

Item = TypeVar("Item")
Answer = TypeVar("Answer")

LONGEST_WAIT = 60.0  # seconds between two tries, unless the system asked for more


class Limits(Struct, frozen=True):
    """How hard a system may be driven. `timeout` is for one try, in seconds; `rate` in calls a minute."""

    concurrency: int = 8
    timeout: float = 60.0
    retries: int = 4
    rate: float | None = None


class Pace:
    """Lets at most `rate` calls a minute begin, evenly spaced; None lets all through."""

    def __init__(self, rate: float | None):
        self.gap = 60.0 / rate if rate else 0.0
        self.next = 0.0

    async def turn(self) -> None:
        """Wait until the next call may begin."""
        if not self.gap:
            return
        now = time.monotonic()
        begins = max(now, self.next)
        self.next = begins + self.gap
        if begins > now:
            await asyncio.sleep(begins - now)


async def call(function: Callable[..., Any], argument: Any, limits: Limits, pace: Pace, failures: type[Exception]) -> Any:  # fmt: skip
    """The function's answer. Plain functions run in a thread. Raises the last failure, or TimeoutError.

    `failures` carry `retry` (may another try help?) and `after` (seconds the system asked to wait).
    """
    for attempt in range(limits.retries + 1):
        await pace.turn()
        try:
            return await asyncio.wait_for(_begin(function, argument), limits.timeout)
        except failures as why:
            if not getattr(why, "retry", True) or attempt == limits.retries:
                raise
            await asyncio.sleep(_wait(attempt, getattr(why, "after", None)))
        except TimeoutError:
            if attempt == limits.retries:
                raise
    raise AssertionError("unreachable")


def _begin(function: Callable[..., Any], argument: Any) -> Awaitable[Any]:
    if inspect.iscoroutinefunction(function):
        return function(argument)  # type: ignore[no-any-return]
    return asyncio.to_thread(function, argument)


def _wait(attempt: int, asked: float | None) -> float:
    """Full-jitter backoff; at least what the system asked for."""
    backoff = random.uniform(0, min(LONGEST_WAIT, 0.5 * 2**attempt))  # noqa: S311 (timing, not numbers)
    return max(backoff, asked or 0.0)


async def in_order(items: Iterator[Item], work: Callable[[Item], Awaitable[Answer]], width: int) -> AsyncIterator[Answer]:  # fmt: skip
    """The work's answers in the order of the items, at most `width` of them under way or waiting."""
    async for task in _window(items, work, width):
        yield await task


async def as_finished(items: Iterator[Item], work: Callable[[Item], Awaitable[Answer]], width: int) -> AsyncIterator[Answer]:  # fmt: skip
    """The work's answers as they come, at most `width` under way."""
    under_way: set[asyncio.Task[Answer]] = set()
    try:
        for item in items:
            under_way.add(asyncio.ensure_future(work(item)))
            while len(under_way) >= width:
                done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        while under_way:
            done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        await _cancel(under_way)


async def _window(items: Iterator[Item], work: Callable[[Item], Awaitable[Answer]], width: int) -> AsyncIterator[asyncio.Task[Answer]]:  # fmt: skip
    from collections import deque

    waiting: deque[asyncio.Task[Answer]] = deque()
    try:
        for item in items:
            waiting.append(asyncio.ensure_future(work(item)))
            if len(waiting) >= width:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()
    finally:
        await _cancel(set(waiting))


async def _cancel(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def walk(stream: AsyncIterator[Answer], close: Callable[[], Awaitable[None]] | None = None) -> Iterator[Answer]:
    """An asynchronous stream as a plain iterator that owns the one event loop while it is walked."""
    with asyncio.Runner() as runner:
        try:
            while True:
                try:
                    yield runner.run(_next(stream))
                except StopAsyncIteration:
                    return
        finally:
            with _undisturbed(), suppress(RuntimeError):  # a second interrupt may have left the stream half closed
                runner.run(_end(stream, close))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Cleaning up is not interrupted again: SIGINT is held off in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def _next(stream: AsyncIterator[Answer]) -> Answer:
    try:
        return await anext(stream)
    except StopAsyncIteration:
        raise
    except RuntimeError as why:
        if isinstance(why.__cause__, StopAsyncIteration):
            raise StopAsyncIteration from None
        raise


async def _end(stream: Any, close: Callable[[], Awaitable[None]] | None) -> None:
    await stream.aclose()
    if close is not None:
        await close()
