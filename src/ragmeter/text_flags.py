"""Flags of an answer and of its judgments: what only the texts show.

They read every answer, so they are loaded where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import is_normalized

from ragmeter.abstention import doubtful
from ragmeter.citations import carries_numbers, read_answer
from ragmeter.records import Output

Judged = Mapping[str, Mapping[str, Any]]  # kind -> subject -> Judgment
OF_ANSWERS = ("faithfulness", "claim_support", "completeness", "point_in_answer", "answer_relevance", "nugget_support")
LEAKED = re.compile(
    r"\b(?:START|END)_PHRASE\b|^\W{0,4}CITATION LIST\b|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>"
    r"|\[/?INST\]|<</?SYS>>|^#{2,3} ?(?:Instruction|Response|System prompt)s?:",
    re.MULTILINE,
)


def answer_flags(output: Output, rules: str = "plain") -> tuple[str, ...]:
    """What is odd about an answer and its contexts.

    empty_answer: the system said nothing. dangling_markers: a marker names no source; markers_out_of_range: by
    its number it cannot. unused_sources: a numbered source is never cited. duplicate_markers: a sentence
    cites one source twice. lost_markers: a marker stands in a piece that is no sentence. leaked_prompt: the
    answer holds words of its prompt. answer_not_nfc, contexts_not_nfc: a text is not in the composed form, so
    that a name may not be found in it.
    """
    answer = output.answer or ""
    found = []
    if output.answer is not None and not answer.strip():
        found.append("empty_answer")
    if answer.strip():
        found += _marker_flags(output, rules)
        if LEAKED.search(answer):
            found.append("leaked_prompt")
        if not is_normalized("NFC", answer):
            found.append("answer_not_nfc")
    if any(not is_normalized("NFC", passage.text or "") for passage in output.contexts or ()):
        found.append("contexts_not_nfc")
    return tuple(found)


def _marker_flags(output: Output, rules: str) -> list[str]:
    report = read_answer(output, rules=rules).report
    said = {
        "dangling_markers": report.dangling,
        "markers_out_of_range": report.out_of_range,
        "unused_sources": report.unused if carries_numbers(output) else (),
        "duplicate_markers": report.duplicate,
        "lost_markers": report.lost,
    }
    return [flag for flag, there in said.items() if there]


def judged_flags(output: Output, judged: Judged) -> tuple[str, ...]:
    """What is odd about judgments of one case.

    empty_answer_judged: an empty answer was judged as if it said something. abstention_doubtful: a judge said
    'abstained' of an answer with citations, digits or length. more_verdicts_than_items: a ratio is above 1 and
    was capped. judged_on_trimmed_text: a judge saw only the beginning of a text.
    """
    found = []
    if not (output.answer or "").strip() and any(_scored(judged.get(kind, {})) for kind in OF_ANSWERS):
        found.append("empty_answer_judged")
    if doubtful(output, judged):
        found.append("abstention_doubtful")
    every = [one for subjects in judged.values() for one in subjects.values()]
    if any(one.num is not None and one.den and one.num > one.den for one in every):
        found.append("more_verdicts_than_items")
    if any(trimmed(output, one.trims) for one in every if one.trims):
        found.append("judged_on_trimmed_text")
    return tuple(found)


def trimmed(output: Output, trims: Mapping[str, int]) -> int:
    """How many of the texts that a judge read were longer than what it was shown.

    `trims` says the characters shown of each 'context', 'source' (a citation's snippet) and 'answer'.
    """
    snippets = [source.get("snippet") or "" for source in (output.extra or {}).get("sources", ())]
    texts = {
        "context": [passage.text or "" for passage in output.contexts or ()],
        "source": snippets,
        "answer": [output.answer or ""],
    }
    return sum(len(text) > shown for what, shown in trims.items() for text in texts.get(what, ()))


def _scored(subjects: Mapping[str, Any]) -> bool:
    return any(one.value is not None or one.num is not None for one in subjects.values() if not one.error)
