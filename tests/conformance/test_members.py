"""Every member of the registry keeps its wing's contract, by the checks that plugin authors use."""

import pytest

from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.records import Case, Output
from ragmeter.registry import find, own_names
from ragmeter.result import Score, null
from ragmeter.testing import check_judge, check_metric, check_report, check_target


@pytest.mark.parametrize("name", own_names("metric"))
def test_metric(name: str) -> None:
    check_metric(find("metric", name))


@pytest.mark.parametrize("name", own_names("report"))
def test_report(name: str) -> None:
    check_report(find("report", name))


def test_judge_similarity() -> None:
    judge = find("judge", "similarity")("lexical")
    case = Case("a", references=("Water it twice.", "Twice a week."), bad_answers=("Never.",))
    said = check_judge(judge, case, Output("a", answer="Water it twice a week [1]."))
    assert len(said) == 3
    assert all(0 <= judgment.value <= 1 for judgment in said)
    assert check_judge(judge, case, Output("a", answer=" ")) == []


def test_targets() -> None:
    output = check_target(find("target", "command")("cat"), Case("a", question="xin chào"))
    assert output.answer == "xin chào"
    assert check_target(find("target", "function")("tests.conformance.test_members:echo")).answer == "Is anybody there?"


def echo(case: Case) -> str:
    return case.question


def broken(facts: Facts) -> Score:
    return Score(2) if facts.relevant else null("no_relevant")


def unstable(facts: Facts, seen: list[int] = []) -> Score:  # noqa: B006 (that is the fault it shows)
    seen.append(1)
    return Score(1 / len(seen))


def kernel(batch, **options):  # type: ignore[no-untyped-def]
    return batch.relevant * 0 + 1, 1, batch.relevant * 0


@pytest.mark.parametrize(
    "metric", [Metric(broken), Metric(unstable), Metric(lambda facts: Score(1, 0)), Metric(find("metric", "recall").score, kernel, defaults={"k": 5})]
)  # fmt: skip
def test_a_broken_metric_does_not_pass(metric: Metric) -> None:
    with pytest.raises(AssertionError):
        check_metric(metric)
