"""A memory system behind HTTP: each method is a POST of its arguments to BASE/METHOD, answered in JSON.

    GET  BASE                                     {"methods": ["rewrite", "observe", ...], "owns_window": false}
    POST BASE/rewrite  {"question", "history", "context"}                        {"text": "..."}
    POST BASE/summarize  {"history"}                                             {"text": "..."}
    POST BASE/observe  {"user", "conversation", "user_text", "assistant_text"}   {}
    POST BASE/recall  {"user", "query", "conversation", "k"}                     {"memories": [...]}
    POST BASE/open, BASE/end_conversation  {"user", "conversation"};  BASE/close  {"user"}      {}
    POST BASE/stored  {"user", "conversation"}                                   {"texts": [...]}
    POST BASE/answer  {"user", "conversation", "question"}                       {"text": "..."}
    POST BASE/usage  {}                                                          {name: number}

`methods` says which of them the server has. A turn of `history` is {"user", "assistant"}.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from ragmeter.targets import TargetError, TargetUnusable
from ragmeter.web import Web, WebError

TIMEOUT = 30.0  # seconds for one call
ARGUMENTS = {
    "rewrite": ("question", "history", "context"),
    "summarize": ("history",),
    "observe": ("user", "conversation", "user_text", "assistant_text"),
    "recall": ("user", "query", "conversation", "k"),
    "open": ("user", "conversation"),
    "end_conversation": ("user", "conversation"),
    "close": ("user",),
    "stored": ("user", "conversation"),
    "answer": ("user", "conversation", "question"),
    "usage": (),
}
ANSWERS = {
    "rewrite": ("text", str),
    "summarize": ("text", str),
    "answer": ("text", str),
    "recall": ("memories", list),
    "stored": ("texts", list),
}


class Remote:
    """The system at an address, with the methods that it says it has."""

    def __init__(self, base: str):
        self.web = Web(base)
        self.loop = asyncio.new_event_loop()
        said = self._begin(base)
        self.owns_window = said.get("owns_window") is True
        for method in said["methods"]:
            setattr(self, method, self._method(method))

    def _begin(self, base: str) -> dict[str, Any]:
        """What the server says of itself. TargetUnusable when it says nothing, or nothing that fits."""
        expected = f'target memory: expected GET {base} to answer {{"methods": ["rewrite", ...]}}'
        try:
            said = self._wait(self.web.get(""))
        except (WebError, TimeoutError) as why:
            self.forget()
            raise TargetUnusable(f"{expected}: {why or 'no answer'}") from None
        methods = said.get("methods") if isinstance(said, dict) else None
        if not isinstance(methods, list) or "rewrite" not in methods or not set(methods) <= ARGUMENTS.keys():
            self.forget()
            raise TargetUnusable(f"{expected}, with methods among {', '.join(ARGUMENTS)}")
        return said  # type: ignore[no-any-return]

    def _method(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            body = dict(zip(ARGUMENTS[name], arguments, strict=True))
            try:
                said = self._wait(self.web.post(f"/{name}", body))
            except WebError as why:
                raise TargetError(f"{name}: {why}", retry=why.retry, after=why.after) from None
            except TimeoutError:
                raise TargetError(f"timeout: {name}: no answer in {TIMEOUT:g} s") from None
            if name == "usage" and isinstance(said, dict):
                return said
            if name not in ANSWERS:
                return None
            key, kind = ANSWERS[name]
            if not isinstance(said, dict) or not isinstance(said.get(key), kind):
                raise TargetError(f'{name}: expected {{"{key}": ...}}, got {str(said)[:80]}', retry=False)
            return said[key]

        return call

    def _wait(self, work: Any) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(work, TIMEOUT))

    def forget(self) -> None:
        """Close the connections."""
        self.loop.run_until_complete(self.web.aclose())
        self.loop.close()
