"""HTML: one file that opens from disk and asks nothing of any network, with pictures and a table of cases.

Verdict, gates, tiles, curves and slices are plain markup and SVG: they need no script. The case table does. Its
rows lie in data blocks, read as the page is used; they can be sorted, searched, filtered (`recall@5 < 1 and
topic = "fees"`), linked to (the state is in the address) and exported. A page holds up to 200,000 cases, the
worst ones where there are more, and says what it leaves out.

Rows may bring `details(case_id, brief)`, asked in the order of the rows: None, or a dict that a case is shown
from when it is opened (with `brief` its question is enough):

    {"case": {...}, "output": {...},         # the records, as their JSON
     "pieces": [["It opens at 9 [1].", 0, 1.0], [" ", None, None]],  # the answer: text, sentence, support
     "judgments": [{"kind": ..., "subject": ..., "value": ...}], "trace": "every term, as text",
     "level": 1}                             # the lowest grade that is relevant

Every text of an input is data: escaped in markup, and put in place as text by the script. The page's policy
runs no other script than its own.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import Any

from ragmeter.meanings import FLAG, REASON
from ragmeter.reports import Report, conventions, failures, input_names
from ragmeter.reports._html_parts import curves, diagnostics, gates, named, quoted, slices, table, tiles, verdict
from ragmeter.reports._html_rows import Blocks, Survey, survey
from ragmeter.reports._html_text import block, esc, policy, script, style
from ragmeter.reports._worst import Key, keys
from ragmeter.result import ERRORS, Result, Row

LISTED = 6  # inputs named in the head

_TOOLS = """\
<section aria-labelledby="cases" id="casework" hidden><h2 id="cases">Cases</h2>
<div class="tools" role="search" aria-label="Cases">
<div class="modes" role="group" aria-label="Quick filters"></div>
<label>Search <input id="search" type="search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"></label>
<label class="wide">Filter <input id="filter" type="text" autocomplete="off" spellcheck="false"
 aria-describedby="fault filterhelp"></label>
<button type="button" id="clear">Clear</button>
</div>
<p id="fault" class="bad" role="alert"></p>
<details id="help"><summary>How to filter and move</summary><p id="filterhelp"></p></details>
<p class="bar"><span id="count" role="status"></span>
<button type="button" id="export">Export scores (JSONL)</button>
<button type="button" id="export-cases" hidden>Export cases (JSONL)</button>
<button type="button" id="copy-link">Copy link</button>
<button type="button" id="copy-command">Copy command</button></p>
<div id="notices"></div>
<div class="scroll" tabindex="0" role="region" aria-label="Table of cases">
<table id="table"><caption>Cases</caption><thead><tr></tr></thead><tbody></tbody></table></div>
<nav class="pager" aria-label="Pages of cases"><button type="button" id="prev">← Previous</button>
<span id="page"></span><button type="button" id="next">Next →</button></nav>
</section>
<noscript><p class="notice">The table of cases needs JavaScript, which is off here. Everything else is complete.</p></noscript>
"""

_DRAWER = """\
<div id="drawer" role="dialog" aria-labelledby="drawer-title" hidden>
<div class="head"><h2 id="drawer-title" tabindex="-1"></h2>
<button type="button" id="before" aria-keyshortcuts="k">↑ Previous (K)</button>
<button type="button" id="after" aria-keyshortcuts="j">↓ Next (J)</button>
<button type="button" id="close" aria-keyshortcuts="Escape">✕ Close (Esc)</button></div>
<div id="drawer-body" tabindex="0" role="region" aria-label="Details of the case"></div></div>
"""


def render(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    """The whole page in pieces; the rows are walked twice."""
    seen = survey(result, rows)
    title = result.title or "RAG evaluation report"
    yield (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{esc(title)}</title>\n<style>{style()}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#casework">To the cases</a>\n'
    )
    yield from _head(result, title)
    yield '<main id="main">\n'
    yield from gates(result)
    yield from tiles(result, seen)
    yield from curves(result, seen)
    yield from slices(result, seen)
    yield from diagnostics(result)
    if seen.count:
        yield _TOOLS
    yield "</main>\n"
    yield from _foot(result)
    yield _DRAWER
    blocks = Blocks(result, rows, seen)
    yield from blocks
    yield block("meta", _meta(result, seen, blocks))
    yield f"<script>{script()}</script>\n</body>\n</html>\n"


def _head(result: Result, title: str) -> Iterator[str]:
    names = input_names(result)
    said = [f"{result.case_count:,} cases", f"profile {result.provenance.get('profile', '')}"]
    said += [f"k = {result.k}"] if result.k is not None else []
    said += names[:LISTED] + ([f"and {len(names) - LISTED} more files"] if len(names) > LISTED else [])
    yield f'<header class="top"><div><h1 dir="auto">{esc(title)}</h1>\n{verdict(result)}'
    yield f'<p class="dim">{" · ".join(f"<bdi>{esc(one)}</bdi>" for one in said)}</p>\n'
    if failed := failures(result):
        yield f'<p class="bad">Measured incompletely: {failed:,} of {result.case_count:,} cases failed.</p>\n'
    yield '</div><button type="button" id="theme" hidden></button></header>\n'


def _foot(result: Result) -> Iterator[str]:
    yield '<footer><section aria-labelledby="conventions"><h2 id="conventions">Conventions</h2>\n'
    rows = [f'<tr><th scope="row">{esc(n)}</th><td>{esc(said)}</td></tr>' for n, said in conventions(result)]
    yield table(("Name", "Choice"), rows, "Conventions behind the numbers")
    inputs = result.provenance.get("inputs", [])
    if inputs:
        rows = [
            f'<tr><th scope="row">{esc(one.get("name", ""))}</th><td>{esc(one.get("format", ""))}</td>'
            f"<td><code>{esc(one.get('sha256') or one.get('fingerprint') or '')}</code></td></tr>"
            for one in inputs
        ]
        yield table(("File", "Format", "SHA-256 or fingerprint"), rows, "Inputs")
    yield "</section></footer>\n"


def _meta(result: Result, seen: Survey, blocks: Blocks) -> dict[str, Any]:
    """What the script needs to know beside the rows."""
    shown = {e.metric: e for e in reversed(result.estimates)}
    words = {why for e in result.estimates for why in e.n_null} | ERRORS
    return {
        "metrics": [[m, 1 if shown[m].higher_is_better else -1, shown[m].definition] for m in seen.metrics],
        "tags": seen.tags,
        "flags": {flag: FLAG.get(flag, "") for flag in result.diagnostics},
        "reasons": {why: REASON.get(why, "") for why in sorted(words)},
        "errors": sorted(ERRORS),
        "held": blocks.held,
        "told": blocks.told,
        "failures": failing(result, seen),
        "command": command(result),
        "explain": explaining(result),
        "notices": blocks.notices(),
    }


def failing(result: Result, seen: Survey) -> str:
    """The cases that weigh down a gate that does not pass; without one, those below the best met. A filter."""
    outcomes = result.verdict.outcomes if result.verdict is not None else ()
    thresholds = {(o.metric, o.slice): o.threshold for o in outcomes if o.outcome != "PASS" and o.on_scale}
    said = []
    for key in keys(result):
        limit = thresholds.get((key.metric, key.slice), seen.best)
        if limit is not None:
            said.append(_beyond(key, limit, seen))
    return " or ".join(said)


def _beyond(key: Key, limit: float, seen: Survey) -> str:
    said = f"{named(key.metric)} {'<' if key.lowest else '>'} {limit!r}"
    tag, _, value = key.slice.partition("=")
    return f"({said} and {named(tag)} = {quoted(value)})" if tag in seen.tags else said


def command(result: Result) -> str:
    """The command that measures the same, as far as the result tells: files by name, metrics, slices, gates."""
    by = dict.fromkeys(e.slice.partition("=")[0] for e in result.estimates if e.slice)
    parts = ["ragmeter", "score", *_inputs(result)]
    parts += ["--profile", str(result.provenance["profile"])] if result.provenance.get("profile") else []
    parts += ["--k", str(result.k)] if result.k is not None else []
    for metric in dict.fromkeys(e.metric for e in result.estimates):
        parts += ["-m", metric]
    for tag in by:
        parts += ["--by", tag] if tag not in ("run", "ties") else []
    level = str(result.provenance.get("conventions", {}).get("relevant", "")).rpartition(" ")[2]
    parts += ["--relevance-level", level] if level not in ("", "1") else []
    if result.provenance.get("seed"):
        parts += ["--seed", str(result.provenance["seed"])]
    for o in result.verdict.outcomes if result.verdict is not None else ():
        if o.kind != "point":
            parts += ["--gate", o.gate]
            continue
        name = o.metric + (f"[{o.slice}]" if o.slice else "")
        parts += ["--max" if " <= " in o.gate else "--min", f"{name}={o.threshold!r}"]
    return shlex.join(parts)


def explaining(result: Result) -> str:
    """The command that explains one case, up to the case's id."""
    return shlex.join(["ragmeter", "explain", *_inputs(result), "--case"])


def _inputs(result: Result) -> list[str]:
    """The inputs as arguments: judgments and qrels behind their options."""
    said = []
    for one in result.provenance.get("inputs", []):
        name = str(one.get("name", ""))
        name = f"./{name}" if name.startswith("-") else name
        option = {"trec_qrels": "--qrels", "beir": "--qrels", "judgments": "--judgments", "dvc_scores": "--judgments"}
        said += [option[one["format"]], name] if one.get("format") in option else [name]
    return said


REPORT = Report(render, ".html", "one page that opens from disk: pictures, slices, and every case to filter and open")
