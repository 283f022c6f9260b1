"""From cases and outputs to judgments: ask what is not yet known, keep every answer.

The judgments file is cache and cassette in one. An error never answers a lookup, so it is asked again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import json, structs

from ragmeter.calls import Limits, Pace, call, in_order, walk
from ragmeter.errors import UsageError
from ragmeter.judges import JudgeError, Question, digest
from ragmeter.records import Case, Judgment, Output
from ragmeter.registry import find
from ragmeter.store import JudgmentsFile

Judged = Mapping[str, Mapping[str, Judgment]]  # kind -> subject -> judgment


def judges(specs: Sequence[str]) -> list[Any]:
    """The judges that SPECs name, such as 'similarity:lexical'."""
    return [find("judge", name)(rest) for name, _, rest in (spec.partition(":") for spec in specs)]


class Judging:
    """What is asked of whom, and what is known already.

    `file` keeps answers; `recorded` are text-less lines (case, kind, subject) given for these outputs.
    `offline` asks local judges only. `missing` lists what could not be asked, as 'case kind subject'.
    """

    def __init__(
        self,
        judges: Sequence[Any] = (),
        file: JudgmentsFile | None = None,
        recorded: Iterable[Judgment] = (),
        *,
        limits: Limits | None = None,
        offline: bool = False,
        repeat: int = 1,
    ):
        self.judges = tuple(judges)
        self.file = file if file is not None else JudgmentsFile(None)
        self.limits = limits or Limits()
        self.offline = offline
        self.repeat = repeat
        self.pace = Pace(self.limits.rate)
        self.missing: list[str] = []
        self.recorded: dict[str, dict[str, dict[str, Judgment]]] = {}
        for judgment in recorded:
            self._record(judgment)

    def _record(self, judgment: Judgment) -> None:
        subjects = self.recorded.setdefault(judgment.case, {}).setdefault(judgment.kind, {})
        before = subjects.get(judgment.subject)
        if before is not None and before.judge != judgment.judge:
            raise UsageError(
                f"two judges ('{before.judge}', '{judgment.judge}') answered {judgment.kind} "
                f"'{judgment.subject}' of case '{judgment.case}'; give the judgments of one"
            )
        subjects[judgment.subject] = judgment


def judge(pairs: Iterable[tuple[Case, Output]], judging: Judging) -> Iterator[tuple[Case, Output, Judged]]:
    """Each pair with its judgments, in the order given."""
    if not judging.judges:
        return ((case, output, judging.recorded.get(case.id, {})) for case, output in pairs)
    return walk(_judge(iter(pairs), judging))


async def _judge(pairs: Iterator[tuple[Case, Output]], judging: Judging) -> AsyncIterator[tuple[Case, Output, Judged]]:
    async def one(pair: tuple[Case, Output]) -> tuple[Case, Output, Judged]:
        case, output = pair
        known = {kind: dict(subjects) for kind, subjects in judging.recorded.get(case.id, {}).items()}
        if output.error is None:
            for judge in judging.judges:
                await _ask_all(judge, case, output, judging, known)
        return case, output, known

    async for triple in in_order(pairs, one, judging.limits.concurrency):
        yield triple


async def _ask_all(judge: Any, case: Case, output: Output, judging: Judging, known: dict[str, dict[str, Judgment]]) -> None:  # fmt: skip
    """Ask round by round (claims first, verdicts second) until the judge has no further question."""
    settled: dict[str, Judgment] = {}
    while True:
        good = {key: judgment for key, judgment in settled.items() if judgment.error is None}
        questions = [question for question in judge.asks(case, output, good) if question.key not in settled]
        if not questions:
            return
        for question in questions:
            if question.key not in settled:
                settled[question.key] = await _settle(judge, question, judging)
            said = structs.replace(settled[question.key], case=case.id, subject=question.subject)
            known.setdefault(question.kind, {})[question.subject] = said


async def _settle(judge: Any, question: Question, judging: Judging) -> Judgment:
    """The judgment of one question, the mean over its repetitions."""
    answers = [await _answer(judge, question, judging, n) for n in range(judging.repeat)]
    good = [answer for answer in answers if answer.error is None and answer.value is not None]
    if len(answers) == 1 or not good:
        return answers[0]
    values = [answer.value or 0.0 for answer in good]
    return structs.replace(good[0], value=sum(values) / len(values))


async def _answer(judge: Any, question: Question, judging: Judging, repetition: int) -> Judgment:
    identity = json.encode(dict(sorted(judge.identity.items()))).decode()
    key = digest(question.key, identity, str(repetition))
    found = judging.file.get(key)
    if found is not None:
        return found
    blank = Judgment(question.case, question.kind, question.subject, judge=judge.name, repetition=repetition,
                     question_key=question.key, call_key=key)  # fmt: skip
    if judging.offline and not judge.local:
        judging.missing.append(f"{question.case} {question.kind} {question.subject}".strip())
        return structs.replace(blank, error="not_judged: offline and not recorded")
    judgment = await _try(judge, question, judging, blank)
    if not judge.local:
        judging.file.append(judgment)
    return judgment


async def _try(judge: Any, question: Question, judging: Judging, blank: Judgment) -> Judgment:
    try:
        if judge.local:
            said = judge.ask(question)
            said = await said if hasattr(said, "__await__") else said
        else:
            said = await call(judge.ask, question, judging.limits, judging.pace, JudgeError)
    except JudgeError as why:
        return structs.replace(blank, error=f"{why.reason}: {why}")
    except TimeoutError:
        return structs.replace(blank, error=f"timeout: no answer in {judging.limits.timeout:g} s")
    keys = {"case": blank.case, "subject": blank.subject, "judge": blank.judge, "repetition": blank.repetition}
    return structs.replace(said, **keys, question_key=blank.question_key, call_key=blank.call_key)
