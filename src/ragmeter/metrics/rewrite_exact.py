"""Exact rewrites: the share of rewrites with the same words in the same order as a gold rewrite.

    rewrite_exact = rewrites equal to a gold rewrite / rewrites

Case, punctuation and spacing do not matter. Option `arm` as in `coreference`: `identity` scores the follow-up as it
is, which is often right already. Each score is 0 or 1. Undefined: (`no_references`) without a gold rewrite,
(`no_rewrite`), (`not_recorded`).

Source: exact match as in SQuAD, articles kept.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._rewrite import ARM, OPTIONS, best
from ragmeter.result import Score
from ragmeter.text.overlap import exact_match


def score(facts: Facts, *, arm: str) -> Score:
    """1 when the rewrite is one of the gold rewrites, else 0."""
    return best(facts, arm, lambda text, gold: float(exact_match(text, gold)))


METRIC = Metric(score, needs=("texts",), defaults=OPTIONS, conventions=ARM, proportion=True)
