"""Every member of the registry keeps its wing's contract, by the checks that plugin authors use."""

from collections.abc import Sequence

import pytest

from ragmeter.embedders import Identity, check_kind
from ragmeter.facts import Facts
from ragmeter.metrics import Metric
from ragmeter.records import Case, Output
from ragmeter.registry import find, own_names
from ragmeter.result import Score, null
from ragmeter.testing import check_embedder, check_judge, check_metric, check_report, check_target


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


class Skewed:
    """An embedder whose similarity depends on the order."""

    identity = Identity("skewed", "1")
    local = True

    def embed(self, texts: Sequence[str], kind: str = "symmetric") -> list[str]:
        check_kind(kind)
        return list(texts)

    def similarity(self, a: str, b: str) -> float:
        return 1.0 if a == b else 0.5 if a < b else 0.4


class Careless(Skewed):
    """It takes any kind."""

    def embed(self, texts: Sequence[str], kind: str = "symmetric") -> list[str]:
        return list(texts)

    def similarity(self, a: str, b: str) -> float:
        return float(a == b)


def test_embedders() -> None:
    for name in own_names("embedder"):
        check_embedder(find("embedder", name)(""))
    for broken_one in (Skewed(), Careless()):
        with pytest.raises(AssertionError):
            check_embedder(broken_one)


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
