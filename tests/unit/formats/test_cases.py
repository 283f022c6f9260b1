"""cases: what is read, and what is said about what is not."""

import json
from pathlib import Path

import pytest

from ragmeter.errors import InputError, Problems
from ragmeter.formats import cases
from ragmeter.reading import SMALL
from ragmeter.records import Case, Point, Turn
from tests.helpers.reading import read

FULL = {
    "id": "q1",
    "question": "¿Cuánto dura la garantía?",
    "qrels": {"terms-4": 2, "faq-1": 0, "old-2": -1},
    "answerable": True,
    "references": ["Dos años."],
    "bad_answers": ["Tres meses."],
    "points": [{"text": "dos años"}, {"text": "con recibo", "importance": "okay", "id": "p2"}],
    "history": [{"user": "Hola", "assistant": "Buenos días"}, ["¿Y el envío?", "Gratis"], {"user": "¿Seguro?"}],
    "past": [["Compré una radio", "Gracias"]],
    "expected": ["garantía"],
    "forbidden": ["envío"],
    "primary": "terms-4",
    "category": "terms",
    "tags": {"q_type": "factual"},
    "cluster": "c7",
    "params": {"k": 3, "deep": {"er": [1, None]}},
    "extra": {"source_section": "4", "n": 1.5},
}


def test_every_field_is_read(tmp_path: Path) -> None:
    records, faults = read("cases", tmp_path / "f.jsonl", json.dumps(FULL))
    assert faults == []
    assert records == [
        Case(
            "q1",
            "¿Cuánto dura la garantía?",
            qrels={"terms-4": 2, "faq-1": 0, "old-2": -1},
            answerable=True,
            references=("Dos años.",),
            bad_answers=("Tres meses.",),
            points=(Point("dos años"), Point("con recibo", "okay", "p2")),
            history=(Turn("Hola", "Buenos días"), Turn("¿Y el envío?", "Gratis"), Turn("¿Seguro?")),
            past=(Turn("Compré una radio", "Gracias"),),
            expected=("garantía",),
            forbidden=("envío",),
            primary="terms-4",
            category="terms",
            tags={"q_type": "factual"},
            cluster="c7",
            params={"k": 3, "deep": {"er": [1, None]}},
            extra={"source_section": "4", "n": 1.5},
        )
    ]


def test_nothing_judged_and_nothing_relevant_are_two_things(tmp_path: Path) -> None:
    lines = ['{"id":"a","question":"x"}', '{"id":"b","question":"x","qrels":{}}', '{"id":"c","qrels":null}']
    records, faults = read("cases", tmp_path / "f.jsonl", *lines)
    assert faults == []
    assert [case.qrels for case in records] == [None, {}, None]


def test_ids_stay_text(tmp_path: Path) -> None:
    records, _ = read("cases", tmp_path / "f.jsonl", '{"id":"1.00","qrels":{"010":1,"1e3":2,"é":1,"e\u0301":1}}')
    assert records[0].id == "1.00"
    assert list(records[0].qrels) == ["010", "1e3", "é", "e\u0301"]


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ('{"question":"x"}', ["1: /id: is missing: expected an id: text that is not blank"]),
        ('{"id":"","question":"x"}', ["1: /id: expected an id: text that is not blank, got an empty string"]),
        ('{"id":"\\u00a0","question":"x"}', ["1: /id: expected an id: text that is not blank, got '\\xa0'"]),
        ('{"id":7,"question":"x"}', ["1: /id: expected an id: text that is not blank, got 7"]),
        (
            '{"id":"a","questoin":"x"}',
            ["1: /questoin: unknown field; did you mean 'question'? (other things go under 'extra')"],
        ),
        (
            '{"id":"a","answer":"x"}',
            ["1: /answer: unknown field; did you mean 'answerable'? (other things go under 'extra')"],
        ),
        ('{"id":"a","zzz":1}', ["1: /zzz: unknown field (other things go under 'extra')"]),
        ('{"id":"a","qrels":["d1"]}', ["1: /qrels: expected an object {passage id: grade}, got an array"]),
        ('{"id":"a","qrels":{"d":true}}', ["1: /qrels/d: expected a grade: a whole number, got true"]),
        ('{"id":"a","qrels":{"d":0.5}}', ["1: /qrels/d: expected a grade: a whole number, got 0.5"]),
        ('{"id":"a","qrels":{"d":9999999999}}', ["1: /qrels/d: expected a grade: a whole number, got 9999999999"]),
        (
            '{"id":"a","qrels":{"":1,"a/b~c":"x"}}',
            [
                "1: /qrels/: expected an id: text that is not blank as the name, got an empty string",
                "1: /qrels/a~1b~0c: expected a grade: a whole number, got 'x'",
            ],
        ),
        ('{"id":"a","references":null}', ["1: /references: expected an array, got null"]),
        ('{"id":"a","references":["x",""]}', ["1: /references/1: expected text that is not blank, got an empty string"]),
        ('{"id":"a","expected":"x"}', ["1: /expected: expected an array, got 'x'"]),
        (
            '{"id":"a","points":[{"txt":"x","importance":"vitl"}]}',
            [
                "1: /points/0/text: is missing: expected text that is not blank",
                "1: /points/0/txt: unknown field; did you mean 'text'?",
                "1: /points/0/importance: expected 'vital' or 'okay', got 'vitl'",
            ],
        ),
        ('{"id":"a","history":[["x"]]}', ["1: /history/0: expected [user, assistant], got 1 items"]),
        ('{"id":"a","past":[["x",1]]}', ["1: /past/0/1: expected a string, got 1"]),
        (
            '{"id":"a","past":["x"]}',
            ["1: /past/0: expected a turn: {\"user\": ..., \"assistant\": ...} or [user, assistant], got 'x'"],
        ),
        ('{"id":"a","past":[{"user":"x","bot":"y"}]}', ["1: /past/0/bot: unknown field"]),
        ('{"id":"a","tags":{"t":1}}', ["1: /tags/t: expected a string, got 1"]),
        ('{"id":"a","extra":[]}', ["1: /extra: expected an object or null, got an array"]),
        ("[]", ["1: expected a JSON object, got an array"]),
        ("null", ["1: expected a JSON object, got null"]),
        ('{"id":"a"} x', ["1: invalid JSON: more than one value at column 12"]),
        ('{"id":"a","id":"a"}', ["1: invalid JSON: key 'id' is repeated"]),
        ('{"id":"a","qrels":{"d":1,"d":1}}', ["1: invalid JSON: key 'd' is repeated"]),
        ('{"id":"a","extra":{"x":{"y":1,"y":2}}}', ["1: invalid JSON: key 'y' is repeated"]),
        ('{"id":"a","question":"a \\u003a b","question":"x"}', ["1: invalid JSON: key 'question' is repeated"]),
        ('{"id":"a","extra":{"x":NaN}}', ["1: invalid JSON: NaN is not a JSON value"]),
        ('{"id":"a","extra":{"x":-1e999}}', ["1: invalid JSON: the number -1e999 is out of range"]),
        (
            '{"id":"a","extra":{"x":' + "9" * 4301 + "}}",
            ["1: invalid JSON: the number 999999999999... is out of range"],
        ),
        ('{"id":"a","question":"\\ud800"}', ["1: invalid JSON: a lone surrogate escape is not a character"]),
        (b'{"id":"a","extra":{"x":"\xff"}}', ["1: invalid JSON: invalid UTF-8 at byte 25"]),
        (b'{"id":"a","zzz":"\xff"}', ["1: invalid JSON: invalid UTF-8 at byte 18"]),
        (
            '{"id":"a","extra":{"x":' + "[" * 600 + "]" * 600 + "}}",
            ["1: invalid JSON: nested deeper than 500 levels"],
        ),
    ],
)  # fmt: skip
def test_a_fault_says_where_and_what_was_expected(tmp_path: Path, line: str | bytes, faults: list[str]) -> None:
    assert read("cases", tmp_path / "f.jsonl", line) == ([], faults)


def test_all_faults_of_a_file_are_said_and_good_lines_are_read(tmp_path: Path) -> None:
    lines = ['{"id":"a"}', "nonsense", "", '{"id":"b","k":1,"qrels":0}', '{"id":"a"}', '{"id":"c"}']
    records, faults = read("cases", tmp_path / "f.jsonl", *lines)
    assert [case.id for case in records] == ["a", "a", "c"]
    assert faults == [
        "2: invalid JSON: Expecting value at column 1",
        "4: /k: unknown field (other things go under 'extra')",
        "4: /qrels: expected an object {passage id: grade}, got 0",
        "5: has duplicate case id: a",
    ]


@pytest.mark.parametrize("spelling", ['"question":"x: y: z"', '"question" : "x\\u003a"', '"question":"\\"a\\": b"'])
def test_colons_in_text_are_no_fields(tmp_path: Path, spelling: str) -> None:
    records, faults = read("cases", tmp_path / "f.jsonl", '{"id":"a",' + spelling + "}")
    assert faults == []
    assert ":" in records[0].question


def test_ids_that_come_twice_in_a_long_file_are_found_whatever_their_spelling(tmp_path: Path) -> None:
    lines = [f'{{"id":"q{i}","history":[["a","b"]]}}' for i in range(SMALL + 2)]
    records, faults = read("cases", tmp_path / "f.jsonl", *lines, '{"history":null,"id":"x"}', '{"\\u0069d":"q7"}')
    assert len(records) == SMALL + 3
    assert faults == [
        f"{SMALL + 3}: /history: expected an array, got null",
        f"{SMALL + 4}: has duplicate case id: q7",
    ]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf", b" \xc2\xa0\r\n"])
def test_a_file_without_cases_is_a_fault(tmp_path: Path, content: bytes) -> None:
    assert read("cases", tmp_path / "f.jsonl", content) == ([], [" the file holds no cases"])


@pytest.mark.parametrize(
    ("head", "ours"),
    [
        (b'{"id":"a","question":"x"}\n', True),
        (b'\n{"id":"a","qrels":{}}', True),
        (b'{"id":"a","points":[]}', True),
        (b'{"id":"a"}', False),
        (b'{"question":"x"}', False),
        (b'{"id":"a","question":"x","relevant_document_ids":[]}', False),
        (b'{"id":"a","question":"x","sample_type":"retrieval_qa"}', False),
        (b'{"id":"a","question":"x","gold_ma_thu_tuc":[]}', False),
        (b'{"id":"a","case":"x","question":"y"}', False),
        (b"q1 Q0 d1 1 0.5 x\n", False),
        (b"basic_search:\n- question: x\n", False),
        (b'{broken\n{"id":"a","question":"x"}', True),
        (b'broken\n{"id":"a","question":"x"}', False),
        (b'{"id":"a","question":"x","answer":"y"}', True),
        (b'{"id":"a","question":"x","answer":"y","contexts":[],"score":1}', False),
        (b'{"id":"a","question":"x"', True),
        (b'{"note":"\\"id\\": {", "id" : "a","question":"' + b"x" * 70_000, True),
        (b'{"note":{"id":"a","question":"x"},"long":"' + b"x" * 70_000, False),
    ],
)  # fmt: skip
def test_what_is_recognised(head: bytes, ours: bool) -> None:
    assert cases.recognise(head) is ours


def test_what_is_written_reads_back_equal(tmp_path: Path) -> None:
    first, _ = read("cases", tmp_path / "f.jsonl", json.dumps(FULL), '{"id":"b","qrels":{}}')
    (tmp_path / "g.jsonl").write_bytes(b"".join(cases.write(first)))
    assert list(cases.read(tmp_path / "g.jsonl", Problems())) == first


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (Case(" "), "case id ' ' cannot be written: /id: expected an id: text that is not blank, got ' '"),
        (Case("a", extra={"x": float("nan")}), "case id 'a' cannot be written: it would not read back as it is"),
        (Case("a", qrels={"d": 1 << 40}), "got 1099511627776"),
        (Case("a", question="\ud800"), "case id 'a' cannot be written: "),
        (Case("a", extra={"x": object()}), "case id 'a' cannot be written: "),
        ("a line", "a file of cases holds no str"),
    ],
)
def test_a_case_that_no_line_can_hold_is_refused(case: Case, why: str) -> None:
    with pytest.raises(InputError) as caught:
        list(cases.write([case]))
    assert why in str(caught.value)
