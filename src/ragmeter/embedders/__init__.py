"""The contract of an embedder: texts in, vectors out, and the similarity of two of its vectors.

A member is a file with `EMBEDDER`, called with what follows the name in a spec (`EMBEDDER("")` for plain
`lexical`). Vectors belong to the embedder that made them: sparse counts or dense numbers, only its own
`similarity` reads them, so that both kinds share one seam.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ragmeter.errors import RagmeterError

KINDS = ("symmetric", "query", "passage")


class EmbedderError(RagmeterError):
    """The embedder cannot do what was asked: a wrong spec, a failing server, a text it may not cut."""


class Identity(NamedTuple):
    """What a report has to say about an embedder, for its numbers are meaningless without it.

    `threshold` is the delta at which S1 calls an answer GOOD with this embedder; 0.10 does not carry over
    from one to another. `dimension` and `window` (tokens seen at once) are None where there is no limit.
    `pooling` says how a vector comes from tokens, `digest` identifies weights.
    """

    name: str
    version: str
    dimension: int | None = None
    threshold: float = 0.10
    pooling: str = ""
    window: int | None = None
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip()


class Embedder:
    """Base of all embedders. A subclass sets `identity` and defines `embed`; dense ones keep `similarity`."""

    identity: Identity
    local = True  # asks nobody outside this process

    def embed(self, texts: Sequence[str], kind: str = "symmetric") -> list[Any]:
        """One vector per text, in order. `kind` is one of KINDS: models that tell question from passage
        need it. Citation markup is removed by the caller. Raises EmbedderError."""
        raise NotImplementedError

    def similarity(self, a: Any, b: Any) -> float:
        """Cosine of two dense vectors of this embedder, in [-1, 1], in double precision; 0.0 when either
        is all zero."""
        import numpy as np

        x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
        norm = float(np.sqrt((x @ x) * (y @ y)))
        return max(-1.0, min(1.0, float(x @ y) / norm)) if norm else 0.0


def check_kind(kind: str) -> None:
    """Raise ValueError unless `kind` is one of KINDS."""
    if kind not in KINDS:
        raise ValueError(f"unknown kind '{kind}': one of {', '.join(KINDS)}")
