"""The sentence and citation rules of the DVC-RAG citation experiment, kept exactly, quirks included.

Sentences: all white space to one blank, strip, split after any of . ! ? ; : before white space, strip, drop
pieces shorter than 8 code points. A list number or a short piece is dropped, and a marker in it is lost.
Markers: 【digits】 only; one that is not among the sources is ignored silently.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

SHORTEST = 8  # code points of a kept piece
CLAIM = 30  # an uncited sentence longer than this is a claim ...
GREETINGS = (
    "xin chào",
    "cảm ơn",
    "vui lòng",
    "bạn cần",
    "sau đây",
    "như sau",
)  # ... unless it has one of these

_END = re.compile(r"(?<=[.!?;:])\s+")
_MARKER = re.compile(r"【(\d+)】")


class CitationCounts(NamedTuple):
    """Of one answer: sentences with a valid marker, valid markers in them, uncited claims."""

    n_cited_sent: int
    n_cit: int
    n_uncited_claim: int


def dvc_sentences(text: str) -> tuple[str, ...]:
    """The kept sentences, white space folded to single blanks."""
    folded = re.sub(r"\s+", " ", text).strip()
    pieces = (piece.strip() for piece in _END.split(folded))
    return tuple(piece for piece in pieces if len(piece) >= SHORTEST)


def dvc_spans(text: str) -> tuple[tuple[int, int], ...]:
    """(start, end) of the kept sentences in the text as it is, one for each of `dvc_sentences`.

    A marker outside all of them stood in a dropped piece.
    """
    edges = [0, *(edge for gap in _END.finditer(text) for edge in gap.span()), len(text)]
    spans = (_stripped(text, start, end) for start, end in zip(edges[::2], edges[1::2], strict=True))
    return tuple((s, e) for s, e in spans if len(re.sub(r"\s+", " ", text[s:e])) >= SHORTEST)


def dvc_citation_counts(answer: str, numbers: Collection[int]) -> CitationCounts:
    """n_cited_sent, n_cit and n_uncited_claim of an answer whose sources carry `numbers`."""
    sentences = dvc_sentences(answer)
    valid = [sum(_number(n) in numbers for n in _MARKER.findall(sentence)) for sentence in sentences]
    uncited = sum(_is_uncited_claim(sentence) for sentence in sentences)
    return CitationCounts(sum(map(bool, valid)), sum(valid), uncited)


def _is_uncited_claim(sentence: str) -> bool:
    if len(sentence) <= CLAIM or _MARKER.search(sentence):
        return False
    return not any(greeting in sentence.lower() for greeting in GREETINGS)


def _number(digits: str) -> int:
    return int(digits) if len(digits) < 19 else -1


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return end - len(piece.lstrip()), start + len(piece.rstrip())
