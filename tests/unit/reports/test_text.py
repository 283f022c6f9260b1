"""The small functions that every report is made of."""

from decimal import ROUND_HALF_UP, Context, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ragmeter.reports import (
    apart,
    cell,
    code,
    conventions,
    failures,
    fixed,
    headline,
    inline,
    interval,
    nulls,
    number,
    ordered,
    plain,
    visible,
)
from ragmeter.result import Estimate, Outcome, Result, Verdict
from tests.helpers.reports import FAILED, PASSED, RESULT, UNSURE


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 20))
def test_fixed_rounds_the_exact_binary_value_ties_away_from_zero(value: float, digits: int) -> None:
    exact = Decimal(value)
    room = Context(prec=max(exact.adjusted(), 0) + digits + 5)
    rounded = exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP, context=room)
    assert fixed(value, digits).lstrip("-") == f"{rounded.copy_abs():.{digits}f}"
    assert fixed(value, digits).startswith("-") == (value < 0)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.00005, "0.0001"),
        (2.00005, "2.0000"),  # below the tie in binary
        (1.00005, "1.0001"),  # above it
        (0.03125, "0.0313"),  # a tie
        (-0.03125, "-0.0313"),
        (-1e-9, "-0.0000"),
        (1e20, "100000000000000000000.0000"),
        (3, "3.0000"),
    ],
)
def test_fixed_agrees_with_to_fixed(value: float, said: str) -> None:
    # what `(value).toFixed(4)` answered under node 20
    assert fixed(value) == said


def test_what_is_undefined_is_said_and_not_zero() -> None:
    assert fixed(None) == number(None) == apart(None, 0.5) == "N/A"
    assert number(None, "timeout") == "timeout"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.99999, "0.99999"),
        (0.9999999, "0.9999999"),
        (1 - 1e-12, "1.0000"),
        (1.0, "1.0000"),
        (0.00001, "0.00001"),
        (-0.00001, "-0.00001"),
        (0.0, "0.0000"),
        (0.12345, "0.1235"),
        (123456789.0, "123456789.0000"),
        (1e9, "1.0000e+09"),
        (-1.7976931348623157e308, "-1.7977e+308"),
    ],
)
def test_a_number_that_is_not_whole_never_looks_whole(value: float, said: str) -> None:
    assert number(value) == said


@pytest.mark.parametrize(
    ("value", "threshold", "said"),
    [
        (0.61, 0.61001, "0.61000"),
        (0.8999999, 0.9, "0.8999999"),
        (0.5, 0.9, "0.5000"),
        (0.9, 0.9, "0.9000"),
        (0.7 - 1e-16, 0.7, "0.6999999999999998"),
        (2e9, 1e9, "2000000000.0"),
    ],
)
def test_a_value_is_told_apart_from_its_threshold(value: float, threshold: float, said: str) -> None:
    assert apart(value, threshold) == said


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_a_value_beside_its_threshold_never_looks_like_it(value: float, threshold: float) -> None:
    assert (apart(value, threshold) == apart(threshold, value)) == (value == threshold)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("recall_at_k@5", "recall_at_k@5"),
        ("a|b", r"a\|b"),
        ("a\\|b", r"a\\\|b"),
        ("a\r\nb\nc\rd", "a<br>b<br>c<br>d"),
        ("*a* `b` ~c~", r"\*a\* \`b\` \~c\~"),
        ("_a_ __init__ a_b", r"\_a\_ \_\_init\_\_ a_b"),
        ("<img src=x>", "&lt;img src=x>"),
        ("a < b <= c", "a < b <= c"),
        ("a [x](http://y)", r"a [x\](http://y)"),
        ("[x]: http://y", r"\[x]: http://y"),  # in a list, this would define what [x] means everywhere
        ("# a", r"\# a"),
        ("#a -1 + 2", "#a -1 + 2"),
        ("- a", r"\- a"),
        ("-1", "-1"),
        ("recall@5 [topic=a] >= 0.5", "recall@5 [topic=a] >= 0.5"),
        ("&lt; & a", "&amp;lt; & a"),
        ("\x1b[31m\u202e", r"\x1b[31m\u202e"),
        ("thủ tục 文書 ٥", "thủ tục 文書 ٥"),
    ],
)
def test_nothing_in_a_cell_is_markup(text: str, said: str) -> None:
    assert cell(text) == said


@pytest.mark.parametrize(
    ("text", "said"), [("trec10", "`trec10`"), ("a*b", "`a*b`"), ("a`b", r"a\`b"), ("a|b", r"a\|b"), ("", "")]
)
def test_code_holds_what_does_not_end_it(text: str, said: str) -> None:
    assert code(text) == said


def test_control_and_bidirectional_characters_are_shown() -> None:
    assert visible("a\x00\x1b\x9b\u202e\u2066b\nc\td") == "a\\x00\\x1b\\x9b\\u202e\\u2066b\nc\td"
    assert inline("a\nb\tc\rd") == "a\\nb\\tc\\x0dd"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "\nx", "＝1+1", "＠x"])
def test_a_cell_that_would_be_a_formula_is_quoted(text: str) -> None:
    assert plain(text) == f"'{text}"


@pytest.mark.parametrize("text", ["a=1", "topic=-1", "", "recall@5", "1", "文書"])
def test_other_cells_are_left_alone(text: str) -> None:
    assert plain(text) == text


def test_an_interval_says_its_kind_or_why_there_is_none() -> None:
    def made(kind: str, *bounds: float) -> Estimate:
        return Estimate("m", "m", "", 0.5, 9, {}, 0, *(bounds or (None, None)), kind)

    assert interval(made("wilson", 0.25, 0.75)) == "0.2500 – 0.7500 (wilson)"
    assert interval(made("too_few")) == "too few cases"
    assert interval(made("constant")) == "all scores equal"
    assert interval(made("none")) == ""
    assert interval(made("a_plugin's")) == "a_plugin's"


def test_nulls_are_counted_by_reason() -> None:
    assert nulls(RESULT.estimates[2]) == "5 not_judged, 1 no_answer"
    assert nulls(RESULT.estimates[1]) == "0"


@pytest.mark.parametrize(
    ("outcomes", "strict", "said"),
    [
        ((), True, "no gates"),
        ((PASSED,), True, "PASS: 1 gate passes"),
        ((PASSED, PASSED), True, "PASS: all 2 gates pass"),
        ((FAILED,), True, "FAIL: 1 of 1 gate fails"),
        ((PASSED, FAILED, UNSURE), True, "FAIL: 1 of 3 gates fails, 1 is inconclusive"),
        ((FAILED, FAILED, UNSURE, UNSURE), True, "FAIL: 2 of 4 gates fail, 2 are inconclusive"),
        ((PASSED, UNSURE), True, "FAIL: 1 of 2 gates is inconclusive"),
        ((PASSED, UNSURE), False, "PASS: 1 of 2 gates is inconclusive"),
    ],
)
def test_the_headline_is_the_verdict(outcomes: tuple[Outcome, ...], strict: bool, said: str) -> None:
    result = structs.replace(RESULT, verdict=Verdict(outcomes, strict))
    assert headline(result) == said
    assert said.startswith("FAIL") == (result.verdict is not None and result.verdict.exit_code == 1)


def test_failing_gates_stand_first_and_else_the_order_is_kept() -> None:
    other = structs.replace(PASSED, gate="other")
    assert ordered([PASSED, UNSURE, other, FAILED]) == [FAILED, UNSURE, PASSED, other]


def test_the_failures_of_slices_are_not_counted_twice() -> None:
    assert failures(RESULT) == 1
    assert failures(Result(0, None, (), {}, {})) == 0


def test_a_metric_stands_in_the_conventions_where_its_full_name_says_more() -> None:
    said = conventions(RESULT)
    assert said[0] == ("profile", "standard")
    assert ("relevant", "grade >= 1") in said and ("ndcg", "ndcg:exp@10") in said
    assert ("seed", "7") in said and ("ragmeter", "1.2.3") in said
    assert not [name for name, _ in said if name == "recall@5"]
