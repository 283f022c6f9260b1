"""The one seam to HTTP: JSON over POST, bounded bodies, and failures that say whether another try may help.

A key comes from the environment variable that the spec names and goes into the Authorization header alone; no
message holds it. Proxies and TLS verification are httpx's defaults. Redirects are not followed: a key
never goes to another host. How often to try and how long to wait belong to `calls`.
"""

from __future__ import annotations

import email.utils
import os
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from ragmeter.errors import UsageError

LARGEST = 32 << 20  # bytes of one body
RETRIED = {408, 409, 425, 429, 500, 502, 503, 504, 529}
SHOWN = 300  # characters of a failing body that are told


class WebError(Exception):
    """No usable answer. `retry` says whether another try may help, `after` the seconds the server asked for."""

    def __init__(self, message: str, *, retry: bool = True, after: float | None = None):
        super().__init__(message)
        self.retry = retry
        self.after = after


class Web:
    """A server at `base`, asked over kept connections. It is made for one event loop and closed with `aclose`."""

    def __init__(
        self,
        base: str,
        *,
        key_env: str = "",
        headers: Mapping[str, str] | None = None,
        connections: int = 64,
        largest: int = LARGEST,
    ):
        parts = urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"'{base}' is no address: expected http://HOST... or https://HOST...")
        if parts.username or parts.password:
            raise UsageError("an address holds no name and password; name the key's variable with key_env=NAME")
        self.base, self.largest, self.connections = base.rstrip("/"), largest, connections
        self.key = os.environ.get(key_env, "") if key_env else ""
        if key_env and not self.key:
            raise UsageError(f"the environment variable {key_env}, which holds the key, is not set")
        self.headers = {"User-Agent": "ragmeter", **(headers or {})}
        if self.key:
            self.headers["Authorization"] = f"Bearer {self.key}"
        self._client: Any = None

    def _open(self) -> Any:
        import httpx

        if self._client is None:
            limits = httpx.Limits(max_connections=self.connections, max_keepalive_connections=self.connections)
            # deadlines belong to `calls`, which bounds the whole try and not each read
            self._client = httpx.AsyncClient(headers=self.headers, limits=limits, timeout=None, follow_redirects=False)
        return self._client

    async def post(self, path: str, body: Any) -> Any:
        """The JSON value that the server answers to a JSON body. Raises WebError."""
        return self._decoded(b"".join([piece async for piece in self.stream(path, body)]))

    async def get(self, path: str) -> Any:
        """The JSON value at an address. Raises WebError."""
        return self._decoded(b"".join([piece async for piece in self.stream(path, None, method="GET")]))

    def _decoded(self, data: bytes) -> Any:
        try:
            return msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as why:
            raise WebError(f"the answer is not JSON: {why}: {self.hide(_start(data))}") from None

    async def stream(self, path: str, body: Any, *, method: str = "POST") -> AsyncIterator[bytes]:
        """The pieces of the answer as they come, at most `largest` bytes. Raises WebError."""
        import httpx

        content = None if body is None else msgspec.json.encode(body)
        headers = {"Content-Type": "application/json"} if content is not None else {}
        taken = 0
        try:
            async with self._open().stream(method, self.base + path, content=content, headers=headers) as reply:
                if reply.status_code != 200:
                    raise self._refused(reply, await _some(reply))
                async for piece in reply.aiter_bytes():
                    taken += len(piece)
                    if taken > self.largest:
                        raise WebError(f"the answer is longer than {self.largest >> 20} MiB", retry=False)
                    yield piece
        except httpx.HTTPError as why:
            raise WebError(self.hide(f"{type(why).__name__}: {why}".rstrip(": "))) from None
        except httpx.InvalidURL as why:
            raise WebError(f"'{self.base}{path}' is no address: {why}", retry=False) from None

    def _refused(self, reply: Any, start: bytes) -> WebError:
        status = reply.status_code
        if 300 <= status < 400:
            return WebError(f"HTTP {status}: the server sends us elsewhere; name that address itself", retry=False)
        said = self.hide(_start(start))
        message = f"HTTP {status}" + (f": {said}" if said else "")
        return WebError(message, retry=status in RETRIED, after=retry_after(reply.headers.get("retry-after")))

    def hide(self, text: str) -> str:
        """The text without our key, should a server echo it."""
        return text.replace(self.key, "[key]") if self.key else text

    async def aclose(self) -> None:
        """Close the connections; the next call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


async def _some(reply: Any) -> bytes:
    start = b""
    async for piece in reply.aiter_bytes():
        start += piece
        if len(start) > 4 * SHOWN:
            break
    return start


def _start(data: bytes) -> str:
    text = " ".join(data[: 4 * SHOWN].decode(errors="replace").split())
    return text[:SHOWN] + ("..." if len(text) > SHOWN else "")


def retry_after(text: str | None) -> float | None:
    """Seconds of a Retry-After header: a number, or a date. None when it says nothing we can read."""
    if not text:
        return None
    try:
        seconds = float(text) if text.strip().replace(".", "", 1).isdigit() else -1.0
        if seconds < 0:
            seconds = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0.0, seconds)
