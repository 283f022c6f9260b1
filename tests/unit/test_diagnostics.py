"""Flags of cases, each worked by hand."""

from unicodedata import normalize

import pytest

from ragmeter.diagnostics import flags, record_flags
from ragmeter.evaluate import evaluate
from ragmeter.facts import Facts, reduce
from ragmeter.metrics import measures
from ragmeter.profiles import profile
from ragmeter.records import Case, Output


def of(
    qrels: dict[str, int] | None, retrieved: tuple[str, ...] | None, cited: tuple[str, ...] | None
) -> tuple[str, ...]:
    return flags(Facts(*reduce(Case("a", qrels=qrels), Output("a", retrieved, True, cited))))


@pytest.mark.parametrize(
    ("qrels", "retrieved", "cited", "expected"),
    [
        ({"a": 1}, ("a",), ("a",), ()),
        ({}, (), (), ("empty_retrieval", "no_relevant_documents", "missing_citations")),
        ({"a": 1}, ("a", "a", "b"), ("a", "b"), ("duplicate_retrieved_ids",)),
        ({"a": 1}, ("a", "b"), ("z",), ("citations_not_retrieved",)),
        ({"a": 1}, ("a", "b"), ("a",), ("missing_citations",)),
        (None, None, None, ()),
        (None, ("a",), None, ()),
        ({"a": 0}, ("a",), ("a",), ("no_relevant_documents",)),
    ],
)
def test_flags(qrels: object, retrieved: object, cited: object, expected: tuple[str, ...]) -> None:
    assert of(qrels, retrieved, cited) == expected  # type: ignore[arg-type]


def test_a_failed_case_has_one_flag() -> None:
    assert flags(Facts(*reduce(Case("a", qrels={}), Output("a", error="boom")))) == ("target_failed",)


@pytest.mark.parametrize("word", ["đất-sét", "café", "한국어", "Ångström"])
def test_ids_that_differ_only_in_normal_form_are_flagged(word: str) -> None:
    composed, decomposed = normalize("NFC", word), normalize("NFD", word)
    case, output = Case("a", qrels={composed: 1}), Output("a", (decomposed,))
    assert record_flags(case, output) == ("ids_differ_in_normal_form",)
    assert record_flags(case, Output("a", (composed,))) == ()
    standard = profile("standard")
    result = evaluate([(case, output)], measures("recall@1", standard), standard)
    assert result.diagnostics == {"ids_differ_in_normal_form": 1}
    assert result.estimates[0].value == 0, "compared as they are"
