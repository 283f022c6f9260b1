"""A gate may name a metric as -m may; a file of judgments that is none says why, line by line."""

from pathlib import Path

import pytest

from ragmeter.cli import main

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "trec"


@pytest.mark.parametrize(
    ("measured", "gated"), [("ap", "ap"), ("map", "average_precision"), ("P@5", "precision@5"), ("precision@5", "P@5")]
)
def test_a_gate_knows_the_other_names_of_a_metric(measured: str, gated: str) -> None:
    command = ["score", str(EXAMPLES / "bm25.run"), "--qrels", str(EXAMPLES / "qrels.txt"), "-m", measured]
    assert main([*command, "--min", f"{gated}=0"]) == 0
    assert main([*command, "--min", f"{gated}=1"]) == 1


def test_a_gate_on_what_was_not_measured_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", str(EXAMPLES / "bm25.run"), "--qrels", str(EXAMPLES / "qrels.txt"), "-m", "ap"]
    assert main([*command, "--min", "ndcg@10=0"]) == 2
    assert "not measured" in capsys.readouterr().err


def test_qrels_that_nothing_recognises_are_refused_line_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q").write_text("q1 0 d1\nq2 0 d4\n")
    assert main(["score", str(EXAMPLES / "bm25.run"), "--qrels", str(tmp_path / "q")]) == 2
    said = capsys.readouterr().err
    assert "q:1: expected 4 columns" in said and "q:2: expected 4 columns" in said
