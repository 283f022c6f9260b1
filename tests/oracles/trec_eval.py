"""What trec_eval said: its input files, its `name query value` tables, and its names for our measures.

`expected()` reads the tables of `../shared/conformance/trec_eval`; `ours()` turns a row's name into the
measure of `tests/naive.py` and its options; `evaluate()` does with those what the program does with its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests import naive

Rows = dict[tuple[str, str], float | str]  # (row name, query or "all") -> value

VERSIONS = ("9.0.8", "10.0")


class Options(NamedTuple):
    """One invocation: files and flags. `complete` is -c, `judged_only` -J, `level` -l, `first` -M."""

    qrels: str
    run: str
    complete: bool = False
    judged_only: bool = False
    level: int = 1
    first: int | None = None


OPTION_SETS = {
    "all_trec_q": Options("qrels.test", "results.test"),
    "all_trec_qc_trunc": Options("qrels.test", "results.trunc", complete=True),
    "all_trec_ql2": Options("qrels.rel_level", "results.test", level=2),
    "all_trec_qJ": Options("qrels.test", "results.test", judged_only=True),
    "all_trec_qc_graded": Options("qrels.rel_level", "results.test", complete=True),
    "all_trec_qc_ragtrack": Options("qrels.comment.test", "results.comment.test", complete=True),
}


# ---------------------------------------------------------------- files


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """{query: {passage: grade}} in file order. A line is `query iter passage grade`; twice the same fails."""
    table: dict[str, dict[str, int]] = {}
    for line in path.read_text().splitlines():
        query, _, doc, grade = line.split()
        judgments = table.setdefault(query, {})
        assert doc not in judgments, f"{path.name}: {query} {doc} twice"
        judgments[doc] = int(grade)
    return table


def read_run(path: Path) -> dict[str, dict[str, float]]:
    """{query: {passage: score}} in file order. A line is `query Q0 passage rank score tag [junk]`."""
    table: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        query, _, doc, _, score, *_ = line.split()
        scores = table.setdefault(query, {})
        assert doc not in scores, f"{path.name}: {query} {doc} twice"
        scores[doc] = float(score)
    return table


def read_table(path: Path) -> Rows:
    """A trec_eval output. Values are numbers but for `runid` and `relstring`, which stay text unquoted."""
    rows: Rows = {}
    for line in path.read_text().splitlines():
        name, query, value = line.split("\t")
        name = name.strip()
        assert (name, query) not in rows, f"{path.name}: {name} {query} twice"
        text = name == "runid" or name.startswith("relstring")
        rows[name, query] = value.strip("'") if text else float(value)
    return rows


def expected(folder: Path, options: str, version: str) -> Rows:
    return read_table(folder / "expected_hiprec" / f"{options}.v{version}.txt")


# ---------------------------------------------------------------- names

PLAIN: dict[str, Callable[..., naive.Value]] = {
    "num_q": naive.num_q,
    "num_ret": naive.num_ret,
    "num_rel": naive.num_rel,
    "num_rel_ret": naive.num_rel_ret,
    "num_nonrel_judged_ret": naive.num_nonrel_judged_ret,
    "map": naive.average_precision,
    "gm_map": naive.gm_map,
    "Rprec": naive.r_precision,
    "bpref": naive.bpref,
    "gm_bpref": naive.gm_bpref,
    "recip_rank": naive.reciprocal_rank,
    "infAP": naive.infap,
    "binG": naive.bin_g,
    "yaap": naive.yaap,
    "set_P": naive.set_precision,
    "set_recall": naive.set_recall,
    "set_relative_P": naive.set_relative_p,
    "set_map": naive.set_map,
    "rbp_resid": partial(naive.rbp_resid, tail="trec"),
    "rbp": naive.rbp,
    "11pt_avg": naive.eleven_point_average,
    "set_F": naive.set_f,
    "utility": naive.utility,
    "ndcg": naive.ndcg,
    "dcg": naive.dcg,
    "ideal_dcg": naive.ideal_dcg,
    "ndcg_rel": naive.ndcg_rel,
    "Rndcg": naive.r_ndcg,
    "G": naive.g_measure,
}
CUT: dict[str, Callable[..., naive.Value]] = {
    "P": naive.precision,
    "recall": naive.recall,
    "success": naive.hit,
    "ndcg_cut": naive.ndcg,
    "map_cut": naive.average_precision,
    "relative_P": naive.relative_p,
    "unj": naive.unj,
}
AT: dict[str, Callable[..., naive.Value]] = {
    "iprec_at_recall": naive.iprec_at_recall,
    "Rprec_mult": naive.rprec_mult,
}
ROUNDED = ("iprec_at_recall", "11pt_avg")  # their recall levels round as the version does
NOT_PER_QUERY = ("runid", "num_q", "gm_map", "gm_bpref")
ONLY_10 = ("rbp", "rbp_resid", "unj_5", "unj_10", "unj_20")


def family_of(row: str) -> str:
    """The measure a row belongs to: `P` of `P_10`, `ndcg` of `ndcg_1=3,2=9`, `gm_map` of `gm_map`."""
    if row in PLAIN or row in ("runid", "relstring"):
        return row
    return row.rpartition("_")[0]


def ours(row: str, version: str) -> Callable[..., naive.Value]:
    """The naive measure behind a row's name, parameters and all; KeyError when there is none."""
    family = family_of(row)
    tail = row[len(family) + 1 :]
    options: dict[str, object] = {}
    if family in ROUNDED:
        options["rounding"] = "9" if version.startswith("9") else "10"
    if tail:
        options |= parameters(family, tail)
    measure = (CUT.get(family) or AT.get(family)) if tail else None
    return partial(measure or PLAIN[family], **options)


def parameters(family: str, tail: str) -> dict[str, object]:
    if family in CUT:
        return {"k": int(tail)}
    if family in AT or family == "set_F":
        return {"x": float(tail)}
    if family == "11pt_avg":
        return {"points": [float(x) for x in tail.split(",")]}
    if family == "utility":
        return dict(zip("abcd", map(float, tail.split(",")), strict=True))
    pairs = [pair.split("=") for pair in tail.split(",")]
    return {"gain": {int(grade): float(worth) for grade, worth in pairs}}


# ---------------------------------------------------------------- the program


def rankings(
    qrels: Mapping[str, naive.Qrels], run: Mapping[str, Mapping[str, float]], options: Options, version: str
) -> dict[str, list[str]]:
    """One ranking per query that counts; empty for one that the run lacks (with `complete`)."""
    rule = "trec9" if version.startswith("9") else "trec10"
    found = {}
    for query in naive.query_set(qrels, run, "judged" if options.complete else "common"):
        ranking = naive.order(run.get(query, {}), rule)[: options.first]
        found[query] = naive.judged_only(qrels[query], ranking) if options.judged_only else ranking
    return found


def undefined_value(row: str) -> float:
    """What trec_eval puts where a measure is undefined for one query: 0, or ln 1e-5 for a geometric mean."""
    return math.log(naive.EPSILON) if row in naive.GEOMETRIC else 0.0


def evaluate(
    qrels: Mapping[str, naive.Qrels],
    ranked: Mapping[str, naive.Ranking],
    row: str,
    version: str,
    level: int = 1,
) -> dict[str, float]:
    """One row's value of every query of `ranked` and, under "all", its summary."""
    measure = ours(row, version)
    values = {query: measure(qrels[query], ranking, level=level) for query, ranking in ranked.items()}
    rows = {query: undefined_value(row) if value is None else value for query, value in values.items()}
    summary = naive.aggregate(family_of(row), values.values(), undefined=0.0)
    assert summary is not None, "no query counts"
    return rows | {"all": summary}
