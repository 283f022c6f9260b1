"""The benchmarks run, small: what they measure is looked at by people, not by a test."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.mark.parametrize("script", ["s2.py", "trec.py"])
def test_a_small_benchmark_prints_its_table(script: str, tmp_path: Path) -> None:
    command = [sys.executable, str(BENCHMARKS / script), "--small"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "| ---" in ran.stdout


def test_the_regression_gate_keeps_its_promises(tmp_path: Path) -> None:
    command = [sys.executable, str(BENCHMARKS / "gates.py"), "--small"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("\n") == 2 + 9


def test_all_benchmarks_that_are_named_are_there() -> None:
    text = (BENCHMARKS / "run.py").read_text()
    named = [word for word in text.replace('"', " ").replace(",", " ").split() if word.endswith(".py")]
    assert {"s2.py", "trec.py", "coverage.py"} <= set(named)
    assert all((BENCHMARKS / name).is_file() for name in ("s2.py", "trec.py", "coverage.py"))
