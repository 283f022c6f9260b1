"""Added-content precision: of the content words that a rewrite adds, how many a gold rewrite adds too.

    added    = distinct content words of the rewrite that the follow-up lacks
    wanted   = those of the gold rewrite
    added_precision = |added ∩ wanted| / |added|

Unlike BLEU or ROUGE it gives the unchanged question nothing. Of several golds the best counts. Content words leave
out a small list of function words (English and Vietnamese among others), so figures depend on that list. Option
`arm` as in `coreference`. Between 0 and 1. Undefined: (`undefined`) where the rewrite adds nothing, (`no_references`),
(`no_rewrite`), (`not_recorded`).

Source: our own; measured on TREC CAsT, where overlap scores cannot tell rewriters from the unchanged question.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._memory import records
from ragmeter.metrics._rewrite import ARM, OPTIONS, against
from ragmeter.result import Score, null
from ragmeter.text.overlap import added_content


def score(facts: Facts, *, arm: str) -> Score:
    """The precision of what the rewrite adds, against the gold that gives the highest."""
    text, golds, reason = against(facts, arm)
    if reason:
        return null(reason)
    asked = records(facts)[0].question
    counted = [added_content(asked, text, gold) for gold in golds]
    held = [one for one in counted if one.precision is not None]
    if not held:
        return null("undefined")
    one = max(held, key=lambda one: one.precision or 0.0)
    return Score(one.common, one.answer)


METRIC = Metric(score, needs=("texts",), defaults=OPTIONS, conventions=ARM)
