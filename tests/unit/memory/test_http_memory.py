"""A memory behind HTTP answers as the same memory in our own process, and what goes wrong is told."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
import pytest

from ragmeter.obtain import obtain, target
from ragmeter.records import Case, Turn
from ragmeter.targets import TargetUnusable
from ragmeter.targets._http_memory import ARGUMENTS
from ragmeter.targets._reference_memory import Reference

HISTORY = (Turn("Tôi muốn hỏi về giấy phép lái xe", "Vâng."), Turn("a", "b"), Turn("c", "d"), Turn("e", "f"))
CASES = [
    Case("b1", "Mất bao lâu?", history=HISTORY, expected=("giấy phép lái xe",), tags={"layer": "B1_summary"}),
    Case("b2", "And the fishing licence?", past=HISTORY[:2], expected=("x",), tags={"layer": "B2_episodic"}),
]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status: int, value: Any) -> None:
        data = value if isinstance(value, bytes) else msgspec.json.encode(value)
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self.answer(200, self.server.said)  # type: ignore[attr-defined]

    def do_POST(self) -> None:
        server: Any = self.server
        method = self.path.removeprefix("/memory/")
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert tuple(body) == ARGUMENTS[method]
        server.calls.append(method)
        if method in server.broken:
            self.answer(*server.broken[method])
            return
        if "history" in body:
            body["history"] = [Turn(**turn) for turn in body["history"]]
        said = getattr(server.system, method)(*body.values())
        if method == "recall":
            self.answer(200, {"memories": [item if isinstance(item, dict) else vars_of(item) for item in said]})
        elif method == "stored":
            self.answer(200, {"texts": list(said)})
        elif method == "usage":
            self.answer(200, said)
        else:
            self.answer(200, {"text": said} if said is not None else {})

    def log_message(self, *args: Any) -> None:
        pass


def vars_of(item: Any) -> Any:
    return item if isinstance(item, str) else msgspec.to_builtins(item)


@pytest.fixture
def server() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.system, server.calls, server.broken = True, Reference(), [], {}
    server.said = {"methods": [name for name in ARGUMENTS if hasattr(server.system, name)]}
    server.base = f"http://127.0.0.1:{server.server_address[1]}/memory"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def outputs(spec: str) -> list[Any]:
    found = obtain(CASES, target(spec))
    return sorted((msgspec.structs.replace(one, seconds=None, usage=None) for one in found), key=lambda o: o.case)


def test_it_answers_as_the_same_system_in_our_own_process(server: Any) -> None:
    assert outputs(f"memory:{server.base}") == outputs("memory:reference")
    assert {"rewrite", "summarize", "observe", "recall"} <= set(server.calls)
    assert outputs(f"memory:{server.base}?pooled&k=2") == outputs("memory:reference?pooled&k=2")


def test_a_layer_whose_methods_are_missing_is_not_run(server: Any) -> None:
    server.said = {"methods": ["rewrite"]}
    assert [set(one.rewrites) for one in outputs(f"memory:{server.base}")] == [{"baseline"}, {"baseline"}]


@pytest.mark.parametrize(
    "said", [{}, [], {"methods": []}, {"methods": ["recall"]}, {"methods": ["rewrite", "x"]}, b"<html>"]
)
def test_a_server_that_does_not_say_what_it_can_is_unusable(server: Any, said: Any) -> None:
    server.said = said
    with pytest.raises(TargetUnusable, match="expected GET http://127.0.0.1:"):
        target(f"memory:{server.base}")


def test_nobody_there_is_unusable(server: Any) -> None:
    server.shutdown()
    server.server_close()
    with pytest.raises(TargetUnusable, match="ConnectError"):
        target(f"memory:{server.base}")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ((400, b"no such user"), "rewrite: HTTP 400: no such user"),
        ((200, {"texts": []}), 'rewrite: expected {"text": ...}, got'),
        ((200, b"{"), "rewrite: the answer is not JSON"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_an_error_of_the_case(server: Any, reply: Any, said: str) -> None:
    server.broken = {"rewrite": reply}
    from ragmeter.calls import Limits

    found = list(obtain(CASES, target(f"memory:{server.base}"), Limits(retries=0)))
    assert len(found) == 2 and all(said in (one.error or "") for one in found), found
