"""Forbidden hit: does the rewritten question name what it must not, such as another topic of the conversation?

    forbidden_hit = cases whose rewrite contains one of the forbidden strings / cases that have any

Options `arm` and `mode` as in `coreference`. Each score is 0 or 1, lower is better. Undefined: (`no_bad_answers`)
where the case forbids nothing, (`no_rewrite`), (`not_recorded`). A failed arm is an error.

Source: our own; containment alone accepts "not the passport but the visa" for both.
"""

from ragmeter.facts import Facts
from ragmeter.memory import wanted
from ragmeter.metrics import Metric
from ragmeter.metrics._memory import ARM, MODE, WITH_MEMORY, known, records, rewritten
from ragmeter.result import Score, null
from ragmeter.text.normal import MODES, hits


def score(facts: Facts, *, arm: str, mode: str) -> Score:
    """1 when the arm's rewrite contains a forbidden string, else 0."""
    case, _ = records(facts)
    words = wanted(case.forbidden)
    if not words:
        return null("no_bad_answers")
    text, reason = rewritten(facts, arm)
    return null(reason) if reason else Score(int(hits(text, words, mode=known("mode", mode, MODES))))


METRIC = Metric(
    score,
    needs=("texts",),
    defaults={"arm": WITH_MEMORY, "mode": "seed"},
    conventions={**ARM, **MODE},
    proportion=True,
    higher_is_better=False,
)
