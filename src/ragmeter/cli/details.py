"""What a case is shown from when it is opened in a report: its records, its judgments, every term of its scores.

Reports ask case by case in the order of the rows, which is the order of the inputs; so the inputs are read along
beside them, and nothing is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from ragmeter.errors import Problems, RagmeterError
from ragmeter.result import Result, Row

if TYPE_CHECKING:
    from ragmeter.records import Case, Judgment, Output
    from ragmeter.store import Run
    from ragmeter.suite import Suite

Judged = Mapping[str, Mapping[str, "Judgment"]]


class Detailed:
    """Case rows that can also tell what stands behind each.

    `suite` is what the result was measured from. Judgments come from its files; only its local judges are asked.
    """

    def __init__(self, rows: Iterable[Row], suite: Suite, result: Result):
        self.rows = rows
        self.suite = suite
        self.result = result
        self._walk: Iterator[tuple[Case, Output]] | None = None
        self._setting: Any = None
        self._lost = False

    def __iter__(self) -> Iterator[Row]:
        self._walk = None
        return iter(self.rows)

    def details(self, case_id: str, brief: bool = False) -> dict[str, Any] | None:
        """The records of that case as their JSON, its answer in pieces, its judgments and its trace.

        `brief` leaves it at {"case": {"question": ...}}. None when the inputs do not hold the case (any more).
        Ids come in the order of the inputs; gaps are fine.
        """
        if self._lost:
            return None
        try:
            self._walk = self._walk or self._pairs()
            for case, output in self._walk:
                if case.id == case_id:
                    return {"case": {"question": case.question}} if brief else self._tell(case, output)
        except (RagmeterError, OSError):
            pass
        self._lost = True  # a file has changed, or is gone: say nothing rather than search it for every case
        return None

    def _pairs(self) -> Iterator[tuple[Case, Output]]:
        from ragmeter.inputs import Inputs
        from ragmeter.judge import Judging, judges
        from ragmeter.metrics import measures
        from ragmeter.pairs import pairs
        from ragmeter.profiles import profile
        from ragmeter.store import JudgmentsFile

        inputs, problems = Inputs(self.suite), Problems()
        chosen = profile(self.suite.profile or inputs.default_profile())
        columns = measures(list(self.suite.metrics or chosen.metrics), chosen, self.suite.k)
        own = [path for path, name, _ in inputs.files if name == "judgments" and Path(path).exists()]
        cache = JudgmentsFile(own[0]) if own else None
        judging = Judging(judges(self.suite.judges), cache, inputs.recorded(problems), offline=True)
        self._setting = (columns, chosen, judging)
        return pairs(inputs, problems)

    def _tell(self, case: Case, output: Output) -> dict[str, Any]:
        from ragmeter.explain import explain_case
        from ragmeter.judge import judge

        columns, chosen, judging = self._setting
        judged: Judged = next(iter(judge([(case, output)], judging)))[2]
        level = self.suite.level
        trace = explain_case(case, output, columns, chosen, level=level, judged=judged)
        told: dict[str, Any] = {
            "case": to_builtins(case),
            "output": to_builtins(output),
            "judgments": [_said(one) for subjects in judged.values() for one in subjects.values()],
            "trace": "\n".join(trace),
            "level": level,
        }
        found = pieces(output, judged, chosen.reading)
        return {**told, "pieces": found} if found else told


def _said(judgment: Judgment) -> dict[str, Any]:
    """What a reader wants of a judgment; a ratio as 'num / den'."""
    value = judgment.value if judgment.value is not None else judgment.label
    if value is None and judgment.den:
        value = f"{judgment.num or 0:g} / {judgment.den:g}"
    said = {
        "kind": judgment.kind,
        "subject": judgment.subject,
        "value": value,
        "rationale": judgment.rationale,
        "judge": judgment.judge,
        "error": judgment.error,
    }
    return {name: one for name, one in said.items() if one not in (None, "")}


def pieces(output: Output, judged: Judged, rules: str) -> list[list[Any]]:
    """The answer cut into sentences and what stands between: [text, sentence or None, support or None].

    Support, from 0 to 1, is the verdict on all that the sentence cites. The pieces joined are the answer.
    """
    verdicts = judged.get("citation_support", {})
    if not output.answer or not verdicts:
        return []
    from ragmeter.citations import read_answer

    answer, at = output.answer, 0
    cut: list[list[Any]] = []
    for number, (start, end) in enumerate(read_answer(output, rules=rules).spans):
        if start > at:
            cut.append([answer[at:start], None, None])
        verdict = verdicts.get(f"sentence:{number}")
        cut.append([answer[start:end], number, verdict.value if verdict is not None else None])
        at = end
    return [*cut, [answer[at:], None, None]] if at < len(answer) else cut


def detailed(rows: Iterable[Row], suite: Suite, result: Result) -> Iterable[Row]:
    """The rows with their details; as they are when they come from several runs, whose rows share ids."""
    several = any(e.slice.startswith("run=") for e in result.estimates)
    return rows if several else Detailed(rows, suite, result)


def of_run(run: Run, result: Result) -> Iterable[Row]:
    """The rows of a finished run, with details as long as its cases are still where they were."""
    from ragmeter.suite import Suite

    manifest = run.manifest
    files = [*manifest.get("cases", ()), *manifest.get("judgments", ())]
    if not manifest.get("cases") or not all(Path(path).exists() for path in files):
        return run.rows()
    relevant = str(result.provenance.get("conventions", {}).get("relevant", "grade >= 1"))
    suite = Suite(
        cases=(*manifest["cases"], str(run.outputs_path)),
        judgments=tuple(manifest.get("judgments", ())),
        judges=tuple(manifest.get("judges", ())),
        profile=result.provenance.get("profile"),
        metrics=tuple(dict.fromkeys(e.metric for e in result.estimates)),
        k=result.k,
        level=int(relevant.rpartition(" ")[2]),
    )
    return detailed(run.rows(), suite, result)
