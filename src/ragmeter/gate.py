"""A gate is a rule on an estimate. The verdict over all gates is one object; text and exit code come from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ragmeter.errors import UsageError, nearest
from ragmeter.result import Estimate, Outcome, Result, Verdict

SLACK = 1e-12  # so that three times .7 passes >= .7


class Gate(Struct, frozen=True):
    """`metric` at least (or at most) `threshold`, over all cases or in one slice."""

    metric: str
    threshold: float
    at_least: bool = True
    slice: str = ""

    def __str__(self) -> str:
        where = f" [{self.slice}]" if self.slice else ""
        return f"{self.metric}{where} {'>=' if self.at_least else '<='} {self.threshold!r}"


def gates(minimum: Mapping[str, float], maximum: Mapping[str, float]) -> list[Gate]:
    """The gates of --min and --max. A key is a metric, or 'metric[tag=value]' for one slice."""
    rules = [(key, threshold, True) for key, threshold in minimum.items()]
    rules += [(key, threshold, False) for key, threshold in maximum.items()]
    made = []
    for key, threshold, at_least in rules:
        metric, bracket, slice = key.partition("[")
        if bracket and not slice.endswith("]"):
            raise UsageError(f"gate '{key}': expected METRIC[TAG=VALUE]")
        made.append(Gate(metric, threshold, at_least, slice.removesuffix("]")))
    return made


def gate(result: Result, rules: Sequence[Gate], *, inconclusive_fails: bool = True) -> Verdict:
    """Hold every rule against its estimate. UsageError when a rule names what was not measured."""
    return Verdict(tuple(_hold(result, rule) for rule in rules), inconclusive_fails)


def _hold(result: Result, rule: Gate) -> Outcome:
    estimate = result.find(rule.metric, rule.slice)
    if estimate is None:
        known = [f"{e.metric}[{e.slice}]" if e.slice else e.metric for e in result.estimates]
        wanted = f"{rule.metric}[{rule.slice}]" if rule.slice else rule.metric
        raise UsageError(f"gate on '{wanted}', which was not measured{nearest(wanted, known)}")
    passed = holds(estimate, rule)
    return Outcome(
        gate=str(rule),
        outcome="PASS" if passed else "FAIL",
        value=estimate.value,
        threshold=rule.threshold,
        message="" if passed else _why(estimate, rule),
        metric=estimate.metric,
        slice=rule.slice,
    )


def holds(estimate: Estimate, rule: Gate) -> bool:
    """Whether the point keeps the rule; a null does not."""
    if estimate.value is None:
        return False
    gap = estimate.value - rule.threshold
    return gap >= -SLACK if rule.at_least else gap <= SLACK


def _why(estimate: Estimate, rule: Gate) -> str:
    where = f"[{rule.slice}]" if rule.slice else ""
    side = "below" if rule.at_least else "above"
    value = "N/A" if estimate.value is None else js_number(estimate.value)
    return f"Threshold failed: {estimate.metric}{where}={value} is {side} {js_number(rule.threshold)}"


def js_number(value: float) -> str:
    """A double as JavaScript prints it: shortest digits, no trailing '.0', exponents from 1e21 and below 1e-6."""
    text = repr(float(value)).removesuffix(".0")
    mantissa, e, exponent = text.partition("e")
    if not e:
        return "0" if text == "-0" else text
    power = int(exponent)
    if 0 < power < 21:
        whole, _, rest = mantissa.partition(".")
        return whole + rest.removesuffix("0" if rest == "0" else "").ljust(power, "0")
    if -7 < power < 0:
        digits = mantissa.replace(".", "").lstrip("-")
        return ("-" if value < 0 else "") + "0." + "0" * (-power - 1) + digits
    return f"{mantissa.removesuffix('.0')}e{power:+d}"
