"""The naive measures are trec_eval's: every row of every recorded table, of both versions.

Values are recorded with 15 decimals; a number is the same when it differs by at most 1e-12, or by 1e-12 of
itself where it is above 1. The one row that is no oracle is `rbp` of 10.0, whose divisor is a variable that
the program never sets; it is checked up to that divisor.
"""

import math
from functools import cache
from pathlib import Path

import pytest

from tests import naive
from tests.oracles import trec_eval
from tests.oracles.trec_eval import OPTION_SETS, VERSIONS, Options, Rows

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "trec_eval"
CLOSE = 1e-12
FOUR_DECIMALS = 0.5e-4 + 1e-9
TABLES = [(name, version) for name in OPTION_SETS for version in VERSIONS]

if not RECORDED.is_dir():
    pytestmark = pytest.mark.skip("no recorded tables: ../shared/conformance/trec_eval is not beside the checkout")


def same(ours: float, theirs: float) -> bool:
    return math.isclose(ours, theirs, rel_tol=CLOSE, abs_tol=CLOSE)


@cache
def inputs(options: Options, version: str):
    qrels = trec_eval.read_qrels(RECORDED / options.qrels)
    run = trec_eval.read_run(RECORDED / options.run)
    return qrels, trec_eval.rankings(qrels, run, options, version), run


def measured(options: Options, version: str, names: list[str]) -> Rows:
    """Our rows of those names, keyed as in a table, but for `runid` and what is not a number."""
    qrels, ranked, _ = inputs(options, version)
    rows: Rows = {}
    for name in names:
        if name.startswith("relstring"):
            k = int(name.partition("_")[2] or 10)
            rows |= {(name, query): naive.relstring(qrels[query], ranked[query], k=k) for query in ranked}
        else:
            values = trec_eval.evaluate(qrels, ranked, name, version, options.level)
            rows |= {(name, query): value for query, value in values.items()}
    return rows


def shown(rows: Rows, options: Options, version: str) -> Rows:
    """Those that the program prints: no row per query for some, and in 9.0.8 none for an absent query."""
    run = inputs(options, version)[2]
    silent = set(inputs(options, version)[0]) - set(run) if version == "9.0.8" else set()
    return {
        (name, query): value
        for (name, query), value in rows.items()
        if query == "all" or (name not in trec_eval.NOT_PER_QUERY and query not in silent)
    }


def names_of(table: Rows) -> list[str]:
    return [name for name in dict.fromkeys(name for name, _ in table) if name != "runid"]


@pytest.mark.parametrize(("name", "version"), TABLES)
def test_every_row_of_a_recorded_table_is_ours(name: str, version: str) -> None:
    options = OPTION_SETS[name]
    table = trec_eval.expected(RECORDED, name, version)
    theirs = {key: value for key, value in table.items() if key[0] not in ("runid", "rbp")}
    ours = shown(measured(options, version, names_of(theirs)), options, version)
    assert sorted(ours) == sorted(theirs)
    differing = {
        key: (ours[key], value)
        for key, value in theirs.items()
        if not (ours[key] == value if isinstance(value, str) else same(float(ours[key]), value))
    }
    assert not differing


def test_the_tables_hold_every_measure_and_the_new_ones_only_in_10() -> None:
    names = {version: set(names_of(trec_eval.expected(RECORDED, "all_trec_q", version))) for version in VERSIONS}
    assert names["10.0"] - names["9.0.8"] == set(trec_eval.ONLY_10)
    assert names["9.0.8"] < names["10.0"]
    families = {trec_eval.family_of(name) for name in names["10.0"]}
    known = {"relstring", *trec_eval.PLAIN, *trec_eval.CUT, *trec_eval.AT}
    assert known - families == {"dcg", "ideal_dcg", "yaap"}, "not in the recorded tables: worked by hand"
    assert families <= known


@pytest.mark.parametrize("name", OPTION_SETS)
def test_rbp_of_10_is_the_sum_of_discounted_grades_over_a_stray_divisor(name: str) -> None:
    """Its variable `max` starts as whatever the measure before left there: the relevant passages found.
    The gains are then divided by the larger of that and the highest grade, if above 1."""
    options = OPTION_SETS[name]
    qrels, ranked, _ = inputs(options, "10.0")
    table = trec_eval.expected(RECORDED, name, "10.0")
    for query, ranking in ranked.items():
        found = naive.num_rel_ret(qrels[query], ranking, level=options.level)
        grades = naive.rbp(qrels[query], ranking, gain="scaled", max_grade=1) or 0.0  # None: nothing relevant
        divisor = max(found, *qrels[query].values(), 1)
        assert same(grades / divisor, float(table["rbp", query])), query


@pytest.mark.parametrize("family", ["iprec_at_recall", "11pt_avg"])
def test_the_two_roundings_of_recall_levels_are_told_apart_by_the_tables(family: str) -> None:
    options = OPTION_SETS["all_trec_qc_ragtrack"]
    new, old = (trec_eval.expected(RECORDED, "all_trec_qc_ragtrack", version) for version in ("10.0", "9.0.8"))
    names = [name for name in names_of(old) if name.startswith(family)]
    ours = measured(options, "10.0", names)
    wrong = [key for key in ours if not same(float(ours[key]), float(old[key]))]
    assert wrong and all(not same(float(old[key]), float(new[key])) for key in wrong)


def test_32_and_64_bit_scores_rank_the_recorded_runs_alike() -> None:
    """So these tables do not prove the score precision; the by-hand tests do."""
    for options in OPTION_SETS.values():
        assert inputs(options, "9.0.8")[1] == inputs(options, "10.0")[1]


# The program's own test files, with other parameters; printed with four decimals.
OUTPUTS = {
    "out.test.meas_params": Options("qrels.test", "results.test"),
    "out.test.aqcM": Options("qrels.test", "results.trunc", complete=True, first=100),
    "out.test.aql": Options("qrels.rel_level", "results.test", level=2),
    "out.test.aqc": Options("qrels.test", "results.trunc", complete=True),
    "out.comment.test": Options("qrels.comment.test", "results.comment.test"),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_programs_own_outputs_are_ours_to_four_decimals(name: str) -> None:
    options = OUTPUTS[name]
    table = trec_eval.read_table(RECORDED / name)
    theirs = {key: value for key, value in table.items() if key[0] not in ("runid", "rbp")}
    ours = measured(options, "10.0", names_of(theirs))
    assert theirs and set(theirs) <= set(ours)
    differing = {
        key: (ours[key], value)
        for key, value in theirs.items()
        if not (ours[key] == value if isinstance(value, str) else abs(float(ours[key]) - value) < FOUR_DECIMALS)
    }
    assert not differing
