"""Named conventions, as data. Where the field disagrees on a formula the profile decides, and reports say so."""

from __future__ import annotations

import math
from typing import Any

from msgspec import Struct, field

from ragmeter.errors import UsageError, nearest


class Profile(Struct, frozen=True):
    """One set of conventions.

    `metrics` are measured when none is named. `conventions` set options of metrics. `empty` says which null
    reasons count as a number ('*': for all metrics). `ties` orders equal scores of a run: 'id_descending'
    (trec_eval) or 'input'; `score_bits` is the precision in which scores are compared. `queries` is which
    cases count: 'judged' (all that have judgments; nothing retrieved counts) or 'common'. `labels` are the
    names shown in JSON, `titles` those of the Markdown tables, `names` further words that users may type.
    """

    name: str
    about: str
    metrics: tuple[str, ...]
    k: int | None = 5
    conventions: dict[str, dict[str, Any]] = field(default_factory=dict)
    empty: dict[str, dict[str, float]] = field(default_factory=dict)
    ties: str = "id_descending"
    score_bits: int = 64
    queries: str = "judged"
    labels: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    intervals: bool = True
    row_nulls: bool = True  # rows say why a value is null
    record_flags: bool = True  # flag what only the ids themselves show, too


_TREC_EMPTY = {
    "*": {
        reason: 0.0
        for reason in ("no_relevant", "nothing_retrieved", "no_nonrelevant", "undefined", "no_relevant_retrieved")
    }
}
_TREC_EMPTY |= {name: {"no_relevant": math.log(1e-5)} for name in ("gm_map", "gm_bpref")}
_TREC_NAMES = {
    "map": "average_precision", "map_cut": "average_precision", "P": "precision", "recip_rank": "reciprocal_rank",
    "Rprec": "r_precision", "success": "hit", "ndcg_cut": "ndcg", "11pt_avg": "eleven_point_average", "binG": "bin_g",
    "G": "g_measure", "Rndcg": "r_ndcg", "relative_P": "relative_p", "Rprec_mult": "rprec_mult", "infAP": "infap",
    "set_P": "set_precision", "set_F": "set_f", "set_relative_P": "set_relative_p", "rbp_resid": "rbp_residual",
}  # fmt: skip
_TREC_METRICS = (
    "average_precision", "r_precision", "bpref", "reciprocal_rank", "ndcg", "ndcg@10", "precision@5", "precision@10",
    "recall@100", "recall@1000", "hit@1", "hit@5", "hit@10",
)  # fmt: skip
_SHORT = {
    "map": "average_precision", "ap": "average_precision", "mrr": "reciprocal_rank", "rr": "reciprocal_rank",
    "p": "precision", "success": "hit",
}  # fmt: skip

PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "standard",
            "A case that cannot be scored is left out of the mean and counted beside it.",
            metrics=("recall", "precision", "hit", "reciprocal_rank", "ndcg@10", "average_precision"),
            names=_SHORT,
        ),
        Profile(
            "s2",
            "The offline harness: unique ids, everything cut at k, empty denominators are 0 but for recall and coverage.",
            metrics=("recall", "reciprocal_rank", "context_precision", "citation_coverage", "citation_validity"),
            conventions={"reciprocal_rank": {"k": 5}},
            empty={
                "reciprocal_rank": {"no_relevant": 0.0, "nothing_retrieved": 0.0},
                "context_precision": {"nothing_retrieved": 0.0},
                "citation_validity": {"no_citations": 0.0},
            },
            labels={
                "recall": "recall_at_k",
                "reciprocal_rank": "reciprocal_rank",
                "context_precision": "context_precision_at_k",
                "citation_coverage": "citation_coverage",
                "citation_validity": "citation_validity",
            },
            titles={
                "recall_at_k": "Recall@K",
                "reciprocal_rank": "Reciprocal rank",
                "context_precision_at_k": "Context precision@K",
                "citation_coverage": "Citation coverage",
                "citation_validity": "Citation validity",
            },
            names={
                "recall_at_k": "recall",
                "context_precision_at_k": "context_precision",
                "mrr": "reciprocal_rank",
                "context-precision": "context_precision",
                "citation-coverage": "citation_coverage",
                "citation-validity": "citation_validity",
            },
            intervals=False,
            row_nulls=False,
            record_flags=False,
        ),
        Profile(
            "trec10",
            "trec_eval 10: scores as doubles, ties by descending id, a query without relevant passages counts as 0.",
            metrics=_TREC_METRICS,
            k=None,
            conventions={
                "iprec_at_recall": {"rounding": "10"},
                "eleven_point_average": {"rounding": "10"},
                "rbp": {"p": 0.9},
                "rbp_residual": {"p": 0.9, "tail": "trec"},
            },
            empty=_TREC_EMPTY,
            names={**_SHORT, **_TREC_NAMES},
        ),
        Profile(
            "trec9",
            "trec_eval 9 and pytrec_eval: scores as 32-bit floats, the 9.x rounding of recall levels.",
            metrics=_TREC_METRICS,
            k=None,
            conventions={"iprec_at_recall": {"rounding": "9"}, "eleven_point_average": {"rounding": "9"}},
            empty=_TREC_EMPTY,
            score_bits=32,
            names={**_SHORT, **_TREC_NAMES},
        ),
        Profile(
            "beir",
            "BEIR: as trec9, over the queries that are both judged and answered.",
            metrics=("ndcg@10", "average_precision@10", "recall@10", "precision@10", "ndcg@100", "recall@100"),
            k=None,
            empty=_TREC_EMPTY,
            score_bits=32,
            queries="common",
            names=_SHORT,
        ),
    )
}


def profile(name: str) -> Profile:
    """The profile of that name; UsageError naming the nearest one when there is none."""
    if name not in PROFILES:
        raise UsageError(f"unknown profile '{name}'{nearest(name, PROFILES)}")
    return PROFILES[name]
