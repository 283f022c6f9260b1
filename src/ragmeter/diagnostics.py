"""Named flags per case: what is odd about it, found from the integers alone, so once per distinct Facts.

Flags of records (text, markers) come from `record_flags`, case by case, and only where records are at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ragmeter.facts import CITED, QRELS, RETRIEVED, Facts
from ragmeter.records import Case, Output, passage_ids

Judged = Mapping[str, Mapping[str, Any]]  # kind -> subject -> Judgment


def flags(facts: Facts) -> tuple[str, ...]:
    """The flags of one case, in a fixed order.

    empty_retrieval: nothing came back. no_relevant_documents: no passage is judged relevant.
    duplicate_retrieved_ids: the list repeats an id. citations_not_retrieved: a cited passage was not
    retrieved. missing_citations: nothing is cited, or only retrieved passages and not all of them.
    target_failed: the system could not answer.
    """
    if facts.error:
        return ("target_failed",)
    found = []
    if facts.recorded & RETRIEVED and not facts.retrieved:
        found.append("empty_retrieval")
    if facts.recorded & QRELS and not facts.relevant:
        found.append("no_relevant_documents")
    if facts.repeated:
        found.append("duplicate_retrieved_ids")
    if facts.recorded & CITED:
        all_valid = facts.cited_retrieved == facts.cited
        if facts.recorded & RETRIEVED and not all_valid:
            found.append("citations_not_retrieved")
        if not facts.cited or (facts.recorded & RETRIEVED and all_valid and facts.cited < facts.retrieved):
            found.append("missing_citations")
    return tuple(found)


def record_flags(case: Case, output: Output, judged: Judged | None = None, *, rules: str = "plain") -> tuple[str, ...]:
    """The flags that need the ids and texts themselves, in a fixed order. `rules`: how answers are read.

    ids_differ_in_normal_form: two ids of the case are the same text in another Unicode normal form, so a
    passage may count as missing that is there. For the other flags see
    `memory.memory_flags` and `text_flags`.
    """
    found: tuple[str, ...] = ("ids_differ_in_normal_form",) if _ids_differ(case, output) else ()
    if case.expected or case.forbidden:
        from ragmeter.memory import memory_flags

        found += memory_flags(case, output)
    if output.answer is None and not output.contexts and not judged:
        return found
    from ragmeter.text_flags import answer_flags, judged_flags

    return found + answer_flags(output, rules) + judged_flags(output, judged or {})


def _ids_differ(case: Case, output: Output) -> bool:
    ids = {*(case.qrels or ()), *passage_ids(output.retrieved), *(output.cited or ())}
    if _ascii(ids):
        return False
    from unicodedata import normalize

    return len({normalize("NFC", id) for id in ids}) != len(ids)


def _ascii(ids: Iterable[str]) -> bool:
    return "".join(ids).isascii()
