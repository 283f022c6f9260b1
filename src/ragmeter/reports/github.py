"""GitHub step summary: verdict, gates (failing first), estimates, diagnostics, worst cases, slices.

    ragmeter score ... --format github >> "$GITHUB_STEP_SUMMARY"      adds to what the step wrote before
    ragmeter score ... --format "github=$GITHUB_STEP_SUMMARY"         replaces the step's summary

Reports replace files whole, this one too, so that a half-written summary is never seen; append with `>>`.
GitHub drops a summary above 1 MiB: what does not fit is cut between lines, with a notice, and what matters
comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragmeter import meanings
from ragmeter.reports import (
    Report,
    apart,
    by_slice,
    cell,
    code,
    conventions,
    failures,
    headline,
    input_names,
    interval,
    number,
    ordered,
)
from ragmeter.reports._tables import cases, estimates, head, line
from ragmeter.reports._worst import reasons, worst
from ragmeter.result import Result, Row

LIMIT = 1 << 20  # bytes of UTF-8
NOTICE = "\n**Cut here: GitHub shows no summary above 1 MiB.** Write the whole report with `--format markdown=FILE`.\n"
SIGN = {"PASS": "✅", "FAIL": "❌", "INCONCLUSIVE": "❔"}
LISTED = 10  # worst cases, and diagnostics


def render(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    """The summary in lines, no more than LIMIT bytes of them."""
    return cut(_lines(result, rows))


def cut(pieces: Iterable[str], limit: int = LIMIT) -> Iterator[str]:
    """The pieces, whole lines each, as long as they fit in `limit` bytes; else a notice stands at the end."""
    left = limit - len(NOTICE.encode())
    held: list[str] = []  # what fits only if nothing follows that needs the notice
    for piece in pieces:
        size = len(piece.encode("utf-8", "backslashreplace"))
        if held or size > left:
            held.append(piece)
            left -= size
            if left + len(NOTICE.encode()) < 0:
                yield NOTICE
                return
            continue
        left -= size
        yield piece
    yield from held


def _lines(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    yield f"## {cell(result.title or 'ragmeter')}\n\n"
    yield from _verdict(result)
    yield from _gates(result)
    slices = by_slice(result)
    yield "### All cases\n\n"
    yield from estimates(slices.pop("", []))
    yield from _diagnostics(result)
    yield from _cases(result, rows)
    yield from _conventions(result)
    for name, group in slices.items():
        yield f"### {cell(name)}\n\n"
        yield from estimates(group)


def _verdict(result: Result) -> Iterator[str]:
    gated = result.verdict is not None and result.verdict.outcomes
    sign = SIGN["PASS" if result.verdict.passed else "FAIL"] + " " if gated and result.verdict else ""
    head = [f"{sign}**{headline(result)}**", f"{result.case_count} cases"]
    head += [f"profile {code(result.provenance.get('profile', ''))}", *map(code, input_names(result))]
    yield " · ".join(head) + "\n\n"
    if failed := failures(result):
        yield f"⚠️ Measured incompletely: {failed} of {result.case_count} cases failed.\n\n"


def _gates(result: Result) -> Iterator[str]:
    if result.verdict is None or not result.verdict.outcomes:
        return
    yield "### Gates\n\n"
    yield head(["Outcome", "Gate", "Value", "95 % interval", "Scored", "Why"], right=(2, 4))
    for o in ordered(result.verdict.outcomes):
        e = result.find(o.metric, o.slice)
        reach, scored = (interval(e), str(e.n_scored)) if e is not None else ("", "")
        needed = f" (about {o.needed} cases would be needed)" if o.needed is not None else ""
        said = [f"{SIGN.get(o.outcome, '')} {cell(o.outcome)}", cell(o.gate), apart(o.value, o.threshold)]
        yield line([*said, cell(reach), scored, cell(o.message + needed)])
    yield "\n"


def _diagnostics(result: Result) -> Iterator[str]:
    if not result.diagnostics:
        return
    yield "### Diagnostics\n\n"
    yield head(["Flag", "Cases", "Meaning"], right=(1,))
    most = sorted(result.diagnostics.items(), key=lambda item: -item[1])
    for flag, count in most[:LISTED]:
        yield line([cell(flag), str(count), cell(meanings.flag(flag))])
    yield f"\n{len(most) - LISTED} more flags are in the other reports.\n\n" if len(most) > LISTED else "\n"


def _cases(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    sought = worst(result, rows, limit=LISTED)
    metrics = [e.metric for e in result.estimates]
    if sought.failed_count:
        yield f"<details open><summary>Failed cases ({sought.failed_count})</summary>\n\n"
        yield head(["ID", "Why"])
        for row in sought.failed:
            yield line([cell(row.id), cell(reasons(row))])
        yield _more(sought.failed_count - len(sought.failed), "failed")
    for one in sought.lists:
        if one.rows:
            yield f"<details open><summary>{cell(one.heading)}</summary>\n\n"
            yield from cases(one.rows, list(dict.fromkeys([one.metric, *metrics])))
            yield _more(one.more, f"{'below' if one.lowest else 'above'} {number(one.best)}")


def _more(count: int, what: str) -> str:
    return (f"\n... and {count} more {what}\n" if count else "") + "\n</details>\n\n"


def _conventions(result: Result) -> Iterator[str]:
    yield "<details><summary>Conventions</summary>\n\n"
    for name, choice in conventions(result):
        yield f"- {cell(name)}: {cell(choice)}\n"
    yield "\n</details>\n\n"


REPORT = Report(render, ".md", "step summary of GitHub Actions: verdict, gates, estimates, worst cases")
