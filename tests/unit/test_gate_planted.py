"""Ten pairs of runs with a planted regression, or none: the regression gate flags what was planted, and nothing else."""

from random import Random

import pytest

from ragmeter.compare import Source, compare
from ragmeter.gate import Gate, gate
from ragmeter.result import Row, Verdict
from tests.helpers.planted import noise, runs, source


def held(base: Source, new: Source, *, margin: float = 0.01) -> dict[str, str]:
    """What the gate says of every metric, over all cases and in every slice: those that do not pass."""
    assert new.result is not None
    rules = [Gate(e.metric, margin, slice=e.slice, kind="regression") for e in new.result.estimates]
    verdict: Verdict = gate(new.result, rules, rows=new.rows.values(), baseline=base)
    return {f"{o.metric}[{o.slice}]" if o.slice else o.metric: o.outcome for o in verdict.outcomes}


def failing(base: Source, new: Source, *, margin: float = 0.01) -> set[str]:
    return {name for name, word in held(base, new, margin=margin).items() if word == "FAIL"}


def by(amount: float, metric: str, language: str | None = None):  # type: ignore[no-untyped-def]
    def change(random: Random, row: Row, name: str, score: float) -> float:
        hit = name == metric and (language is None or (row.tags or {})["language"] == language)
        return noise(random, row, name, score) - (amount if hit else 0)

    return change


def test_a_regression_everywhere_is_flagged_over_all_and_in_every_slice() -> None:
    flagged = failing(*runs(1, 400, ("recall@5", "ndcg@10"), by(0.1, "recall@5")))
    assert flagged == {"recall@5", *(f"recall@5[language={one}]" for one in ("vi", "ko", "ar", "zh"))}


def test_a_regression_in_one_slice_alone_is_flagged_there_and_not_in_the_others() -> None:
    flagged = failing(*runs(2, 800, ("recall@5", "ndcg@10"), by(0.2, "recall@5", "vi")))
    assert flagged == {"recall@5", "recall@5[language=vi]"}


def test_runs_that_are_the_same_but_for_noise_fail_nothing() -> None:
    assert failing(*runs(3, 400, ("recall@5", "ndcg@10"), noise)) == set()


def test_runs_whose_cases_all_tie_pass_even_where_cases_are_few() -> None:
    words = held(*runs(4, 8, ("recall@5",), lambda random, row, name, score: score), margin=0.0)
    assert set(words.values()) == {"PASS"}


def test_few_cases_are_inconclusive_and_say_how_many_are_needed() -> None:
    base, new = runs(5, 8, ("recall@5",), by(0.1, "recall@5"))
    assert new.result is not None
    few = runs(5, 4, ("recall@5",), by(0.1, "recall@5"))
    assert set(held(*few).values()) == {"INCONCLUSIVE"}
    rule = Gate("recall@5", 0.01, slice="language=vi", kind="regression")
    outcome = gate(new.result, [rule], rows=new.rows.values(), baseline=base).outcomes[0]
    assert (outcome.outcome, outcome.needed) == ("INCONCLUSIVE", 30)


def test_few_cases_that_all_lose_fail_although_there_is_no_interval() -> None:
    base, new = runs(6, 20, ("recall@5",), lambda random, row, name, score: score - 0.2)
    assert held(base, new)["recall@5"] == "FAIL"


def test_among_many_metrics_only_the_planted_one_is_flagged() -> None:
    metrics = tuple(f"m{i}" for i in range(40))
    flagged = failing(*runs(7, 400, metrics, by(0.1, "m17")))
    assert {name.partition("[")[0] for name in flagged} == {"m17"}


def test_clustered_cases_that_move_together_are_not_taken_for_many() -> None:
    shift: dict[str | None, float] = {}

    def together(random: Random, row: Row, name: str, score: float) -> float:
        return score + shift.setdefault(row.cluster, random.choice([-0.3, 0.28]))

    base, new = runs(8, 600, ("recall@5",), together, per_cluster=25)
    assert held(base, new, margin=0.0)["recall@5"] == "INCONCLUSIVE"
    loose = [source(one.name, [Row(r.id, r.metrics, tags=r.tags) for r in one.rows.values()]) for one in (base, new)]
    narrow, wide = compare(*loose).deltas[0], compare(base, new).deltas[0]
    assert narrow.low is not None and narrow.high is not None and wide.low is not None and wide.high is not None
    assert (wide.high - wide.low) > 3 * (narrow.high - narrow.low)
    assert (wide.interval, wide.clusters) == ("cluster_t", 24)


def test_a_clustered_regression_is_flagged() -> None:
    assert "recall@5" in failing(*runs(9, 500, ("recall@5",), by(0.1, "recall@5"), per_cluster=5))


def test_a_changed_null_reason_is_listed_and_fails_no_regression() -> None:
    base, new = runs(10, 100, ("recall@5",), lambda random, row, name, score: score)
    rows = [*new.rows.values()]
    rows[3] = Row(rows[3].id, {"recall@5": None}, nulls={"recall@5": "timeout"}, tags=rows[3].tags)
    after = source("new", rows)
    assert failing(base, after) == set()
    (change,) = compare(base, after).nulls
    assert (change.field, change.base, change.new, change.cases) == ("recall@5", "scored", "timeout", ("câu-3",))


def test_of_a_metric_that_should_be_low_a_rise_is_the_regression() -> None:
    base, new = runs(11, 400, ("seconds",), lambda random, row, name, score: score + 0.1, lower=("seconds",))
    assert held(base, new)["seconds"] == "FAIL"
    assert compare(base, new).deltas[0].verdict == "worse"
    assert held(new, base)["seconds"] == "PASS"


def test_of_zeros_and_ones_mcnemar_decides() -> None:
    def lose(random: Random, row: Row, name: str, score: float) -> float:
        return 0.0 if score and random.random() < 0.3 else score

    base, new = runs(12, 400, ("hit@5",), lose, binary=True)
    assert compare(base, new).deltas[0].test == "mcnemar_exact"
    assert held(base, new)["hit@5"] == "FAIL"


@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_false_alarms_are_no_more_frequent_than_alpha(margin: float) -> None:
    """300 pairs whose true loss is just what is borne: FAIL in no more than 5 % (and three standard errors)."""

    def change(random: Random, row: Row, name: str, score: float) -> float:
        return score - margin + random.choice([-0.25, 0.0, 0.25])

    alarms = 0
    for seed in range(300):
        base, new = runs(1000 + seed, 40, ("m",), change)
        assert new.result is not None
        rule = Gate("m", margin, kind="regression")
        alarms += gate(new.result, [rule], rows=new.rows.values(), baseline=base).outcomes[0].outcome == "FAIL"
    assert alarms <= 300 * 0.05 + 3 * (300 * 0.05 * 0.95) ** 0.5
