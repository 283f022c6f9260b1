"""Cases with their outputs: from files whose lines hold both, from runs with judgments, or joined by id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import structs

from ragmeter.errors import Problems, UsageError
from ragmeter.formats import Format
from ragmeter.inputs import Fingerprint, Inputs
from ragmeter.profiles import Profile, profile
from ragmeter.records import Case, Output


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
