"""A Comparison, or a league of several runs, as Markdown, plain text, JSON and CSV. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import json

from ragmeter.compare import Change, Comparison, Delta, League, Regression
from ragmeter.reports import cell, inline, number, plain

HEADS = ("Metric", "Slice", "Base", "New", "Difference", "95 % interval", "p", "p (Holm)", "Wins/ties/losses", "Cases", "Verdict")  # fmt: skip
NAMED = 10  # cases that stand in one run only
REASONS = {"no_pairs": "no case scored in both", "not_a_mean": "no mean of cases: not paired"}


def markdown(c: Comparison, leagues: Sequence[League] = ()) -> Iterator[str]:
    """Tables for people and pull requests."""
    yield f"# {cell(c.new)} against {cell(c.base)}\n\n{_about(c)}\n\n"
    for note in c.notes:
        yield f"> {cell(note)}\n\n"
    yield head(HEADS, right=(2, 3, 4, 6, 7, 9))
    for d in c.deltas:
        yield line([cell(text) for text in _row(d)])
    yield "\n"
    if c.regressions:
        yield "## Worst regressions\n\n"
        yield head(["Metric", "Case", "Base", "New", "Answers", "Passages"], right=(2, 3))
        for r in c.regressions:
            yield line(
                [cell(r.metric), cell(r.case), number(r.base), number(r.new), cell(_answers(r)), cell(_passages(r))]
            )
        yield "\n"
    for title, changes in (("Nulls that changed", c.nulls), ("Classes that changed", c.classes)):
        if changes:
            yield f"## {title}\n\n"
            yield head(["Of", "Base", "New", "Cases", "Which"], right=(3,))
            for change in changes:
                yield line([cell(text) for text in _change(change)])
            yield "\n"
    for where, ids in ((c.base, c.only_base), (c.new, c.only_new)):
        if ids:
            yield f"Only in {cell(where)} ({len(ids)}): {cell(_some(ids, len(ids)))}\n\n"
    for one in leagues:
        yield f"## {cell(one.metric)}: {one.n} cases scored in every run\n\n"
        yield head(["Run", "Mean", "Group"], right=(1,))
        for s in one.standings:
            yield line([cell(s.run), number(s.mean), cell(s.groups)])
        yield "\nRuns that share a letter cannot be told apart (max-t, 0.05).\n\n"


def terminal(c: Comparison, leagues: Sequence[League] = ()) -> Iterator[str]:
    """Columns of plain text."""
    yield f"{inline(c.new)} against {inline(c.base)}\n{_about(c)}\n"
    yield from (f"note: {inline(note)}\n" for note in c.notes)
    yield "\n"
    yield from _columns([HEADS, *map(_row, c.deltas)])
    if c.regressions:
        yield "\nworst regressions\n"
        yield from _columns([("metric", "case", "base", "new", "passages"), *(
            (r.metric, r.case, number(r.base), number(r.new), _passages(r)) for r in c.regressions)])  # fmt: skip
        for r in c.regressions:
            if said := _answers(r):
                yield f"  {inline(r.case)}: {inline(said)}\n"
    for title, changes in (("nulls that changed", c.nulls), ("classes that changed", c.classes)):
        if changes:
            yield f"\n{title}\n"
            yield from _columns([("of", "base", "new", "cases", "which"), *map(_change, changes)])
    for where, ids in ((c.base, c.only_base), (c.new, c.only_new)):
        if ids:
            yield f"\nonly in {inline(where)} ({len(ids)}): {inline(_some(ids, len(ids)))}\n"
    for one in leagues:
        yield f"\n{inline(one.metric)}: {one.n} cases scored in every run; a shared letter: cannot be told apart\n"
        yield from _columns([(s.run, number(s.mean), s.groups) for s in one.standings])


def as_json(c: Comparison, leagues: Sequence[League] = ()) -> Iterator[str]:
    """The whole comparison, and the leagues, for programs."""
    yield json.format(json.encode({"comparison": c, "leagues": leagues}), indent=1).decode() + "\n"


def as_csv(c: Comparison, leagues: Sequence[League] = ()) -> Iterator[str]:
    """One line a metric and slice, numbers in full."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out)
    fields = [name for name in Delta.__struct_fields__]
    writer.writerow(fields)
    for d in c.deltas:
        values = [getattr(d, name) for name in fields]
        writer.writerow([plain(value) if isinstance(value, str) else value for value in values])
    yield out.getvalue()


FORMS: dict[str, Callable[..., Iterator[str]]] = {
    "terminal": terminal,
    "markdown": markdown,
    "json": as_json,
    "csv": as_csv,
}


def line(cells: Iterable[str]) -> str:
    """One row of a table; the cells are escaped already."""
    return f"| {' | '.join(cells)} |\n"


def head(names: Sequence[str], right: Sequence[int] = ()) -> str:
    """The head of a table, the columns at the places of `right` flush right."""
    return line(names) + line("---:" if place in right else "---" for place in range(len(names)))


def _about(c: Comparison) -> str:
    worn = f"; differences up to {c.tolerance:g} count as ties" if c.tolerance else ""
    return f"{c.n} cases in both. Differences are new - base; wins are cases that got better{worn}."


def _row(d: Delta) -> tuple[str, ...]:
    if d.effect is None:
        return (d.metric, d.slice, "", "", "", "", "", "", "", str(d.n), REASONS.get(d.reason, d.reason))
    count = str(d.n) if d.clusters == d.n else f"{d.n} in {d.clusters} clusters"
    reach = d.interval.replace("_", " ") if d.low is None else f"{_signed(d.low)} to {_signed(d.high)} ({d.interval})"
    tallied = f"{d.wins}/{d.ties}/{d.losses}"
    change = _signed(d.effect)
    return (d.metric, d.slice, number(d.base), number(d.new), change, reach, _p(d.p), _p(d.p_holm), tallied, count, d.verdict)  # fmt: skip


def _signed(value: float | None) -> str:
    return "" if value is None else ("+" if value > 0 else "") + number(value)


def _p(p: float | None) -> str:
    return "" if p is None else "<0.0001" if p < 1e-4 else f"{p:.4f}"


def _answers(r: Regression) -> str:
    if r.answer_base is None and r.answer_new is None or r.answer_base == r.answer_new:
        return ""
    return f"{_short(r.answer_base)} → {_short(r.answer_new)}"


def _short(text: str | None) -> str:
    return "(none)" if text is None else f"'{text[:160]}{'…' if len(text) > 160 else ''}'"


def _passages(r: Regression) -> str:
    if r.passages is None:
        return ""
    said = [f"+{_some(r.passages.entered, len(r.passages.entered))}"] if r.passages.entered else []
    said += [f"-{_some(r.passages.left, len(r.passages.left))}"] if r.passages.left else []
    said += [f"{id} {before}→{now}" for id, before, now in r.passages.moved[:5]]
    return "; ".join(said) or "same ranking"


def _change(c: Change) -> tuple[str, ...]:
    return (c.field, c.base, c.new, str(c.count), _some(c.cases, c.count))


def _some(ids: Sequence[str], count: int) -> str:
    named = ", ".join(ids[:NAMED])
    return f"{named} and {count - NAMED} more" if count > NAMED else named


def _columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    from rich.cells import cell_len

    shown = [[inline(text) for text in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*shown, strict=True)] if shown else []
    for row in shown:
        padded = (text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip() + "\n"
