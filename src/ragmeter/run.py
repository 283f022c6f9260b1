"""`run`: the whole corridor. Obtain what is missing, keep it as it comes, then score the files that are there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import structs

from ragmeter.errors import Problems, UsageError
from ragmeter.inputs import Inputs
from ragmeter.judge import judges
from ragmeter.judges import digest
from ragmeter.metrics import measures
from ragmeter.obtain import obtain, target
from ragmeter.profiles import profile
from ragmeter.records import Case, Output
from ragmeter.result import Result
from ragmeter.score import check_gates, limits, score
from ragmeter.store import Rows, Run, file_hash, open_run
from ragmeter.suite import Suite
from ragmeter.version import __version__

STATE = Path(".ragmeter")


def begin(suite: Suite, problems: Problems, *, root: Path = STATE, fresh: bool = False) -> tuple[Run, list[Case], Any]:
    """The run folder of this suite (the one it left off in, if any), its cases, and the system to ask.

    Whatever can be wrong with what was asked for is found before the folder is made and before anything is asked.
    """
    if suite.target is None:
        raise UsageError("run needs a target: --target command:PROGRAM or function:MODULE:CALLABLE")
    inputs = Inputs(structs.replace(suite, judgments=()))
    chosen = profile(suite.profile or inputs.default_profile())
    check_gates(suite, chosen, measures(list(suite.metrics or chosen.metrics), chosen, suite.k))
    judges(suite.judges)
    cases = [case for path, format in inputs.of("cases") for case in format.read(path, problems)]
    problems.check()
    if not cases:
        raise UsageError("run needs a file of cases; none of the inputs holds any")
    system = target(suite.target)
    hashes = [file_hash(path) for path, _, _ in inputs.files]
    run = open_run(
        root, digest(suite.target, suite.name, *hashes)[:12], suite.name or Path(suite.cases[0]).stem, fresh=fresh
    )
    held = run.manifest if (run.folder / "manifest.json").exists() else {}
    run.update(
        version=__version__,
        state="running",
        began=held.get("began") or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        target=suite.target,
        judges=suite.judges,
        judgments=suite.judgments,
        metrics=suite.metrics,
        name=suite.name,
        cases=[str(Path(path)) for path in suite.cases],
        inputs=hashes,
        case_count=len(cases),
    )
    return run, cases, system


def obtain_missing(suite: Suite, run: Run, cases: list[Case], system: Any) -> Iterator[Output]:
    """Ask for every case that has no good output yet; each is on the disk before it is yielded."""
    answered = run.answered()
    waiting = [case for case in cases if case.id not in answered]
    if waiting:
        if hasattr(system, "prepare"):
            system.prepare(cases)
        stream = obtain(waiting, system, limits(suite))
        try:
            for output in stream:
                run.append(output)
                yield output
        finally:
            stream.close()  # type: ignore[attr-defined]
    run.settle(case.id for case in cases)


def conclude(suite: Suite, run: Run, problems: Problems) -> tuple[Result, Rows]:
    """Score the cases and the outputs that the run holds, exactly as `score` does, and keep the result."""
    files = structs.replace(suite, cases=(*suite.cases, str(run.outputs_path)))
    result, rows = score(files, problems, live=True)
    run.finish(result, rows)
    return result, rows
