"""The house: imports run down eight floors, wings stay apart, heavy libraries stay where they are used.

The tables below are the one place where a module gets its floor. Every import counts, also one inside a
function or under TYPE_CHECKING, and `import_module` with a name spelt out.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "ragmeter"

FLOORS = {
    1: "errors text significance sums calls version meanings",
    2: "web records registry profiles embedders reading",
    3: "result suite targets judges memory",
    4: "facts citations abstention batch store obtain judge gate rules compare reports",
    5: "convert formats metrics compared diagnostics text_flags ties",
    6: "aggregate",
    7: "inputs pairs evaluate score run explain",
    8: "cli testing __init__ __main__",
}
WINGS = frozenset({"formats", "targets", "judges", "metrics", "reports", "engines"})
# Like a wing, one file per member behind a contract; but rooms above may import the contract.
SHELVES = frozenset({"embedders"})
MAY_IMPORT_CLI = frozenset({"cli", "__main__"})
HEAVY = frozenset(
    {
        "numpy",
        "polars",
        "httpx",
        "rich",
        "yaml",
        "jmespath",
        "onnxruntime",
        "tokenizers",
        "sentence_transformers",
    }
)

FLOOR = {room: floor for floor, rooms in FLOORS.items() for room in rooms.split()}
MEMBERED = WINGS | SHELVES
# The names that distributions in pyproject.toml are imported by, where they differ.
IMPORT_NAMES = {"pyyaml": "yaml", "sentence-transformers": "sentence_transformers"}


class Import(NamedTuple):
    """One import: which file, at which line, of which module; whether it runs when the file is imported."""

    importer: str
    line: int
    module: str
    at_import: bool


class House(NamedTuple):
    """All modules of the package (dotted, below `ragmeter`; packages by their own name) and their imports."""

    modules: dict[str, Path]
    imports: list[Import]

    def own(self) -> list[tuple[Import, str]]:
        """Imports of our own modules with the module that they reach."""
        return [(one, reached) for one in self.imports if (reached := self.reached(one.module)) is not None]

    def reached(self, dotted: str) -> str | None:
        """'ragmeter.metrics.Metric' -> 'metrics'; a name of the face -> '__init__'; None when not ours."""
        first, *parts = dotted.split(".")
        if first != "ragmeter":
            return None
        for end in range(len(parts), 0, -1):
            if (module := ".".join(parts[:end])) in self.modules:
                return module
        return parts[0] if parts and parts[0] in FLOOR else "__init__"


def house(source: Path) -> House:
    modules = {}
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)] = path
    imports = [one for name, path in modules.items() for one in imports_of(name, path)]
    return House(modules, imports)


def imports_of(name: str, path: Path) -> Iterator[Import]:
    package = ["ragmeter", *name.split(".")]
    if path.name != "__init__.py" or name == "__init__":
        package.pop()
    tree = ast.parse(path.read_bytes(), str(path))
    eager = set(at_import(tree))
    for node in ast.walk(tree):
        for module in imported(node, package):
            yield Import(name, node.lineno, module, node in eager)


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes that run when the module is imported: not in a function, not under TYPE_CHECKING."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            continue
        yield child
        yield from at_import(child)


def imported(node: ast.AST, package: list[str]) -> list[str]:
    """The dotted names that a node imports; `from a import b` is a.b, a module or a name in a."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else []
        stem = ".".join([*above, *([node.module] if node.module else [])])
        return [f"{stem}.{alias.name}".removesuffix(".*") for alias in node.names]
    if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (
        "import_module",
        "__import__",
    ):
        spelt = [arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant)]
        return [name for name in spelt if isinstance(name, str) and not name.startswith(".")]
    return []


def room(module: str) -> str:
    return module.split(".")[0]


def at(one: Import) -> str:
    return f"ragmeter.{one.importer} (line {one.line})"


def told(faults: list[str]) -> str:
    """What a failing test says: every fault on its own line, once."""
    return "\n" + "\n".join(dict.fromkeys(faults))


# The rules: each answers with the faults it finds, as sentences.


def without_floor(house: House) -> list[str]:
    return [
        f"ragmeter.{name}: give it a floor (FLOORS in tests/architecture/test_floors.py)"
        for name in house.modules
        if room(name) not in FLOOR
    ]


def upstairs(house: House) -> list[str]:
    return [
        f"{at(one)} on floor {mine} imports ragmeter.{reached} on floor {theirs}: "
        "imports run down; move the name to a lower room"
        for one, reached in house.own()
        if (mine := FLOOR.get(room(one.importer), 0)) < (theirs := FLOOR.get(room(reached), 0)) and mine
    ]


def importing_cli(house: House) -> list[str]:
    return [
        f"{at(one)} imports ragmeter.{reached}: nobody imports cli"
        for one, reached in house.own()
        if room(reached) == "cli" and room(one.importer) not in MAY_IMPORT_CLI
    ]


def contracts_importing_members(house: House) -> list[str]:
    return [
        f"{at(one)} imports its member ragmeter.{reached}: a contract imports no member; "
        "members are loaded by name through the registry"
        for one, reached in house.own()
        if one.importer in MEMBERED and reached.startswith(f"{one.importer}.")
    ]


def members_without_contract(house: House) -> list[str]:
    has = {(one.importer, reached) for one, reached in house.own()}
    return [
        f"ragmeter.{name} does not import ragmeter.{room(name)}: a member imports its wing's contract"
        for name in house.modules
        if room(name) in MEMBERED and name.count(".") == 1 and not name.split(".")[1].startswith("_")
        if (name, room(name)) not in has
    ]


def members_reached_from_outside(house: House) -> list[str]:
    return [
        f"{at(one)} imports the member ragmeter.{reached}: "
        f"members are loaded by name through the registry, or import the contract ragmeter.{room(reached)}"
        for one, reached in house.own()
        if room(reached) in MEMBERED and "." in reached and room(one.importer) != room(reached)
    ]


def wings_importing_wings(house: House) -> list[str]:
    return [
        f"{at(one)} imports ragmeter.{reached}: wings do not import each other"
        for one, reached in house.own()
        if room(one.importer) in WINGS and room(reached) in WINGS and room(one.importer) != room(reached)
    ]


def circles(house: House) -> list[str]:
    """Circles of imports between rooms of one floor, and between the files of one room."""
    rooms: dict[str, set[str]] = {}
    files: dict[str, set[str]] = {}
    for one, reached in house.own():
        here, there = room(one.importer), room(reached)
        if here != there and FLOOR.get(here) == FLOOR.get(there):
            rooms.setdefault(here, set()).add(there)
        elif here == there and one.importer != reached:
            files.setdefault(one.importer, set()).add(reached)
    return [f"imports run in a circle: {' -> '.join(circle)}" for graph in (rooms, files) for circle in rings(graph)]


def rings(graph: dict[str, set[str]]) -> list[list[str]]:
    """One shortest way round for every node that reaches itself, each ring once."""
    found: dict[frozenset[str], list[str]] = {}
    for start in sorted(graph):
        ways = [[start]]
        seen: set[str] = set()
        while ways:
            way = ways.pop(0)
            for step in sorted(graph.get(way[-1], ())):
                if step == start:
                    found.setdefault(frozenset(way), [*way, start])
                elif step not in seen:
                    seen.add(step)
                    ways.append([*way, step])
    return list(found.values())


def heavy_at_import(house: House) -> list[str]:
    return [
        f"{at(one)} imports {one.module} when it is imported: import it inside the function that needs it"
        for one in house.imports
        if one.at_import and one.module.split(".")[0] in HEAVY
    ]


def undeclared(house: House) -> list[str]:
    allowed = declared() | set(sys.stdlib_module_names) | {"ragmeter"}
    return [
        f"{at(one)} imports {one.module}, which pyproject.toml does not declare as a dependency or extra"
        for one in house.imports
        if one.module.split(".")[0] not in allowed
    ]


def declared() -> set[str]:
    """Import names of the dependencies and extras in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *sum(project["optional-dependencies"].values(), [])]
    names = [requirement.split(">=")[0].lower() for requirement in asked]
    return {IMPORT_NAMES.get(name, name) for name in names}


RULES = [
    without_floor,
    upstairs,
    importing_cli,
    contracts_importing_members,
    members_without_contract,
    members_reached_from_outside,
    wings_importing_wings,
    circles,
    heavy_at_import,
    undeclared,
]


@pytest.fixture(scope="module")
def ours() -> House:
    return house(SOURCE)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_our_house_keeps_the_rule(ours: House, rule) -> None:
    assert ours.imports, f"nothing to look at under {SOURCE}"
    faults = rule(ours)
    assert not faults, told(faults)


# Every rule must be able to fail: small houses with one fault each.
BROKEN = [
    (without_floor, {"helpers.py": ""}, "ragmeter.helpers: give it a floor"),
    (
        upstairs,
        {"text.py": "import ragmeter.evaluate", "evaluate.py": ""},
        "floor 1 imports ragmeter.evaluate on",
    ),
    (
        upstairs,
        {"errors.py": "def f():\n    from ragmeter import facts", "facts.py": ""},
        "errors (line 2) on floor 1",
    ),
    (
        upstairs,
        {"gate.py": "from ragmeter import Case", "__init__.py": ""},
        "imports ragmeter.__init__ on floor 8",
    ),
    (upstairs, {"text.py": "from . import store", "store.py": ""}, "floor 1 imports ragmeter.store"),
    (
        upstairs,
        {"text.py": "import_module('ragmeter.store')", "store.py": ""},
        "floor 1 imports ragmeter.store",
    ),
    (
        upstairs,
        {"judges/nli.py": "from ..facts import Facts", "judges/__init__.py": "", "facts.py": ""},
        "judges.nli (line 1) on floor 3 imports ragmeter.facts",
    ),
    (importing_cli, {"testing.py": "import ragmeter.cli", "cli/__init__.py": ""}, "nobody imports cli"),
    (
        contracts_importing_members,
        {"metrics/__init__.py": "def f():\n    from . import recall", "metrics/recall.py": ""},
        "metrics (line 2) imports its member ragmeter.metrics.recall",
    ),
    (
        members_without_contract,
        {"metrics/__init__.py": "", "metrics/recall.py": "import re"},
        "metrics.recall does not",
    ),
    (
        members_reached_from_outside,
        {
            "evaluate.py": "from ragmeter.metrics.recall import score",
            "metrics/recall.py": "",
            "metrics/__init__.py": "",
        },
        "evaluate (line 1) imports the member ragmeter.metrics.recall",
    ),
    (
        wings_importing_wings,
        {"reports/csv.py": "import ragmeter.targets", "targets/__init__.py": "", "reports/__init__.py": ""},
        "reports.csv (line 1) imports ragmeter.targets: wings",
    ),
    (
        circles,
        {"gate.py": "import ragmeter.store", "store.py": "import ragmeter.gate"},
        "gate -> store -> gate",
    ),
    (
        circles,
        {
            "metrics/a.py": "from ragmeter.metrics import b",
            "metrics/b.py": "from . import a",
            "metrics/__init__.py": "",
        },
        "metrics.a -> metrics.b -> metrics.a",
    ),
    (
        heavy_at_import,
        {"facts.py": "try:\n    import numpy as np\nexcept ImportError:\n    np = None"},
        "imports numpy",
    ),
    (undeclared, {"significance.py": "def f():\n    from scipy import stats"}, "imports scipy.stats, which"),
]


def build(root: Path, files: dict[str, str]) -> House:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return house(root)


@pytest.mark.parametrize(("rule", "files", "said"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_a_broken_house_is_told_what_is_wrong(tmp_path: Path, rule, files: dict[str, str], said: str) -> None:
    faults = rule(build(tmp_path, files))
    assert len(faults) == 1, told(faults)
    assert said in faults[0]


def test_a_sound_house_has_no_faults(tmp_path: Path) -> None:
    files = {
        "__init__.py": "from ragmeter.evaluate import evaluate",
        "__main__.py": "from ragmeter.cli import main",
        "cli/__init__.py": "def f():\n    import ragmeter.cli.score",
        "cli/score.py": "from ragmeter import testing",
        "testing.py": "from ragmeter.metrics import Metric",
        "evaluate.py": "from ragmeter.registry import find\nfrom ragmeter import aggregate, facts",
        "aggregate.py": "from .facts import *",
        "facts.py": "if typing.TYPE_CHECKING:\n    import numpy\nimport ragmeter.store",
        "store.py": "def f():\n    import numpy.random",
        "registry.py": "import importlib\nimportlib.import_module(f'ragmeter.{1}')",
        "metrics/__init__.py": "from ragmeter.facts import Facts",
        "metrics/recall.py": "from . import Metric, _gain",
        "metrics/_gain.py": "import math",
        "judges/__init__.py": "",
        "judges/similar.py": "from ragmeter.embedders import Embedder\nfrom ragmeter.judges import Judge",
        "embedders/__init__.py": "import msgspec",
    }
    sound = build(tmp_path, files)
    assert [fault for rule in RULES for fault in rule(sound)] == []
