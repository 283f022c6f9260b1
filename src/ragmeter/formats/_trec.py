"""Runs against judgments, by the fast reader where files are big and plain, else line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ragmeter.errors import Problems
from ragmeter.formats import Format
from ragmeter.formats._trec_facts import Judged, Rows, Rules, RunFacts, hits_of, judged_of, warn_of_strangers
from ragmeter.formats._trec_lines import table

SMALL = 4 << 20  # bytes below which a file is read without polars
PACKED = 5  # how much a gzip file grows, roughly


def batches(
    rows: Rows, runs: Sequence[str], qrels: Sequence[tuple[str, Format]], problems: Problems, **rules: Any
) -> Iterator[RunFacts]:
    """Each run against the judgments, which are read once. `rows(run, problems)` reads a run line by line.

    The fields of Rules are its keywords. Every fault of the files is in `problems` at the end.
    """
    chosen = Rules(**rules)
    careful: Judged | None = None
    bulk = None
    if any(map(is_big, [*runs, *(path for path, _ in qrels)])):
        from ragmeter.formats._trec_bulk import prepare

        bulk = prepare(qrels, chosen)
    for run in runs:
        judged = bulk.judged if bulk is not None else None
        hits = bulk.hits(run) if bulk is not None else None
        if judged is None or hits is None:
            judged = careful = careful or judged_of(qrels, problems, chosen.level)
            hits = hits_of(table(run, rows(run, problems), problems, "results"), judged, chosen)
        warn_of_strangers(run, judged, hits, problems)
        yield RunFacts(run, judged, hits, chosen)


def is_big(path: str) -> bool:
    """Whether a file is worth loading the fast reader for."""
    size = Path(path).stat().st_size
    return size * (PACKED if path.endswith(".gz") else 1) >= SMALL
