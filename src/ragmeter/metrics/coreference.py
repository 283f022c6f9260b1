"""Coreference accuracy: does the rewritten question name what the follow-up only points at?

    coreference = cases whose rewrite contains one of the expected strings / cases

Option `arm`: which rewrite counts: `with_memory`, `baseline`, or a null system computed from the case alone
(`null:identity`, `null:window`, `null:all`). Option `mode`: how strings are compared. `seed` is the published
rule (accents and case dropped, substring, any of the strings); `fold` also folds đ, ß, width, digits and white
space; `boundary` asks for whole words; `accent` tells "thuế" from "thuê". Option `forbidden`: `miss` makes a
rewrite that also contains a forbidden string a miss. Each score is 0 or 1; an empty rewrite is 0 and flagged.
Undefined: (`no_expected`) without a string that is not blank, (`no_rewrite`) where that arm was not run,
(`not_recorded`) without rewrites, or, for a null system, without the conversation. A failed arm is an error.

It cannot tell resolving a reference from pasting the conversation: read it beside `null:all`.

Source: the memory experiment of DVC-RAG (rag/eval/eval_memory.py), where it is the only quantity.
"""

from collections import Counter
from typing import Any

from ragmeter.facts import Facts
from ragmeter.memory import wanted
from ragmeter.metrics import Metric
from ragmeter.metrics._memory import ARM, MODE, WITH_MEMORY, arm_hit, exact, records, rewritten
from ragmeter.result import Score
from ragmeter.text.normal import hits


def score(facts: Facts, *, arm: str, mode: str, forbidden: str) -> Score:
    """1 when the arm's rewrite contains an expected string (and, where asked, no forbidden one), else 0."""
    said = arm_hit(facts, arm, mode)
    if said.reason or not said.num or forbidden != "miss":
        return said
    case, _ = records(facts)
    return Score(int(not hits(rewritten(facts, arm)[0], wanted(case.forbidden), mode=mode)))


def state(facts: Facts, **options: Any) -> Counter[int]:
    """{score: cases}, merged by +."""
    return Counter({int(score(facts, **options).num): 1})


METRIC = Metric(
    score,
    state=state,
    interval=exact,
    needs=("texts",),
    defaults={"arm": WITH_MEMORY, "mode": "seed", "forbidden": "ignore"},
    conventions={**ARM, **MODE, "strict": {"forbidden": "miss"}},
    proportion=True,
)
