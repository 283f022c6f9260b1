"""What a metric is, and how the names that users type become metrics with their conventions.

A metric is one file here: its docstring is its page, `score` its definition on Facts, METRIC its contract.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from ragmeter.errors import UsageError, nearest
from ragmeter.facts import BITS, EVERY, Facts
from ragmeter.profiles import Profile
from ragmeter.registry import find
from ragmeter.result import Score, null

CUTOFF = re.compile(r"\d+(\.\d+)?")


class Metric(Struct, frozen=True):
    """A formula and what it needs.

    `score(facts, **options) -> Score` is the definition. `kernel(batch, **options)` answers the same for a
    FactsBatch as three arrays (num, den, reason code) and is optional. `needs` names the parts without which
    the answer is `not_recorded`: 'qrels', 'retrieved', 'cited', 'answer', 'contexts'; 'pool' says that judged
    passages that are not relevant matter too; 'judgments' and 'texts' also put Facts.judged, Facts.case and
    Facts.output there. `defaults` are the options with their default;
    'k' is the number after '@', and a metric with a whole k reads no rank beyond it. `conventions` gives short names to sets of options.

    `aggregate` is 'mean' or 'sum'. A metric whose estimate is neither brings `finish(mean)`, or a
    `state(facts, **options)` merged by + and `finish(state)`; rows still show `score`.
    `interval(state)` is (low, high, kind) where there are too few cases for the house's own interval.
    `proportion` says that every score is 0 or 1, so that its interval is one of a proportion.
    `bounds` are the lowest and the highest value a score can have, None where there is no such pair.
    `limits` are the lowest and the highest value that an option may have.
    """

    score: Callable[..., Score]
    kernel: Callable[..., Any] | None = None
    needs: tuple[str, ...] = ()
    defaults: dict[str, Any] = field(default_factory=dict)
    conventions: dict[str, dict[str, Any]] = field(default_factory=dict)
    aggregate: str = "mean"
    state: Callable[..., Any] | None = None
    finish: Callable[[Any], float | None] | None = None
    interval: Callable[[Any], tuple[float, float, str]] | None = None
    proportion: bool = False
    bounds: tuple[float, float] | None = (0.0, 1.0)
    limits: dict[str, tuple[float, float]] = field(default_factory=dict)
    higher_is_better: bool = True
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)  # values of an option that no convention has
    judge: str = ""  # which judge answers what the metric asks for, shown where it was not judged

    @property
    def by_record(self) -> bool:
        """Whether the score depends on more than the integers, so that it is computed case by case."""
        return "judgments" in self.needs or "texts" in self.needs


ARMS = ("arm", "against")  # options that name something of the outputs, so any text may be meant


class Measure(Struct, frozen=True):
    """A metric with its options settled: one column of a report."""

    label: str  # as shown
    definition: str  # name:convention@k in full
    metric: Metric
    options: dict[str, Any]
    empty: dict[str, float]  # reasons that this profile counts as a number
    mask: int = 0  # bits of Facts.recorded that must be set

    def score(self, facts: Facts) -> Score:
        """The metric on one case; null where the system failed or a needed part was not recorded."""
        if facts.error:
            return null(facts.error)
        if self.mask & ~facts.recorded:
            return null("not_recorded")
        return self.settle(self.metric.score(facts, **self.options))

    @property
    def depth(self) -> int:
        """The lowest rank that the score depends on; 0 when it reads none."""
        if not {"qrels", "retrieved"} <= set(self.metric.needs):
            return 0
        k = self.options.get("k")
        return k if isinstance(k, int) else EVERY

    def settle(self, score: Score) -> Score:
        """A reason that the profile counts as a number becomes that number."""
        if score.reason and score.reason in self.empty:
            return Score(self.empty[score.reason])
        return score


def measures(specs: str | list[str] | tuple[str, ...], profile: Profile, k: int | None = None) -> list[Measure]:
    """The metrics that the specs name, such as 'ndcg@5,10' or 'ndcg:exp@10,recall@100', under a profile.

    A number after a comma is one more cutoff of the metric before it. `k` is the cutoff of metrics that have
    one and name none. Raises UsageError for an unknown metric, option or a cutoff that is not positive.
    """
    chosen: list[Measure] = []
    for spec in [specs] if isinstance(specs, str) else specs:
        chosen += [measure(one, profile, k) for one in split_spec(spec)]
    labels: dict[str, Measure] = {}
    for one in chosen:
        labels.setdefault(one.label, one)
    return list(labels.values())


def split_spec(spec: str) -> list[str]:
    """'ndcg@5,10,recall' -> ['ndcg@5', 'ndcg@10', 'recall']."""
    parts: list[str] = []
    stem = ""
    for piece in spec.split(","):
        piece = piece.strip()
        if CUTOFF.fullmatch(piece) and stem:
            parts.append(f"{stem}@{piece}")
        elif "=" in piece and parts and ":" in parts[-1] and "@" not in parts[-1] and ":" not in piece:
            parts[-1] += f",{piece}"
            stem = parts[-1]
        else:
            parts.append(piece)
            stem = piece.split("@")[0]
        if "@" in parts[-1]:
            stem = parts[-1].split("@")[0]
    return parts


def measure(spec: str, profile: Profile, k: int | None = None) -> Measure:
    """One metric with its options: NAME[:CONVENTION or option=value][@k]."""
    if not spec:
        raise UsageError("-m: expected the name of a metric; `ragmeter list metrics` has all")
    stem, _, cutoff = spec.partition("@")
    name, _, convention = stem.partition(":")
    name = profile.names.get(name, name)
    metric: Metric = find("metric", name)
    options = {**metric.defaults, **profile.conventions.get(name, {})}
    for word in filter(None, convention.split(",")):
        options.update(_option(name, metric, word))
    typed = bool(cutoff)
    if typed:
        options["k"] = _cutoff(name, metric, cutoff)
    elif k is not None and isinstance(options.get("k"), int):  # a float is a recall level or a multiple, no cutoff
        options["k"] = k
    _check(name, metric, options)
    label = profile.labels.get(name) if not convention and not typed else None
    at = options.get("k")
    shown = f"{stem}@{at:g}" if at is not None else stem
    empty = {**profile.empty.get("*", {}), **profile.empty.get(name, {})}
    mask = sum(BITS[need] for need in metric.needs if need in BITS)
    return Measure(label or shown, _definition(name, metric, options), metric, options, empty, mask)


def _definition(name: str, metric: Metric, options: Mapping[str, Any]) -> str:
    said = [f"{key}={options[key]}" if not isinstance(options[key], str) else options[key]
            for key in sorted(options) if key != "k"]  # fmt: skip
    full = name + (":" + ",".join(said) if said else "")
    return full + (f"@{options['k']:g}" if options.get("k") is not None else "")


def _option(name: str, metric: Metric, word: str) -> dict[str, Any]:
    if word in metric.conventions:
        return metric.conventions[word]
    key, equals, value = word.partition("=")
    if not equals or key not in metric.defaults or key == "k":
        known = sorted([*metric.conventions, *(f"{key}=" for key in metric.defaults if key != "k")])
        raise UsageError(f"metric '{name}' has no convention '{word}'; it knows: {', '.join(known) or 'none'}")
    default = metric.defaults[key]
    if isinstance(default, str) and key not in ARMS:
        values = {default, *(chosen[key] for chosen in metric.conventions.values() if key in chosen)}
        values.update(metric.choices.get(key, ()))
        if value not in values:
            said = f"expected one of {', '.join(sorted(values))}, got '{value}'{nearest(value, values)}"
            raise UsageError(f"metric '{name}': {key}: {said}")
    try:
        if isinstance(default, bool):
            return {key: {"true": True, "false": False}[value.lower()]}
        return {key: type(default)(value) if default is not None else float(value)}
    except (ValueError, KeyError):
        raise UsageError(f"metric '{name}': {key}: expected a {type(default).__name__}, got '{value}'") from None


def _check(name: str, metric: Metric, options: Mapping[str, Any]) -> None:
    """UsageError for an option with which the formula means nothing."""
    for key, value in options.items():
        low, high = metric.limits.get(key, (-math.inf, math.inf))
        if isinstance(value, int | float) and not (math.isfinite(value) and low <= value <= high):
            within = f"from {low:g} to {high:g}" if key in metric.limits else "that is finite"
            raise UsageError(f"metric '{name}': {key}: expected a number {within}, got {value:g}")


def _cutoff(name: str, metric: Metric, text: str) -> float:
    if "k" not in metric.defaults:
        raise UsageError(f"metric '{name}' has no cutoff, so '@{text}' means nothing here")
    if not CUTOFF.fullmatch(text):
        raise UsageError(f"metric '{name}': '@{text}': expected a positive number after '@'")
    value = float(text)
    if value > 2**53:
        raise UsageError(f"metric '{name}': the cutoff is too large: at most 2^53")
    if isinstance(metric.defaults["k"], float):
        return value
    if value != int(value) or value < 1:
        raise UsageError(f"metric '{name}': '@{text}': k must be a positive integer")
    return int(value)


def judged_values(facts: Facts, kind: str, prefix: str = "") -> tuple[list[float], str]:
    """The judged values of one kind whose subject begins so, in order, and the reason when there is none.

    Any judgment that failed empties the list: a maximum or mean over the rest would be another quantity.
    """
    said = (facts.judged or {}).get(kind, {})
    chosen = [judgment for subject, judgment in said.items() if subject.startswith(prefix)]
    failed = [judgment.error.partition(":")[0] for judgment in chosen if judgment.error]
    if failed:
        return [], failed[0]
    values = [j.value if j.value is not None else j.num / j.den for j in chosen if j.value is not None or j.den]
    return values, "" if values else "not_judged"


FLOOR = 1e-5  # what geometric means raise a 0 to, and what inferred AP smooths with


def running(values: Iterable[float]) -> float:
    """The sum from left to right, rounded at each step as numpy's bincount does (sum() is compensated from 3.12 on)."""
    total = 0.0
    for value in values:
        total += value
    return total


def logarithms(upto: int) -> list[float]:
    """log2(rank + 1) by rank; the entry of rank 0 is not used."""
    for rank in range(len(_LOGARITHMS), upto + 1):
        _LOGARITHMS.append(math.log2(rank + 1))
    return _LOGARITHMS


_LOGARITHMS = [1.0]


def discounted(ranked: Iterable[tuple[int, int]], k: int | None, gain: str = "linear") -> float:
    """The gains of (rank, grade) over log2(rank + 1), summed down to rank k."""
    chosen = [(rank, grade) for rank, grade in ranked if grade > 0 and (k is None or rank <= k)]
    logs = logarithms(chosen[-1][0]) if chosen else []
    return running([worth(grade, gain) / logs[rank] for rank, grade in chosen])


HIGHEST = 1000  # the highest grade whose exponential gain can be summed


def worth(grade: int, gain: str) -> float:
    """The gain of a positive grade: itself, or 2^grade - 1. UsageError where that is no number any more."""
    if gain == "linear":
        return grade
    if grade > HIGHEST:
        raise UsageError(f"a grade of {grade} is too high for the exponential gain; use ndcg:linear")
    return 2.0**grade - 1


def best_first(facts: Facts) -> list[int]:
    """The positive grades of all judged passages, best first."""
    return [grade for grade, count in facts.ideal for _ in range(count)]
