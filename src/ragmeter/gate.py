"""A gate is a rule on an estimate. The verdict over all gates is one object; text and exit code come from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ragmeter.errors import UsageError, nearest
from ragmeter.result import Estimate, Outcome, Result, Row, Verdict

if TYPE_CHECKING:
    from ragmeter.compare import Delta, Source

SLACK = 1e-12  # so that three times .7 passes >= .7


class Gate(Struct, frozen=True):
    """`metric` at least (or at most) `threshold`, over all cases or in one slice.

    `kind` says what of it: 'point' its value, 'lower' or 'upper' a bound of its interval, 'nulls' or 'errors' a
    share of cases, 'regression' the loss against a baseline (`threshold` is what is borne), 'share' the share of
    cases in a class (`metric` is the field, `slice` its value).
    """

    metric: str
    threshold: float
    at_least: bool = True
    slice: str = ""
    kind: str = "point"

    def __str__(self) -> str:
        side = ">=" if self.at_least else "<="
        if self.kind == "share":
            return f"share({self.metric}={self.slice}) {side} {self.threshold!r}"
        if self.kind == "point":
            where = f" [{self.slice}]" if self.slice else ""
            return f"{self.metric}{where} {side} {self.threshold!r}"
        name = f"{self.metric}[{self.slice}]" if self.slice else self.metric
        if self.kind == "regression":
            return f"no regression of {name} beyond {self.threshold!r}"
        return f"{self.kind}({name}) {side} {self.threshold!r}" if name else f"{self.kind} {side} {self.threshold!r}"


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


def gate(
    result: Result,
    rules: Sequence[Gate],
    *,
    inconclusive_fails: bool = True,
    rows: Iterable[Row] = (),
    baseline: Source | None = None,
    seed: int = 0,
) -> Verdict:
    """Hold every rule against its estimate. UsageError when a rule names what was not measured.

    `rows` are read for shares of classes and for regressions, `baseline` is what regressions are against.
    """
    deltas = _deltas(result, [rule for rule in rules if rule.kind == "regression"], rows, baseline, seed)
    made = []
    for rule in rules:
        if rule.kind == "regression":
            made.append(_regression(rule, *deltas[rule]))
        elif rule.kind == "share":
            made.append(_class_share(result, rule, rows))
        elif rule.kind == "errors" and not rule.metric:
            made.append(_share(result, rule, [e for e in result.estimates if not e.slice]))
        else:
            made.append(_hold(rule, _estimate(result, rule), result))
    return Verdict(tuple(made), inconclusive_fails)


def _estimate(result: Result, rule: Gate) -> Estimate:
    estimate = result.find(rule.metric, rule.slice)
    if estimate is None:
        known = [f"{e.metric}[{e.slice}]" if e.slice else e.metric for e in result.estimates]
        wanted = f"{rule.metric}[{rule.slice}]" if rule.slice else rule.metric
        raise UsageError(f"gate on '{wanted}', which was not measured{nearest(wanted, known)}")
    return estimate


def _hold(rule: Gate, estimate: Estimate, result: Result) -> Outcome:
    if rule.kind in ("nulls", "errors"):
        return _share(result, rule, [estimate])
    if rule.kind in ("lower", "upper"):
        return _bound(rule, estimate)
    passed = holds(estimate, rule)
    said = "" if passed else _why(estimate, rule, plain=result.provenance.get("profile") == "s2")
    return _outcome(rule, "PASS" if passed else "FAIL", estimate.value, said, estimate.metric)


def _outcome(rule: Gate, word: str, value: float | None, said: str, metric: str, needed: int | None = None) -> Outcome:
    slice = "" if rule.kind == "share" else rule.slice
    return Outcome(str(rule), word, value, rule.threshold, said, metric, slice, needed, rule.kind)


def holds(estimate: Estimate, rule: Gate) -> bool:
    """Whether the point keeps the rule; a null does not."""
    return estimate.value is not None and _keeps(estimate.value, rule)


def _keeps(value: float, rule: Gate) -> bool:
    gap = value - rule.threshold
    return gap >= -SLACK if rule.at_least else gap <= SLACK


def _why(estimate: Estimate, rule: Gate, *, plain: bool = False) -> str:
    where = f"[{rule.slice}]" if rule.slice else ""
    side = "below" if rule.at_least else "above"
    if estimate.value is None and not plain:
        return f"{estimate.metric}{where}: nothing was scored{_reasons(estimate)}"
    value = "N/A" if estimate.value is None else js_number(estimate.value)
    return f"Threshold failed: {estimate.metric}{where}={value} is {side} {js_number(rule.threshold)}"


def _reasons(e: Estimate) -> str:
    said = [f"{count} {reason}" for reason, count in e.n_null.items()] + ([f"{e.n_error} failed"] if e.n_error else [])
    return f" ({', '.join(said)})" if said else ""


def _bound(rule: Gate, e: Estimate) -> Outcome:
    """The whole interval on the right side passes, the whole on the wrong one fails, across it is inconclusive."""
    if e.value is None:
        return _outcome(rule, "FAIL", None, _why(e, rule), e.metric)
    name = f"{e.metric}[{rule.slice}]" if rule.slice else e.metric
    if e.low is None or e.high is None:
        why = {
            "too_few": f"{e.n_scored} scored cases (or their clusters) are too few for an interval",
            "constant": "all scores are equal and their range is unknown, so there is no interval",
        }.get(e.interval, "it has no interval")
        return _outcome(rule, "INCONCLUSIVE", None, f"{rule}: {name}={js_number(e.value)}, but {why}", e.metric, _needed(e, rule))  # fmt: skip
    near, far = (e.low, e.high) if rule.at_least else (e.high, e.low)
    if _keeps(near, rule):
        return _outcome(rule, "PASS", near, "", e.metric)
    reach = f"{name}={js_number(e.value)}, {js_number(e.low)} to {js_number(e.high)} ({e.interval})"
    if not _keeps(far, rule):
        return _outcome(rule, "FAIL", near, f"{rule} fails: {reach}", e.metric)
    return _outcome(rule, "INCONCLUSIVE", near, f"{rule} is not decided: {reach}", e.metric, _needed(e, rule))


def _needed(e: Estimate, rule: Gate) -> int | None:
    """About how many cases would settle it if the value stayed as it is; the spread is read off the interval."""
    from ragmeter.significance.intervals import FEWEST_CASES
    from ragmeter.significance.power import cases_needed_for_threshold

    if e.value is None or e.interval in ("none", "constant"):
        return None
    if e.low is None or e.high is None:
        return FEWEST_CASES if e.n_scored < FEWEST_CASES else None
    gap = abs(e.value - rule.threshold)
    if gap <= SLACK:
        return None
    if e.interval == "wilson":
        return max(cases_needed_for_threshold(e.value, rule.threshold) or 0, e.n_scored + 1)
    return _scaled(e.n_scored, (e.high - e.low) / 2, gap)


def _scaled(n: int, half: float, gap: float) -> int:
    """The n at which a half width that shrinks with the root of n is `gap`; more than there are."""
    from math import ceil

    return max(n + 1, ceil(n * (half / gap) ** 2))


def _share(result: Result, rule: Gate, estimates: Sequence[Estimate]) -> Outcome:
    """The share of cases without a score, or of those that failed (on the metric where most did)."""
    shares = []
    for e in estimates:
        count = e.n_scored + e.nulls + e.n_error
        if count:
            shares.append(((e.nulls if rule.kind == "nulls" else e.n_error) / count, e))
    if not shares:
        return _outcome(rule, "FAIL", None, f"{rule}: there was no case", rule.metric)
    value, e = max(shares, key=lambda pair: pair[0])
    passed = _keeps(value, rule)
    said = "" if passed else f"{rule} fails: {js_number(value)} of {e.metric}{_reasons(e)}"
    return _outcome(rule, "PASS" if passed else "FAIL", value, said, e.metric)


def _class_share(result: Result, rule: Gate, rows: Iterable[Row]) -> Outcome:
    """The share of a class among the rows that have the field, in `extra` or in `tags`."""
    count: dict[str, int] = {}
    for row in rows:
        held: dict[str, Any] = {**(row.extra or {}), **(row.tags or {})}
        if rule.metric in held:
            word = str(held[rule.metric])
            count[word] = count.get(word, 0) + 1
    if not count:
        raise UsageError(f"gate '{rule}': no case has a field '{rule.metric}' (a tag must be asked for with --by)")
    value = count.get(rule.slice, 0) / sum(count.values())
    passed = _keeps(value, rule)
    seen = ", ".join(f"{n} {word}" for word, n in sorted(count.items(), key=lambda item: (-item[1], item[0]))[:10])
    return _outcome(rule, "PASS" if passed else "FAIL", value, "" if passed else f"{rule} fails: {js_number(value)} ({seen})", "")  # fmt: skip


def _deltas(
    result: Result, rules: Sequence[Gate], rows: Iterable[Row], baseline: Source | None, seed: int
) -> dict[Gate, tuple[Delta, float | None]]:
    """Each regression rule with its difference and its p, adjusted by Holm over all of them."""
    if not rules:
        return {}
    if baseline is None:
        raise UsageError(f"gate '{rules[0]}' needs a baseline: --baseline RUN, or baseline = ... in ragmeter.toml")
    from ragmeter.compare import Source, common_metrics, delta, refuse, slices
    from ragmeter.significance.corrections import holm

    new = Source("this run", {row.id: row for row in rows}, result)
    if not new.rows:
        raise UsageError("a regression needs the rows of the cases; give --per-query for a TREC run")
    refuse(baseline, new)
    groups = slices([(row, new.rows[id]) for id, row in baseline.rows.items() if id in new.rows])
    shared = common_metrics(baseline, new)
    found = []
    for rule in rules:
        metric = _estimate(result, rule).metric
        if metric not in shared:
            raise UsageError(f"gate '{rule}': the baseline has no '{metric}'{nearest(metric, shared)}")
        found.append(
            delta(baseline, new, groups.get(rule.slice, []), metric, rule.slice, seed=seed, borne=rule.threshold)
        )
    adjusted = holm([one.p for one in found])
    return {rule: (one, p) for rule, one, p in zip(rules, found, adjusted, strict=True)}


def _regression(rule: Gate, d: Delta, p: float | None) -> Outcome:
    """FAIL when the whole interval of the loss lies beyond what is borne and the paired test agrees.

    With too few cases for an interval the test alone decides. PASS when the whole interval lies within, or when no
    case got worse; else INCONCLUSIVE.
    """
    from ragmeter.compare import ALPHA
    from ragmeter.significance.intervals import FEWEST_CASES

    name = f"{d.metric}[{rule.slice}]" if rule.slice else d.metric
    if d.effect is None:
        why = {
            "no_pairs": "no case was scored in both runs",
            "not_a_mean": "it is no mean of cases, so cases cannot be paired",
        }[d.reason]
        return _outcome(rule, "INCONCLUSIVE", None, f"{rule} is not decided: {why}", d.metric)
    sign = 1 if d.higher_is_better else -1
    change = sign * d.effect
    alike = d.interval == "constant" and change >= -rule.threshold - SLACK  # 30 cases or more, all changed by as much
    if d.losses == 0 or alike:
        return _outcome(rule, "PASS", d.effect, "", d.metric)
    said = f"{name} changed by {d.effect:+.4g} on {d.n} cases ({d.losses} worse, {d.wins} better)"
    sure = p is not None and p <= ALPHA and change < -rule.threshold - SLACK
    p_said = f"p {'none' if p is None else f'{p:.2g}'}"
    if d.low is None or d.high is None:
        if sure:
            return _outcome(rule, "FAIL", d.effect, f"{rule} fails: {said}, {p_said}", d.metric)
        needed = FEWEST_CASES if d.n < FEWEST_CASES else None
        why = f"{rule} is not decided: {said}, too few for an interval, {p_said}"
        return _outcome(rule, "INCONCLUSIVE", d.effect, why, d.metric, needed)
    worst, best = sorted((sign * d.low, sign * d.high))
    if worst >= -rule.threshold - SLACK:
        return _outcome(rule, "PASS", d.effect, "", d.metric)
    reach = f"{said}, 95 % interval {d.low:+.4g} to {d.high:+.4g}, {p_said}"
    if sure and best < -rule.threshold - SLACK:
        return _outcome(rule, "FAIL", d.effect, f"{rule} fails: {reach}", d.metric)
    gap = abs(change + rule.threshold)
    needed = _scaled(d.n, (d.high - d.low) / 2, gap) if gap > SLACK else None
    return _outcome(rule, "INCONCLUSIVE", d.effect, f"{rule} is not decided: {reach}", d.metric, needed)


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
