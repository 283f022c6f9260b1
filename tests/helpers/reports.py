"""A result with everything in it that reports must show, small enough to be checked by eye."""

import re

from ragmeter.registry import find
from ragmeter.result import Estimate, Outcome, Result, Row, Verdict

PROVENANCE = {
    "version": "1.2.3",
    "schema": 1,
    "profile": "standard",
    "conventions": {"about": "A case that cannot be scored is left out.", "relevant": "grade >= 1"},
    "seed": 7,
    "inputs": [{"name": "cases.jsonl", "format": "cases", "sha256": "ab" * 32}],
}

ESTIMATES = (
    Estimate("recall@5", "recall@5", "", 0.625, 4, {"no_relevant": 1}, 1, 0.5, 0.75, "bootstrap"),
    Estimate("ndcg", "ndcg:exp@10", "", 0.99999, 5, {}, 1, 0.98, 1.0, "t"),
    Estimate("faithfulness", "faithfulness", "", None, 0, {"not_judged": 5, "no_answer": 1}),
    Estimate("seconds", "seconds", "", 12.3, 5, {}, 1, 10.1, 15.5, "t", higher_is_better=False),
    Estimate("recall@5", "recall@5", "topic=thuế", 0.25, 2, {"no_relevant": 1}, 0, None, None, "too_few"),
    Estimate("recall@5", "recall@5", "topic=文書管理", 1.0, 2, {}, 1, None, None, "too_few"),
)

FAILED = Outcome("recall@5 >= 0.7", "FAIL", 0.625, 0.7, "Threshold failed: recall@5=0.625 is below 0.7", "recall@5")
UNSURE = Outcome(
    "recall@5 [topic=thuế] >= 0.2", "INCONCLUSIVE", 0.25, 0.2, "too few cases", "recall@5", "topic=thuế", 120
)
PASSED = Outcome("ndcg >= 0.9", "PASS", 0.99999, 0.9, "", "ndcg")


def row(id: str, recall: float | None, ndcg: float | None, *flags: str, why: str = "", topic: str = "thuế") -> Row:
    nulls = {"faithfulness": "not_judged"} | ({"recall@5": why} if why else {})
    metrics = {"recall@5": recall, "ndcg": ndcg, "faithfulness": None, "seconds": 12.0}
    return Row(id, metrics, flags, nulls, {"topic": topic})


ROWS = (
    row("q1", 0.5, 1.0),
    row("thủ tục 17", 0.0, 0.5, "missing_citations"),
    row("q3", None, 1.0, "no_relevant_documents", why="no_relevant"),
    row("a|b\nc", 1.0, 1.0, topic="文書管理"),
    row("\u202e\x1b[31m=1+1", 1.0, 0.99995, "missing_citations", topic="文書管理"),
    row("q6", None, None, "target_failed", why="timeout", topic="文書管理"),
)

RESULT = Result(
    6,
    None,
    ESTIMATES,
    {"missing_citations": 2, "no_relevant_documents": 1, "target_failed": 1, "a_plugin's": 1},
    PROVENANCE,
    Verdict((PASSED, FAILED, UNSURE)),
)


def text(name: str, result: Result = RESULT, rows: tuple[Row, ...] = ROWS) -> str:
    """The whole report of that name."""
    return "".join(find("report", name).render(result, rows))


def cells(line: str) -> list[str]:
    """The cells of one row of a Markdown table, as GitHub splits it: at bars that no backslash escapes."""
    return [cell.strip() for cell in re.findall(r"((?:[^|\\]|\\.)*)\|", line.strip())[1:]]


def tables(markdown: str) -> list[list[list[str]]]:
    """The tables of a Markdown text, each a list of rows of cells. A row is whatever begins with a bar."""
    found: list[list[list[str]]] = []
    inside = False
    for line in markdown.split("\n"):
        if line.startswith("|"):
            if not inside:
                found.append([])
            found[-1].append(cells(line))
        inside = line.startswith("|")
    return found
