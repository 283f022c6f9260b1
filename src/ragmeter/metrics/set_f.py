"""F of the retrieved set: precision and recall in one number.

    set_f = (x + 1) * |relevant ∩ retrieved| / (|retrieved| + x * |relevant|)

x is the square of the usual beta; 1 weighs both equally. 0 when nothing relevant came back. Undefined
(`no_relevant`); the trec profiles count that as 0. Option: `x=`.

Source: van Rijsbergen, Information Retrieval, 1979, chapter 7; trec_eval `set_F`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score, null


def score(facts: Facts, *, x: float) -> Score:
    """The definition, between 0 and 1."""
    if not facts.relevant:
        return null("no_relevant")
    found = len(facts.hit_ranks)
    return Score((x + 1) * found, facts.retrieved + x * facts.relevant) if found else Score(0)


METRIC = Metric(score, needs=("qrels", "retrieved"), defaults={"x": 1.0}, limits={"x": (0.0, 1e6)})
