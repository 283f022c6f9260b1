"""`score`: recorded files in, a Result out. It connects to nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import json, structs

from ragmeter.errors import IncompleteError, InputError, Problems, UsageError, nearest
from ragmeter.evaluate import Evaluation
from ragmeter.formats import Format, first_object, head, recognise
from ragmeter.metrics import Measure, measure, measures
from ragmeter.profiles import Profile, profile
from ragmeter.records import Case, Judgment, Output, record_json
from ragmeter.result import Result
from ragmeter.store import JudgmentsFile, Rows, Spool, file_hash
from ragmeter.suite import Suite

SCHEMA = 1  # of result.json


class Inputs:
    """The files of a suite, each with its format."""

    def __init__(self, suite: Suite):
        self.suite = suite
        self.files: list[tuple[str, str, Format]] = []
        self.fingerprints: dict[str, Fingerprint] = {}
        for path in suite.cases:
            self.files.append((path, *recognise(path, suite.from_)))
        for path in suite.qrels:
            name, format = _qrels(path)
            if format.holds not in ("qrels", "cases"):
                raise UsageError(f"{path}: given as --qrels, but this is a file of {format.holds} ({name})")
            self.files.append((path, name, format))
        for path in suite.judgments:
            self.files.append((path, *_judgments(path)))

    def of(self, *kinds: str) -> list[tuple[str, Format]]:
        """The files that hold one of these kinds, in the order given."""
        return [(path, format) for path, _, format in self.files if format.holds in kinds]

    def recorded(self, problems: Problems) -> list[Judgment]:
        """The text-less lines of judgments files; the others are found by their call key."""
        read = (judgment for path, format in self.of("judgments") for judgment in format.read(path, problems))
        return [judgment for judgment in read if isinstance(judgment, Judgment) and not judgment.call_key]

    def default_profile(self) -> str:
        """What the formats suggest: the first that is not 'standard', judgments before the runs they judge."""
        if any(_asks_memory(path) for path, _ in self.of("cases")):
            return "memory"
        formats = [format for _, _, format in self.files]
        formats.sort(key=lambda format: format.holds == "run")
        named = [format.profile for format in formats if format.profile != "standard"]
        return named[0] if named else "standard"

    @property
    def only_runs(self) -> bool:
        """Whether there are runs and judgments of them, and nothing else."""
        kinds = {format.holds for _, _, format in self.files}
        bulk = {format.batches for _, format in self.of("run")}
        return kinds == {"run", "qrels"} and len(bulk) == 1 and None not in bulk and not self.suite.judges


def _qrels(path: str) -> tuple[str, Format]:
    """The format of a --qrels file; what nothing recognises is read as TREC judgments, whose errors then speak."""
    try:
        return recognise(path)
    except InputError as why:
        if not why.problems or not Path(path).is_file():
            raise
        return recognise(path, "trec_qrels")


def _judgments(path: str) -> tuple[str, Format]:
    """The format of a --judgments file: one that recognises it and holds judgments, else our own (the file may be new)."""
    if Path(path).is_file() and Path(path).stat().st_size:
        name, format = recognise(path)
        if format.holds == "judgments":
            return name, format
    return recognise(path, "judgments")


def _asks_memory(path: str) -> bool:
    """Whether the first case names words that a rewritten question must hold."""
    return bool((first_object(head(path)) or {}).get("expected"))


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
    for key in (*suite.minimum, *suite.maximum):
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


def run_pairs(inputs: Inputs, path: str, problems: Problems) -> Iterator[tuple[Case, Output]]:
    """The judged queries with what one run retrieved for them, as records.

    A query that the run lacks retrieved nothing, or is left out where only common queries count.
    """
    suite = inputs.suite
    chosen = profile(suite.profile or inputs.default_profile())
    format = dict(inputs.of("run"))[path]
    ranked = format.read(path, problems, ties=chosen.ties, score_bits=chosen.score_bits)
    outputs = {output.case: output for output in ranked}
    common = (suite.queries or chosen.queries) == "common"
    for qrels, judgments in inputs.of("qrels"):
        for case in judgments.read(qrels, problems):
            output = outputs.get(case.id)
            if output is None and common:
                continue
            retrieved = (output and output.retrieved) or ()
            if suite.judged_only:
                retrieved = tuple([passage for passage in retrieved if case.qrels.get(passage, -1) >= 0])
            yield case, Output(case.id, retrieved)


def limits(suite: Suite) -> Any:
    """How hard systems may be driven, as the suite says."""
    from ragmeter.calls import Limits

    return Limits(suite.concurrency, suite.timeout, suite.retries, suite.rate)


def pairs(inputs: Inputs, problems: Problems) -> Iterator[tuple[Case, Output]]:
    """Cases with their outputs: from files whose lines hold both, then cases joined with outputs by id."""
    if not inputs.of("pairs", "cases", "qrels", "outputs", "run"):
        raise UsageError(f"{inputs.files[0][0]}: there is no case here to measure")
    if inputs.only_runs:
        (path, _), *others = inputs.of("run")
        if others:
            raise UsageError("give one run: several can only be scored side by side")
        yield from run_pairs(inputs, path, problems)
        return
    beside = [(path, format) for path, format in inputs.of("pairs") if format.beside]
    if beside and inputs.of("cases") and not inputs.of("outputs", "run"):
        known = [case for path, format in inputs.of("cases") for case in format.read(path, problems)]
        for path, format in beside:
            assert format.beside is not None
            yield from format.beside(path, problems, known)
        return
    files = inputs.of("pairs")
    if len(files) > 1:
        yield from once(files, problems)
        files = []
    for path, format in files:
        yield from format.read(path, problems)
    cases, outputs = inputs.of("cases", "qrels"), inputs.of("outputs", "run")
    if not outputs and cases and not inputs.of("cases"):
        raise UsageError(f"{cases[0][0]}: these are judgments; name the run to score beside them")
    if cases or outputs:
        chosen = profile(inputs.suite.profile or inputs.default_profile())
        ranked = [(path, _ranked(format, chosen)) for path, format in outputs]
        yield from join(cases, ranked, problems, inputs.fingerprints)


def _ranked(format: Format, chosen: Profile) -> Format:
    """A format of runs reads them under the tie rule of the profile."""
    if format.holds != "run":
        return format
    return structs.replace(format, read=partial(format.read, ties=chosen.ties, score_bits=chosen.score_bits))


def once(files: Sequence[tuple[str, Format]], problems: Problems) -> Iterator[tuple[Case, Output]]:
    """The pairs of several files; a case that stands in two of them is a fault."""
    met: dict[str, int] = {}
    for place, (path, format) in enumerate(files):
        for case, output in format.read(path, problems):
            if (first := met.setdefault(case.id, place)) != place:
                problems.add(path, 0, f"case '{case.id}' stands in {files[first][0]} too", kind="duplicate")
            yield case, output


def join(
    cases: Sequence[tuple[str, Format]],
    outputs: Sequence[tuple[str, Format]],
    problems: Problems,
    fingerprints: dict[str, Fingerprint],
) -> Iterator[tuple[Case, Output]]:
    """Each case with its output, in the order of the cases. Files in one order are joined in flat memory.

    A case without an output is an error of that case (`not_obtained`), never a score. An output without a case
    is counted as a warning; a second output of one case is a fault.
    """
    if not cases:
        raise UsageError(f"{outputs[0][0]}: outputs need the cases (or qrels) they answer")
    if not outputs:
        raise UsageError(
            f"{cases[0][0]}: cases alone measure nothing: give the outputs of a system beside them, "
            "or ask one with 'ragmeter run'"
        )
    # A run has no line for a query that retrieved nothing; any other file of outputs has.
    only_runs = all(format.holds == "run" for _, format in outputs) and bool(outputs)

    def absent(case: Case) -> Output:
        if only_runs:
            return Output(case.id, ())
        return Output(case.id, error="not obtained: no output is recorded")

    waiting: dict[str, Output] = {}
    stream = _outputs(outputs, problems, fingerprints)
    asked: dict[str, str] = {}
    for path, format in cases:
        for case in format.read(path, problems):
            if not isinstance(case, Case):
                continue
            if case.id in asked:
                if asked[case.id] != path or not _repeats_told(problems, path):
                    problems.add(path, 0, f"case '{case.id}' stands in {asked[case.id]} too", kind="duplicate")
                continue
            asked[case.id] = path
            output = waiting.pop(case.id, None)
            while output is None:
                path_of, candidate = next(stream, (None, None))
                if candidate is None:
                    break
                if candidate.case == case.id:
                    output = candidate
                else:
                    waiting[candidate.case] = candidate
            yield case, output or absent(case)
    for _, candidate in stream:
        waiting[candidate.case] = candidate
    for id in waiting:
        place = outputs[0][0]
        problems.warn(place, 0, f"output for '{id}', which is no case", group="extra outputs")


def _outputs(
    files: Sequence[tuple[str, Format]], problems: Problems, fingerprints: dict[str, Fingerprint]
) -> Iterator[tuple[str, Output]]:
    met: set[str] = set()
    for path, format in files:
        print_ = fingerprints.setdefault(path, Fingerprint()) if format.holds == "outputs" else None
        for record in format.read(path, problems):
            if not isinstance(record, Output):
                continue
            if record.case in met:
                if not _repeats_told(problems, path):
                    problems.add(path, 0, f"a second output for case '{record.case}'", kind="duplicate")
                continue
            met.add(record.case)
            if print_ is not None:
                print_.add(record)
            yield path, record


def _repeats_told(problems: Problems, path: str) -> bool:
    """Whether the reader of this file has said already, with their lines, which ids are repeated."""
    return any(problem.kind == "duplicate" and problem.path == str(path) for problem in problems.faults)


class Fingerprint:
    """A hash of outputs that does not depend on their order, on times or on costs."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, output: Output) -> None:
        """One more output."""
        timeless = structs.replace(output, seconds=None, usage=None)
        self.total += int.from_bytes(blake2b(record_json(timeless), digest_size=32).digest(), "big")

    def __str__(self) -> str:
        return f"{self.total % (1 << 256):064x}"


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
