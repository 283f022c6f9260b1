"""Citation recall: how many sentences of the answer their cited sources support.

    citation_recall = sum over sentences of support(cited sources, sentence) / sentences

| option | values |
|---|---|
| sentences | `all` (default, ALCE), `cited` (only those with a valid marker, DVC), `claims` (cited, and uncited claims) |
| support | `union` (default: the cited sources joined), `first`, `max`, `mean` of the verdicts on each source |
| dangling | a marker without source: `sentence` (default: the sentence counts 0), `ignore`, `zero` (the marker counts 0) |
| rules | `plain` (default) or `dvc`: how sentences and markers are read |
| scope | `all` (default) or `answerable`: questions without an answer are left out as `not_answerable` |
| empty | `null` (default: an empty answer is no_answer), `zero`, `judged` |

Conventions `alce`, `dvc`, `trec_support` set all of these, `cited`, `all` and `claims` only the sentences. An
uncited sentence supports nothing: 0. Between 0 and 1. Judgments: `citation_support`, else a recorded
`citation_recall` ratio over the cited sentences, whose numerator serves every denominator. Undefined:
(`no_answer`), (`no_sentences`), (`no_cited_sentences`) when only cited ones count, (`not_judged`),
(`not_recorded`) when a bare value was recorded and another denominator is asked for.

Source: Gao et al., ALCE, 2023; Thakur et al., Support Evaluation for the TREC 2024 RAG Track, 2025 (which
citation of a sentence enters recall is a parameter here; the default of `trec_support` is the first).
"""

from ragmeter.citations import Reading
from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.metrics._judged import EMPTY, failed, number, whole
from ragmeter.metrics._support import ALCE, DVC, SENTENCES, TREC, Unjudged, cited_in, no_score, reading, verdict
from ragmeter.records import Judgment
from ragmeter.result import Score, null


def score(facts: Facts, *, sentences: str, support: str, dangling: str, rules: str, scope: str, empty: str) -> Score:
    """Supported sentences over the sentences that count."""
    if (ended := no_score(facts, scope, empty)) is not None:
        return ended
    read = reading(facts, rules)
    said = whole(facts, "citation_recall")
    if said is not None:
        return _recorded(said, read, sentences)
    cited = read.cited_sentences if dangling == "ignore" else tuple(i for i, keys in enumerate(read.cites) if keys)
    den = _denominator(read, len(cited), sentences)
    if not den:
        return null("no_cited_sentences" if sentences == "cited" else "no_sentences")
    try:
        return Score(sum(_sentence(facts, read, i, support, dangling) for i in cited), den)
    except Unjudged as why:
        return null(why.reason)


def _denominator(read: Reading, cited: int, sentences: str) -> int:
    if sentences == "cited":
        return cited
    return len(read.spans) if sentences == "all" else cited + read.uncited_claims


def _sentence(facts: Facts, read: Reading, i: int, how: str, dangling: str) -> float:
    """The support of one sentence."""
    keys = cited_in(read, i, dangling)
    if dangling == "zero" and how != "union":
        keys = read.cites[i]
    if not keys:
        return 0.0
    if how == "union":
        return verdict(facts, f"sentence:{i}")
    values = [
        verdict(facts, f"sentence:{i}|source:{key}") if key in read.sources else 0.0
        for key in (keys[:1] if how == "first" else keys)
    ]
    return sum(values) / len(values) if how == "mean" else max(values)


def _recorded(said: Judgment, read: Reading, sentences: str) -> Score:
    """The recorded supported sentences over the denominator asked for."""
    why = failed(said)
    if why and (why != "no_cited_sentences" or sentences == "cited"):
        return null(why)
    num, cited = (0.0, 0.0) if why else (said.num, said.den)
    if sentences == "cited":
        value = number(said)
        if num is not None and cited:
            return Score(min(num, cited), cited)
        return null("judge_unparsable") if value is None else Score(min(value, 1.0))
    if num is None or cited is None:
        return null("not_recorded")
    den = _denominator(read, int(cited), sentences)
    return Score(min(num, den), den) if den else null("no_sentences")


METRIC = Metric(
    score,
    needs=("answer", "judgments", "texts"),
    defaults={
        "sentences": "all",
        "support": "union",
        "dangling": "sentence",
        "rules": "plain",
        "scope": "all",
        "empty": "null",
    },
    conventions={
        "alce": {"sentences": "all", "support": "union", **ALCE},
        "dvc": {"sentences": "cited", "support": "union", **DVC},
        "trec_support": {"sentences": "all", "support": "first", **TREC},
        **SENTENCES,
    }
    | EMPTY,
    choices={"support": ("max", "mean")},
    judge="citation_support",
)
