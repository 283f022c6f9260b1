"""Metrics of memory cases, with numbers worked by hand."""

from typing import Any

import pytest

from ragmeter.errors import UsageError
from ragmeter.evaluate import evaluate
from ragmeter.metrics import measure
from ragmeter.profiles import profile
from ragmeter.records import Case, Output, Passage, Turn
from ragmeter.result import Estimate

STANDARD = profile("standard")


def estimate(spec: str, *pairs: tuple[Case, Output]) -> Estimate:
    return evaluate(pairs, [measure(spec, STANDARD)], STANDARD).estimates[0]


def pair(before: str, after: str | None, i: int = 0, **fields: Any) -> tuple[Case, Output]:
    case = Case(f"c{i}", "And it?", **{"expected": ("visa",), **fields})
    return case, Output(case.id, rewrites={"baseline": before} | ({} if after is None else {"with_memory": after}))


def test_gain_and_p_of_paired_hits() -> None:
    """2 wins, 1 loss, 1 tie: gain (2 - 1) / 4, p = min(1, 2 P(X <= 1 | 3, 1/2)) = 1. 4 wins: p = 2 / 16."""
    mixed = [pair("x", "visa", 0), pair("x", "visa", 1), pair("visa", "x", 2), pair("visa", "visa", 3)]
    assert estimate("coreference_gain", *mixed).value == 0.25
    assert estimate("coreference_gain_p", *mixed).value == 1.0
    wins = [pair("x", "visa", i) for i in range(4)]
    assert estimate("coreference_gain_p", *wins).value == pytest.approx(0.125, abs=1e-15)
    assert estimate("coreference_gain:against=with_memory", *wins).value == 0.0


def test_the_gain_counts_only_cases_in_which_both_arms_are_known() -> None:
    pairs = [pair("visa", None, 0), pair("x", "visa", 1)]
    gain = estimate("coreference_gain", *pairs)
    assert (gain.value, gain.n_scored, gain.n_null) == (1.0, 1, {"no_rewrite": 1})
    assert estimate("coreference:baseline", *pairs).value == 0.5


def test_a_failed_arm_is_an_error_and_no_miss() -> None:
    case, _ = pair("x", None)
    failed = Output(case.id, rewrites={"baseline": "x"}, extra={"errors": {"with_memory": "boom"}})
    one = estimate("coreference", (case, failed), pair("x", "visa", 1))
    assert (one.value, one.n_scored, one.n_error) == (1.0, 1, 1)
    assert estimate("memory_hit", (case, failed)).n_error == 1


def test_blank_expected_strings_are_no_hits() -> None:
    blank = pair("x", "x", expected=(" ",))
    assert estimate("coreference", blank).n_null == {"no_expected": 1}
    assert estimate("coreference", pair("x", "", 1)).value == 0.0


def test_modes_and_forbidden_words() -> None:
    stroke = pair("x", "phi dang ky", expected=("đăng ký",), forbidden=("phí",))
    specs = ["coreference", "coreference:fold", "coreference:accent", "coreference:fold,forbidden=miss"]
    assert [estimate(spec, stroke).value for spec in specs] == [0.0, 1.0, 0.0, 0.0]
    assert estimate("forbidden_hit", stroke).value == 1.0
    assert estimate("forbidden_hit", pair("x", "y")).n_null == {"no_bad_answers": 1}
    with pytest.raises(
        UsageError, match="mode: expected one of accent, boundary, fold, seed, got 'folds'; did you mean"
    ):
        estimate("coreference:mode=folds", stroke)


def remembered(*items: str | Passage, qrels: dict[str, int] | None = None) -> tuple[Case, Output]:
    case = Case("c", "And it?", qrels=qrels, expected=("visa",))
    return case, Output("c", rewrites={"with_memory": "x"}, recalled={"with_memory": items})


def test_memory_hit_is_told_apart_from_the_rewrite() -> None:
    assert estimate("memory_hit", remembered(Passage("s#0", text="my visa"))).value == 1.0
    assert estimate("memory_hit", remembered()).value == 0.0
    assert estimate("memory_hit", remembered("s#0")).n_null == {"not_recorded": 1}
    assert estimate("memory_hit", pair("x", "y")).n_null == {"not_recorded": 1}


def test_session_recall_by_rule_level_and_cutoff() -> None:
    """Recalled sessions in order: b, a, c (the second turn of b is the same session). Evidence: a, d."""
    items = [Passage(id, text="t") for id in ("b#0", "b#1", "a#3", "c#0")]
    one = remembered(*items, qrels={"a#2": 1, "d#0": 1, "b#0": 0})
    said = {"@1": 0.0, "@2": 0.5, "@3": 0.5, ":any@2": 1.0, ":all@9": 0.0, ":turn@9": 0.0}
    assert {k: estimate(f"session_recall{k}", one).value for k in said} == said
    assert estimate("session_recall:turn@9", remembered(*items, qrels={"a#3": 1})).value == 1.0
    assert estimate("session_recall:all@5", remembered(*items, qrels={})).n_null == {"no_relevant": 1}
    assert estimate("session_recall", remembered(Passage("?1", text="t"), qrels={"a": 1})).n_null == {"not_recorded": 1}


def test_leaks_are_counted_where_owners_are_known() -> None:
    case, said = remembered(Passage("a", text="t"), Passage("b", text="t"))
    owned = Output("c", recalled=said.recalled, extra={"user": "u1", "owners": {"a": "u1", "b": "u2"}})
    assert estimate("cross_user_leaks", (case, owned), (case, owned)).value == 2
    assert estimate("cross_user_leaks", (case, said)).n_null == {"not_recorded": 1}


GOLD = Case(
    "g",
    "How much is it?",
    history=(Turn("I lost my green library card", "Sorry."),),
    references=("How much is a new library card?",),
)


def gold(text: str, **fields: Any) -> tuple[Case, Output]:
    return GOLD, Output("g", rewrites={"with_memory": text})


def test_rewrites_against_a_gold_rewrite() -> None:
    """'How much is my library card?' shares 5 of 6 words with 7 of the gold, adds library and card of new, library, card."""
    said = gold("How much is my library card?")
    assert estimate("rewrite_rouge_1", said).value == pytest.approx(2 * 5 / 13)
    assert estimate("rewrite_rouge_l", said).value == pytest.approx(2 * 5 / 13)
    assert estimate("added_precision", said).value == 1.0
    assert estimate("added_recall", said).value == pytest.approx(2 / 3)
    assert estimate("added_recall:identity", said).value == 0.0
    assert estimate("added_precision:identity", said).n_null == {"undefined": 1}
    assert estimate("rewrite_exact", gold("how much is a NEW library card")).value == 1.0
    assert estimate("rewrite_exact:identity", said).value == 0.0
    assert estimate("identity_rate", gold("how much is it")).value == 1.0
    assert estimate("rewrite_chrf", gold(GOLD.references[0])).value == pytest.approx(100)
    assert estimate("rewrite_exact", pair("x", "y")).n_null == {"no_references": 1}


def test_the_gold_may_stand_under_extra_and_the_nearest_of_several_counts() -> None:
    case = Case(
        "g", "It?", references=("an answer, no rewrite",), extra={"rewrites": ["The red cup?", "The blue cup?"]}
    )
    said = case, Output("g", rewrites={"with_memory": "The blue cup?"})
    assert estimate("rewrite_exact", said).value == 1.0
    assert estimate("rewrite_bleu", said).value is not None


def test_copy_rate_is_the_longest_run_out_of_the_conversation() -> None:
    """'my green library card' is 4 of 8 words."""
    assert estimate("copy_rate", gold("How much is it my green library card")).value == 0.5
    assert estimate("copy_rate", pair("x", "y")).n_null == {"not_recorded": 1}


def test_corpus_scores_do_not_depend_on_order_or_partition() -> None:
    pairs = [gold("How much is my library card?"), gold("A new card?"), gold("How much is a new one?")]
    for spec in ("rewrite_bleu", "rewrite_chrf", "coreference_gain_p"):
        assert estimate(spec, *pairs) == estimate(spec, *reversed(pairs))
    rows = [estimate("rewrite_bleu", one).value or 0.0 for one in pairs]
    assert estimate("rewrite_bleu", *pairs).value != pytest.approx(sum(rows) / 3)
