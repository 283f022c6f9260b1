"""From files to numbers: trec_eval's recorded tables and the published figures of a retrieval experiment.

Both ways of reading are held against them: line by line, and in blocks.
"""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from ragmeter.errors import Problems
from ragmeter.formats import _trec
from ragmeter.score import score
from ragmeter.suite import Suite
from tests.helpers.command import ragmeter
from tests.oracles import trec_eval
from tests.oracles.trec_eval import OPTION_SETS, VERSIONS

PROFILES = {"9.0.8": "trec9", "10.0": "trec10"}
ROWS = {
    "map": "map", "Rprec": "Rprec", "bpref": "bpref", "recip_rank": "recip_rank", "P_10": "P@10", "ndcg": "ndcg",
    "ndcg_cut_10": "ndcg_cut@10", "recall_100": "recall@100", "success_5": "success@5", "infAP": "infAP",
    "num_ret": "num_ret", "num_rel_ret": "num_rel_ret", "gm_map": "gm_map", "11pt_avg": "11pt_avg",
}  # fmt: skip


@pytest.fixture(params=["line by line", "in blocks"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(_trec, "SMALL", 0 if request.param == "in blocks" else 1 << 40)
    return request.param


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", OPTION_SETS)
def test_files_give_the_recorded_numbers(name: str, version: str, shared: Path, way: str) -> None:
    folder, options = shared / "conformance" / "trec_eval", OPTION_SETS[name]
    suite = Suite(
        cases=(str(folder / options.run),),
        qrels=(str(folder / options.qrels),),
        metrics=tuple(ROWS.values()),
        profile=PROFILES[version],
        level=options.level,
        queries="judged" if options.complete else "common",
        judged_only=options.judged_only,
        per_query=True,
    )
    result, rows = score(suite, Problems())
    table = trec_eval.expected(folder, name, version)
    labels = dict(zip(ROWS, [e.metric for e in result.estimates], strict=True))
    ours: dict[tuple[str, str], Any] = {}
    for row, label in labels.items():
        ours[row, "all"] = result.find(label).value  # type: ignore[union-attr]
        ours |= {(row, one.id): one.metrics[label] for one in rows if row != "gm_map"}
    compared = {key: value for key, value in table.items() if key in ours}
    assert len(compared) >= 40
    for key, theirs in compared.items():
        assert math.isclose(ours[key], theirs, rel_tol=1e-12, abs_tol=1e-12), (key, ours[key], theirs)


@pytest.mark.parametrize("kind", ["hybrid", "manual"])
def test_a_published_retrieval_experiment_is_reproduced(kind: str, shared: Path, way: str) -> None:
    folder = shared / "conformance" / "dvc_rag"
    published = json.loads((folder / "EXPECTED.json").read_text())["exp01"][kind]["overall"]
    ran = ragmeter(
        "score", str(folder / "exp01" / f"run_{kind}.reconstructed.trec"),
        "--qrels", str(folder / "exp01" / f"qrels_{kind}.trec"),
        "-m", "hit@1,3,5,10,recall@5,rr,ndcg@10", "--format", "json",
    )  # fmt: skip
    assert ran.code == 0, ran.stderr
    summary = json.loads(ran.stdout)["summary"]
    assert summary["case_count"] == published["n"]
    names = {name: "reciprocal_rank" if name == "rr" else name for name in published if name != "n"}
    assert len(names) == 7
    for theirs, ours in names.items():
        found = summary.get(ours, summary.get(theirs))
        assert abs(found - published[theirs]) < 1e-9, theirs
