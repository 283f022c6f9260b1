"""What citation metrics share: the answer read by the chosen rules, and the verdicts on its sentences.

Judgments of kind `citation_support`, by subject:

    sentence:3             all cited sources of sentence 3, joined, support it
    sentence:3|source:5    source 5 alone supports it (fully 1, partly 0.5, not 0)
    sentence:3|without:5   the cited sources without 5 support it

Sentences count from 0, sources are named by their markers. A recorded row may carry `citation_recall` and
`citation_precision` as ratios instead.
"""

from __future__ import annotations

from ragmeter.citations import Reading, read_answer
from ragmeter.facts import Facts
from ragmeter.metrics._judged import failed, number, unanswered
from ragmeter.records import Judgment
from ragmeter.result import Score, null

DVC = {"rules": "dvc", "dangling": "ignore", "scope": "answerable", "empty": "null"}
ALCE = {"rules": "plain", "dangling": "sentence", "scope": "all", "empty": "null"}
TREC = {"rules": "plain", "dangling": "zero", "scope": "all", "empty": "null"}
SENTENCES = {word: {"sentences": word} for word in ("all", "cited", "claims")}


class Unjudged(Exception):
    """A verdict that is needed and is not there; `reason` is one of result.REASONS."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


def no_score(facts: Facts, scope: str, empty: str) -> Score | None:
    """Null for a question that is out of scope, the score of an empty answer; None when there is one to score."""
    if scope == "answerable" and facts.case is not None and facts.case.answerable is False:
        return null("not_answerable")
    return unanswered(facts, empty)


def reading(facts: Facts, rules: str) -> Reading:
    """The answer of these facts, read by those rules."""
    assert facts.output is not None
    return read_answer(facts.output, rules=rules)


def verdict(facts: Facts, subject: str) -> float:
    """The verdict on one subject, from 0 to 1. Raises Unjudged."""
    judgment: Judgment | None = (facts.judged or {}).get("citation_support", {}).get(subject)
    if judgment is None:
        raise Unjudged("not_judged")
    if why := failed(judgment):
        raise Unjudged(why)
    value = number(judgment)
    if value is None:
        raise Unjudged("judge_unparsable")
    return min(value, 1.0)


def cited_in(read: Reading, sentence: int, dangling: str) -> tuple[str, ...]:
    """The keys of one sentence that are to be judged: dangling ones count only where they are punished."""
    if dangling == "sentence" and len(read.valid(sentence)) < len(read.cites[sentence]):
        return ()
    return read.valid(sentence)
