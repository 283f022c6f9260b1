"""JSON and Markdown for profiles other than s2 (whose texts are held against the harness's own)."""

import json

import pytest
from msgspec import structs

from ragmeter.registry import find, names
from ragmeter.store import Rows, Spool
from tests.helpers.reports import RESULT, ROWS, tables, text


def test_rows_from_memory_and_from_a_spool_give_the_same_json() -> None:
    spool = Spool()
    whole = json.loads(text("json"))["cases"]
    spool.write(b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in whole))
    spooled = "".join(find("report", "json").render(RESULT, Rows(spool)))
    assert json.loads(spooled) == json.loads(text("json"))
    assert whole[0] == {
        "id": "q1",
        "metrics": {"recall@5": 0.5, "ndcg": 1.0, "faithfulness": None, "seconds": 12.0},
        "diagnostics": [],
        "nulls": {"faithfulness": "not_judged"},
        "tags": {"topic": "thuế"},
    }


def test_json_says_verdict_estimates_and_provenance() -> None:
    said = json.loads(text("json"))
    assert said["summary"]["recall@5"] == 0.625 and said["summary"]["recall@5_evaluated_cases"] == 4
    assert said["summary"]["faithfulness"] is None
    assert said["verdict"]["passed"] is False and len(said["estimates"]) == len(RESULT.estimates)
    assert said["ragmeter"] == RESULT.provenance


def test_markdown_has_a_row_a_case_with_the_reason_where_there_is_no_number() -> None:
    cases = tables(text("markdown"))[-1]
    assert cases[0] == ["ID", "recall@5", "ndcg", "faithfulness", "seconds", "Diagnostics"]
    assert cases[4] == ["q3", "no_relevant", "1.0000", "not_judged", "12.0000", "no_relevant_documents"]
    assert cases[5][0] == r"a\|b<br>c"
    assert len(cases) == 2 + len(ROWS)


def test_markdown_shows_gates_failing_first_and_what_was_not_measured() -> None:
    said = text("markdown")
    assert [row[0] for row in tables(said)[0][2:]] == ["FAIL", "INCONCLUSIVE", "PASS"]
    assert "Measured incompletely: 1 of 6 cases failed." in said


def test_slices_have_tables_of_their_own() -> None:
    said = text("markdown")
    assert "## topic=thuế\n" in said and "## topic=文書管理\n" in said


@pytest.mark.parametrize("name", names("report"))
def test_every_report_says_profile_and_conventions(name: str) -> None:
    said = text(name)
    for word in ("standard", "grade", "ndcg:exp@10", "1.2.3"):
        assert word in said, word


@pytest.mark.parametrize("name", names("report"))
def test_every_report_copes_with_nothing(name: str) -> None:
    empty = structs.replace(RESULT, estimates=(), diagnostics={}, verdict=None, case_count=0, provenance={})
    assert text(name, empty, ()).endswith("\n")
