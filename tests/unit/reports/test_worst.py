"""Which cases a report shows first."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ragmeter.reports._worst import keys, reasons, worst
from ragmeter.result import Estimate, Result, Row, Verdict
from tests.helpers.reports import ESTIMATES, FAILED, PASSED, RESULT, ROWS, UNSURE


def ids(rows: list[Row]) -> list[str]:
    return [row.id for row in rows]


def ungated(*estimates: Estimate) -> Result:
    return structs.replace(RESULT, verdict=None, estimates=estimates)


def test_the_metrics_of_gates_that_do_not_pass_come_first() -> None:
    assert keys(RESULT) == [("recall@5", "", True), ("recall@5", "topic=thuế", True)]
    assert keys(structs.replace(RESULT, verdict=Verdict((PASSED,)))) == [("recall@5", "", True)]
    assert keys(structs.replace(RESULT, verdict=Verdict((PASSED, FAILED, FAILED)))) == [("recall@5", "", True)]
    assert keys(ungated(ESTIMATES[3])) == [("seconds", "", False)]
    assert keys(ungated()) == []


def test_a_value_that_is_too_high_is_explained_by_the_highest_cases() -> None:
    high = structs.replace(FAILED, gate="recall@5 <= 0.1", threshold=0.1)
    (one,) = worst(structs.replace(RESULT, verdict=Verdict((high,))), ROWS).lists
    assert ids(one.rows) == ["\u202e\x1b[31m=1+1", "a|b\nc", "q1"]
    assert one.best == 0.0 and not one.lowest


def test_the_lowest_scores_come_first_and_the_best_are_left_out() -> None:
    everywhere, slice = worst(RESULT, ROWS).lists
    assert ids(everywhere.rows) == ["thủ tục 17", "q1"]
    assert (everywhere.best, everywhere.more, everywhere.scored) == (1.0, 0, 4)
    assert ids(slice.rows) == ["thủ tục 17"]  # q1 is the best of its slice
    assert slice.heading == "Cases with the lowest recall@5 in topic=thuế"


def test_failed_cases_are_listed_apart_and_counted() -> None:
    sought = worst(RESULT, ROWS)
    assert ids(sought.failed) == ["q6"] and sought.failed_count == 1
    assert reasons(sought.failed[0]) == "timeout"
    many = worst(RESULT, [ROWS[5]] * 12)
    assert len(many.failed) == 10 and many.failed_count == 12


def test_a_failure_without_a_reason_is_known_by_its_flag() -> None:
    assert reasons(Row("q", {}, ("target_failed",))) == "target_failed"
    assert worst(RESULT, [Row("q", {}, ("target_failed",))]).failed_count == 1


def test_equal_scores_are_ordered_by_the_other_metrics_then_as_in_the_input() -> None:
    def made(id: str, ndcg: float | None) -> Row:
        return Row(id, {"recall@5": 0.0, "ndcg": ndcg})

    rows = [
        made("b", 0.5),
        made("none", None),
        made("a", 0.5),
        made("low", 0.1),
        Row("best", {"recall@5": 1.0}),
    ]
    (one,) = worst(ungated(*ESTIMATES[:2]), rows).lists
    assert ids(one.rows) == ["low", "b", "a", "none"]


def test_where_lower_is_better_the_highest_come_first() -> None:
    rows = [Row(str(value), {"seconds": value}) for value in (1.0, 9.0, 5.0, 1.0)]
    (one,) = worst(ungated(ESTIMATES[3]), rows).lists
    assert ids(one.rows) == ["9.0", "5.0"]
    assert (one.best, one.more) == (1.0, 0)


def test_a_perfect_run_has_no_worst_case() -> None:
    (one,) = worst(ungated(ESTIMATES[0]), [Row(str(i), {"recall@5": 1.0}) for i in range(50)]).lists
    assert (one.rows, one.more, one.best) == ([], 0, 1.0)


@given(st.lists(st.sampled_from([None, 0.0, 0.25, 0.5, 1.0]), max_size=60), st.integers(1, 8))
def test_one_walk_finds_what_sorting_all_rows_would(values: list[float | None], limit: int) -> None:
    rows = [Row(str(place), {"recall@5": value}) for place, value in enumerate(values)]
    (one,) = worst(ungated(ESTIMATES[0]), iter(rows), limit=limit).lists
    scored = [(row.metrics["recall@5"], int(row.id), row) for row in rows if row.metrics["recall@5"] is not None]
    below = [row for value, _, row in sorted(scored, key=lambda entry: entry[:2]) if value < max(scored)[0]]
    assert one.rows == below[:limit]
    assert one.more == len(below) - len(one.rows)


def test_an_unsure_gate_of_a_slice_lists_that_slice_alone() -> None:
    result = structs.replace(RESULT, verdict=Verdict((UNSURE,)))
    (one,) = worst(result, ROWS).lists
    assert {row.tags["topic"] for row in one.rows if row.tags} == {"thuế"}
