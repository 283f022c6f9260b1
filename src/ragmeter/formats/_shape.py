"""What is wrong with a parsed JSON value, said by its shipped JSON Schema: every fault with its place.

This reads the part of JSON Schema 2020-12 that our schemas are written in, and no more: `type`, `enum`,
`pattern`, `minimum`, `maximum`, `exclusiveMinimum`, `properties`, `required`, `dependentRequired`,
`additionalProperties`, `propertyNames`, `items`, `prefixItems`, `minItems`, `maxItems`, `anyOf`, `$ref` into
`$defs`. A subschema's `title` is the noun that messages use for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from sys import float_info
from typing import Any

from ragmeter.errors import nearest

LARGEST = int(float_info.max)
SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"
NOUNS = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}


@cache
def schema(name: str) -> dict[str, Any]:
    """A shipped schema by its file name, parsed."""
    from msgspec import json

    return json.decode((SCHEMAS / name).read_bytes(), type=dict[str, Any])


def faults(value: Any, name: str) -> Iterator[str]:
    """Every fault of a value under the shipped schema of that file name, as 'POINTER: what was expected'.

    The pointer is a JSON Pointer (RFC 6901) into the value; a fault of the value itself has none. A value
    without faults yields nothing.
    """
    root = schema(name)
    for pointer, said in _faults(value, root, root, ""):
        yield f"{pointer}: {said}" if pointer else said


def _faults(value: Any, shape: dict[str, Any], root: dict[str, Any], at: str) -> Iterator[tuple[str, str]]:
    shape = _resolved(shape, root)
    if "anyOf" in shape:
        fitting = [one for one in shape["anyOf"] if _is(value, _types(_resolved(one, root)))]
        if len(fitting) == 1:
            yield from _faults(value, fitting[0], root, at)
            return
    types = _types(shape)
    if (types and not _is(value, types)) or "anyOf" in shape:
        yield at, f"expected {_noun(shape, root) if at else 'a JSON object'}, got {_said(value)}"
    elif isinstance(value, dict):
        yield from _object_faults(value, shape, root, at)
    elif isinstance(value, list):
        yield from _array_faults(value, shape, root, at)
    elif not _fits(value, shape):
        yield at, f"expected {_noun(shape, root)}, got {_said(value)}"


def _object_faults(
    value: dict[str, Any], shape: dict[str, Any], root: dict[str, Any], at: str
) -> Iterator[tuple[str, str]]:
    known, names = shape.get("properties", {}), shape.get("propertyNames")
    for key in shape.get("required", ()):
        if key not in value:
            yield f"{at}/{key}", f"is missing: expected {_noun(known.get(key, {}), root)}"
    for key, others in shape.get("dependentRequired", {}).items():
        for other in others if key in value else ():
            if other not in value:
                yield f"{at}/{other}", f"is missing: '{key}' is never given without it"
    for key, held in value.items():
        place = f"{at}/{key.replace('~', '~0').replace('/', '~1')}"
        inner = known.get(key, shape.get("additionalProperties", True))
        if inner is False:
            advice = " (other things go under 'extra')" if "extra" in known else ""
            yield place, f"unknown field{nearest(key, [*known])}{advice}"
            continue
        if names and any(_faults(key, names, root, place)):
            yield place, f"expected {_noun(names, root)} as the name, got {_said(key)}"
        if inner is not True:
            yield from _faults(held, inner, root, place)


def _array_faults(value: list[Any], shape: dict[str, Any], root: dict[str, Any], at: str) -> Iterator[tuple[str, str]]:
    if not shape.get("minItems", 0) <= len(value) <= shape.get("maxItems", len(value)):
        yield at, f"expected {_noun(shape, root)}, got {len(value)} items"
        return
    first = shape.get("prefixItems", ())
    for i, held in enumerate(value):
        inner = first[i] if i < len(first) else shape.get("items")
        if inner:
            yield from _faults(held, inner, root, f"{at}/{i}")


def _fits(value: Any, shape: dict[str, Any]) -> bool:
    """Whether a string, number, boolean or null of the right type keeps the rest."""
    if "enum" in shape and value not in shape["enum"]:
        return False
    if isinstance(value, str):
        return "pattern" not in shape or re.search(shape["pattern"], value) is not None
    if isinstance(value, bool) or value is None:
        return True
    within = shape.get("minimum", value) <= value <= shape.get("maximum", value)
    return bool(within and ("exclusiveMinimum" not in shape or value > shape["exclusiveMinimum"]))


def _resolved(shape: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in shape:
        return shape
    return {**root["$defs"][shape["$ref"].removeprefix("#/$defs/")], **shape}


def _types(shape: dict[str, Any]) -> list[str]:
    types = shape.get("type", [])
    return [types] if isinstance(types, str) else types


def _is(value: Any, types: list[str]) -> bool:
    return any(_is_one(value, one) for one in types)


def _is_one(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if kind == "number" and isinstance(value, int) and abs(value) > LARGEST:
        return False
    kinds = {"string": str, "number": (int, float), "array": list, "object": dict, "null": type(None)}
    return kind in kinds and isinstance(value, kinds[kind])  # type: ignore[arg-type]


def _noun(shape: dict[str, Any], root: dict[str, Any]) -> str:
    shape = _resolved(shape, root)
    if "title" in shape:
        return str(shape["title"])
    if "enum" in shape:
        return " or ".join(repr(one) for one in shape["enum"])
    if "anyOf" in shape:
        return " or ".join(_noun(one, root) for one in shape["anyOf"])
    said = " or ".join(NOUNS[one] for one in _types(shape)) or "something else"
    limits = [("minimum", "from"), ("exclusiveMinimum", "above"), ("maximum", "to")]
    return " ".join([said, *(f"{word} {shape[limit]}" for limit, word in limits if limit in shape)])


def _said(value: Any) -> str:
    """A value as a message names it: short."""
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…") if value else "an empty string"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int | float):
        return repr(value) if abs(value) < 10**15 else f"{str(value)[:15]}…"
    return NOUNS["array" if isinstance(value, list) else "object"]
