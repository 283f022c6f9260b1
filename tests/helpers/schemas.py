"""Shipped schemas in tests: an independent validator, and documents near what a schema asks for."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import ragmeter

FOLDER = Path(ragmeter.__file__).parent / "schemas"
NAMES = sorted(path.name for path in FOLDER.glob("*.json"))

TEXT = st.sampled_from(
    ["", " ", "\u00a0", "\x85", "\ufeff", "a", "d1", "1.0", "x: y", '":', "é", "😀", "vital"]
) | st.text(st.characters(codec="utf-8"), max_size=5)
SCALARS = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, -1, 2, 1.0, -0.0, 0.5, 1e300, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 10**30])
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)
JUNK = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=4
)


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((FOLDER / name).read_bytes()))


def documents(name: str) -> st.SearchStrategy[Any]:
    """Documents of which many are right and most of the others are wrong in one place."""
    root = validator(name).schema
    return near(root, root, wrong=0.03) | near(root, root, wrong=0) | JUNK


def near(shape: dict[str, Any], root: dict[str, Any], *, wrong: float) -> st.SearchStrategy[Any]:
    """Values of a subschema; each value in it is junk with a chance of about `wrong`."""
    right = st.deferred(lambda: _right(shape, root, wrong))
    if not wrong:
        return right
    return st.integers(0, round(1 / wrong)).flatmap(lambda dice: right if dice else JUNK)


def _right(shape: dict[str, Any], root: dict[str, Any], wrong: float) -> st.SearchStrategy[Any]:
    if "$ref" in shape:
        shape = {**root["$defs"][shape["$ref"].removeprefix("#/$defs/")], **shape}
    if "anyOf" in shape:
        return st.one_of([near(one, root, wrong=wrong) for one in shape["anyOf"]])
    if "enum" in shape:
        return st.sampled_from(shape["enum"])
    types = shape["type"] if isinstance(shape["type"], list) else [shape["type"]]
    return st.one_of([_of_type(kind, shape, root, wrong) for kind in types])


def _of_type(kind: str, shape: dict[str, Any], root: dict[str, Any], wrong: float) -> st.SearchStrategy[Any]:
    if kind == "object":
        return _objects(shape, root, wrong)
    if kind == "array":
        items = near(shape["items"], root, wrong=wrong)
        return st.lists(items, min_size=shape.get("minItems", 0), max_size=shape.get("maxItems", 3))
    if kind == "integer":
        low, high = shape.get("minimum", -3), min(shape.get("maximum", 3), 3)
        whole = st.integers(max(low, -3), high)
        return whole | whole.map(float)
    if kind == "number":
        low = shape.get("minimum", shape.get("exclusiveMinimum", -2.0))
        return st.floats(low, 1e6, exclude_min="exclusiveMinimum" in shape) | st.integers(int(low) + 1, 9)
    return {"string": TEXT.filter(str.strip), "boolean": st.booleans(), "null": st.none()}[kind]


def _objects(shape: dict[str, Any], root: dict[str, Any], wrong: float) -> st.SearchStrategy[Any]:
    fields = {key: near(inner, root, wrong=wrong) for key, inner in shape.get("properties", {}).items()}
    required = set(shape.get("required", ()))
    kept = st.fixed_dictionaries(
        {key: fields[key] for key in sorted(required)},
        optional={key: inner for key, inner in fields.items() if key not in required},
    )
    rest = shape.get("additionalProperties", True)
    if rest is False:
        odd = st.dictionaries(st.sampled_from(["zzz", "Id", "", "extra ", *fields]), JUNK, max_size=1)
        some = st.integers(0, 12).flatmap(lambda dice: st.just({}) if dice or not wrong else odd)
        lost = st.sets(st.sampled_from(sorted(fields)), max_size=1) if wrong and fields else st.just(set())
        return st.tuples(kept, some, lost).map(lambda t: {k: v for k, v in {**t[0], **t[1]}.items() if k not in t[2]})
    inner = JUNK if rest is True else near(rest, root, wrong=wrong)
    names = TEXT.filter(str.strip) if not wrong else TEXT
    return st.tuples(kept, st.dictionaries(names, inner, max_size=3)).map(lambda pair: {**pair[1], **pair[0]})
