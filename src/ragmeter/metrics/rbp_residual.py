"""Residual of rank-biased precision: how much of it is not known.

    rbp_residual = p^n + (1 - p) * sum over unjudged ranks of p^(rank - 1)

n is the number of passages looked at: what lies behind the list's end, and every unjudged passage seen, might
still be relevant. The true rbp lies between rbp and rbp + rbp_residual. Convention `trec` follows trec_eval 10,
which answers 0 when every passage seen is judged. Always defined. Option: `p=` (0.8).

Source: Moffat and Zobel, TOIS 2008.
"""

from ragmeter.facts import Facts
from ragmeter.metrics import Metric, running
from ragmeter.result import Score


def score(facts: Facts, *, k: int | None, p: float, tail: str) -> Score:
    """The definition, between 0 and 1."""
    seen = facts.retrieved if k is None else min(k, facts.retrieved)
    judged = {rank for rank, grade in zip(facts.ranks, facts.grades, strict=True) if grade >= 0}
    unknown = [p ** (rank - 1) for rank in range(1, seen + 1) if rank not in judged]
    if tail == "trec" and not unknown:
        return Score(0)
    return Score(p**seen + (1 - p) * running(unknown))


METRIC = Metric(
    score,
    needs=("qrels", "retrieved", "pool"),
    defaults={"k": None, "p": 0.8, "tail": "always"},
    conventions={"always": {"tail": "always"}, "trec": {"tail": "trec"}},
    higher_is_better=False,
    limits={"p": (0.0, 0.999999)},
)
