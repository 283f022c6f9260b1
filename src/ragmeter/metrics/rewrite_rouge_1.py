"""ROUGE-1 of rewrites: how many words a rewrite shares with a gold rewrite.

    rewrite_rouge_1 = 2 common / (words of the rewrite + words of the gold)

Common are single words, as multisets; of several golds the nearest counts. No stemming; on ASCII
text equal to the rouge-score package. Option `arm` as in `coreference`. The unchanged question scores high:
always show `rewrite_rouge_1:identity` beside it. Between 0 and 1. Undefined: (`no_references`), (`undefined`) where
neither text has a word, (`no_rewrite`), (`not_recorded`).

Source: Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._rewrite import ARM, OPTIONS, shared
from ragmeter.result import Score
from ragmeter.text.overlap import rouge_n


def score(facts: Facts, *, arm: str) -> Score:
    """ROUGE-1 F1 with the nearest gold rewrite."""
    return shared(facts, arm, lambda text, gold: rouge_n(text, gold, 1))


METRIC = Metric(score, needs=("texts",), defaults=OPTIONS, conventions=ARM)
