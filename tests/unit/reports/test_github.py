"""The step summary of GitHub Actions."""

from msgspec import structs

from ragmeter.registry import find
from ragmeter.reports.github import LIMIT, NOTICE, cut
from ragmeter.result import Estimate, Row, Verdict
from tests.helpers.reports import PASSED, RESULT, ROWS, tables, text


def test_the_verdict_stands_first_then_the_gates_failing_ones_first() -> None:
    said = text("github")
    lines = [line for line in said.split("\n") if line]
    assert lines[1].startswith("❌ **FAIL: 1 of 3 gates fails, 1 is inconclusive** · 6 cases · profile `standard`")
    assert "`cases.jsonl`" in lines[1]
    gates = tables(said)[0]
    assert [row[0] for row in gates[2:]] == ["❌ FAIL", "❔ INCONCLUSIVE", "✅ PASS"]
    assert gates[2][1:] == [
        "recall@5 >= 0.7",
        "0.6250",
        "0.5000 – 0.7500 (bootstrap)",
        "4",
        "Threshold failed: recall@5=0.625 is below 0.7",
    ]
    assert "about 120 cases" in gates[3][-1]


def test_the_estimates_stand_with_their_intervals_and_counts() -> None:
    estimates = tables(text("github"))[1]
    assert estimates[0] == ["Metric", "Value", "95 % interval", "Scored", "Null", "Error"]
    assert estimates[2] == ["recall@5", "0.6250", "0.5000 – 0.7500 (bootstrap)", "4", "1 no_relevant", "1"]
    assert estimates[4] == ["faithfulness", "N/A", "", "0", "5 not_judged, 1 no_answer", "0"]


def test_flags_come_with_their_meaning_the_most_frequent_first() -> None:
    flags = tables(text("github"))[2]
    assert flags[2] == ["missing_citations", "2", "nothing is cited, or not all that was retrieved"]
    assert flags[5] == ["a_plugin's", "1", ""]


def test_failed_and_worst_cases_are_named() -> None:
    said = text("github")
    assert "| q6 | timeout |" in said
    assert "| thủ tục 17 | 0.0000 | 0.5000 | not_judged | 12.0000 | missing_citations |" in said


def test_a_passing_run_says_so_and_a_run_without_gates_says_that() -> None:
    whole = structs.replace(RESULT, verdict=Verdict((PASSED,)))
    assert "✅ **PASS: 1 gate passes**" in text("github", whole)
    without = text("github", structs.replace(RESULT, verdict=None))
    assert "\n**no gates** · 6 cases" in without and "### Gates" not in without


def test_incomplete_measurement_is_said() -> None:
    assert "Measured incompletely: 1 of 6 cases failed." in text("github")
    assert "incompletely" not in text("github", structs.replace(RESULT, estimates=RESULT.estimates[2:3]))


def test_the_conventions_are_there() -> None:
    said = text("github")
    assert "- profile: standard" in said and "- ndcg: ndcg:exp@10" in said and "- seed: 7" in said


def test_ids_cannot_become_markup() -> None:
    hostile = "<script>|[x](http://y) *z*\n# h"
    said = text("github", RESULT, (*ROWS, Row(hostile, {"recall@5": -1.0}, (), None, {"topic": "thuế"})))
    assert "| &lt;script>\\|[x\\](http://y) \\*z\\*<br># h |" in said


def test_a_summary_above_the_limit_is_cut_between_lines_with_a_notice() -> None:
    many = tuple(Estimate("recall@5", "recall@5", f"topic=thuế {i}", 0.5, 9) for i in range(20_000))
    said = text("github", structs.replace(RESULT, estimates=(*RESULT.estimates, *many)))
    size = len(said.encode())
    assert LIMIT - 300 < size <= LIMIT
    assert said.endswith(NOTICE)
    assert said[: -len(NOTICE)].endswith("\n")
    assert "### Gates" in said and "- profile: standard" in said


def test_what_just_fits_is_not_cut() -> None:
    room = len(NOTICE.encode()) + 10
    whole = ["é" * 4 + "\n"] * (room // 9)
    assert "".join(cut(whole, room)) == "".join(whole)
    said = "".join(cut([*whole, "x" * 9 + "\n"], room))
    assert said.endswith(NOTICE) and len(said.encode()) <= room


def test_the_summary_streams() -> None:
    pieces = find("report", "github").render(RESULT, ROWS)
    assert next(pieces) == "## ragmeter\n\n"
