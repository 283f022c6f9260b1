"""Every id metric of the registry: definition, kernel and the naive formula on raw ids agree."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragmeter.batch import batch_of
from ragmeter.evaluate import Evaluation
from ragmeter.facts import EVERY, Facts, reduce
from ragmeter.metrics import Measure, measure
from ragmeter.profiles import PROFILES, profile
from ragmeter.records import Case, Output
from ragmeter.registry import find, own_names
from ragmeter.result import REASONS
from tests import naive

K = {"precision", "relative_p", "context_precision", "hit", "recall", "unj", "judged"}
NAIVE: dict[str, Callable[..., float | None]] = {
    "judged": lambda q, r, k, level: naive.judged(q, r, k=k, denominator="returned", level=level),
    "iprec_at_recall": lambda q, r, k, **o: naive.iprec_at_recall(q, r, x=k, **o),
    "rprec_mult": lambda q, r, k, **o: naive.rprec_mult(q, r, x=k, **o),
    "rbp": lambda q, r, max_grade, **o: naive.rbp(q, r, max_grade=max_grade or None, **o),
    "rbp_residual": naive.rbp_resid,
}
SPECS = [
    "recall@{k}", "precision@{k}", "hit@{k}", "context_precision@{k}", "relative_p@{k}", "judged@{k}", "unj@{k}",
    "reciprocal_rank", "reciprocal_rank@{k}", "average_precision", "average_precision@{k}", "ndcg", "ndcg@{k}",
    "ndcg:exp@{k}", "dcg@{k}", "dcg:exp", "ideal_dcg@{k}", "r_precision", "rprec_mult@0.2", "rprec_mult@1.6", "bpref",
    "gm_bpref", "gm_map", "infap", "iprec_at_recall@0.3", "iprec_at_recall:9@0.7", "eleven_point_average:9",
    "eleven_point_average", "set_precision", "set_recall", "set_relative_p", "set_map", "set_f", "set_f:x=0.5",
    "ndcg_rel", "r_ndcg", "g_measure", "bin_g", "yaap", "utility", "utility:a=2,b=-3,c=-1", "utility:d=0.5,collection=50", "rprec_mult@0.05", "rbp", "rbp@{k}",
    "rbp:scaled,max_grade=4,p=0.5", "rbp:scaled", "rbp_residual", "rbp_residual:trec@{k}", "err@{k}", "err", "nerr@{k}",
    "num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret",
]  # fmt: skip
SETS = ["citation_coverage", "citation_validity", "cited_irrelevant_rate", "relevant_retrieved_uncited_rate"]

ids = st.sampled_from("abcdefgh")
qrels = st.dictionaries(ids, st.integers(-1, 3), max_size=8)
binary = st.dictionaries(ids, st.just(1), max_size=5)
cases = st.tuples(st.one_of(qrels, binary), st.lists(ids, max_size=12), st.lists(ids, max_size=5))


def made(rows: list[Any]) -> list[tuple[Case, Output]]:
    return [
        (Case(f"q{i}", qrels=judged), Output(f"q{i}", tuple(retrieved), True, tuple(cited)))
        for i, (judged, retrieved, cited) in enumerate(rows)
    ]


def expected(one: Measure, name: str, case: Case, output: Output, level: int) -> float | None:
    formula = NAIVE.get(name) or getattr(naive, name)
    options = dict(one.options)
    return formula(case.qrels, naive.unique(output.retrieved), level=level, **options)


@pytest.mark.parametrize("spec", SPECS)
@given(rows=st.lists(cases, min_size=1, max_size=6), k=st.integers(1, 9), level=st.integers(1, 3))
def test_definition_kernel_and_the_naive_formula_agree(spec: str, rows: list[Any], k: int, level: int) -> None:
    one = measure(spec.format(k=k), profile("standard"))
    name = one.definition.partition("@")[0].partition(":")[0]
    pairs = made(rows)
    if name in ("err", "nerr"):
        level = 1
    facts = [Facts(*reduce(case, output, level)) for case, output in pairs]
    said = [one.metric.score(f, **one.options) for f in facts]
    for (case, output), score in zip(pairs, said, strict=True):
        value = expected(one, name, case, output, level)
        assert (score.value is None) == (value is None), (score, value, case.qrels, output.retrieved)
        if value is not None and score.value is not None:
            assert math.isclose(score.value, value, rel_tol=1e-12, abs_tol=1e-12), (case.qrels, output.retrieved)
    if one.metric.kernel is not None:
        held = batch_of([(case.id, f) for (case, _), f in zip(pairs, facts, strict=True)], level)
        num, den, reason = one.metric.kernel(held, **one.options)
        for i, score in enumerate(said):
            assert REASONS[reason[i]] == score.reason
            if not score.reason:
                bottom = den if isinstance(den, int) else den[i]
                assert (num[i], num[i] / bottom) == (score.num, score.value)


@pytest.mark.parametrize("name", SETS)
@given(row=cases)
def test_citation_metrics_agree_with_sets(name: str, row: Any) -> None:
    ((case, output),) = made([row])
    relevant = {passage for passage, grade in case.qrels.items() if grade >= 1}
    value = getattr(naive, name)(relevant, output.retrieved, output.cited)
    assert find("metric", name).score(Facts(*reduce(case, output))).value == value


@pytest.mark.parametrize("spec", [spec for spec in SPECS if "{k}" in spec])
@given(row=cases, k=st.integers(1, 9))
def test_a_metric_with_a_cutoff_reads_no_rank_beyond_it(spec: str, row: Any, k: int) -> None:
    one = measure(spec.format(k=k), profile("standard"))
    ((case, output),) = made([row])
    assert one.depth in (k, 0)
    whole, cut = (Facts(*reduce(case, output, 1, depth)) for depth in (EVERY, one.depth))
    assert one.score(whole) == one.score(cut)


@given(rows=st.lists(cases, min_size=1, max_size=8))
def test_a_batch_gives_back_the_facts_it_was_made_of(rows: list[Any]) -> None:
    facts = [Facts(*reduce(case, output)) for case, output in made(rows)]
    held = batch_of([(str(i), f) for i, f in enumerate(facts)])
    for i, f in enumerate(facts):
        again = held.facts(i)
        for field in ("relevant", "retrieved", "repeated", "ranks", "grades", "ideal", "nonrelevant"):
            assert getattr(again, field) == getattr(f, field)


@given(rows=st.lists(cases, min_size=1, max_size=9), cut=st.integers(0, 9))
def test_cases_and_batches_in_any_partition_give_the_same_estimates(rows: list[Any], cut: int) -> None:
    columns = [measure(spec.format(k=3), profile("trec10")) for spec in SPECS]
    whole = Evaluation(columns, profile("trec10"))
    pairs = made(rows)
    whole.add_all(pairs)
    split = Evaluation(columns, profile("trec10"))
    for part in (pairs[:cut], pairs[cut:]):
        if part:
            split.add_batch(batch_of([(case.id, Facts(*reduce(case, output))) for case, output in part]))
    assert whole.result({}).estimates == split.result({}).estimates


def test_every_metric_of_ours_is_held_here_or_says_that_it_reads_records() -> None:
    held = {spec.partition("@")[0].partition(":")[0] for spec in SPECS} | set(SETS)
    others = {name for name in own_names("metric") if not find("metric", name).by_record}
    assert others == held


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_every_profile_can_be_measured(name: str) -> None:
    chosen = profile(name)
    assert [measure(spec, chosen) for spec in chosen.metrics]
    for typed in chosen.names:
        assert measure(typed, chosen)
