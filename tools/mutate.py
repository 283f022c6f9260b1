"""Break each metric in one place and see a test fail: `python tools/mutate.py [NAME ...]`.

Works on a copy of the checkout in a temporary folder. A mutant is one operator of a metric's code exchanged
(docstrings are left alone). Prints the mutants that no test noticed; exit code 1 when there is any.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ["tests/conformance/test_metrics.py", "tests/conformance/test_metrics_against_trec_eval.py", "tests/conformance/test_members.py", "tests/unit/metrics"]  # fmt: skip
WIDE = ["tests/conformance/test_dvc.py", "tests/conformance/test_memory_dvc.py", "tests/conformance/test_ragchecker.py", "tests/unit/memory", "tests/unit/test_citations.py"]  # fmt: skip
MOST = 4  # mutants of one metric
EXCHANGED = {ast.LtE: ast.Lt, ast.GtE: ast.Gt, ast.Gt: ast.GtE, ast.Lt: ast.LtE, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Div: ast.Mult, ast.Mult: ast.Div, ast.BitAnd: ast.BitOr}  # fmt: skip


class Exchange(ast.NodeTransformer):
    """Exchanges the operator at one place, counted from 0; `seen` says how many there are."""

    def __init__(self, place: int):
        self.place = place
        self.seen = 0
        self.what = ""

    def _swap(self, operator: ast.AST, line: int) -> ast.AST:
        other = EXCHANGED.get(type(operator))  # type: ignore[call-overload]
        if other is None:
            return operator
        if self.seen == self.place:
            self.what = f"line {line}: {type(operator).__name__} -> {other.__name__}"
            operator = other()
        self.seen += 1
        return operator

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        node.ops = [self._swap(op, node.lineno) for op in node.ops]  # type: ignore[misc]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.left, ast.Name) or node.left.id not in ("int", "float", "str"):  # `int | None` is a type
            node.op = self._swap(node.op, node.lineno)  # type: ignore[assignment]
        return node


def mutants(source: str, most: int) -> Iterator[tuple[str, str]]:
    """(what was done, the new source), spread evenly over the file."""
    counter = Exchange(-1)
    counter.visit(ast.parse(source))
    places = range(counter.seen)
    for place in [places[i * len(places) // most] for i in range(most)] if counter.seen > most else places:
        change = Exchange(place)
        tree = change.visit(ast.parse(source))
        yield change.what, ast.unparse(ast.fix_missing_locations(tree))


def passes(copy: Path, metric: str) -> bool:
    """Whether the tests about this metric pass in the copy, those on recorded tables, and then those on real data."""
    return _pass(copy, TESTS, "-k", f"{metric} or recorded") and _pass(copy, [*WIDE, "tests/unit/metrics"])


def _pass(copy: Path, paths: list[str], *chosen: str) -> bool:
    tests = [test for test in paths if (copy / test).exists()]
    command = [sys.executable, "-m", "pytest", "-x", "-q", *chosen]
    environment = {**os.environ, "PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([*command, *tests], cwd=copy, env=environment, capture_output=True)
    return done.returncode == 0


def main() -> int:
    """Every metric named, or all."""
    survived = tried = 0
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "main"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv", ".git", ".cache", "build", "__pycache__"))
        shared = ROOT.parent / "shared"
        if shared.is_dir():
            (Path(name) / "shared").symlink_to(shared)
        wanted = sys.argv[1:] or sorted(p.stem for p in (copy / "src/ragmeter/metrics").glob("[a-z]*.py"))
        for metric in wanted:
            path = copy / "src" / "ragmeter" / "metrics" / f"{metric}.py"
            source = path.read_text()
            if not passes(copy, metric):
                print(f"{metric}: its tests fail without a mutation; nothing can be said")
                survived += 1
                continue
            for what, changed in mutants(source, MOST):
                path.write_text(changed)
                tried += 1
                if passes(copy, metric):
                    survived += 1
                    print(f"survived: {metric}: {what}", flush=True)
            path.write_text(source)
    print(f"{tried} mutants, {survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
