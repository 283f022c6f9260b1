"""outputs: what is read, and what is said about what is not."""

import json
from pathlib import Path

import pytest

from ragmeter.errors import InputError, Problems
from ragmeter.formats import outputs
from ragmeter.records import Citation, Output, Passage
from tests.helpers.reading import read

FULL = {
    "case": "q1",
    "retrieved": ["d1", {"id": "d2", "score": 3, "text": "본문: 첫째", "title": "제목", "indices": [1, 2]}],
    "ranked": False,
    "cited": ["d1"],
    "citations": [{"marker": "[1]", "passage": "d1", "sentence": 0}, {"marker": "[9]", "passage": None}],
    "contexts": [{"id": "d1", "text": "본문"}],
    "answer": "2년입니다 [1].",
    "rewrites": {"summary": "보증 기간은?"},
    "recalled": {"episodic": ["m1", {"id": "m2", "score": 0.5}]},
    "error": None,
    "seconds": 0.25,
    "usage": {"tokens": 12},
    "extra": {"model": "m"},
}


def test_every_field_is_read(tmp_path: Path) -> None:
    records, faults = read("outputs", tmp_path / "f.jsonl", json.dumps(FULL))
    assert faults == []
    assert records == [
        Output(
            "q1",
            retrieved=("d1", Passage("d2", 3.0, "본문: 첫째", "제목", (1, 2))),
            ranked=False,
            cited=("d1",),
            citations=(Citation("[1]", "d1", 0), Citation("[9]")),
            contexts=(Passage("d1", text="본문"),),
            answer="2년입니다 [1].",
            rewrites={"summary": "보증 기간은?"},
            recalled={"episodic": ("m1", Passage("m2", 0.5))},
            seconds=0.25,
            usage={"tokens": 12.0},
            extra={"model": "m"},
        )
    ]


def test_nothing_retrieved_and_not_recorded_are_two_things(tmp_path: Path) -> None:
    lines = ['{"case":"a","retrieved":[],"answer":""}', '{"case":"b","retrieved":null}', '{"case":"c"}']
    records, faults = read("outputs", tmp_path / "f.jsonl", *lines)
    assert faults == []
    assert [(output.retrieved, output.answer) for output in records] == [((), ""), (None, None), (None, None)]


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ('{"answer":"x"}', ["1: /case: is missing: expected an id: text that is not blank"]),
        ('{"case":"a","retrieved":"d1"}', ["1: /retrieved: expected an array of ids or passages, got 'd1'"]),
        (
            '{"case":"a","retrieved":["d1",2,"",{"id":""},{"score":1},{"id":"x","rank":1}]}',
            [
                '1: /retrieved/1: expected an id, or a passage {"id": ..., "score": ...}, got 2',
                "1: /retrieved/2: expected an id: text that is not blank, got an empty string",
                "1: /retrieved/3/id: expected an id: text that is not blank, got an empty string",
                "1: /retrieved/4/id: is missing: expected an id: text that is not blank",
                "1: /retrieved/5/rank: unknown field",
            ],
        ),
        ('{"case":"a","retrieved":[{"id":"x","score":"1"}]}', ["1: /retrieved/0/score: expected a number or null, got '1'"]),
        ('{"case":"a","retrieved":[{"id":"x","score":NaN}]}', ["1: invalid JSON: NaN is not a JSON value"]),
        ('{"case":"a","retrieved":[{"id":"x","score":Infinity}]}', ["1: invalid JSON: Infinity is not a JSON value"]),
        ('{"case":"a","retrieved":[{"id":"x","score":1e400}]}', ["1: invalid JSON: the number 1e400 is out of range"]),
        (
            '{"case":"a","retrieved":[{"id":"x","score":1' + "0" * 400 + "}]}",
            ["1: /retrieved/0/score: expected a number or null, got 100000000000000…"],
        ),
        ('{"case":"a","ranked":1}', ["1: /ranked: expected true or false, got 1"]),
        ('{"case":"a","cited":["x"," "]}', ["1: /cited/1: expected an id: text that is not blank, got ' '"]),
        (
            '{"case":"a","citations":[{"marker":"[1]","passage":"","sentence":-1},{}]}',
            [
                "1: /citations/0/passage: expected an id: text that is not blank, or null, got an empty string",
                "1: /citations/0/sentence: expected a whole number from 0, or null, got -1",
                "1: /citations/1/marker: is missing: expected a string",
            ],
        ),
        ('{"case":"a","contexts":["d1"]}', ['1: /contexts/0: expected a passage: {"id": ..., "text": ...}, got \'d1\'']),
        ('{"case":"a","contexts":[{"id":"d","indices":[1.5]}]}', ["1: /contexts/0/indices/0: expected a whole number from 0, got 1.5"]),
        ('{"case":"a","recalled":{"x":[{"id":"d","z":1}]}}', ["1: /recalled/x/0/z: unknown field"]),
        ('{"case":"a","recalled":{"x":[" "]}}', ["1: /recalled/x/0: expected an id: text that is not blank, got ' '"]),
        ('{"case":"a","seconds":-0.5}', ["1: /seconds: expected a number of seconds from 0, got -0.5"]),
        ('{"case":"a","usage":{"t":null}}', ["1: /usage/t: expected a number, got null"]),
        ('{"case":"a","anwser":"x"}', ["1: /anwser: unknown field; did you mean 'answer'? (other things go under 'extra')"]),
        ('{"case":"a","usage":{"t":1,"t":2}}', ["1: invalid JSON: key 't' is repeated"]),
        ('{"case":"a","retrieved":[{"id":"x","id":"y"}]}', ["1: invalid JSON: key 'id' is repeated"]),
    ],
)  # fmt: skip
def test_a_fault_says_where_and_what_was_expected(tmp_path: Path, line: str, faults: list[str]) -> None:
    assert read("outputs", tmp_path / "f.jsonl", line) == ([], faults)


def test_a_second_output_of_one_case_is_a_fault(tmp_path: Path) -> None:
    records, faults = read("outputs", tmp_path / "f.jsonl", '{"case":"a"}', '{"case":"b"}', '{"case":"a"}')
    assert len(records) == 3
    assert faults == ["3: has duplicate output for case: a"]


def test_whole_numbers_may_be_written_with_a_point(tmp_path: Path) -> None:
    line = '{"case":"a","citations":[{"marker":"[1]","sentence":2.0}],"ranked":true}'
    records, faults = read("outputs", tmp_path / "f.jsonl", line)
    assert faults == []
    assert records == [Output("a", citations=(Citation("[1]", sentence=2),))]
    assert type(records[0].citations[0].sentence) is int


@pytest.mark.parametrize(
    ("head", "ours"),
    [
        (b'{"case":"a","answer":"x"}', True),
        (b'{"case":"a"}', True),
        (b'{"case":"a","anwser":"x"}', True),
        (b'{"case":"a","kind":"x"}', False),
        (b'{"case":"a","court":"x","year":1}', False),
        (b'{"case":"a","id":"x","question":"x"}', False),
        (b'{"id":"a","question":"x"}', False),
        (b'{"case":"a","contexts":[{"id":"d","text":"' + b"x" * 70_000, True),
    ],
)
def test_what_is_recognised(head: bytes, ours: bool) -> None:
    assert outputs.recognise(head) is ours


def test_what_is_written_reads_back_equal(tmp_path: Path) -> None:
    first, _ = read("outputs", tmp_path / "f.jsonl", json.dumps(FULL), '{"case":"b","retrieved":[]}')
    (tmp_path / "g.jsonl").write_bytes(b"".join(outputs.write(first)))
    assert list(outputs.read(tmp_path / "g.jsonl", Problems())) == first


@pytest.mark.parametrize(
    "output",
    [
        Output("a", retrieved=(Passage("d", float("nan")),)),
        Output("a", retrieved=("",)),
        Output("a", seconds=float("inf")),
        Output("a", citations=(Citation("[1]", " "),)),
        Output("a", contexts=(Passage("d", indices=(-1,)),)),
    ],
)
def test_an_output_that_no_line_can_hold_is_refused(output: Output) -> None:
    with pytest.raises(InputError, match="output for case 'a' cannot be written"):
        list(outputs.write([output]))
