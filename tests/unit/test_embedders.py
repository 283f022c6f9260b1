"""The embedder contract and its default, the lexical similarity."""

import json
import math
from pathlib import Path

import pytest

from ragmeter.embedders import Embedder, EmbedderError, Identity
from ragmeter.embedders.lexical import Counts, Lexical, counts
from ragmeter.registry import find, names


def similarity(a: str, b: str) -> float:
    embedder = Lexical()
    return embedder.similarity(*embedder.embed([a, b]))


def test_lexical_is_found_by_name_and_takes_no_options() -> None:
    assert "lexical" in names("embedder")
    assert isinstance(find("embedder", "lexical")(""), Lexical)
    with pytest.raises(EmbedderError, match="takes no options, got 'x'"):
        find("embedder", "lexical")("x")


def test_its_identity() -> None:
    assert Lexical.identity.threshold == 0.10
    assert str(Lexical.identity) == "lexical 1"
    assert Lexical.identity.dimension is None and Lexical.identity.window is None and Lexical.local


def test_grams_by_hand() -> None:
    # " a " is shorter than 4 and 5 and counts once for each size
    assert counts("a") == Counts({" a ": 3}, 9)
    # " ab " has two 3-grams, one 4-gram, and counts whole as 5-gram
    assert counts("ab") == Counts({" ab": 1, "ab ": 1, " ab ": 2}, 6)
    assert counts("Abc").grams == {
        " ab": 1, "abc": 1, "bc ": 1, " abc": 1, "abc ": 1, " abc ": 1,
    }  # fmt: skip
    assert counts("a a").grams == {" a ": 6}


def test_cosine_by_hand() -> None:
    # ab: {" ab":1, "ab ":1, " ab ":2}; abc shares only " ab"
    assert similarity("ab", "abc") == pytest.approx(1 / math.sqrt(6 * 6))
    assert similarity("", "") == similarity("", "a") == similarity("!?", "a") == 0.0


@pytest.mark.parametrize(
    "text",
    ["Lệ phí là 20.000 đồng", "护照费用", "パスポートの手数料", "여권 수수료", "رسوم الجواز", "Größe 3,5", "a" * 5000],
)
def test_a_text_is_exactly_like_itself_and_order_of_words_is_nothing(text: str) -> None:
    assert similarity(text, text) == 1.0
    assert similarity(text, text.upper()) == 1.0
    assert similarity(text + " b c", "c b " + text) == 1.0
    assert 0.0 <= similarity(text, "something else") < 0.2


def test_kinds() -> None:
    embedder = Lexical()
    assert embedder.embed(["a"], "query") == embedder.embed(["a"], "passage") == embedder.embed(["a"])
    assert embedder.embed([]) == []
    with pytest.raises(ValueError, match="unknown kind 'text'"):
        embedder.embed(["a"], "text")


def test_dense_embedders_share_the_seam() -> None:
    class Dense(Embedder):
        identity = Identity("dense", "1", dimension=2, threshold=0.04, pooling="mean", window=256)

    dense = Dense()
    assert dense.similarity([1, 0], [1, 1]) == pytest.approx(math.sqrt(0.5))
    assert dense.similarity([1, 0], [-2, 0]) == -1.0
    assert dense.similarity([0, 0], [1, 1]) == 0.0
    with pytest.raises(NotImplementedError):
        dense.embed(["a"])


def test_measured_retrieval_of_procedure_names(shared: Path) -> None:
    """acc@1 0.917 and MRR 0.938 of 180 questions over 192 names, 0.95 of the 20 written by hand."""
    folder = shared / "conformance/dvc_rag/exp01"
    auto, manual = (
        [json.loads(line) for line in (folder / name).read_text().splitlines()]
        for name in ("retrieval_gt.jsonl", "retrieval_gt_manual.jsonl")
    )
    manual = [row for row in manual if row["gold_ma_thu_tuc"]]
    names_ = sorted({row["ten"] for row in auto + manual})
    embedder = Lexical()
    vectors = embedder.embed(names_)

    def ranks(rows: list[dict[str, str]]) -> list[int]:
        found = []
        for row, query in zip(rows, embedder.embed([row["question"] for row in rows]), strict=True):
            near = [embedder.similarity(query, vector) for vector in vectors]
            gold = near[names_.index(row["ten"])]
            found.append(1 + sum(each > gold for each in near))
        return found

    first, by_hand = ranks(auto), ranks(manual)
    assert (len(names_), len(first), len(by_hand)) == (192, 180, 20)
    assert round(sum(rank == 1 for rank in first) / 180, 3) == 0.917
    assert round(sum(1 / rank for rank in first) / 180, 3) == 0.938
    assert sum(rank == 1 for rank in by_hand) == 19


def test_measured_separation_of_hard_triples(shared: Path) -> None:
    lines = (shared / "samples_models/s1_hard.jsonl").read_text().splitlines()
    rows = [row for row in map(json.loads, lines) if row["lang"] == "en"]

    def delta(row: dict[str, str], kind: str) -> float:
        return similarity(row[kind], row["expected"]) - similarity(row[kind], row["bad"])

    good, poor, negated = ([delta(row, kind) for row in rows] for kind in ("good", "poor", "negated"))
    area = lambda a, b: sum((x > y) + (x == y) / 2 for x in a for y in b) / len(a) / len(b)  # noqa: E731
    assert sum(value >= Lexical.identity.threshold for value in good) == 10
    assert (round(area(good, poor), 2), round(area(good, negated), 2)) == (0.69, 0.18)
