"""Context precision, judged: how many of the contexts given to the model are relevant.

    share (default, profile dvc)  relevant contexts / contexts
    ranked (as RAGAS and deepeval)  mean over relevant contexts of precision at their rank

The ranked form is average precision over what was retrieved: missed passages cost nothing, and none relevant
is 0. Judgments: `context_relevance` of each context (subject 'context:0' ..., in rank order), or, for the
share, a `context_precision` ratio of the case. Between 0 and 1. Undefined (`no_contexts`) without contexts,
(`not_judged`), (`not_recorded`) for the ranked form when only a ratio was recorded, the judge's own failure.
The id metric is context_precision@k; it asks no judge and divides by k.

Source: Es et al., RAGAS, 2023; RAGAS adds 1e-10 to the denominator, this does not.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import place, ratio, verdicts, whole
from ragmeter.result import Score, null


def score(facts: Facts, *, form: str) -> Score:
    """The share of relevant contexts, or their rank-weighted precision."""
    contexts = facts.output.contexts if facts.output is not None else None
    count = None if contexts is None else len(contexts)
    plain = ratio(facts, "context_precision", "context_relevance", count=count, nothing="no_contexts")
    if form == "share" or plain.reason:
        return plain
    if whole(facts, "context_precision") is not None:
        return null("not_recorded")
    said = verdicts((facts.judged or {})["context_relevance"])
    ranked = sorted((place(subject), value) for subject, value in said.items())
    return _ranked([float(value) for _, value in ranked[:count]])


def _ranked(values: list[float]) -> Score:
    """The mean precision at the ranks of the relevant ones; 0 when there is none."""
    found, total = 0.0, 0.0
    for rank, value in enumerate(values, 1):
        found += value
        total += value * found / rank
    return Score(total, found) if found else Score(0)


METRIC = Metric(
    score,
    needs=("judgments", "texts"),
    defaults={"form": "share"},
    conventions={"share": {"form": "share"}, "ranked": {"form": "ranked"}},
    judge="context_relevance",
)
