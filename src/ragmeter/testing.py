"""Checks that every member of a wing must pass: for our own tests and for authors of plugins.

    from ragmeter.testing import check_metric
    check_metric(my_metric)

Each check raises AssertionError with the case that broke it, and needs nothing but ragmeter.
"""

from __future__ import annotations

import asyncio
import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ragmeter.batch import batch_of
from ragmeter.embedders import KINDS
from ragmeter.errors import Problems
from ragmeter.facts import Facts, facts, reduce
from ragmeter.formats import Format
from ragmeter.judges import Question
from ragmeter.metrics import Metric
from ragmeter.records import Case, Judgment, Output
from ragmeter.reports import Report
from ragmeter.result import REASONS, Estimate, Result, Row, Score

# Cases with the edges on which formulas break: nothing relevant, nothing retrieved, repeats, negative grades.
EDGES: tuple[tuple[Case, Output], ...] = (
    (Case("plain", qrels={"a": 1, "b": 1}), Output("plain", ("a", "x", "b"), cited=("a",))),
    (Case("none-relevant", qrels={}), Output("none-relevant", ("a",), cited=())),
    (Case("nothing-retrieved", qrels={"a": 1}), Output("nothing-retrieved", (), cited=("a",))),
    (Case("nothing-at-all", qrels={}), Output("nothing-at-all", (), cited=())),
    (Case("graded", qrels={"a": 3, "b": 0, "c": -1, "d": 2}), Output("graded", ("b", "c", "x", "d", "a"), cited=("d", "x"))),
    (Case("repeats", qrels={"a": 1}), Output("repeats", ("x", "x", "a", "a"), cited=("a", "a"))),
    (Case("only-negative", qrels={"a": -1}), Output("only-negative", ("a",), cited=("a",))),
    (Case("missed", qrels={"a": 1, "b": 2}), Output("missed", ("x", "y"), cited=("z",))),
)  # fmt: skip

TEXTS = (
    "A refund takes 14 days.",
    "Hoàn tiền mất 14 ngày.",
    "환불에는 14일이 걸립니다.",
    "退款需要14天。",
    "يستغرق رد المبلغ 14 يومًا.",
    "x",
)


def check_score(score: Score) -> None:
    """A finite ratio, or a null with a reason."""
    assert isinstance(score, Score), f"expected a Score, got {type(score).__name__}"
    if score.reason:
        assert score.value is None
        return
    assert score.den, "a score has the denominator 0"
    assert math.isfinite(score.num / score.den), f"{score} is not a finite number"


def check_metric(metric: Metric, pairs: Iterable[tuple[Case, Output]] = EDGES, **options: Any) -> None:
    """`score` answers every edge with a finite number in its bounds or a reason, twice the same; the kernel agrees."""
    assert (inspect.getdoc(inspect.getmodule(metric.score)) or "").strip(), "a metric's file has its page as docstring"
    settled = {**metric.defaults, **options}
    rows: list[tuple[str, Facts]] = []
    said: list[Score] = []
    for case, output in pairs:
        known = facts(case, output, {}) if metric.by_record else Facts(*reduce(case, output))
        score = metric.score(known, **settled)
        check_score(score)
        assert score == metric.score(known, **settled), f"two answers for {case.id}"
        if not score.reason and metric.bounds is not None and score.value is not None:
            low, high = metric.bounds
            assert low - 1e-9 <= score.value <= high + 1e-9, f"{case.id}: {score.value} is outside {metric.bounds}"
        rows.append((case.id, known))
        said.append(score)
    if metric.kernel is not None:
        _check_kernel(metric, rows, said, settled)


def _check_kernel(metric: Metric, rows: Sequence[tuple[str, Facts]], said: Sequence[Score], options: dict[str, Any]) -> None:  # fmt: skip
    assert metric.kernel is not None
    num, den, reason = metric.kernel(batch_of(rows), **options)
    for i, ((id, _), score) in enumerate(zip(rows, said, strict=True)):
        assert REASONS[int(reason[i])] == score.reason, f"{id}: kernel {REASONS[int(reason[i])]!r}, score {score}"
        if not score.reason:
            bottom = den if isinstance(den, int) else den[i]
            assert num[i] / bottom == score.value, f"{id}: kernel {num[i]}/{bottom}, score {score}"


def check_format(format: Format, good: Path, bad: Path | None = None) -> list[Any]:
    """A good file is recognised and read without a problem; a bad one ends in problems with their lines."""
    from ragmeter.reading import head

    assert format.recognise(head(good)), f"{good} is not recognised"
    problems = Problems()
    records = list(format.read(good, problems))
    assert records and not problems.faults, [str(problem) for problem in problems.faults]
    if bad is not None:
        before = bad.read_bytes()
        faults = Problems()
        list(format.read(bad, faults))
        assert faults.faults, f"nothing is wrong with {bad}?"
        assert all(problem.path and problem.message for problem in faults.faults)
        assert bad.read_bytes() == before, "reading changed the file"
    return records


def check_target(target: Any, case: Case | None = None) -> Output:
    """`answer(case)` gives an Output."""
    output = target.answer(case or Case("check", question="Is anybody there?"))
    output = _awaited(output)
    assert isinstance(output, Output), f"expected an Output, got {type(output).__name__}"
    return output


def check_judge(judge: Any, case: Case, output: Output) -> list[Judgment]:
    """It has a name and an identity, asks a finite number of questions, and answers them with judgments."""
    assert judge.name and isinstance(judge.local, bool) and dict(judge.identity)
    judged: dict[str, Judgment] = {}
    for _ in range(100):
        questions: list[Question] = [q for q in judge.asks(case, output, judged) if q.key not in judged]
        if not questions:
            return list(judged.values())
        for question in questions:
            said = judge.ask(question)
            judged[question.key] = _awaited(said)
            assert isinstance(judged[question.key], Judgment)
    raise AssertionError("the judge never stops asking")


def _awaited(said: Any) -> Any:
    async def wait() -> Any:
        return await said

    return asyncio.run(wait()) if inspect.isawaitable(said) else said


def check_embedder(embedder: Any, texts: Sequence[str] = TEXTS) -> list[Any]:
    """One vector a text, in order and twice the same; a text is as near to itself as anything can be; batches change
    nothing; unknown kinds are refused."""
    assert embedder.identity.name and isinstance(embedder.local, bool)
    vectors: list[Any] = list(embedder.embed(list(texts), "symmetric"))
    assert len(vectors) == len(texts), f"{len(texts)} texts gave {len(vectors)} vectors"
    for text, vector in zip(texts, vectors, strict=True):
        (alone,) = embedder.embed([text], "symmetric")
        near = embedder.similarity(vector, alone)
        assert math.isfinite(near) and near > 1 - 1e-6, f"{text!r} is {near} like itself"
    for left in vectors:
        for right in vectors:
            said = embedder.similarity(left, right)
            assert -1.0 <= said <= 1.0, f"a similarity of {said}"
            assert abs(said - embedder.similarity(right, left)) < 1e-9, "similarity depends on the order"
    assert list(embedder.embed([], "symmetric")) == []
    for kind in KINDS:
        assert len(list(embedder.embed([texts[0]], kind))) == 1
    try:
        embedder.embed([texts[0]], "no such kind")
    except ValueError:
        return vectors
    raise AssertionError("an unknown kind of text was taken")


def check_report(report: Report, result: Result | None = None, rows: Sequence[Row] = ()) -> str:
    """It renders to text, the same twice, without NaN; hostile ids end neither a table nor a document."""
    given = result or Result(
        2,
        5,
        (Estimate("recall@5", "recall@5", "", None, 0, {"no_relevant": 2}),),
        {"no_relevant_documents": 2},
        {"version": "0", "schema": 1, "profile": "standard", "conventions": {}, "seed": 0, "inputs": []},
    )
    shown = rows or (
        Row("a|b\n</script>", {"recall@5": None}, ("no_relevant_documents",), {"recall@5": "no_relevant"}),
    )
    text = "".join(report.render(given, shown))
    assert text and text == "".join(report.render(given, shown))
    assert "NaN" not in text and "nan" not in text.replace("nan_", "").split()
    return text


CHECKS: dict[str, Callable[..., Any]] = {
    "metric": check_metric,
    "format": check_format,
    "target": check_target,
    "judge": check_judge,
    "embedder": check_embedder,
    "report": check_report,
}
