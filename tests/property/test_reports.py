"""What holds for every report over every result, however hostile its words and odd its numbers."""

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.cells import cell_len

from ragmeter.registry import names
from ragmeter.reports import HOSTILE, Report, visible
from ragmeter.reports.csv import COLUMNS
from ragmeter.reports.github import LIMIT
from ragmeter.result import REASONS, Estimate, Outcome, Result, Row, Verdict
from tests.helpers.reports import tables, text

PIECES = [
    "a",
    "=1+1",
    "|",
    "\\",
    "`",
    "*",
    "_",
    "\n",
    "\r\n",
    "\t",
    "\x00",
    "\x1b[31m",
    "\u202e",
    "\u2028",
    "<b>",
    "&lt;",
    "]]>",
    '"',
    "'",
    ",",
    ";",
    "thủ tục",
    "文書",
    "وثيقة",
    "👩‍👩‍👧",
    "\ufffe",
    "[red]",
    "](x)",
    "nan",
    "inf",
    "=",
    "--",
    "#",
    " ",
]
words = st.one_of(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), st.text(max_size=8))
numbers = st.one_of(
    st.none(),
    st.sampled_from([0.0, 1.0, 0.99999, -0.0, 5e-324, 1e300]),
    st.floats(allow_nan=False, allow_infinity=False),
)
counts = st.integers(0, 10**12)
reasons = st.dictionaries(st.one_of(st.sampled_from(REASONS[1:]), words), counts, max_size=3)
outcomes = st.sampled_from(["PASS", "FAIL", "INCONCLUSIVE"])
METRICS = ["recall@5", "ndcg"]
metrics = st.one_of(st.sampled_from(METRICS), words)
slices = st.one_of(st.just(""), words.map("topic={}".format))

estimates = st.builds(
    Estimate,
    metric=metrics,
    definition=words,
    slice=slices,
    value=numbers,
    n_scored=counts,
    n_null=reasons,
    n_error=counts,
    low=numbers,
    high=numbers,
    interval=st.one_of(st.sampled_from(["none", "too_few", "t"]), words),
    higher_is_better=st.booleans(),
)
verdicts = st.builds(
    Verdict,
    outcomes=st.lists(
        st.builds(
            Outcome,
            gate=words,
            outcome=outcomes,
            value=numbers,
            threshold=st.floats(allow_nan=False, allow_infinity=False),
            message=words,
            metric=metrics,
            slice=slices,
            needed=st.one_of(st.none(), counts),
        ),
        max_size=4,
    ).map(tuple),
    inconclusive_fails=st.booleans(),
)
rows = st.builds(
    Row,
    id=words,
    metrics=st.dictionaries(metrics, numbers, max_size=3),
    diagnostics=st.lists(words, max_size=2).map(tuple),
    nulls=st.one_of(st.none(), st.dictionaries(metrics, st.sampled_from(REASONS[1:]), max_size=2)),
    tags=st.one_of(st.none(), st.dictionaries(st.just("topic"), words, max_size=1)),
)
results = st.builds(
    Result,
    case_count=counts,
    k=st.one_of(st.none(), st.integers(1, 10)),
    estimates=st.lists(estimates, max_size=5).map(tuple),
    diagnostics=st.dictionaries(words, counts, max_size=3),
    provenance=st.fixed_dictionaries(
        {"profile": st.one_of(st.just("trec10"), words), "version": words, "seed": st.integers(0)},
        optional={
            "conventions": st.dictionaries(words, words, max_size=3),
            "inputs": st.lists(st.fixed_dictionaries({"name": words, "format": words}), max_size=3),
        },
    ),
    verdict=st.one_of(st.none(), verdicts),
    title=words,
)


def anything(test):
    """The test over every result and its rows."""
    return settings(max_examples=50)(given(result=results, rows=st.lists(rows, max_size=6).map(tuple))(test))


def refuse(token: str) -> float:
    raise AssertionError(f"{token} in JSON")


@pytest.mark.parametrize("name", names("report"))
@anything
def test_every_report_can_be_written(name: str, result: Result, rows: tuple[Row, ...]) -> None:
    said = text(name, result, rows)
    assert said == text(name, result, rows)
    assert said.endswith("\n")
    said.encode()


@anything
def test_json_can_be_read_and_holds_no_nan(result: Result, rows: tuple[Row, ...]) -> None:
    said = json.loads(text("json", result, rows), parse_constant=refuse)
    assert [case["id"] for case in said["cases"]] == [row.id for row in rows]
    assert [case["metrics"] for case in said["cases"]] == [row.metrics for row in rows]
    assert len(said["estimates"]) == len(result.estimates)


@anything
def test_xml_can_be_read_and_counts_its_cases(result: Result, rows: tuple[Row, ...]) -> None:
    root = ElementTree.fromstring(text("junit", result, rows).encode())
    gates = result.verdict.outcomes if result.verdict is not None else ()
    assert root.get("tests") == str(len(gates) + 1) == str(len(list(root.iter("testcase"))))
    assert int(root.get("failures", "")) == len(list(root.iter("failure")))
    assert (root.get("failures") == "0") == (result.verdict is None or result.verdict.passed)


@anything
def test_csv_can_be_read_back_exactly(result: Result, rows: tuple[Row, ...]) -> None:
    head, *lines = csv.reader(io.StringIO(text("csv", result, rows), newline=""), strict=True)
    assert tuple(head) == COLUMNS
    assert {len(line) for line in lines} <= {len(COLUMNS)}
    kept = [tuple(None if cell == "" else float(cell) for cell in line[3:6]) for line in lines]
    assert kept == [(e.value, e.low, e.high) for e in result.estimates]
    for line in lines:
        for cell in (*line[:3], *line[10:]):
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")), cell


@pytest.mark.parametrize("name", ["markdown", "github"])
@anything
def test_markdown_tables_keep_their_columns(name: str, result: Result, rows: tuple[Row, ...]) -> None:
    said = text(name, result, rows)
    for table in tables(said):
        assert re.fullmatch(r"(---:?)+", "".join(table[1])), table
        assert {len(line) for line in table} == {len(table[0])}, table
    assert not HOSTILE.search(said)


GITHUB = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@anything
def test_markdown_reads_every_id_as_it_is(result: Result, rows: tuple[Row, ...]) -> None:
    assume(rows)  # without rows there is no table of cases to look at
    tokens = GITHUB.parse(text("markdown", result, rows))
    cells = [tokens[i + 1] for i, token in enumerate(tokens) if token.type == "td_open"]
    for cell in cells:
        for child in cell.children or ():
            assert child.type in ("text", "text_special") or child.content == "<br>", cell.content
    last = max(i for i, token in enumerate(tokens) if token.type == "table_open")
    ids = [tokens[i + 2] for i in range(last, len(tokens)) if tokens[i].type == "tr_open"][1:]
    words = {token.type for token in tokens if token.level and token.type.endswith("_open")}
    assert words <= {
        "table_open",
        "thead_open",
        "tbody_open",
        "tr_open",
        "th_open",
        "td_open",
        "list_item_open",
        "paragraph_open",
    }
    said = ["".join("¶" if c.content == "<br>" else c.content for c in cell.children or ()) for cell in ids]
    assert said == [visible(re.sub("\r\n|\r|\n", "¶", row.id)).strip() for row in rows]


@anything
def test_a_step_summary_keeps_its_limit(result: Result, rows: tuple[Row, ...]) -> None:
    assert len(text("github", result, rows).encode()) <= LIMIT


@anything
def test_the_terminal_obeys_nothing_and_keeps_its_width(result: Result, rows: tuple[Row, ...]) -> None:
    said = text("terminal", result, rows)
    assert not HOSTILE.search(said) and "\t" not in said
    assert max(map(cell_len, said.split("\n"))) <= 100


def test_every_report_is_one() -> None:
    from ragmeter.registry import find

    assert {"terminal", "csv", "junit", "github", "markdown", "json"} <= set(names("report"))
    for name in names("report"):
        assert isinstance(find("report", name), Report) and find("report", name).about
