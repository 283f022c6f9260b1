"""Session recall@k: of the sessions (or turns) that hold the evidence, how many did memory bring back?

    fraction  |evidence ∩ first k recalled| / |evidence|
    any       1 when one of them is there, else 0
    all       1 when all of them are there, else 0

Evidence are the ids with a positive grade in the case's qrels. Recalled are the ids of what came back, in rank
order, repeats counted once. An id is `SESSION` or `SESSION#TURN`: option `level` `session` (default) compares what
stands before the last '#', `turn` the whole id. Options `rule` (fraction), `arm` (with_memory), `k` (5). The ideal
set is the evidence, never what happened to be retrieved. Between 0 and 1. Undefined: (`no_relevant`) without
evidence, where LongMemEval's code says 1 for `all` and 0 for `any`; (`not_recorded`) without qrels or source ids.

Source: LongMemEval, recall_any and recall_all over sessions and turns.
"""

from ragmeter.facts import Facts
from ragmeter.memory import recalled, sources
from ragmeter.metrics import Metric
from ragmeter.metrics._memory import WITH_MEMORY, known, records, rewritten
from ragmeter.result import ERRORS, Score, null

RULES = ("fraction", "any", "all")
LEVELS = ("session", "turn")


def score(facts: Facts, *, rule: str, level: str, arm: str, k: int) -> Score:
    """Evidence found in the first k recalled sources, over all evidence."""
    case, output = records(facts)
    back = recalled(output, arm)
    ids = None if back is None else sources(back)
    if ids is None or case.qrels is None:
        _, reason = rewritten(facts, arm)
        return null(reason if reason in ERRORS else "not_recorded")
    whole = known("level", level, LEVELS) == "turn"
    evidence = {_source(id, whole) for id, grade in case.qrels.items() if grade > 0}
    if not evidence:
        return null("no_relevant")
    first = list(dict.fromkeys(_source(id, whole) for id in ids))[:k]
    found = len(evidence & set(first))
    if known("rule", rule, RULES) == "fraction":
        return Score(found, len(evidence))
    return Score(int(found == len(evidence) if rule == "all" else found > 0))


def _source(id: str, whole: bool) -> str:
    return id if whole or "#" not in id else id.rpartition("#")[0]


METRIC = Metric(
    score,
    needs=("texts",),
    defaults={"rule": "fraction", "level": "session", "arm": WITH_MEMORY, "k": 5},
    conventions={rule: {"rule": rule} for rule in RULES} | {level: {"level": level} for level in LEVELS},
)
