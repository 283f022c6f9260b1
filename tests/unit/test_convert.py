"""`convert`: each trap of other tools' files, in files of our own."""

import json
from pathlib import Path
from typing import Any

import pytest

from ragmeter.convert import convert, importers, loads, recognise, unpacked
from ragmeter.errors import InputError, Problems
from tests.helpers.command import ragmeter


@pytest.fixture
def made(tmp_path: Path) -> Any:
    def write(name: str, text: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def good(path: Path, *, kind: str = "", warned: int = 0) -> Any:
    problems = Problems()
    said = convert(path, kind or recognise(path), problems)
    assert [str(fault) for fault in problems.faults] == []
    assert sum(problems.warning_counts.values()) == warned
    return said


def faults(path: Path, kind: str = "") -> list[str]:
    problems = Problems()
    convert(path, kind or recognise(path), problems)
    return [str(fault).partition("/")[2].rpartition("/")[2] for fault in problems.faults]


def test_every_table_is_one() -> None:
    for name, one in importers().items():
        assert one.about and one.keys, name
        assert bool(one.refuse) != bool(one.case or one.output), name


def test_a_table_with_bom_crlf_breaks_in_cells_and_python_lists(made: Any) -> None:
    path = made("r.csv", "\ufeffuser_input,retrieved_contexts,response,reference,faithfulness\r\n"
                "\"Giá\r\nbao nhiêu?\",\"['a, <b>', \"\"c's\"\"]\",1.10,007,\r\n")  # fmt: skip
    said = good(path)
    assert said.name == "ragas"
    (case,), (output,) = said.cases, said.outputs
    assert (case.id, case.question, case.references) == ("row-1", "Giá\r\nbao nhiêu?", ("007",))
    assert output.answer == "1.10" and [p.text for p in output.contexts] == ["a, <b>", "c's"]
    assert [(p.id, p.indices) for p in output.contexts] == [("context:1", (1,)), ("context:2", (2,))]


def test_scores_of_other_tools_are_counted_not_read(made: Any) -> None:
    path = made("r.csv", "user_input,response,faithfulness\nq,a,76.4\nr,b,\n")
    assert good(path, warned=1).judgments == []


def test_nan_is_absent_and_counted_or_a_fault_when_strict(made: Any) -> None:
    row = '{"task_id":"t","conversation_id":"c","input":[{"speaker":"user","text":"q"}],"contexts":[],"targets":[],"x":NaN}\n'
    path = made("m.jsonl", row)
    said = good(path, warned=1)
    assert said.cases[0].answerable is None and said.outputs[0].error == "not obtained: the row holds no answer"
    strict = Problems(strict=True)
    convert(path, "mtrag", strict)
    assert ["NaN is no JSON" in str(fault) for fault in strict.faults] == [True]
    assert loads(b"[NaN, -Infinity]", "f", 1, Problems()) == ([None, None], "")


def test_history_answerability_and_clusters(made: Any) -> None:
    row = {
        "task_id": "c::2", "conversation_id": "c", "contexts": [{"document_id": "d<1>", "text": "x", "title": "T"}],
        "input": [{"speaker": "user", "text": "a"}, {"speaker": "agent", "text": "b"}, {"speaker": "user", "text": "và?"}],
        "targets": [{"text": "gold"}], "answerability": ["UNANSWERABLE", "x"], "predictions": [{"text": "ans"}],
    }  # fmt: skip
    said = good(made("m.jsonl", json.dumps(row)))
    case, output = said.cases[0], said.outputs[0]
    assert [(turn.user, turn.assistant) for turn in case.history] == [("a", "b")]
    assert (case.question, case.answerable, case.cluster, case.references) == ("và?", False, "c", ("gold",))
    assert output.answer == "ans" and output.contexts[0].id == "d<1>"


def test_citations_counted_from_zero(made: Any) -> None:
    answer = [
        {"text": "One.", "citations": [0, 1]},
        {"text": "Two.", "citations": []},
        {"text": "3.", "citations": [2]},
    ]
    path = made("t.jsonl", json.dumps({"topic_id": 7, "references": ["a#1", "b"], "answer": answer}))
    (output,) = good(path).outputs
    assert (output.case, output.answer, output.cited) == ("7", "One. Two. 3.", ("a#1", "b"))
    assert [(c.marker, c.passage, c.sentence) for c in output.citations] == [
        ("0", "a#1", 0),
        ("1", "b", 0),
        ("2", None, 2),
    ]


def test_citations_by_document_id(made: Any) -> None:
    row = {"metadata": {"topic_id": "t", "run_id": "r"}, "responses": [{"text": "x", "citations": ["d", "gone"]}],
           "documents": {"d": {"id": "d", "text": "..."}}}  # fmt: skip
    (output,) = good(made("a.jsonl", json.dumps(row))).outputs
    assert [(c.marker, c.passage) for c in output.citations] == [("d", "d"), ("gone", None)]
    assert output.cited == ("d",)


def test_turns_know_their_topic(made: Any) -> None:
    topics = [{"number": 31, "turn": [{"number": 1, "raw_utterance": "q", "manual_rewritten_utterance": "Q"}]}]
    (case,) = good(made("c.json", json.dumps(topics))).cases
    assert (case.id, case.cluster, case.extra) == ("31_1", "31", {"rewrites": "Q"})
    (case,) = good(made("c.tsv", "31_1\tWhat is it?\r\n")).cases
    assert (case.id, case.question) == ("31_1", "What is it?")


def test_verdicts_become_judgments_and_percentages_do_not(made: Any) -> None:
    row = {
        "query_id": "0", "query": "q", "gt_answer": "g", "response": "r", "retrieved_context": [{"doc_id": "d", "text": "x"}],
        "gt_answer_claims": ["p"], "answer2response": ["Entailment", "Neutral"], "response2answer": ["Contradiction"],
        "retrieved2response": [["Neutral"], ["Entailment"]], "retrieved2answer": [["Neutral"]], "metrics": {"f1": 68.3},
    }  # fmt: skip
    said = good(made("r.json", json.dumps({"results": [row], "metrics": {}})), warned=1)
    assert [(j.kind, j.subject, j.label, j.value) for j in said.judgments] == [
        ("claim_correct", "claim:0", "Entailment", None),
        ("claim_correct", "claim:1", "Neutral", None),
        ("claim_covered", "claim:0", "Contradiction", None),
        ("claim_support", "claim:0", None, 0.0),
        ("claim_support", "claim:1", None, 1.0),
        ("point_in_context", "point:0", None, 0.0),
    ]


def test_a_share_on_the_scale_of_percent_is_refused(made: Any) -> None:
    row = {"question_id": "q", "hypothesis": "a", "autoeval_label": {"label": 76.4}}
    assert faults(made("l.jsonl", json.dumps(row))) == [
        "l.jsonl:1: 'q': answer_correctness: 76.4 is no share from 0 to 1; is it a percentage?"
    ]


def test_faults_of_rows_have_their_lines(made: Any) -> None:
    rows = '{"_id":"a","text":"x"}\n\n{"_id":"a","text":"y"}\n{"text":"z"}\n[1]\n{"_id":"b","text":\n'
    assert faults(made("q.jsonl", rows)) == [
        "q.jsonl:3: a second row for 'a'; the first is row 1",
        "q.jsonl:4: the row has no '_id'; it is no row of beir_queries",
        "q.jsonl:5: expected a row of fields, got list",
        "q.jsonl:6: invalid JSON: Expecting value at line 1, column 19",
    ]
    assert faults(made("r.csv", "user_input,response\nq,a,b\n")) == ["r.csv:2: expected 2 cells, found 3"]
    assert faults(made("s.csv", 'user_input,response\nq,"a\n')) == ["s.csv:2: not a table: unexpected end of data"]
    assert faults(made("t.csv", "user_input,response\n")) == ["t.csv: it holds no rows"]


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("p.json", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"),
        ("s.csv", b"metric,score\nfaithfulness,1.0\n", "metric_summary: it holds means of another tool"),
        ("promptfoo.yaml", b"prompts:\n  - x\nproviders: []\ntests: []\n", "code to run"),
        ("u.csv", b"user_input,response\n\xff,a\n", "invalid UTF-8"),
        ("d.csv", b"user_input,response,response\nq,a,b\n", "two columns are called 'response'"),
        ("x.json", b"[1, 2", "no kind of file that is known"),
        ("x.jsonl", b'{"some":"thing"}\n', "no kind of file that is known"),
        ("q.jsonl", b'{"id":"q","question":"x"}\n', "needs no conversion, it is read as it is (cases)"),
        ("none.csv", None, "No such file"),
    ],
)  # fmt: skip
def test_what_is_no_use_is_refused_with_its_reason(tmp_path: Path, name: str, text: bytes | None, why: str) -> None:
    if text is not None:
        (tmp_path / name).write_bytes(text)
    ran = ragmeter("convert", str(tmp_path / name), "--output", str(tmp_path / "out"))
    assert ran.code == 2 and why in ran.stderr, ran.stderr
    assert not (tmp_path / "out").exists()


def test_a_list_in_a_cell_is_read_and_never_run() -> None:
    assert unpacked("['a', 'b']") == ["a", "b"]
    assert unpacked('["a", 1]') == ["a", 1]
    assert unpacked("[__import__('os').system('x')]") == "[__import__('os').system('x')]"
    assert unpacked("[1] is a marker") == "[1] is a marker"
    assert unpacked("a|b", "|") == ["a", "b"] and unpacked("a|b") == "a|b"
    with pytest.raises(ValueError, match="in one cell"):
        unpacked("[" * 5000 + "]" * 5000)


def test_files_are_written_once(made: Any, tmp_path: Path) -> None:
    path = made("r.csv", "user_input,response\nq,a\n")
    command = ("convert", str(path), "--output", str(tmp_path / "out"))
    assert ragmeter(*command).code == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["r.cases.jsonl", "r.outputs.jsonl"]
    again = ragmeter(*command)
    assert again.code == 2 and "is there already" in again.stderr
    assert ragmeter(*command, "--force").code == 0
    listed = ragmeter("convert")
    assert listed.code == 0 and "ragas" in listed.stdout and "(refused)" in listed.stdout


def test_validate_says_who_knows_the_file(made: Any) -> None:
    ran = ragmeter("validate", str(made("r.csv", "user_input,response\nq,a\n")))
    assert ran.code == 2 and "`ragmeter convert` knows it as ragas" in ran.stdout


def test_an_unreadable_kind_is_said() -> None:
    with pytest.raises(InputError, match="nothing converts 'raga'; did you mean 'ragas'"):
        convert("x", "raga", Problems())
