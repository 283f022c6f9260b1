"""The static sections of the HTML report: everything above the case table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ragmeter.meanings import FLAG
from ragmeter.reports import apart, headline, interval, nulls, number, ordered
from ragmeter.reports._html_plots import Bar, bins, curve, histogram, whisker
from ragmeter.reports._html_rows import Survey
from ragmeter.reports._html_text import esc
from ragmeter.result import Estimate, Outcome, Result

SLICES = 40  # of one tag; where there are more, the worst
RANKS = 10  # first ranks that have a bar each
MARKS = {"PASS": "✓", "FAIL": "✗", "INCONCLUSIVE": "?"}


def table(heads: Iterable[str], rows: Iterable[str], caption: str, kind: str = "") -> str:
    """A table that scrolls sideways on its own; the cells are markup already."""
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{esc(caption)}"><table class="{kind}">'
        f"<caption>{esc(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>\n"
    )


def filtering(expression: str, inner: str, kind: str = "link") -> str:
    """A button that puts this expression into the filter of the case table."""
    return f'<button type="button" class="{kind}" data-filter="{esc(expression)}">{inner}</button>'


def quoted(text: str) -> str:
    """A text in the filter language."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def named(name: str) -> str:
    """A metric or tag in the filter language: quoted where it is more than a word."""
    plain = re.fullmatch(r"[^\W\d][\w@:./%-]*", name)
    return name if plain and name not in ("and", "or", "not", "is", "in", "contains", "null") else quoted(name)


def badge(outcome: str) -> str:
    """PASS, FAIL or INCONCLUSIVE as a word with a sign and a colour."""
    return f'<span class="badge {esc(outcome)}"><span aria-hidden="true">{MARKS.get(outcome, "·")}</span> {esc(outcome)}</span>'


def verdict(result: Result) -> str:
    """The verdict in one line."""
    word, colon, rest = headline(result).partition(":")
    return (
        f'<p class="verdict">{badge(word)} {esc(rest.strip())}</p>\n' if colon else '<p class="verdict">no gates</p>\n'
    )


def gates(result: Result) -> Iterator[str]:
    """Every gate with its interval against its threshold, failing ones first."""
    outcomes = ordered(result.verdict.outcomes) if result.verdict is not None else []
    if not outcomes:
        return
    rows = []
    for o in outcomes:
        e = result.find(o.metric, o.slice)
        shown = whisker(e, [(o.threshold, o.outcome)] if o.on_scale else []) if e is not None else ""
        counts = _counts(e) if e is not None else ""
        needed = f" (about {o.needed:,} cases would be needed)" if o.needed is not None else ""
        rows.append(
            f'<tr><td>{badge(o.outcome)}</td><th scope="row">{esc(o.gate)}</th>'
            f'<td class="num">{esc(apart(o.value, o.threshold))}</td><td>{shown}</td>'
            f"<td>{esc(interval(e) if e is not None else '')}</td><td>{counts}</td><td>{esc(o.message + needed)}</td></tr>"
        )
    heads = ("Outcome", "Gate", "Value", "Interval and threshold", "95 % interval", "Cases", "Why")
    yield '<section aria-labelledby="gates"><h2 id="gates">Gates</h2>\n'
    yield table(heads, rows, "Gates: values and intervals against thresholds")
    yield "</section>\n"


def tiles(result: Result, seen: Survey) -> Iterator[str]:
    """A tile per metric over all cases."""
    whole = [e for e in result.estimates if not e.slice]
    if not whole:
        return
    outcomes: Sequence[Outcome] = result.verdict.outcomes if result.verdict is not None else ()
    yield '<section aria-labelledby="metrics"><h2 id="metrics">All cases</h2><div class="tiles">\n'
    for e in whole:
        marks = [(o.threshold, o.outcome) for o in outcomes if o.metric == e.metric and not o.slice and o.on_scale]
        values = seen.values.get(e.metric) or Counter()
        drawn = histogram(bins(values), f"Cases by {e.metric}", axis=False) if len(values) > 1 else ""
        arrow = "" if e.higher_is_better else ' <span class="dim">(lower is better)</span>'
        full = f' title="{esc(e.definition)}"' if e.definition != e.metric else ""
        yield (
            f'<article class="tile"><h3{full}>{esc(e.metric)}{arrow}</h3>'
            f'<p class="big{" none" if e.value is None else ""}">{number(e.value)}</p>'
            f'<p class="dim">{esc(interval(e)) or "&nbsp;"}</p>{whisker(e, marks)}{drawn}'
            f"<p>{_counts(e)}</p></article>\n"
        )
    yield "</div></section>\n"


def _counts(e: Estimate) -> str:
    """'120 scored · 3 no_relevant · 1 failed', with the reasons as buttons that filter."""
    said = [f"{e.n_scored:,} scored"]
    for why, count in e.n_null.items():
        said.append(filtering(f"{named(e.metric)} = {quoted(why)}", f"{count:,} {esc(why)}"))
    if e.n_error:
        said.append(filtering(f"{named(e.metric)} is error", f"{e.n_error:,} failed", "link bad"))
    return " · ".join(said)


def curves(result: Result, seen: Survey) -> Iterator[str]:
    """Metrics that were measured at several cutoffs, and the ranks of the first relevant passage."""
    families: dict[str, list[tuple[int, Estimate]]] = {}
    for e in result.estimates:
        name, at, k = e.metric.rpartition("@")
        if at and k.isdecimal() and not e.slice and e.value is not None:
            families.setdefault(name, []).append((int(k), e))
    drawn = [(name, sorted(of, key=lambda one: one[0])) for name, of in families.items() if len(of) > 1]
    figures = [_figure(f"{name} over cutoffs", curve(name, of)) for name, of in drawn]
    first = next((e for e in result.estimates if _is_rank(e)), None)
    if first is not None and seen.values.get(first.metric):
        figures.append(_figure("Rank of the first relevant passage", _ranks(first, seen.values[first.metric])))
    if figures:
        yield '<section aria-labelledby="curves"><h2 id="curves">Cutoffs and ranks</h2><div class="figures">\n'
        yield from figures
        yield "</div></section>\n"


def _is_rank(e: Estimate) -> bool:
    return not e.slice and e.definition.partition("@")[0].partition(":")[0] == "reciprocal_rank"


def _ranks(e: Estimate, values: Counter[float]) -> str:
    counted = Counter({rank: 0 for rank in range(1, RANKS + 1)})
    beyond = none = 0
    for value, count in values.items():
        rank = round(1 / value) if value > 0 else 0
        if not rank:
            none += count
        elif rank > RANKS:
            beyond += count
        else:
            counted[rank] += count
    bars = [(str(rank), counted[rank]) for rank in sorted(counted)]
    bars += [(f">{RANKS}", beyond)] * bool(beyond) + [("none", none)] * bool(none)
    said = f"Cases by the rank of their first relevant passage, from {e.definition}"
    return histogram([Bar(*bar) for bar in bars], said, width=420, height=190, axis=True)


def _figure(caption: str, drawn: str) -> str:
    return f"<figure>{drawn}<figcaption>{esc(caption)}</figcaption></figure>\n"


def slices(result: Result, seen: Survey) -> Iterator[str]:
    """A table per tag: metrics across, values down; grey where a slice cannot be told from all cases."""
    groups: dict[str, dict[str, dict[str, Estimate]]] = {}
    for e in result.estimates:
        if e.slice:
            tag, _, value = e.slice.partition("=")
            groups.setdefault(tag, {}).setdefault(value, {})[e.metric] = e
    if not groups:
        return
    whole = {e.metric: e for e in result.estimates if not e.slice}
    yield '<section aria-labelledby="slices"><h2 id="slices">Slices</h2>\n'
    if whole:
        yield (
            '<p class="legend">Against all cases: <span class="heat up2">▲ better</span> '
            '<span class="heat down2">▼ worse</span> <span class="heat grey">cannot be told apart</span> '
            '<span class="dim">(the slice\'s 95 % interval holds the value over all cases, or there are too few cases)</span></p>\n'
        )
    for tag, group in groups.items():
        yield from _grid(tag, group, whole, seen)
    yield "</section>\n"


def _grid(tag: str, group: dict[str, dict[str, Estimate]], whole: dict[str, Estimate], seen: Survey) -> Iterator[str]:
    metrics = list(dict.fromkeys(metric for one in group.values() for metric in one))
    names = list(group)
    if len(names) > SLICES:
        names.sort(key=lambda name: _badness(group[name].get(seen.main) or group[name][metrics[0]]))
    rows = []
    for name in names[:SLICES]:
        label = f"<bdi>{esc(name) or '(empty)'}</bdi>"
        if tag in seen.tags and not (tag == "run" and ", " in name):
            label = filtering(f"{named(tag)} = {quoted(name)}", label)
        cells = "".join(_cell(group[name].get(metric), whole.get(metric)) for metric in metrics)
        most = max((e.n_scored for e in group[name].values()), default=0)
        rows.append(f'<tr><th scope="row">{label}</th><td class="num dim">{most:,}</td>{cells}</tr>')
    yield table([esc(tag), "Scored", *map(esc, metrics)], rows, f"Metrics by {tag}", "heatmap")
    if len(names) > SLICES:
        yield f'<p class="dim">The {SLICES} worst of {len(names):,} slices; --format csv has all.</p>\n'


def _badness(e: Estimate) -> tuple[bool, float]:
    return e.value is None, (e.value or 0.0) * (1 if e.higher_is_better else -1)


def _cell(e: Estimate | None, whole: Estimate | None) -> str:
    if e is None:
        return "<td></td>"
    if e.value is None:
        return f'<td class="heat grey num"><span class="dim">N/A</span><br><small>{esc(nulls(e))}</small></td>'
    heat, mark = standing(e, whole)
    bounds = f"{number(e.low)} – {number(e.high)}" if e.low is not None and e.high is not None else interval(e)
    return f'<td class="heat num {heat}">{mark}{number(e.value)}<br><small>{esc(bounds) or "&nbsp;"}</small></td>'


def standing(e: Estimate, whole: Estimate | None) -> tuple[str, str]:
    """The class and the sign of a slice: better or worse than all cases in three steps, or not to be told."""
    if whole is None or whole.value is None:
        return "", ""
    if e.value is None or e.low is None or e.high is None or e.low <= whole.value <= e.high:
        return "grey", ""
    gap = (e.value - whole.value) * (1 if e.higher_is_better else -1)
    unit = 1.0 if 0 <= e.value <= 1 and 0 <= whole.value <= 1 else abs(whole.value) or 1.0
    level = 1 + (abs(gap) >= 0.1 * unit) + (abs(gap) >= 0.25 * unit)
    return (f"up{level}", "▲ ") if gap > 0 else (f"down{level}", "▼ ")


def diagnostics(result: Result) -> Iterator[str]:
    """The flags, each a button that filters the cases."""
    if not result.diagnostics:
        return
    yield '<section aria-labelledby="diagnostics"><h2 id="diagnostics">Diagnostics</h2><ul class="chips">\n'
    for flag, count in result.diagnostics.items():
        meaning = f' <span class="dim">{esc(FLAG[flag])}</span>' if flag in FLAG else ""
        button = filtering(f"flag = {quoted(flag)}", f"<b>{count:,}</b> {esc(flag)}", "chip")
        yield f"<li>{button}{meaning}</li>\n"
    yield "</ul></section>\n"
