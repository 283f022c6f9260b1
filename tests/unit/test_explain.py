"""Explaining a metric and a case: every term is said, and nothing that is not so."""

import pytest

from ragmeter.errors import UsageError
from ragmeter.explain import LISTED, explain_case, explain_metric, formula, page_of
from ragmeter.metrics import measures
from ragmeter.profiles import PROFILES
from ragmeter.records import Case, Citation, Judgment, Output, Passage, Point
from ragmeter.registry import find
from ragmeter.result import Row

STANDARD, S2, TREC10 = PROFILES["standard"], PROFILES["s2"], PROFILES["trec10"]

CASE = Case("q1", "How often?", {"d1": 2, "d2": 1, "d3": 0}, answerable=True, tags={"topic": "ferns"})
OUTPUT = Output(
    "q1",
    retrieved=(Passage("d3", score=0.5), "d2", "d2", "dx"),
    cited=("d2", "zz"),
    citations=(Citation("[1]", "d2", 0), Citation("[9]")),
    answer="Weekly. [1]",
)


def said(case: Case = CASE, output: Output = OUTPUT, specs: str = "recall@5", profile=STANDARD, **more) -> list[str]:
    return list(explain_case(case, output, measures(specs, profile), profile, **more))


def after(lines: list[str], head: str) -> list[str]:
    """The indented lines below a line that begins so."""
    start = next(i for i, line in enumerate(lines) if line.startswith(head)) + 1
    return [line.strip() for line in lines[start : lines.index("", start) if "" in lines[start:] else None]]


def test_the_page_of_a_metric_is_its_docstring_with_its_formula() -> None:
    metric = find("metric", "recall")
    assert page_of(metric).startswith("Recall@k: how much of what is relevant")
    assert formula(metric) == ["recall@k = |relevant ∩ first k retrieved| / |relevant|"]


def test_a_metric_is_explained_with_options_needs_and_source() -> None:
    lines = list(explain_metric("recall"))
    assert lines[: len(page_of(find("metric", "recall")).split("\n"))] == page_of(find("metric", "recall")).split("\n")
    text = "\n".join(lines)
    assert "Source: Manning" in text
    assert "Needs:       qrels, retrieved" in text and "Options:     k=5" in text and "Better:      higher" in text


def test_without_a_profile_every_profile_is_set_side_by_side() -> None:
    lines = "\n".join(explain_metric("recall"))
    assert "  standard  recall@5\n" in lines
    assert "  s2        recall_at_k = recall@5\n" in lines
    assert "  trec10    recall@5; no_relevant counts as 0" in lines


def test_a_profile_says_what_it_makes_of_the_metric() -> None:
    s2 = list(explain_metric("recall_at_k", S2, 3))
    assert "  shown as     recall_at_k" in s2 and "  in full      recall@3" in s2 and "  options      k=3" in s2
    assert "  by default   measured" in list(explain_metric("recall_at_k", S2))
    assert any(line.startswith("  no_relevant: left out") for line in s2)
    trec = list(explain_metric("recall@7", TREC10))
    assert any(line.startswith("  no_relevant: counts as 0") for line in trec)
    assert "  by default   not measured; ask with -m" in trec


def test_an_option_without_a_value_is_said_as_none() -> None:
    assert "Options:     k=none" in list(explain_metric("reciprocal_rank"))


def test_an_unknown_metric_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'recall'"):
        list(explain_metric("recal"))


def test_the_case_says_what_it_holds() -> None:
    case = Case("q\n1", "How?", references=("Twice.",), points=(Point("Twice a week"),), bad_answers=("Never.",))
    lines = said(case, Output("q\n1", answer=""))
    assert lines[0] == "Case q\\n1"
    for line in (
        "question: How?",
        "expected answer: Twice.",
        "wrong answer: Never.",
        "point (vital): Twice a week",
    ):
        assert f"  {line}" in lines
    assert "  answer: (empty)" in lines
    assert "  tags: topic=ferns" in said() and "  answerable: yes" in said()


def test_judged_passages_stand_best_first_with_what_became_of_them() -> None:
    lines = said()
    assert "Judged passages: 3, relevant: 2" in lines
    assert after(lines, "Judged passages") == [
        "grade 2  d1  (relevant, not retrieved)",
        "grade 1  d2  (relevant, rank 2, cited)",
        "grade 0  d3  (not relevant, rank 1)",
    ]


def test_the_retrieved_list_stands_in_order_with_ranks_of_distinct_passages() -> None:
    lines = said()
    assert "Retrieved: 4, distinct: 3" in lines
    assert after(lines, "Retrieved") == [
        "1  d3  (grade 0, not relevant, score 0.5)",
        "2  d2  (grade 1, relevant, cited)",
        "-  d2  (repeats rank 2)",
        "3  dx",
    ]


def test_citations_say_whether_they_were_retrieved_and_dangling_ones_are_named() -> None:
    assert after(said(), "Cited: 2") == [
        "d2  (rank 2, relevant)",
        "zz  (not retrieved, not judged)",
        "marker [1] in sentence 1: d2",
        "marker [9]: dangling",
    ]


def test_the_level_decides_what_is_relevant() -> None:
    lines = said(level=2)
    assert "Judged passages: 3, relevant: 1" in lines
    assert "    0 / 1 = 0" in lines


def test_a_long_list_is_cut_where_nothing_is_known_about_it() -> None:
    many = tuple(f"x{i}" for i in range(LISTED + 50))
    lines = after(said(output=Output("q1", retrieved=(*many, "d1"), cited=("x120",))), "Retrieved")
    assert lines[LISTED - 1] == f"{LISTED}  x{LISTED - 1}"
    assert lines[LISTED:] == [
        "121  x120  (cited)",
        f"{LISTED + 51}  d1  (grade 2, relevant)",
        f"... and 49 more after rank {LISTED}, neither judged nor cited",
    ]


def test_what_was_not_recorded_is_said_and_not_counted() -> None:
    lines = said(Case("q1"), Output("q1"))
    assert {"Relevance: not recorded", "Retrieved: not recorded", "Cited: not recorded"} <= set(lines)
    assert any(line.startswith("    null: not_recorded (") for line in lines)


def test_a_metric_shows_its_formula_and_the_numbers_it_divides() -> None:
    assert said()[-3:] == [
        "  recall@5",
        "    recall@k = |relevant ∩ first k retrieved| / |relevant|",
        "    1 / 2 = 0.5",
    ]
    assert "    1 / 3 = 0.3333333333333333" in said(specs="context_precision@5")


def test_a_null_says_why_and_a_profile_that_counts_it_says_so() -> None:
    empty, nothing = Case("q1", qrels={}), Output("q1", retrieved=())
    assert any("null: no_relevant (no passage is judged relevant)" in line for line in said(empty, nothing))
    counted = said(empty, nothing, "recall", TREC10)
    assert "    no_relevant (no passage is judged relevant) counts as 0 in profile trec10" in counted


def test_a_failed_case_has_no_number() -> None:
    lines = said(output=Output("q1", error="timeout after 3 s"))
    assert "  failed: timeout after 3 s" in lines
    assert "    null: timeout (no answer came in time); left out, and counted beside the value" in lines


def test_flags_come_with_their_meaning() -> None:
    assert after(said(), "Diagnostics") == [
        "duplicate_retrieved_ids: the retrieved list repeats an id; it counts once, at its first rank",
        "citations_not_retrieved: a cited passage was not retrieved",
    ]
    clean = Output("q1", retrieved=("d1",), cited=("d1",))
    assert "Diagnostics: none" in said(output=clean)


def test_judgments_are_listed_with_judge_and_rationale() -> None:
    judged = {
        "similarity": {
            "reference:0": Judgment("q1", "similarity", "reference:0", 0.83, judge="lexical", rationale="close"),
            "reference:1": Judgment("q1", "similarity", "reference:1", error="timeout: 3 s"),
        },
        "claims": {"": Judgment("q1", "claims", num=3, den=4)},
    }
    assert after(said(judged=judged), "Judgments") == [
        "similarity reference:0: 0.83 (judge lexical)",
        "close",
        "similarity reference:1: failed: timeout: 3 s",
        "claims: 3 / 4",
    ]


@pytest.mark.parametrize(
    ("kept", "line"),
    [
        (0.5, None),
        (0.5 + 1e-15, None),
        (0.25, "    the run recorded 0.25"),
        (None, "    the run recorded null: no_relevant (no passage is judged relevant)"),
    ],
)
def test_a_recorded_value_that_differs_is_pointed_out(kept: float | None, line: str | None) -> None:
    row = Row("q1", {"recall@5": kept}, nulls={"recall@5": "no_relevant"})
    recorded = [one for one in said(row=row) if "the run recorded" in one]
    assert recorded == ([line] if line else [])
