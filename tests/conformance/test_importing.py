"""Every file of the samples is read, or refused with its reason; published figures come out of what was read."""

import json
from pathlib import Path
from typing import Any

import pytest

from ragmeter.convert import convert, recognise
from ragmeter.errors import InputError, Problems
from ragmeter.formats import recognise as format_of
from tests.helpers.command import ragmeter

READ = {
    "samples/alce/human_eval_utility.part.json": ("alce", 40, 40, 0),
    "samples/ares/nq_few_shot_judge.tsv": ("ares", 7, 7, 7),
    "samples/benchmark_qed/global_answers.part.json": ("benchmark_qed", 25, 25, 0),
    "samples/benchmark_qed/local_assertions.part.json": ("benchmark_qed_assertions", 10, 0, 0),
    "samples/benchmark_qed/local_retrieval.part.json": ("benchmark_qed_retrieval", 4, 4, 0),
    "samples/canard/dev.part.json": ("canard", 120, 0, 0),
    "samples/cast/2019_resolved.tsv": ("cast_resolved", 479, 0, 0),
    "samples/cast/2019_topics.json": ("cast_topics", 479, 0, 0),
    "samples/cast/2020_manual_topics.json": ("cast_topics", 216, 0, 0),
    "samples/clapnq/dev_answerable.head.jsonl": ("clapnq", 30, 0, 0),
    "samples/clapnq/question_dev_answerable.tsv": ("clapnq_questions", 300, 0, 0),
    "samples/crag/dev.even.jsonl": ("crag", 5, 0, 0),
    "samples/deepeval/confident_goldens.json": ("deepeval", 4, 4, 0),
    "samples/deepeval/goldens.csv": ("deepeval", 15, 15, 0),
    "samples/deepeval/goldens.json": ("deepeval", 15, 15, 0),
    "samples/expertqa/rand_val.head.jsonl": ("expertqa", 60, 60, 0),
    "samples/mtrag/clapnq/clapnq_lastturn.jsonl": ("beir_queries", 208, 0, 0),
    "samples/mtrag/clapnq/clapnq_questions.jsonl": ("beir_queries", 208, 0, 0),
    "samples/mtrag/clapnq/clapnq_rewrite.jsonl": ("beir_queries", 208, 0, 0),
    "samples/mtrag/fiqa/fiqa_lastturn.jsonl": ("beir_queries", 180, 0, 0),
    "samples/mtrag/fiqa/fiqa_questions.jsonl": ("beir_queries", 180, 0, 0),
    "samples/mtrag/fiqa/fiqa_rewrite.jsonl": ("beir_queries", 180, 0, 0),
    "samples/mtrag/responses-10.jsonl": ("mtrag", 5, 5, 0),
    "samples/mtrag/taskb_input.jsonl": ("mtrag_tasks", 5, 0, 0),
    "samples/ragas/hf_doc_qa_eval.csv": ("questions", 66, 0, 0),
    "samples/ragchecker/checking_inputs.json": ("ragchecker", 2, 2, 0),
    "samples/ragchecker/checking_outputs.json": ("ragchecker_outputs", 2, 2, 92),
    "samples/rgb/zh_fact.head.json": ("rgb", 25, 0, 0),
    "samples/trec_rag/kiddie_run1.jsonl": ("auto_judge", 5, 5, 0),
    "samples/trec_rag/kiddie_topics.jsonl": ("auto_judge_topics", 5, 0, 0),
    "samples/vnlaw/benchmark_queries.jsonl": ("vnlaw_queries", 128, 0, 0),
    "samples/vnlaw/generation_case_results.odd.jsonl": ("vnlaw_answers", 64, 64, 0),
    "samples/vnlaw/retrieval_case_results.jsonl": ("vnlaw_retrieval", 128, 128, 0),
    "samples/wild/910650692__rag_queries_20251208.jsonl": ("query_log", 8, 8, 0),
    "samples/wild/910650692__ragas_results.csv": ("ragas", 15, 15, 0),
    "samples/wild/Grigoryashka__ragas_results.csv": ("ragas", 2, 2, 0),
    "samples/wild/Septimus4__sample_questions.json": ("questions", 22, 0, 0),
    "samples/wild/pfalconiere__langchain_results.csv": ("answers", 50, 50, 0),
    "samples_memory/ikat/2023_train_topics.json": ("ikat_topics", 95, 0, 0),
    "samples_memory/mtrag/cloud/cloud_lastturn.jsonl": ("beir_queries", 188, 0, 0),
    "samples_memory/mtrag/cloud/cloud_questions.jsonl": ("beir_queries", 188, 0, 0),
    "samples_memory/mtrag/cloud/cloud_rewrite.jsonl": ("beir_queries", 188, 0, 0),
    "samples_memory/mtrag/govt/govt_lastturn.jsonl": ("beir_queries", 201, 0, 0),
    "samples_memory/mtrag/govt/govt_questions.jsonl": ("beir_queries", 201, 0, 0),
    "samples_memory/mtrag/govt/govt_rewrite.jsonl": ("beir_queries", 201, 0, 0),
    "samples_memory/mtrag/sample_data/responses-10.jsonl": ("mtrag", 10, 10, 0),
    "samples_memory/mtrag/sample_data/taskac_input.jsonl": ("mtrag_questions", 10, 0, 0),
    "samples_memory/mtrag/sample_data/taskb_input.jsonl": ("mtrag_tasks", 10, 0, 0),
    "samples_memory/own_cases/longmemeval_format_mini.json": ("longmemeval", 7, 0, 0),
    "samples_memory/own_cases/longmemeval_format_mini_labelled.jsonl": ("longmemeval_labels", 0, 7, 7),
    "samples_memory/trec_cast/2019_evaluation_topics_annotated_resolved_v1.0.tsv": ("cast_resolved", 479, 0, 0),
    "samples_memory/trec_cast/2019_evaluation_topics_v1.0.json": ("cast_topics", 479, 0, 0),
    "samples_memory/trec_cast/2020_manual_evaluation_topics_v1.0.json": ("cast_topics", 216, 0, 0),
    "samples_models/s1_hard.jsonl": ("paired_answers", 26, 26, 0),
}
REFUSED = {
    "samples/alce/asqa_default.json": "it is a prompt",
    "samples/lfs/MultiHopRAG.json": "this is a Git LFS pointer, not the data",
    "samples/locomo/26.json": "a conversation without questions",
    "samples/markers/citation_markers.jsonl": "examples for a parser",
    "samples/promptfoo/rag-eval.promptfooconfig.yaml": "code to run",
    "samples/vnlaw/retrieval_metrics_all.json": "means of another tool",
    "samples/vnlaw/retrieval_metrics_development.json": "means of another tool",
    "samples/vnlaw/retrieval_metrics_held_out_test.json": "means of another tool",
    "samples/wild/HyeonBin0118__ragas_results.csv": "a row is a model, not a case",
    "samples/wild/nikola-zitko__ragas_results.csv": "means of another tool",
    "samples/wild/pfalconiere__retrieval_metrics.csv": "means of another tool",
    "samples_memory/locomo_zep/zep_locomo_grades_by_question.csv": "a grade is no judgment",
    "samples_memory/own_cases/known_rewrites.jsonl": "labels of rewrites",
    "samples_models/nli_pairs_en.tsv": "pairs for a judge of entailment",
    "samples_models/nli_pairs_vi.tsv": "pairs for a judge of entailment",
}
OURS = {
    "samples/beir_trec/scifact.test.txt": "trec_qrels",
    "samples/cast/2019qrels.head.txt": "trec_qrels",
    "samples/mtrag/clapnq/dev.tsv": "beir",
    "samples/mtrag/fiqa/dev.tsv": "beir",
    "samples/mtrag/un_fiqa.tsv": "beir",
    "samples_memory/ikat/2023_ptkb_rel_org.txt": "trec_qrels",
    "samples_memory/mtrag/cloud/qrels/dev.tsv": "beir",
    "samples_memory/mtrag/govt/qrels/dev.tsv": "beir",
    "samples_memory/own_cases/memory_cases.jsonl": "samples",
    "samples_memory/s3_exp03/memory_ablation.json": "memory_results",
    "samples_memory/s3_exp03/memory_cases_seed7.jsonl": "samples",
}
# Expected values of tests, not a file that anybody would import.
NOT_MEANT = {"samples_memory/reference_values.json"}
# Several runs, and a topic among the answers: the faults say so.
FAULTY = {
    "samples/trec_rag/rag24_answers.jsonl": ("trec_rag", ["the row has no 'topic_id'", "a second row for '23287'"])
}


def sample(shared: Path, name: str) -> Path:
    path = shared / name
    if not path.exists():
        pytest.skip(f"no samples: ../shared/{name} does not exist beside the checkout")
    return path


def test_every_sample_is_in_a_table(shared: Path) -> None:
    sample(shared, "samples")
    found = {
        str(path.relative_to(shared))
        for folder in ("samples", "samples_memory", "samples_models")
        for path in (shared / folder).rglob("*")
        if path.is_file() and path.name != "SOURCE.md" and "convomem_results" not in path.parts
    }
    assert found == READ.keys() | REFUSED.keys() | OURS.keys() | FAULTY.keys() | NOT_MEANT


@pytest.mark.parametrize("name", READ)
def test_it_is_read(shared: Path, name: str) -> None:
    path, problems = sample(shared, name), Problems()
    kind, *counts = READ[name]
    assert recognise(path) == kind
    made = convert(path, kind, problems)
    assert [str(fault) for fault in problems.faults] == []
    assert [len(made.cases), len(made.outputs), len(made.judgments)] == counts


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_its_reason(shared: Path, name: str) -> None:
    path = sample(shared, name)
    with pytest.raises(InputError, match=REFUSED[name]):
        convert(path, recognise(path), Problems())


def test_tables_of_rates_are_refused(shared: Path) -> None:
    paths = sorted(sample(shared, "samples_memory/convomem_results").rglob("*.csv"))
    assert len(paths) > 30
    assert {recognise(path) for path in paths} == {"rate_summary"}


@pytest.mark.parametrize("name", OURS)
def test_it_needs_no_conversion(shared: Path, name: str) -> None:
    path = sample(shared, name)
    assert format_of(path)[0] == OURS[name]
    assert f"it is read as it is ({OURS[name]})" in ragmeter("convert", str(path)).stderr


@pytest.mark.parametrize("name", FAULTY)
def test_its_faults_are_said(shared: Path, name: str) -> None:
    path, problems = sample(shared, name), Problems()
    kind, said = FAULTY[name]
    assert recognise(path) == kind
    convert(path, kind, problems)
    assert [part in fault.message for part, fault in zip(said, problems.faults, strict=True)] == [True] * len(said)


def test_bare_nan_is_counted(shared: Path) -> None:
    problems = Problems()
    convert(sample(shared, "samples/mtrag/responses-10.jsonl"), "mtrag", problems)
    assert problems.warning_counts == {"NaN": 17}


def scored(tmp_path: Path, path: Path, *options: str) -> dict[str, Any]:
    assert ragmeter("convert", str(path), "--output", str(tmp_path)).code == 0
    files = [str(file) for file in sorted(tmp_path.glob("*.jsonl")) if "judgments" not in file.name]
    judged = [f"--judgments={file}" for file in tmp_path.glob("*.judgments.jsonl")]
    ran = ragmeter("score", *files, *judged, *options, "--format", "json")
    assert ran.code == 0, ran.stderr
    said: dict[str, Any] = json.loads(ran.stdout)
    return said


def test_reciprocal_ranks_of_the_vietnamese_law_lists_are_the_published_ones(shared: Path, tmp_path: Path) -> None:
    path = sample(shared, "samples/vnlaw/retrieval_case_results.jsonl")
    published = {row["query_id"]: row["reciprocal_rank_at_10"] for row in map(json.loads, path.open(encoding="utf-8"))}
    said = scored(tmp_path, path, "-m", "reciprocal_rank@10", "--by", "category")
    held = {row["id"]: row["metrics"]["reciprocal_rank@10"] for row in said["cases"]}
    allowed = [e for e in said["estimates"] if e["slice"] == "category=answer_allowed"]
    compared = {id: value for id, value in held.items() if value is not None and published[id] is not None}
    assert len(compared) > 90
    assert all(value == pytest.approx(published[id], abs=1e-12) for id, value in compared.items())
    assert len(allowed) == 1 and allowed[0]["n_scored"] + sum(allowed[0]["n_null"].values()) == 110
    # a list without a relevant document has no judged relevant one here, and is null; they count it as 0
    summary = json.loads((path.parent / "retrieval_metrics_all.json").read_bytes())
    assert allowed[0]["value"] * allowed[0]["n_scored"] / 110 == pytest.approx(summary["mrr_at_10"], abs=1e-9)


def test_claim_metrics_of_ragchecker_are_the_published_ones(shared: Path, tmp_path: Path) -> None:
    path = sample(shared, "samples/ragchecker/checking_outputs.json")
    published = json.loads(path.read_bytes())["metrics"]
    said = scored(tmp_path, path, "-m", "claim_precision,claim_recall,faithfulness,context_recall")["summary"]
    assert round(said["claim_precision"] * 100, 1) == published["overall"]["precision"]
    assert round(said["claim_recall"] * 100, 1) == published["overall"]["recall"]
    assert round(said["faithfulness"] * 100, 1) == published["generator"]["faithfulness"]
    assert round(said["context_recall"] * 100, 1) == published["retriever"]["claim_recall"]
