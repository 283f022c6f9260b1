"""Claim metrics against the entailment matrices and the figures that RAGChecker published with its example.

Their labels are the verdicts, their per-case metrics and their overall percentages are the oracle.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragmeter.evaluate import Evaluation
from ragmeter.metrics import measures
from ragmeter.profiles import profile
from ragmeter.records import Case, Judgment, Output, Passage
from ragmeter.result import Result
from ragmeter.store import Rows, Spool

OURS = {
    "claim_precision": "precision",
    "claim_recall": "recall",
    "faithfulness": "faithfulness",
    "context_recall": "claim_recall",
    "context_precision_judged": "context_precision",
}


@pytest.fixture(scope="module")
def published(shared: Path) -> dict[str, Any]:
    path = shared / "samples" / "ragchecker" / "checking_outputs.json"
    if not path.exists():
        pytest.skip("no RAGChecker example: ../shared/samples/ragchecker does not exist beside the checkout")
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def judgments(row: dict[str, Any]) -> Iterator[Judgment]:
    for kind, labels in (("claim_correct", row["answer2response"]), ("claim_covered", row["response2answer"])):
        for i, label in enumerate(labels):
            yield Judgment(row["query_id"], kind, f"claim:{i}", label=label)
    for kind, subject, matrix in (
        ("claim_support", "claim", row["retrieved2response"]),
        ("point_in_context", "point", row["retrieved2answer"]),
    ):
        for i, labels in enumerate(matrix):
            yield Judgment(row["query_id"], kind, f"{subject}:{i}", label="yes" if "Entailment" in labels else "no")
    for i in range(len(row["retrieved_context"])):
        relevant = any(labels[i] == "Entailment" for labels in row["retrieved2answer"])
        yield Judgment(row["query_id"], "context_relevance", f"context:{i}", value=float(relevant))


@pytest.fixture(scope="module")
def measured(published: dict[str, Any]) -> tuple[Result, dict[str, dict[str, float | None]]]:
    chosen, spool = profile("standard"), Spool()
    evaluation = Evaluation(measures(list(OURS), chosen), chosen, spool=spool)
    for row in published["results"]:
        judged: dict[str, dict[str, Judgment]] = {}
        for one in judgments(row):
            judged.setdefault(one.kind, {})[one.subject] = one
        contexts = tuple(Passage(c["doc_id"], text=c["text"]) for c in row["retrieved_context"])
        output = Output(row["query_id"], contexts=contexts, answer=row["response"])
        evaluation.add(Case(row["query_id"], row["query"]), output, judged)
    return evaluation.result({}), {row.id: row.metrics for row in Rows(spool)}


def test_every_case(published: dict[str, Any], measured: tuple[Result, dict[str, dict[str, float | None]]]) -> None:
    assert len(published["results"]) >= 2
    for row in published["results"]:
        for ours, theirs in OURS.items():
            assert measured[1][row["query_id"]][ours] == pytest.approx(row["metrics"][theirs], abs=1e-12), (
                row["query_id"],
                ours,
            )


def test_the_overall_percentages(published: dict[str, Any], measured: tuple[Result, Any]) -> None:
    said = {**published["metrics"]["overall"], **published["metrics"]["retriever"], **published["metrics"]["generator"]}
    for ours, theirs in OURS.items():
        estimate = measured[0].find(ours)
        assert estimate is not None and estimate.value is not None
        assert round(100 * estimate.value, 1) == said[theirs], ours
