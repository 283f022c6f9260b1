"""The short way through a fixture gives the tuple that the long way gives."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from ragmeter.errors import Problems
from ragmeter.evaluate import Evaluation
from ragmeter.facts import EVERY, reduce
from ragmeter.formats.s2 import FIELDS, FORMAT
from ragmeter.metrics import measures
from ragmeter.profiles import profile

ids = st.lists(st.sampled_from(["a", "b", "c", "đ", "e\u2028", "f"]), max_size=9)
fixtures = st.lists(st.tuples(ids, ids, ids), min_size=1, max_size=8)


def write(folder: Path, rows: list[tuple[list[str], ...]]) -> Path:
    path = folder / "fixture.jsonl"
    lines = [json.encode({"id": f"q{i}", **dict(zip(FIELDS, row, strict=True))}) for i, row in enumerate(rows)]
    path.write_bytes(b"\n".join(lines))
    return path


@given(rows=fixtures, level=st.integers(1, 2), depth=st.sampled_from([0, 1, 3, EVERY]))
def test_reduced_is_reduce_of_read(tmp_path_factory, rows, level, depth) -> None:  # type: ignore[no-untyped-def]
    path = write(tmp_path_factory.mktemp("s2"), rows)
    long = [(case.id, reduce(case, output, level, depth)) for case, output in FORMAT.read(path, Problems())]
    assert FORMAT.reduced is not None
    assert list(FORMAT.reduced(path, Problems(), level, depth)) == long


@given(rows=fixtures, distinct=st.integers(1, 3))
def test_folding_early_or_late_changes_nothing(tmp_path_factory, rows, distinct) -> None:  # type: ignore[no-untyped-def]
    path = write(tmp_path_factory.mktemp("s2"), rows)
    chosen = profile("s2")
    columns = measures(list(chosen.metrics), chosen, 3)

    def result(fold_every: int | None):  # type: ignore[no-untyped-def]
        evaluation = Evaluation(columns, chosen)
        for at, pair in enumerate(FORMAT.read(path, Problems())):
            evaluation.add_all([pair])
            if fold_every and at % fold_every == 0:
                evaluation._fold()
        return evaluation.result({})

    assert result(None) == result(distinct)
