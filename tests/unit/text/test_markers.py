"""Citation markers of all styles, what is wrong with them, and texts without them."""

import json
from pathlib import Path

import pytest

from ragmeter.text.markers import (
    Marker,
    diagnose,
    guess_base,
    main_style,
    markers,
    numbered,
    sentence_of,
    strip_markers,
)
from ragmeter.text.sentences import sentences


def ids(text: str, **options: object) -> list[tuple[str, ...]]:
    return [marker.ids for marker in markers(text, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "style", "expected"),
    [
        ("Nộp trực tuyến【3】.", "lenticular", [("3",)]),
        ("费用为20元【1】【2】。", "lenticular", [("1",), ("2",)]),
        ("手数料【1, 2】です。", "lenticular", [("1", "2")]),
        ("여권이 필요합니다[1][2].", "square", [("1",), ("2",)]),
        ("الرسوم [٣].", "square", [("3",)]),
        ("Die Frist [1, 2] läuft.", "square", [("1", "2")]),
        ("A [1-3] b [2–4].", "square", [("1", "2", "3"), ("2", "3", "4")]),
        ("A [1; 07].", "square", [("1", "7")]),
        ("A [[3]] b.", "square", [("3",)]),
        ("A [3](https://example.org/a).", "square", [("3",)]),
        ("A [0] b.", "square", [("0",)]),
        ("text [^1] and [^note].", "footnote", [("1",), ("note",)]),
        ("Người [E1] và [E2, E3].", "label", [("E1",), ("E2", "E3")]),
        ("As said [Doc 3, 4] and [Source 5].", "label", [("3", "4"), ("5",)]),
        ("khai sinh【4:0†source】", "file", [("4:0",)]),
    ],
)
def test_each_style_is_read(text: str, style: str, expected: list[tuple[str, ...]]) -> None:
    found = markers(text)
    assert [m.ids for m in found] == expected
    assert {m.style for m in found} == {style} == {main_style(found)}
    assert all(text[m.start : m.end] == m.text for m in found)


@pytest.mark.parametrize(
    "text",
    [
        "See [the guide](https://example.org/a).",
        "From [1900-2024] on, [3-1], [ ], [x], [1 2], [1,].",
        "[1]: https://example.org/first",
        "[1] https://example.org/first",
        "text\n[^1]: the note",
        "an array a[i], a set {1}, (2), 《3》, 【abc】",
        "[1",
        "【1]",
    ],
)
def test_what_is_no_marker(text: str) -> None:
    assert markers(text) == ()
    assert strip_markers(text) == text


def test_a_graphrag_bracket_gives_one_record_per_group() -> None:
    text = "So [Data: Sources (15, 16), Reports (1), Entities (5, 7); Relationships (23, +more)]."
    found = markers(text)
    assert [(m.dataset, m.ids, m.more) for m in found] == [
        ("Sources", ("15", "16"), False),
        ("Reports", ("1",), False),
        ("Entities", ("5", "7"), False),
        ("Relationships", ("23",), True),
    ]
    assert {(m.start, m.end) for m in found} == {(3, len(text) - 1)}
    assert found[0].keys == ("sources:15", "sources:16") and found[0].numbers == (15, 16)
    assert strip_markers(text) == "So."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a [Data: Sources (1, 2, +more] b", [("Sources", ("1", "2"), True)]),
        ("a [Data: Sources (1, 2, Reports (3)] b", [("Sources", ("1", "2"), False), ("Reports", ("3",), False)]),
        ("a [Data: Reports (1), (2, +more)", [("Reports", ("1",), False), ("Reports", ("2",), True)]),
        ("a [data:Source(7)] b", [("Source", ("7",), False)]),
        ("a [Data: Reports 1, 2] b", [("Reports", ("1", "2"), False)]),
        ("a [Data: General Knowledge (https://x.org)]", [("General Knowledge", ("https://x.org",), False)]),
        ("a [LLM: verify] b", [("LLM", (), False)]),
    ],
)
def test_malformed_graphrag_brackets_are_forgiven(text: str, expected: list[tuple[str, tuple[str, ...], bool]]) -> None:
    assert [(m.dataset, m.ids, m.more) for m in markers(text)] == expected
    assert strip_markers(text).replace(" ", "") in ("a", "ab")


def test_singular_and_plural_datasets_are_one() -> None:
    (marker,) = markers("[Data: Source (7)]")
    assert marker.keys == ("sources:7",)


def test_known_ids_are_found_in_any_bracket_and_unknown_ones_are_not() -> None:
    text = "A (kb-a7; d2) b [d2] c 【kb-a7】 d (other) e (kb-a7, other)."
    assert ids(text, ids=["kb-a7", "d2"]) == [("kb-a7", "d2"), ("d2",), ("kb-a7",)]
    assert ids(text) == []
    assert strip_markers(text, ids=["kb-a7", "d2"]) == "A b c d (other) e (kb-a7, other)."


def test_styles_can_be_chosen() -> None:
    text = "A [1] b【2】."
    assert ids(text, styles=["lenticular"]) == [("2",)]
    with pytest.raises(ValueError, match="unknown marker style 'round'"):
        markers(text, styles=["round"])


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("A [1][2] b [3].", "A b."),
        ("foo [1], [2] and [3]. Bar", "foo. Bar"),
        ("x [4]baz", "x baz"),
        ("费用【1】为20元【2】。", "费用为20元。"),
        ("một[1]hai", "một hai"),
        ("no markers here", "no markers here"),
        ("[1]", ""),
    ],
)
def test_strip_markers_leaves_clean_text(text: str, bare: str) -> None:
    assert strip_markers(text) == bare


def test_dangling_out_of_range_and_unused() -> None:
    report = diagnose(markers("A [2]. B [7]. C [7]."), sources=("1", "3", "5"))
    assert report.dangling == ("2", "7", "7")
    assert report.out_of_range == ("7", "7")
    assert report.unused == ("1", "3", "5")


def test_zero_based_sources() -> None:
    found = markers("A [0]. B [2].")
    assert guess_base(found, 3) == 0
    assert guess_base(markers("A [1]."), 3) == 1
    assert guess_base(markers("A [0] [3]."), 3) == 1
    assert diagnose(found, sources=numbered(3, base=0)).dangling == ()
    assert diagnose(found, sources=numbered(3)).out_of_range == ("0",)


def test_a_year_in_brackets_dangles_unless_there_is_such_a_source() -> None:
    found = markers("In [2019] the law changed.")
    assert diagnose(found, sources=numbered(5)).out_of_range == ("2019",)
    assert diagnose(found, sources=("2019",)).dangling == ()


def test_the_same_number_twice_in_a_sentence_is_duplicate() -> None:
    text = "A is so [1][2][1]. B is [1]."
    spans = [(s.start, s.end) for s in sentences(text)]
    report = diagnose(markers(text), sources=numbered(2), spans=spans)
    assert report.duplicate == ((0, "1"),)
    assert report.lost == ()
    assert sentence_of(markers(text), spans) == [0, 0, 0, 1]


def test_open_ended_markers_are_counted() -> None:
    assert diagnose(markers("[Data: Sources (1, +more)] [Data: Reports (2)]")).open_ended == 1


def test_without_sources_or_spans_nothing_is_said() -> None:
    report = diagnose(markers("A [9][9]."))
    assert report == ((), (), (), (), (), 0)


def test_a_marker_is_frozen() -> None:
    (marker,) = markers("[1]")
    assert isinstance(marker, Marker)
    with pytest.raises(AttributeError):
        marker.style = "other"  # type: ignore[misc]


def test_hand_made_rows_give_their_groups(shared: Path) -> None:
    rows = (shared / "samples/markers/citation_markers.jsonl").read_text().splitlines()
    assert len(rows) == 11
    for row in map(json.loads, rows):
        groups = [tuple(str(each) for each in group) for group in row["groups"]]
        assert ids(row["text"]) == groups, row["style"]


def test_real_graphrag_answers_have_241_brackets_of_which_188_are_open(shared: Path) -> None:
    answers = json.loads((shared / "samples/benchmark_qed/global_answers.part.json").read_text())
    found = [m for answer in answers for m in markers(answer["answer"])]
    assert len(answers) == 25
    assert len(found) == 241 and {m.style for m in found} == {"graphrag"}
    assert sum(m.more for m in found) == 188
    assert all("[Data" not in strip_markers(answer["answer"]) for answer in answers)


def test_real_labelled_answers_have_their_markers(shared: Path) -> None:
    text = (shared / "samples/vnlaw/generation_case_results.odd.jsonl").read_text()
    found = [m for line in text.splitlines() for m in markers(line, styles=["label"])]
    assert len(found) == sum(text.count(f"[E{n}]") for n in range(1, 30)) > 150
