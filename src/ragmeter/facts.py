"""One case and its output -> Facts: the small integers that every id metric reads.

The reduction is done once per case, whatever the number of metrics. Equal tuples score equally, so the
tuple is the unit of work: `evaluate` counts distinct tuples and scores each of them once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ragmeter.records import Case, Output, passage_ids

# Bits of Facts.recorded: which parts of the case and its output are there at all.
QRELS, RETRIEVED, CITED, ANSWER, CONTEXTS = 1, 2, 4, 8, 16
BITS = {"qrels": QRELS, "retrieved": RETRIEVED, "cited": CITED, "answer": ANSWER, "contexts": CONTEXTS}


class Facts(NamedTuple):
    """What the metrics know about one case. Counts are of distinct ids; ranks are 1-based.

    A passage is relevant when its grade is at least `level`. A repeated retrieved id counts once, at its
    first rank. The last three fields are set only for metrics that ask for them (`needs`).
    """

    relevant: int = 0  # judged relevant
    retrieved: int = 0  # distinct retrieved
    repeated: int = 0  # retrieved entries that repeat an earlier one
    ranks: tuple[int, ...] = ()  # of the judged retrieved passages, ascending
    grades: tuple[int, ...] = ()  # their grades, in the same order
    ideal: tuple[tuple[int, int], ...] = ()  # (grade, how many) of the judged passages above 0, best first
    nonrelevant: int = 0  # judged, 0 <= grade < level
    cited: int = 0  # distinct cited
    cited_relevant: int = 0
    cited_retrieved: int = 0
    cited_hits: int = 0  # cited, relevant and retrieved
    level: int = 1
    recorded: int = 0  # bits QRELS, RETRIEVED, CITED, ANSWER, CONTEXTS
    ranked: bool = True
    error: str = ""  # a reason of result.ERRORS when the system could not answer
    judged: Mapping[str, Mapping[str, Any]] | None = None  # kind -> subject -> Judgment
    case: Case | None = None
    output: Output | None = None

    @property
    def hit_ranks(self) -> tuple[int, ...]:
        """Ranks of the relevant retrieved passages, ascending."""
        level = self.level
        return tuple([r for r, g in zip(self.ranks, self.grades, strict=True) if g >= level])


def reduce(case: Case, output: Output, level: int = 1) -> tuple[Any, ...]:
    """The integers of one case: the fields of Facts up to `error`, as a plain tuple that can be counted."""
    qrels = case.qrels
    recorded = RETRIEVED if output.retrieved is not None else 0
    if output.answer is not None:
        recorded |= ANSWER
    if output.contexts is not None:
        recorded |= CONTEXTS
    ids = passage_ids(output.retrieved)
    unique = dict.fromkeys(ids)
    found = len(unique)
    cited: set[str] = set()
    if output.cited is not None:
        recorded |= CITED
        cited = set(output.cited)
    cited_retrieved = len(cited & unique.keys()) if cited else 0
    if qrels is None:
        return (0, found, len(ids) - found, (), (), (), 0, len(cited), 0, cited_retrieved, 0, level, recorded,
                output.ranked, _error(output))  # fmt: skip
    recorded |= QRELS
    grades = qrels.values()
    top, low = (max(grades), min(grades)) if grades else (1, 1)
    if top == low == level == 1:  # binary judgments, the common case
        relevant, nonrelevant, ideal = len(qrels), 0, (((1, len(qrels)),) if qrels else ())
        hits = [] if qrels.keys().isdisjoint(unique) else [r for r, p in enumerate(unique, 1) if p in qrels]
        hit_grades: tuple[int, ...] = (1,) * len(hits)
        cited_relevant = len(cited & qrels.keys()) if cited else 0
        cited_hits = sum([p in unique and p in qrels for p in cited]) if cited_relevant else 0
    else:
        relevant = sum([g >= level for g in grades])
        nonrelevant = sum([0 <= g < level for g in grades])
        ideal = _ideal(qrels)
        hits = [r for r, p in enumerate(unique, 1) if p in qrels]
        hit_grades = tuple([qrels[p] for p in unique if p in qrels])
        right = {p for p in cited if qrels.get(p, level - 1) >= level}
        cited_relevant, cited_hits = len(right), len(right & unique.keys())
    return (relevant, found, len(ids) - found, tuple(hits), hit_grades, ideal, nonrelevant, len(cited),
            cited_relevant, cited_retrieved, cited_hits, level, recorded, output.ranked, _error(output))  # fmt: skip


def facts(
    case: Case,
    output: Output,
    judged: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    level: int = 1,
) -> Facts:
    """Everything metrics may ask about one case: the integers, the judgments by kind and subject, the records."""
    return Facts(*reduce(case, output, level), judged=judged, case=case, output=output)


def _ideal(qrels: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    counts: dict[int, int] = {}
    for grade in qrels.values():
        if grade > 0:
            counts[grade] = counts.get(grade, 0) + 1
    return tuple(sorted(counts.items(), reverse=True))


def _error(output: Output) -> str:
    if output.error is None:
        return ""
    if output.error.startswith("not obtained"):
        return "not_obtained"
    return "timeout" if output.error.startswith("timeout") else "target_error"
