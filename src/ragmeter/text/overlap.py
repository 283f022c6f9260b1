"""How much two texts share: exact match, token F1, ROUGE, chrF, BLEU, added content, copying. Counts first.

Every function gives integers, from which the number follows in one division, so that counts can be added over
cases in any order. Words are those of `tokens.words`: on ASCII text ROUGE-1, -2 and -L equal the rouge-score
package without stemming, and on other scripts they still work. BLEU and chrF equal sacrebleu 2.x with default
settings, per sentence and per corpus, in [0, 100].

Sources: ROUGE, Lin 2004; BLEU, Papineni et al. 2002, with the tokens of mteval-v13a and exponential smoothing
(Chen and Cherry 2014, method 3); chrF, Popović 2015, character order 6, beta 2; LCS by bits, Hyyrö 2004.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeVar

from ragmeter.text.tokens import content_words, words

BLEU_ORDER = 4
CHRF_ORDER = 6
CHRF_BETA = 2
_ARTICLES = frozenset(("a", "an", "the"))
Token = TypeVar("Token", bound=Hashable)


class Shared(NamedTuple):
    """What two texts have in common: `common` of `answer` and of `expected` units."""

    common: int
    answer: int
    expected: int

    @property
    def precision(self) -> float | None:
        """common / answer; None when the answer has no unit."""
        return self.common / self.answer if self.answer else None

    @property
    def recall(self) -> float | None:
        """common / expected; None when the expected text has no unit."""
        return self.common / self.expected if self.expected else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of both, 2 common / (answer + expected); None when neither text has a unit."""
        both = self.answer + self.expected
        return 2 * self.common / both if both else None


def exact_match(answer: str, expected: str, *, articles: bool = True) -> bool:
    """Whether both have the same words in the same order; without `articles`, a, an, the are left out (SQuAD)."""
    return _words(answer, articles) == _words(expected, articles)


def token_overlap(answer: str, expected: str, *, articles: bool = True) -> Shared:
    """Words shared as multisets; `.f1` is the token F1. Without `articles` a, an, the are left out (SQuAD)."""
    return _shared(Counter(_words(answer, articles)), Counter(_words(expected, articles)))


def rouge_n(answer: str, expected: str, n: int) -> Shared:
    """ROUGE-n: n-grams of words shared as multisets."""
    return _shared(_grams(words(answer), n), _grams(words(expected), n))


def rouge_l(answer: str, expected: str) -> Shared:
    """ROUGE-L: the longest common subsequence of words."""
    a, b = words(answer), words(expected)
    return Shared(longest_subsequence(a, b), len(a), len(b))


def added_content(question: str, rewrite: str, gold: str) -> Shared:
    """What a rewrite adds to the question, against what the gold rewrite adds.

    Distinct content words that are not in the question: `.precision` of the rewrite, `.recall` of the gold.
    The unchanged question has nothing added, hence recall 0 and no precision.
    """
    asked = set(words(question))
    added, wanted = set(content_words(rewrite)) - asked, set(content_words(gold)) - asked
    return Shared(len(added & wanted), len(added), len(wanted))


def is_identity(question: str, rewrite: str) -> bool:
    """Whether the rewrite is the question again, but for case and punctuation."""
    return exact_match(question, rewrite)


def length_ratio(answer: str, expected: str) -> tuple[int, int]:
    """(words of the answer, words of the expected text)."""
    return len(words(answer)), len(words(expected))


def copied(answer: str, context: str) -> tuple[int, int]:
    """(words of the longest run that the answer shares with the context, words of the answer)."""
    ours = words(answer)
    return longest_run(ours, words(context)), len(ours)


def longest_subsequence(a: Sequence[Token], b: Sequence[Token]) -> int:
    """Length of the longest common subsequence, one machine word of `a` at a time."""
    where: dict[Token, int] = {}
    for place, token in enumerate(a):
        where[token] = where.get(token, 0) | 1 << place
    full = (1 << len(a)) - 1
    state = full  # a bit is cleared where the subsequence grows
    for token in b:
        if match := state & where.get(token, 0):
            state = (state + match | state - match) & full
    return len(a) - state.bit_count()


def longest_run(a: Sequence[Token], b: Sequence[Token]) -> int:
    """Length of the longest common run of neighbours, in linear time (a suffix automaton of `a`)."""
    step, link, size = _automaton(a)
    best = state = run = 0
    for token in b:
        while state and token not in step[state]:
            state = link[state]
            run = size[state]
        if token in step[state]:
            state = step[state][token]
            run += 1
        best = max(best, run)
    return best


class ChrfCounts(NamedTuple):
    """Per order 1-6: n-grams of the answer, of the expected text, and matches. Add them up for a corpus."""

    answer: tuple[int, ...] = (0,) * CHRF_ORDER
    expected: tuple[int, ...] = (0,) * CHRF_ORDER
    common: tuple[int, ...] = (0,) * CHRF_ORDER

    def __add__(self, other: ChrfCounts) -> ChrfCounts:  # type: ignore[override]
        return ChrfCounts(*(_sums(a, b) for a, b in zip(self, other, strict=True)))

    @property
    def score(self) -> float | None:
        """chrF2 in [0, 100]; None when there is no character on either side."""
        precision = recall = orders = 0.0
        for answer, expected, common in zip(*self, strict=True):
            if answer and expected:
                precision, recall, orders = precision + common / answer, recall + common / expected, orders + 1
        if not orders:
            return 0.0 if any(self.answer) or any(self.expected) else None
        return _f_beta(precision / orders, recall / orders)


def _f_beta(precision: float, recall: float) -> float:
    """In the order of operations of sacrebleu, so that near ties between expected texts fall the same way."""
    if not precision + recall:
        return 0.0
    weight = CHRF_BETA**2
    score = (1 + weight) * precision * recall
    return 100 * (score / (weight * precision + recall))


def chrf_counts(answer: str, expected: Sequence[str]) -> ChrfCounts:
    """Character n-gram counts against the expected text that gives the best chrF; the first of equals."""
    ours = _character_grams(answer)
    best: ChrfCounts | None = None
    for text in expected:
        counts = _chrf_against(ours, _character_grams(text))
        if best is None or (counts.score or 0.0) > (best.score or 0.0):
            best = counts
    return best or ChrfCounts(tuple(sum(grams.values()) for grams in ours))


class BleuCounts(NamedTuple):
    """Per order 1-4 matched and all n-grams of the answer, and both lengths. Add them up for a corpus."""

    common: tuple[int, ...] = (0,) * BLEU_ORDER
    answer: tuple[int, ...] = (0,) * BLEU_ORDER
    answer_length: int = 0
    expected_length: int = 0

    def __add__(self, other: BleuCounts) -> BleuCounts:  # type: ignore[override]
        return BleuCounts(
            _sums(self.common, other.common),
            _sums(self.answer, other.answer),
            self.answer_length + other.answer_length,
            self.expected_length + other.expected_length,
        )

    @property
    def score(self) -> float | None:
        """Corpus BLEU in [0, 100], exponential smoothing; None when nothing was expected or answered."""
        return self._bleu(BLEU_ORDER)

    @property
    def sentence_score(self) -> float | None:
        """BLEU of one sentence: orders longer than the answer are left out (effective order)."""
        return self._bleu(max(1, sum(map(bool, self.answer))))

    def _bleu(self, orders: int) -> float | None:
        if not self.answer_length and not self.expected_length:
            return None
        if not any(self.common) or not all(self.answer[:orders]):
            return 0.0
        logs, halvings = 0.0, 0
        for common, answer in zip(self.common[:orders], self.answer[:orders], strict=True):
            halvings += not common
            logs += math.log(common / answer if common else 1 / (2**halvings * answer))
        return 100 * math.exp(logs / orders + min(0.0, 1 - self.expected_length / self.answer_length))


def bleu_counts(
    answer: str, expected: Sequence[str], *, tokens: Callable[[str], list[str]] | None = None
) -> BleuCounts:
    """n-gram counts of one answer against one or more expected texts (the closest length counts).

    `tokens` is `bleu_tokens` (13a) unless another is given, such as `words` for unspaced scripts.
    """
    cut = tokens or bleu_tokens
    ours, texts = cut(answer), [cut(text) for text in expected]
    common, total = [], []
    for n in range(1, BLEU_ORDER + 1):
        grams, wanted = _grams(ours, n), Counter[tuple[str, ...]]()
        for text in texts:
            wanted |= _grams(text, n)
        common.append((grams & wanted).total())
        total.append(grams.total())
    closest = min((abs(len(ours) - len(text)), len(text)) for text in texts)[1] if texts else 0
    return BleuCounts(tuple(common), tuple(total), len(ours), closest)


_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_SPLITS = (
    (re.compile(r"([!-&(-+:-@/\[-`{-~])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def bleu_tokens(text: str) -> list[str]:
    """Tokens of mteval-v13a: ASCII punctuation apart, but not full stops and commas inside numbers."""
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    text = f" {text} "
    for pattern, new in _SPLITS:
        text = pattern.sub(new, text)
    return text.split()


def _words(text: str, articles: bool) -> list[str]:
    found = words(text)
    return found if articles else [word for word in found if word not in _ARTICLES]


def _grams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[i:] for i in range(n)), strict=False))


def _shared(a: Counter[Token], b: Counter[Token]) -> Shared:
    return Shared((a & b).total(), a.total(), b.total())


def _sums(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _character_grams(text: str) -> list[Counter[str]]:
    line = "".join(text.split())
    return [Counter(line[i : i + n] for i in range(len(line) - n + 1)) for n in range(1, CHRF_ORDER + 1)]


def _chrf_against(ours: list[Counter[str]], theirs: list[Counter[str]]) -> ChrfCounts:
    """An order that the expected text is too short for counts for neither side."""
    return ChrfCounts(
        tuple(a.total() if b else 0 for a, b in zip(ours, theirs, strict=True)),
        tuple(b.total() for b in theirs),
        tuple((a & b).total() for a, b in zip(ours, theirs, strict=True)),
    )


def _automaton(tokens: Sequence[Token]) -> tuple[list[dict[Token, int]], list[int], list[int]]:
    """Steps, suffix links and longest lengths of the states of the suffix automaton of `tokens`."""
    step: list[dict[Token, int]] = [{}]
    link, size = [0], [0]
    last = 0
    for token in tokens:
        new = len(step)
        step.append({})
        link.append(0)
        size.append(size[last] + 1)
        state, fresh = last, False
        while token not in step[state]:
            step[state][token] = new
            if not state:
                fresh = True
                break
            state = link[state]
        if not fresh:
            link[new] = _suffix_state(step, link, size, state, token)
        last = new
    return step, link, size


def _suffix_state(step: list[dict[Token, int]], link: list[int], size: list[int], state: int, token: Token) -> int:
    """The state of the longest suffix seen before, split off where it is too long."""
    found = step[state][token]
    if size[found] == size[state] + 1:
        return found
    clone = len(step)
    step.append(dict(step[found]))
    link.append(link[found])
    size.append(size[state] + 1)
    link[found] = clone
    while step[state].get(token) == found:
        step[state][token] = clone
        if not state:
            break
        state = link[state]
    return clone
