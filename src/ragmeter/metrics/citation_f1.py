"""Citation F1: the harmonic mean of the two means, citation recall and citation precision.

    citation_f1 = 2 R P / (R + P), with R and P the means over the cases where both are defined

A case's row shows the harmonic mean of its own two values, 0 when both are 0. citation_f1_mean averages those
rows instead, which is another number. Options, conventions, judgments and what is undefined: as
citation_recall and citation_precision.

Source: the published DVC-RAG figures; ALCE reports the two means and no F1.
"""

from __future__ import annotations

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY, Totals
from ragmeter.metrics._support import ALCE, DVC, SENTENCES, TREC
from ragmeter.metrics.citation_precision import score as precision
from ragmeter.metrics.citation_recall import score as recall
from ragmeter.result import Score


def both(facts: Facts, sentences: str, support: str, rule: str, dangling: str, rules: str, scope: str, empty: str) -> tuple[Score, Score]:  # fmt: skip
    """Recall and precision of one case."""
    shared = {"dangling": dangling, "rules": rules, "scope": scope, "empty": empty}
    return recall(facts, sentences=sentences, support=support, **shared), precision(facts, rule=rule, **shared)


def score(facts: Facts, **options: Any) -> Score:
    """The harmonic mean of one case's recall and precision."""
    found, right = both(facts, **options)
    if found.reason or right.reason:
        return found if found.reason else right
    return Score(harmonic(found.num / found.den, right.num / right.den))


def harmonic(a: float, b: float) -> float:
    """The harmonic mean of two numbers, 0 when both are."""
    return 2 * a * b / (a + b) if a + b else 0.0


class Means:
    """The sums of recall and precision over the cases where both are defined."""

    def __init__(self, recall: Totals, precision: Totals):
        self.recall = recall
        self.precision = precision

    def __add__(self, other: Means) -> Means:
        return Means(self.recall + other.recall, self.precision + other.precision)

    def f1(self) -> float | None:
        """The harmonic mean of the two means."""
        r, p = self.recall.ratio(), self.precision.ratio()
        return None if r is None or p is None else harmonic(r, p)


def state(facts: Facts, **options: Any) -> Means:
    """Recall and precision of one case, each over 1."""
    found, right = both(facts, **options)
    return Means(Totals(found.num / found.den, 1), Totals(right.num / right.den, 1))


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={
        "sentences": "all", "support": "union", "rule": "needed", "dangling": "sentence", "rules": "plain",
        "scope": "all", "empty": "null",
    },
    conventions={
        "alce": {"sentences": "all", "support": "union", "rule": "needed", **ALCE},
        "dvc": {"sentences": "cited", "support": "union", "rule": "each", **DVC},
        "trec_support": {"sentences": "all", "support": "first", "rule": "each", **TREC},
        **SENTENCES,
    }
    | EMPTY,
    state=state,
    finish=Means.f1,
    choices={"support": ("max", "mean")},
    judge="citation_support",
)  # fmt: skip
