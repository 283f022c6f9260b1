"""Overlap scores: by hand, against sacrebleu and rouge-score, and on scripts that those do not see."""

import json
import math
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from ragmeter.text.overlap import (
    BleuCounts,
    ChrfCounts,
    Shared,
    added_content,
    bleu_counts,
    bleu_tokens,
    chrf_counts,
    copied,
    exact_match,
    is_identity,
    length_ratio,
    longest_run,
    longest_subsequence,
    rouge_l,
    rouge_n,
    token_overlap,
)
from ragmeter.text.tokens import words

PIECES = (
    "the cat sat on mat, 3.5 1,000 a-b don't é x-y 5-6 &amp; &lt; đăng ký 日本 한국 ( ) . , ! \" 's <skipped> -\n "
    "A.B. U.S. 3. ,x the cat"
).split(" ")


def texts(count: int, seed: int = 7) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choice(PIECES) for _ in range(chance.randrange(14))) for _ in range(count)]


def test_exact_match_and_token_overlap_by_hand() -> None:
    assert exact_match("The Fee: 3.5!", "the fee 3,5")
    assert not exact_match("the fee", "fee") and exact_match("the fee", "Fee.", articles=False)
    assert token_overlap("a b b c", "b b d") == Shared(2, 4, 3)
    assert token_overlap("a b b c", "b b d").f1 == pytest.approx(4 / 7)
    assert token_overlap("a fee", "the fee", articles=False).f1 == 1.0
    assert token_overlap("", "").f1 is None
    assert token_overlap("", "x").f1 == 0.0 and token_overlap("", "x").precision is None


@pytest.mark.parametrize(
    ("answer", "expected", "f1"),
    [
        ("Lệ phí là 20 đồng", "Lệ phí: 30 đồng", 6 / 9),
        ("护照费用", "护照费", 6 / 7),
        ("パスポート", "パスポート代", 10 / 11),
        ("여권 수수료는 5만 원", "여권 수수료는 6만 원", 6 / 8),
        ("رسوم الجواز 20", "رسوم الجواز 30", 4 / 6),
        ("Größe der Straße", "die Größe der Strasse", 6 / 7),
        ("ปีนี้", "ปีหน้า", 2 / 6),
    ],
)
def test_token_f1_in_other_scripts(answer: str, expected: str, f1: float) -> None:
    assert token_overlap(answer, expected).f1 == pytest.approx(f1)
    assert rouge_n(answer, expected, 1).f1 == pytest.approx(f1)
    assert 0 < rouge_l(answer, expected).f1 <= f1 + 1e-12  # type: ignore[operator]


def test_rouge_by_hand() -> None:
    assert rouge_n("a b c", "a b d", 2) == Shared(1, 2, 2)
    assert rouge_n("a", "a b", 2) == Shared(0, 0, 1)
    assert rouge_l("a x b y c", "a b c d") == Shared(3, 5, 4)


def test_rouge_equals_rouge_score_on_ascii() -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rouge1", "rouge2", "rougeL"])
    samples = [text.encode("ascii", "ignore").decode() for text in texts(1200)]
    for answer, expected in zip(samples[::2], samples[1::2], strict=True):
        theirs = scorer.score(expected, answer)
        ours = (rouge_n(answer, expected, 1), rouge_n(answer, expected, 2), rouge_l(answer, expected))
        for name, mine in zip(("rouge1", "rouge2", "rougeL"), ours, strict=True):
            assert (mine.precision or 0.0, mine.recall or 0.0, mine.f1 or 0.0) == pytest.approx(
                tuple(theirs[name]), abs=1e-12
            )


def test_words_equal_the_tokens_of_rouge_score_on_ascii() -> None:
    tokenizer = pytest.importorskip("rouge_score.tokenizers").DefaultTokenizer(use_stemmer=False)
    chance = random.Random(3)
    for _ in range(2000):
        text = "".join(chr(chance.randrange(128)) for _ in range(chance.randrange(40)))
        assert words(text) == tokenizer.tokenize(text)


def test_bleu_and_chrf_equal_sacrebleu_per_sentence_and_per_corpus() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    tokenizer = pytest.importorskip("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a()
    samples = texts(2400)
    answers, first, second = samples[::3], samples[1::3], samples[2::3]
    bleu, chrf = BleuCounts(), ChrfCounts()
    for answer, one, other in zip(answers, first, second, strict=True):
        assert bleu_tokens(answer) == tokenizer(answer.rstrip()).split()
        mine = bleu_counts(answer, [one, other])
        assert (mine.sentence_score or 0.0) == pytest.approx(
            sacrebleu.sentence_bleu(answer, [one, other]).score, abs=1e-9
        )
        bleu += mine
        mine_chrf = chrf_counts(answer, [one, other])
        assert (mine_chrf.score or 0.0) == pytest.approx(sacrebleu.sentence_chrf(answer, [one, other]).score, abs=1e-9)
        chrf += mine_chrf
    assert bleu.score == pytest.approx(sacrebleu.corpus_bleu(answers, [first, second], force=True).score, abs=1e-9)
    assert chrf.score == pytest.approx(sacrebleu.corpus_chrf(answers, [first, second]).score, abs=1e-9)


def test_bleu_by_hand() -> None:
    counts = bleu_counts("the cat sat on the mat", ["the cat sat on a mat"])
    assert counts == BleuCounts((5, 3, 2, 1), (6, 5, 4, 3), 6, 6)
    assert counts.score == pytest.approx(100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25)
    assert bleu_counts("a b", ["a b"]).score == 0.0  # no 4-gram in the whole corpus
    assert bleu_counts("a b", ["a b"]).sentence_score == pytest.approx(100)
    short = bleu_counts("the cat", ["the cat sat on the mat"])
    assert short.sentence_score == pytest.approx(100 * math.exp(1 - 6 / 2))
    assert BleuCounts().score is None and bleu_counts("", ["a"]).score == 0.0
    assert bleu_counts("", []).score is None


def test_bleu_of_unspaced_scripts_needs_words() -> None:
    assert bleu_counts("护照费用二十元", ["护照费用三十元"]).score == 0.0
    assert bleu_counts("护照费用二十元", ["护照费用三十元"], tokens=words).score > 40  # type: ignore[operator]


def test_chrf_by_hand() -> None:
    counts = chrf_counts("ab", ["abc"])
    assert counts == ChrfCounts((2, 1, 0, 0, 0, 0), (3, 2, 1, 0, 0, 0), (2, 1, 0, 0, 0, 0))
    precision, recall = 1.0, (2 / 3 + 1 / 2) / 2
    assert counts.score == pytest.approx(100 * 5 * precision * recall / (4 * precision + recall))
    assert ChrfCounts().score is None and chrf_counts("", ["a"]).score == 0.0
    assert chrf_counts("여권", ["여권"]).score == pytest.approx(100)


def test_counts_add_up_in_any_order() -> None:
    parts = [bleu_counts(a, [b]) for a, b in zip(texts(20), texts(20, seed=8), strict=True)]
    total, backwards = BleuCounts(), BleuCounts()
    for part in parts:
        total, backwards = total + part, part + backwards
    assert total == backwards


def test_longest_common_subsequence_and_run_agree_with_brute_force() -> None:
    chance = random.Random(4)
    for _ in range(300):
        a, b = ([chance.randrange(3) for _ in range(chance.randrange(9))] for _ in range(2))
        table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
        assert longest_subsequence(a, b) == table[-1][-1]
        runs = [n for n in range(len(a) + 1) for i in range(len(a) - n + 1) for j in range(len(b) - n + 1)
                if a[i : i + n] == b[j : j + n]]  # fmt: skip
        assert longest_run(a, b) == max(runs, default=0)


def test_copying_length_and_identity() -> None:
    assert copied("we copy this whole run and more", "they copy this whole run or not") == (4, 7)
    assert copied("护照费用", "护照的费用") == (2, 4)
    assert copied("", "x") == (0, 0)
    assert length_ratio("a b", "a b c") == (2, 3)
    assert is_identity("Lệ phí bao nhiêu?", "lệ phí bao nhiêu") and not is_identity("a", "b")


def test_added_content_by_hand() -> None:
    shared = added_content(
        "How much is it?", "How much is the passport fee in Hanoi?", "How much is the fee of a passport for a child?"
    )
    assert shared == Shared(2, 3, 3)
    assert added_content("q a", "q a", "q a gold") == Shared(0, 0, 1)
    assert added_content("它多少钱", "护照多少钱", "护照多少钱").f1 == 1.0


def test_published_rewrites_give_the_reference_values(shared: Path) -> None:
    """sacrebleu 2.6 and rouge-score 0.1.2 over 216 CAsT 2020 turns."""
    folder = shared / "samples_memory"
    expected = json.loads((folder / "reference_values.json").read_text())["CAsT2020"]
    topics = json.loads((folder / "trec_cast/2020_manual_evaluation_topics_v1.0.json").read_text())
    turns = [turn for topic in topics for turn in topic["turn"]]
    systems = {"raw_vs_manual": "raw_utterance", "automatic_vs_manual": "automatic_rewritten_utterance"}
    for name, system in systems.items():
        check([(turn[system], turn["manual_rewritten_utterance"]) for turn in turns], expected[name])


def test_added_content_tells_the_automatic_rewriter_from_doing_nothing(shared: Path) -> None:
    topics = json.loads((shared / "samples_memory/trec_cast/2020_manual_evaluation_topics_v1.0.json").read_text())
    added = {"raw_utterance": Shared(0, 0, 0), "automatic_rewritten_utterance": Shared(0, 0, 0)}
    for turn in (turn for topic in topics for turn in topic["turn"]):
        for system in added:
            one = added_content(turn["raw_utterance"], turn[system], turn["manual_rewritten_utterance"])
            added[system] = Shared(*(a + b for a, b in zip(added[system], one, strict=True)))
    nothing, automatic = added.values()
    assert nothing.recall == 0.0 and nothing.precision is None
    assert automatic.recall == pytest.approx(0.34, abs=0.02)  # 0.3385 and 0.609 with another stop list
    assert automatic.precision == pytest.approx(0.61, abs=0.03)


def check(pairs: list[tuple[str, str]], expected: dict[str, float]) -> None:
    assert len(pairs) == expected["n"]
    bleu, chrf = BleuCounts(), ChrfCounts()
    for answer, gold in pairs:
        bleu, chrf = bleu + bleu_counts(answer, [gold]), chrf + chrf_counts(answer, [gold])
    assert round(bleu.score or 0, 2) == expected["sacrebleu_bleu"]
    assert round(chrf.score or 0, 2) == expected["sacrebleu_chrf"]
    mean: Callable[[list[float]], float] = lambda values: round(sum(values) / len(values), 4)  # noqa: E731
    assert mean([rouge_n(a, g, 1).f1 or 0.0 for a, g in pairs]) == pytest.approx(expected["rouge1_f"], abs=2e-3)
    assert mean([rouge_l(a, g).f1 or 0.0 for a, g in pairs]) == pytest.approx(expected["rougeL_f"], abs=2e-3)
    assert mean([float(exact_match(a, g)) for a, g in pairs]) == expected["exact_match_normalised"]
