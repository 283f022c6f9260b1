"""`score`: recorded files in, a Result out. It connects to nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import json, structs

from ragmeter.errors import IncompleteError, Problems, UsageError, nearest
from ragmeter.evaluate import Evaluation
from ragmeter.inputs import Inputs
from ragmeter.metrics import Measure, measure, measures
from ragmeter.pairs import pairs, run_pairs
from ragmeter.profiles import Profile, profile
from ragmeter.result import Result
from ragmeter.rules import parse
from ragmeter.store import JudgmentsFile, Rows, Spool, file_hash
from ragmeter.suite import Suite

SCHEMA = 1  # of result.json


def score(suite: Suite, problems: Problems, *, live: bool = False) -> tuple[Result, Rows]:
    """Measure recorded files, asking local judges only unless `live`. Raises InputError with every fault of the files, UsageError for what does not fit."""
    inputs = Inputs(suite)
    chosen = profile(suite.profile or inputs.default_profile())
    columns = measures(list(suite.metrics or chosen.metrics), chosen, suite.k)
    check_gates(suite, chosen, columns)
    spool = Spool()
    if inputs.only_runs:
        measured = score_runs(inputs, chosen, columns, spool, problems)
    else:
        refuse_run_options(suite)
        evaluation = Evaluation(
            columns, chosen, by=suite.by or chosen.by, seed=suite.seed, level=suite.level, spool=spool
        )
        feed(evaluation, inputs, suite, problems, live=live)
        measured = [("", evaluation)]
    if problems.faults:
        headline = next((f.headline for _, _, f in inputs.files if f.headline), None)
        problems.check(headline(problems.faults) if headline else "")
    said, k = provenance(suite, inputs, chosen, columns), shown_k(suite, columns)
    result = together([(slice, evaluation.result(said, k=k)) for slice, evaluation in measured])
    for tag in suite.by:
        if not any(f"{tag}=" in estimate.slice for estimate in result.estimates):
            problems.warn("--by", 0, f"no case has a tag '{tag}'", group=f"by {tag}")
    return result, Rows(spool)


def refuse_run_options(suite: Suite) -> None:
    """UsageError for what is said about runs where there is no run with its judgments: it would be ignored."""
    asked = {"--ties": suite.ties, "--judged-only": suite.judged_only, "--queries": suite.queries}
    for option, value in asked.items():
        if value:
            raise UsageError(f"{option} is about TREC runs with --qrels; these inputs are none")


def check_gates(suite: Suite, chosen: Profile, columns: Sequence[Measure]) -> None:
    """UsageError for a gate on a metric that will not be measured, before anything is read or asked."""
    labels = {column.label for column in columns}
    definitions = {column.definition for column in columns}
    named = [rule for rule in map(parse, suite.gates) if rule.kind != "share" and rule.metric]
    for key in (*suite.minimum, *suite.maximum, *(rule.metric for rule in named)):
        name = key.partition("[")[0]
        if name in labels | definitions or chosen.labels.get(name) in labels:
            continue
        try:
            definition = measure(name, chosen, suite.k).definition
        except UsageError:
            definition = ""
        if definition not in definitions:
            raise UsageError(f"gate on '{key}', which is not measured{nearest(name, labels)}")


def together(results: Sequence[tuple[str, Result]]) -> Result:
    """Several results as one, the estimates of each in the slice of its name; the first one's title and inputs."""
    first = results[0][1]
    if len(results) == 1:
        return first
    estimates = [
        structs.replace(e, slice=", ".join(filter(None, (name, e.slice))))
        for name, result in results
        for e in result.estimates
    ]
    counts: dict[str, int] = {}
    for name, result in results:
        for flag, count in result.diagnostics.items():
            counts[f"{flag}[{name}]" if name else flag] = count
    cases = max(result.case_count for _, result in results)
    return structs.replace(first, case_count=cases, estimates=tuple(estimates), diagnostics=counts)


def feed(evaluation: Evaluation, inputs: Inputs, suite: Suite, problems: Problems, *, live: bool) -> None:
    """Walk the inputs into the evaluation, the shortest way that they allow."""
    if not suite.judges and not inputs.of("judgments"):
        (path, _, format), *more = inputs.files
        if format.reduced and not more and evaluation.integers_only:
            evaluation.add_reduced(format.reduced(path, problems, suite.level, evaluation.depth))
            return
        evaluation.add_all(pairs(inputs, problems))
        return
    from ragmeter.judge import Judging, judge, judges

    own = [path for path, name, _ in inputs.files if name == "judgments" and path in suite.judgments]
    cache = JudgmentsFile(own[0]) if own else None
    chosen = judges(suite.judges)
    judging = Judging(chosen, cache, inputs.recorded(problems), limits=limits(suite), offline=suite.offline or not live)
    evaluation.add_judged(judge(pairs(inputs, problems), judging))
    if judging.missing and not problems.faults:
        listed = "\n".join(f"  {one}" for one in judging.missing[:20])
        hidden = len(judging.missing) - 20
        raise IncompleteError(
            f"{len(judging.missing)} judgments are missing and no judge may be asked offline:\n{listed}"
            + (f"\n  ... and {hidden} more" if hidden > 0 else "")
        )


def score_runs(
    inputs: Inputs, chosen: Profile, columns: Sequence[Measure], spool: Spool, problems: Problems
) -> list[tuple[str, Evaluation]]:
    """Every run against one reading of the judgments, each with its slice: '' for one run, 'run=NAME' for several.

    With `ties` the extremes over the orders of equal scores follow, in slices of their own. Rows are written
    only when asked for.
    """
    suite = inputs.suite
    start = partial(Evaluation, profile=chosen, by=suite.by or chosen.by, seed=suite.seed, level=suite.level)
    runs = [path for path, _ in inputs.of("run")]
    measured: list[tuple[str, Evaluation]] = []
    for name, facts in zip(run_names(runs), run_facts(inputs, chosen, problems), strict=True):
        rows: Any = (Tagged(spool, name) if name else spool) if suite.per_query else None
        evaluation = start(columns, spool=rows)
        measured.append((f"run={name}" if name else "", evaluation))
        if evaluation.by_record or evaluation.by:
            evaluation.add_all(run_pairs(inputs, facts.path, problems))
        else:
            for shard in facts.shards():
                evaluation.add_batch(shard)
            evaluation.flag_counts = {flag: count for flag, _, count in facts.flags()}
            evaluation.first = {flag: first for flag, first, _ in facts.flags()}
        for place, (flag, count) in enumerate(facts.counts.items()):
            evaluation.flag_counts[flag], evaluation.first[flag] = count, LAST + place
        if suite.ties:
            measured += tied(start, columns, facts, f"run={name}, " if name else "")
    return measured


def run_facts(inputs: Inputs, chosen: Profile, problems: Problems) -> Any:
    """The runs as columnar shards, one after the other."""
    runs, suite = inputs.of("run"), inputs.suite
    batches = runs[0][1].batches
    assert batches is not None
    return batches(
        [path for path, _ in runs],
        inputs.of("qrels"),
        problems,
        level=suite.level,
        ties=chosen.ties,
        score_bits=chosen.score_bits,
        queries=suite.queries or chosen.queries,
        judged_only=suite.judged_only,
        tied=suite.ties,
    )


def tied(
    start: Callable[..., Evaluation], columns: Sequence[Measure], facts: Any, before: str
) -> Iterator[tuple[str, Evaluation]]:
    """The best and the worst that the orders of equal scores allow, for the measures that they can be said of."""
    from ragmeter.ties import best, sensitive, worst

    for word, reordered in (("best", best), ("worst", worst)):
        evaluation = start(sensitive(columns))
        for shard in facts.shards():
            evaluation.add_batch(reordered(shard))
        evaluation.flag_counts.clear()
        yield f"{before}ties={word}", evaluation


LAST = 1 << 62  # the place of diagnostics that belong to no case


def run_names(paths: Sequence[str]) -> list[str]:
    """What several runs are called: their files' names without folder and suffix, the paths where those are equal.

    A single run needs no name.
    """
    if len(paths) == 1:
        return [""]
    twice = next((path for place, path in enumerate(paths) if path in paths[:place]), None)
    if twice is not None:
        raise UsageError(f"{twice}: given twice; a run is measured once")
    names = [Path(path).name.removesuffix(".gz") for path in paths]
    stems = [Path(name).stem if name.endswith((".run", ".trec", ".txt")) else name for name in names]
    return stems if len({*stems}) == len(stems) else list(paths)


class Tagged:
    """A spool whose rows say which run they belong to."""

    def __init__(self, spool: Spool, run: str):
        self.spool = spool
        self.tail = b',"tags":' + json.encode({"run": run}) + b"}\n"

    def write(self, lines: bytes) -> None:
        """Append whole rows that have no tags yet. No text in a row holds a line break."""
        self.spool.write(lines.replace(b"}\n", self.tail))


def limits(suite: Suite) -> Any:
    """How hard systems may be driven, as the suite says."""
    from ragmeter.calls import Limits

    return Limits(suite.concurrency, suite.timeout, suite.retries, suite.rate)


def provenance(suite: Suite, inputs: Inputs, chosen: Profile, columns: Sequence[Measure]) -> dict[str, Any]:
    """Where the numbers come from: versions, conventions, seed, and the inputs with their hashes."""
    from ragmeter.version import __version__

    return {
        "version": __version__,
        "schema": SCHEMA,
        "profile": chosen.name,
        "conventions": conventions(suite, chosen),
        "seed": suite.seed,
        "max_errors": suite.max_errors,
        "inputs": [_input(path, name, inputs) for path, name, _ in inputs.files],
    }


def _input(path: str, name: str, inputs: Inputs) -> dict[str, str]:
    """The file's own name and the hash of its bytes; outputs by their fingerprint, which holds no clock times."""
    said = {"name": os.fsencode(Path(path).name).decode(errors="backslashreplace"), "format": name}
    if path in inputs.fingerprints:
        return {**said, "fingerprint": str(inputs.fingerprints[path])}
    return {**said, "sha256": file_hash(path)}


def conventions(suite: Suite, chosen: Profile) -> dict[str, str]:
    """The choices behind the numbers, in words."""
    return {
        "about": chosen.about,
        "relevant": f"grade >= {suite.level}",
        "ties": chosen.ties,
        "scores": f"{chosen.score_bits}-bit",
        "queries": suite.queries or chosen.queries,
        "judged_only": str(suite.judged_only).lower(),
    }


def shown_k(suite: Suite, columns: Sequence[Measure]) -> int | None:
    """The cutoff shown in the head of a report: the one typed where a column has it, else the one that all share."""
    cutoffs = {c.options["k"] for c in columns if isinstance(c.options.get("k"), int)}
    return suite.k if suite.k in cutoffs else next(iter(cutoffs)) if len(cutoffs) == 1 else None
