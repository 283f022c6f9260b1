"""Where pytrec-eval-terrier, ir-measures and ranx agree with the naive measures, and each place where not.

pytrec_eval is a binding of trec_eval 9: it is held against us on invented queries too, where there are ties,
negative grades, unjudged passages, nothing relevant, nothing left. Numbers are the same at 1e-12.
"""

import math
import shutil
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.oracles import trec_eval
from tests.oracles.ranx_scores import ranx_scores
from tests.oracles.trec_eval import OPTION_SETS, Options

pytrec_eval = pytest.importorskip("pytrec_eval")

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "trec_eval"
recorded = pytest.mark.skipif(
    not RECORDED.is_dir(),
    reason="no recorded data: ../shared/conformance/trec_eval is not beside the checkout",
)
CLOSE = 1e-12
RECORDED_NAMES = ("all_trec_qc_graded", "all_trec_qc_ragtrack")
Table = dict[str, dict[str, float]]


def same(ours: float | None, theirs: float) -> bool:
    """None is what these tools write 0 for."""
    return math.isclose(ours or 0.0, theirs, rel_tol=CLOSE, abs_tol=CLOSE)


@cache
def inputs(options: Options) -> tuple[Table, Table, Table]:
    """Qrels and run of the queries that have both, and that run with every tie broken as trec_eval 9 does."""
    qrels = trec_eval.read_qrels(RECORDED / options.qrels)
    run = trec_eval.read_run(RECORDED / options.run)
    common = naive.query_set(qrels, run, "common")
    untied = {
        query: {doc: float(-place) for place, doc in enumerate(naive.order(run[query], "trec9"))} for query in common
    }
    return {query: qrels[query] for query in common}, {query: run[query] for query in common}, untied


# ---------------------------------------------------------------- pytrec_eval

MEASURES = set(pytrec_eval.supported_measures) - {"runid", "relstring"}  # text, which it gives as 0.0
PARAMETERS = {"P.1,2,3,50", "recall.1,2,50", "ndcg_cut.1,2,3,50", "map_cut.1,2,50", "success.1,2,50"}
PARAMETERS |= {"relative_P.1,2,50", "Rprec_mult.0.05,0.5,1.0,7.0", "iprec_at_recall.0.0,0.25,0.5,1.0"}
ASKED = {name for name in MEASURES if name not in {asked.partition(".")[0] for asked in PARAMETERS}} | PARAMETERS

# Nothing retrieved, or nothing left of it by -J: it divides 0 by 0 where the recall level is 0 passages.
NAN_OF_NOTHING = ("iprec_at_recall", "11pt_avg")


def pytrec(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    asked: set[str],
    level: int,
    judged_only: bool,
) -> Table:
    evaluator = pytrec_eval.RelevanceEvaluator(
        {query: dict(grades) for query, grades in qrels.items()},
        asked,
        relevance_level=level,
        judged_docs_only_flag=judged_only,
    )
    table: Table = evaluator.evaluate({query: dict(scores) for query, scores in run.items()})
    return table


def differing(
    qrels: Mapping[str, Mapping[str, int]], ranked: Mapping[str, list[str]], theirs: Table, level: int
) -> list[tuple[str, str, float | None, float]]:
    found = []
    for query, rows in theirs.items():
        for row, value in rows.items():
            ours = trec_eval.ours(row, "9.0.8")(qrels[query], ranked[query], level=level)
            if ours is None:
                ours = trec_eval.undefined_value(row)
            nothing = not ranked[query] and row.startswith(NAN_OF_NOTHING) and math.isnan(value)
            if not same(ours, 0.0 if nothing else value):
                found.append((row, query, ours, value))
    return found


@recorded
@pytest.mark.parametrize("name", OPTION_SETS)
def test_pytrec_eval_is_trec_eval_9_on_the_recorded_data(name: str) -> None:
    options = OPTION_SETS[name]
    qrels, run, _ = inputs(Options(options.qrels, options.run))
    ranked = trec_eval.rankings(qrels, run, options, "9.0.8")
    theirs = pytrec(qrels, run, MEASURES, options.level, options.judged_only)
    assert sorted(theirs) == sorted(ranked)
    assert not differing(qrels, ranked, theirs, options.level)


DOCS = ["a", "b", "c", "d", "e", "9", "10", "é", "z", "tài", "文"]
SCORES = [1.0, 1.0000000001, 0.5, 0.1234567891, 0.123456789, 0.0, -2.0, 1e300]
GRADES = st.dictionaries(st.sampled_from(DOCS), st.integers(-2, 3), min_size=1).filter(
    lambda grades: max(grades.values()) >= 0  # else its ndcg, ndcg_rel and G may never return
)
RUNS = st.dictionaries(st.sampled_from(DOCS), st.sampled_from(SCORES), max_size=len(DOCS))


@settings(max_examples=600)
@given(grades=GRADES, scores=RUNS, level=st.integers(1, 3), judged_only=st.booleans())
def test_pytrec_eval_agrees_on_any_query(
    grades: dict[str, int], scores: dict[str, float], level: int, judged_only: bool
) -> None:
    ranking = naive.order(scores, "trec9")
    if judged_only:
        ranking = naive.judged_only(grades, ranking)
    theirs = pytrec({"q": grades}, {"q": scores}, ASKED, level, judged_only)
    assert len(theirs["q"]) > 50
    assert not differing({"q": grades}, {"q": ranking}, theirs, level)


def test_pytrec_eval_gives_nan_for_precision_at_recall_0_of_nothing() -> None:
    theirs = pytrec({"q": {"a": 1}}, {"q": {}}, {"iprec_at_recall", "11pt_avg"}, 1, False)["q"]
    assert [row for row, value in theirs.items() if math.isnan(value)] == ["iprec_at_recall_0.00", "11pt_avg"]
    assert naive.iprec_at_recall({"a": 1}, [], x=0.0) == 0.0
    assert naive.eleven_point_average({"a": 1}, []) == 0.0


# ---------------------------------------------------------------- ir-measures


def ir_measures_table(names: list[str], qrels: Table, run: Table) -> Table:
    ir_measures = pytest.importorskip("ir_measures")
    table: Table = {name: {} for name in names}
    # Measures with gains of their own in a call of their own: in one call, which of them a plain nDCG gets
    # depends on the order of a set, so on PYTHONHASHSEED.
    for called in ([name for name in names if "gains" not in name], *([name] for name in names if "gains" in name)):
        measures = [ir_measures.parse_measure(name) for name in called]
        for row in ir_measures.iter_calc(measures, qrels, run) if measures else ():
            table[called[measures.index(row.measure)]][row.query_id] = row.value
    return table


P = partial
IR_MEASURES: dict[str, Callable[..., Any]] = {
    "P@10": P(naive.precision, k=10),
    "P(rel=2)@10": P(naive.precision, k=10, level=2),
    "R@100": P(naive.recall, k=100),
    "AP": naive.average_precision,
    "AP@10": P(naive.average_precision, k=10),
    "AP(rel=2)": P(naive.average_precision, level=2),
    "RR": naive.reciprocal_rank,
    "nDCG": naive.ndcg,
    "nDCG@10": P(naive.ndcg, k=10),
    "nDCG(gains={0:0,1:3,2:9,3:4})@10": P(naive.ndcg, k=10, gain={1: 3, 2: 9, 3: 4}),
    "Rprec": naive.r_precision,
    "Rprec(rel=2)": P(naive.r_precision, level=2),
    "Bpref": naive.bpref,
    "Bpref(rel=2)": P(naive.bpref, level=2),
    "infAP": naive.infap,
    "IPrec@0.1": P(naive.iprec_at_recall, x=0.1, rounding="9"),
    "IPrec@0.6": P(naive.iprec_at_recall, x=0.6, rounding="9"),
    "SetP": naive.set_precision,
    "SetP(relative=True)": naive.set_relative_p,
    "SetR": naive.set_recall,
    "SetAP": naive.set_map,
    "SetF": naive.set_f,
    "SetF(beta=2.0)": P(naive.set_f, x=2.0),  # its beta goes to trec_eval unsquared: it is our x
    "Success@10": P(naive.hit, k=10),
    "NumRet": naive.num_ret,
    "NumRet(rel=1)": naive.num_rel_ret,
    "NumRel": naive.num_rel,
}


@recorded
@pytest.mark.parametrize("name", RECORDED_NAMES)
def test_ir_measures_agrees(name: str) -> None:
    qrels, run, _ = inputs(Options(OPTION_SETS[name].qrels, OPTION_SETS[name].run))
    theirs = ir_measures_table(list(IR_MEASURES), qrels, run)
    for row, measure in IR_MEASURES.items():
        assert set(theirs[row]) == set(qrels), row
        for query, value in theirs[row].items():
            assert same(measure(qrels[query], naive.order(run[query], "trec9")), value), (row, query)


# These are its own Python or other programs: ties by RISING id, so that the ties are taken out first.
OWN: dict[str, tuple[Callable[..., Any], float]] = {
    "RR@10": (P(naive.reciprocal_rank, k=10), CLOSE),  # its MS MARCO provider
    "RR(rel=2)@3": (P(naive.reciprocal_rank, k=3, level=2), CLOSE),
}


@recorded
@pytest.mark.parametrize("name", RECORDED_NAMES)
@pytest.mark.parametrize("row", OWN)
def test_ir_measures_agrees_without_ties(name: str, row: str) -> None:
    qrels, _, untied = inputs(Options(OPTION_SETS[name].qrels, OPTION_SETS[name].run))
    measure, close = OWN[row]
    for query, value in ir_measures_table([row], qrels, untied)[row].items():
        assert abs((measure(qrels[query], naive.order(untied[query])) or 0.0) - value) <= close, query


@recorded
@pytest.mark.parametrize("name", RECORDED_NAMES)
def test_judged_of_ir_measures_counts_negative_grades_as_judged(name: str) -> None:
    """Its denominator is that of `returned`; a grade below 0 is judged there and not judged here."""
    qrels, _, untied = inputs(Options(OPTION_SETS[name].qrels, OPTION_SETS[name].run))
    pooled = {query: {doc: max(grade, 0) for doc, grade in grades.items()} for query, grades in qrels.items()}
    theirs = ir_measures_table(["Judged@100"], qrels, untied)["Judged@100"]
    for query, value in theirs.items():
        ranking = naive.order(untied[query])
        assert same(naive.judged(pooled[query], ranking, k=100, denominator="returned"), value)
        negative = any(qrels[query].get(doc, 0) < 0 for doc in ranking[:100])
        assert negative != same(naive.judged(qrels[query], ranking, k=100, denominator="returned"), value)


GDEVAL = 0.5e-5 + 1e-12  # it prints five decimals


@recorded
@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl program and there is no perl")
@pytest.mark.parametrize("k", [5, 20, 1000])
def test_gdeval_agrees_on_err_and_exponential_ndcg(k: int) -> None:
    """Grades up to 4, whatever the collection's highest; numeric query ids only, so the graded file alone."""
    qrels, run, _ = inputs(Options("qrels.rel_level", "results.test"))
    theirs = ir_measures_table([f"ERR@{k}", f"nDCG(dcg='exp-log2')@{k}"], qrels, run)
    for query, scores in run.items():
        ranking = naive.order(scores)
        err = naive.err(qrels[query], ranking, k=k, max_grade=4)
        ndcg = naive.ndcg(qrels[query], ranking, k=k, gain="exp")
        assert err is not None and abs(err - theirs[f"ERR@{k}"][query]) <= GDEVAL
        assert ndcg is not None and abs(ndcg - theirs[f"nDCG(dcg='exp-log2')@{k}"][query]) <= GDEVAL


# ---------------------------------------------------------------- ranx

RANX: dict[str, Callable[..., Any]] = {
    "hits": naive.num_rel_ret,
    "hit_rate@5": P(naive.hit, k=5),
    "precision": naive.set_precision,
    "precision@10": P(naive.precision, k=10),
    "precision@1000": P(naive.precision, k=1000),
    "recall": naive.recall,
    "recall@10": P(naive.recall, k=10),
    "f1": naive.set_f,
    "r-precision": naive.r_precision,
    "mrr": naive.reciprocal_rank,
    "mrr@1": P(naive.reciprocal_rank, k=1),
    "map": naive.average_precision,
    "map@10": P(naive.average_precision, k=10),
    "ndcg": naive.ndcg,
    "ndcg@10": P(naive.ndcg, k=10),
    "ndcg_burges@10": P(naive.ndcg, k=10, gain="exp"),
    "dcg@10": P(naive.dcg, k=10),
    "bpref": naive.bpref,
    "rbp.90": P(naive.rbp, p=0.9, gain="scaled", max_grade=1),  # its gain is the grade itself
}


TIED = {"b": {"b": 1}, "a": {"a": 1}, "c": {"c": 1}}
TIED_RUN = {query: {doc: 1.0 for doc in "abc"} for query in TIED}
GRADED, RAGTRACK = (Options(OPTION_SETS[name].qrels, OPTION_SETS[name].run) for name in RECORDED_NAMES)
JOBS = {"ragtrack": (RAGTRACK, 1), "graded": (GRADED, 1), "graded, level 2": (GRADED, 2)}


@cache
def ranx() -> dict[str, Table]:
    """All that ranx is asked here, in one process."""
    pytest.importorskip("ranx")
    jobs = {"tied": {"qrels": TIED, "run": TIED_RUN, "metrics": ["mrr"]}}
    for name, (options, level) in JOBS.items() if RECORDED.is_dir() else ():
        qrels, _, untied = inputs(options)
        suffix = f"-l{level}" if level > 1 else ""
        jobs[name] = {"qrels": qrels, "run": untied, "metrics": [row + suffix for row in RANX]}
    answers = zip(jobs, ranx_scores(list(jobs.values())), strict=True)
    return {name: {row.partition("-l2")[0]: values for row, values in rows.items()} for name, rows in answers}


def ranx_differs(name: str) -> dict[tuple[str, str], float]:
    """ranx's value where it is not ours."""
    options, level = JOBS[name]
    qrels, _, untied = inputs(options)
    theirs = ranx()[name]
    assert all(set(theirs[row]) == set(qrels) for row in RANX)
    return {
        (row, query): theirs[row][query]
        for row, measure in RANX.items()
        for query in qrels
        if not same(measure(qrels[query], naive.order(untied[query]), level=level), theirs[row][query])
    }


@recorded
def test_ranx_agrees_but_for_a_bpref_of_one_kind_of_judgment() -> None:
    one_kind = {
        query for query, grades in inputs(RAGTRACK)[0].items() if len({grade >= 1 for grade in grades.values()}) == 1
    }
    differs = ranx_differs("ragtrack")
    assert one_kind and set(differs) == {("bpref", query) for query in one_kind}
    assert all(math.isnan(value) for value in differs.values()), "it divides by the smaller kind's number, 0"


@recorded
def test_ranx_agrees_on_graded_judgments() -> None:
    assert not ranx_differs("graded")


@recorded
def test_ranx_gives_grades_below_the_level_no_gain() -> None:
    differs = ranx_differs("graded, level 2")
    assert differs and {row for row, _ in differs} <= {
        "ndcg",
        "ndcg@10",
        "ndcg_burges@10",
        "dcg@10",
        "rbp.90",
    }
    qrels, _, untied = inputs(GRADED)
    for (row, query), value in differs.items():
        cut = {doc: grade if grade >= 2 else min(grade, 0) for doc, grade in qrels[query].items()}
        assert same(RANX[row](cut, naive.order(untied[query])), value), "as if these grades were 0"


def test_ranx_leaves_ties_in_input_order() -> None:
    for query, value in ranx()["tied"]["mrr"].items():
        assert value == naive.reciprocal_rank(TIED[query], naive.order(TIED_RUN[query], "input"))
    assert [ranx()["tied"]["mrr"][query] for query in "abc"] == [1, 1 / 2, 1 / 3]
    assert naive.order(TIED_RUN["a"]) == ["c", "b", "a"]
