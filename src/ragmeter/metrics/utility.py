"""Linear utility of the retrieved set.

    utility = a * relevant retrieved + b * others retrieved + c * relevant missed + d * others missed

With the defaults 1, -1, 0, 0: relevant minus others. d needs `collection`, the number of passages there are.
Any real number; always defined. Options: `a=`, `b=`, `c=`, `d=`, `collection=`.

Source: trec_eval `utility`.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.result import Score


def score(facts: Facts, *, a: float, b: float, c: float, d: float, collection: int) -> Score:
    """The definition."""
    found = len(facts.hit_ranks)
    wrong, missed = facts.retrieved - found, facts.relevant - found
    return Score(a * found + b * wrong + c * missed + d * (collection - found - wrong - missed))


METRIC = Metric(
    score,
    needs=("qrels", "retrieved"),
    defaults={"a": 1.0, "b": -1.0, "c": 0.0, "d": 0.0, "collection": 0},
    bounds=None,
)
