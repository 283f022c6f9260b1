"""`ragmeter explain`: how a metric, or the number of one case, comes about."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ragmeter.cli.options import cutoff, emit
from ragmeter.errors import Problems, UsageError, nearest


@click.command("explain", short_help="say how a metric, or the number of one case, comes about")
@click.argument("what", nargs=-1, metavar="METRIC | (RUN | FILE...) CASE")
@click.option("--case", "id", metavar="ID", help="The case, where it does not stand as the last argument.")
@click.option(
    "-m",
    "--metrics",
    multiple=True,
    metavar="METRIC[@K,...]",
    help="Which metrics of the case; all by default.",
)
@click.option("--k", multiple=True, callback=cutoff, metavar="N", help="Cutoff of metrics that name none.")
@click.option("--profile", metavar="NAME", help="Conventions; the default follows the run or the format.")
@click.option("--relevance-level", "level", type=click.IntRange(1), help="Lowest grade that is relevant (1).")
@click.option("--from", "from_", metavar="FORMAT", help="Format of FILE, instead of recognising it.")
@click.option("--qrels", multiple=True, metavar="FILE", help="Relevance judgments for runs (TREC, BEIR).")
@click.option("--judgments", multiple=True, metavar="FILE", help="Recorded judgments.")
@click.option(
    "--judge",
    "judges",
    multiple=True,
    metavar="SPEC",
    help="A local judge to ask, such as similarity:lexical.",
)
@click.option(
    "--state",
    type=click.Path(path_type=Path),
    default=Path(".ragmeter"),
    show_default=True,
    help="Where runs are kept.",
)
def command(what: tuple[str, ...], id: str | None, state: Path, **options: Any) -> int:
    """Print the page of a METRIC: formula, conventions, source, and what a profile makes of it.

    Or print every term of one CASE: what is relevant, retrieved and cited, and the numbers that each metric
    divides. FILEs are read as `score` reads them; RUN is a run folder, part of its name, or 'latest'.

    \b
    Examples:
      ragmeter explain recall --profile s2
      ragmeter explain fixture.jsonl garden-watering -m recall@5
      ragmeter explain cases.jsonl outputs.jsonl --case q1
      ragmeter explain latest q1
    """
    if not what:
        raise UsageError("explain needs a metric, as in `explain recall`, or a case, as in `explain FILE CASE`")
    if id is None and _are_metrics(what, state):
        emit(f"{line}\n" for line in _metrics(what, options))
        return 0
    sources, id = (list(what), id) if id is not None else _split(what)
    emit(f"{line}\n" for line in _case(sources, id, state, options))
    return 0


def _are_metrics(what: tuple[str, ...], state: Path) -> bool:
    """Whether the words name metrics: all known ones, or none of them a file and the first no run."""
    from ragmeter.registry import names
    from ragmeter.store import all_runs

    known = names("metric")
    if all(word.partition("@")[0].partition(":")[0] in known for word in what):
        return True
    if any(Path(word).exists() for word in what):
        return False
    return what[0] != "latest" and not any(what[0] in run.folder.name for run in all_runs(state))


def _split(what: tuple[str, ...]) -> tuple[list[str], str]:
    """Sources and the case: the last word, when it is no file."""
    if len(what) < 2 or Path(what[-1]).exists():
        raise UsageError(f"which case of {what[0]}? ragmeter explain {' '.join(what)} --case ID")
    return list(what[:-1]), what[-1]


def _metrics(specs: tuple[str, ...], options: dict[str, Any]) -> Iterator[str]:
    from ragmeter.explain import explain_metric
    from ragmeter.metrics import split_spec
    from ragmeter.profiles import profile

    chosen = profile(options["profile"]) if options["profile"] else None
    try:
        pages = [list(explain_metric(one, chosen, options["k"])) for spec in specs for one in split_spec(spec)]
    except UsageError as why:
        hint = f"\n'{specs[0]}' is no file and no run either" if len(specs) > 1 else ""
        raise UsageError(f"{why}{hint}") from None
    for place, page in enumerate(pages):
        yield from ["", "-" * 72, ""] if place else []
        yield from page


def _case(sources: list[str], id: str, state: Path, options: dict[str, Any]) -> Iterator[str]:
    from ragmeter.store import find_run
    from ragmeter.suite import Suite

    given = {name: value for name, value in options.items() if value is not None}
    is_run = len(sources) == 1 and (not Path(sources[0]).exists() or Path(sources[0]).is_dir())
    if not is_run:
        return _lines(Suite(cases=tuple(sources), **given), id, None)
    run = find_run(state, sources[0])
    return _lines(_suite_of(run, given), id, run)


def _suite_of(run: Any, given: dict[str, Any]) -> Any:
    """The suite that a finished run was measured with, as far as its folder says."""
    from ragmeter.store import file_hash
    from ragmeter.suite import Suite

    manifest, result = run.manifest, run.result()
    for path, kept in zip(manifest["cases"], manifest.get("inputs", ()), strict=False):
        if file_hash(path) != kept:
            print(f"warning: {path} has changed since the run", file=sys.stderr)
    relevant = str(result.provenance.get("conventions", {}).get("relevant", "grade >= 1"))
    held = {
        "cases": (*manifest["cases"], str(run.outputs_path)),
        "judges": tuple(manifest.get("judges", ())),
        "judgments": tuple(manifest.get("judgments", ())),
        "profile": result.provenance.get("profile"),
        "metrics": tuple(dict.fromkeys(e.metric for e in result.estimates)),
        "k": result.k,
        "level": int(relevant.rpartition(" ")[2]),
    }
    return Suite(**{**held, **{name: value for name, value in given.items() if value != ()}})


def _lines(suite: Any, id: str, run: Any) -> Iterator[str]:
    from ragmeter.explain import explain_case
    from ragmeter.inputs import Inputs
    from ragmeter.metrics import measures
    from ragmeter.profiles import profile

    problems = Problems()
    inputs = Inputs(suite)
    chosen = profile(suite.profile or inputs.default_profile())
    columns = measures(list(suite.metrics or chosen.metrics), chosen, suite.k)
    case, output = _find(inputs, problems, id)
    judged = _judged(suite, inputs, problems, (case, output))
    row = next((row for row in run.rows() if row.id == id), None) if run is not None else None
    return explain_case(case, output, columns, chosen, level=suite.level, judged=judged, row=row)


def _find(inputs: Any, problems: Problems, id: str) -> tuple[Any, Any]:
    """The case of that id with its output. Faults of other lines do not stand in the way."""
    from ragmeter.pairs import pairs

    known = []
    for case, output in pairs(inputs, problems):
        if case.id == id:
            return case, output
        known.append(case.id)
    problems.check()
    said = nearest(id, known) or (f"; it holds {len(known)}, the first is '{known[0]}'" if known else "")
    raise UsageError(f"no case '{id}' in the input{said}")


def _judged(suite: Any, inputs: Any, problems: Problems, pair: tuple[Any, Any]) -> Any:
    """What is judged about the case, as `score` would have it."""
    if not suite.judges and not suite.judgments:
        return None
    from ragmeter.judge import Judging, judge, judges
    from ragmeter.store import JudgmentsFile

    file = JudgmentsFile(suite.judgments[0]) if suite.judgments else None
    judging = Judging(judges(suite.judges), file, inputs.recorded(problems), offline=True)
    return next(iter(judge([pair], judging)))[2]
