"""Memory cases: null systems, causes of misses, the linter, flags."""

import pytest

from ragmeter.memory import cause, lint, memory_flags, null_rewrite, rewrite, wanted
from ragmeter.records import Case, Output, Passage, Turn

HISTORY = (
    Turn("How do I renew a fishing permit?", "Online."),
    Turn("Which photo?", "A recent one."),
    Turn("By post?", "No."),
)
B1 = Case("b1", "And the fee?", history=HISTORY, expected=("fishing permit",), tags={"layer": "B1_summary"})
B2 = Case("b2", "And the fee?", past=HISTORY[:1], expected=("fishing permit",), tags={"layer": "B2_episodic"})


def output(rewrite: str, recalled: tuple[str, ...] | None = None, **extra: object) -> Output:
    back = (
        None if recalled is None else {"with_memory": tuple(Passage(f"?{i}", text=t) for i, t in enumerate(recalled))}
    )
    return Output(
        "b2", rewrites={"baseline": "And the fee?", "with_memory": rewrite}, recalled=back, extra=extra or None
    )


def test_null_systems_paste_nothing_the_window_or_everything() -> None:
    assert null_rewrite(B1, "null:identity") == "And the fee?"
    assert null_rewrite(B1, "null:window") == "And the fee?\nWhich photo?\nA recent one.\nBy post?\nNo."
    assert null_rewrite(B1, "null:all") == "And the fee?\n" + "\n".join(
        t for turn in HISTORY for t in (turn.user, turn.assistant)
    )
    assert null_rewrite(B2, "null:window") == "And the fee?"
    assert null_rewrite(B2, "null:all") == "And the fee?\nHow do I renew a fishing permit?\nOnline."


def test_without_a_recorded_conversation_only_identity_can_be_computed() -> None:
    bare = Case("x", "And the fee?", expected=("permit",))
    assert null_rewrite(bare, "null:identity") == "And the fee?"
    assert null_rewrite(bare, "null:window") is None and null_rewrite(bare, "null:all") is None
    assert rewrite(bare, Output("x"), "null:all") == ("", "not_recorded")


def test_a_missing_arm_a_failed_arm_and_an_unrecorded_one_are_told_apart() -> None:
    failed = Output("b1", rewrites={"baseline": "x"}, extra={"errors": {"with_memory": "KeyError: 'a'"}})
    slow = Output("b1", rewrites={}, extra={"errors": {"with_memory": "timeout: 3 s"}})
    assert rewrite(B1, failed, "with_memory") == ("", "target_error")
    assert rewrite(B1, failed, "baseline") == ("x", "")
    assert rewrite(B1, slow, "with_memory") == ("", "timeout")
    assert rewrite(B1, Output("b1", rewrites={}), "with_memory") == ("", "no_rewrite")
    assert rewrite(B1, Output("b1"), "with_memory") == ("", "not_recorded")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (output("The fee of the FISHING PERMIT?", ()), ""),
        (output("And the fee?", ("How do I renew a fishing permit?",)), "unused"),
        (output("And the fee?", ("My dog",), stored={"with_memory": ["a fishing permit"]}), "not_recalled"),
        (output("And the fee?", ("My dog",)), "not_recalled"),
        (output("And the fee?", (), stored={"with_memory": []}), "not_stored"),
        (output("And the fee?"), "unknown"),
        (Output("b2", rewrites={}, extra={"errors": {"with_memory": "boom"}}), "error"),
        (Output("b2", error="boom"), "error"),
        (Output("b2", rewrites={"baseline": "x"}), ""),
    ],
)
def test_every_miss_has_its_cause(said: Output, why: str) -> None:
    assert cause(B2, said) == why


def test_a_recalled_id_without_text_leaves_the_cause_unknown() -> None:
    said = Output("b2", rewrites={"with_memory": "And the fee?"}, recalled={"with_memory": ("s1#0",)})
    assert cause(B2, said) == "unknown"


@pytest.mark.parametrize(
    ("case", "found"),
    [
        (B1, ()),
        (B2, ()),
        (Case("x", "And the permit fee?", history=HISTORY, expected=("permit",)), ("expected_in_question",)),
        (Case("x", "And?", history=HISTORY, expected=("photo",)), ("expected_in_window",)),
        (Case("x", "And?", history=HISTORY, expected=("visa stamp",)), ("expected_nowhere",)),
        (Case("x", "And?", past=HISTORY, expected=("photo",)), ()),
        (Case("x", "And?", past=HISTORY[:1], history=HISTORY[1:], expected=("renew",)), ("history_in_b2",)),
        (Case("x", "And?", history=HISTORY, expected=("renew", " ")), ("expected_blank",)),
        (Case("x", "And?", history=HISTORY, expected=("\u0301",)), ("expected_blank",)),
        (Case("x", "And?", history=HISTORY, expected=("how",)), ("expected_short",)),
        (Case("x", "And?", expected=("visa stamp",)), ()),
        (Case("x", "And?", history=HISTORY), ()),
    ],
)
def test_the_linter_says_what_makes_a_case_prove_little(case: Case, found: tuple[str, ...]) -> None:
    assert lint(case) == found


def test_a_word_without_its_stroke_is_in_the_window_too() -> None:
    turns = (Turn("hộ chiếu"), Turn("dang ky xe"), Turn("ở đâu"))
    assert lint(Case("x", "Phí?", history=turns, expected=("đăng ký",))) == ("expected_in_window",)


def test_blank_strings_are_not_looked_for() -> None:
    assert wanted(("", " ", "\u0300", "a")) == ("a",)


def test_flags_of_what_was_made_of_a_case() -> None:
    long = "And the fee? " + " ".join(f"{t.user} {t.assistant}" for t in HISTORY)
    said = Output("b1", rewrites={"baseline": " ", "with_memory": long})
    assert memory_flags(B1, said) == ("empty_rewrite", "rewrite_copies_context", "rewrite_is_long")
    stroke = Case(
        "x",
        "Phí là bao nhiêu?",
        history=(Turn("đăng ký xe"), Turn("a"), Turn("b")),
        expected=("đăng ký",),
        forbidden=("tàu",),
    )
    said = Output("x", rewrites={"with_memory": "phi dang ky tau"})
    assert memory_flags(stroke, said) == ("memory_unknown", "hit_depends_on_mode", "forbidden_hit")
    assert memory_flags(Case("q", "What?"), Output("q", rewrites={"with_memory": ""})) == ()
