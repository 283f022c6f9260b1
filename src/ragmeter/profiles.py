"""Named conventions, as data. Where the field disagrees on a formula the profile decides, and reports say so."""

from __future__ import annotations

import math
from typing import Any

from msgspec import Struct, field

from ragmeter.errors import UsageError, choices


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
    by: tuple[str, ...] = ()  # slices shown when none is asked for
    row_nulls: bool = True  # rows say why a value is null
    record_flags: bool = True  # flag what only the ids and texts themselves show, too
    reading: str = "plain"  # how sentences and markers of answers are read for flags: 'plain' or 'dvc'


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
_DVC_CITES = {
    "sentences": "cited", "support": "union", "rule": "each", "dangling": "ignore", "rules": "dvc",
    "scope": "answerable", "empty": "null",
}  # fmt: skip
_ALCE_CITES = {
    "sentences": "all", "support": "union", "rule": "needed", "dangling": "sentence", "rules": "plain",
    "scope": "all", "empty": "null",
}  # fmt: skip
_TREC_CITES = {**_ALCE_CITES, "support": "first", "rule": "each", "dangling": "zero"}


def _cites(options: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of each citation metric, which knows some of them."""
    recall = {name: value for name, value in options.items() if name != "rule"}
    precision = {name: value for name, value in options.items() if name not in ("sentences", "support")}
    return {
        "citation_recall": recall, "citation_recall_micro": recall, "citation_precision": precision,
        "citation_precision_micro": precision, "citation_f1": options, "citation_f1_mean": options,
    }  # fmt: skip


_DVC = {
    **_cites(_DVC_CITES),
    "citation_f1_mean": {**_DVC_CITES, "both_zero": "null"},
    "uncited_claims": {"rules": "dvc", "scope": "answerable", "empty": "zero"},
    **{
        name: {"empty": "judged"}
        for name in ("faithfulness", "faithfulness_micro", "answer_relevance", "completeness", "completeness_micro")
    },
}
_DVC_NAMES = {**_SHORT, "context_precision": "context_precision_judged", "answer_completeness": "completeness"}
_DVC_LABELS = {
    "reciprocal_rank": "rr", "context_precision_judged": "context_precision", "completeness": "answer_completeness",
}  # fmt: skip
_CITED = ("citation_recall", "citation_precision", "citation_f1")
_UNCITED = {name: {"no_cited_sentences": 0.0} for name in ("citation_precision", "citation_precision_micro")}

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
        Profile(
            "dvc",
            "DVC-RAG, retrieval: means over the answerable questions, reciprocal rank not cut at k, ties in input order.",
            metrics=("hit@1", "hit@3", "hit@5", "hit@10", "recall@5", "reciprocal_rank", "ndcg@10"),
            conventions=_DVC,
            ties="input",
            labels=_DVC_LABELS,
            names=_DVC_NAMES,
            reading="dvc",
        ),
        Profile(
            "dvc_answers",
            "DVC-RAG, answers: as published, so judgments of empty answers count (see the flag empty_answer_judged).",
            metrics=(
                "faithfulness",
                "answer_relevance",
                "context_precision",
                "context_recall",
                "completeness",
                *_CITED,
                "uncited_claims",
                "abstention_recall",
                "over_answer_rate",
                "over_refusal_rate",
            ),
            conventions=_DVC,
            ties="input",
            labels=_DVC_LABELS,
            names=_DVC_NAMES,
            reading="dvc",
        ),
        Profile(
            "memory",
            "Rewriting with memory: each layer without and with it, null systems beside; hits by the published rule.",
            metrics=(
                "coreference:baseline",
                "coreference",
                "coreference_gain",
                "coreference_gain_p",
                "memory_hit",
                "coreference:identity",
                "coreference:window",
                "coreference:all",
            ),
            ties="input",
            by=("layer",),
        ),
        Profile(
            "alce",
            "ALCE: every sentence counts, recall over the joined sources, a citation must be needed.",
            metrics=_CITED,
            conventions=_cites(_ALCE_CITES),
            empty=_UNCITED,
        ),
        Profile(
            "trec_support",
            "TREC RAG support: full 1, partial 0.5, none 0 per citation; the first citation of a sentence enters recall.",
            metrics=_CITED,
            conventions=_cites(_TREC_CITES),
            empty=_UNCITED,
        ),
    )
}


def profile(name: str) -> Profile:
    """The profile of that name; UsageError naming the nearest one when there is none."""
    if name not in PROFILES:
        raise UsageError(f"unknown profile '{name}'{choices(name, PROFILES)}")
    return PROFILES[name]
