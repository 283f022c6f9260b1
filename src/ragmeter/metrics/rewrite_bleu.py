"""BLEU of rewrites: surface likeness to the gold rewrites, from 0 to 100.

    word n-grams up to 4 with brevity penalty, over the corpus

Counts are added over cases first: the estimate is not the mean of its rows (the value of one case: sentence BLEU with effective order).
Equal to sacrebleu 2 with default settings. Option `arm` as in `coreference`. It rewards leaving the question as it
is: always show `rewrite_bleu:identity` beside it. Undefined: (`no_references`), (`undefined`) where no text has a
character, (`no_rewrite`), (`not_recorded`).

Source: Papineni et al., BLEU: a Method for Automatic Evaluation of Machine Translation, 2002; Post, A Call for Clarity in Reporting BLEU Scores, 2018.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._rewrite import ARM, OPTIONS, against
from ragmeter.result import Score, null
from ragmeter.text.overlap import BleuCounts, bleu_counts


def score(facts: Facts, *, arm: str) -> Score:
    """BLEU of this rewrite alone."""
    text, golds, reason = against(facts, arm)
    if reason:
        return null(reason)
    counts = bleu_counts(text, golds)
    value = counts.sentence_score
    return null("undefined") if value is None else Score(value)


def state(facts: Facts, *, arm: str) -> BleuCounts:
    """The n-gram counts of one rewrite, merged by +."""
    text, golds, _ = against(facts, arm)
    return bleu_counts(text, golds)


def finish(state: BleuCounts) -> float | None:
    """BLEU of the corpus, from 0 to 100."""
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
