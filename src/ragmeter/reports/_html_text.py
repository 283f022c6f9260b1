"""Text inside an HTML page: escaped as markup, as JSON in a data block, and the page's own style and script."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from msgspec import json

from ragmeter.reports import visible

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_OPENS = re.compile("[<>&\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def esc(text: Any) -> str:
    """Text as markup and as a quoted attribute: nothing in it opens a tag, controls and bidi marks are shown."""
    return re.sub("[&<>\"']", lambda found: _ENTITIES[found.group()], visible(_whole(str(text))))


def data(value: Any) -> str:
    """A value as JSON for a data block: no character in it can end the block or begin a comment."""
    try:
        said = json.encode(value).decode()
    except UnicodeEncodeError:
        said = json.encode(_mended(value)).decode()
    return _OPENS.sub(lambda found: f"\\u{ord(found.group()):04x}", said)


def block(kind: str, value: Any) -> str:
    """A data block: a script element that no browser runs, which the page's script finds by its class."""
    return f'<script type="application/json" class="{kind}">{data(value)}</script>\n'


@cache
def style() -> str:
    """The page's style."""
    return _asset("page.css")


@cache
def script() -> str:
    """The page's script: its parts in one function, so that they share their names and nothing else does."""
    parts = "".join(_asset(f"{name}.js") for name in ("rows", "filter", "table", "case", "start"))
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def _asset(name: str) -> str:
    from importlib.resources import files

    return files("ragmeter.reports").joinpath("_html", name).read_text(encoding="utf-8")


def policy() -> str:
    """The content security policy: this style and this script, by their hashes, and nothing else at all."""
    return (
        f"default-src 'none'; style-src {_hash(style())}; script-src {_hash(script())}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    from base64 import b64encode
    from hashlib import sha256

    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _whole(text: str) -> str:
    """Half a surrogate pair is shown: no file can hold one."""
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return _whole(value)
    if isinstance(value, dict):
        return {_mended(key): _mended(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_mended(one) for one in value]
    return value
