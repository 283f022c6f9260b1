"""p of the coreference gain: how often chance alone would split the cases that differ so unevenly.

    p = min(1, 2 P(X <= min(b, c))),  X binomial with b + c trials and chance 1/2
    b = cases in which only `against` hits, c = cases in which only `arm` hits

Exact McNemar test, two-sided; 1 when no case differs. Options as in `coreference_gain`, whose cases it stands on;
the value of one case is its difference. It treats cases as independent: cases out of one conversation are not.
With 4 cases it cannot be below .125, with 5 not below .0625: fewer than 6 cases never show anything at .05.

Source: McNemar, Note on the Sampling Error of the Difference Between Correlated Proportions, 1947.
"""

from collections import Counter

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._memory import BASELINE, MODE, WITH_MEMORY, paired
from ragmeter.metrics.coreference_gain import score
from ragmeter.significance.paired import mcnemar_exact
from ragmeter.significance.pairs import differences


def state(facts: Facts, *, arm: str, against: str, mode: str) -> Counter[tuple[float, float]]:
    """{(hit of `against`, hit of `arm`): cases}, merged by +."""
    return paired(facts, arm, against, mode)


def finish(state: Counter[tuple[float, float]]) -> float | None:
    """The exact p of the paired counts, between 0 and 1."""
    differ = differences(state)
    return mcnemar_exact(differ.get(-1.0, 0), differ.get(1.0, 0)).p


METRIC = Metric(
    score,
    needs=("texts",),
    defaults={"arm": WITH_MEMORY, "against": BASELINE, "mode": "seed"},
    conventions=MODE,
    state=state,
    finish=finish,
    bounds=(-1.0, 1.0),
    higher_is_better=False,
)
