"""From what users type to measures, and the defaults that a bare name stands for."""

import pytest

from ragmeter.errors import UsageError
from ragmeter.metrics import ARMS, measure, measures, split_spec
from ragmeter.profiles import profile
from ragmeter.registry import find, own_names

DEFAULTS = {
    "recall": {"k": 5}, "precision": {"k": 5}, "hit": {"k": 5}, "context_precision": {"k": 5}, "relative_p": {"k": 5},
    "judged": {"k": 10}, "unj": {"k": 10}, "reciprocal_rank": {"k": None}, "average_precision": {"k": None},
    "ndcg": {"k": None, "gain": "linear"}, "dcg": {"k": None, "gain": "linear"}, "set_f": {"x": 1.0},
    "iprec_at_recall": {"k": 0.1, "rounding": "10"}, "eleven_point_average": {"rounding": "10"},
    "rprec_mult": {"k": 1.0}, "err": {"k": None, "max_grade": 4}, "nerr": {"k": None, "max_grade": 4},
    "rbp": {"k": None, "p": 0.8, "gain": "binary", "max_grade": 0},
    "rbp_residual": {"k": None, "p": 0.8, "tail": "always"},
    "utility": {"a": 1.0, "b": -1.0, "c": 0.0, "d": 0.0, "collection": 0},
}  # fmt: skip


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_bare_name_means_what_it_always_meant(name: str) -> None:
    assert find("metric", name).defaults == DEFAULTS[name]


def test_numbers_after_a_comma_are_further_cutoffs() -> None:
    assert split_spec("ndcg@5,10,recall,rbp:p=0.5,max_grade=3@7") == [
        "ndcg@5", "ndcg@10", "recall", "rbp:p=0.5,max_grade=3@7",
    ]  # fmt: skip


def test_the_common_cutoff_reaches_cutoffs_and_nothing_else() -> None:
    standard = profile("standard")
    said = [one.label for one in measures("recall,iprec_at_recall,rprec_mult,reciprocal_rank,hit@1", standard, 7)]
    assert said == ["recall@7", "iprec_at_recall@0.1", "rprec_mult@1", "reciprocal_rank", "hit@1"]
    assert measure("iprec_at_recall", standard, 5).options["k"] == 0.1


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            "citation_recall:support=foo",
            "metric 'citation_recall': support: expected one of first, max, mean, union, got 'foo'",
        ),
        ("ndcg:gain=expo", "metric 'ndcg': gain: expected one of exp, linear, got 'expo'; did you mean 'exp'?"),
        ("nugget:over=most", "metric 'nugget': over: expected one of all, vital, weighted, got 'most'"),
    ],
)
def test_a_value_that_an_option_does_not_know_is_refused(spec: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        measure(spec, profile("standard"))
    assert str(raised.value) == said


def test_every_text_option_refuses_what_it_does_not_know_and_takes_what_it_does() -> None:
    seen = 0
    for name in own_names("metric"):
        metric = find("metric", name)
        for key, default in metric.defaults.items():
            if isinstance(default, str) and key not in ARMS:
                seen += 1
                measure(f"{name}:{key}={default}", profile("standard"))
                with pytest.raises(UsageError, match="expected"):
                    measure(f"{name}:{key}=no such thing", profile("standard"))
    assert seen > 50
    measure("coreference:arm=anything", profile("standard"))
