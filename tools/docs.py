"""Write the pages that are made from the source, or with --check say which are stale (exit code 1).

docs/metrics/NAME.md is the docstring of src/ragmeter/metrics/NAME.py with what its METRIC declares;
docs/metrics/README.md lists them; docs/cli.md is the help of every command. Nothing else lives there.
"""

import argparse
import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

import ragmeter.cli
from ragmeter.metrics import Metric
from ragmeter.registry import find

ROOT = Path(__file__).resolve().parents[1]
SOURCE = Path("src/ragmeter/metrics")
METRICS = Path("docs/metrics")
CLI = Path("docs/cli.md")
WIDTH = 100


def pages() -> dict[Path, str]:
    """Every made page by its path from the project's root."""
    return {**metric_pages(docstrings(ROOT / SOURCE)), CLI: cli_page(command_line(ragmeter.cli))}


def docstrings(folder: Path) -> dict[str, str]:
    """The docstring of each metric by its name. ValueError names the files that have none."""
    files = [path for path in sorted(folder.glob("*.py")) if not path.name.startswith("_")]
    found = {path.stem: ast.get_docstring(ast.parse(path.read_bytes())) for path in files}
    if missing := [name for name, text in found.items() if not text]:
        raise ValueError(f"a metric's docstring is its page, and there is none in: {', '.join(missing)}")
    return {name: text for name, text in found.items() if text}


def metric_pages(texts: dict[str, str]) -> dict[Path, str]:
    made = {METRICS / f"{name}.md": metric_page(name, text) for name, text in texts.items()}
    lines = [f"* [{name}]({name}.md): {text.splitlines()[0]}" for name, text in texts.items()]
    made[METRICS / "README.md"] = page("Metrics", "\n".join(lines), f"the docstrings in {SOURCE.as_posix()}")
    return made


def metric_page(name: str, text: str) -> str:
    facts = "\n".join(f"* {line}" for line in declared(find("metric", name)))
    return page(name, f"{text}\n\n{facts}", f"{(SOURCE / name).as_posix()}.py")


def declared(metric: Metric) -> Iterator[str]:
    """What the METRIC of a metric says about itself beside the formula, a sentence each."""
    needs, defaults, conventions = metric.needs, metric.defaults, metric.conventions
    yield f"Needs: {', '.join(f'`{need}`' for need in needs) or 'nothing'}."
    if defaults:
        yield f"Options and their defaults: {said(defaults)}."
    for short, options in conventions.items():
        yield f"Convention `{short}`: {said(options)}."
    yield f"{'Higher' if metric.higher_is_better else 'Lower'} is better."


def said(options: Mapping[str, object]) -> str:
    return ", ".join(f"`{key}={value}`" for key, value in options.items())


def command_line(module: object) -> click.Command:
    """The click command behind `ragmeter`, also where `main` is a function around it."""
    for candidate in (getattr(module, "main", None), *vars(module).values()):
        if isinstance(candidate, click.Group):
            return candidate
    raise ValueError("ragmeter.cli has no click group")


def cli_page(command: click.Command) -> str:
    parts = [f"## {path}\n\n```text\n{text}\n```" for path, text in helps(command, "ragmeter", None)]
    return page("The command line", "\n\n".join(parts), "the help of every command")


def helps(command: click.Command, name: str, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    """(full name, help) of a command and of all below it that are not hidden."""
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    yield context.command_path, command.get_help(context).rstrip()
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            child = command.get_command(context, below)
            if child is not None and not child.hidden:
                yield from helps(child, below, context)


def page(title: str, body: str, source: str) -> str:
    return f"# {title}\n\n{body}\n\n---\n\nMade by `make docs` from {source}; edit that.\n"


def stale(made: dict[Path, str], root: Path) -> list[str]:
    """A sentence for every page that is missing, differs, or is made from nothing any more."""
    kept = {path: path.read_bytes() for path in owned(root)}
    wanted = {root / path: text.encode() for path, text in made.items()}
    return [
        f"{path.relative_to(root).as_posix()}: {fault(path, kept, wanted)}"
        for path in sorted({*kept, *wanted})
        if kept.get(path) != wanted.get(path)
    ]


def fault(path: Path, kept: dict[Path, bytes], wanted: dict[Path, bytes]) -> str:
    if path not in wanted:
        return "is made from nothing any more"
    return "is out of date" if path in kept else "is missing"


def owned(root: Path) -> list[Path]:
    """The made pages that are there."""
    return [path for path in [*(root / METRICS).glob("*.md"), root / CLI] if path.is_file()]


def write(made: dict[Path, str], root: Path) -> None:
    for path in owned(root):
        if path.relative_to(root) not in made:
            path.unlink()
    for path, text in made.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page is stale")
    try:
        made = pages()
    except ValueError as why:
        print(why, file=sys.stderr)
        return 1
    if not parser.parse_args().check:
        write(made, ROOT)
        return 0
    faults = stale(made, ROOT)
    if faults:
        print("\n".join([*faults, "run `make docs`"]), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
