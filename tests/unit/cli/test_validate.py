"""`ragmeter validate`: every problem with its line, files held against each other, exit code 0 or 2."""

import gzip
import json
from pathlib import Path

import pytest

from tests.helpers.command import Ran, ragmeter

S2 = '{"id":"%s","relevant_document_ids":[],"retrieved_document_ids":[],"cited_document_ids":[]}\n'
CASES = '{"id":"q1","question":"x"}\n{"id":"q2","question":"y"}\n'
OUTPUTS = '{"case":"q1","answer":"x"}\n{"case":"q2","answer":"y"}\n'


@pytest.fixture
def validate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def run(*options: str, **files: str | bytes) -> Ran:
        names = [name.replace("_", ".") for name in files]
        for name, data in zip(names, files.values(), strict=True):
            Path(name).write_bytes(data if isinstance(data, bytes) else data.encode())
        return ragmeter("validate", *names, *options)

    return run


def test_good_files_are_named_and_counted(validate) -> None:
    ran = validate(a_jsonl=CASES, b_jsonl=OUTPUTS, c_jsonl='{"case":"q1","kind":"s","value":1}\n', d_jsonl=S2 % "z")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [
        "a.jsonl: cases, 2 cases",
        "b.jsonl: outputs, 2 outputs",
        "c.jsonl: judgments, 1 judgment",
        "d.jsonl: s2, 1 case with its output",
        "0 problems",
    ]


def test_packed_files_are_read_too(validate) -> None:
    ran = validate(a_gz=gzip.compress(CASES.encode(), mtime=0))
    assert (ran.code, ran.stdout) == (0, "a.gz: cases, 2 cases\n0 problems\n")


def test_every_problem_is_listed_with_its_line(validate) -> None:
    ran = validate(a_jsonl=CASES + '{"id":"q1"}\nx\n{"id":"","qrels":1}\n', b_jsonl=S2 % "a" + "{}\n" + S2 % "a")
    assert ran.code == 2
    assert ran.stdout.splitlines() == [
        "a.jsonl: cases, 4 problems",
        "b.jsonl: s2, 5 problems",
        "a.jsonl:3: has duplicate case id: q1",
        "a.jsonl:4: invalid JSON: Expecting value at column 1",
        "a.jsonl:5: /id: expected an id: text that is not blank, got an empty string",
        "a.jsonl:5: /qrels: expected an object {passage id: grade}, got 1",
        "b.jsonl:2: id must be a non-empty string",
        "b.jsonl:2: relevant_document_ids must be an array",
        "b.jsonl:2: retrieved_document_ids must be an array",
        "b.jsonl:2: cited_document_ids must be an array",
        "b.jsonl:3: has duplicate case id: a",
        "9 problems",
    ]


def test_repeated_keys_are_an_error_in_every_format(validate) -> None:
    twice = (S2 % "a").replace('"id":"a"', '"id":"b","id":"a"')
    ran = validate(a_jsonl=twice, b_jsonl='{"id":"q1","question":"x","question":"y"}')
    assert ran.code == 2
    assert "a.jsonl:1: is not valid JSON: key 'id' is repeated" in ran.stdout
    assert "b.jsonl:1: invalid JSON: key 'question' is repeated" in ran.stdout
    assert ragmeter("score", "a.jsonl").code == 0


def test_cases_and_outputs_are_held_against_each_other(validate) -> None:
    files = {
        "a_jsonl": CASES + '{"id":"q3","qrels":{}}\n',
        "b_jsonl": OUTPUTS + "\n" + '{"case":"q9"}\n{"case":"q8"}\n',
    }
    ran = validate(**files, c_jsonl='{"case":"q1","kind":"s"}\n{"case":"q7","kind":"s"}\n')
    assert ran.code == 0
    assert ran.stdout.splitlines()[3:] == [
        "warning: a.jsonl:3: case 'q3' has no output",
        "warning: b.jsonl:4: output for 'q9', which is no case (and 1 more like it)",
        "warning: c.jsonl:2: judgment of 'q7', which is no case",
        "0 problems",
    ]
    ran = validate("--strict", **files)
    assert ran.code == 2
    assert ran.stdout.splitlines()[2:] == [
        "a.jsonl:3: case 'q3' has no output",
        "b.jsonl:4: output for 'q9', which is no case",
        "b.jsonl:5: output for 'q8', which is no case",
        "3 problems",
    ]


def test_what_stands_in_two_files_is_said(validate) -> None:
    ran = validate(
        "--strict", a_jsonl=CASES, b_jsonl='{"id":"q2","question":"z"}', c_jsonl=OUTPUTS, d_jsonl='{"case":"q1"}'
    )
    assert ran.code == 2
    assert ran.stdout.splitlines()[4:] == [
        "b.jsonl:1: case 'q2' is in a.jsonl too",
        "d.jsonl:1: output for case 'q1' is in c.jsonl too",
        "2 problems",
    ]


def test_fixtures_need_no_other_outputs(validate) -> None:
    ran = validate("--strict", a_jsonl=S2 % "q1", b_jsonl='{"case":"q1"}')
    assert ran.code == 0, ran.stdout


def test_files_are_not_held_against_each_other_while_one_is_at_fault(validate) -> None:
    ran = validate("--strict", a_jsonl=CASES.replace('"y"', "7"), b_jsonl=OUTPUTS)
    assert ran.stdout.splitlines()[2:] == ["a.jsonl:2: /question: expected a string, got 7", "1 problem"]


def test_files_that_cannot_be_read_do_not_stop_the_others(validate, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    lfs = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    validate(a_jsonl=CASES, l_jsonl=lfs, u_jsonl=CASES.encode("utf-16"), t_txt="some words\n")
    ran = ragmeter("validate", "nosuch", "folder", "l.jsonl", "u.jsonl", "t.txt", "a.jsonl")
    assert ran.code == 2
    assert ran.stdout.splitlines() == [
        "nosuch: not read, 1 problem",
        "folder: not read, 1 problem",
        "l.jsonl: not read, 1 problem",
        "u.jsonl: not read, 1 problem",
        "t.txt: not read, 1 problem",
        "a.jsonl: cases, 2 cases",
        "nosuch: No such file or directory",
        "folder: Is a directory",
        "l.jsonl: this is a Git LFS pointer, not the data; fetch it with 'git lfs pull'",
        "u.jsonl: this looks like UTF-16 or UTF-32 text; save it as UTF-8",
        *[line for line in ran.stdout.splitlines() if line.startswith("t.txt: no format recognises this file")],
        "5 problems",
    ]


def test_a_file_read_as_s2_for_want_of_another_says_so(validate) -> None:
    ran = validate(a_jsonl='{"query":"x"}\n')
    assert ran.code == 2
    assert "a.jsonl: no format recognises it, so it is read as s2" in ran.stdout.splitlines()


def test_from_names_the_format(validate) -> None:
    ran = validate("--from", "outputs", a_jsonl=CASES)
    assert ran.code == 2
    assert "a.jsonl:1: /case: is missing: expected an id: text that is not blank" in ran.stdout
    ran = validate("--from", "output", a_jsonl=CASES)
    assert ran.code == 2
    assert ran.stdout.splitlines()[1].startswith(
        "a.jsonl: unknown format 'output'; did you mean 'outputs'? known: beir"
    )


def test_settings_are_checked_all_at_once(validate) -> None:
    ran = validate(ragmeter_toml='metrics = "recall@5"\nks = 5\nk = "many"\nminimum = 3\n')
    assert (ran.code, ran.stdout.splitlines()) == (
        2,
        [
            "ragmeter.toml: ragmeter.toml, 3 problems",
            "ragmeter.toml: unknown setting 'ks'; did you mean 'k'?",
            "ragmeter.toml: setting 'k': Expected `int | null`, got `str`",
            "ragmeter.toml: setting 'minimum': Expected `object`, got `int`",
            "3 problems",
        ],
    )
    ran = validate(ragmeter_toml='metrics = "recall@5"\nk = 5\n')
    assert (ran.code, ran.stdout) == (0, "ragmeter.toml: ragmeter.toml, 2 settings\n0 problems\n")


def test_json_says_the_same(validate) -> None:
    ran = validate("--format", "json", a_jsonl=CASES + '{"id":"q3","question":"x"}', b_jsonl=OUTPUTS)
    assert ran.code == 0
    assert json.loads(ran.stdout) == {
        "valid": True,
        "problem_count": 0,
        "files": [
            {"path": "a.jsonl", "format": "cases", "records": {"cases": 3}, "problems": 0},
            {"path": "b.jsonl", "format": "outputs", "records": {"outputs": 2}, "problems": 0},
        ],
        "problems": [],
        "warnings": [
            {
                "group": "case, no output",
                "count": 1,
                "first": [{"path": "a.jsonl", "line": 3, "message": "case 'q3' has no output"}],
            }
        ],
    }
    ran = validate("--format", "json", a_jsonl="x\n", b_jsonl=OUTPUTS)
    said = json.loads(ran.stdout)
    assert (ran.code, said["valid"], said["problem_count"]) == (2, False, len(said["problems"]))
    assert said["files"][0]["records"] is None
    assert said["problems"][0]["line"] == 1


def test_odd_characters_of_an_input_reach_the_terminal_as_escapes(validate) -> None:
    ran = validate(a_jsonl='{"id":"a\\n\\u001b[31m\\u202e","question":"x"}\n' * 2)
    assert ran.stdout.splitlines()[1] == r"a.jsonl:2: has duplicate case id: a\n\x1b[31m\u202e"


def test_it_needs_a_file() -> None:
    ran = ragmeter("validate")
    assert (ran.code, ran.messages[0]) == (2, "validate needs at least one file")


def test_inputs_are_left_as_they_are(validate) -> None:
    validate(a_jsonl=CASES + "x")
    assert Path("a.jsonl").read_bytes() == (CASES + "x").encode()
    assert sorted(path.name for path in Path().iterdir()) == ["a.jsonl"]
