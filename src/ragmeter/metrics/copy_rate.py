"""Copy rate: how much of a rewrite is one piece of the conversation, taken word by word.

    copy_rate = words of the longest run shared with the turns before the follow-up / words of the rewrite

A rewriter that pastes the conversation hits every expected string; its copy rate tells. Option `arm` as in
`coreference`. Between 0 and 1. Undefined: (`undefined`) for a rewrite without words, (`not_recorded`) without a
conversation, (`no_rewrite`).

Source: our own; longest common run by a suffix automaton.
"""

from ragmeter.facts import Facts
from ragmeter.memory import dialogue, pasted
from ragmeter.metrics import Metric
from ragmeter.metrics._memory import records, rewritten
from ragmeter.metrics._rewrite import ARM, OPTIONS
from ragmeter.result import Score, null
from ragmeter.text.overlap import copied


def score(facts: Facts, *, arm: str) -> Score:
    """The longest run that the rewrite shares with the conversation, over its words."""
    text, reason = rewritten(facts, arm)
    if reason:
        return null(reason)
    turns = dialogue(records(facts)[0])
    if not turns:
        return null("not_recorded")
    run, words = copied(text, pasted("", turns))
    return Score(run, words) if words else null("undefined")


METRIC = Metric(score, needs=("texts",), defaults=OPTIONS, conventions=ARM, higher_is_better=False)
