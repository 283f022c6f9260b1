"""Comparing runs: differences by hand, what is refused, what moved, leagues."""

from pathlib import Path

import pytest
from msgspec import json
from msgspec.structs import replace

from ragmeter.compare import Source, compare, groups, league, moved, open_source
from ragmeter.errors import InputError, UsageError
from ragmeter.result import Row
from tests.helpers.planted import noise, runs, source


def two(before: dict[str, float | None], after: dict[str, float | None]) -> tuple[Source, Source]:
    return tuple(source(name, [Row(id, {"m": value}) for id, value in scores.items()])
                 for name, scores in (("base", before), ("new", after)))  # type: ignore[return-value]  # fmt: skip


def test_a_difference_by_hand() -> None:
    found = compare(*two({"a": 0.5, "b": 1.0, "c": 0.0, "d": 1.0}, {"a": 1.0, "b": 0.5, "c": 0.0, "e": 1.0}))
    (d,) = found.deltas
    assert (d.n, d.base, d.new, d.effect) == (3, 0.5, 0.5, 0.0)
    assert (d.wins, d.ties, d.losses, d.p, d.interval) == (1, 1, 1, 1.0, "too_few")
    assert (found.only_base, found.only_new, found.n) == (("d",), ("e",), 3)
    assert [(r.case, r.base, r.new) for r in found.regressions] == [("b", 1.0, 0.5)]


def test_a_null_takes_part_in_no_difference() -> None:
    (d,) = compare(*two({"a": 0.5, "b": None}, {"a": None, "b": 1.0})).deltas
    assert (d.n, d.effect, d.reason) == (0, None, "no_pairs")


def test_mcnemar_by_hand() -> None:
    before = {f"c{i}": 1.0 for i in range(6)} | {"x": 0.0}
    (d,) = compare(*two(before, {id: 0.0 for id in before})).deltas
    assert (d.test, d.p, d.losses, d.ties) == ("mcnemar_exact", 2 / 2**6, 6, 1)


def test_a_number_that_is_no_mean_of_cases_is_not_paired() -> None:
    base, new = two({"a": 0.5, "b": 1.0}, {"a": 1.0, "b": 1.0})
    assert new.result is not None
    micro = replace(new.result.estimates[0], value=0.7)
    (d,) = compare(base, Source("new", new.rows, replace(new.result, estimates=(micro,)))).deltas
    assert (d.effect, d.reason) == (None, "not_a_mean")


def test_holm_is_over_the_metrics_of_the_whole_and_over_all_slices_together() -> None:
    found = compare(*runs(3, 200, ("a", "b"), noise))
    whole = [d for d in found.deltas if not d.slice]
    low, high = sorted(whole, key=lambda d: d.p or 0)
    assert low.p is not None and high.p is not None
    assert low.p_holm == min(1, 2 * low.p) and high.p_holm == max(low.p_holm, high.p)
    assert len(found.deltas) == 10


def test_the_order_of_cases_changes_nothing() -> None:
    base, new = runs(3, 200, ("a", "b"), noise, per_cluster=4)
    turned = Source("new", dict(reversed(new.rows.items())), new.result)
    assert compare(base, turned).deltas == compare(base, new).deltas


def test_a_difference_within_the_tolerance_is_the_same() -> None:
    base, new = runs(4, 200, ("a",), lambda random, row, name, score: score - random.choice([0, 0.001]))
    assert compare(base, new).deltas[0].verdict == "worse"
    d = compare(base, new, tolerance=0.01).deltas[0]
    assert (d.verdict, d.ties) == ("same", 200)


def test_what_moved() -> None:
    found = moved(["a", "b", "c", "a"], ["b", "a", "d", "d"])
    assert (found.entered, found.left, found.moved) == (("d",), ("c",), (("b", 2, 1), ("a", 1, 2)))


@pytest.mark.parametrize(
    ("changed", "word", "said"),
    [
        ({"inputs": [{"format": "cases", "sha256": "b" * 64}]}, "different-data", "the cases or judgments differ"),
        ({"profile": "beir"}, "different-profile", "profile differs: standard against beir"),
        ({"conventions": {"relevant": "grade >= 2"}}, "different-profile", "relevant 'grade >= 1' against 'grade >= 2'"),
        ({"thresholds": {"lexical": 0.2}}, "different-metrics", "thresholds differ"),
    ],
)  # fmt: skip
def test_runs_measured_otherwise_are_refused_with_the_reason(changed: dict[str, object], word: str, said: str) -> None:
    base, new = two({"a": 0.5}, {"a": 1.0})
    assert base.result is not None and new.result is not None
    common = {
        "profile": "standard",
        "conventions": {"relevant": "grade >= 1"},
        "inputs": [{"format": "cases", "sha256": "a" * 64}],
    }
    one = Source("base", base.rows, replace(base.result, provenance=common))
    other = Source("new", new.rows, replace(new.result, provenance={**common, **changed}))
    with pytest.raises(UsageError) as why:
        compare(one, other)
    assert said in str(why.value) and f"--allow {word}" in str(why.value)
    allowed = compare(one, other, allowed=[word])
    assert said in allowed.notes[0] and allowed.allowed == (word,)


def test_a_metric_of_one_name_and_two_definitions_is_refused() -> None:
    base, new = two({"a": 0.5}, {"a": 1.0})
    assert new.result is not None
    other = replace(new.result.estimates[0], definition="m:other")
    with pytest.raises(UsageError, match="'m' is m in one and m:other in the other"):
        compare(base, Source("new", new.rows, replace(new.result, estimates=(other,))))


def test_runs_without_a_common_case_are_refused() -> None:
    with pytest.raises(UsageError, match="no case in common"):
        compare(*two({"a": 1.0}, {"b": 1.0}))


def test_classes_that_changed_are_counted() -> None:
    def with_class(name: str, words: str) -> Source:
        return source(name, [Row(f"{i}", {"m": 1.0}, extra={"class": w}) for i, w in enumerate(words.split())])

    found = compare(with_class("a", "GOOD GOOD BAD"), with_class("b", "BAD BAD BAD")).classes
    assert [(c.field, c.base, c.new, c.count, c.cases) for c in found] == [("class", "GOOD", "BAD", 2, ("0", "1"))]


def test_slices_are_those_of_the_run_that_kept_its_tags() -> None:
    base, new = runs(6, 40, ("m",), noise)
    bare = source("base", [Row(row.id, row.metrics) for row in base.rows.values()])
    found = compare(bare, new)
    assert {d.slice: d.n for d in found.deltas} == {
        "": 40,
        **{f"language={one}": 10 for one in ("vi", "ko", "ar", "zh")},
    }
    assert found.classes == ()
    other = source("base", [Row(row.id, row.metrics, tags={"language": "ja"}) for row in base.rows.values()])
    assert [d.slice for d in compare(other, new).deltas] == [""]


def test_letters_join_what_cannot_be_told_apart() -> None:
    near = {(0, 1), (1, 2), (3, 3)}
    letters = groups([0, 1, 2, 3], lambda i, j: (min(i, j), max(i, j)) in near)
    assert letters == {0: "a", 1: "ab", 2: "b", 3: "c"}


def test_a_league_puts_the_best_first_and_parts_the_worse() -> None:
    base, same = runs(5, 200, ("a",), noise)
    _, worse = runs(5, 200, ("a",), lambda random, row, name, score: score - 0.2)
    (table,) = league([base, Source("same", same.rows, same.result), Source("worse", worse.rows, worse.result)])
    assert table.n == 200 and table.standings[-1].run == "worse"
    assert [s.groups for s in table.standings] == ["a", "a", "b"]


def test_files_are_read_as_what_they_are(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_bytes(b'{"id":"c\xc3\xa2u","metrics":{"m":0.5}}\n')
    assert open_source(str(rows), tmp_path).rows["câu"].metrics == {"m": 0.5}
    for text, said in [
        ("{}\n", "rows.jsonl:1: not a row"),
        ('{"id":"a","metrics":{}}\n' * 2, "case 'a' occurs twice"),
        ("\n", "holds no rows"),
        ("{\n}", "expected a JSON report"),
    ]:
        rows.write_text(text)
        with pytest.raises(InputError) as why:
            open_source(str(rows), tmp_path)
        assert said in str(why.value)


def test_a_comparison_is_a_record_that_can_be_kept() -> None:
    found = compare(*runs(3, 50, ("a",), noise))
    assert json.decode(json.encode(found), type=type(found)) == found
