"""`convert`: files of other tools and benchmarks as cases, outputs and judgments of ours.

A kind of file is a table in `importers/NAME.toml`:

    about       one line
    keys        names that the first row must have: how the kind is recognised
    needs       names that every row must have, where that is not all of `keys`
    rows        JMESPath from a JSON document to its rows; a list needs none
    each        the field of a row that holds the rows proper; the outer row stands under `parent`
    columns     the names of the columns of a table that has no header
    split       what parts the items of a cell that is a list, such as '|'
    ignored     columns that are other tools' scores or bookkeeping: counted in a warning, never read
    refuse      why no case can be made of it: recognised, and refused with this reason
    [case] [output]   a field of the record to the JMESPath that finds it
    [[judgments]]     kind, subject ('claim' numbers the items: claim:0, ...), value (JMESPath)

Nothing is guessed: what a row does not hold is absent. Rows without an id are called by their number. NaN, which is
no JSON, is read as absent and counted. Ids and cells stay texts, so 1.10 and 007 are what they were.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ragmeter.errors import InputError, Problems, choices
from ragmeter.reading import head, lines, open_bytes, too_deep
from ragmeter.records import Case, Judgment, Output

FOLDER = Path(__file__).with_name("importers")
LARGEST = 512 << 20  # bytes of a document that is read whole
CELL = 1 << 20  # characters of a list that stands in a cell


class Importer(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of file; the fields are those of its table."""

    about: str
    keys: tuple[str, ...]
    needs: tuple[str, ...] = ()
    rows: str = ""
    each: str = ""
    columns: tuple[str, ...] = ()
    split: str = ""
    ignored: tuple[str, ...] = ()
    refuse: str = ""
    case: dict[str, str] = {}
    output: dict[str, str] = {}
    judgments: tuple[dict[str, str], ...] = ()


class Converted(Struct):
    """What was made of one file."""

    name: str
    cases: list[Case]
    outputs: list[Output]
    judgments: list[Judgment]


@cache
def importers() -> dict[str, Importer]:
    """Every kind of file by its name."""
    return {path.stem: msgspec.toml.decode(path.read_bytes(), type=Importer) for path in sorted(FOLDER.glob("*.toml"))}


def recognise(path: str | Path) -> str:
    """The kind of a file, '' when it is none that is known. Raises InputError where it cannot be read."""
    start = head(path)
    if _is_table(path):
        tab = b"\t" if str(path).removesuffix(".gz").endswith(".tsv") else b","
        cells = [cell.strip(b' "\r') for cell in start.split(b"\n", 1)[0].split(tab)]
        names = {cell.decode(errors="replace") for cell in cells}
        fitting = [
            name
            for name, one in importers().items()
            if (_begins_with_a_turn(cells, one) if one.columns else set(one.keys) <= names)
        ]
    elif str(path).endswith((".yaml", ".yml")):
        names = {line.partition(b":")[0].decode(errors="replace") for line in start.split(b"\n") if b":" in line}
        fitting = [name for name, one in importers().items() if set(one.keys) <= names]
    else:
        values = _first_values(path, start)
        fitting = [name for name, one in importers().items() if any(set(one.keys) <= _keys(one, v) for v in values)]
    return max(fitting, key=lambda name: len(importers()[name].keys), default="")


def _first_values(path: str | Path, start: bytes) -> list[Any]:
    """A JSON document (of a list the first row), or the first lines of JSON lines; none where there is neither."""
    try:
        if _is_document(start):
            value = _whole(path, Problems())
            return [value, *(value[:1] if isinstance(value, list) else ())]
        return [loads(line, path, 1, Problems())[0] for _, line in islice(lines(path, Problems()), 5) if line.strip()]
    except InputError:
        return []


def _keys(importer: Importer, value: Any) -> set[str]:
    """The names in the first row that such an importer would read."""
    try:
        rows = find(importer.rows, value) if importer.rows else value
    except ValueError:
        return set()
    row = rows[0] if isinstance(rows, list) and rows else None if importer.rows else rows
    if not isinstance(row, dict):
        return set()
    inner = row.get(importer.each) if importer.each else None
    return set(row) | (set(inner[0]) if isinstance(inner, list) and inner and isinstance(inner[0], dict) else set())


def _begins_with_a_turn(cells: list[bytes], importer: Importer) -> bool:
    """Whether a table without a header begins with the id of a turn, such as 31_1."""
    number, _, turn = cells[0].partition(b"_")
    return len(cells) == len(importer.columns) and number.isdigit() and turn.isdigit()


def convert(path: str | Path, named: str, problems: Problems) -> Converted:
    """The records of one file. Faults of rows go to `problems`; InputError when it is no file of that kind."""
    known = importers()
    if named not in known:
        raise InputError(f"nothing converts '{named}'{choices(named, known)}")
    importer = known[named]
    if importer.refuse:
        raise InputError(f"{path}: {named}: {importer.refuse}")
    made = Converted(named, [], [], [])
    met: dict[str, int] = {}
    for number, row in read_rows(path, importer, problems):
        if not isinstance(row, dict):
            problems.add(path, number, f"expected a row of fields, got {type(row).__name__}")
            continue
        absent = [key for key in importer.needs or importer.keys if key not in row]
        if absent:
            problems.add(path, number, f"the row has no {', '.join(map(repr, absent))}; it is no row of {named}")
            continue
        for column in importer.ignored:
            if row.get(column) not in (None, ""):
                problems.warn(path, number, f"'{column}' is another tool's number and is not read", group=column)
        id = _text(find(importer.case.get("id", importer.output.get("case", "")), row)) or f"row-{len(met) + 1}"
        if id in met:
            problems.add(path, number, f"a second row for '{id}'; the first is row {met[id]}", kind="duplicate")
            continue
        met[id] = number
        _add(made, importer, row, id, path, number, problems)
    if not met and not problems.faults:
        problems.add(path, 0, "it holds no rows")
    return made


def _add(
    made: Converted, importer: Importer, row: Any, id: str, path: str | Path, number: int, problems: Problems
) -> None:
    try:
        if importer.case:
            made.cases.append(_record(Case, {"id": id, **_fields(importer.case, "id", row, importer.split)}))
        if importer.output:
            said = _fields(importer.output, "case", row, importer.split)
            if said.get("answer") is None and said.get("retrieved") is None and not said.get("error"):
                said["error"] = "not obtained: the row holds no answer"
            made.outputs.append(_record(Output, {"case": id, **said}))
        for one in importer.judgments:
            made.judgments += _judgments(id, one, row)
    except (ValueError, TypeError) as why:  # msgspec's ValidationError is a ValueError
        problems.add(path, number, f"'{id}': {why}")


def _record(kind: Any, fields: dict[str, Any]) -> Any:
    return msgspec.convert({key: value for key, value in fields.items() if value is not None}, kind, strict=True)


def find(expression: str, row: Any) -> Any:
    """What a JMESPath expression finds in a row; None for no expression."""
    if not expression:
        return None
    try:
        return _compiled(expression).search(row)
    except Exception as why:  # a function of the expression met another type than it takes
        raise ValueError(f"'{expression}': {why}") from None


@cache
def _compiled(expression: str) -> Any:
    import jmespath

    return jmespath.compile(expression)


def _fields(paths: dict[str, str], id: str, row: Any, split: str) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for field, expression in paths.items():
        if field == id:
            continue
        name, _, key = field.partition(".")
        value = find(expression, row)
        if value is None or value == "":
            continue
        if key:
            made.setdefault(name, {})[key] = value if name == "extra" else _text(value)
        else:
            made[name] = SHAPES.get(name, _as_is)(value, split)
    if "sentences" in made:
        made |= _sentences(made.pop("sentences"), made)
    return made


def _as_is(value: Any, split: str) -> Any:
    return value


def _text(value: Any) -> str:
    """A text or a number as text; '' for nothing."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, dict | list):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _texts(value: Any, split: str) -> list[str]:
    """Texts of a list, of a cell that holds one (JSON, a Python literal, parts), or of a single text."""
    value = unpacked(value, split)
    listed = value if isinstance(value, list) else [value]
    inner = (unpacked(one) if isinstance(one, str) else one for one in listed)
    flat = (text for one in inner for text in (one if isinstance(one, list) else [one]))
    return [text for one in flat if (text := _text(one)).strip()]


def unpacked(cell: Any, split: str = "") -> Any:
    """The list that a cell writes out as JSON or as a Python literal, or parts by `split`; else the cell."""
    if not isinstance(cell, str):
        return cell
    bare = cell.strip()
    if bare.startswith("[") and bare.endswith("]"):
        if len(bare) > CELL or too_deep(bare.encode(errors="replace")):
            raise ValueError(f"a list of {len(bare)} characters in one cell")
        try:
            return msgspec.json.decode(bare)
        except (msgspec.DecodeError, UnicodeError):
            return _literal(bare)
    return cell.split(split) if split and split in cell else cell


def _literal(text: str) -> Any:
    """A Python list of texts and numbers as a list; the text itself where it is none."""
    import ast

    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return value if isinstance(value, list) else text


def _passages(value: Any, split: str) -> list[dict[str, Any]]:
    """Passages with their numbers from 1. Bare texts are called by their place: context:1."""
    value = unpacked(value, split)
    listed = value if isinstance(value, list) else [value]
    made = []
    for number, one in enumerate(listed, 1):
        if isinstance(one, dict):
            id = next((_text(one[k]) for k in ("id", "doc_id", "document_id", "chunk_id", "docid") if one.get(k)), "")
            text = next((one[k] for k in ("text", "content", "page_content", "snippet") if one.get(k)), None)
            said = {"id": id or f"context:{number}", "text": text, "title": one.get("title"), "indices": [number]}
            made.append({key: held for key, held in said.items() if held is not None})
        elif _text(one).strip():
            made.append({"id": f"context:{number}", "text": _text(one), "indices": [number]})
    return made


def _qrels(value: Any, split: str) -> dict[str, int]:
    """Ids that are relevant, each with grade 1, or an object of grades."""
    return value if isinstance(value, dict) else dict.fromkeys(_texts(value, split), 1)


def _turns(value: Any, split: str) -> list[dict[str, str]]:
    """Exchanges from a list of messages {speaker or role, text or content}, or of texts that take turns."""
    made: list[dict[str, str]] = []
    for place, one in enumerate(unpacked(value, split) or ()):
        if isinstance(one, dict):
            who = _text(one.get("speaker") or one.get("role")).lower()
            text, user = _text(one.get("text") or one.get("content")), who in ("user", "human", "")
        else:
            text, user = _text(one), place % 2 == 0
        if user or not made or "assistant" in made[-1]:
            made.append({"user": text} if user else {"user": "", "assistant": text})
        else:
            made[-1]["assistant"] = text
    return made


def _points(value: Any, split: str) -> list[dict[str, str]]:
    return [{"text": text} for text in _texts(value, split)]


def _truth(value: Any, split: str) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(f"expected true or false, got {value!r}")


def _string(value: Any, split: str) -> str:
    return _text(value)


SHAPES = {
    "question": _string, "answer": _string, "error": _string, "category": _string, "primary": _string,
    "references": _texts, "bad_answers": _texts, "expected": _texts, "points": _points, "answerable": _truth,
    "contexts": _passages, "retrieved": _texts, "cited": _texts, "qrels": _qrels, "history": _turns, "past": _turns,
}  # fmt: skip


def _sentences(value: Any, made: dict[str, Any]) -> dict[str, Any]:
    """An answer in sentences that carry citations: 0-based places among the references, or their ids."""
    known = made.get("retrieved") or [passage["id"] for passage in made.get("contexts", ())]
    texts, citations = [], []
    for place, sentence in enumerate(value):
        texts.append(_text(sentence.get("text")).strip())
        for cited in sentence.get("citations") or ():
            if isinstance(cited, bool) or not isinstance(cited, int | str):
                raise ValueError(f"sentence {place}: a citation is a place or an id, got {cited!r}")
            if isinstance(cited, int):
                passage = known[cited] if 0 <= cited < len(known) else None
            else:
                passage = cited if cited in known or not known else None
            citations.append({"marker": str(cited), "passage": passage, "sentence": place})
    cited_ids = dict.fromkeys(one["passage"] for one in citations if one["passage"] is not None)
    return {"answer": " ".join(filter(None, texts)), "citations": citations, "cited": list(cited_ids)}


def _judgments(id: str, paths: dict[str, str], row: Any) -> Iterator[Judgment]:
    """One judgment, or one for each item of a list, called by its place."""
    value, subject = find(paths["value"], row), paths.get("subject", "")
    listed = value if isinstance(value, list) else [value]
    for place, one in enumerate(listed):
        if one is None or one == "":
            continue
        called = f"{subject}:{place}" if isinstance(value, list) else subject
        if isinstance(one, bool):
            yield Judgment(id, paths["kind"], called, value=float(one), judge=paths.get("judge", ""))
        elif isinstance(one, int | float):
            if one > 10:
                raise ValueError(f"{paths['kind']}: {one:g} is no share from 0 to 1; is it a percentage?")
            yield Judgment(id, paths["kind"], called, value=float(one), judge=paths.get("judge", ""))
        else:
            yield Judgment(id, paths["kind"], called, label=_text(one), judge=paths.get("judge", ""))


# -- rows of any file -------------------------------------------------------------------------------------------


def read_rows(path: str | Path, importer: Importer, problems: Problems) -> Iterator[tuple[int, Any]]:
    """(number, row) of a JSON document, of JSON lines, or of a table (.csv, .tsv)."""
    for number, row in _table(path, importer, problems) if _is_table(path) else _json(path, importer, problems):
        if not importer.each:
            yield number, row
            continue
        inner = row.get(importer.each) if isinstance(row, dict) else None
        if not isinstance(inner, list):
            problems.add(path, number, f"expected a list under '{importer.each}'")
            continue
        outer = {key: value for key, value in row.items() if key != importer.each}
        yield from ((number, {**one, "parent": outer} if isinstance(one, dict) else one) for one in inner)


def _is_table(path: str | Path) -> bool:
    return str(path).removesuffix(".gz").endswith((".csv", ".tsv"))


def _table(path: str | Path, importer: Importer, problems: Problems) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of a quoted table; a cell may hold line breaks. Numbers are those of the row's last line."""
    import csv
    import io

    csv.field_size_limit(64 << 20)
    tab = str(path).removesuffix(".gz").endswith(".tsv")
    with open_bytes(path) as file, io.TextIOWrapper(file, encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(text, delimiter="\t" if tab else ",", strict=True)
        columns = list(importer.columns)
        try:
            for cells in reader:
                if not columns:
                    columns = [cell.strip() for cell in cells]
                    twice = {name for name in columns if name and columns.count(name) > 1}
                    if twice:
                        raise InputError(f"{path}: two columns are called '{min(twice)}'")
                elif any(cells):
                    if len(cells) != len(columns):
                        problems.add(path, reader.line_num, f"expected {len(columns)} cells, found {len(cells)}")
                        continue
                    named = zip(columns, cells, strict=True)
                    yield reader.line_num, {name: cell for name, cell in named if name}
        except csv.Error as why:
            problems.add(path, reader.line_num, f"not a table: {why}")
        except UnicodeDecodeError as why:
            raise InputError(f"{path}: invalid UTF-8: {why.reason}") from None


def _json(path: str | Path, importer: Importer, problems: Problems) -> Iterator[tuple[int, Any]]:
    if importer.rows or _is_document(head(path)):
        value = _whole(path, problems)
        found = find(importer.rows, value) if importer.rows else value
        if not isinstance(found, list):
            raise InputError(f"{path}: expected a list of rows" + (f" at '{importer.rows}'" if importer.rows else ""))
        yield from enumerate(found, 1)
        return
    for number, line in lines(path, problems):
        if line.strip():
            value, why = loads(line, path, number, problems)
            if why:
                problems.add(path, number, why)
            else:
                yield number, value


def _is_document(start: bytes) -> bool:
    """Whether a file is one JSON value, not JSON lines: these begin with a line that is a whole object."""
    first = start.partition(b"\n")[0].strip()
    return first.startswith(b"[") or not (first.endswith(b"}") or len(first) >= len(start.strip()) > 2)


def _whole(path: str | Path, problems: Problems) -> Any:
    """The value of a JSON document."""
    with open_bytes(path) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise InputError(f"{path}: a document over {LARGEST >> 20} MiB; write it as JSON lines")
    value, why = loads(data.removeprefix(b"\xef\xbb\xbf"), path, 0, problems)
    if why:
        raise InputError(f"{path}: {why}")
    return value


def loads(data: bytes, path: str | Path, number: int, problems: Problems) -> tuple[Any, str]:
    """(the value, '') or (None, why not). NaN and Infinity, which are no JSON, become absent and are counted."""
    import json

    if too_deep(data):
        return None, "nested too deeply"

    def absent(word: str) -> None:
        problems.warn(path, number, f"{word} is no JSON; it is read as absent", group="NaN")

    try:
        return json.loads(data.decode(), parse_constant=absent), ""
    except UnicodeDecodeError as why:
        return None, f"invalid UTF-8 at byte {why.start + 1}"
    except json.JSONDecodeError as why:
        return None, f"invalid JSON: {why.msg} at line {why.lineno}, column {why.colno}"
    except (RecursionError, ValueError) as why:
        return None, f"invalid JSON: {why}"
