"""judgments: what is read, and what is said about what is not."""

import json
from pathlib import Path

import pytest

from ragmeter.errors import InputError, Problems
from ragmeter.formats import judgments
from ragmeter.records import Judgment
from tests.helpers.reading import read

FULL = {
    "case": "q1",
    "kind": "claim_support",
    "subject": "claim 2",
    "value": 1,
    "num": 1,
    "den": 3,
    "label": "partial_support",
    "rationale": "câu 2: đúng một phần",
    "judge": "human",
    "repetition": 2,
    "question_key": "aa",
    "call_key": "bb",
    "trims": {"passage": 120},
    "usage": {"tokens": 5.5},
    "error": None,
    "extra": {"claims": ["x"]},
}


def test_every_field_is_read(tmp_path: Path) -> None:
    records, faults = read("judgments", tmp_path / "f.jsonl", json.dumps(FULL))
    assert faults == []
    assert records == [
        Judgment(
            "q1",
            "claim_support",
            "claim 2",
            value=1.0,
            num=1.0,
            den=3.0,
            label="partial_support",
            rationale="câu 2: đúng một phần",
            judge="human",
            repetition=2,
            question_key="aa",
            call_key="bb",
            trims={"passage": 120},
            usage={"tokens": 5.5},
            extra={"claims": ["x"]},
        )
    ]


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ('{"case":"a"}', ["1: /kind: is missing: expected text that is not blank"]),
        ('{"case":" ","kind":"s"}', ["1: /case: expected an id: text that is not blank, got ' '"]),
        ('{"case":"a","kind":"s","value":"0.5"}', ["1: /value: expected a number or null, got '0.5'"]),
        ('{"case":"a","kind":"s","value":true}', ["1: /value: expected a number or null, got true"]),
        ('{"case":"a","kind":"s","value":NaN}', ["1: invalid JSON: NaN is not a JSON value"]),
        ('{"case":"a","kind":"s","num":1}', ["1: /den: is missing: 'num' is never given without it"]),
        ('{"case":"a","kind":"s","den":1}', ["1: /num: is missing: 'den' is never given without it"]),
        ('{"case":"a","kind":"s","num":1,"den":0}', ["1: /den: expected a number above 0, got 0"]),
        ('{"case":"a","kind":"s","num":1,"den":null}', ["1: /den: expected a number above 0, got null"]),
        ('{"case":"a","kind":"s","repetition":-1}', ["1: /repetition: expected a whole number from 0, got -1"]),
        ('{"case":"a","kind":"s","trims":{"x":-1}}', ["1: /trims/x: expected a whole number from 0, got -1"]),
        ('{"case":"a","kind":"s","score":1}', ["1: /score: unknown field (other things go under 'extra')"]),
        ('{"case":"a","kind":"s","kind":"s"}', ["1: invalid JSON: key 'kind' is repeated"]),
    ],
)
def test_a_fault_says_where_and_what_was_expected(tmp_path: Path, line: str, faults: list[str]) -> None:
    assert read("judgments", tmp_path / "f.jsonl", line) == ([], faults)


def test_a_question_may_be_answered_more_than_once_and_a_file_may_be_empty(tmp_path: Path) -> None:
    line = '{"case":"a","kind":"s","value":1}'
    records, faults = read("judgments", tmp_path / "f.jsonl", line, line)
    assert (len(records), faults) == (2, [])
    assert read("judgments", tmp_path / "f.jsonl") == ([], [])


@pytest.mark.parametrize(
    ("head", "ours"),
    [
        (b'{"case":"a","kind":"x"}', True),
        (b'{"case":"a","knd":"x","call_key":"k"}', True),
        (b'{"case":"a","value":1}', False),
        (b'{"kind":"x"}', False),
    ],
)
def test_what_is_recognised(head: bytes, ours: bool) -> None:
    assert judgments.recognise(head) is ours


def test_what_is_written_reads_back_equal(tmp_path: Path) -> None:
    first, _ = read("judgments", tmp_path / "f.jsonl", json.dumps(FULL), '{"case":"b","kind":"s","error":"timeout"}')
    (tmp_path / "g.jsonl").write_bytes(b"".join(judgments.write(first)))
    assert list(judgments.read(tmp_path / "g.jsonl", Problems())) == first


@pytest.mark.parametrize(
    "judgment",
    [
        Judgment("a", "s", value=float("nan")),
        Judgment("a", "s", num=1.0),
        Judgment("a", "s", num=1.0, den=0.0),
        Judgment("a", ""),
        Judgment("a", "s", trims={"x": -1}),
    ],
)
def test_a_judgment_that_no_line_can_hold_is_refused(judgment: Judgment) -> None:
    with pytest.raises(InputError, match="judgment cannot be written"):
        list(judgments.write([judgment]))
