"""Citation precision: how many citations of the answer support the sentence that they stand in.

    citation_precision = sum over citations of its support / citations

| option | values |
|---|---|
| rule | `needed` (default, ALCE): in a supported sentence a citation counts if it supports alone, or if the others do not without it; in an unsupported one none counts. `each` (DVC, TREC): the verdict on it alone, 0.5 for part |
| dangling | a marker without source: `sentence` (default: the sentence is left out), `ignore` (the marker is), `zero` (it counts 0) |
| rules | `plain` (default) or `dvc`: how sentences and markers are read |
| scope | `all` (default) or `answerable`: questions without an answer are left out as `not_answerable` |
| empty | `null` (default: an empty answer is no_answer), `zero`, `judged` |

Every occurrence counts: the same number twice in one sentence counts twice. Conventions `alce`, `dvc` and
`trec_support` set all of these. Between 0 and 1. Judgments: `citation_support`, else a recorded
`citation_precision` ratio, whatever rule it was judged by. Undefined: (`no_answer`), (`no_cited_sentences`),
(`not_judged`), the judge's own failure; profiles alce and trec_support count `no_cited_sentences` as 0.

Source: Gao et al., ALCE, 2023; Thakur et al., Support Evaluation for the TREC 2024 RAG Track, 2025.
"""

from collections.abc import Iterator

from ragmeter.citations import Reading
from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY, ratio, whole
from ragmeter.metrics._support import ALCE, DVC, TREC, Unjudged, cited_in, no_score, reading, verdict
from ragmeter.result import Score, null


def score(facts: Facts, *, rule: str, dangling: str, rules: str, scope: str, empty: str) -> Score:
    """Supporting citations over citations."""
    if (ended := no_score(facts, scope, empty)) is not None:
        return ended
    if whole(facts, "citation_precision") is not None:
        return ratio(facts, "citation_precision", "", nothing="no_cited_sentences")
    read = reading(facts, rules)
    try:
        found = [value for i in range(len(read.spans)) for value in _sentence(facts, read, i, rule, dangling)]
    except Unjudged as why:
        return null(why.reason)
    return Score(sum(found), len(found)) if found else null("no_cited_sentences")


def _sentence(facts: Facts, read: Reading, i: int, rule: str, dangling: str) -> Iterator[float]:
    """One number for each citation of the sentence."""
    keys = cited_in(read, i, dangling)
    if dangling == "zero":
        yield from [0.0] * (len(read.cites[i]) - len(keys))
    if not keys:
        return
    if rule == "each":
        yield from (verdict(facts, f"sentence:{i}|source:{key}") for key in keys)
        return
    together = verdict(facts, f"sentence:{i}")
    if len(keys) == 1 or together < 1:
        yield from [together if len(keys) == 1 else 0.0] * len(keys)
        return
    yield from (_needed(facts, i, key, keys) for key in keys)


def _needed(facts: Facts, i: int, key: str, keys: tuple[str, ...]) -> float:
    """Whether this source supports the sentence alone, or the others do not without it."""
    if verdict(facts, f"sentence:{i}|source:{key}") >= 1:
        return 1.0
    if keys.count(key) > 1:  # without one of two the other is still there
        return 0.0
    return float(verdict(facts, f"sentence:{i}|without:{key}") < 1)


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={"rule": "needed", "dangling": "sentence", "rules": "plain", "scope": "all", "empty": "null"},
    conventions={
        "alce": {"rule": "needed", **ALCE},
        "dvc": {"rule": "each", **DVC},
        "trec_support": {"rule": "each", **TREC},
    }
    | EMPTY,
    judge="citation_support",
)
