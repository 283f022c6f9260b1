"""Gates: a rule on an estimate, and the verdict that everything else is derived from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragmeter.errors import UsageError
from ragmeter.gate import SLACK, Gate, gate, gates, holds, js_number
from ragmeter.result import Estimate, Outcome, Result, Verdict


def estimate(value: float | None, metric: str = "recall@5", slice: str = "") -> Estimate:
    return Estimate(metric, "recall@5", slice, value, 0 if value is None else 9)


def result(*estimates: Estimate) -> Result:
    return Result(9, 5, estimates, {}, {})


def test_rules_are_read_from_what_was_typed_in_its_order() -> None:
    assert gates({"recall@5": 0.8, "mrr[topic=a=b]": 0.5}, {"seconds": 2}) == [
        Gate("recall@5", 0.8),
        Gate("mrr", 0.5, slice="topic=a=b"),
        Gate("seconds", 2, at_least=False),
    ]


def test_a_slice_without_its_bracket_is_refused() -> None:
    with pytest.raises(UsageError, match=r"recall\[topic=a.*METRIC\[TAG=VALUE\]"):
        gates({"recall[topic=a": 0.5}, {})


@pytest.mark.parametrize(
    ("value", "threshold", "at_least", "said"),
    [
        (0.8, 0.8, True, True),
        (0.8, 0.8, False, True),
        (0.79, 0.8, True, False),
        (0.79, 0.8, False, True),
        (0.81, 0.8, False, False),
        (sum([0.7] * 3) / 3, 0.7, True, True),  # 0.6999999999999998
        (0.7 - 2 * SLACK, 0.7, True, False),
        (0.7 + 2 * SLACK, 0.7, False, False),
        (None, 0.0, True, False),
        (None, 1.0, False, False),
        (0.0, 0.0, True, True),
    ],
)
def test_the_point_is_held_against_the_threshold(value, threshold, at_least, said) -> None:
    assert holds(estimate(value), Gate("recall@5", threshold, at_least)) is said


@given(st.floats(0, 1), st.floats(0, 1))
def test_at_least_and_at_most_leave_no_gap(value: float, threshold: float) -> None:
    assert holds(estimate(value), Gate("recall@5", threshold)) or holds(
        estimate(value), Gate("recall@5", threshold, at_least=False)
    )


def test_an_outcome_says_which_gate_of_what_and_why() -> None:
    verdict = gate(
        result(estimate(0.5), estimate(None, slice="topic=a")),
        [
            Gate("recall@5", 0.8),
            Gate("recall@5", 0.4),
            Gate("recall@5", 0.2, False),
            Gate("recall@5", 0, slice="topic=a"),
        ],
    )
    low, kept, high, null = verdict.outcomes
    assert low == Outcome(
        "recall@5 >= 0.8", "FAIL", 0.5, 0.8, "Threshold failed: recall@5=0.5 is below 0.8", "recall@5", ""
    )
    assert (kept.outcome, kept.message) == ("PASS", "")
    assert high.message == "Threshold failed: recall@5=0.5 is above 0.2"
    assert (null.gate, null.outcome, null.value) == ("recall@5 [topic=a] >= 0", "FAIL", None)
    assert null.message == "recall@5[topic=a]: nothing was scored"
    assert not verdict.passed and verdict.exit_code == 1


def test_a_metric_may_be_named_as_shown_or_in_full() -> None:
    shown = result(estimate(0.5, "recall_at_k"))
    assert gate(shown, [Gate("recall_at_k", 0.5)]).outcomes[0].metric == "recall_at_k"
    assert gate(shown, [Gate("recall@5", 0.5)]).outcomes[0].metric == "recall_at_k"


def test_a_gate_on_what_was_not_measured_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"'recal@5', which was not measured; did you mean 'recall@5'\?"):
        gate(result(estimate(0.5)), [Gate("recal@5", 0.5)])
    with pytest.raises(UsageError, match=r"did you mean 'recall@5\[topic=fees\]'"):
        gate(result(estimate(0.5, slice="topic=fees")), [Gate("recall@5", 0.5, slice="topic=fee")])


def test_no_gates_pass() -> None:
    verdict = gate(result(), [])
    assert verdict.passed and verdict.exit_code == 0 and verdict.outcomes == ()


@pytest.mark.parametrize(
    ("outcomes", "strict", "code"),
    [
        (["PASS", "PASS"], True, 0),
        (["PASS", "FAIL"], True, 1),
        (["PASS", "FAIL"], False, 1),
        (["PASS", "INCONCLUSIVE"], True, 1),
        (["PASS", "INCONCLUSIVE"], False, 0),
        (["FAIL", "INCONCLUSIVE"], False, 1),
    ],
)
def test_the_exit_code_comes_from_the_outcomes(outcomes: list[str], strict: bool, code: int) -> None:
    verdict = Verdict(tuple(Outcome("g", outcome, 0.5, 0.5, "") for outcome in outcomes), strict)
    assert (verdict.exit_code, verdict.passed) == (code, code == 0)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.1 + 0.2, "0.30000000000000004"),
        (1.0, "1"),
        (-0.0, "0"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (0.000001234, "0.000001234"),
        (-0.00001, "-0.00001"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (12345.678, "12345.678"),
    ],
)
def test_numbers_in_messages_stand_as_javascript_prints_them(value: float, said: str) -> None:
    # what String(value) answered under node 20
    assert js_number(value) == said


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_in_a_message_reads_back_as_itself(value: float) -> None:
    assert float(js_number(value)) == value


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0"), (-0.0, "0"), (1.0, "1"), (0.5, "0.5"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"), (0.000001, "0.000001"),
        (123456789012345683968.0, "123456789012345680000"), (2.0**53, "9007199254740992"), (1e21, "1e+21"),
        (1.25e22, "1.25e+22"), (1e20, "100000000000000000000"), (-0.25, "-0.25"), (0.00001234, "0.00001234"),
    ],
)  # fmt: skip
def test_a_number_is_printed_as_javascript_prints_it(value: float, said: str) -> None:
    assert js_number(value) == said
