"""Similarity of the answer with each expected and each bad answer, by an embedder.

Kind `similarity`, subjects `reference:0`, ..., `bad:0`, ...; the value is a cosine. The embedder is named after
the colon and is `lexical` by default, which compares characters and claims no meaning. Citation markers are
taken off before embedding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragmeter.judges import Question
from ragmeter.records import Case, Judgment, Output
from ragmeter.registry import find
from ragmeter.text.markers import strip_markers


class Similarity:
    """`similarity[:EMBEDDER]`."""

    name = "similarity"

    def __init__(self, spec: str = ""):
        name, _, rest = (spec or "lexical").partition(":")
        self.embedder = find("embedder", name)(rest)
        self.local = bool(getattr(self.embedder, "local", True))
        self.identity: Mapping[str, Any] = {"judge": self.name, "embedder": str(self.embedder.identity)}

    def asks(self, case: Case, output: Output, judged: Mapping[str, Judgment]) -> Iterator[Question]:
        """One question per expected and bad answer, when there is an answer to compare."""
        if not output.answer or not output.answer.strip():
            return
        answer = strip_markers(output.answer)
        for place, text in enumerate(case.references):
            yield Question(case.id, "similarity", f"reference:{place}", (answer, text))
        for place, text in enumerate(case.bad_answers):
            yield Question(case.id, "similarity", f"bad:{place}", (answer, text))

    def ask(self, question: Question) -> Judgment:
        """The cosine of the two texts."""
        left, right = self.embedder.embed([strip_markers(text) for text in question.texts], "symmetric")
        return Judgment(question.case, "similarity", question.subject, value=self.embedder.similarity(left, right))


JUDGE = Similarity
