"""Known results still give exactly these reports. After a wanted change: `make golden`, and read the diff."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from ragmeter import __version__
from ragmeter.registry import find
from tests.helpers.command import ragmeter
from tests.helpers.reports import PASSED, RESULT, ROWS, text

ROOT = Path(__file__).resolve().parents[2]
FIXTURE = str(ROOT / "examples" / "s2" / "fixture.jsonl")
Golden = Callable[[str, str], None]
NAMES = ["terminal", "markdown", "github", "csv", "junit", "json"]


@pytest.mark.parametrize("name", NAMES)
def test_a_result_with_everything_in_it(golden: Golden, name: str) -> None:
    golden(f"reports/everything-{name}{find('report', name).suffix}", text(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_small_result_that_passes(golden: Golden, name: str) -> None:
    small = structs.replace(
        RESULT,
        case_count=2,
        k=5,
        estimates=(structs.replace(RESULT.estimates[0], n_null={}, n_error=0),),
        diagnostics={},
        verdict=structs.replace(RESULT.verdict, outcomes=(PASSED,)),
    )
    golden(f"reports/passing-{name}{find('report', name).suffix}", text(name, small, ROWS[:1]))


@pytest.mark.parametrize("width", [80, 140])
def test_what_a_screen_shows(golden: Golden, width: int) -> None:
    said = "".join(find("report", "terminal").screen(RESULT, ROWS, width=width, colour=True))
    golden(f"reports/screen-{width}.txt", said)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("s2.md", ["--k", "3", "--format", "markdown"]),
        ("s2.json", ["--k", "3", "--format", "json"]),
        (
            "s2-standard.md",
            ["--profile", "standard", "-m", "recall@1,2,citation_validity", "--format", "markdown"],
        ),
        (
            "s2-gated.txt",
            ["--k", "3", "--min", "recall=0.9", "--max", "citation_coverage=0.1", "--format", "terminal"],
        ),
    ],
)
def test_the_example_through_the_whole_corridor(golden: Golden, name: str, arguments: list[str]) -> None:
    ran = ragmeter("score", FIXTURE, *arguments)
    assert ran.code in (0, 1), ran.stderr
    golden(f"score/{name}", ran.stdout.replace(__version__, "VERSION"))


def test_one_case_explained(golden: Golden) -> None:
    ran = ragmeter("explain", FIXTURE, "repotting-orchids", "--k", "3")
    assert ran.code == 0, ran.stderr
    golden("explain/case.txt", ran.stdout)
