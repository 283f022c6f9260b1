"""What holds for every text: no error, places that fit, bounds, order, and work linear in the length."""

import re
import sys
import unicodedata
from collections.abc import Callable
from importlib import import_module
from pkgutil import walk_packages

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragmeter.text
from ragmeter.embedders.lexical import Lexical
from ragmeter.text.agreement import compare_quantities
from ragmeter.text.dvc import dvc_citation_counts, dvc_sentences, dvc_spans
from ragmeter.text.markers import diagnose, markers, sentence_of, strip_markers
from ragmeter.text.negation import clauses, negation, negation_differs
from ragmeter.text.normal import contains, depends_on_mode, fold, fragile, keep_accents, nfc, seed_fold
from ragmeter.text.overlap import (
    BleuCounts,
    ChrfCounts,
    added_content,
    bleu_counts,
    chrf_counts,
    copied,
    exact_match,
    longest_run,
    longest_subsequence,
    rouge_l,
    rouge_n,
    token_overlap,
)
from ragmeter.text.plain import plain
from ragmeter.text.quantities import quantities
from ragmeter.text.refusal import parroting, refusal_phrase
from ragmeter.text.sentences import sentences
from ragmeter.text.tokens import content_words, lexical_tokens, weighted_length, words

# Words, signs and numbers that the rules look at, in seven languages, thrown together.
BITS = [
    "The fee is 240 euros", "two and a half weeks", "no later than", "not", "Dr.", "J. K.", "e.g.", "I don't know.",
    "Lệ phí là 1,2 triệu đồng", "mười lăm ngày", "TP. HCM", "không", "năm", "ngày 12 tháng 3 năm 2024", "một phần ba",
    "zweihundertfünf", "z. B.", "nicht", "am 12. März", "ein halbes Jahr", "Größe", "3,5 Mio. €", "Nr. 5",
    "费用为三十五元", "百分之三", "一个半小时", "二〇二四年", "不", "万", "我不知道。", "半", "五人に一人", "手数料は3万5千円です。",
    "ありません", "ﾊﾟｽﾎﾟｰﾄ", "午後2時30分", "여권 수수료는 5만 원", "이십일", "열흘", "4분의 3", "않습니다.", "만",
    "خمسة وعشرون يوما", "٢٥٠", "لا", "ألف", "؟", "[1]", "[1, 2]", "【3】", "[Data: Sources (1, +more)]", "[^1]:", "[[4]]",
    "[Data: Reports (1", "【4:0†source】", "(doc-7)", "[", "【", "]", "(", ")", ".", "!", "?", "。", "…", ":", ";", ",", "-",
    "\n", "\n\n", "\r\n", "\u2028", "\u00a0", "\u200b", "\u00ad", "\ue001", "\ue002", "\ud800", "½", "²", "①", "\u0301",
    "\u0345", "\u1160", "ẞ", "ǰ", "İ", "ı", "ﬀ", "१२", "ปี", "👍🏽", "\x00", "1", "12", "1.000", "1,00,000", "00", "1/2",
    "03/04/2024", "24:61", "5%", "$5m", "5 km", "4x6", "61/2018/NĐ-CP", "9" * 25, "%", "€", "k", "h", "m2", "-5", " ",
]  # fmt: skip
scattered = st.lists(st.sampled_from(BITS), max_size=12).map("".join)
spaced = st.lists(st.sampled_from(BITS), max_size=12).map(" ".join)
anything = st.text(max_size=60) | scattered | spaced
some = settings(max_examples=150)


@some
@given(anything, anything)
def test_nothing_raises(a: str, b: str) -> None:
    for mode in ("seed", "fold", "boundary", "accent"):
        contains(a, b, mode=mode)
        contains(a, b, mode=mode, boundary="auto", locale="tr")
    depends_on_mode(a, [b, ""])
    fragile(a, [b])
    compare_quantities(a, b)
    negation_differs(a, b)
    negation(a)
    refusal_phrase(a)
    parroting(a, b)
    content_words(a)
    weighted_length(a)
    dvc_citation_counts(a, {1, 2})
    added_content(a, b, a + b)
    strip_markers(a, ids=["doc-7"])


@some
@given(anything)
def test_sentences_are_pieces_of_the_text_in_order(text: str) -> None:
    found = sentences(text)
    assert all(text[s.start : s.end] == s.text == s.text.strip() for s in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
    assert all(any(map(str.isalnum, s.text)) for s in found)
    kept = sum(map(str.isalnum, "".join(s.text for s in found)))
    assert kept == sum(map(str.isalnum, text))  # no letter and no digit is lost


@some
@given(anything)
def test_dvc_sentences_and_their_places_agree(text: str) -> None:
    spans = dvc_spans(text)
    assert tuple(re.sub(r"\s+", " ", text[s:e]) for s, e in spans) == dvc_sentences(text)


@some
@given(anything)
def test_markers_are_pieces_of_the_text_in_order(text: str) -> None:
    found = markers(text, ids=["doc-7"])
    assert all(text[m.start : m.end] == m.text for m in found)
    assert all(a.start <= b.start for a, b in zip(found, found[1:], strict=False))
    assert all(a.end <= b.start or a.start == b.start for a, b in zip(found, found[1:], strict=False))
    spans = [(s.start, s.end) for s in sentences(text)]
    places = sentence_of(found, spans)
    assert all(p is None or spans[p][0] <= m.start < spans[p][1] for m, p in zip(found, places, strict=True))
    report = diagnose(found, sources=["1", "2"], spans=spans)
    assert set(report.out_of_range) <= set(report.dangling)
    assert set(report.unused) <= {"1", "2"} and not {"1", "2"} & set(report.dangling)


@some
@given(anything)
def test_no_marker_of_a_sentence_is_lost_between_sentences(text: str) -> None:
    """A marker may stand alone at the very beginning; behind a sentence it belongs to it."""
    spans = [(s.start, s.end) for s in sentences("Word. " + text)]
    assert None not in sentence_of(markers("Word. " + text), spans)


@some
@given(anything)
def test_quantities_are_pieces_of_the_text_in_order(text: str) -> None:
    found = quantities(text)
    assert all(text[q.start : q.end] == q.text and q.readings for q in found)
    assert all(a.start <= b.start for a, b in zip(found, found[1:], strict=False))


@some
@given(anything)
def test_a_text_agrees_with_itself(text: str) -> None:
    found = compare_quantities(text, text)
    assert not found.extra and not found.missing and not found.disagrees
    assert len(found.agreements) == len(quantities(text))
    assert not negation_differs(text, text)


@some
@given(
    st.integers(2, 10**7),
    st.integers(2, 10**7),
    st.sampled_from(["{} days", "{} ngày", "{}天", "{}日間", "{}일", "{} يوما", "{} Tage"]),
)
def test_another_number_disagrees(one: int, other: int, frame: str) -> None:
    assert compare_quantities(frame.format(one), frame.format(other)).disagrees is (one != other)


@some
@given(anything)
def test_plain_text_knows_where_it_comes_from(text: str) -> None:
    made = plain(text)
    assert len(made.text) == len(made.starts) == len(made.ends)
    assert all(0 <= s < e <= len(text) for s, e in zip(made.starts, made.ends, strict=True))
    assert made.starts == sorted(made.starts)


@some
@given(anything)
def test_folding_again_changes_nothing_and_composition_does_not_matter(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert keep_accents(keep_accents(text)) == keep_accents(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))
    assert nfc(nfc(text)) == nfc(text)
    assert (
        seed_fold(text)
        == "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn").lower()
    )


@some
@given(anything, anything)
def test_what_was_put_in_is_found_and_nothing_is_not(a: str, b: str) -> None:
    joined = f"{a} {b} {a}"
    assert contains(joined, b, mode="seed")
    for mode, form in (("fold", fold), ("accent", keep_accents)):
        assert contains(joined, b, mode=mode) is bool(form(b))
    assert not contains(a, "", mode="fold")
    if contains(a, b, mode="boundary"):
        assert contains(a, b, mode="fold")


@some
@given(anything, anything)
def test_overlap_is_bounded_and_symmetric(a: str, b: str) -> None:
    for shared in (token_overlap(a, b), rouge_n(a, b, 1), rouge_n(a, b, 2), rouge_l(a, b)):
        assert 0 <= shared.common <= min(shared.answer, shared.expected)
    assert rouge_l(a, b).common <= token_overlap(a, b).common
    assert copied(a, b)[0] <= rouge_l(a, b).common
    assert token_overlap(a, b) == token_overlap(b, a)._replace(answer=len(words(a)), expected=len(words(b)))
    assert exact_match(a, b) == (words(a) == words(b))
    assert rouge_l(a, a).common == len(words(a)) == longest_run(words(a), words(a))
    for score in (bleu_counts(a, [b]).sentence_score, chrf_counts(a, [b]).score):
        assert score is None or 0 <= score <= 100 + 1e-9


@some
@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 3), max_size=12))
def test_subsequence_and_run_are_symmetric(a: list[int], b: list[int]) -> None:
    assert longest_subsequence(a, b) == longest_subsequence(b, a) >= longest_run(a, b) == longest_run(b, a)


@some
@given(st.lists(st.tuples(anything, anything), max_size=4))
def test_counts_do_not_depend_on_order(pairs: list[tuple[str, str]]) -> None:
    bleu, chrf = ([f(a, [b]) for a, b in pairs] for f in (bleu_counts, chrf_counts))
    forth, back = BleuCounts(), BleuCounts()
    for one, other in zip(bleu, reversed(bleu), strict=True):
        forth, back = forth + one, back + other
    assert forth == back and forth.score == back.score
    total = ChrfCounts()
    for each in chrf:
        total += each
    assert total.score is None or 0 <= total.score <= 100 + 1e-9


@some
@given(anything, anything)
def test_lexical_similarity_is_a_bounded_symmetric_cosine(a: str, b: str) -> None:
    embedder = Lexical()
    x, y = embedder.embed([a, b])
    assert embedder.similarity(x, y) == embedder.similarity(y, x)
    assert 0.0 <= embedder.similarity(x, y) <= 1.0
    assert embedder.similarity(x, x) == (1.0 if lexical_tokens(a) else 0.0)


@some
@given(anything)
def test_clauses_have_content(text: str) -> None:
    for clause in clauses(text):
        assert len(clause.content) >= 2 and clause.polarity in (-1, 0, 1)


# --- linear work ---------------------------------------------------------------------------------------

HOSTILE = [
    "[", "【", "[1", "[1,", "[1-", "[[1", "[^", "[E", "[Data:", "[Data: a (", "[Data: Sources (1, ", "(", "[1](http", "[1]",
    ".", ". ", "A. ", "a. [1] ", "\n", "a\n", "1. ", "。」と", "\"'", "Dr. ", "1", "1,", "1.", "1/", "1-1", "1 000 ", "a1", "1a",
    "one ", "hundred and ", "zwei", "hunderttausend", "một ", "năm ", "trăm ", "一", "十", "万", "百分之", "半", "분의", "만 ",
    "이천 ", "일", "ألف ", "و", "½", "٣", "$1", "1h ", "12 march ", "tháng ", "1 (", "1 to ", "5% of ", "not ", "n't", "không ",
    "không có thông tin ", "i don't know ", "i am sorry but ", "a, ", "不", "ない", "안 ", "e\u0301", "\u0301", "x",
]  # fmt: skip
FUNCTIONS: list[Callable[[str], object]] = [
    markers,
    lambda text: strip_markers(text, ids=["doc-7"]),
    sentences,
    dvc_spans,
    quantities,
    refusal_phrase,
    lambda text: compare_quantities(text, text),
    lambda text: negation_differs(text, text),
    fold,
    words,
    lexical_tokens,
]
NAMES = "markers strip_markers sentences dvc quantities refusal compare negation fold words lexical".split()


def steps(function: Callable[[str], object], text: str) -> int:
    """Lines of Python run: a count of work that no busy machine changes."""
    count = 0

    def trace(frame, event, argument):  # type: ignore[no-untyped-def]
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_twice_the_hostile_text_is_at_most_twice_the_work(function: Callable[[str], object]) -> None:
    function("warm the caches up 1 một 一 일 ألف")
    for piece in HOSTILE:
        once = steps(function, (piece * 1200)[:1200])
        twice = steps(function, (piece * 2400)[:2400])
        assert twice <= 2.3 * once + 3000, (piece, once, twice)


def test_no_pattern_can_look_far_in_vain() -> None:
    """Inside one match attempt the work is bounded: repeats without a bound are possessive, or of one kind of
    character with nothing behind them that could fail."""
    patterns = {}
    for info in walk_packages(ragmeter.text.__path__, "ragmeter.text."):
        module = import_module(info.name)
        patterns |= {(info.name, n): p for n, p in vars(module).items() if isinstance(p, re.Pattern)}
    assert len(patterns) > 80
    # runs of one kind of character: what follows them is optional, or the attempt began at a bracket of its own
    allowed = {"_LEXICAL", "_WORD", "_END", "_MARKER", "_WORDS"}
    loose = {name for name, pattern in patterns.items() if _has_loose_repeat(pattern) and name[1] not in allowed}
    assert loose == set()


def _has_loose_repeat(pattern: re.Pattern[str]) -> bool:
    parser = re._parser  # type: ignore[attr-defined]

    def loose(tree) -> bool:  # type: ignore[no-untyped-def]
        for operator, argument in tree:
            name = str(operator)
            if name in ("MAX_REPEAT", "MIN_REPEAT") and argument[1] is parser.MAXREPEAT:
                return True
            if any(loose(part) for part in _subtrees(argument)):
                return True
        return False

    return loose(parser.parse(pattern.pattern, pattern.flags))


def _subtrees(argument):  # type: ignore[no-untyped-def]
    parser = re._parser  # type: ignore[attr-defined]
    for part in argument if isinstance(argument, (tuple, list)) else [argument]:
        if isinstance(part, parser.SubPattern):
            yield part
        elif isinstance(part, list):
            yield from (each for each in part if isinstance(each, parser.SubPattern))
