"""The HTML report as text: what it shows, what its blocks hold, and that nothing of an input is markup."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from ragmeter.cli.details import Detailed, detailed, of_run
from ragmeter.errors import Problems
from ragmeter.registry import find
from ragmeter.reports import _html_rows as blocks
from ragmeter.reports._html_parts import named, standing
from ragmeter.reports._html_plots import Bar, Scale, bins, whisker
from ragmeter.reports.html import command, failing
from ragmeter.result import Estimate, Outcome, Result, Row, Verdict
from ragmeter.score import score
from ragmeter.store import Run
from ragmeter.suite import Suite
from ragmeter.testing import check_report
from tests.helpers.reports import ESTIMATES, RESULT, ROWS, text

EVIL = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> &lt; \u202e \u2028 \"'"


class Page(HTMLParser):
    """Tags with attributes, the text of scripts and styles, and the text that people read."""

    def __init__(self, markup: str):
        super().__init__()
        self.tags: list[tuple[str, dict[str, Any]]] = []
        self.raw: list[tuple[str, dict[str, Any], str]] = []
        self.said: list[str] = []
        self._open: tuple[str, dict[str, Any]] | None = None
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._open = (tag, dict(attrs))
            self.raw.append((tag, dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self._open = None

    def handle_data(self, data: str) -> None:
        if self._open is None:
            self.said.append(data)
            return
        tag, attrs, before = self.raw.pop()
        self.raw.append((tag, attrs, before + data))

    def blocks(self, kind: str) -> list[Any]:
        return [json.loads(inner) for tag, attrs, inner in self.raw if tag == "script" and attrs.get("class") == kind]

    @property
    def meta(self) -> Any:
        return self.blocks("meta")[0]

    def rows(self) -> list[Row]:
        """The rows that the blocks hold, as the page's script reads them."""
        metrics, tags = [m[0] for m in self.meta["metrics"]], self.meta["tags"]
        found = []
        for block in self.blocks("rows"):
            for i, id in enumerate(block["id"]):
                known = {m: block["v"][column[i]] for m, column in zip(metrics, block["m"], strict=True)}
                found.append(
                    Row(
                        id,
                        {m: None if isinstance(v, str) else v for m, v in known.items()},
                        tuple(block["f"][block["d"][i]]),
                        {m: v for m, v in known.items() if isinstance(v, str)},
                        {t: block["s"][column[i]] for t, column in zip(tags, block["t"], strict=True)},
                    )
                )
        return found


class Told(list):
    """Rows with details."""

    def details(self, id: str, brief: bool) -> dict[str, Any]:
        told = {"case": {"id": id, "question": f"What is {id}?"}, "output": {"answer": "x" * 300}}
        return {"case": {"question": told["case"]["question"]}} if brief else told


def test_the_report_is_a_report() -> None:
    check_report(find("report", "html"))


def test_the_policy_names_the_hashes_of_the_only_style_and_script() -> None:
    page = Page(text("html"))
    policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    own = [(tag, inner) for tag, attrs, inner in page.raw if attrs.get("type") != "application/json"]
    assert [tag for tag, _ in own] == ["style", "script"]
    for tag, inner in own:
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy and "unsafe" not in policy


def test_the_page_asks_for_nothing_and_runs_nothing_from_attributes() -> None:
    page = Page(text("html"))
    for tag, attrs in page.tags:
        assert not {"src", "srcset", "style", "action"} & attrs.keys(), (tag, attrs)
        assert not [name for name in attrs if name.startswith("on")], (tag, attrs)
        assert attrs.get("href", "#").startswith("#")
    assert not re.search(r"https?://|@import|url\(|\beval\(|innerHTML|insertAdjacentHTML|document\.write", text("html"))


def test_blocks_hold_the_rows_as_they_are() -> None:
    assert Page(text("html")).rows() == [
        structs.replace(row, nulls={m: (row.nulls or {}).get(m, "") for m, v in row.metrics.items() if v is None})
        for row in ROWS
    ]


def test_many_rows_keep_their_order_over_blocks() -> None:
    rows = tuple(Row(f"c{i}", {"recall@5": i % 7 / 7, "ndcg": None}, (), {"ndcg": "timeout"}) for i in range(4500))
    page = Page(text("html", rows=rows))
    assert [len(block["id"]) for block in page.blocks("rows")] == [2000, 2000, 500]
    assert [row.id for row in page.rows()] == [row.id for row in rows]
    assert [row.metrics["recall@5"] for row in page.rows()] == [row.metrics["recall@5"] for row in rows]


def test_nothing_of_an_input_is_markup() -> None:
    row = Row(EVIL, {"recall@5": None}, (EVIL,), {"recall@5": EVIL}, {EVIL: EVIL})
    estimates = (
        *ESTIMATES,
        Estimate(EVIL, EVIL, f"{EVIL}={EVIL}", 0.5, 3, {EVIL: 1}),
        Estimate(EVIL, EVIL, "", 0.5, 3, {EVIL: 1}),
    )
    verdict = Verdict((Outcome(EVIL, "FAIL", 0.5, 0.6, EVIL, EVIL),))
    inputs = {**RESULT.provenance, "inputs": [{"name": EVIL, "format": EVIL, "sha256": EVIL}], "profile": EVIL}
    hostile = structs.replace(
        RESULT, estimates=estimates, verdict=verdict, provenance=inputs, title=EVIL, diagnostics={EVIL: 1}
    )
    said, tame = text("html", hostile, (row,)), Page(text("html"))
    page = Page(said)
    assert "<!-- " not in said and "\u202e" not in re.sub(r"<script.*?</script>", "", said, flags=re.S)
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in tame.tags} | {"small", "br"}
    assert len(page.raw) == len(tame.raw)
    assert page.rows()[0].id == EVIL and page.meta["tags"] == [EVIL]
    assert EVIL.replace("\u202e", "\\u202e").replace("\u2028", "\\u2028") in page.said


def test_gates_stand_with_interval_and_threshold() -> None:
    said = text("html")
    for word in ("1 of 3 gates fails", "recall@5 &gt;= 0.7", "0.5000 – 0.7500 (bootstrap)", "about 120 cases would be"):
        assert word in said, word
    assert re.search(r'<line class="threshold FAIL" x1="(\d+\.\d)"', said)


def test_a_threshold_stands_where_its_number_is() -> None:
    drawn = whisker(Estimate("m", "m", "", 0.5, 40, low=0.25, high=0.75, interval="t"), [(0.75, "FAIL")], width=216)
    assert 'cx="108.0"' in drawn and 'd="M58.0 9V19M58.0 14H158.0M158.0 9V19"' in drawn
    assert 'class="threshold FAIL" x1="158.0"' in drawn
    assert "0.5000" in drawn and "threshold 0.7500 (FAIL)" in drawn


@pytest.mark.parametrize(
    ("low", "value", "high", "better", "expected"),
    [
        (0.5, 0.6, 0.7, True, "grey"),  # holds the whole, 0.5
        (0.51, 0.55, 0.7, True, "up1"),
        (0.51, 0.65, 0.7, True, "up2"),
        (0.51, 0.8, 0.9, True, "up3"),
        (0.1, 0.2, 0.3, True, "down3"),
        (0.1, 0.2, 0.3, False, "up3"),
        (None, 0.0, None, True, "grey"),
    ],
)
def test_a_slice_is_coloured_where_its_interval_leaves_out_the_whole(
    low: float | None, value: float, high: float | None, better: bool, expected: str
) -> None:
    whole = Estimate("m", "m", "", 0.5, 100)
    one = Estimate("m", "m", "a=b", value, 50, low=low, high=high, higher_is_better=better)
    assert standing(one, whole)[0] == expected


def test_bins_hold_every_value_once() -> None:
    assert bins({0.0: 2, 1.0: 3}) == [Bar("0", 2), Bar("1", 3)]
    spread = bins({i / 100: 1 for i in range(101)})
    assert [bar.cases for bar in spread] == [10] * 9 + [11]
    assert sum(bar.cases for bar in bins({1.7e308 * ((i - 10) / 10): 1 for i in range(21)})) == 21


def test_a_scale_holds_what_leaves_zero_to_one() -> None:
    assert (Scale([0.2, None], 0, 10).low, Scale([0.2], 0, 10).high) == (0, 1)
    seconds = Scale([10.0, 12.0], 0, 100)
    assert 0 < seconds(10.0) < seconds(12.0) < 100


def test_cutoffs_are_drawn_in_order_and_ranks_come_from_reciprocal_ranks() -> None:
    shown = [Estimate(f"recall@{k}", f"recall@{k}", "", v, 9) for k, v in ((10, 0.9), (1, 0.3), (5, 0.6))]
    shown.append(Estimate("rr", "reciprocal_rank:full", "", 0.5, 4))
    rows = [Row(str(i), {"rr": value}) for i, value in enumerate((1.0, 0.5, 0.5, 1 / 3, 0.0, 1 / 12))]
    said = text("html", structs.replace(RESULT, estimates=tuple(shown), verdict=None), tuple(rows))
    assert "recall over cutoffs. at 1: 0.3000; at 5: 0.6000; at 10: 0.9000" in said
    assert "1: 1; 2: 2; 3: 1; &gt;10: 1; none: 1" in said


def test_quick_filters_say_what_they_mean() -> None:
    seen = blocks.survey(RESULT, ROWS)
    assert failing(RESULT, seen) == 'recall@5 < 0.7 or (recall@5 < 0.2 and topic = "thuế")'
    assert failing(structs.replace(RESULT, verdict=None), seen) == "recall@5 < 1.0"
    assert named("recall@5") == "recall@5" and named("and") == '"and"' and named('a "b"') == '"a \\"b\\""'


def test_the_command_measures_the_same() -> None:
    said = command(RESULT)
    assert said.startswith("ragmeter score cases.jsonl --profile standard -m recall@5 -m ndcg")
    assert "--by topic --seed 7" in said and "--min 'recall@5[topic=thuế]=0.2'" in said


def test_too_many_cases_leave_the_worst_and_the_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "CASES", 5)
    rows = [Row(f"c{i}", {"recall@5": i / 10}) for i in range(10, -1, -1)]
    rows.insert(3, Row("down", {"recall@5": None}, ("target_failed",), {"recall@5": "timeout"}))
    page = Page(text("html", rows=tuple(rows)))
    assert [row.id for row in page.rows()] == ["down", "c3", "c2", "c1", "c0"]
    assert page.meta["held"] == 5 and "holds 5 of 12 cases" in page.meta["notices"][0]


def test_equal_values_fill_the_room_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "CASES", 4)
    rows = [Row(f"c{i}", {"recall@5": float(i % 2)}) for i in range(6)] + [Row("last", {"recall@5": -1.0})]
    assert [row.id for row in Page(text("html", rows=tuple(rows))).rows()] == ["c0", "c2", "c4", "last"]


def test_details_of_bad_cases_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "DETAILS", 2_400)
    rows = Told(Row(f"c{i}", {"recall@5": 1.0 if i < 10 else 0.5}) for i in range(20))
    page = Page(text("html", rows=rows))
    told = [int(place) for block in page.blocks("details") for place in block]
    assert told == [0, 1, 2, 10, 11, 12], told
    assert page.meta["told"] == 6 and "6 of 20 cases" in page.meta["notices"][0]
    assert page.blocks("rows")[0]["q"] == [f"What is c{i}?" for i in range(20)]


def test_a_long_text_is_cut_and_says_so() -> None:
    cut = blocks.trimmed({"output": {"answer": "a" * 1_000_000, "cited": ["b"]}})
    assert len(cut["output"]["answer"]) < 100_100 and "900,000 more characters" in cut["output"]["answer"]
    assert cut["output"]["cited"] == ["b"]


def test_many_distinct_values_are_counted_in_steps() -> None:
    rows = [Row(str(i), {"recall@5": i / 20_000}) for i in range(20_001)]
    counted = blocks.survey(RESULT, rows).values["recall@5"]
    assert sum(counted.values()) == 20_001 and len(counted) <= blocks.DISTINCT + 1_001
    assert [bar.cases for bar in bins(counted)] == [2000] * 9 + [2001]


def detailed_example(tmp_path: Path) -> tuple[Result, Detailed]:
    for number in range(4):
        case = {"id": f"q{number}", "question": f"Question {number}?", "qrels": {"a": 1, "b": 2}}
        output = {
            "case": f"q{number}",
            "retrieved": ["a", "c"],
            "cited": ["a"],
            "answer": "One [1]. Two.",
            "contexts": [{"id": "a"}],
        }
        with open(tmp_path / "cases.jsonl", "a") as cases, open(tmp_path / "outputs.jsonl", "a") as outputs:
            cases.write(json.dumps(case) + "\n")
            outputs.write(json.dumps(output) + "\n")
    said = [("sentence:0", 1, "it is there"), ("sentence:1", 0, "it is not")]
    lines = [{"case": "q1", "kind": "citation_support", "subject": s, "value": v, "rationale": w} for s, v, w in said]
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    files = [str(tmp_path / name) for name in ("cases.jsonl", "outputs.jsonl", "judged.jsonl")]
    suite = Suite(cases=tuple(files[:2]), judgments=(files[2],), metrics=("recall@1",))
    result, rows = score(suite, Problems())
    told = detailed(rows, suite, result)
    assert isinstance(told, Detailed)
    return result, told


def test_details_are_the_records_of_the_case(tmp_path: Path) -> None:
    _, rows = detailed_example(tmp_path)
    told = rows.details("q1")
    assert told is not None
    assert told["case"]["question"] == "Question 1?" and [*told["output"]["retrieved"]] == ["a", "c"]
    assert told["pieces"] == [["One [1].", 0, 1.0], [" ", None, None], ["Two.", 1, 0.0]]
    assert "".join(piece[0] for piece in told["pieces"]) == told["output"]["answer"]
    assert [one["rationale"] for one in told["judgments"]] == ["it is there", "it is not"]
    assert "1 / 2 = 0.5" in told["trace"]
    assert rows.details("q3", True) == {"case": {"question": "Question 3?"}}


def test_details_begin_again_with_the_rows_and_end_with_what_is_not_there(tmp_path: Path) -> None:
    result, rows = detailed_example(tmp_path)
    both = [text("html", result, rows) for _ in range(2)]
    assert both[0] == both[1]
    assert list(Page(both[0]).blocks("details")[0]) == ["0", "1", "2", "3"]
    assert [row.id for row in rows] == ["q0", "q1", "q2", "q3"]
    assert rows.details("nobody") is None and rows.details("q0") is None


def test_a_run_folder_has_details_while_its_cases_are_there(tmp_path: Path) -> None:
    detailed_example(tmp_path)
    run = Run(tmp_path / "run")
    run.folder.mkdir()
    run.update(cases=[str(tmp_path / "cases.jsonl")], judges=[], judgments=[])
    (tmp_path / "outputs.jsonl").rename(run.outputs_path)
    suite = Suite(cases=(str(tmp_path / "cases.jsonl"), str(run.outputs_path)), metrics=("recall@1",))
    result, rows = score(suite, Problems())
    run.finish(result, rows)
    page = Page(text("html", result, of_run(run, result)))
    assert page.blocks("details")[0]["2"]["case"]["question"] == "Question 2?"
    (tmp_path / "cases.jsonl").unlink()
    assert Page(text("html", result, of_run(run, result))).blocks("details") == []
