"""Made S2 fixtures for differential tests: valid ones with everything odd, and mutated ones. Seeded."""

import json
from random import Random
from typing import Any

FIELDS = ("relevant_document_ids", "retrieved_document_ids", "cited_document_ids")
IDS = (
    "a b c d e A 1 01 1.0 1.00 é e\u0301 thủ-tục 文書 문서 😀 __proto__ constructor null true -0 d1 d2 d3 d4 d5 d6".split()
    + ["a|b", "a\\|b", "back\\slash", 'quo"te', "new\nline", "cr\rlf\r\n", "tab\t", " ", " a", "a ", "\u00a0"]
    + ["\u202ertl", "line\u2028sep", "nel\x85", "nul\x00", "\x1b[31mred", "\ufeff", "<b>&amp;</b>", "x" * 300, "`*_~`"]
)
BLANK = ["", " ", "\t", "\r", "\u00a0", "\ufeff", "\u2028\u3000", "\x0b\x0c"]
VALUES: list[Any] = [None, True, 0, -1.5, "", "text", [], {}, ["", "a"], {"id": 1}, [["deep"], {"x": [None]}]]
RAW = ["1e999", "-0", "1E-7", "9" * 400, "9" * 5000, "0.1", '"\\ud83d\\ude00"', '"\\u0000"', "[[[[1]]]]"]
NUMBERS = ["0", "1", "0.5", "0.7", ".25", "1e-7", "0x1", "", " 0.3 ", "0.3333333333333333", "1.0", "00.5", "+.5"]
FLAGS = ["--min-recall", "--min-mrr", "--min-context-precision", "--min-citation-coverage", "--min-citation-validity"]


def arguments(random: Random) -> list[str]:
    """Options of one command, now and then wrong ones."""
    said = []
    if random.random() < 0.8:
        said += ["--k", random.choice(["1", "2", "3", "5", "10", "0x2", "1e1", " 3 ", "3.0", "1000000"])]
    if random.random() < 0.8:
        said += ["--format", random.choice(["json", "markdown"])]
    for flag in random.sample(FLAGS, random.choice([0, 0, 1, 2, 5])):
        said += [flag, random.choice(NUMBERS)]
    if random.random() < 0.06:
        said += random.choice([["--k", w] for w in ["0", "-1", "2.5", "x", "", "1_0", "Infinity", "NaN"]]
                              + [["--min-mrr", w] for w in ["2", "-0.1", "x", "1_0", "Infinity", "nan"]]
                              + [["--format", w] for w in ["xml", "", "JSON"]]
                              + [["--bogus", "1"], ["--k"], ["--min-recall"]])  # fmt: skip
    return said


def case(random: Random, number: int) -> dict[str, Any]:
    """A valid case. Its lists overlap, repeat and are empty now and then."""
    pool = random.sample(IDS, random.randint(1, 8))
    lists = [[random.choice(pool) for _ in range(random.choice([0, 1, 1, 2, 3, 6]))] for _ in FIELDS]
    made: dict[str, Any] = {"id": random.choice([f"q{number}", f"q{number}" + random.choice(IDS)])}
    made.update(zip(FIELDS, lists, strict=True))
    return made


def line(random: Random, value: dict[str, Any]) -> str:
    """One case as JSON, in some order and spacing, with fields that nobody asked for."""
    items = [(key, json.dumps(held, ensure_ascii=random.random() < 0.3)) for key, held in value.items()]
    if random.random() < 0.3:
        items.append((random.choice(["note", "__proto__", "question", "Id", ""]), extra(random)))
    if random.random() < 0.1:
        items.insert(0, (random.choice(list(value)), json.dumps(random.choice(VALUES))))  # repeated: the last wins
    if random.random() < 0.3:
        random.shuffle(items)
    comma, colon = random.choice([(",", ":"), (", ", ": "), (" ,\t", " : ")])
    said = "{" + comma.join(json.dumps(key) + colon + held for key, held in items) + "}"
    return random.choice(["", "", " ", "\t"]) + said + random.choice(["", "", " ", "\t\r"])


def extra(random: Random) -> str:
    """A value for a field that is not asked for."""
    return random.choice([json.dumps(random.choice(VALUES)), random.choice(RAW)])


def valid(random: Random) -> bytes:
    """A file that both accept, unless a shuffled repeated key spoils a case."""
    lines = [line(random, case(random, number)) for number in range(random.choice([1, 1, 2, 3, 5, 12]))]
    for _ in range(random.choice([0, 0, 1, 3])):
        lines.insert(random.randint(0, len(lines)), random.choice(BLANK))
    return random.choice(["\n", "\n", "\r\n"]).join(lines).encode() + random.choice([b"", b"\n", b"\r\n", b"\n\n"])


def mutated(random: Random) -> bytes:
    """A file with one to three things wrong, on the level of values, of lines or of bytes."""
    values: list[Any] = [case(random, number) for number in range(random.randint(1, 5))]
    for _ in range(random.choice([0, 1, 1, 2])):
        spoil(random, values)
    lines = [line(random, v) if isinstance(v, dict) else json.dumps(v) for v in values]
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    for _ in range(random.choice([0, 1, 2]) if random.random() < 0.6 else 0):
        data = damaged(random, data)
    return data


def spoil(random: Random, values: list[Any]) -> None:
    """Make one value of a file wrong."""
    at = random.randrange(len(values))
    if not isinstance(values[at], dict):
        return
    field = random.choice(["id", *FIELDS])
    kind = random.randrange(7)
    if kind == 0:
        values[at] = random.choice([None, 1, "text", [], [values[at]], True])
    elif kind == 1:
        values[at].pop(field, None)
    elif kind == 2:
        values[at][field] = random.choice(VALUES)
    elif kind == 3:
        values[at][random.choice(FIELDS)] = random.choice([[1], [""], [None], ["a", {}], [["a"]], "a", {"0": "a"}])
    elif kind == 4:
        values.append(dict(values[at]))
    elif kind == 5:
        values[at]["note"] = random.choice(["\ud800", "\udc00x", "\ud83d\ude00"])
    else:
        values[at]["note"] = nested(random.choice([50, 501, 900]))


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def damaged(random: Random, data: bytes) -> bytes:
    """Some bytes gone, added, changed or repeated."""
    at = random.randrange(len(data) + 1)
    to = min(len(data), at + random.choice([1, 1, 2, 10, 60]))
    kind = random.randrange(6)
    if kind == 0:
        return data[:at] + data[to:]
    if kind == 1:
        return data[:at] + data[at:to] + data[at:]
    if kind == 2:
        return data[:at]
    if kind == 3:
        return b"\xef\xbb\xbf" + data
    odd = [
        b"\x00",
        b"\xff",
        b"\xc3",
        b"\n",
        b"\r",
        b"\r\n",
        b",",
        b'"',
        b"\\",
        b"{",
        b"]",
        b"NaN",
        b"\xef\xbb\xbf",
        b"//",
    ]
    return data[:at] + random.choice(odd) + data[at if kind == 4 else to :]
