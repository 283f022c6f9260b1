"""samples: questions with gold procedures (retrieval_qa) and memory cases (memory_case), one a line.

    {"id": "oos-000", "sample_type": "retrieval_qa", "q_type": "out_of_scope", "question": "...", "gold_ma_thu_tuc": []}

schemas/samples.schema.json explains each field. The branch is chosen first (by sample_type, then q_type or
layer), so a line is told what is wrong with it and not what it would need to be something else. Read
tolerantly: a missing sample_type is inferred where only one kind has the fields; unknown fields go under
`extra`; what the fields say about each other is a warning. `--strict` makes each of these a fault.

A question's tags are q_type and linh_vuc (in NFC, so that one field is one slice), a memory case's is layer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragmeter.errors import Problems, nearest
from ragmeter.formats import Format, Seen, bad_json, first_object, lines
from ragmeter.formats._shape import _faults as shape_faults
from ragmeter.formats._shape import schema
from ragmeter.records import Case, Turn
from ragmeter.text.normal import nfc

SCHEMA = "samples.schema.json"
OUT_OF_SCOPE = "out_of_scope"
KINDS = {"retrieval_qa": ("question", "gold_ma_thu_tuc"), "memory_case": ("follow_up", "expected")}
# The branches of each kind, and the field whose value chooses between them.
BRANCHES = {"retrieval_qa": ("q_type", "in_scope", OUT_OF_SCOPE), "memory_case": ("layer", "b1", "b2")}
SECOND = frozenset({OUT_OF_SCOPE, "B2_episodic"})
PREFIXES = {"manual_inscope": "manual", OUT_OF_SCOPE: "oos"}
OTHERS = frozenset({"answer", "contexts", "citations", "faithfulness", "citation_recall", "context_recall"})
KEPT = ("procedure_id", "ten", "generated_by", "source_section")


def recognise(head: bytes) -> bool:
    """The first object has a sample_type of ours, or the fields of exactly one kind and none of an output."""
    first = first_object(head)
    if first is None or "id" not in first or not OTHERS.isdisjoint(first):
        return False
    return first.get("sample_type") in KINDS or bool(_kind_by_shape(first))


def read(path: str | Path, problems: Problems) -> Iterator[Case]:
    """Cases in file order; every fault becomes a problem with its line, its id and its place in the line."""
    seen = Seen(path, problems, _id_of, what="sample id")
    count = 0
    for number, line in lines(path, problems):
        value, why = bad_json(line, repeated_keys=True, finite=True)
        if why == "blank":
            continue
        count += 1
        if why:
            problems.add(path, number, f"invalid JSON: {why}")
            continue
        case = _case(value, path, number, problems)
        if case is not None:
            seen.add(number, case.id)
            yield case
    seen.finish()
    if not count:
        problems.add(path, 0, "the file holds no samples")


def _id_of(line: bytes) -> str:
    value, _ = bad_json(line)
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        raise ValueError("no id")
    return nfc(value["id"])


def _case(value: Any, path: str | Path, number: int, problems: Problems) -> Case | None:
    """The case of one line, or None after its faults were said."""
    if not isinstance(value, dict):
        problems.add(path, number, "expected a JSON object")
        return None
    id = value.get("id")
    at = f"'{id}': " if isinstance(id, str) and id else ""
    kind = _kind(value)
    if kind is None:
        problems.add(path, number, at + _no_kind(value))
        return None
    if "sample_type" not in value:
        said = f"{at}sample_type is missing; the fields are those of {kind}"
        problems.warn(path, number, said, group="sample_type inferred")
        value = {**value, "sample_type": kind}
    known, unknown = _split(value, kind)
    for field in unknown:
        advice = nearest(field, _fields(kind))
        problems.warn(path, number, f"{at}/{_pointer(field)}: unknown field{advice}", group=f"unknown field {field}")
    faults = list(_faults(known, kind))
    for fault in faults:
        problems.add(path, number, at + fault)
    if faults:
        return None
    for group, oddity in _oddities(known, kind):
        problems.warn(path, number, at + oddity, group=group)
    return _question(known, unknown) if kind == "retrieval_qa" else _memory(known, unknown)


def _kind(value: dict[str, Any]) -> str | None:
    if "sample_type" not in value:
        return _kind_by_shape(value)
    said = value["sample_type"]
    return said if isinstance(said, str) and said in KINDS else None


def _kind_by_shape(value: dict[str, Any]) -> str | None:
    """The one kind whose fields are all there, None when both or neither fit."""
    fitting = [kind for kind, fields in KINDS.items() if all(field in value for field in fields)]
    touched = [kind for kind, fields in KINDS.items() if any(field in value for field in fields)]
    return fitting[0] if len(fitting) == 1 and touched == fitting else None


def _no_kind(value: dict[str, Any]) -> str:
    if "sample_type" in value:
        advice = nearest(str(value["sample_type"]), KINDS)
        return f"/sample_type: expected 'retrieval_qa' or 'memory_case'{advice}"
    return (
        "/sample_type: is missing, and the fields do not decide: retrieval_qa has question and gold_ma_thu_tuc, "
        "memory_case has follow_up and expected"
    )


def _fields(kind: str) -> dict[str, Any]:
    """The known fields; both branches of a kind have the same."""
    properties: dict[str, Any] = schema(SCHEMA)["$defs"][BRANCHES[kind][1]]["properties"]
    return properties


def _split(value: dict[str, Any], kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    fields = _fields(kind)
    known = {key: held for key, held in value.items() if key in fields}
    return known, {key: held for key, held in value.items() if key not in fields}


def _faults(value: dict[str, Any], kind: str) -> Iterator[str]:
    """The faults of the branch that is meant; where that is unclear, those that both branches find."""
    field, first, second = BRANCHES[kind]
    chosen = value.get(field)
    known = _fields(kind)[field]["enum"]
    said = list(_of_branch(value, second if _is_second(chosen) else first))
    if chosen not in known and not _is_second(chosen):
        other = set(_of_branch(value, second))
        said = [fault for fault in said if fault in other]
    yield from said
    codes = value.get("gold_ma_thu_tuc")
    if isinstance(codes, list):
        for i, code in enumerate(codes):
            if code in codes[:i]:
                yield f"/gold_ma_thu_tuc/{i}: expected each code once, got {code!r} again"


def _of_branch(value: dict[str, Any], branch: str) -> Iterator[str]:
    root = schema(SCHEMA)
    for pointer, said in shape_faults(value, root["$defs"][branch], root, ""):
        yield f"{pointer}: {said}"


def _is_second(chosen: Any) -> bool:
    return isinstance(chosen, str) and chosen in SECOND


def _oddities(value: dict[str, Any], kind: str) -> Iterator[tuple[str, str]]:
    """What the schema allows and hardly anyone means: (group, message)."""
    if kind == "retrieval_qa":
        yield from _odd_question(value)
        return
    layer = value["layer"]
    if value["id"][4:6].upper() != layer[:2]:
        yield "layer unlike id", f"/layer: is {layer}, but the id begins with {value['id'][:6]}"
    if any(not word.strip() for word in value["expected"]):
        yield "blank expected", "/expected: a blank keyword is found in every text"
    if layer == "B2_episodic" and value.get("history"):
        yield "B2 with history", "/history: a B2_episodic case is about an earlier conversation; its own is not empty"
    if layer == "B1_summary" and value.get("past"):
        yield "B1 with past", "/past: a B1_summary case is about its own conversation; an earlier one is given"


def _odd_question(value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    q_type, primary = value["q_type"], value.get("primary_ma_thu_tuc")
    prefix = value["id"].rpartition("-")[0]
    if prefix != PREFIXES.get(q_type, q_type):
        yield "id unlike q_type", f"/id: begins with {prefix}, but q_type is {q_type}"
    if q_type == OUT_OF_SCOPE:
        return
    if primary is None:
        yield "no primary", "/primary_ma_thu_tuc: is null, though the question is in scope"
    elif primary not in value["gold_ma_thu_tuc"]:
        yield "primary not in gold", f"/primary_ma_thu_tuc: {primary} is not among gold_ma_thu_tuc"


def _question(value: dict[str, Any], unknown: dict[str, Any]) -> Case:
    tags = {"q_type": value["q_type"]}
    if value.get("linh_vuc"):
        tags["linh_vuc"] = nfc(value["linh_vuc"])
    return Case(
        nfc(value["id"]),
        value["question"],
        dict.fromkeys(value["gold_ma_thu_tuc"], 1),
        value["q_type"] != OUT_OF_SCOPE,
        primary=value.get("primary_ma_thu_tuc"),
        category=value["q_type"],
        tags=tags,
        extra={key: value[key] for key in KEPT if value.get(key) is not None} | unknown or None,
    )


def _memory(value: dict[str, Any], unknown: dict[str, Any]) -> Case:
    return Case(
        nfc(value["id"]),
        value["follow_up"],
        history=tuple(Turn(*turn) for turn in value.get("history", ())),
        past=tuple(Turn(*turn) for turn in value.get("past", ())),
        expected=tuple(value["expected"]),
        category=value["layer"],
        tags={"layer": value["layer"]},
        extra=unknown or None,
    )


def _pointer(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


FORMAT = Format(
    recognise,
    read,
    "cases",
    "JSONL samples: questions with gold procedures, memory cases",
    profile="dvc",
    suffixes=(".jsonl",),
    schema=SCHEMA,
)
