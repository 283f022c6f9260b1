"""TREC runs, TREC and BEIR judgments: what is read, what is refused and where, which file is which."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ragmeter.errors import Problems, UsageError
from ragmeter.formats import recognise
from ragmeter.records import Case, Output
from ragmeter.registry import find
from tests.helpers.command import ragmeter
from tests.helpers.reading import read
from tests.helpers.reports import tables

RUN = "expected 6 columns (query Q0 passage rank score name)"
QRELS = "expected 4 columns (query 0 passage grade)"
HEADER = "query-id\tcorpus-id\tscore"


def test_a_run_is_read_as_rankings_by_falling_score_whatever_its_ranks_and_order(tmp_path: Path) -> None:
    lines = ["q1 Q0 a 1 0.5 x", "q2 Q0 z 9 1 x", "q1 Q0 b 3 2.5e0 x", "q1\tQ0 \tc 2  -1. x  ", "", "q2 Q0 y 1 .5 x\r"]
    outputs, faults = read("trec_run", tmp_path / "r", *lines)
    assert faults == []
    assert outputs == [Output("q1", ("b", "a", "c")), Output("q2", ("z", "y"))]


def test_equal_scores_stand_by_falling_bytes_of_the_id(tmp_path: Path) -> None:
    ids = ["9", "10", "a", "é", "tài", "Z"]
    (output,), _ = read("trec_run", tmp_path / "r", *[f"q Q0 {id} 1 1 x" for id in ids])
    assert output.retrieved == tuple(sorted(ids, key=str.encode, reverse=True))


def test_ties_and_precision_are_the_callers_choice(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_text("q Q0 a 1 0.1234567890 x\nq Q0 b 2 0.1234567891 x\nq Q0 c 3 0.1234567890 x\n")
    reader = find("format", "trec_run").read

    def order(**rules: object) -> str:
        (output,) = reader(path, Problems(), **rules)
        return "".join(output.retrieved)

    assert order() == "bca"
    assert order(score_bits=32) == "cba"
    assert order(ties="input") == "bac"
    assert order(ties="input", score_bits=32) == "abc"


def test_the_name_of_a_run_may_hold_blanks_but_an_id_may_not(tmp_path: Path) -> None:
    outputs, faults = read("trec_run", tmp_path / "r", "q Q0 a 1 2 my best run", "q Q0 my doc 1 2 x")
    assert outputs == [Output("q", ("a",))]
    assert faults == [f"2: {RUN}, found 7: does an id hold a blank?"]


def test_judgments_are_read_by_query_with_their_grades(tmp_path: Path) -> None:
    lines = ["q1 0 a 1", "#q 0 #a -2", "q1\t0  b +3 ", "  ", "q2 0 a 0\r"]
    cases, faults = read("trec_qrels", tmp_path / "q", *lines)
    assert faults == []
    assert cases == [Case("q1", qrels={"a": 1, "b": 3}), Case("#q", qrels={"#a": -2}), Case("q2", qrels={"a": 0})]


def test_beir_judgments_have_a_header_and_tabs_and_ids_with_blanks(tmp_path: Path) -> None:
    lines = [HEADER, "q 1\td 1\t1", 'q 1\t"d ""2"""\t2', "", "q2\td 1\t0\r"]
    cases, faults = read("beir", tmp_path / "q", *lines)
    assert faults == []
    assert cases == [Case("q 1", qrels={"d 1": 1, 'd "2"': 2}), Case("q2", qrels={"d 1": 0})]


@pytest.mark.parametrize("name", ["trec_run", "trec_qrels", "beir"])
def test_packed_files_and_a_bom_are_read_alike(tmp_path: Path, name: str) -> None:
    text = {"trec_run": "q Q0 d 1 2 x\n", "trec_qrels": "q 0 d 1\n", "beir": f"{HEADER}\nq\td\t1\n"}[name]
    plain, packed = tmp_path / "plain", tmp_path / "packed.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + text.encode()))
    reader = find("format", name).read
    assert list(reader(packed, Problems())) == list(reader(plain, Problems())) != []
    assert recognise(packed)[0] == recognise(plain)[0] == name


BAD_RUN = {
    "q 0 d 1": f"{RUN}, found 4: these look like judgments (query 0 passage grade); give the file as --qrels",
    "q d 1 12.5": f"{RUN}, found 4: this looks like an MS MARCO run (query passage rank score)",
    "q d 1": f"{RUN}, found 3: this looks like an MS MARCO run (query passage rank)",
    "q Q0 d 1 2.5": f"{RUN}, found 5: is the name of the run missing at the end?",
    "q": f"{RUN}, found 1",
    "q Q0 d 1 nan x": "score: expected a finite number, found 'nan'",
    "q Q0 d 1 -inf x": "score: expected a finite number, found '-inf'",
    "q Q0 d 1 1e999 x": "score: expected a finite number, found '1e999'",
    "q Q0 d 1 0x1p3 x": "score: expected a finite number, found '0x1p3'",
    "q Q0 d 1 1_0 x": "score: expected a finite number, found '1_0'",
    "q Q0 d 1 high x": "score: expected a finite number, found 'high'",
}
BAD_QRELS = {
    "q Q0 d 1 2.5 x": f"{QRELS}, found 6: this looks like a run; give it as the file to score, not as --qrels",
    "q Q0 d 1 2.5 my x": f"{QRELS}, found 7: this looks like a run; give it as the file to score, not as --qrels",
    "q 0 d 1 x": f"{QRELS}, found 5: five columns are neither qrels nor a run",
    "q d 1": f"{QRELS}, found 3: is the second column missing, which is always 0?",
    "q 0 d 0.5": "grade: expected a whole number, found '0.5'",
    "q 0 d 1e0": "grade: expected a whole number, found '1e0'",
    "q 0 d 2147483648": "grade: expected a whole number, found '2147483648'",
    "q 0 d high": "grade: expected a whole number, found 'high'",
}
BEIR = "expected 3 columns (query-id corpus-id score), found"
BAD_BEIR = {
    "q d 1": f"{BEIR} 1: they must be parted by tabs",
    "q\td": f"{BEIR} 2",
    "q\t0\td\t1": f"{BEIR} 4",
    "\td\t1": "query-id: expected a text that is not empty",
    "q\t\t1": "corpus-id: expected a text that is not empty",
    "q\td\t0.5": "score: expected a whole number, found '0.5'",
}
GOOD = {"trec_run": "q Q0 good 1 2 x", "trec_qrels": "q 0 good 1", "beir": "q\tgood\t1"}
FAULTS = [("trec_run", *one) for one in BAD_RUN.items()]
FAULTS += [("trec_qrels", *one) for one in BAD_QRELS.items()] + [("beir", *one) for one in BAD_BEIR.items()]


@pytest.mark.parametrize(("name", "line", "said"), FAULTS)
def test_a_bad_line_is_told_and_the_others_are_read(tmp_path: Path, name: str, line: str, said: str) -> None:
    first = [HEADER] if name == "beir" else ["q 0 other 1" if name == "trec_qrels" else "q Q0 other 1 3 x"]
    records, faults = read(name, tmp_path / "f", *first, line, GOOD[name], line)
    assert faults == [f"2: {said}", f"4: {said}"]
    (record,) = records
    assert "good" in (record.retrieved if name == "trec_run" else record.qrels)


@pytest.mark.parametrize(("name", "good"), GOOD.items())
def test_what_comes_twice_is_told_with_both_lines_though_queries_are_mixed(
    tmp_path: Path, name: str, good: str
) -> None:
    first = [HEADER] if name == "beir" else [""]
    other = good.replace("q", "p", 1)
    _, faults = read(name, tmp_path / "f", *first, good, other, good, other)
    said = "has passage 'good' twice; the first time in line"
    assert faults == [f"4: query 'q' {said} 2", f"5: query 'p' {said} 3"]


@pytest.mark.parametrize(("name", "good"), GOOD.items())
def test_invalid_utf_8_is_told_with_its_column_wherever_it_stands(tmp_path: Path, name: str, good: str) -> None:
    first = [HEADER] if name == "beir" else [""]
    _, faults = read(
        name, tmp_path / "f", *first, good, good.encode().replace(b"good", b"g\xffod"), good.encode() + b"\xc3"
    )
    assert faults == [f"3:{good.index('good') + 2}: invalid UTF-8", f"4:{len(good) + 1}: invalid UTF-8"]


@pytest.mark.parametrize(
    ("name", "what"), [("trec_run", "results"), ("trec_qrels", "judgments"), ("beir", "judgments")]
)
def test_a_file_that_holds_nothing_is_a_fault(tmp_path: Path, name: str, what: str) -> None:
    lines = [HEADER] if name == "beir" else ["", "  "]
    assert read(name, tmp_path / "f", *lines) == ([], [f" the file holds no {what}"])


def test_beir_without_its_header_is_told_and_read(tmp_path: Path) -> None:
    cases, faults = read("beir", tmp_path / "f", "q\td\t1")
    assert faults == ["1: expected the header query-id, corpus-id, score, parted by tabs"]
    assert cases == [Case("q", qrels={"d": 1})]


RECOGNISED = {
    "q Q0 d 1 2.5 x": "trec_run",
    "q 0 d 1 2.5 my run": "trec_run",
    "q Q0 d 1 2.5": "trec_run",
    "q d 1 2.5": "trec_run",
    "q 0 d 1": "trec_qrels",
    "301 0 7 -1": "trec_qrels",
    "q 0 d 0.5": "trec_qrels",
    HEADER: "beir",
    "q d 1": None,
    "a few words of plain text here": None,
    '{"a": 1, "b": 2, "c": 3}': None,
    "[1, 2, 3, 4, 5, 6]": None,
}


@pytest.mark.parametrize(("line", "name"), RECOGNISED.items())
def test_a_file_is_recognised_by_its_columns(line: str, name: str | None) -> None:
    claims = [one for one in ("beir", "trec_qrels", "trec_run") if find("format", one).recognise(line.encode() + b"\n")]
    assert claims == ([name] if name else [])


def test_one_damaged_line_does_not_hide_what_a_file_is() -> None:
    head = b"??\n" + b"q Q0 d 1 2.5 x\n" * 3
    assert find("format", "trec_run").recognise(head)
    assert not find("format", "trec_qrels").recognise(head)


def test_a_line_that_the_head_cuts_off_is_not_looked_at() -> None:
    long = b"q 0 d" + b"d" * 65_528
    assert len(b"q 0 d 1\n" + long) > 65_536
    assert find("format", "trec_qrels").recognise((b"q 0 d 1\n" + long)[:65_536])


def test_a_run_needs_judgments_and_judgments_a_run(tmp_path: Path) -> None:
    from ragmeter.score import score
    from ragmeter.suite import Suite

    run, qrels = tmp_path / "r", tmp_path / "q"
    run.write_text("q Q0 d 1 2 x\n")
    qrels.write_text("q 0 d 1\n")
    for suite, said in [
        (Suite(cases=(str(run),)), "outputs need the cases (or qrels) they answer"),
        (Suite(cases=(str(qrels),)), "these are judgments; name the run to score beside them"),
        (Suite(cases=(str(run),), qrels=(str(run),)), "given as --qrels, but this is a file of run (trec_run)"),
    ]:
        with pytest.raises(UsageError) as caught:
            score(suite, Problems())
        assert str(caught.value).endswith(said)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Judgments of three queries; run a misses one and has one without judgments, run b ties everything."""
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq3 0 d 0\n")
    (tmp_path / "a.run").write_text("q1 Q0 a 1 2 x\nq1 Q0 z 2 1 x\nq9 Q0 a 1 1 x\nq3 Q0 d 1 1 x\n")
    (tmp_path / "b.run").write_text("q1 Q0 b 1 1 x\nq1 Q0 a 2 1 x\nq2 Q0 c 1 1 x\nq3 Q0 d 1 1 x\n")
    return tmp_path


def answer(files: Path, *options: str) -> dict[str, Any]:
    ran = ragmeter("score", *options, "--qrels", str(files / "qrels"), "--format", "json")
    assert ran.code == 0, ran.stderr
    said: dict[str, Any] = json.loads(ran.stdout)
    return said


def test_a_missing_query_counts_as_nothing_retrieved_and_oddities_are_counted(files: Path) -> None:
    said = answer(files, str(files / "a.run"), "-m", "rr", "--per-query")
    assert said["summary"]["rr"] == pytest.approx(1 / 3)
    assert [row["id"] for row in said["cases"]] == ["q1", "q2", "q3"]
    assert said["cases"][1]["diagnostics"] == ["empty_retrieval"]
    assert said["diagnostics"] == {
        "empty_retrieval": 1,
        "no_relevant_documents": 1,
        "judged_queries_missing_from_run": 1,
        "run_queries_without_judgments": 1,
        "unjudged_retrieved": 1,
    }


def test_only_common_queries_count_when_told_so(files: Path) -> None:
    said = answer(files, str(files / "a.run"), "-m", "rr", "--per-query", "--queries", "common")
    assert said["summary"]["rr"] == 0.5
    assert [row["id"] for row in said["cases"]] == ["q1", "q3"]
    assert "empty_retrieval" not in said["diagnostics"]


def test_rows_are_left_out_unless_asked_for_and_change_no_other_byte(files: Path) -> None:
    with_rows = answer(files, str(files / "a.run"), "-m", "rr,bpref,judged@2", "--per-query")
    without = answer(files, str(files / "a.run"), "-m", "rr,bpref,judged@2")
    assert without["cases"] == [] and len(with_rows["cases"]) == 3
    assert {**with_rows, "cases": []} == without


def test_the_profile_follows_the_judgments(files: Path) -> None:
    (files / "qrels").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tc\t1\n")
    said = answer(files, str(files / "a.run"), "-m", "rr")
    assert said["ragmeter"]["profile"] == "beir"
    assert said["summary"] == {"case_count": 1, "rr": 1.0, "rr_evaluated_cases": 1}


def test_several_runs_stand_side_by_side_each_as_if_alone(files: Path) -> None:
    runs = [str(files / "a.run"), str(files / "b.run")]
    together = answer(files, *runs, "-m", "rr,ndcg@10", "--per-query")
    alone = [answer(files, run, "-m", "rr,ndcg@10", "--per-query") for run in runs]
    for name, one in zip("ab", alone, strict=True):
        mine = [{**e, "slice": ""} for e in together["estimates"] if e["slice"] == f"run={name}"]
        assert mine == one["estimates"]
        assert [row for row in together["cases"] if row["tags"] == {"run": name}] == [
            {**row, "tags": {"run": name}} for row in one["cases"]
        ]
    runs_ = {
        name: {k: v for k, v in one["summary"].items() if k.startswith(("rr", "ndcg"))}
        for name, one in zip("ab", alone, strict=True)
    }
    assert together["summary"] == {"case_count": 3, "k": 10, "runs": runs_}
    flagged = {
        f"{flag}[run={name}]": n
        for name, one in zip("ab", alone, strict=True)
        for flag, n in one["diagnostics"].items()
    }
    assert together["diagnostics"] == flagged


def test_a_run_given_twice_is_refused(files: Path) -> None:
    run = str(files / "a.run")
    ran = ragmeter("score", run, run, "--qrels", str(files / "qrels"), "-m", "rr")
    assert (ran.code, ran.messages) == (2, [f"{run}: given twice; a run is measured once"])


def test_several_runs_are_one_table(files: Path) -> None:
    runs = [str(files / "a.run"), str(files / "b.run")]
    options = ("-m", "rr,ndcg@10", "--qrels", str(files / "qrels"))
    (table,) = tables(ragmeter("score", *runs, *options, "--format", "markdown").stdout)
    assert [row[:4] for row in table[2:]] == [
        ["rr", "a", "0.3333", "too few cases"],
        ["rr", "b", "0.5000", "too few cases"],
        ["ndcg@10", "a", "0.3333", "too few cases"],
        ["ndcg@10", "b", "0.5436", "too few cases"],
    ]
    terminal = ragmeter("score", *runs, *options, "--format", "terminal").stdout
    assert "rr by run" in terminal and "All cases" not in terminal
    gates = [("a", "0.3"), ("b", "0.6")]
    gated = ragmeter("score", *runs, *options, *(f"--min=reciprocal_rank[run={run}]={least}" for run, least in gates))
    assert gated.code == 1
    assert gated.messages == ["Threshold failed: rr[run=b]=0.5 is below 0.6"]


def test_runs_of_equal_names_are_called_by_their_paths(files: Path) -> None:
    other = files / "other"
    other.mkdir()
    (other / "a.run").write_bytes((files / "a.run").read_bytes())
    paths = [str(files / "a.run"), str(other / "a.run")]
    assert {e["slice"] for e in answer(files, *paths, "-m", "rr")["estimates"]} == {f"run={path}" for path in paths}


def test_ties_add_the_best_and_the_worst_order(files: Path) -> None:
    said = answer(files, str(files / "b.run"), "-m", "rr,infap", "--ties")
    values = {(e["metric"], e["slice"]): e["value"] for e in said["estimates"]}
    assert values == {
        ("rr", ""): 0.5,
        ("infap", ""): values["infap", ""],
        ("rr", "ties=best"): pytest.approx(2 / 3),
        ("rr", "ties=worst"): 0.5,
    }
    assert said["diagnostics"] == {"no_relevant_documents": 1}
    both = answer(files, str(files / "a.run"), str(files / "b.run"), "-m", "rr", "--ties")
    assert [e["slice"] for e in both["estimates"]] == [
        "run=a", "run=a, ties=best", "run=a, ties=worst", "run=b", "run=b, ties=best", "run=b, ties=worst",
    ]  # fmt: skip


def test_a_metric_that_needs_texts_is_measured_on_records_of_the_same_queries(files: Path) -> None:
    said = answer(files, str(files / "a.run"), "-m", "rr,similarity_to_expected", "--per-query")
    assert said["summary"]["rr"] == pytest.approx(1 / 3)
    assert said["summary"]["similarity_to_expected"] is None
    assert [row["id"] for row in said["cases"]] == ["q1", "q2", "q3"]
    assert said["diagnostics"]["run_queries_without_judgments"] == 1


def test_every_fault_of_all_files_is_listed(files: Path) -> None:
    (files / "a.run").write_text("q1 Q0 a 1 x x\n")
    (files / "qrels").write_text("q1 0 a 1\nq1 0 a 1\n")
    ran = ragmeter("score", str(files / "a.run"), "--qrels", str(files / "qrels"), "-m", "rr", "--from", "trec_run")
    assert ran.code == 2 and ran.stdout == ""
    assert ran.messages == [
        f"{files}/qrels:2: query 'q1' has passage 'a' twice; the first time in line 1",
        f"{files}/a.run:1: score: expected a finite number, found 'x'",
    ]


def test_a_query_with_judgments_in_two_files_is_a_fault(files: Path) -> None:
    (files / "more").write_text("q2 0 c 1\n")
    ran = ragmeter(
        "score", str(files / "a.run"), "--qrels", str(files / "qrels"), "--qrels", str(files / "more"), "-m", "rr"
    )
    assert ran.code == 2
    assert ran.messages == [f"{files}/more: query 'q2' has judgments in another file too"]


def test_a_run_beside_cases_is_ranked_as_the_profile_says(files: Path) -> None:
    (files / "cases.jsonl").write_text('{"id":"q","question":"?","qrels":{"b":1}}\n')
    (files / "a.run").write_text("q Q0 a 1 0.1234567891 x\nq Q0 b 1 0.1234567890 x\n")
    command = ("score", str(files / "cases.jsonl"), str(files / "a.run"), "-m", "rr", "--format", "json", "--profile")
    assert json.loads(ragmeter(*command, "trec10").stdout)["summary"]["rr"] == 0.5
    assert json.loads(ragmeter(*command, "trec9").stdout)["summary"]["rr"] == 1.0


@pytest.mark.parametrize("option", [["--ties"], ["--judged-only"], ["--queries", "common"]])
def test_options_about_runs_are_refused_where_they_would_be_ignored(tmp_path: Path, option: list[str]) -> None:
    line = '{"id":"q","relevant_document_ids":[],"retrieved_document_ids":[],"cited_document_ids":[]}\n'
    (tmp_path / "f.jsonl").write_text(line)
    ran = ragmeter("score", str(tmp_path / "f.jsonl"), *option)
    assert ran.code == 2
    assert ran.messages == [f"{option[0]} is about TREC runs with --qrels; these inputs are none"]
