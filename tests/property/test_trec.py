"""TREC files: blocks of columns and single lines give the same, and both what the naive ranking says."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from ragmeter.errors import InputError, Problems
from ragmeter.facts import Facts, reduce
from ragmeter.formats import _trec, _trec_blocks, _trec_bulk, _trec_facts, recognise
from ragmeter.metrics import measure
from ragmeter.profiles import profile
from ragmeter.records import Case, Output
from ragmeter.registry import find, names
from ragmeter.ties import best, sensitive, worst
from tests import naive

IDS = st.text("ab#1é\"'🙂\u00a0", min_size=1, max_size=3)
SCORES = st.sampled_from(["1", "1.0", "+1e0", "2", ".5", "-0", "0", "-3.25", "0.1234567891", "0.1234567890", "7e-3"])
GRADES = st.integers(-2, 3)
RULES = st.fixed_dictionaries(
    {
        "level": st.integers(1, 2),
        "ties": st.sampled_from(["id_descending", "input"]),
        "score_bits": st.sampled_from([32, 64]),
        "queries": st.sampled_from(["judged", "common"]),
        "judged_only": st.booleans(),
        "tied": st.just(True),
    }
)
RUNS = st.dictionaries(IDS, st.dictionaries(IDS, SCORES, min_size=1, max_size=9), min_size=1, max_size=6)
QRELS = st.dictionaries(IDS, st.dictionaries(IDS, GRADES, min_size=1, max_size=9), min_size=1, max_size=6)
BLOCKS = st.sampled_from([1, 20, 60, 1 << 20])
quiet = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])

Run = dict[str, dict[str, str]]
Qrels = dict[str, dict[str, int]]


@pytest.fixture
def bulk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """bulk(size, blocks): files from that size on are read in blocks of so many bytes."""

    def read_in_blocks(size: int, block: int) -> None:
        monkeypatch.setattr(_trec, "SMALL", size)
        monkeypatch.setattr(_trec_bulk, "RUN", structs.replace(_trec_bulk.RUN, block=block))
        monkeypatch.setattr(_trec_blocks, "QRELS_BLOCK", block)

    yield read_in_blocks


def run_lines(run: Run, sep: str = " ") -> list[str]:
    return [
        sep.join([query, "Q0", doc, str(rank), score, "x"])
        for query, scores in run.items()
        for rank, (doc, score) in enumerate(scores.items(), 1)
    ]


def qrels_lines(qrels: Qrels, sep: str = " ") -> list[str]:
    return [sep.join([query, "0", doc, str(grade)]) for query, grades in qrels.items() for doc, grade in grades.items()]


def beir_lines(qrels: Qrels) -> list[str]:
    rows = [f"{query}\t{doc}\t{grade}" for query, grades in qrels.items() for doc, grade in grades.items()]
    return ["query-id\tcorpus-id\tscore", *rows]


def measured(run: Path, qrels: Path, rules: dict[str, Any]) -> tuple[_trec_facts.RunFacts, list[str]]:
    problems = Problems()
    judgments = find("format", recognise(qrels)[0])
    (facts,) = find("format", "trec_run").batches([str(run)], [(str(qrels), judgments)], problems, **rules)
    return facts, sorted(map(str, problems.faults)) + problems.warning_lines()


def columns(facts: _trec_facts.RunFacts) -> dict[str, Any]:
    """Everything in it as lists."""
    held = {f"hits.{name}": getattr(facts.hits, name) for name in facts.hits.__struct_fields__}
    names = ("ids", "relevant", "nonrelevant", "ideal_case", "ideal_grade")
    held |= {name: getattr(facts.judged, name) for name in names}
    return {name: list(value) if not isinstance(value, int) else value for name, value in held.items()}


def in_blocks(facts: _trec_facts.RunFacts) -> bool:
    return not facts.judged.grades


@quiet
@given(run=RUNS, qrels=QRELS, rules=RULES, block=BLOCKS, sep=st.sampled_from(" \t"), beir=st.booleans())
def test_clean_files_are_read_in_blocks_and_give_the_same_as_line_by_line(
    run: Run, qrels: Qrels, rules: dict[str, Any], block: int, sep: str, beir: bool, bulk: Any, tmp_path: Path
) -> None:
    a, b = tmp_path / "run", tmp_path / "qrels"
    beir = beir and '"' not in str(qrels)
    a.write_text("\n".join(run_lines(run, sep)) + "\n" * (block % 2), encoding="utf-8")
    b.write_text("\n".join(beir_lines(qrels) if beir else qrels_lines(qrels, sep)), encoding="utf-8")
    if recognise(b)[0] != ("beir" if beir else "trec_qrels"):
        return
    bulk(1 << 40, block)
    slow, said = measured(a, b, rules)
    bulk(0, block)
    fast, told = measured(a, b, rules)
    assert in_blocks(fast) and not in_blocks(slow)
    assert columns(fast) == columns(slow)
    assert told == said


@quiet
@given(run=RUNS, qrels=QRELS, rules=RULES, block=BLOCKS, sep=st.sampled_from(" \t"))
def test_shards_hold_the_facts_of_the_naive_ranking(
    run: Run, qrels: Qrels, rules: dict[str, Any], block: int, sep: str, bulk: Any, tmp_path: Path
) -> None:
    a, b = tmp_path / "run", tmp_path / "qrels"
    a.write_text("\n".join(run_lines(run, sep)), encoding="utf-8")
    b.write_text("\n".join(qrels_lines(qrels, sep)), encoding="utf-8")
    bulk(0, block)
    found, _ = measured(a, b, rules)
    expected = naive_facts(run, qrels, rules)
    got = {id: shard.facts(i) for shard in found.shards() for i, id in enumerate(shard.ids)}
    assert list(got) == list(expected)
    assert got == expected


def naive_facts(run: Run, qrels: Qrels, rules: dict[str, Any]) -> dict[str, Facts]:
    scored = {query: {doc: float(score) for doc, score in scores.items()} for query, scores in run.items()}
    known = {}
    for query in naive.query_set(qrels, scored, rules["queries"]):
        scores = scored.get(query, {})
        if rules["score_bits"] == 32:
            scores = {doc: naive.as_float32(score) for doc, score in scores.items()}
        ranking = naive.order(scores, "input" if rules["ties"] == "input" else "trec10")
        if rules["judged_only"]:
            ranking = naive.judged_only(qrels[query], ranking)
        pair = Case(query, qrels=qrels[query]), Output(query, tuple(ranking))
        known[query] = Facts(*reduce(*pair, rules["level"]))
    return known


DIRT = st.sampled_from(
    [b"  ", b"\t", b" \t", b"\r", b"\x0b", b"\n", b"\n\n", b" \n", b"\n ", b"\xff", b'"', b"\x00", b" 1", b"nan", b"",
     b"q Q0 a 1 2", b" x y\n", b"\xc2\xa0", b"\x1c"]
)  # fmt: skip


@settings(quiet, max_examples=400)
@given(
    run=RUNS,
    qrels=QRELS,
    dirt=st.lists(st.tuples(st.booleans(), st.floats(0, 1), st.integers(0, 3), DIRT), min_size=1, max_size=3),
    block=BLOCKS,
    shuffled=st.randoms(use_true_random=False) | st.none(),
    rules=RULES,
)
def test_dirty_files_are_read_right_in_blocks_or_line_by_line(
    run: Run, qrels: Qrels, dirt: list[Any], block: int, shuffled: Any, rules: dict[str, Any], bulk: Any, tmp_path: Path
) -> None:
    a, b = tmp_path / "run", tmp_path / "qrels"
    lines = [run_lines(run), qrels_lines(qrels)]
    if shuffled is not None:
        shuffled.shuffle(lines[0])
        shuffled.shuffle(lines[1])
    texts = ["\n".join(one).encode() + b"\n" for one in lines]
    for in_run, where, gone, put in dirt:
        text = texts[not in_run]
        at = int(where * len(text))
        texts[not in_run] = text[:at] + put + text[at + gone :]
    a.write_bytes(texts[0])
    b.write_bytes(texts[1])
    bulk(1 << 40, block)
    slow = answered(a, b, rules)
    bulk(0, block)
    assert answered(a, b, rules) == slow


def answered(run: Path, qrels: Path, rules: dict[str, Any]) -> Any:
    """Everything that reading a TREC run and TREC judgments says, or why a file cannot be read at all."""
    problems = Problems()
    judgments = (str(qrels), find("format", "trec_qrels"))
    try:
        (facts,) = find("format", "trec_run").batches([str(run)], [judgments], problems, **rules)
    except InputError as why:
        return str(why)
    return columns(facts), problems.faults, problems.warnings


def test_packed_files_are_read_in_blocks_too(tmp_path: Path, bulk: Any) -> None:
    run = {f"q{n}": {f"d{m}": str(m) for m in range(9)} for n in range(9)}
    a, b = tmp_path / "run.gz", tmp_path / "qrels.gz"
    a.write_bytes(gzip.compress("\n".join(run_lines(run)).encode()))
    b.write_bytes(gzip.compress(b"\xef\xbb\xbf" + b"\n".join(b"q%d 0 d%d 1" % (n, n) for n in range(9))))
    bulk(0, 50)
    facts, said = measured(a, b, {})
    assert in_blocks(facts) and said == []
    assert facts.hits.rank.tolist() == [9 - n for n in range(9)]


def test_damaged_gzip_is_told_by_the_careful_reader(tmp_path: Path, bulk: Any) -> None:
    a, b = tmp_path / "run.gz", tmp_path / "qrels"
    whole = gzip.compress("\n".join(f"q Q0 d{n} 1 {n} x" for n in range(5000)).encode())
    a.write_bytes(whole[: len(whole) // 2])
    b.write_text("q 0 d1 1\n")
    bulk(0, 1 << 16)
    _, said = measured(a, b, {})
    assert len(said) == 1 and "cannot be read further" in said[0]


def test_equal_hashes_make_no_hit_and_no_miss(tmp_path: Path, bulk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all keys of a query are equal, the ids decide, or the careful reader does."""
    a, b = tmp_path / "run", tmp_path / "qrels"
    a.write_text("q Q0 other 1 3 x\np Q0 d 1 3 x\n")
    b.write_text("q 0 d 1\np 0 d 1\n")
    bulk(0, 1 << 16)
    monkeypatch.setattr(_trec_bulk, "keyed", lambda query, hashes: query.astype(np.uint64) << np.uint64(40))
    facts, _ = measured(a, b, {})
    assert in_blocks(facts)
    assert facts.hits.case.tolist() == [1] and facts.hits.retrieved.tolist() == [1, 1]
    b.write_text("q 0 d 1\nq 0 other 1\n")
    facts, _ = measured(a, b, {})
    assert not in_blocks(facts)
    assert facts.hits.grade.tolist() == [1]


def test_no_shard_is_given_out_when_no_query_counts(tmp_path: Path) -> None:
    a, b = tmp_path / "run", tmp_path / "qrels"
    a.write_text("q Q0 d 1 3 x\n")
    b.write_text("p 0 d 1\n")
    facts, said = measured(a, b, {"queries": "common"})
    assert list(facts.shards()) == []
    assert said == [f"warning: {a}: no query of this run has judgments: it begins with 'q', the judgments with 'p'"]


def ranked_metrics() -> list[str]:
    """Metrics that are about retrieved and judged passages and nothing else."""
    held = [(name, find("metric", name)) for name in names("metric")]
    return [name for name, m in held if {*m.needs} <= {"qrels", "retrieved", "pool"} and not m.by_record]


@settings(quiet, max_examples=40)
@given(
    scores=st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([1.0, 2.0, 3.0]), min_size=1, max_size=6),
    grades=st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 3), min_size=1, max_size=8),
    level=st.integers(1, 2),
)
@pytest.mark.parametrize("name", ranked_metrics())
def test_best_and_worst_are_those_of_all_orders_of_equal_scores(
    name: str, scores: dict[str, float], grades: dict[str, int], level: int, bulk: Any, tmp_path: Path
) -> None:
    a, b = tmp_path / "run", tmp_path / "qrels"
    a.write_text("".join(f"q Q0 {doc} 1 {score} x\n" for doc, score in scores.items()))
    b.write_text("".join(f"q 0 {doc} {grade}\n" for doc, grade in grades.items()))
    facts, _ = measured(a, b, {"level": level, "tied": True})
    (shard,) = facts.shards()
    one = measure(name, profile("trec10"), 3)
    orders = [Output("q", tuple(order)) for order in naive.tie_orders(scores)]
    values = [one.score(Facts(*reduce(Case("q", qrels=grades), order, level))).value for order in orders]
    sign = 1 if one.metric.higher_is_better else -1
    known = [sign * value for value in values if value is not None]
    got = [one.score(extreme(shard).facts(0)).value for extreme in (best, worst)]
    if not sensitive([one]):
        assert all(min(known) <= sign * value <= max(known) for value in got if value is not None)
    elif known:
        assert [sign * value for value in got] == pytest.approx([max(known), min(known)], abs=1e-12)
    else:
        assert got == [None, None]
