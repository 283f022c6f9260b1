"""What every test may use: the shared data, golden files, one deterministic hypothesis profile."""

import difflib
import os
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest
from hypothesis.configuration import set_hypothesis_home_dir

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
GOLDEN = ROOT / "tests" / "golden"
CACHE = ROOT / ".cache"

# Libraries that some oracles bring along would write to the home directory. Set before any is imported.
os.environ.setdefault("MPLCONFIGDIR", str(CACHE / "matplotlib"))
os.environ.setdefault("IR_DATASETS_HOME", str(CACHE / "ir_datasets"))

set_hypothesis_home_dir(CACHE / "hypothesis")
hypothesis.settings.register_profile("ragmeter", derandomize=True, deadline=None)
hypothesis.settings.load_profile("ragmeter")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="rewrite the golden files, then read the diff")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout; the test is skipped where there is none."""
    if not SHARED.is_dir():
        pytest.skip("no shared data: ../shared does not exist beside the checkout")
    return SHARED


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """golden(name, text): text must equal tests/golden/name, byte for byte; `make golden` rewrites it."""
    write = request.config.getoption("--write-golden")

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        if not path.is_file():
            pytest.fail(f"tests/golden/{name} does not exist: run `make golden` and read what it wrote")
        kept = path.read_bytes().decode()
        if kept != text:
            diff = difflib.unified_diff(kept.splitlines(), text.splitlines(), "kept", "now", lineterm="", n=1)
            lines = list(diff) or ["only line ends or the last line break differ"]
            pytest.fail(f"tests/golden/{name} differs (`make golden` rewrites it):\n" + "\n".join(lines[:60]))

    return check
