"""chrF of rewrites: surface likeness to the gold rewrites, from 0 to 100.

    character n-grams up to 6, recall weighing 4 times precision, over the corpus

Counts are added over cases first: the estimate is not the mean of its rows (the value of one case: its own chrF).
Equal to sacrebleu 2 with default settings. Option `arm` as in `coreference`. It rewards leaving the question as it
is: always show `rewrite_chrf:identity` beside it. Undefined: (`no_references`), (`undefined`) where no text has a
character, (`no_rewrite`), (`not_recorded`).

Source: Popović, chrF: Character n-gram F-score for Automatic MT Evaluation, 2015; Post, A Call for Clarity in Reporting BLEU Scores, 2018.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._rewrite import ARM, OPTIONS, against
from ragmeter.result import Score, null
from ragmeter.text.overlap import ChrfCounts, chrf_counts


def score(facts: Facts, *, arm: str) -> Score:
    """chrF of this rewrite alone."""
    text, golds, reason = against(facts, arm)
    if reason:
        return null(reason)
    counts = chrf_counts(text, golds)
    value = counts.score
    return null("undefined") if value is None else Score(value)


def state(facts: Facts, *, arm: str) -> ChrfCounts:
    """The n-gram counts of one rewrite, merged by +."""
    text, golds, _ = against(facts, arm)
    return chrf_counts(text, golds)


def finish(state: ChrfCounts) -> float | None:
    """chrF of the corpus, from 0 to 100."""
    return state.score


METRIC = Metric(
    score,
    needs=("texts",),
    defaults=OPTIONS,
    conventions=ARM,
    state=state,
    finish=finish,
    bounds=(0.0, 100.0),
)
