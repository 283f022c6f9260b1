"""lexical: cosine of character 3-, 4- and 5-gram counts. No model, no dependency, all languages.

Each token (see `lexical_tokens`) is padded with one blank on both sides and all its 3-, 4- and 5-grams are
counted; a padded token shorter than n counts once, whole, for that n. Similarity is the cosine of the raw
counts, between 0 and 1, and 0.0 when either text has no token. No idf, so a score depends on its two texts
alone.

It measures shared spelling. It is blind to wrong numbers and to negation, and weaker than a model where
words differ and meaning does not: reports call it lexical.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ragmeter.embedders import Embedder, EmbedderError, Identity, check_kind
from ragmeter.text.tokens import lexical_tokens

SIZES = (3, 4, 5)


class Counts(NamedTuple):
    """A sparse vector: n-gram counts and the square of their length."""

    grams: dict[str, int]
    squared: int


class Lexical(Embedder):
    """The default embedder. It takes no options: anything after its name is refused."""

    identity = Identity("lexical", "1", threshold=0.10, pooling="char 3-5-gram counts")

    def __init__(self, spec: str = ""):
        if spec:
            raise EmbedderError(f"embedder 'lexical' takes no options, got '{spec}'")

    def embed(self, texts: Sequence[str], kind: str = "symmetric") -> list[Counts]:
        """Counts per text; `kind` changes nothing here."""
        check_kind(kind)
        return [counts(text) for text in texts]

    def similarity(self, a: Counts, b: Counts) -> float:
        """Cosine in [0, 1]; exactly 1.0 for equal counts, 0.0 when either is empty."""
        if not a.squared or not b.squared:
            return 0.0
        if len(a.grams) > len(b.grams):
            a, b = b, a
        other = b.grams
        dot = sum(count * other.get(gram, 0) for gram, count in a.grams.items())
        return min(1.0, dot / math.sqrt(a.squared * b.squared))


def counts(text: str) -> Counts:
    """The n-gram counts of a text."""
    grams: Counter[str] = Counter()
    for token, times in Counter(lexical_tokens(text)).items():
        for gram in _grams(f" {token} "):
            grams[gram] += times
    return Counts(dict(grams), sum(count * count for count in grams.values()))


def _grams(padded: str) -> list[str]:
    size = len(padded)
    return [padded[i : i + n] for n in SIZES for i in range(max(1, size - n + 1))]


EMBEDDER = Lexical
