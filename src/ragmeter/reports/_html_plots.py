"""Pictures for the HTML report, drawn here as SVG so that they show without scripts, in print and in mail.

Colours come from classes of the page's style. Every picture says in words what it shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import NamedTuple

from ragmeter.reports import interval, number
from ragmeter.reports._html_text import esc
from ragmeter.result import Estimate

BINS = 10


class Bar(NamedTuple):
    """One bar of a histogram: what it counts, and how many."""

    label: str
    cases: int


class Scale:
    """Numbers to places: 0 to 1 where everything lies there, else the span of the numbers and a margin."""

    def __init__(self, values: Iterable[float | None], left: float, right: float):
        known = [value for value in values if value is not None]
        self.low, self.high = 0.0, 1.0
        if any(not 0 <= value <= 1 for value in known):
            low, high = min(known), max(known)
            margin = (high - low) * 0.1 or abs(high) * 0.1 or 1.0
            self.low, self.high = low - margin, high + margin
            if low >= 0 > self.low:
                self.low = 0.0
        self.left, self.right = left, right

    def __call__(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return round(self.left + share * (self.right - self.left), 1) if isfinite(share) else self.left


def picture(width: int, height: int, label: str, parts: Iterable[str], kind: str = "") -> str:
    """An SVG of that size, with words in its place for who cannot see it."""
    return (
        f'<svg class="plot {kind}" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{esc(label)}">{"".join(parts)}</svg>'
    )


def whisker(e: Estimate, thresholds: Sequence[tuple[float, str]] = (), width: int = 240) -> str:
    """An estimate on a line: a dot in its interval, thresholds (value and outcome) as upright strokes."""
    if e.value is None:
        return ""
    at = Scale([e.value, e.low, e.high, *(value for value, _ in thresholds)], 8, width - 8)
    parts = [f'<line class="axis" x1="8" x2="{width - 8}" y1="14" y2="14"/>']
    for end, anchor in ((at.low, "start"), (at.high, "end")):
        parts.append(f'<line class="axis" x1="{at(end)}" x2="{at(end)}" y1="10" y2="18"/>')
        parts.append(f'<text x="{at(end)}" y="31" text-anchor="{anchor}">{_short(end)}</text>')
    if e.low is not None and e.high is not None:
        low, high = at(e.low), at(e.high)
        parts.append(f'<path class="interval" d="M{low} 9V19M{low} 14H{high}M{high} 9V19"/>')
    for value, outcome in thresholds:
        parts.append(f'<line class="threshold {esc(outcome)}" x1="{at(value)}" x2="{at(value)}" y1="3" y2="21"/>')
        parts.append(f'<text x="{at(value)}" y="31" text-anchor="middle">{_tick(at, value)}</text>')
    parts.append(f'<circle class="value" cx="{at(e.value)}" cy="14" r="4.5"/>')
    gates = "".join(f", threshold {number(value)} ({outcome})" for value, outcome in thresholds)
    return picture(width, 34, f"{e.metric}: {number(e.value)}, interval {interval(e) or 'none'}{gates}", parts)


def _tick(at: Scale, value: float) -> str:
    """The threshold in figures, unless it would stand in the way of an end of the line."""
    return _short(value) if min(at(value) - at.left, at.right - at(value)) > 26 else ""


def bins(values: Mapping[float, int]) -> list[Bar]:
    """Counts by value where there are up to 12 of them, else in ten equal steps (of 0 to 1, or of the span)."""
    if len(values) <= 12:
        return [Bar(_short(value), values[value]) for value in sorted(values)]
    low, high = (0.0, 1.0) if min(values) >= 0 and max(values) <= 1 else (min(values), max(values))
    if not isfinite(high - low):
        return [Bar(f"{_short(low)} – {_short(high)}", sum(values.values()))]
    counts: Counter[int] = Counter()
    for value, count in values.items():
        counts[min(int((value - low) / (high - low) * BINS), BINS - 1)] += count
    edges = [low + (high - low) * place / BINS for place in range(BINS + 1)]
    return [Bar(f"{_short(edges[i])} – {_short(edges[i + 1])}", counts[i]) for i in range(BINS)]


def histogram(bars: Sequence[Bar], label: str, width: int = 240, height: int = 56, axis: bool = False) -> str:
    """Upright bars from 0. With `axis` each has its label below and its count above."""
    top, foot = (16, 18) if axis else (2, 1)
    most = max((bar.cases for bar in bars), default=0) or 1
    room = (width - 16) / max(len(bars), 1)
    parts = [f'<line class="axis" x1="8" x2="{width - 8}" y1="{height - foot}" y2="{height - foot}"/>']
    for place, bar in enumerate(bars):
        tall = max((height - top - foot) * bar.cases / most, 1 if bar.cases else 0)
        x, middle = 8 + place * room, 8 + (place + 0.5) * room
        wide = min(room * 0.86, 44)
        parts.append(
            f'<rect class="bar" x="{middle - wide / 2:.1f}" y="{height - foot - tall:.1f}" width="{wide:.1f}" '
            f'height="{tall:.1f}"><title>{esc(bar.label)}: {bar.cases:,}</title></rect>'
        )
        if axis and (room > 26 or place % (1 + int(26 / room)) == 0):
            parts.append(f'<text x="{x + room / 2:.1f}" y="{height - 4}" text-anchor="middle">{esc(bar.label)}</text>')
        if axis and bar.cases and room > 22:
            y = height - foot - tall - 4
            parts.append(f'<text x="{middle:.1f}" y="{y:.1f}" text-anchor="middle">{_count(bar.cases)}</text>')
    said = "; ".join(f"{bar.label}: {bar.cases}" for bar in bars if bar.cases)
    return picture(width, height, f"{label}. {said}", parts, "histogram")


def curve(name: str, points: Sequence[tuple[int, Estimate]], width: int = 320, height: int = 190) -> str:
    """A metric over its cutoffs: dots, a line, and the intervals as bars."""
    known = [(k, e) for k, e in points if e.value is not None]
    up = Scale([v for _, e in known for v in (e.value, e.low, e.high)], height - 26, 12)
    span = (width - 66) / max(len(known) - 1, 1)
    xs = [round(46 + place * span, 1) for place in range(len(known))]
    parts = []
    for step in range(5):
        value = up.low + (up.high - up.low) * step / 4
        parts.append(f'<line class="grid" x1="38" x2="{width - 8}" y1="{up(value)}" y2="{up(value)}"/>')
        parts.append(f'<text x="34" y="{up(value) + 4}" text-anchor="end">{_short(value)}</text>')
    line = []
    for x, (k, e) in zip(xs, known, strict=True):
        y = up(e.value or 0.0)
        line.append(f"{x},{y}")
        if e.low is not None and e.high is not None:
            low, high = up(e.low), up(e.high)
            parts.append(f'<path class="interval" d="M{x - 4} {low}H{x + 4}M{x} {low}V{high}M{x - 4} {high}H{x + 4}"/>')
        parts.append(f'<text x="{x}" y="{height - 8}" text-anchor="middle">@{k}</text>')
    parts.append(f'<polyline class="line" points="{" ".join(line)}"/>')
    for point, (k, e) in zip(line, known, strict=True):
        left, top = point.split(",")
        title = f"{name}@{k}: {number(e.value)} ({interval(e) or 'no interval'})"
        parts.append(f'<circle class="value" cx="{left}" cy="{top}" r="4"><title>{esc(title)}</title></circle>')
    said = "; ".join(f"at {k}: {number(e.value)}" for k, e in known)
    return picture(width, height, f"{name} over cutoffs. {said}", parts, "curve")


def _short(value: float) -> str:
    """Two to three digits, for a place with little room."""
    return f"{value:.3g}" if abs(value) >= 1e-4 or value == 0 else f"{value:.1e}"


def _count(count: int) -> str:
    if count < 10_000:
        return str(count)
    return f"{count / 1000:.0f}k" if count < 1_000_000 else f"{count / 1e6:.1f}M"
