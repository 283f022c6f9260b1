"""Our samples schema says the same as the seed's, both ways, and our reader says the same as our schema.

jsonschema is the judge of both schemas. Where they differ it is on purpose: our patterns are ASCII and hold for
the whole text, in any regex dialect.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from ragmeter.errors import Problems
from ragmeter.formats.samples import FORMAT
from tests.helpers.schemas import validator

SEED = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "dvc_rag" / "samples_schema.json"
UUID = "019d2bfd-bcf7-750f-b178-2bffdb9c4540"
GOOD: list[dict[str, Any]] = [
    {
        "id": "manual-001", "sample_type": "retrieval_qa", "q_type": "manual_inscope", "question": "Nộp đơn?",
        "gold_ma_thu_tuc": ["1.002090"], "primary_ma_thu_tuc": "1.002090", "procedure_id": UUID, "ten": "Cấp thẻ",
        "linh_vuc": "Thư viện", "generated_by": "tay", "source_section": "(viết tay)",
    },
    {
        "id": "oos-000", "sample_type": "retrieval_qa", "q_type": "out_of_scope", "question": "Trời mưa?",
        "gold_ma_thu_tuc": [], "primary_ma_thu_tuc": None, "ten": None, "linh_vuc": "(ngoài phạm vi)",
    },
    {
        "id": "mem-b1-000", "sample_type": "memory_case", "layer": "B1_summary", "history": [["a", "b"]],
        "past": [], "follow_up": "Lệ phí?", "expected": ["thẻ"],
    },
    {
        "id": "mem-b2-000", "sample_type": "memory_case", "layer": "B2_episodic", "history": [],
        "past": [["a", "b"], ["c", ""]], "follow_up": "Lệ phí?", "expected": ["thẻ", ""],
    },
]  # fmt: skip
VALUES = [
    None, True, 0, 1.5, "", " ", "x", "hello", "hellos", "1.5", "1.5-Xoa_2", "1.", "a.1", "1.5-", "manual-001",
    "oos-1", "oos-0001", "mem-b1-123", "mem-b3-000", "retrieval_qa", "memory_case", "scenario", "out_of_scope",
    "B1_summary", "B2_episodic", UUID, UUID[:-1], UUID.replace("-", ""), [], ["1.5"], ["1.5", "1.5"], ["1.5", "x"],
    [["a", "b"]], [["a"]], [["a", "b", "c"]], [["a", 1]], [["a", "b"], "c"], {}, {"a": 1}, [None],
]  # fmt: skip
KEYS = sorted({key for row in GOOD for key in row} | {"answer", "Id"})


@cache
def seed() -> Draft202012Validator:
    if not SEED.exists():
        pytest.skip("the seed's schema is not there: ../shared/conformance/dvc_rag/samples_schema.json")
    return Draft202012Validator(json.loads(SEED.read_bytes()), format_checker=FormatChecker(["uuid"]))


changes = st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from([*VALUES, "-drop-"])), max_size=3)


@st.composite
def documents(draw: st.DrawFn) -> Any:
    """Good samples with up to three fields changed or dropped, or something else."""
    if draw(st.integers(0, 30)) == 0:
        return draw(st.sampled_from(VALUES))
    value = dict(draw(st.sampled_from(GOOD)))
    for key, new in draw(changes):
        if new == "-drop-":
            value.pop(key, None)
        else:
            value[key] = new
    return value


@pytest.mark.parametrize("row", GOOD)
def test_the_good_ones_are_good_for_both(row: dict[str, Any]) -> None:
    assert validator("samples.schema.json").is_valid(row)
    assert seed().is_valid(row)


@pytest.mark.parametrize("row", GOOD)
def test_every_single_change_is_judged_alike(row: dict[str, Any]) -> None:
    judged = {True: 0, False: 0}
    for key in KEYS:
        for new in VALUES:
            changed = {**row, key: new}
            valid = seed().is_valid(changed)
            assert validator("samples.schema.json").is_valid(changed) == valid, (key, new)
            judged[valid] += 1
        dropped = {name: held for name, held in row.items() if name != key}
        assert validator("samples.schema.json").is_valid(dropped) == seed().is_valid(dropped), key
    assert min(judged.values()) > 5


@given(documents())
def test_both_schemas_agree(value: Any) -> None:
    assert validator("samples.schema.json").is_valid(value) == seed().is_valid(value)


@given(value=documents())
def test_the_reader_finds_a_fault_exactly_where_the_schema_does(
    value: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("samples") / "one.jsonl"
    path.write_text(json.dumps(value) + "\n")
    problems = Problems()
    read = list(FORMAT.read(path, problems))
    unsure = set(problems.warning_counts) & {"sample_type inferred"} or any(
        "unknown" in g for g in problems.warning_counts
    )
    if unsure:  # read tolerantly; strict refuses it, as the schema does
        strict = Problems(strict=True)
        list(FORMAT.read(path, strict))
        assert strict.faults and not validator("samples.schema.json").is_valid(value)
    else:
        assert bool(problems.faults) != validator("samples.schema.json").is_valid(value), value
        assert len(read) == (not problems.faults)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "manual-00\u0661"),
        ("id", "manual-001\n"),
        ("gold_ma_thu_tuc", ["1.2-Xóa"]),
        ("gold_ma_thu_tuc", ["\u0661.2"]),
    ],
)
def test_patterns_are_ascii_and_whole_where_the_seed_depends_on_the_dialect(field: str, value: Any) -> None:
    row = {**GOOD[0], field: value}
    assert seed().is_valid(row), "Python's re lets it pass"
    assert not validator("samples.schema.json").is_valid(row)


@pytest.mark.parametrize(
    ("name", "rows"), [("exp01/retrieval_gt.jsonl", 180), ("exp01/retrieval_gt_manual.jsonl", 30), ("exp03/memory_cases.reconstructed.jsonl", 7)]
)  # fmt: skip
def test_the_published_rows_validate_as_expected(name: str, rows: int) -> None:
    path = SEED.parent / name
    if not path.exists():
        pytest.skip(f"the published data are not there: {path.name}")
    expected = json.loads((SEED.parent / "EXPECTED.json").read_bytes())["schema"]
    ours = validator("samples.schema.json")
    found = [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
    assert len(found) == rows
    if path.name in expected["as_published"]:
        assert sum(map(ours.is_valid, found)) == expected["as_published"][path.name]["valid"] == 0
        found = [{**row, "sample_type": "retrieval_qa"} for row in found]
        assert (
            sum(map(ours.is_valid, found))
            == expected["after_adding_sample_type_retrieval_qa"][path.name]["valid"]
            == rows
        )
    else:
        assert sum(map(ours.is_valid, found)) == expected[path.name]["valid"] == rows
    assert all(map(seed().is_valid, found))


def test_generated_outputs_are_no_samples() -> None:
    path = SEED.parent / "exp02" / "gen_outputs.jsonl"
    if not path.exists():
        pytest.skip("the published data are not there: gen_outputs.jsonl")
    found = [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
    assert sum(map(validator("samples.schema.json").is_valid, found)) == 0
