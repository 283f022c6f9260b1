"""Memory hit: did the memory bring back what the rewrite needed, whatever the rewriter made of it?

    memory_hit = cases whose recalled texts (or summary) contain one of the expected strings / cases

Told apart from `coreference`, so that a good memory behind a weak rewriter is seen. Options `arm` (with_memory) and
`mode` as there. Each score is 0 or 1; bringing back nothing is 0. Undefined: (`no_expected`), and (`not_recorded`)
where the texts that came back were not kept. A failed arm is an error.

Source: the split of retrieval and generation, applied to memory; our own definition.
"""

from collections import Counter
from typing import Any

from ragmeter.facts import Facts
from ragmeter.memory import holds, recalled, texts, wanted
from ragmeter.metrics import Metric
from ragmeter.metrics._memory import MODE, WITH_MEMORY, exact, known, records, rewritten
from ragmeter.result import ERRORS, Score, null
from ragmeter.text.normal import MODES


def score(facts: Facts, *, arm: str, mode: str) -> Score:
    """1 when what came back contains an expected string, else 0."""
    case, output = records(facts)
    words = wanted(case.expected)
    if not words:
        return null("no_expected")
    back = recalled(output, arm)
    said = None if back is None else texts(back)
    if said is None:
        _, reason = rewritten(facts, arm)
        return null(reason if reason in ERRORS else "not_recorded")
    return Score(int(holds(said, words, known("mode", mode, MODES))))


def state(facts: Facts, **options: Any) -> Counter[int]:
    """{score: cases}, merged by +."""
    return Counter({int(score(facts, **options).num): 1})


METRIC = Metric(
    score,
    state=state,
    interval=exact,
    needs=("texts",),
    defaults={"arm": WITH_MEMORY, "mode": "seed"},
    conventions=MODE,
    proportion=True,
)
