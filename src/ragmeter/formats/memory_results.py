"""memory_results: the result file of a memory ablation, one object with a section per layer.

    {"config": {...}, "B1_summary": {"n": 4, "baseline_acc": 0.0, "summary_acc": 1.0, "rows": [
        {"follow_up": "...", "expected": ["..."], "baseline": "...", "baseline_hit": false,
         "with_summary": "...", "with_summary_hit": true}]}}

A row has no id. By itself a file stands for cases named by their place (mem-b1-000), which know no conversation, so
the null systems that need one are not_recorded. Beside a file of cases, rows are matched by place within their layer,
and each follow-up must be that of its case. An arm is a field that has a partner FIELD_hit; the one that begins with
`with_` becomes `with_memory`. What the file says about itself (n, accuracies, hits) is checked against its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ragmeter.errors import Problems
from ragmeter.formats import Format, bad_json, open_bytes
from ragmeter.memory import BASELINE, UNKNOWN, WITH_MEMORY
from ragmeter.reading import BOM, LINE_LIMIT
from ragmeter.records import Case, Output, Passage
from ragmeter.text.normal import hits, nfc

SECTION = re.compile(rb'"(?:B1_summary|B2_episodic)"\s*:\s*\{')
SLACK = 1e-9


def recognise(head: bytes) -> bool:
    """One object that has a section of a layer."""
    return head.lstrip().startswith(b"{") and SECTION.search(head) is not None


def read(path: str | Path, problems: Problems) -> Iterator[tuple[Case, Output]]:
    """(case, output) of each row, layer by layer; every fault becomes a problem with its JSON pointer."""
    for layer, rows in _sections(path, problems):
        for i, row in rows:
            case = Case(
                _id(layer, i),
                row["follow_up"],
                expected=tuple(row["expected"]),
                category=layer,
                tags={"layer": layer},
            )
            yield case, _output(case, row)


def read_beside(path: str | Path, problems: Problems, cases: Sequence[Case]) -> Iterator[tuple[Case, Output]]:
    """(case, output) of each row with the case at its place among the cases of its layer.

    A row without a case, or whose follow-up is another than the case's, is a fault. A case without a row is an
    error of that case.
    """
    by_layer: dict[str, list[Case]] = {}
    for case in cases:
        by_layer.setdefault((case.tags or {}).get("layer", ""), []).append(case)
    matched: dict[str, Output] = {}
    for layer, rows in _sections(path, problems):
        there = by_layer.get(layer, [])
        for i, row in rows:
            at = f"/{layer}/rows/{i}"
            if i >= len(there):
                problems.add(path, 0, f"{at}: there is no case at this place; {len(there)} cases are of {layer}")
            elif nfc(there[i].question) != nfc(row["follow_up"]):
                problems.add(path, 0, f"{at}/follow_up: is not that of case '{there[i].id}' at this place")
            else:
                matched[there[i].id] = _output(there[i], row)
    for case in cases:
        yield case, matched.get(case.id) or Output(case.id, error="not obtained: no row is recorded")


def _sections(path: str | Path, problems: Problems) -> Iterator[tuple[str, list[tuple[int, dict[str, Any]]]]]:
    """Each layer with its sound rows and their places."""
    whole = _object(path, problems)
    found = False
    for layer, section in whole.items():
        if not isinstance(section, dict) or "rows" not in section:
            continue
        found = True
        rows = section["rows"]
        if not isinstance(rows, list):
            problems.add(path, 0, f"/{layer}/rows: expected an array of objects")
            continue
        sound = [(i, row) for i, row in enumerate(rows) if _sound(row, f"/{layer}/rows/{i}", path, problems)]
        if len(sound) == len(rows):
            _check(layer, section, [row for _, row in sound], path, problems)
        yield layer, sound
    if whole and not found:
        problems.add(path, 0, "expected a section such as B1_summary with rows; there is none")


def _object(path: str | Path, problems: Problems) -> dict[str, Any]:
    with open_bytes(path) as file:
        data = file.read(LINE_LIMIT + 1).removeprefix(BOM)
    if len(data) > LINE_LIMIT:
        problems.add(path, 0, f"is longer than {LINE_LIMIT >> 20} MiB")
        return {}
    value, why = bad_json(data, repeated_keys=True, finite=True)
    if why or not isinstance(value, dict):
        problems.add(path, 0, f"invalid JSON: {why}" if why else "expected a JSON object")
        return {}
    return value


def _sound(row: Any, at: str, path: str | Path, problems: Problems) -> bool:
    """Whether a row can be read; its faults are said."""
    faults = list(_faults(row))
    for fault in faults:
        problems.add(path, 0, at + fault)
    return not faults


def _faults(row: Any) -> Iterator[str]:
    if not isinstance(row, dict):
        yield ": expected an object"
        return
    if not isinstance(row.get("follow_up"), str):
        yield "/follow_up: expected text"
    for field in ("expected", "recalled"):
        held = row.get(field, [] if field == "recalled" else None)
        if not isinstance(held, list) or not all(isinstance(text, str) for text in held):
            yield f"/{field}: expected an array of texts"
    arms = _arms(row)
    if not arms:
        yield ": expected an arm, such as 'baseline' with 'baseline_hit'"
    for arm in arms:
        if not isinstance(row[arm], str):
            yield f"/{arm}: expected text"
        if not isinstance(row[f"{arm}_hit"], bool):
            yield f"/{arm}_hit: expected true or false"


def _arms(row: dict[str, Any]) -> list[str]:
    return [field for field in row if f"{field}_hit" in row]


def _named(arms: Sequence[str]) -> dict[str, str]:
    """{field: arm}; the only one that begins with `with_` is the arm with memory."""
    layered = [arm for arm in arms if arm.startswith("with_")]
    return {arm: WITH_MEMORY if [arm] == layered else arm for arm in arms}


def _output(case: Case, row: dict[str, Any]) -> Output:
    names = _named(_arms(row))
    recalled: dict[str, tuple[str | Passage, ...]] | None = None
    if "recalled" in row:
        items = tuple(Passage(f"{UNKNOWN}{i}", text=text) for i, text in enumerate(row["recalled"], 1))
        recalled = {arm: items for arm in names.values() if arm != BASELINE}
    hits_said = {arm: row[f"{field}_hit"] for field, arm in names.items()}
    rewrites = {arm: row[field] for field, arm in names.items()}
    return Output(case.id, rewrites=rewrites, recalled=recalled, extra={"recorded_hits": hits_said})


def _check(layer: str, section: dict[str, Any], rows: list[dict[str, Any]], path: str | Path, problems: Problems) -> None:  # fmt: skip
    """Warn where the file disagrees with itself."""
    if "n" in section and section["n"] != len(rows):
        said = f"/{layer}/n: says {section['n']}, but there are {len(rows)} rows"
        problems.warn(path, 0, said, group=f"{layer} n")
    for i, row in enumerate(rows):
        for arm in _arms(row):
            if row[f"{arm}_hit"] != hits(row[arm], row["expected"]):
                said = f"/{layer}/rows/{i}/{arm}_hit: is recorded as {row[f'{arm}_hit']}; the published rule disagrees"
                problems.warn(path, 0, said, group="recorded hit")
    for arm in _arms(rows[0]) if rows else ():
        field = f"{arm.removeprefix('with_')}_acc"
        accuracy = section.get(field)
        mean = sum(bool(row.get(f"{arm}_hit")) for row in rows) / len(rows)
        if isinstance(accuracy, int | float) and abs(accuracy - mean) > SLACK:
            problems.warn(path, 0, f"/{layer}/{field}: says {accuracy:g}, its rows {mean:g}", group="recorded accuracy")


def _id(layer: str, place: int) -> str:
    prefix = f"mem-{layer[:2].lower()}" if layer[:2] in ("B1", "B2") else layer
    return f"{prefix}-{place:03d}"


FORMAT = Format(
    recognise,
    read,
    "pairs",
    "JSON results of a memory ablation: rewrites per layer and arm",
    profile="memory",
    suffixes=(".json",),
    beside=read_beside,
)
