"""One case and its output -> Facts: the small integers that every id metric reads.

The reduction is done once per case, whatever the number of metrics. Equal tuples score equally, so the
tuple is the unit of work: `evaluate` counts distinct tuples and scores each of them once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ragmeter.records import Case, Output, passage_ids

# Bits of Facts.recorded: which parts of the case and its output are there at all.
QRELS, RETRIEVED, CITED, ANSWER, CONTEXTS = 1, 2, 4, 8, 16
BITS = {"qrels": QRELS, "retrieved": RETRIEVED, "cited": CITED, "answer": ANSWER, "contexts": CONTEXTS}
ALL_ONE = frozenset({1})
EVERY = 1 << 62  # a depth that keeps all ranks


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


def reduce(case: Case, output: Output, level: int = 1, depth: int = EVERY) -> tuple[Any, ...]:
    """The integers of one case: the fields of Facts up to `error`, as a plain tuple that can be counted.

    Ranks and grades are kept down to `depth`: what no metric reads would only make tuples differ.
    """
    qrels = case.qrels
    ids = passage_ids(output.retrieved)
    unique = dict.fromkeys(ids)
    found = len(unique)
    recorded = 0 if output.retrieved is None else RETRIEVED
    if output.answer is not None:
        recorded |= ANSWER
    if output.contexts is not None:
        recorded |= CONTEXTS
    cited = cited_relevant = cited_retrieved = cited_hits = 0
    lowest = level - 1  # what an unjudged passage counts as: not relevant
    if output.cited is not None:
        recorded |= CITED
        for passage in dict.fromkeys(output.cited):
            cited += 1
            if passage in unique:
                cited_retrieved += 1
                if qrels and qrels.get(passage, lowest) >= level:
                    cited_relevant += 1
                    cited_hits += 1
            elif qrels and qrels.get(passage, lowest) >= level:
                cited_relevant += 1
    relevant = nonrelevant = 0
    hits: Sequence[int] = ()
    grades: tuple[int, ...] = ()
    ideal: tuple[tuple[int, int], ...] = ()
    if qrels is not None:
        recorded |= QRELS
        if qrels and depth:
            top = unique if found <= depth else tuple(unique)[:depth]
            if not qrels.keys().isdisjoint(top):
                hits = [rank for rank, passage in enumerate(top, 1) if passage in qrels]
        if level == 1 and ALL_ONE.issuperset(qrels.values()):  # binary judgments, the common case
            relevant = len(qrels)
            grades = (1,) * len(hits)
            ideal = ((1, relevant),) if relevant else ()
        else:
            relevant = sum([grade >= level for grade in qrels.values()])
            nonrelevant = sum([0 <= grade < level for grade in qrels.values()])
            grades = tuple([qrels[passage] for passage in unique if passage in qrels][: len(hits)])
            ideal = _ideal(qrels)
    error = "" if output.error is None else _error(output.error)
    return (relevant, found, len(ids) - found, tuple(hits), grades, ideal, nonrelevant, cited, cited_relevant,
            cited_retrieved, cited_hits, level, recorded, output.ranked, error)  # fmt: skip


def facts(
    case: Case,
    output: Output,
    judged: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    level: int = 1,
) -> Facts:
    """Everything metrics may ask about one case: the integers, the judgments by kind and subject, the records."""
    return Facts(*reduce(case, output, level))._replace(judged=judged, case=case, output=output)


def _ideal(qrels: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    counts: dict[int, int] = {}
    for grade in qrels.values():
        if grade > 0:
            counts[grade] = counts.get(grade, 0) + 1
    return tuple(sorted(counts.items(), reverse=True))


def _error(said: str) -> str:
    if said.startswith("not obtained"):
        return "not_obtained"
    return "timeout" if said.startswith("timeout") else "target_error"
