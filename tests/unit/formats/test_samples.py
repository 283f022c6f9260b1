"""samples: the branch is chosen first, faults have their place, oddities are counted, strict is the schema."""

import json
from pathlib import Path
from typing import Any

import pytest

from ragmeter.errors import Problems
from ragmeter.formats import recognise
from ragmeter.formats.samples import FORMAT
from ragmeter.records import Case, Turn
from ragmeter.testing import check_format

TEMPLATE = Path(__file__).parents[3] / "src" / "ragmeter" / "templates" / "samples.jsonl"
QUESTION = {
    "id": "manual-001", "sample_type": "retrieval_qa", "q_type": "manual_inscope", "question": "Nộp đơn ở đâu?",
    "gold_ma_thu_tuc": ["1.002090", "1.014955-Xoa"], "primary_ma_thu_tuc": "1.002090", "ten": "Cấp thẻ",
    "linh_vuc": "Thư viện", "source_section": "(viết tay)",
}  # fmt: skip
OUTSIDE = {
    "id": "oos-000",
    "sample_type": "retrieval_qa",
    "q_type": "out_of_scope",
    "question": "Trời mưa?",
    "gold_ma_thu_tuc": [],
}
B1 = {
    "id": "mem-b1-000", "sample_type": "memory_case", "layer": "B1_summary", "history": [["Thẻ?", "Nộp đơn."]],
    "follow_up": "Lệ phí thế nào?", "expected": ["thẻ"],
}  # fmt: skip
B2 = {**B1, "id": "mem-b2-000", "layer": "B2_episodic", "history": [], "past": [["Thẻ?", "Nộp đơn."]]}


def without(value: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: held for key, held in value.items() if key not in keys}


def read(folder: Path, *values: Any, strict: bool = False) -> tuple[list[Case], Problems]:
    path = folder / "samples.jsonl"
    lines = [value if isinstance(value, bytes) else json.dumps(value).encode() for value in values]
    path.write_bytes(b"\n".join(lines) + b"\n")
    problems = Problems(strict=strict)
    return list(FORMAT.read(path, problems)), problems


def said(problems: Problems) -> list[str]:
    return [f"{fault.line}: {fault.message}" for fault in problems.faults]


def test_the_template_is_a_good_file_even_when_strict() -> None:
    assert [case.id for case in check_format(FORMAT, TEMPLATE)][-1] == "mem-b2-000"
    problems = Problems(strict=True)
    assert len(list(FORMAT.read(TEMPLATE, problems))) == 5
    assert not problems.faults


def test_a_question_becomes_a_case(tmp_path: Path) -> None:
    (inside, outside), problems = read(tmp_path, QUESTION, OUTSIDE)
    assert not problems.faults and not problems.warnings
    assert inside == Case(
        "manual-001", "Nộp đơn ở đâu?", {"1.002090": 1, "1.014955-Xoa": 1}, True, primary="1.002090",
        category="manual_inscope", tags={"q_type": "manual_inscope", "linh_vuc": "Thư viện"},
        extra={"ten": "Cấp thẻ", "source_section": "(viết tay)"},
    )  # fmt: skip
    assert (outside.answerable, outside.qrels, outside.tags) == (False, {}, {"q_type": "out_of_scope"})


def test_a_memory_case_becomes_a_case(tmp_path: Path) -> None:
    (b1, b2), problems = read(tmp_path, B1, B2)
    assert not problems.faults and not problems.warnings
    turn = Turn("Thẻ?", "Nộp đơn.")
    assert b1 == Case(
        "mem-b1-000", "Lệ phí thế nào?", history=(turn,), expected=("thẻ",), category="B1_summary", tags={"layer": "B1_summary"}
    )  # fmt: skip
    assert (b2.history, b2.past, b2.answerable) == ((), (turn,), None)


def test_codes_stay_text_and_one_field_is_one_slice_whatever_its_normal_form(tmp_path: Path) -> None:
    from unicodedata import normalize

    (case,), _ = read(tmp_path, {**QUESTION, "linh_vuc": normalize("NFD", "Thư viện")})
    assert list(case.qrels or ()) == ["1.002090", "1.014955-Xoa"]
    assert (case.tags or {})["linh_vuc"] == "Thư viện"


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({**B1, "follow_up": 5}, "'mem-b1-000': /follow_up: expected a text of at least 5 characters, got 5"),
        ({**B1, "history": [["a", "b", "c"]]}, "'mem-b1-000': /history/0: expected an array [user, assistant], got 3 items"),
        (without(B2, "past"), "'mem-b2-000': /past: is missing: expected an array of turns, at least one"),
        (without(B1, "history"), "'mem-b1-000': /history: is missing: expected an array of turns, at least one"),
        ({**B1, "expected": []}, "'mem-b1-000': /expected: expected an array of texts, at least one, got 0 items"),
        ({**B1, "layer": "B3"}, "'mem-b1-000': /layer: expected 'B1_summary' or 'B2_episodic', got 'B3'"),
        ({**QUESTION, "gold_ma_thu_tuc": []}, "'manual-001': /gold_ma_thu_tuc: expected an array of procedure codes, at least one, got 0 items"),
        ({**OUTSIDE, "gold_ma_thu_tuc": ["1.1"]}, "'oos-000': /gold_ma_thu_tuc: expected an empty array (the question is out of scope), got 1 items"),
        ({**OUTSIDE, "ten": "x"}, "'oos-000': /ten: expected null (the question is out of scope), got 'x'"),
        ({**QUESTION, "gold_ma_thu_tuc": ["1.5", "1.5"], "primary_ma_thu_tuc": "1.5"}, "'manual-001': /gold_ma_thu_tuc/1: expected each code once, got '1.5' again"),
        ({**QUESTION, "gold_ma_thu_tuc": ["2.000720.000.00.00.H61"]}, "'manual-001': /gold_ma_thu_tuc/0: expected a procedure code such as '1.002090' or '1.014955-Xoa', got '2.000720.000.00.00.H61'"),
        ({**QUESTION, "q_type": "riddle"}, "'manual-001': /q_type: expected one of factual_lookup, paraphrase, scenario, aspect_hoso, aspect_phi_dk, keyword_short, manual_inscope, out_of_scope, got 'riddle'"),
        ({**QUESTION, "sample_type": "retrieval_q"}, "'manual-001': /sample_type: expected 'retrieval_qa' or 'memory_case'; did you mean 'retrieval_qa'?"),
        ({**QUESTION, "question": "hm?"}, "'manual-001': /question: expected a text of at least 5 characters, got 'hm?'"),
        (without(QUESTION, "ten"), "'manual-001': /ten: is missing: expected a string or null"),
        ({**QUESTION, "procedure_id": "019d"}, "'manual-001': /procedure_id: expected a UUID, got '019d'"),
        ([1], "expected a JSON object"),
    ],
)  # fmt: skip
def test_one_fault_is_said_once_with_its_place(tmp_path: Path, value: Any, fault: str) -> None:
    cases, problems = read(tmp_path, OUTSIDE | {"id": "oos-999"}, value)
    assert said(problems) == [f"2: {fault}"]
    assert len(cases) == 1, "reading goes on, and the line is no case"


@pytest.mark.parametrize("id", ["manual-0001", "manual-00١", "manual-001\n", "Manual-001", "manual-01"])
def test_patterns_are_ascii_and_hold_for_the_whole_text(tmp_path: Path, id: str) -> None:
    cases, problems = read(tmp_path, {**QUESTION, "id": id})
    assert len(problems.faults) == 1 and "/id: expected an id such as" in said(problems)[0]
    assert not cases


@pytest.mark.parametrize("code", ["1.2-Xóa", "١.2", "1.2\n", "1", "1.2.3", "1.2-"])
def test_a_code_is_ascii_too(tmp_path: Path, code: str) -> None:
    _, problems = read(tmp_path, {**QUESTION, "gold_ma_thu_tuc": [code]})
    assert "/gold_ma_thu_tuc/0: expected a procedure code" in said(problems)[0]


def test_a_missing_sample_type_is_inferred_and_counted_once(tmp_path: Path) -> None:
    rows = [without(QUESTION, "sample_type"), without(OUTSIDE, "sample_type"), without(B1, "sample_type")]
    cases, problems = read(tmp_path, *rows)
    assert [case.id for case in cases] == ["manual-001", "oos-000", "mem-b1-000"]
    assert len(problems.warning_lines()) == 1
    assert (
        "sample_type is missing; the fields are those of retrieval_qa (and 2 more like it)"
        in problems.warning_lines()[0]
    )
    _, strict = read(tmp_path, *rows, strict=True)
    assert [fault.line for fault in strict.faults] == [1, 2, 3]


@pytest.mark.parametrize(
    "value",
    [
        without(QUESTION, "sample_type", "question"),
        {**without(QUESTION, "sample_type"), "follow_up": "Lệ phí?", "expected": ["x"]},
        {**without(QUESTION, "sample_type"), "expected": ["x"]},
        {"id": "manual-001"},
    ],
)
def test_it_is_never_inferred_when_both_or_neither_fit(tmp_path: Path, value: Any) -> None:
    cases, problems = read(tmp_path, value)
    assert not cases
    assert "'manual-001': /sample_type: is missing, and the fields do not decide" in said(problems)[0]
    assert len(problems.faults) == 1


def test_unknown_fields_are_named_kept_and_refused_when_strict(tmp_path: Path) -> None:
    row = {**QUESTION, "lin_vuc": "x", "a/b": 1}
    (case,), problems = read(tmp_path, row)
    lines = problems.warning_lines()
    assert "/lin_vuc: unknown field; did you mean 'linh_vuc'?" in lines[0] and "/a~1b: unknown field" in lines[1]
    assert case.extra is not None and case.extra["lin_vuc"] == "x" and case.extra["a/b"] == 1
    _, strict = read(tmp_path, row, strict=True)
    assert len(strict.faults) == 2


@pytest.mark.parametrize(
    ("value", "oddity"),
    [
        ({**QUESTION, "primary_ma_thu_tuc": "1.5"}, "/primary_ma_thu_tuc: 1.5 is not among gold_ma_thu_tuc"),
        ({**QUESTION, "primary_ma_thu_tuc": None}, "/primary_ma_thu_tuc: is null, though the question is in scope"),
        ({**QUESTION, "id": "oos-001"}, "/id: begins with oos, but q_type is manual_inscope"),
        ({**B1, "id": "mem-b2-000"}, "/layer: is B1_summary, but the id begins with mem-b2"),
        ({**B1, "expected": ["thẻ", " "]}, "/expected: a blank keyword is found in every text"),
        ({**B2, "history": [["a", "b"]]}, "/history: a B2_episodic case is about an earlier conversation"),
        ({**B1, "past": [["a", "b"]]}, "/past: a B1_summary case is about its own conversation"),
    ],
)
def test_what_the_schema_lets_pass_is_a_warning(tmp_path: Path, value: Any, oddity: str) -> None:
    cases, problems = read(tmp_path, value)
    assert len(cases) == 1 and not problems.faults
    assert len(problems.warning_lines()) == 1 and oddity in problems.warning_lines()[0]
    _, strict = read(tmp_path, value, strict=True)
    assert len(strict.faults) == 1 and oddity in strict.faults[0].message


def test_bytes_are_split_on_lf_alone(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    odd = json.dumps({**QUESTION, "question": "Một\u2028hai\x85ba?"}, ensure_ascii=False).encode()
    path.write_bytes(b"\xef\xbb\xbf" + odd + b"\r\n\r\n" + json.dumps(OUTSIDE).encode())
    problems = Problems()
    first, second = FORMAT.read(path, problems)
    assert (first.question, second.id, problems.faults) == ("Một\u2028hai\x85ba?", "oos-000", [])


def test_bad_lines_repeated_keys_and_repeated_ids_are_faults(tmp_path: Path) -> None:
    twice = json.dumps(OUTSIDE).encode()[:-1] + b', "id": "oos-001"}'
    _, problems = read(tmp_path, OUTSIDE, b'{"id": NaN}', twice, OUTSIDE)
    assert said(problems) == [
        "2: invalid JSON: NaN is not a JSON value",
        "3: invalid JSON: key 'id' is repeated",
        "4: has duplicate sample id: oos-000",
    ]


def test_an_empty_file_is_a_fault(tmp_path: Path) -> None:
    _, problems = read(tmp_path, b"")
    assert said(problems) == ["0: the file holds no samples"]


@pytest.mark.parametrize("value", [QUESTION, OUTSIDE, B1, B2, without(QUESTION, "sample_type")])
def test_samples_are_recognised(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(json.dumps(value))
    assert recognise(path)[0] == "samples"


def test_generated_outputs_are_no_samples() -> None:
    head = json.dumps({**without(QUESTION, "sample_type"), "answer": "", "contexts": [], "citations": []}).encode()
    assert not FORMAT.recognise(head)
