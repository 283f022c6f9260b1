"""HTTP: what is asked, what a failure says, how much is read, and that no key leaves its header."""

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ragmeter.errors import UsageError
from ragmeter.web import Web, WebError, retry_after

KEY = "sk-test-1234567890"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.seen.append((self.path, dict(self.headers), body))  # type: ignore[attr-defined]
        status, headers, data = self.server.replies[self.path]  # type: ignore[attr-defined]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.seen, server.replies = True, [], {}
    server.base = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def post(web: Web, path: str, body: Any = None) -> Any:
    async def once() -> Any:
        try:
            return await web.post(path, body)
        finally:
            await web.aclose()

    return asyncio.run(once())


def failure(web: Web, path: str) -> WebError:
    with pytest.raises(WebError) as raised:
        post(web, path, {})
    return raised.value


def test_json_goes_out_and_comes_back(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    server.replies["/v1/x"] = (200, {}, '{"a":"Đà Nẵng"}'.encode())
    assert post(Web(server.base + "/v1/", key_env="A_KEY"), "/x", {"q": "한국"}) == {"a": "Đà Nẵng"}
    ((_, headers, body),) = server.seen
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert json.loads(body) == {"q": "한국"}


@pytest.mark.parametrize(("status", "retry"), [(429, True), (500, True), (503, True), (400, False), (401, False)])
def test_a_refusal_says_whether_to_try_again(server: Any, status: int, retry: bool) -> None:
    server.replies["/"] = (status, {"Retry-After": "7"}, b"because\n of  this")
    why = failure(Web(server.base), "/")
    assert (str(why), why.retry, why.after) == (f"HTTP {status}: because of this", retry, 7.0)


def test_an_echoed_key_is_not_told(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    server.replies["/"] = (401, {}, f"bad key {KEY}".encode())
    server.replies["/json"] = (200, {}, f"{KEY} is no JSON".encode())
    assert str(failure(Web(server.base, key_env="A_KEY"), "/")) == "HTTP 401: bad key [key]"
    assert KEY not in str(failure(Web(server.base, key_env="A_KEY"), "/json"))


def test_a_redirect_is_not_followed(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    server.replies["/"] = (307, {"Location": "http://127.0.0.1:1/"}, b"")
    why = failure(Web(server.base, key_env="A_KEY"), "/")
    assert "sends us elsewhere" in str(why) and not why.retry and len(server.seen) == 1


def test_a_long_answer_is_cut_off(server: Any) -> None:
    server.replies["/"] = (200, {}, b'"' + b"x" * (3 << 20) + b'"')
    why = failure(Web(server.base, largest=1 << 20), "/")
    assert (str(why), why.retry) == ("the answer is longer than 1 MiB", False)
    assert len(post(Web(server.base), "/")) == 3 << 20


@pytest.mark.parametrize("data", [b"", b"{", b"[1, NaN]", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_said(server: Any, data: bytes) -> None:
    server.replies["/"] = (200, {}, data)
    why = failure(Web(server.base), "/")
    assert str(why).startswith("the answer is not JSON") and why.retry and len(str(why)) < 500


def test_nobody_there_is_a_failure_worth_another_try(server: Any) -> None:
    base = server.base
    server.shutdown()
    server.server_close()
    why = failure(Web(base), "/")
    assert str(why).startswith("ConnectError") and why.retry


def test_a_bad_address_or_missing_key_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for base in ("ftp://a", "localhost:80", "", "http://"):
        with pytest.raises(UsageError, match="is no address"):
            Web(base)
    with pytest.raises(UsageError, match="no name and password"):
        Web("http://me:secret@host")
    monkeypatch.delenv("A_KEY", raising=False)
    with pytest.raises(UsageError, match="A_KEY, which holds the key, is not set"):
        Web("http://host", key_env="A_KEY")


def test_retry_after_reads_seconds_and_dates() -> None:
    assert retry_after("3") == 3.0 and retry_after("0.5") == 0.5
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert retry_after(None) is None and retry_after("soon") is None and retry_after("-5") is None
