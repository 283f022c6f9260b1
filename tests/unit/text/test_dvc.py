"""The rules of the DVC-RAG citation experiment, held against its recorded rows."""

import json
from pathlib import Path

from ragmeter.text.dvc import CitationCounts, dvc_citation_counts, dvc_sentences, dvc_spans
from ragmeter.text.markers import diagnose, markers


def test_sentences_split_at_a_colon_and_lose_short_pieces() -> None:
    text = "Bước 1:\n nộp hồ sơ. 1. Tờ khai【1】; xong! Có【2】. Lệ phí là 3.5 triệu đồng?"
    assert dvc_sentences(text) == ("nộp hồ sơ.", "Tờ khai【1】;", "Lệ phí là 3.5 triệu đồng?")
    assert [text[s:e] for s, e in dvc_spans(text)] == list(dvc_sentences(text))


def test_a_piece_of_eight_code_points_is_kept_and_of_seven_dropped() -> None:
    assert dvc_sentences("1234567. 123456.") == ("1234567.",)


def test_a_marker_in_a_dropped_piece_is_lost() -> None:
    text = "Có【2】. Tờ khai hải quan【1】."
    report = diagnose(markers(text), sources=("1", "2"), spans=dvc_spans(text))
    assert [m.text for m in report.lost] == ["【2】"]
    assert dvc_citation_counts(text, {1, 2}) == CitationCounts(1, 1, 0)


def test_uncited_claims_are_long_unmarked_and_no_greeting() -> None:
    claim = "Người nộp hồ sơ phải xuất trình bản gốc."
    assert dvc_citation_counts(claim, ()) == (0, 0, 1)
    assert dvc_citation_counts(f"Vui lòng xem {claim}", ()) == (0, 0, 0)
    assert dvc_citation_counts(claim + "【9】", {1}) == (0, 0, 0)  # dangling: no citation, yet no uncited claim
    assert dvc_citation_counts(claim + " 【9】", {9}) == (0, 0, 1)  # a marker behind the stop is a piece of its own


def test_every_recorded_row_is_derived_again_without_a_difference(shared: Path) -> None:
    folder = shared / "conformance/dvc_rag"
    outputs = [json.loads(line) for line in (folder / "exp02/gen_outputs.jsonl").read_text().splitlines()]
    scores = [json.loads(line) for line in (folder / "exp02/citation_scores.jsonl").read_text().splitlines()]
    recorded = {row["id"]: (row["n_cited_sent"], row["n_cit"], row["n_uncited_claim"]) for row in scores}
    expected = json.loads((folder / "EXPECTED.json").read_text())["exp02"]["per_question"]
    assert len(recorded) == 28 and len(outputs) == 32
    for row in outputs:
        numbers = {index for citation in row["citations"] for index in citation["indices"]}
        counts = dvc_citation_counts(row["answer"], numbers)
        if row["id"] in recorded:
            assert tuple(counts) == recorded[row["id"]], row["id"]
        known = expected[row["id"]]
        assert len(dvc_sentences(row["answer"])) == len(dvc_spans(row["answer"])) == known["n_sent"]
        found = markers(row["answer"])
        assert [n for m in found for n in m.numbers] == known["markers_in_answer"]
        report = diagnose(found, sources=map(str, sorted(numbers)))
        assert [int(key) for key in report.dangling] == known["dangling_markers"]
        assert [int(key) for key in report.unused] == known["unused_sources"]
