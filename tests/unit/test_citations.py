"""An answer read: sentences, markers, sources, and what is odd about them."""

import json

import pytest

from ragmeter.citations import citations, read_answer, s2_line, source_map
from ragmeter.records import Case, Citation, Judgment, Output, Passage
from ragmeter.text_flags import answer_flags, judged_flags, trimmed

THREE = (Passage("x"), Passage("y"), Passage("z"))


def read(answer: str, contexts: tuple[Passage, ...] | None = THREE, **options: object):  # type: ignore[no-untyped-def]
    return read_answer(Output("a", answer=answer, contexts=contexts), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "cited"),
    [
        ("It is so [1].", ("x",)),
        ("It is so [2][1]. And so [2].", ("y", "x")),
        ("It is so [1, 3].", ("x", "z")),
        ("It is so [1-3].", ("x", "y", "z")),
        ("Nộp tại TP. HCM【1】.", ("x",)),
        ("It is so [^2].", ("y",)),
        ("It is so (y).", ("y",)),
        ("It is so [9].", ()),
        ("It is so.", ()),
        ("", ()),
    ],
)
def test_cited_ids_by_style(answer: str, cited: tuple[str, ...]) -> None:
    assert read(answer).cited == cited


def test_sources_may_count_from_zero() -> None:
    assert read("First [0]. Second [2].").cited == ("x", "z")
    assert read("First [1]. Second [2].").cited == ("x", "y")
    assert read("First [1].", base=0).cited == ("y",)


def test_numbers_that_passages_carry_win_and_the_later_of_two_has_a_number() -> None:
    output = Output(
        "a", contexts=(Passage("x", indices=(1, 2)), Passage("y", indices=(2, 3)), Passage("z", indices=()))
    )
    assert source_map(output) == {"1": "x", "2": "y", "3": "y"}
    assert source_map(Output("a", ("p", "q"))) == {"1": "p", "2": "q"}
    assert source_map(Output("a")) == {}


def test_a_sentence_with_an_abbreviation_stays_whole_and_keeps_its_marker() -> None:
    plain = read("Nộp hồ sơ tại TP. HCM【1】. Lệ phí là 50.000 đồng【2】.")
    assert [plain.sentence(i) for i in range(2)] == ["Nộp hồ sơ tại TP. HCM【1】.", "Lệ phí là 50.000 đồng【2】."]
    assert plain.cites == (("1",), ("2",))
    dvc = read("Nộp hồ sơ tại TP. HCM【1】. Lệ phí là 50.000 đồng【2】.", rules="dvc")
    assert [dvc.sentence(i) for i in range(2)] == ["Nộp hồ sơ tại TP.", "Lệ phí là 50.000 đồng【2】."]
    assert [marker.text for marker in dvc.report.lost] == ["【1】"], "'HCM【1】.' is shorter than 8"


def test_citation_records_say_passage_and_sentence() -> None:
    assert list(citations(read("So it is said [1]. And so [7]."))) == [
        Citation("[1]", "x", 0),
        Citation("[7]", None, 1),
    ]


def test_the_report_names_dangling_unused_and_duplicate_markers() -> None:
    report = read("So it is [1][1]. And so [7].").report
    assert (report.dangling, report.out_of_range, report.unused) == (("7",), ("7",), ("2", "3"))
    assert report.duplicate == ((0, "1"),)
    assert read("So it is [7].", None).report.dangling == (), "no passages were recorded"
    assert read("So it is [7].", ()).report.dangling == ("7",), "none were given"


def test_a_line_of_the_offline_harness() -> None:
    case = Case("a", qrels={"x": 1, "y": 0})
    output = Output("a", ("x", "y"), answer="So it is [2].")
    line = {
        "id": "a",
        "relevant_document_ids": ["x"],
        "retrieved_document_ids": ["x", "y"],
        "cited_document_ids": ["y"],
    }
    assert s2_line(case, output) == line
    assert s2_line(case, Output("a", ("x",), cited=("z",)))["cited_document_ids"] == ["z"]
    from ragmeter.formats.s2 import FORMAT

    assert FORMAT.recognise(json.dumps(line).encode())


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="one of plain, dvc"):
        read("x", rules="other")


def flags(answer: str, *made: Judgment, contexts: tuple[Passage, ...] = (), **fields: object) -> tuple[str, ...]:
    output = Output("a", answer=answer, contexts=contexts, **fields)  # type: ignore[arg-type]
    judged: dict[str, dict[str, Judgment]] = {}
    for one in made:
        judged.setdefault(one.kind, {})[one.subject] = one
    return answer_flags(output) + judged_flags(output, judged)


NUMBERED = (Passage("x", indices=(1,)), Passage("y", indices=(2,)))


@pytest.mark.parametrize(
    ("answer", "contexts", "flag"),
    [
        ("", (), "empty_answer"),
        ("It is so [3].", THREE[:1], "dangling_markers"),
        ("It is so [3].", THREE[:1], "markers_out_of_range"),
        ("It is so [1].", NUMBERED, "unused_sources"),
        ("It is so [1][1].", THREE, "duplicate_markers"),
        ("It is so.\n\nCITATION LIST\n\nCITATION【1】\nSTART_PHRASE: so", NUMBERED, "leaked_prompt"),
        ("<|im_start|>assistant It is so.", (), "leaked_prompt"),
        ("Tho\u031b\u0300i ha\u0323n", (), "answer_not_nfc"),
        ("It is so.", (Passage("x", text="ha\u0323n"),), "contexts_not_nfc"),
    ],
)
def test_flags_of_texts(answer: str, contexts: tuple[Passage, ...], flag: str) -> None:
    assert flag in flags(answer, contexts=contexts)
    assert flags("It is so [1] and so [2].", contexts=NUMBERED) == ()


def test_contexts_without_numbers_need_not_be_cited() -> None:
    assert "unused_sources" not in flags("It is so [1].", contexts=THREE)


def abstain(label: str = "abstain") -> Judgment:
    return Judgment("a", "abstention", label=label)


@pytest.mark.parametrize(
    ("answer", "doubted"),
    [
        ("It will rain [1].", True),
        ("It ended 3-2.", True),
        ("Well, " * 100, True),
        ("I do not know.", False),
        ("", False),
    ],
)
def test_an_abstain_label_on_an_answer_that_tells_something_is_doubted(answer: str, doubted: bool) -> None:
    assert ("abstention_doubtful" in flags(answer, abstain())) == doubted
    assert "abstention_doubtful" not in flags(answer, abstain("substantive"))


def test_flags_of_judgments() -> None:
    assert "empty_answer_judged" in flags("", Judgment("a", "faithfulness", num=3, den=10))
    assert "empty_answer_judged" not in flags("", Judgment("a", "faithfulness", error="judge_error: x"))
    assert "more_verdicts_than_items" in flags("So.", Judgment("a", "faithfulness", num=11, den=10))
    seen = Judgment("a", "faithfulness", num=1, den=1, trims={"context": 5})
    assert "judged_on_trimmed_text" in flags("So.", seen, contexts=(Passage("x", text="longer"),))
    assert "judged_on_trimmed_text" not in flags("So.", seen, contexts=(Passage("x", text="short"),))


def test_trimmed_texts_are_counted_by_what_they_are() -> None:
    output = Output(
        "a",
        answer="1234",
        contexts=(Passage("x", text="12345"),),
        extra={"sources": [{"snippet": "123"}, {"snippet": None}]},
    )
    assert trimmed(output, {"context": 4, "source": 2, "answer": 4, "gold": 1}) == 2
