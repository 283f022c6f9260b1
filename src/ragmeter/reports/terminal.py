"""The terminal: verdict first, then estimates with a picture of each interval, slices, flags, worst cases.

    metric    value   95 % interval    0                   1  scored  not scored
    recall@5  0.8123  0.7410 – 0.8701  ···············├─●┤··     178  2 no_relevant

The picture runs from 0 to 1: `●` is the value, `├ ┤` the 95 % interval. It is left out where one of them lies
outside. Into a file or a pipe the report is plain: no colour, always 100 columns. On a terminal
it is as wide as that, and coloured. Nothing an input holds can steer the terminal: control and bidirectional
characters are written as \\x.. or \\u.... .
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ragmeter import meanings
from ragmeter.reports import (
    Report,
    apart,
    by_slice,
    conventions,
    failures,
    headline,
    inline,
    input_names,
    number,
    ordered,
)
from ragmeter.reports._worst import Sought, reasons, worst
from ragmeter.result import Estimate, Result, Row

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

WIDTH = 100  # columns where there is no terminal
NARROW = 60  # the least width that tables are made for
LISTED = 10  # worst cases
SHOWN = 20  # slices of one tag and metric, inputs
STYLES = {"PASS": "bold green", "FAIL": "bold red", "INCONCLUSIVE": "bold yellow"}


def render(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    """The plain report: no colour, 100 columns, no blanks at the ends of lines."""
    return screen(result, rows, width=WIDTH, colour=False)


def screen(result: Result, rows: Iterable[Row], *, width: int, colour: bool) -> Iterator[str]:
    """The report for a terminal of that many columns."""
    from rich.console import Console

    console = Console(
        width=max(width, NARROW),
        height=25,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        legacy_windows=False,
        force_jupyter=False,
        _environ={},
    )
    for part in _parts(result, rows, console.width):
        with console.capture() as caught:
            console.print(part, soft_wrap=False, highlight=False, markup=False, emoji=False)
        yield "".join(line.rstrip() + "\n" for line in caught.get().split("\n")[:-1])


def _parts(result: Result, rows: Iterable[Row], width: int) -> Iterator[Any]:
    """What is printed, part by part."""
    yield from _head(result)
    yield from _gates(result)
    slices = by_slice(result)
    if "" in slices:
        yield _title("All cases")
        yield _estimates([(e.metric, e) for e in slices[""]], "metric", width)
    yield from _slices(result, width)
    yield from _diagnostics(result)
    yield from _cases(result, worst(result, rows, limit=LISTED), width)
    yield from _foot(result)


def _head(result: Result) -> Iterator[Any]:
    said = [f"{result.case_count} cases", f"profile {result.provenance.get('profile', '')}"]
    names = input_names(result)
    said += names[:SHOWN] + ([f"and {len(names) - SHOWN} more files"] if len(names) > SHOWN else [])
    yield _text(result.title or "ragmeter", "bold") + _text("  " + " · ".join(said), "dim")
    word, colon, rest = headline(result).partition(":")
    yield _title("") + (_text(word, STYLES[word]) + _text(colon + rest) if colon else _text(word, "dim"))
    if failed := failures(result):
        yield _text(f"measured incompletely: {failed} of {result.case_count} cases failed", "bold red")


def _gates(result: Result) -> Iterator[Any]:
    if result.verdict is None or not result.verdict.outcomes:
        return
    yield _title("Gates")
    table = _table("outcome", "gate", ">value", "why")
    for o in ordered(result.verdict.outcomes):
        needed = f" (about {o.needed} cases would be needed)" if o.needed is not None else ""
        outcome, value = _text(o.outcome, STYLES.get(o.outcome, "")), _text(apart(o.value, o.threshold))
        table.add_row(outcome, _text(o.gate), value, _text(o.message + needed, "dim"))
    yield table


def _estimates(named: Sequence[tuple[str, Estimate]], first: str, width: int) -> Table:
    """A line per estimate: name, value, interval in numbers and as a picture, counts."""
    cells = 11 if width < 90 else 21 if width < 120 else 41
    table = _table(first, ">value", "|95 % interval", f"|0{'1':>{cells - 1}}", ">scored", "|not scored")
    for name, e in named:
        table.add_row(
            _broken(name, 32),
            _text(number(e.value), "bold" if e.value is not None else "yellow"),
            _text(_bounds(e)),
            _text(whisker(e, cells), "cyan"),
            _text(str(e.n_scored)),
            _unscored(e),
        )
    return table


def _unscored(e: Estimate) -> Text:
    """The nulls by reason, then the failures, a line each."""
    lines = [_text(f"{count} {reason}", "yellow") for reason, count in e.n_null.items()]
    lines += [_text(f"{e.n_error} failed", "bold red")] if e.n_error else []
    return _stacked(lines or [_text("-", "dim")])


def _bounds(e: Estimate) -> str:
    if e.low is None or e.high is None:
        return {"too_few": "too few cases", "constant": "all equal", "none": "-"}.get(e.interval, e.interval)
    return f"{number(e.low)} – {number(e.high)}"


def whisker(e: Estimate, cells: int) -> str:
    """An estimate on a line from 0 to 1: '──├─●─┤────'; empty where it is undefined or leaves 0 to 1."""
    points = [point for point in (e.value, e.low, e.high) if point is not None]
    if e.value is None or any(not 0 <= point <= 1 for point in points):
        return ""
    line = ["·"] * cells
    places = [round(point * (cells - 1)) for point in points]
    if len(points) == 3:
        line[places[1] : places[2] + 1] = ["─"] * (places[2] - places[1] + 1)
        line[places[1]], line[places[2]] = "├", "┤"
    line[places[0]] = "●"
    return "".join(line)


def _slices(result: Result, width: int) -> Iterator[Any]:
    """For every tag and metric a table of its slices, the worst first where they are many."""
    groups: dict[tuple[str, str], list[tuple[str, Estimate]]] = {}
    for e in result.estimates:
        if e.slice:
            tag, _, value = e.slice.partition("=")
            groups.setdefault((tag, e.metric), []).append((value, e))
    for (tag, metric), named in groups.items():
        yield _title(f"{metric} by {tag}")
        many = len(named) > SHOWN
        yield _estimates(_lowest(named)[:SHOWN] if many else named, tag, width)
        if many:
            yield _text(f"  the {SHOWN} worst of {len(named)} slices; --format csv has all", "dim")


def _lowest(named: list[tuple[str, Estimate]]) -> list[tuple[str, Estimate]]:
    def order(pair: tuple[str, Estimate]) -> tuple[bool, float]:
        e = pair[1]
        return e.value is None, (e.value or 0.0) * (1 if e.higher_is_better else -1)

    return sorted(named, key=order)


def _diagnostics(result: Result) -> Iterator[Any]:
    if not result.diagnostics:
        return
    yield _title("Diagnostics")
    table = _table(">cases", "flag", "meaning")
    for flag, count in result.diagnostics.items():
        table.add_row(_text(str(count)), _text(flag), _text(meanings.flag(flag), "dim"))
    yield table


def _cases(result: Result, sought: Sought, width: int) -> Iterator[Any]:
    if sought.failed_count:
        yield _title(f"Failed cases ({sought.failed_count})")
        table = _table("case", "why")
        for row in sought.failed:
            table.add_row(_text(row.id), _text(reasons(row), "bold red"))
        yield table
        yield from _more(sought.failed_count - len(sought.failed), "")
    metrics = [e.metric for e in result.estimates if not e.slice]
    for one in sought.lists:
        if one.rows:
            yield _title(one.heading)
            yield _rows(one.rows, list(dict.fromkeys([one.metric, *metrics])), width)
            yield from _more(one.more, f"{'below' if one.lowest else 'above'} {number(one.best)}")


def _rows(rows: Sequence[Row], metrics: Sequence[str], width: int) -> Table:
    """Cases with as many metrics as there is room for, the one that they are listed by first."""
    shown = metrics[: max(1, (width - 40) // 14)]
    flagged = any(row.diagnostics for row in rows)
    table = _table("case", *["|>"] * len(shown), *(["flags"] if flagged else []))
    for column, metric in zip(table.columns[1:], shown, strict=False):
        column.header = _broken(metric, 12)
    for row in rows:
        why = row.nulls or {}
        values = [_text(number(row.metrics.get(m), why.get(m, "N/A"))) for m in shown]
        flags = _stacked([_text(flag, "dim") for flag in row.diagnostics])
        table.add_row(_text(row.id), *values, *([flags] if flagged else []))
    return table


def _more(count: int, what: str) -> Iterator[Any]:
    if count:
        yield _text(f"... and {count} more {what}".rstrip(), "dim")


def _foot(result: Result) -> Iterator[Any]:
    yield _title("Conventions")
    table = _table("", "")
    table.show_header = False
    for name, choice in conventions(result):
        table.add_row(_text(name, "dim"), _text(choice, "dim"))
    yield table


def _title(text: str) -> Text:
    from rich.text import Text

    return Text("\n") + _text(text, "bold")


def _table(*columns: str) -> Table:
    """A table with these heads; one that begins with '|' is not folded, with '>' or '|>' is flush right."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    for head in columns:
        name = head.lstrip("|>")
        right = ">" in head[:2]
        table.add_column(name, justify="right" if right else "left", no_wrap=head != name, overflow="fold")
    return table


def _broken(name: str, width: int) -> Text:
    """A name in lines of that width, broken after its underscores, colons and commas."""
    from rich.text import Text

    lines = [""]
    for piece in re.findall(r"[^_:,]*[_:,]?", inline(name)):
        if lines[-1] and len(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return Text("\n".join(lines))


def _text(text: str, style: str = "") -> Text:
    """Text of an input or of ours, with nothing in it that a terminal or rich obeys."""
    from rich.text import Text

    return Text(inline(text), style=style)


def _stacked(texts: Sequence[Text]) -> Text:
    """Several texts in one cell, each on a line of its own."""
    from rich.text import Text

    return Text("\n").join(texts)


REPORT = Report(render, ".txt", "verdict, estimates, slices, flags and worst cases for people", screen)
