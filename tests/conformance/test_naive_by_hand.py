"""The naive measures in numbers worked by hand: edges, ties, and what no other tool can vouch for."""

import math
from functools import partial
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import naive

NOTHING_RELEVANT = {"a": 0, "b": -1}
QRELS = {"a": 3, "b": 0, "c": 1, "d": -1, "e": 2}
RANKING = ["x", "c", "d", "b", "a"]  # outside the pool, 1, never judged, 0, 3; e is missed


def close(value: float | None) -> object:
    return pytest.approx(value, rel=1e-12, abs=1e-12)


NEEDS_RELEVANT = {
    "recall": naive.recall,
    "recall@2": partial(naive.recall, k=2),
    "precision@2": partial(naive.precision, k=2),
    "relative_p@2": partial(naive.relative_p, k=2),
    "hit@2": partial(naive.hit, k=2),
    "reciprocal_rank": naive.reciprocal_rank,
    "average_precision": naive.average_precision,
    "r_precision": naive.r_precision,
    "rprec_mult": partial(naive.rprec_mult, x=0.5),
    "yaap": naive.yaap,
    "iprec_at_recall": partial(naive.iprec_at_recall, x=0.0),
    "eleven_point_average": naive.eleven_point_average,
    "bpref": naive.bpref,
    "infap": naive.infap,
    "gm_map": naive.gm_map,
    "gm_bpref": naive.gm_bpref,
    "set_precision": naive.set_precision,
    "set_recall": naive.set_recall,
    "set_relative_p": naive.set_relative_p,
    "set_map": naive.set_map,
    "set_f": naive.set_f,
    "ndcg": naive.ndcg,
    "ndcg_rel": naive.ndcg_rel,
    "r_ndcg": naive.r_ndcg,
    "g_measure": naive.g_measure,
    "bin_g": naive.bin_g,
    "rbp": naive.rbp,
    "err": partial(naive.err, max_grade=3),
    "nerr": partial(naive.nerr, max_grade=3),
}
UNDEFINED_OF_NOTHING = {"set_precision", "set_relative_p"}
NEGATIVE_OF_NOTHING = {"yaap", "gm_map", "gm_bpref"}


@pytest.mark.parametrize("name", NEEDS_RELEVANT)
@pytest.mark.parametrize("ranking", [[], ["a", "b", "x"]])
def test_a_measure_of_relevance_is_undefined_where_nothing_is_relevant(name: str, ranking: list[str]) -> None:
    assert NEEDS_RELEVANT[name](NOTHING_RELEVANT, ranking) is None
    assert NEEDS_RELEVANT[name]({}, ranking) is None


@pytest.mark.parametrize("name", NEEDS_RELEVANT)
def test_nothing_retrieved_is_0_but_where_the_returned_passages_divide(name: str) -> None:
    value = NEEDS_RELEVANT[name](QRELS, [])
    if name in UNDEFINED_OF_NOTHING:
        assert value is None
    elif name in NEGATIVE_OF_NOTHING:
        assert value == close(math.log(1 / 4) if name == "yaap" else math.log(1e-5))
    else:
        assert value == 0


def test_graded_measures_need_a_positive_gain_and_not_a_level() -> None:
    low = {"a": 1}
    assert naive.ndcg(low, ["a"], level=2) == naive.g_measure(low, ["a"], level=2) == 1
    assert naive.ndcg_rel(low, ["a"], level=2) == 1
    assert naive.r_ndcg(low, ["a"], level=2) is None
    assert naive.recall(low, ["a"], level=2) is None


def test_quantities_are_always_defined() -> None:
    assert naive.num_ret({}, ["a"]) == 1 and naive.num_rel({}, []) == naive.num_rel_ret({}, ["a"]) == 0
    assert naive.num_nonrel_judged_ret(NOTHING_RELEVANT, ["a", "b", "x"]) == 1
    assert naive.dcg({}, ["a"]) == naive.ideal_dcg({}, []) == 0
    assert naive.utility({}, ["a", "b"]) == -2
    assert naive.unj(NOTHING_RELEVANT, ["a", "b", "x"], k=2) == 1 / 2
    assert naive.rbp_resid({}, []) == 1


def test_a_worked_ranking() -> None:
    assert naive.recall(QRELS, RANKING, k=2) == 1 / 3
    assert naive.precision(QRELS, RANKING, k=2) == 1 / 2
    assert naive.precision(QRELS, RANKING, k=10) == 2 / 10
    assert naive.context_precision(QRELS, RANKING, k=10) == 2 / 5
    assert naive.relative_p(QRELS, RANKING, k=10) == 2 / 3
    assert naive.hit(QRELS, RANKING, k=1) == 0 and naive.hit(QRELS, RANKING, k=2) == 1
    assert naive.reciprocal_rank(QRELS, RANKING) == 1 / 2
    assert naive.reciprocal_rank(QRELS, RANKING, k=1) == 0
    assert naive.average_precision(QRELS, RANKING) == close((1 / 2 + 2 / 5) / 3)
    assert naive.average_precision(QRELS, RANKING, k=4) == close((1 / 2) / 3)
    assert naive.r_precision(QRELS, RANKING) == 1 / 3
    # c has no judged other above it, a has b; of judged others there is 1, and 3 relevant
    assert naive.bpref(QRELS, RANKING) == close((1 + (1 - 1 / 1)) / 3)
    # rank 2: half, nothing pooled above. rank 5: 3 pooled above (c, d, b), of c and b half are relevant
    half = (1 + 1e-5) / (2 + 2e-5)
    assert naive.infap(QRELS, RANKING) == close((1 / 2 + 1 / 5 + 3 / 5 * half) / 3)
    assert naive.relstring(QRELS, RANKING) == "-1.03"
    assert naive.relstring({"a": 12}, ["a"]) == ">"
    assert naive.set_f(QRELS, RANKING) == close(2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3))
    assert naive.set_f(QRELS, RANKING, x=3.0) == close(4 * (2 / 5) * (2 / 3) / (2 / 3 + 3 * 2 / 5))
    assert naive.utility(QRELS, RANKING, a=2, b=-1, c=-4, d=0.5, collection=100) == 4 - 3 - 4 + 94 / 2


def test_worked_graded_values() -> None:
    log3, log6 = math.log2(3), math.log2(6)
    assert naive.dcg(QRELS, RANKING) == close(1 / log3 + 3 / log6)
    assert naive.dcg(QRELS, RANKING, k=4) == close(1 / log3)
    assert naive.dcg(QRELS, RANKING, gain="exp") == close(1 / log3 + 7 / log6)
    assert naive.ideal_dcg(QRELS, []) == close(3 + 2 / log3 + 1 / 2)
    assert naive.ideal_dcg(QRELS, [], k=1) == 3
    assert naive.ideal_dcg(QRELS, [], gain={1: 5, 0: 4}) == close(5 + 4 / log3 + 3 / 2 + 2 / math.log2(5))
    assert naive.ndcg(QRELS, RANKING, k=2) == close((1 / log3) / (3 + 2 / log3))
    # c at rank 2, a at rank 5, e at the end
    at_2, ideal = 3 + 2 / log3, 3 + 2 / log3 + 1 / 2
    end = (1 / log3 + 3 / log6) / ideal
    assert naive.ndcg_rel(QRELS, RANKING) == close(((1 / log3) / at_2 + 2 * end) / 3)
    # the ideal gain falls after ranks 1, 2 and 3; the list's end, 5, lies more than one rank behind
    assert naive.r_ndcg(QRELS, RANKING) == close((0 + (1 / log3) / at_2 + (1 / log3) / ideal + end) / 4)
    assert naive.r_ndcg(QRELS, RANKING[:4]) == close((0 + (1 / log3) / at_2 + (1 / log3) / ideal) / 3)
    # ahead after each rank: 3, 5, 6, 7, 8; got: 0, 1, 1, 1, 4
    assert naive.g_measure(QRELS, RANKING) == close((1 / math.log2(2 + 5 - 1) + 3 / math.log2(2 + 8 - 4)) / 6)
    # an ideal gain below 1 counts as 1 in what a list falls behind
    assert naive.g_measure({"a": 1}, ["x", "a"], gain={1: 0.5}) == close(1 / math.log2(2 + 2 - 0.5))
    assert naive.bin_g(QRELS, RANKING) == close((1 / math.log2(3) + 1 / math.log2(5)) / 3)


def test_yaap_is_the_log_odds_of_the_sum_of_precisions() -> None:
    found = 1 / 2 + 2 / 5
    assert naive.yaap(QRELS, RANKING) == close(math.log((1 + found) / (1 + 3 - found)))
    assert naive.yaap({"a": 1}, ["a"]) == close(math.log(2))


def test_recall_levels_round_differently_in_9_and_10() -> None:
    assert [naive.recall_level(x, 5, "9") for x in (0.0, 0.1, 0.3, 0.5, 1.0)] == [0, 1, 2, 3, 5]
    assert [naive.recall_level(x, 5, "10") for x in (0.0, 0.1, 0.3, 0.5, 1.0)] == [0, 1, 2, 3, 5]
    assert [naive.recall_level(x, 4, "9") for x in (0.1, 0.3, 0.35, 0.6)] == [1, 2, 2, 3]
    assert [naive.recall_level(x, 4, "10") for x in (0.1, 0.3, 0.35, 0.6)] == [0, 1, 1, 2]
    qrels, ranking = {"a": 1, "b": 1, "c": 1, "d": 1}, ["a", "x", "b"]
    assert naive.iprec_at_recall(qrels, ranking, x=0.3, rounding="9") == 2 / 3
    assert naive.iprec_at_recall(qrels, ranking, x=0.3, rounding="10") == 1
    assert naive.iprec_at_recall(qrels, ranking, x=0.6, rounding="9") == 0
    with pytest.raises(ValueError, match="rounding"):
        naive.iprec_at_recall(qrels, ranking, x=0.3, rounding="8")


def test_rprec_mult_rounds_up_from_a_tenth_and_fills_a_short_list_with_misses() -> None:
    qrels, ranking = {"a": 1, "b": 1, "c": 1}, ["a", "x"]
    assert naive.rprec_mult(qrels, ranking, x=0.2) == 1  # 0.6 + 0.9: the first place
    assert naive.rprec_mult(qrels, ranking, x=2.0) == 1 / 6
    assert naive.rprec_mult(qrels, ranking, x=0.02) == 0  # no place at all


def test_rbp_and_its_residual() -> None:
    qrels, ranking = {"a": 2, "b": 0, "d": -1}, ["a", "x", "b", "d"]
    assert naive.rbp(qrels, ranking, p=0.5) == close(0.5)
    assert naive.rbp(qrels, ranking, p=0.5, level=3) is None
    assert naive.rbp(qrels, ranking, p=0.5, gain="scaled", max_grade=4) == close(0.25)
    assert naive.rbp(qrels, ranking, p=0.5, gain="scaled") == close(0.5)
    unseen = 0.5 * (0.5 + 0.125)  # the places of x and d
    assert naive.rbp_resid(qrels, ranking, p=0.5) == close(0.5**4 + unseen)
    assert naive.rbp_resid(qrels, ranking, p=0.5, tail="trec") == close(0.5**4 + unseen)
    assert naive.rbp_resid(qrels, ["a", "b"], p=0.5) == close(0.25)
    assert naive.rbp_resid(qrels, ["a", "b"], p=0.5, tail="trec") == 0
    assert naive.rbp_resid(qrels, ranking, p=0.5, k=1) == close(0.5)


@given(
    st.lists(st.sampled_from("abcdefgh"), unique=True),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 1)),
)
def test_rbp_and_residual_bound_what_full_judgments_could_say(ranking: list[str], qrels: dict[str, int]) -> None:
    """Were all that is unjudged relevant, and all behind the end, RBP would be both together."""
    full = {doc: 1 if qrels.get(doc, -1) < 0 else qrels[doc] for doc in ranking}
    most = (naive.rbp(full, ranking, p=0.8) or 0.0) + 0.8 ** len(ranking)
    assert (naive.rbp(qrels, ranking, p=0.8) or 0.0) + naive.rbp_resid(qrels, ranking, p=0.8) == close(most)


def test_err_is_the_chance_of_stopping_at_each_rank_over_that_rank() -> None:
    qrels = {"a": 2, "b": 1}
    stop_a, stop_b = 3 / 4, 1 / 4
    assert naive.err(qrels, ["b", "x", "a"], max_grade=2) == close(stop_b + (1 - stop_b) * stop_a / 3)
    assert naive.err(qrels, ["b", "x", "a"], max_grade=2, k=1) == close(stop_b)
    ideal = stop_a + (1 - stop_a) * stop_b / 2
    assert naive.nerr(qrels, ["b"], max_grade=2) == close(stop_b / ideal)
    assert naive.nerr(qrels, ["b"], max_grade=2, k=1) == close(stop_b / stop_a)
    assert naive.nerr(qrels, ["a", "b"], max_grade=2) == 1


def test_judged_and_unjudged_fill_the_places_that_are_filled() -> None:
    assert naive.judged(QRELS, RANKING, k=4) == 2 / 4
    assert naive.judged(QRELS, RANKING, k=10) == 3 / 10
    assert naive.judged(QRELS, RANKING, k=10, denominator="returned") == 3 / 5
    assert naive.judged(QRELS, [], k=10, denominator="returned") is None
    assert naive.unj(QRELS, RANKING, k=10) == 2 / 10


def test_context_precision_divides_by_the_unique_ids_seen() -> None:
    assert naive.context_precision({"a": 1}, ["a", "a", "x", "y"], k=2) == 1 / 2
    assert naive.context_precision({"a": 1}, ["a"], k=5) == 1
    assert naive.context_precision({}, ["a"], k=5) == 0
    assert naive.context_precision({"a": 1}, [], k=5) is None


def test_citations_are_compared_as_sets() -> None:
    relevant, retrieved, cited = ["a", "b", "c"], ["a", "b", "x"], ["a", "x", "z", "a"]
    assert naive.citation_coverage(relevant, retrieved, cited) == 1 / 3
    assert naive.citation_validity(relevant, retrieved, cited) == 2 / 3
    assert naive.cited_irrelevant_rate(relevant, retrieved, cited) == 2 / 3
    assert naive.relevant_retrieved_uncited_rate(relevant, retrieved, cited) == 1 / 2
    assert naive.citation_coverage([], retrieved, cited) is None
    assert naive.citation_validity(relevant, retrieved, []) is None
    assert naive.citation_validity(relevant, [], cited) == 0
    assert naive.cited_irrelevant_rate(relevant, retrieved, []) is None
    assert naive.relevant_retrieved_uncited_rate(relevant, ["x"], cited) is None


# ---------------------------------------------------------------- order


def test_order_is_by_score_and_then_as_the_rule_says() -> None:
    run = {"10": 1.0, "9": 1.0, "z": 2.0, "é": 1.0, "B": 1.0}
    assert naive.order(run) == ["z", "é", "B", "9", "10"]
    assert naive.order(run, "input") == ["z", "10", "9", "é", "B"]
    with pytest.raises(ValueError, match="order rule"):
        naive.order(run, "rank")


def test_two_scores_may_be_one_32_bit_float() -> None:
    run = {"a": 0.1234567891, "b": 0.1234567890}
    assert naive.order(run, "trec10") == ["a", "b"]
    assert naive.order(run, "trec9") == ["b", "a"]
    assert naive.as_float32(1e300) == math.inf and naive.as_float32(-1e300) == -math.inf


def test_ties_are_tried_in_every_order() -> None:
    run, qrels = {"a": 2.0, "b": 1.0, "c": 1.0, "d": 1.0}, {"b": 1}
    orders = list(naive.tie_orders(run))
    assert sorted(orders) == sorted(["a", *rest] for rest in permutations("bcd"))
    rank = partial(naive.reciprocal_rank, qrels)
    assert naive.over_ties(rank, run) == close_to((1 / 4, 1 / 2, (1 / 2 + 1 / 3 + 1 / 4) / 3))
    assert naive.over_ties(partial(naive.reciprocal_rank, {}), run) is None
    near = {"a": 0.1234567891, "b": 0.1234567890}
    assert naive.tie_groups(near) == [["a"], ["b"]] and naive.tie_groups(near, "trec9") == [["b", "a"]]
    with pytest.raises(ValueError, match="too many"):
        next(naive.tie_orders({str(i): 0.0 for i in range(9)}))


def close_to(values: tuple[float, ...]) -> object:
    return pytest.approx(values, rel=1e-12)


# ---------------------------------------------------------------- many queries


def test_counts_are_summed_and_the_rest_averaged() -> None:
    assert naive.aggregate("num_rel", [3, 4]) == 7
    assert naive.aggregate("map", [0.5, None]) == 0.5
    assert naive.aggregate("map", [0.5, None], undefined=0.0) == 0.25
    assert naive.aggregate("map", [None]) is None and naive.aggregate("num_ret", []) == 0


def test_geometric_means_floor_each_value() -> None:
    logs = [naive.gm_map({"a": 1}, ["a"]), naive.gm_map({"a": 1}, ["x"])]
    assert naive.aggregate("gm_map", logs) == close(math.sqrt(1e-5))
    assert naive.aggregate("gm_map", [logs[0], None], undefined=0.0) == close(math.sqrt(1e-5))
    assert naive.aggregate("gm_map", [logs[0], None]) == 1


def test_the_query_set_is_all_that_is_judged_or_only_what_was_also_run() -> None:
    qrels, run = {"2": {}, "1": {}}, {"1": {}, "3": {}}
    assert naive.query_set(qrels, run) == ["2", "1"]
    assert naive.query_set(qrels, run, "common") == ["1"]
    with pytest.raises(ValueError, match="query set"):
        naive.query_set(qrels, run, "all")
