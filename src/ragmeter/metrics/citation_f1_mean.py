"""Citation F1, case by case: the mean of the harmonic means of each case's citation recall and precision.

    citation_f1_mean = mean over cases of 2 r p / (r + p)

Where both are 0 the case counts 0 (`both_zero=zero`, the default) or is undefined (`both_zero=null`, as the
published DVC rows have it). citation_f1 is the harmonic mean of the two means. Options, conventions, judgments
and what else is undefined: as citation_recall and citation_precision.
"""

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY
from ragmeter.metrics._support import ALCE, DVC, SENTENCES, TREC
from ragmeter.metrics.citation_f1 import both, harmonic
from ragmeter.result import Score, null


def score(facts: Facts, *, both_zero: str, **options: Any) -> Score:
    """The harmonic mean of one case's recall and precision."""
    found, right = both(facts, **options)
    if found.reason or right.reason:
        return found if found.reason else right
    if both_zero == "null" and not found.num and not right.num:
        return null("undefined")
    return Score(harmonic(found.num / found.den, right.num / right.den))


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={
        "sentences": "all", "support": "union", "rule": "needed", "dangling": "sentence", "rules": "plain",
        "scope": "all", "empty": "null", "both_zero": "zero",
    },
    conventions={
        "alce": {"sentences": "all", "support": "union", "rule": "needed", **ALCE},
        "dvc": {"sentences": "cited", "support": "union", "rule": "each", "both_zero": "null", **DVC},
        "trec_support": {"sentences": "all", "support": "first", "rule": "each", **TREC},
        **SENTENCES,
    }
    | EMPTY,
    choices={"support": ("max", "mean")},
    judge="citation_support",
)  # fmt: skip
