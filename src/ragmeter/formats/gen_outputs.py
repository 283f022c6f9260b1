"""gen_outputs: generated answers with their contexts and numbered citations, one question a line.

    {"id": "oos-000", "q_type": "out_of_scope", "question": "...", "answer": "...【1】", "contexts": [...], "citations": [...]}

A line holds the case and its output. contexts are {doc_id, file_name, score, text}; citations are {indices,
title, snippet}, in an order of their own: a citation belongs to a context with its title, and where titles
repeat to the one whose text has its snippet. So passages carry their numbers, and markers join by number.

Gold codes and document ids are two kinds of ids, so no relevance is read from them: the codes stand under
`extra`, and retrieval is measured with samples and a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragmeter.errors import Problems
from ragmeter.formats import Format, Seen, bad_json, first_object, lines
from ragmeter.formats._shape import faults
from ragmeter.records import Case, Output, Passage
from ragmeter.text.normal import nfc

SCHEMA = "gen_outputs.schema.json"
KEPT = ("gold_ma_thu_tuc", "ten", "engine")


def recognise(head: bytes) -> bool:
    """The first object has an id, a question, an answer, contexts and citations."""
    first = first_object(head)
    return first is not None and {"id", "question", "answer", "contexts", "citations"} <= first.keys()


def read(path: str | Path, problems: Problems) -> Iterator[tuple[Case, Output]]:
    """Cases with their outputs in file order; every fault becomes a problem with its line and place."""
    seen = Seen(path, problems, _id_of)
    count = 0
    for number, line in lines(path, problems):
        value, why = bad_json(line, repeated_keys=True, finite=True)
        if why == "blank":
            continue
        count += 1
        said = [f"invalid JSON: {why}"] if why else list(faults(value, SCHEMA))
        for fault in said:
            problems.add(path, number, fault)
        if not said:
            case = _case(value)
            seen.add(number, case.id)
            yield case, _output(value, case.id)
    seen.finish()
    if not count:
        problems.add(path, 0, "the file holds no outputs")


def _id_of(line: bytes) -> str:
    value, _ = bad_json(line)
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        raise ValueError("no id")
    return nfc(value["id"])


def _case(value: dict[str, Any]) -> Case:
    q_type, field = value.get("q_type"), value.get("linh_vuc")
    tags = {name: nfc(said) for name, said in (("q_type", q_type), ("linh_vuc", field)) if said}
    return Case(
        nfc(value["id"]),
        value["question"],
        answerable=None if q_type is None else q_type != "out_of_scope",
        primary=value.get("primary_ma_thu_tuc"),
        category=q_type,
        tags=tags or None,
        extra={key: value[key] for key in KEPT if value.get(key) is not None} or None,
    )


def _output(value: dict[str, Any], id: str) -> Output:
    contexts = _numbered(value["contexts"], value["citations"])
    output = Output(
        id,
        tuple(passage.id for passage in contexts),
        contexts=contexts,
        answer=value["answer"],
        error=value.get("error"),
        seconds=value.get("seconds"),
        extra=_extra(value),
    )
    if output.answer is None:
        return output
    from ragmeter.citations import citations, read_answer

    reading = read_answer(output, rules="dvc")
    from msgspec import structs

    return structs.replace(output, cited=reading.cited, citations=tuple(citations(reading)))


def _extra(value: dict[str, Any]) -> dict[str, Any] | None:
    """The citations as they are, with what the judge read of them; ids of the contexts from the web."""
    web = [context["doc_id"] for context in value["contexts"] if context.get("is_web")]
    kept = {"sources": value["citations"], "web": web}
    return {key: held for key, held in kept.items() if held} or None


def _numbered(contexts: list[dict[str, Any]], cited: list[dict[str, Any]]) -> tuple[Passage, ...]:
    """The contexts in their order, each with the numbers of the citation that belongs to it."""
    titles = [nfc(context.get("file_name") or "") for context in contexts]
    numbers: dict[int, tuple[int, ...]] = {}
    for citation in cited:
        place = _place(citation, contexts, titles, numbers)
        if place is not None:
            numbers[place] = tuple(citation.get("indices") or ())
    return tuple(
        Passage(
            context["doc_id"],
            context.get("score"),
            context.get("text"),
            context.get("file_name"),
            numbers.get(i, ()),
        )
        for i, context in enumerate(contexts)
    )


def _place(
    citation: dict[str, Any], contexts: list[dict[str, Any]], titles: list[str], taken: dict[int, Any]
) -> int | None:
    """The context that a citation stands for: its title, its snippet if there are several, the first if none."""
    title = nfc(citation.get("title") or "")
    free = [i for i, one in enumerate(titles) if one == title and i not in taken]
    if len(free) < 2:
        return free[0] if free else None
    pieces = [piece.strip() for piece in (citation.get("snippet") or "").split("…") if piece.strip()]
    return max(free, key=lambda i: (sum(piece in (contexts[i].get("text") or "") for piece in pieces), -i))


FORMAT = Format(
    recognise,
    read,
    "pairs",
    "JSONL generated answers with contexts and numbered citations",
    profile="dvc_answers",
    suffixes=(".jsonl",),
    schema=SCHEMA,
)
