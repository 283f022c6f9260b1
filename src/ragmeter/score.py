"""`score`: recorded files in, a Result out. It connects to nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import structs

from ragmeter.errors import IncompleteError, Problems, UsageError
from ragmeter.evaluate import Evaluation
from ragmeter.formats import Format, recognise
from ragmeter.metrics import Measure, measures
from ragmeter.profiles import Profile, profile
from ragmeter.records import Case, Judgment, Output, record_json
from ragmeter.result import Result
from ragmeter.store import JudgmentsFile, Rows, Spool, file_hash
from ragmeter.suite import Suite

SCHEMA = 1  # of result.json


class Inputs:
    """The files of a suite, each with its format."""

    def __init__(self, suite: Suite):
        self.files: list[tuple[str, str, Format]] = []
        self.fingerprints: dict[str, Fingerprint] = {}
        for path in suite.cases:
            self.files.append((path, *recognise(path, suite.from_)))
        for path in suite.qrels:
            self.files.append((path, *recognise(path)))
        for path in suite.judgments:
            self.files.append((path, *recognise(path, "judgments")))

    def of(self, *kinds: str) -> list[tuple[str, Format]]:
        """The files that hold one of these kinds, in the order given."""
        return [(path, format) for path, _, format in self.files if format.holds in kinds]

    def recorded(self, problems: Problems) -> list[Judgment]:
        """The text-less lines of judgments files; the others are found by their call key."""
        read = (judgment for path, format in self.of("judgments") for judgment in format.read(path, problems))
        return [judgment for judgment in read if isinstance(judgment, Judgment) and not judgment.call_key]

    def default_profile(self) -> str:
        """What the formats suggest: the first that is not 'standard'."""
        named = [format.profile for _, _, format in self.files if format.profile != "standard"]
        return named[0] if named else "standard"


def score(suite: Suite, problems: Problems) -> tuple[Result, Rows]:
    """Measure recorded files. Raises InputError with every fault of the files, UsageError for what does not fit."""
    inputs = Inputs(suite)
    chosen = profile(suite.profile or inputs.default_profile())
    columns = measures(list(suite.metrics or chosen.metrics), chosen, suite.k)
    spool = Spool()
    evaluation = Evaluation(columns, chosen, by=suite.by, seed=suite.seed, level=suite.level, spool=spool)
    feed(evaluation, inputs, suite, problems)
    if problems.faults:
        headline = next((f.headline for _, _, f in inputs.files if f.headline), None)
        problems.check(headline(problems.faults) if headline else "")
    said = provenance(suite, inputs, chosen, columns)
    return evaluation.result(said, k=shown_k(suite, columns)), Rows(spool)


def feed(evaluation: Evaluation, inputs: Inputs, suite: Suite, problems: Problems) -> None:
    """Walk the inputs into the evaluation, the shortest way that they allow."""
    if not suite.judges and not suite.judgments:
        (path, _, format), *more = inputs.files
        if format.reduced and not more and evaluation.integers_only:
            evaluation.add_reduced(format.reduced(path, problems, suite.level, evaluation.depth))
            return
        evaluation.add_all(pairs(inputs, problems))
        return
    from ragmeter.judge import Judging, judge, judges

    cache = JudgmentsFile(suite.judgments[0]) if suite.judgments else None
    chosen = judges(suite.judges)
    judging = Judging(chosen, cache, inputs.recorded(problems), limits=limits(suite), offline=suite.offline)
    evaluation.add_judged(judge(pairs(inputs, problems), judging))
    if judging.missing and not problems.faults:
        listed = "\n".join(f"  {one}" for one in judging.missing[:20])
        more = len(judging.missing) - 20
        raise IncompleteError(
            f"{len(judging.missing)} judgments are missing and no judge may be asked offline:\n{listed}"
            + (f"\n  ... and {more} more" if more > 0 else "")
        )


def limits(suite: Suite) -> Any:
    """How hard systems may be driven, as the suite says."""
    from ragmeter.calls import Limits

    return Limits(suite.concurrency, suite.timeout, suite.retries, suite.rate)


def pairs(inputs: Inputs, problems: Problems) -> Iterator[tuple[Case, Output]]:
    """Cases with their outputs: from files whose lines hold both, then cases joined with outputs by id."""
    for path, format in inputs.of("pairs"):
        yield from format.read(path, problems)
    cases, outputs = inputs.of("cases", "qrels"), inputs.of("outputs", "run")
    if cases or outputs:
        yield from join(cases, outputs, problems, inputs.fingerprints)


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
    waiting: dict[str, Output] = {}
    stream = _outputs(outputs, problems, fingerprints)
    asked: set[str] = set()
    for path, format in cases:
        for case in format.read(path, problems):
            if not isinstance(case, Case):
                continue
            if case.id in asked:
                problems.add(path, 0, f"case {case.id} stands in more than one file")
                continue
            asked.add(case.id)
            output = waiting.pop(case.id, None)
            while output is None:
                path_of, candidate = next(stream, (None, None))
                if candidate is None:
                    break
                if candidate.case == case.id:
                    output = candidate
                else:
                    waiting[candidate.case] = candidate
            yield case, output or Output(case.id, error="not obtained: no output is recorded")
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
                problems.add(path, 0, f"a second output for case '{record.case}'", kind="duplicate")
                continue
            met.add(record.case)
            if print_ is not None:
                print_.add(record)
            yield path, record


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
        "inputs": [_input(path, name, inputs) for path, name, _ in inputs.files],
    }


def _input(path: str, name: str, inputs: Inputs) -> dict[str, str]:
    """The file's own name and the hash of its bytes; outputs by their fingerprint, which holds no clock times."""
    said = {"name": Path(path).name, "format": name}
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
    """The cutoff shown in the head of a report: the one typed, else the one that all columns share."""
    cutoffs = {c.options["k"] for c in columns if isinstance(c.options.get("k"), int)}
    return suite.k if suite.k is not None else next(iter(cutoffs)) if len(cutoffs) == 1 else None
