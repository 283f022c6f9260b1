"""The text of a gate: `lower(recall@5[language=vi]) >= 0.7`, `no regression of ndcg@10 beyond 0.01`.

    METRIC >= NUMBER             the value; also <=
    lower(METRIC) >= NUMBER      the lower bound of its 95 % interval
    upper(METRIC) <= NUMBER      the upper bound
    nulls(METRIC) <= SHARE       the share of cases that have no score
    errors <= SHARE              the share of cases that failed; errors(METRIC) of one metric
    share(FIELD=VALUE) <= SHARE  the share of cases whose class or tag FIELD is VALUE
    no regression of METRIC [beyond NUMBER]

METRIC may name a slice: METRIC[TAG=VALUE].
"""

from __future__ import annotations

import re
from math import isfinite

from ragmeter.errors import UsageError, nearest
from ragmeter.gate import Gate

FUNCTIONS = ("lower", "upper", "nulls", "errors", "share")
_REGRESSION = re.compile(r"no\s+regression\s+of\s+", re.IGNORECASE)
_BEYOND = re.compile(r"\s+beyond\s+(?=\S+\s*$)", re.IGNORECASE)
_CALL = re.compile(r"(\w+)\s*\((.*)\)", re.DOTALL)


class _Text(str):
    """A gate as typed; `fail` says at which column (from 1) it stopped making sense."""

    def fail(self, at: int, expected: str) -> UsageError:
        return UsageError(f"gate '{self}', column {at + 1}: {expected}")


def parse(text: str) -> Gate:
    """One gate. UsageError with the column and what is known."""
    said = _Text(text)
    start = len(text) - len(text.lstrip())
    if found := _REGRESSION.match(text, start):
        return _regression(said, found.end())
    closing = max(text.rfind("]"), text.rfind(")")) + 1  # a slice or a class may hold any character
    operator = re.compile(r"[<>=!~]+").search(text, closing)
    if operator is None:
        word = text.split()[0] if text.split() else ""
        near = nearest(word, ["no regression of", *FUNCTIONS]) if word == "no" else ""
        raise said.fail(len(text.rstrip()), f"expected >= or <= and a number{near}")
    if operator.group() not in (">=", "<="):
        raise said.fail(operator.start(), f"expected >= or <=, not '{operator.group()}'")
    threshold = _number(said, operator.end())
    return _left(said, start, text[start : operator.start()].rstrip(), operator.group() == ">=", threshold)


def _left(said: _Text, start: int, left: str, at_least: bool, threshold: float) -> Gate:
    if not left:
        raise said.fail(start, "expected a metric before the comparison")
    if left == "errors":
        return Gate("", _share(said, threshold), at_least, kind="errors")
    call = _CALL.fullmatch(left)
    if call is None:
        if left.count("(") != left.count(")"):
            raise said.fail(
                start + len(left), "a parenthesis is not closed" if "(" in left else "expected '(' before ')'"
            )
        metric, slice = _place(said, start, left)
        return Gate(metric, threshold, at_least, slice)
    kind, inside = call.groups()
    at = start + call.start(2)
    if kind not in FUNCTIONS:
        raise said.fail(start, f"'{kind}' is none of {', '.join(FUNCTIONS)}{nearest(kind, FUNCTIONS)}")
    if (kind, at_least) in (("lower", False), ("upper", True)):
        raise said.fail(start, f"{kind}(...) goes with {'>=' if kind == 'lower' else '<='}: the other way round the interval would excuse the run")  # fmt: skip
    if kind == "share":
        field, equals, value = inside.strip().partition("=")
        if not equals or not field or not value:
            raise said.fail(at, "expected share(FIELD=VALUE)")
        return Gate(field, _share(said, threshold), at_least, value, kind="share")
    metric, slice = _place(said, at, inside.strip())
    return Gate(
        metric, threshold if kind in ("lower", "upper") else _share(said, threshold), at_least, slice, kind=kind
    )


def _regression(said: _Text, start: int) -> Gate:
    beyond = _BEYOND.search(said, start)
    margin = _number(said, beyond.end()) if beyond else 0.0
    if beyond and margin < 0:
        raise said.fail(beyond.end(), "expected how large a loss is borne, 0 or more")
    metric, slice = _place(said, start, said[start : beyond.start() if beyond else None].strip())
    return Gate(metric, margin, True, slice, kind="regression")


def _place(said: _Text, at: int, text: str) -> tuple[str, str]:
    metric, bracket, slice = text.partition("[")
    metric = metric.strip()
    if not metric or re.search(r"\s|[()]", metric):
        raise said.fail(at, f"expected a metric, such as recall@5, not '{metric}'")
    if bracket and (not slice.endswith("]") or "=" not in slice):
        raise said.fail(at + text.index("["), "expected METRIC[TAG=VALUE]")
    return metric, slice.removesuffix("]")


def _number(said: _Text, at: int) -> float:
    text = said[at:].strip()
    at += len(said[at:]) - len(said[at:].lstrip())
    try:
        value = float(text) if re.fullmatch(r"[-+.\deE]+%?", text) and not text.endswith("%") else None
    except ValueError:
        value = None
    if value is None or not isfinite(value):
        raise said.fail(at, f"expected a number, not '{text}'")
    return value


def _share(said: _Text, value: float) -> float:
    if not 0 <= value <= 1:
        raise said.fail(0, f"a share lies between 0 and 1, not {value:g}")
    return value
