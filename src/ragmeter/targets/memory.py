"""Drive a conversational memory: each follow-up rewritten without its layer, then with it.

    memory:reference               the built-in reference system (no model)
    memory:MODULE:FACTORY          a system of yours: FACTORY() gives an object with the methods below
    memory:http://127.0.0.1:8080     a system behind HTTP, as `_http_memory` says
    memory:reference?pooled&k=3    options: pooled, k (memories asked for, 3), window (turns that the rewriter sees,
                                   2), keep (turns that are not summarised, 2)

Only `rewrite` is required. A layer whose methods are missing is not run: that arm has no rewrite.

    rewrite(question, history, context) -> text       history: Turns, already cut to the window unless the system has
                                                      owns_window = True; context: texts that memory gave
    summarize(history) -> text                        B1: a summary of the turns before the last `keep`
    observe(user, conversation, user_text, assistant_text)                      B2: one turn of the past
    recall(user, query, conversation, k) -> memories  B2: texts, or dicts or objects with text and, where known, id,
                                                      score, conversation, turn, user
    open(user, conversation), end_conversation(user, conversation), close(user)
    stored(user, conversation) -> texts               what is held of a conversation; tells lost from not found
    answer(user, conversation, question) -> text      kept as the output's answer
    usage() -> {name: number}                         running totals; their growth is the output's usage

Each case is a user of its own, whose past is told first. Pooled, all cases (those of B1 too) are conversations of
one user, so that recall has to find the right one. A method that raises fails its arm (an error, never a miss); TargetError is tried
again with the whole case. Calls do not overlap unless the system has concurrent = True.
"""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from threading import Lock
from typing import Any

from msgspec import Struct

from ragmeter.memory import BASELINE, UNKNOWN, WINDOW, WITH_MEMORY, layer
from ragmeter.records import Case, Output, Passage, Turn
from ragmeter.targets import TargetError, TargetUnusable
from ragmeter.targets.function import load

POOL = "pool"  # the one user of pooled mode
PRESENT = "present"  # the conversation of the follow-up
TELLING = 16  # characters from which on a user's words tell whose memory a recalled text is


class Options(Struct, frozen=True):
    """What may follow '?' in a SPEC."""

    pooled: bool = False
    k: int = 3
    window: int = WINDOW
    keep: int = 2


class Memory:
    """`memory:SYSTEM[?OPTIONS]`. TargetUnusable when the system cannot be made or has no rewrite."""

    def __init__(self, spec: str):
        name, _, options = spec.partition("?")
        self.options = parsed(options)
        self.system = made(name)
        self.guard: Any = nullcontext() if getattr(self.system, "concurrent", False) else Lock()
        self.heard: dict[str, set[str]] = {}  # a user's own words -> who said them
        self.lost: dict[str, Exception] = {}  # pooled: case -> why its past could not be told
        self.told: set[str] = set()

    def prepare(self, cases: Sequence[Case]) -> None:
        """All cases of the run, before the first is asked. Pooled mode tells all their pasts here."""
        if not self.options.pooled:
            return
        for case in cases:
            try:
                self._tell(case)
            except Exception as why:  # somebody's code: this case alone has no memory
                self.lost[case.id] = RuntimeError(str(why)) if isinstance(why, TargetError) else why
            self.told.add(case.id)

    def answer(self, case: Case) -> Output:
        """The rewrites without and with the layer, and what memory brought back."""
        with self.guard:
            return self._ablate(case)

    async def aclose(self) -> None:
        """Forget all users, and leave the system."""
        await to_thread(self._leave)

    def _leave(self) -> None:
        for user in sorted({user for users in self.heard.values() for user in users}):
            self._may("close")(user)
        self._may("forget")()

    def _ablate(self, case: Case) -> Output:
        before = self._usage()
        arms = Arms(case.id)
        window = self._window(case.history)
        arms.run(BASELINE, lambda: self._rewrite(case.question, window, []))
        arms.run(WITH_MEMORY, lambda: self._with_layer(case, window, arms))
        answer = self._answer(case, arms)
        if arms.errors and not arms.rewrites:
            raise TargetError(next(iter(arms.errors.values())), retry=False)
        after = self._usage()
        spent = {name: after[name] - before.get(name, 0.0) for name in after}
        return arms.output(answer, spent or None)

    def _with_layer(self, case: Case, window: Sequence[Turn], arms: Arms) -> str | None:
        if layer(case) == "B1":
            return self._with_summary(case, window, arms)
        return self._with_episodes(case, window, arms)

    def _with_summary(self, case: Case, window: Sequence[Turn], arms: Arms) -> str | None:
        if not self._can("summarize"):
            return None
        old = case.history[: max(0, len(case.history) - self.options.keep)]
        summary = str(self.system.summarize(old) or "") if old else ""
        arms.recalled = (Passage("summary", text=summary),) if summary else ()
        arms.stored = [summary] if summary else []
        return self._rewrite(case.question, window, [summary] if summary else [])

    def _with_episodes(self, case: Case, window: Sequence[Turn], arms: Arms) -> str | None:
        if not self._can("observe", "recall"):
            return None
        user = self._user(case)
        if self.options.pooled:
            self._check_told(case)
        else:
            self._tell(case)
        if self._can("stored"):
            arms.stored = [str(text) for text in self.system.stored(user, case.id)]
        present = f"{PRESENT}:{case.id}"
        self._may("open")(user, present)
        found = [_memory(item) for item in self.system.recall(user, case.question, present, self.options.k)]
        arms.recalled = tuple(_passage(item, i) for i, item in enumerate(found, 1))
        arms.user = user
        arms.owners = {p.id: self._owner(m, user) for p, m in zip(arms.recalled, found, strict=True)}
        return self._rewrite(case.question, window, [item["text"] for item in found])

    def _tell(self, case: Case) -> None:
        """Tell the system the past of a case, as a conversation that has ended."""
        if not self._can("observe"):
            return
        user = self._user(case)
        if case.id in self.told and not self.options.pooled:  # a second try begins anew
            self._may("close")(user)
        self.told.add(case.id)
        self._may("open")(user, case.id)
        for turn in case.past or (case.history if self.options.pooled else ()):
            self.heard.setdefault(turn.user, set()).add(user)
            self.system.observe(user, case.id, turn.user, turn.assistant)
        self._may("end_conversation")(user, case.id)

    def _check_told(self, case: Case) -> None:
        if case.id not in self.told:
            raise TargetError("pooled: the pasts of all cases must be told first; call prepare(cases)", retry=False)
        if case.id in self.lost:
            raise self.lost[case.id]

    def _user(self, case: Case) -> str:
        return POOL if self.options.pooled else f"user:{case.id}"

    def _rewrite(self, question: str, history: Sequence[Turn], context: list[str]) -> str:
        return str(self.system.rewrite(question, history, context) or "").strip()

    def _window(self, history: tuple[Turn, ...]) -> tuple[Turn, ...]:
        if getattr(self.system, "owns_window", False):
            return history
        return history[-self.options.window :] if self.options.window else ()

    def _answer(self, case: Case, arms: Arms) -> str | None:
        if not self._can("answer"):
            return None
        try:
            return str(self.system.answer(self._user(case), f"{PRESENT}:{case.id}", case.question))
        except TargetError:
            raise
        except Exception as why:
            arms.errors["answer"] = _reason(why)
            return None

    def _owner(self, memory: dict[str, Any], user: str) -> str:
        """Who a memory belongs to: as the system says, else whoever alone said words that it holds."""
        if memory.get("user") is not None:
            return str(memory["user"])
        for words, users in self.heard.items():
            if len(words) >= TELLING and user not in users and words in memory["text"]:
                return min(users)
        return user

    def _usage(self) -> dict[str, float]:
        return {name: float(n) for name, n in self.system.usage().items()} if self._can("usage") else {}

    def _can(self, *methods: str) -> bool:
        return all(callable(getattr(self.system, method, None)) for method in methods)

    def _may(self, method: str) -> Callable[..., Any]:
        """The system's method, or one that does nothing."""
        found: Callable[..., Any] = getattr(self.system, method, None) or (lambda *_: None)
        return found


class Arms:
    """What came of the arms of one case."""

    def __init__(self, case: str):
        self.case = case
        self.rewrites: dict[str, str] = {}
        self.errors: dict[str, str] = {}
        self.recalled: tuple[Passage, ...] | None = None
        self.stored: list[str] | None = None
        self.user: str | None = None
        self.owners: dict[str, str] | None = None

    def run(self, arm: str, work: Callable[[], str | None]) -> None:
        """Keep what an arm says; what it raises is its error, and None that it cannot be run."""
        try:
            text = work()
        except TargetError:
            raise
        except Exception as why:  # somebody's code: this arm alone fails
            self.errors[arm] = _reason(why)
            return
        if text is not None:
            self.rewrites[arm] = text

    def output(self, answer: str | None, usage: dict[str, float] | None) -> Output:
        """The output of the case."""
        extra: dict[str, Any] = {}
        if self.errors:
            extra["errors"] = self.errors
        if self.stored is not None:
            extra["stored"] = {WITH_MEMORY: self.stored}
        if self.user is not None:
            extra |= {"user": self.user, "owners": self.owners}
        recalled: dict[str, tuple[str | Passage, ...]] | None = None
        if self.recalled is not None:
            recalled = {WITH_MEMORY: self.recalled}
        return Output(
            self.case, answer=answer, rewrites=self.rewrites, recalled=recalled, usage=usage, extra=extra or None
        )


def parsed(text: str) -> Options:
    """'pooled&k=5' as Options. TargetUnusable for a word or a number that does not fit."""
    chosen: dict[str, Any] = {}
    for word in filter(None, text.split("&")):
        name, equals, value = word.partition("=")
        if name == "pooled" and not equals:
            chosen[name] = True
        elif name in ("k", "window", "keep") and value.isascii() and value.isdigit() and (int(value) or name != "k"):
            chosen[name] = int(value)
        else:
            raise TargetUnusable(f"target memory: '{word}': expected pooled, k=N, window=N or keep=N")
    return Options(**chosen)


def made(name: str) -> Any:
    """The system of that name."""
    if not name:
        raise TargetUnusable("target memory: expected reference, MODULE:FACTORY or http://...")
    if name == "reference":
        from ragmeter.targets._reference_memory import Reference

        return Reference()
    if name.startswith(("http://", "https://")):
        from ragmeter.targets._http_memory import Remote

        return Remote(name)
    system = load(name)()  # type: ignore[call-arg]  # a factory takes no case
    if not callable(getattr(system, "rewrite", None)):
        raise TargetUnusable(f"target memory: what {name} makes has no method rewrite(question, history, context)")
    return system


def _memory(item: Any) -> dict[str, Any]:
    """A recalled memory as a dict with a text."""
    if isinstance(item, str):
        return {"text": item}
    names = ("text", "id", "score", "conversation", "turn", "user")
    found = dict(item) if isinstance(item, dict) else {n: getattr(item, n) for n in names if hasattr(item, n)}
    if not isinstance(found.get("text"), str):
        raise ValueError(f"recall gave {type(item).__name__} without a text")
    return found


def _passage(memory: dict[str, Any], place: int) -> Passage:
    conversation, turn = memory.get("conversation"), memory.get("turn")
    source = memory.get("id") or (conversation if turn is None else f"{conversation}#{turn}")
    if source is None or (conversation is None and not memory.get("id")):
        source = f"{UNKNOWN}{place}"
    return Passage(str(source), score=memory.get("score"), text=memory["text"])


def _reason(why: Exception) -> str:
    return f"timeout: {why}" if isinstance(why, TimeoutError) else f"{type(why).__name__}: {why}"


TARGET = Memory
