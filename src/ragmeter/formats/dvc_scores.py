"""dvc_scores: recorded judgments of answers in which a row carries ratios and counts instead of verdicts.

    {"id": "manual-000", "faithfulness": 0.75, "n_claims": 8, "answer_relevance": 0.81, "context_precision": 0.5, "n_ctx": 6}

Three kinds of rows, told apart by their fields, each with the judgments that it becomes:

    faithfulness/n_claims, answer_relevance, noncommittal, context_precision/n_ctx
    citation_recall/n_cited_sent, citation_precision/n_cit, n_uncited_claim
    context_recall/n_points, answer_completeness/n_points

A share of a count becomes num/den when num is whole, so that it can be pooled; a share above 1 stays as it
was judged, and metrics cap it; one above 10 is a percentage, which is a fault. A null says that the judge did not answer, or that there was nothing to judge
(its count is 0). The judge of these files read texts cut to fixed lengths; `trims` says to how many characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ragmeter.errors import Problems
from ragmeter.formats import Format, Seen, bad_json, first_object, lines
from ragmeter.formats._shape import faults
from ragmeter.records import Judgment
from ragmeter.text.normal import nfc

SCHEMA = "dvc_scores.schema.json"
PERCENT = 10.0  # a share above this is no surplus of verdicts


class Share(NamedTuple):
    """A field that is a share of a count: the kind of its judgment, the reason where the count is 0, the trims."""

    field: str
    total: str
    kind: str
    nothing: str
    trims: dict[str, int]


SHARES = (
    Share("faithfulness", "n_claims", "faithfulness", "no_claims", {"context": 1500}),
    Share("context_precision", "n_ctx", "context_precision", "no_contexts", {"context": 700}),
    Share("citation_recall", "n_cited_sent", "citation_recall", "no_cited_sentences", {"source": 400}),
    Share("citation_precision", "n_cit", "citation_precision", "no_cited_sentences", {"source": 400}),
    Share("context_recall", "n_points", "context_recall", "no_checklist", {"gold": 2500, "context": 600}),
    Share("answer_completeness", "n_points", "completeness", "no_checklist", {"gold": 2500}),
)
VALUES = {"answer_relevance": "answer_relevance", "noncommittal": "noncommittal", "n_uncited_claim": "uncited_claims"}
MARKS = ({"faithfulness", "n_claims"}, {"citation_recall", "n_cited_sent"}, {"context_recall", "n_points"})


def recognise(head: bytes) -> bool:
    """The first object has an id and the fields of one kind of row."""
    first = first_object(head)
    return first is not None and "id" in first and any(mark <= first.keys() for mark in MARKS)


def read(path: str | Path, problems: Problems) -> Iterator[Judgment]:
    """Judgments in file order, several a line; every fault becomes a problem with its line and place."""
    seen = Seen(path, problems, _id_of, what="row for case")
    for number, line in lines(path, problems):
        value, why = bad_json(line, repeated_keys=True, finite=True)
        if why == "blank":
            continue
        said = [f"invalid JSON: {why}"] if why else list(faults(value, SCHEMA))
        for fault in said:
            problems.add(path, number, fault)
        if said:
            continue
        id = nfc(value["id"])
        seen.add(number, id)
        for share in SHARES:
            if share.field in value:
                yield _share(id, value, share, path, number, problems)
        for field, kind in VALUES.items():
            if field in value:
                yield _value(id, kind, field, value[field])
    seen.finish()


def _id_of(line: bytes) -> str:
    value, _ = bad_json(line)
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        raise ValueError("no id")
    return nfc(value["id"])


def _share(id: str, value: dict[str, Any], share: Share, path: str | Path, number: int, problems: Problems) -> Judgment:
    said, count = value[share.field], value.get(share.total)
    if not count:
        if count == 0:
            return Judgment(id, share.kind, label=share.nothing, trims=share.trims)
        return _value(id, share.kind, share.field, said, share.trims)
    if said is None:
        return _unanswered(id, share.kind, share.field)
    if said > PERCENT:
        problems.add(path, number, f"/{share.field}: expected a share from 0 to 1, got {said:g}; is it a percentage?")
        return Judgment(id, share.kind, error="judge_unparsable: a percentage")
    if said > 1 + 1e-9:
        message = f"'{id}': /{share.field}: {said:g} is above 1; more verdicts than {share.total}, capped"
        problems.warn(path, number, message, group=f"{share.field} above 1")
    num = round(said * count)
    if abs(said * count - num) > 1e-6:
        message = f"'{id}': /{share.field}: {said:g} is no share of {share.total} = {count}; it cannot be pooled"
        problems.warn(path, number, message, group=f"{share.field} is no share")
        return _value(id, share.kind, share.field, said, share.trims)
    return Judgment(id, share.kind, num=num, den=count, trims=share.trims)


def _value(id: str, kind: str, field: str, said: float | None, trims: dict[str, int] | None = None) -> Judgment:
    return _unanswered(id, kind, field) if said is None else Judgment(id, kind, value=said, trims=trims)


def _unanswered(id: str, kind: str, field: str) -> Judgment:
    return Judgment(id, kind, error=f"judge_error: {field} is null")


FORMAT = Format(
    recognise,
    read,
    "judgments",
    "JSONL scores of answers: ratios with their counts",
    profile="dvc_answers",
    suffixes=(".jsonl",),
    schema=SCHEMA,
)
