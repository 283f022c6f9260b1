"""Our metrics are trec_eval's, per query at 1e-12, under the profile of each version.

Not compared: `runid` and `relstring` (no numbers), graded `rbp` of 10.0 (its divisor is never set).
"""

import math
from pathlib import Path

import pytest

from ragmeter.evaluate import evaluate
from ragmeter.facts import Facts, reduce
from ragmeter.metrics import Measure, measure
from ragmeter.profiles import profile
from ragmeter.records import Case, Output
from tests.oracles import trec_eval
from tests.oracles.trec_eval import OPTION_SETS, VERSIONS

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "trec_eval"
PROFILES = {"9.0.8": "trec9", "10.0": "trec10"}

if not RECORDED.is_dir():
    pytestmark = pytest.mark.skip("no recorded tables: ../shared/conformance/trec_eval is not beside the checkout")


def spec_of(row: str) -> str:
    """'P_10' -> 'P@10', 'iprec_at_recall_0.10' -> 'iprec_at_recall@0.1', 'ndcg_cut_5' -> 'ndcg_cut@5'."""
    stem, _, last = row.rpartition("_")
    if row in ("gm_map", "num_q") or not last.replace(".", "").isdigit():
        return row
    return f"{stem}@{float(last):g}"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", OPTION_SETS)
def test_every_number_of_a_recorded_table_is_ours(name: str, version: str) -> None:
    options = OPTION_SETS[name]
    table = trec_eval.expected(RECORDED, name, version)
    qrels = trec_eval.read_qrels(RECORDED / options.qrels)
    ranked = trec_eval.rankings(qrels, trec_eval.read_run(RECORDED / options.run), options, version)
    chosen = profile(PROFILES[version])
    rows = [row for row in dict.fromkeys(row for row, _ in table) if row not in ("runid", "rbp")]
    columns = {row: measure(spec_of(row), chosen) for row in rows if not row.startswith("relstring")}
    pairs = {q: (Case(q, qrels=qrels[q]), Output(q, tuple(ranking))) for q, ranking in ranked.items()}
    facts = {q: Facts(*reduce(case, output, options.level)) for q, (case, output) in pairs.items()}
    result = evaluate(list(pairs.values()), unique(columns), chosen, level=options.level)
    compared = 0
    for (row, query), theirs in table.items():
        if row not in columns:
            continue
        one = columns[row]
        ours = result.find(one.definition).value if query == "all" else one.score(facts[query]).value
        assert ours is not None and math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-12), (row, query, ours, theirs)
        compared += 1
    assert compared > 50


def unique(columns: dict[str, Measure]) -> list[Measure]:
    return list({one.definition: one for one in columns.values()}.values())
