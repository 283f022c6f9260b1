"""The published DVC-RAG figures, from the published rows: retrieval, generation, citations, traps.

Every figure of EXPECTED.json for exp01 and exp02 is reproduced at 1e-9; counts and rows exactly. The data are
read from ../shared and never kept here; without them each test is skipped.
"""

import csv
import json
import math
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from statistics import NormalDist, fmean, pstdev
from typing import Any
from unicodedata import is_normalized, normalize

import pytest

from ragmeter.citations import Reading, read_answer, s2_line
from ragmeter.errors import Problems
from ragmeter.evaluate import Evaluation
from ragmeter.formats import recognise
from ragmeter.judge import Judging, judge
from ragmeter.metrics import measures
from ragmeter.profiles import profile
from ragmeter.records import Case, Judgment, Output
from ragmeter.result import Estimate, Result
from ragmeter.score import score
from ragmeter.store import Rows, Spool
from ragmeter.suite import Suite
from ragmeter.text_flags import answer_flags, judged_flags, trimmed

DATA = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "dvc_rag"
SCORES = tuple(f"exp02/{kind}_scores.jsonl" for kind in ("generation", "citation", "completeness"))
METRICS = ("hit@1", "hit@3", "hit@5", "hit@10", "recall@5", "rr", "ndcg@10")
PUBLISHED = {"citation_f1": "citation_f1_mean"}  # what EXPECTED calls citation_f1 is the mean of the rows' F1


def data(name: str) -> str:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"no published data: ../shared/conformance/dvc_rag/{name} does not exist beside the checkout")
    return str(path)


@cache
def expected() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(data("EXPECTED.json")).read_bytes())
    return found


def near(value: float | None, wanted: float) -> bool:
    return value is not None and math.isclose(value, wanted, rel_tol=0, abs_tol=1e-9)


def of(result: Result, metric: str, slice: str = "") -> Estimate:
    found = result.find(metric, slice)
    assert found is not None, f"no {metric} in {slice!r}"
    return found


def halfwidth(values: Iterable[float]) -> float:
    """As the published tables have it: a normal interval over the population standard deviation."""
    kept = list(values)
    return NormalDist().inv_cdf(0.975) * pstdev(kept) / math.sqrt(len(kept))


@cache
def retrieval(which: str) -> tuple[Result, dict[str, dict[str, Any]]]:
    suffix = "" if which == "hybrid" else "_manual"
    suite = Suite(
        cases=(data(f"exp01/retrieval_gt{suffix}.jsonl"), data(f"exp01/run_{which}.reconstructed.trec")), by=("q_type", "linh_vuc")
    )  # fmt: skip
    problems = Problems()
    result, rows = score(suite, problems)
    assert not problems.faults and set(problems.warning_counts) == {"sample_type inferred"}
    return result, {row.id: row.metrics for row in rows}


@pytest.mark.parametrize("which", ["hybrid", "manual"])
def test_retrieval_overall_and_by_q_type(which: str) -> None:
    result, _ = retrieval(which)
    wanted = expected()["exp01"][which]
    assert result.provenance["profile"] == "dvc"
    for metric in METRICS:
        estimate = of(result, metric)
        assert near(estimate.value, wanted["overall"][metric]), metric
        assert near(estimate.value, wanted["published_overall"][metric]), metric
        assert (estimate.n_scored, estimate.n_error) == (wanted["overall"]["n"], 0) or which == "manual"
        assert estimate.n_scored == wanted["overall"]["n"]
        for q_type, by in wanted["by_q_type"].items():
            part = of(result, metric, f"q_type={q_type}")
            assert near(part.value, by[metric]) and part.n_scored == by["n"], (metric, q_type)


@pytest.mark.parametrize("which", ["hybrid", "manual"])
def test_retrieval_by_field(which: str) -> None:
    result, _ = retrieval(which)
    wanted = expected()["exp01"][which]["hit@5_by_linh_vuc_NFC"]
    for field, by in wanted.items():
        part = of(result, "hit@5", f"linh_vuc={field}")
        assert near(part.value, by["hit@5"]) and part.n_scored == by["n"], field
    scored = {
        e.slice for e in result.estimates if e.metric == "hit@5" and e.slice.startswith("linh_vuc=") and e.n_scored
    }
    assert scored == {f"linh_vuc={field}" for field in wanted}


@pytest.mark.parametrize("which", ["hybrid", "manual"])
def test_retrieval_row_by_row(which: str) -> None:
    _, by_id = retrieval(which)
    name = "exp01/retrieval_results.csv" if which == "hybrid" else "exp01/retrieval_results_manual.csv"
    with open(data(name), encoding="utf-8", newline="") as file:
        published = list(csv.DictReader(file))
    assert len(published) == expected()["exp01"][which]["overall"]["n"]
    for row in published:
        for metric in METRICS:
            assert math.isclose(by_id[row["id"]][metric], float(row[metric]), rel_tol=0, abs_tol=1e-15), (
                row["id"],
                metric,
            )
    wanted = expected()["exp01"][which]
    ranks = Counter(round(1 / value) if (value := by_id[row["id"]]["rr"]) else 0 for row in published)
    assert {str(rank): n for rank, n in ranks.items()} == wanted["first_rank_histogram"]
    assert ranks[0] == wanted["n_missed_top20"]
    for metric, width in wanted["ci95_normal_halfwidth_ddof0"].items():
        assert near(halfwidth(by_id[row["id"]][metric] for row in published), width), metric


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (("exp01", "hybrid", "s2_on_reconstructed_ranks"), "exp01/s2_hybrid.reconstructed.jsonl"),
        (("exp01", "manual", "s2_on_reconstructed_ranks"), "exp01/s2_manual.reconstructed.jsonl"),
        (("exp02", "s2_from_gen_derived"), "exp02/s2_from_gen.derived.jsonl"),
    ],
)
def test_the_offline_harness_on_the_same_lists(place: tuple[str, ...], name: str) -> None:
    wanted: Any = expected()
    for key in place:
        wanted = wanted[key]
    assert len(wanted) >= 3
    for cutoff, said in wanted.items():
        result, _ = score(Suite(cases=(data(name),), k=int(cutoff.removeprefix("k="))), Problems())
        assert (result.provenance["profile"], result.case_count, result.k) == (
            "s2",
            said["summary"]["case_count"],
            said["summary"]["k"],
        )
        for metric in (
            "recall_at_k",
            "reciprocal_rank",
            "context_precision_at_k",
            "citation_coverage",
            "citation_validity",
        ):
            assert near(of(result, metric).value, said["summary"][metric]), (cutoff, metric)
            assert of(result, metric).n_scored == said["summary"][f"{metric}_evaluated_cases"]
        assert result.diagnostics == said["diagnostics"]


@cache
def answers() -> tuple[tuple[Case, Output], ...]:
    problems = Problems()
    name, format = recognise(data("exp02/gen_outputs.jsonl"))
    pairs = tuple(format.read(data("exp02/gen_outputs.jsonl"), problems))
    assert (name, problems.faults, problems.warnings) == ("gen_outputs", [], {})
    return pairs


@cache
def recorded() -> tuple[Judgment, ...]:
    problems = Problems(strict=True)
    found: list[Judgment] = []
    for name in map(data, SCORES):
        known, format = recognise(name)
        assert (known, format.holds) == ("dvc_scores", "judgments")
        found += format.read(name, problems)
    assert not problems.faults
    return tuple(found)


@cache
def measured(*specs: str) -> tuple[Result, dict[str, dict[str, Any]]]:
    chosen = profile("dvc_answers")
    spool = Spool()
    evaluation = Evaluation(measures(specs, chosen), chosen, by=("q_type",), spool=spool)
    evaluation.add_judged(judge(answers(), Judging(recorded=recorded())))
    return evaluation.result({}), {row.id: row.metrics for row in Rows(spool)}


def test_there_are_as_many_answers_as_published() -> None:
    assert len(answers()) == expected()["exp02"]["n_outputs"]
    assert sum(case.answerable is True for case, _ in answers()) == expected()["exp02"]["n_in_scope"]


@pytest.mark.parametrize(
    ("group", "metric", "ours", "micro"),
    [
        ("generation", "faithfulness", "faithfulness", "faithfulness_micro"),
        ("generation", "answer_relevance", "answer_relevance", None),
        ("generation", "context_precision", "context_precision", "context_precision_micro"),
        ("completeness", "context_recall", "context_recall", None),
        ("completeness", "answer_completeness", "answer_completeness", None),
        ("citation", "citation_recall", "citation_recall", "citation_recall_micro"),
        ("citation", "citation_precision", "citation_precision", "citation_precision_micro"),
        ("citation", "citation_f1", "citation_f1_mean", None),
    ],
)
def test_answers_overall_and_by_q_type(group: str, metric: str, ours: str, micro: str | None) -> None:
    result, rows = measured(ours, *filter(None, (micro,)))
    wanted = expected()["exp02"][group][metric]
    in_scope = [case.id for case, _ in answers() if case.answerable]
    values = [value for id in in_scope if (value := rows[id][of(result, ours).metric]) is not None]
    estimate = of(result, ours)
    assert near(estimate.value, wanted["macro_mean_none_skipped"])
    assert near(fmean(values), wanted["macro_mean_none_skipped"])
    assert (estimate.n_scored, len(in_scope), estimate.n_error) == (wanted["n_scored"], wanted["n_rows"], 0)
    assert near(min(values), wanted["min"]) and near(max(values), wanted["max"])
    assert near(halfwidth(values), wanted["ci95_normal_halfwidth_ddof0"])
    for q_type, by in wanted["by_q_type"].items():
        part = of(result, ours, f"q_type={q_type}")
        assert near(part.value, by["mean"]) and part.n_scored == by["n_scored"], q_type
        assert part.n_scored + part.nulls == by["n"], q_type
    if micro and "micro" in wanted:
        assert near(of(result, micro).value, wanted["micro"])


@pytest.mark.parametrize(
    ("spec", "variant"),
    [
        ("citation_f1", "f1_of_macro_means (published method)"),
        ("citation_f1_mean", "macro_mean_of_row_f1_none_skipped"),
        ("citation_f1_mean:empty=zero,both_zero=zero", "macro_mean_of_row_f1_none_as_0"),
        ("citation_recall:all,empty=zero", "recall_over_ALL_sentences_macro_empty_as_0 (ALCE-style denominator)"),
        ("citation_recall:all", "recall_over_ALL_sentences_macro_empty_skipped"),
        ("citation_recall:claims", "recall_over_cited_plus_uncited_claim_macro"),
        ("uncited_claims", "avg_uncited_claim"),
    ],
)
def test_the_same_rows_under_other_definitions(spec: str, variant: str) -> None:
    result, _ = measured(spec)
    assert near(result.estimates[0].value, expected()["exp02"]["citation"]["variants"][variant])


@pytest.mark.parametrize("side", ["recall", "precision"])
def test_pooled_citation_figures_with_their_counts(side: str) -> None:
    num, den, share = expected()["exp02"]["citation"]["variants"][f"micro_{side}"]
    result, _ = measured(f"citation_{side}_micro")
    assert near(result.estimates[0].value, share) and near(share, num / den)
    said = [one for one in recorded() if one.kind == f"citation_{side}" and one.den]
    assert (sum(one.num or 0 for one in said), sum(one.den or 0 for one in said)) == (num, den)


def test_the_published_rows_come_back_one_by_one() -> None:
    columns = ("faithfulness", "answer_relevance", "context_precision", "context_recall", "completeness",
               "citation_recall", "citation_precision", "citation_f1_mean", "uncited_claims")  # fmt: skip
    _, rows = measured(*columns)
    names = {"citation_f1": "citation_f1_mean", "n_uncited_claim": "uncited_claims"}
    seen = 0
    for name in map(data, SCORES):
        for line in Path(name).read_bytes().split(b"\n"):
            published = json.loads(line) if line else {}
            for field, value in published.items():
                ours = names.get(field, field)
                if ours in rows[published["id"]]:
                    seen += 1
                    mine = rows[published["id"]][ours]
                    assert mine is value is None or math.isclose(mine, value, rel_tol=0, abs_tol=1e-15), (
                        published["id"],
                        field,
                    )
    assert seen == 28 * 9


def published_reading(output: Output) -> Reading:
    return read_answer(output, rules="dvc")


def test_sentences_and_markers_of_every_answer() -> None:
    wanted = expected()["exp02"]["per_question"]
    assert len(wanted) == 32
    for case, output in answers():
        read = published_reading(output)
        said = wanted[case.id]
        assert len(read.spans) == said["n_sent"], case.id
        assert len(read.cited_sentences) == said["n_cited_sent"], case.id
        assert sum(len(read.valid(i)) for i in range(len(read.spans))) == said["n_cit"], case.id
        assert read.uncited_claims == said["n_uncited_claim"], case.id
        assert [int(key) for one in read.markers for key in one.keys] == said["markers_in_answer"], case.id
        assert [int(key) for key in read.report.dangling] == said["dangling_markers"], case.id
        assert sorted(map(int, read.report.unused)) == said["unused_sources"], case.id


def flagged(flag: str) -> list[str]:
    by_case: dict[str, dict[str, dict[str, Judgment]]] = {}
    for one in recorded():
        by_case.setdefault(one.case, {}).setdefault(one.kind, {})[one.subject] = one
    found = []
    for case, output in answers():
        if flag in (*answer_flags(output, "dvc"), *judged_flags(output, by_case.get(case.id, {}))):
            found.append(case.id)
    return found


def test_trap_an_empty_answer_is_flagged_and_no_answer_unless_published_figures_are_asked_for() -> None:
    traps = expected()["exp02"]["traps"]
    assert flagged("empty_answer") == flagged("empty_answer_judged") == traps["empty_answer_ids"]
    fields = {
        "faithfulness": "faithfulness",
        "answer_completeness": "answer_completeness",
        "answer_relevance": "answer_relevance",
    }
    result, rows = measured("faithfulness", "completeness", "answer_relevance")
    clean, clean_rows = measured("faithfulness:answered", "completeness:answered", "answer_relevance:answered")
    for id, said in traps["empty_answer_but_scored"].items():
        for field, column in fields.items():
            assert near(rows[id][column], said[field]), field
        assert next(one.den for one in recorded() if (one.case, one.kind) == (id, "faithfulness")) == said["n_claims"]
        assert set(clean_rows[id].values()) == {None}
    for estimate in clean.estimates:
        if not estimate.slice:
            assert (estimate.n_scored, estimate.n_null["no_answer"]) == (27, 1)
    assert of(result, "faithfulness").n_scored == 28


def test_trap_leaked_prompts_and_texts_that_are_not_composed() -> None:
    traps = expected()["exp02"]["traps"]
    assert flagged("leaked_prompt") == traps["answers_with_leaked_CITATION_LIST"]
    assert flagged("answer_not_nfc") == traps["answers_not_NFC"]
    texts = [passage.text or "" for _, output in answers() for passage in output.contexts or ()]
    assert len(texts) == traps["contexts_total"]
    assert sum(not is_normalized("NFC", text) for text in texts) == traps["contexts_not_NFC"]
    holders = [c.id for c, o in answers() if any(not is_normalized("NFC", p.text or "") for p in o.contexts or ())]
    assert flagged("contexts_not_nfc") == holders and holders


def test_trap_the_judge_saw_trimmed_texts() -> None:
    traps = expected()["exp02"]["traps"]
    for shown in (600, 700, 1500):
        assert (
            sum(trimmed(output, {"context": shown}) for _, output in answers()) == traps[f"contexts_over_{shown}_chars"]
        )
    assert {shown for one in recorded() for what, shown in (one.trims or {}).items() if what == "context"} == {
        600,
        700,
        1500,
    }
    assert len(flagged("judged_on_trimmed_text")) == 28


def test_trap_citations_join_by_number_and_not_by_place() -> None:
    traps = expected()["exp02"]["traps"]
    differs = 0
    for _, output in answers():
        cited = [normalize("NFC", source["title"]) for source in (output.extra or {}).get("sources", ())]
        given = [normalize("NFC", passage.title or "") for passage in output.contexts or ()]
        assert sorted(cited) == sorted(given), "the same titles"
        differs += cited != given
        by_title = {p.id: normalize("NFC", p.title or "") for p in output.contexts or ()}
        numbers = {
            str(i): normalize("NFC", s["title"]) for s in (output.extra or {}).get("sources", ()) for i in s["indices"]
        }
        read = published_reading(output)
        assert {key: by_title[id] for key, id in read.sources.items()} == numbers
    assert differs == traps["citation_order_differs_from_context_order"]


def test_trap_missing_scores_and_pages_of_the_web() -> None:
    traps = expected()["exp02"]["traps"]
    passages = [passage for _, output in answers() for passage in output.contexts or ()]
    assert sum(passage.score is None for passage in passages) == traps["context_score_null"]
    assert sum(len((output.extra or {}).get("web", ())) for _, output in answers()) == traps["web_contexts"]


def test_trap_gold_names_are_compared_in_the_composed_form() -> None:
    differing = []
    for case, output in answers():
        name = (case.extra or {}).get("ten") or ""
        texts = [f"{p.title}\n{p.text}" for p in output.contexts or ()]
        raw = [name in text for text in texts]
        if name and raw != [normalize("NFC", name) in normalize("NFC", text) for text in texts]:
            differing.append(case.id)
    assert differing == expected()["exp02"]["traps"]["gold_name_in_contexts_raw_vs_NFC_differs"]


def test_trap_over_answers_are_counted_and_an_abstain_label_on_them_is_doubted() -> None:
    result, rows = measured("abstention_recall", "over_answer_rate", "over_refusal_rate", "abstention_mcc")
    assert (of(result, "abstention_recall").value, of(result, "over_answer_rate").value) == (0.5, 0.5)
    assert [id for id in rows if rows[id]["over_answer_rate"] == 1] == ["oos-000", "oos-002"]
    assert (of(result, "over_refusal_rate").value, of(result, "over_refusal_rate").n_scored) == (0, 27)
    label = {"abstention": {"": Judgment("", "abstention", label="abstain")}}
    doubted = [
        case.id
        for case, output in answers()
        if not case.answerable and "abstention_doubtful" in judged_flags(output, label)
    ]
    assert doubted == ["oos-000", "oos-002"]


def test_the_derived_lines_of_the_offline_harness_hold_the_same_retrieved_ids() -> None:
    lines = Path(data("exp02/s2_from_gen.derived.jsonl")).read_bytes().split(b"\n")
    derived = {row["id"]: row for row in (json.loads(line) for line in lines if line)}
    for case, output in answers():
        line = s2_line(case, output)
        assert line["retrieved_document_ids"] == derived[case.id]["retrieved_document_ids"]
        assert line["relevant_document_ids"] == [], "gold codes are no document ids"
        if (output.answer or "").strip():
            assert set(line["cited_document_ids"]) <= set(derived[case.id]["cited_document_ids"])


def test_thirty_two_answers_score_well_under_a_second() -> None:
    from time import process_time

    answers(), recorded()
    chosen = profile("dvc_answers")
    start = process_time()
    evaluation = Evaluation(measures(list(chosen.metrics), chosen), chosen)
    evaluation.add_judged(judge(answers(), Judging(recorded=recorded())))
    assert evaluation.result({}).case_count == 32
    assert process_time() - start < 1
