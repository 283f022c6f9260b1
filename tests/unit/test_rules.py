"""Gates in words: what is read, and at which column it stops making sense."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragmeter.errors import UsageError
from ragmeter.gate import Gate, gate
from ragmeter.result import Estimate, Result, Row
from ragmeter.rules import parse


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("recall@5 >= 0.80", Gate("recall@5", 0.8)),
        ("  seconds<=2 ", Gate("seconds", 2, False)),
        ("ndcg:linear@10 >= -.5", Gate("ndcg:linear@10", -0.5)),
        ("recall@5[language=tiếng Việt] >= 0.7", Gate("recall@5", 0.7, slice="language=tiếng Việt")),
        ("recall@5[q=a >= 1 (b) [c]] >= 0.7", Gate("recall@5", 0.7, slice="q=a >= 1 (b) [c]")),
        ("lower(recall@5) >= 0.8", Gate("recall@5", 0.8, kind="lower")),
        ("upper( seconds[tag=x] ) <= 3", Gate("seconds", 3, False, "tag=x", "upper")),
        ("nulls(recall@5) <= 0.1", Gate("recall@5", 0.1, False, kind="nulls")),
        ("errors <= 0.02", Gate("", 0.02, False, kind="errors")),
        ("errors(recall@5) <= 0.02", Gate("recall@5", 0.02, False, kind="errors")),
        ("share(class=BAD) <= 0.1", Gate("class", 0.1, False, "BAD", "share")),
        ("no regression of ndcg@10", Gate("ndcg@10", 0.0, kind="regression")),
        ("No regression of ndcg@10[l=vi beyond 3] beyond 1e-2", Gate("ndcg@10", 0.01, True, "l=vi beyond 3", "regression")),
    ],
)  # fmt: skip
def test_a_rule_is_read(text: str, meant: Gate) -> None:
    assert parse(text) == meant
    assert parse(str(meant)) == meant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("recall@5 => 1", "column 10: expected >= or <=, not '=>'"),
        ("recall@5 > 1", "column 10: expected >= or <=, not '>'"),
        ("recall@5", "column 9: expected >= or <= and a number"),
        ("", "column 1: expected >= or <="),
        (">= 1", "column 1: expected a metric"),
        ("recall@5 >= 80%", "column 13: expected a number, not '80%'"),
        ("recall@5 >= nan", "column 13: expected a number, not 'nan'"),
        ("recall@5 >= 1e999", "column 13: expected a number"),
        ("lowr(recall@5) >= 1", "column 1: 'lowr' is none of lower, upper, nulls, errors, share; did you mean 'lower'?"),
        ("lower(recall@5) <= 1", "lower(...) goes with >="),
        ("upper(recall@5) >= 1", "upper(...) goes with <="),
        ("lower(recall@5 >= 1", "a parenthesis is not closed"),
        ("recall[topic >= 1", "column 7: expected METRIC[TAG=VALUE]"),
        ("recall[topic] >= 1", "column 7: expected METRIC[TAG=VALUE]"),
        ("two words >= 1", "column 1: expected a metric"),
        ("share(BAD) <= 0.1", "column 7: expected share(FIELD=VALUE)"),
        ("errors <= 2", "a share lies between 0 and 1, not 2"),
        ("no regression of  beyond 1", "expected a metric"),
        ("no regression of x beyond -1", "column 27: expected how large a loss is borne"),
    ],
)  # fmt: skip
def test_a_rule_that_is_none_says_where(text: str, said: str) -> None:
    with pytest.raises(UsageError) as why:
        parse(text)
    assert said in str(why.value)


@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_a_usage_error(text: str) -> None:
    try:
        assert isinstance(parse(text), Gate)
    except UsageError as why:
        assert "column" in str(why)


def result(low: float | None, high: float | None, interval: str = "wilson", value: float | None = 0.8) -> Result:
    n = 100 if interval == "wilson" else 10
    one = Estimate("recall@5", "recall@5", "", value, n if value is not None else 0, {"no_relevant": 5}, 5, low, high, interval)  # fmt: skip
    return Result(n + 10, 5, (one,), {}, {"profile": "standard"})


@pytest.mark.parametrize(
    ("text", "low", "high", "word"),
    [
        ("lower(recall@5) >= 0.7", 0.71, 0.87, "PASS"),
        ("lower(recall@5) >= 0.75", 0.71, 0.87, "INCONCLUSIVE"),
        ("lower(recall@5) >= 0.9", 0.71, 0.87, "FAIL"),
        ("upper(recall@5) <= 0.9", 0.71, 0.87, "PASS"),
        ("upper(recall@5) <= 0.85", 0.71, 0.87, "INCONCLUSIVE"),
        ("upper(recall@5) <= 0.7", 0.71, 0.87, "FAIL"),
    ],
)
def test_the_whole_interval_decides(text: str, low: float, high: float, word: str) -> None:
    outcome = gate(result(low, high), [parse(text)]).outcomes[0]
    assert outcome.outcome == word
    assert (outcome.needed is not None and outcome.needed > 100) == (word == "INCONCLUSIVE")
    assert (outcome.message == "") == (word == "PASS")


def test_without_an_interval_a_bound_is_inconclusive_and_the_policy_decides() -> None:
    few = result(None, None, "too_few")
    strict = gate(few, [parse("lower(recall@5) >= 0.1")])
    assert (strict.outcomes[0].outcome, strict.outcomes[0].needed, strict.exit_code) == ("INCONCLUSIVE", 30, 1)
    assert gate(few, [parse("lower(recall@5) >= 0.1")], inconclusive_fails=False).exit_code == 0


def test_a_gate_on_a_null_says_that_nothing_was_scored() -> None:
    for text in ("recall@5 >= 0.1", "lower(recall@5) >= 0.1"):
        outcome = gate(result(None, None, "none", None), [parse(text)]).outcomes[0]
        assert (outcome.outcome, outcome.value) == ("FAIL", None)
        assert outcome.message == "recall@5: nothing was scored (5 no_relevant, 5 failed)"


def test_shares_of_nulls_and_errors_are_of_all_cases() -> None:
    measured = result(0.7, 0.9)
    for text, value, word in [
        ("nulls(recall@5) <= 0.04", 5 / 110, "FAIL"),
        ("nulls(recall@5) <= 0.05", 5 / 110, "PASS"),
        ("errors <= 0.04", 5 / 110, "FAIL"),
        ("errors(recall@5) <= 0.05", 5 / 110, "PASS"),
    ]:
        outcome = gate(measured, [parse(text)]).outcomes[0]
        assert (outcome.value, outcome.outcome) == (value, word)


def test_the_share_of_a_class_is_among_the_cases_that_have_one() -> None:
    rows = [Row("a", {}, extra={"class": "BAD"}), Row("b", {}, tags={"class": "GOOD"}), Row("c", {})]
    outcome = gate(result(0.7, 0.9), [parse("share(class=BAD) <= 0.4")], rows=rows).outcomes[0]
    assert (outcome.value, outcome.outcome) == (0.5, "FAIL") and "1 BAD, 1 GOOD" in outcome.message
    with pytest.raises(UsageError, match="no case has a field 'klass'"):
        gate(result(0.7, 0.9), [parse("share(klass=BAD) <= 0.4")], rows=rows)


def test_a_regression_without_a_baseline_is_refused() -> None:
    with pytest.raises(UsageError, match="needs a baseline"):
        gate(result(0.7, 0.9), [parse("no regression of recall@5")])


def test_what_was_not_measured_is_refused_with_the_nearest_word() -> None:
    with pytest.raises(UsageError, match=r"did you mean 'recall@5'"):
        gate(result(0.7, 0.9), [parse("lower(recal@5) >= 0")])
