"""The plain records that walk down the corridor. They have no behaviour beyond reading their own fields.

Ids are text and compared as they are. Ranks are 1-based. An absent list is None, an empty one is empty:
`retrieved=()` says that nothing came back, `retrieved=None` that retrieval was not recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

Id = Annotated[str, Meta(min_length=1)]


class Turn(Struct, frozen=True, gc=False, omit_defaults=True):
    """One exchange of a conversation."""

    user: str
    assistant: str = ""


class Passage(Struct, frozen=True, gc=False, omit_defaults=True):
    """A piece of text that retrieval returns. `title` and `text` only where recorded."""

    id: Id
    score: float | None = None
    text: str | None = None
    title: str | None = None
    indices: tuple[int, ...] | None = None  # the numbers by which the answer's markers cite it


class Citation(Struct, frozen=True, gc=False, omit_defaults=True):
    """A marker in the answer, the passage it points to (None: dangling), the sentence it stands in (0-based)."""

    marker: str
    passage: str | None = None
    sentence: int | None = None


class Point(Struct, frozen=True, gc=False, omit_defaults=True):
    """A checklist item or nugget that a complete answer holds. `importance`: 'vital' or 'okay'."""

    text: str
    importance: str = "vital"
    id: str = ""


class Case(Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing to measure: a question and what is known to be right about it."""

    id: Id
    question: str = ""
    qrels: dict[Id, int] | None = None
    answerable: bool | None = None
    references: tuple[str, ...] = ()
    bad_answers: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()
    history: tuple[Turn, ...] = ()
    past: tuple[Turn, ...] = ()
    expected: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    primary: str | None = None
    category: str | None = None
    tags: dict[str, str] | None = None
    cluster: str | None = None
    params: dict[str, Any] | None = None
    extra: dict[str, Any] | None = None


class Output(Struct, frozen=True, gc=False, omit_defaults=True):
    """What one system did with one case. `error` set means that it could not answer: never a wrong answer."""

    case: Id
    retrieved: tuple[Id | Passage, ...] | None = None
    ranked: bool = True
    cited: tuple[Id, ...] | None = None
    citations: tuple[Citation, ...] | None = None
    contexts: tuple[Passage, ...] | None = None
    answer: str | None = None
    rewrites: dict[str, str] | None = None
    recalled: dict[str, tuple[Id | Passage, ...]] | None = None
    error: str | None = None
    seconds: float | None = None
    usage: dict[str, float] | None = None
    extra: dict[str, Any] | None = None


class Judgment(Struct, frozen=True, gc=False, omit_defaults=True):
    """One judged question about one case.

    `kind` is what was asked (similarity, claim_support, ...), `subject` which claim, sentence or pair.
    The value is a number or a ratio `num`/`den`; `error` set means that there is none.
    `question_key` hashes kind and texts, `call_key` also judge, model, version, parameters, prompt, repetition.
    """

    case: str
    kind: str
    subject: str = ""
    value: float | None = None
    num: float | None = None
    den: float | None = None
    label: str | None = None
    rationale: str | None = None
    judge: str = ""
    repetition: int = 0
    question_key: str = ""
    call_key: str = ""
    trims: dict[str, int] | None = None
    usage: dict[str, float] | None = None
    error: str | None = None
    extra: dict[str, Any] | None = None


def passage_ids(passages: Sequence[str | Passage] | None) -> Sequence[str]:
    """The ids of a ranked list, repeats included."""
    if not passages:
        return ()
    try:
        "".join(passages)  # type: ignore[arg-type]  # the quickest way to know that all are ids already
    except TypeError:
        return [p if isinstance(p, str) else p.id for p in passages]
    return passages  # type: ignore[return-value]


def record_json(record: Struct) -> bytes:
    """One record as one line of JSON, without the line end; absent fields are left out."""
    return msgspec.json.encode(record)
