"""Options that commands share, and how their values are read."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

if TYPE_CHECKING:
    from ragmeter.suite import Suite

from ragmeter.errors import UsageError, choices

NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?)|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")
SEED_FORMATS = ("json", "markdown")
SEED_MINIMA = {
    "--min-recall": "recall",
    "--min-mrr": "reciprocal_rank",
    "--min-context-precision": "context_precision",
    "--min-citation-coverage": "citation_coverage",
    "--min-citation-validity": "citation_validity",
}


def number(text: str) -> float | None:
    """A number as JavaScript's Number() reads it, or None: '' is 0, hexadecimal counts, underscores do not."""
    text = text.strip()
    if not text:
        return 0.0
    if not NUMBER.fullmatch(text):
        return None
    return float(int(text, 0)) if text[:2].lower() in ("0x", "0o", "0b") else float(text)


def cutoff(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> int | None:
    """--k: a positive whole number. Every one typed is checked, the last one counts."""
    value = None
    for text in texts:
        value = number(text)
        if value is None or value == float("inf") or value != value // 1 or value <= 0:
            raise UsageError("k must be a positive integer")
    return None if value is None else int(value)


def share(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> float | None:
    """A threshold of the offline harness: a number from 0 to 1. Every one typed is checked, the last one counts."""
    value = None
    for text in texts:
        value = number(text)
        if value is None or not 0 <= value <= 1:
            raise UsageError(f"{param.opts[0]} must be a number between 0 and 1")
    return value


def rules(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[str, float]:
    """--min and --max: METRIC=VALUE, or METRIC[TAG=VALUE]=VALUE for one slice."""
    made = {}
    for text in texts:
        metric, equals, value = text.rpartition("=")
        threshold = number(value) if value.strip() else None
        if threshold in (float("inf"), float("-inf")):
            threshold = None
        if not equals or not metric or threshold is None:
            raise UsageError(f"{param.opts[0]} '{text}': expected METRIC=NUMBER")
        made[metric] = threshold
    return made


def listed(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Values that may be repeated or separated by commas."""
    return tuple(word.strip() for text in texts for word in text.split(",") if word.strip())


def formats(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """--format: NAME to stdout, NAME=FILE to a file; checked before any input is read."""
    from ragmeter.registry import names, own_names, plugin_names

    wanted = tuple((name, file) for name, _, file in (text.partition("=") for text in texts))
    for text in texts:
        if text.endswith("="):
            raise UsageError(f"--format {text}: expected a file name after '='")
    for name, _ in wanted:
        if name not in own_names("report") and name not in plugin_names("report"):
            known = names("report")
            raise UsageError(f"format must be json or markdown\n'{name}' is no report{choices(name, known)}")
    shown = [name for name, file in wanted if not file]
    if len(shown) > 1 and not set(shown) <= set(SEED_FORMATS):
        raise UsageError("only one --format goes to stdout; write the others as NAME=FILE")
    return (*((name, "") for name in shown[-1:]), *(pair for pair in wanted if pair[1]))  # of the harness's, the last


def stacked(*decorators: Callable[..., Any]) -> Callable[..., Any]:
    """Several options as one decorator, in the order written."""

    def apply(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


measuring = stacked(
    click.option("-m", "--metrics", multiple=True, metavar="METRIC[@K,...]", help="What to measure, such as ndcg@5,10."),
    click.option("--k", multiple=True, callback=cutoff, metavar="N", help="Cutoff of metrics that name none (5)."),
    click.option("--profile", metavar="NAME", help="Conventions; the default follows the format."),
    click.option("--by", multiple=True, callback=listed, metavar="TAG", help="Slices: one estimate per value of a tag."),
    click.option("--relevance-level", "level", type=click.IntRange(1), default=1, show_default=True, help="Lowest grade that is relevant."),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of every draw."),
)  # fmt: skip

gating = stacked(
    *[
        click.option(
            flag, f"min_{metric}", multiple=True, callback=share, metavar="0..1", help=f"Least {metric} that passes."
        )
        for flag, metric in SEED_MINIMA.items()
    ],
    click.option(
        "--min",
        "minimum",
        multiple=True,
        callback=rules,
        metavar="METRIC=VALUE",
        help="A gate: at least; METRIC[TAG=VALUE]=VALUE for one slice.",
    ),
    click.option(
        "--max",
        "maximum",
        multiple=True,
        callback=rules,
        metavar="METRIC=VALUE",
        help="A gate: at most; METRIC[TAG=VALUE]=VALUE for one slice.",
    ),
    click.option(
        "--gate",
        "gates",
        multiple=True,
        metavar="RULE",
        help='A gate in words: "lower(recall@5) >= 0.8"; see docs/gates.md.',
    ),
    click.option("--baseline", metavar="RUN", help="What 'no regression of ...' is against: a run, or a JSON report."),
    click.option(
        "--inconclusive",
        type=click.Choice(["fail", "pass"]),
        default="fail",
        show_default=True,
        help="What a gate counts as that the cases cannot decide.",
    ),
)

reporting = click.option(
    "--format", "reports", multiple=True, callback=formats, metavar="NAME[=FILE]", help="Report to stdout, or to a file; repeatable."
)  # fmt: skip


def minima(options: dict[str, Any]) -> dict[str, float]:
    """The harness's own --min-... options, taken out of the rest, as gates."""
    typed = [name for name in options if name.removeprefix("min_") in SEED_MINIMA.values()]  # in the order typed
    taken = {name.removeprefix("min_"): options.pop(name) for name in typed}
    return {metric: value for metric, value in taken.items() if value is not None}


def settle(ctx: click.Context, options: dict[str, Any]) -> Suite:
    """One Suite from ragmeter.toml (named, or the one here when no CASES are typed) and the options typed over it."""
    from msgspec import structs

    from ragmeter.suite import Suite, read_suite

    config = options.pop("config", None)
    base = read_suite(config) if config or not options["cases"] else None
    typed: dict[str, Any] = {
        "minimum": {**minima(options), **options.pop("minimum")},
        "maximum": options.pop("maximum"),
    }
    if base is not None:
        typed = {name: {**getattr(base, name), **rules} for name, rules in typed.items()}
        options["gates"] = (*base.gates, *options["gates"])
    given = click.core.ParameterSource.COMMANDLINE
    typed |= {name: value for name, value in options.items() if ctx.get_parameter_source(name) is given}
    return structs.replace(base or Suite(), **typed)


def emit(pieces: Iterable[str], file: str = "") -> None:
    """Text to stdout, or to a file that is replaced whole."""
    data = (piece.encode("utf-8", "backslashreplace") for piece in pieces)
    if file:
        from ragmeter.store import write_atomically

        write_atomically(Path(file), data)
        return
    if sys.stdout is None:
        raise UsageError("standard output is closed; write the report to a file with --format NAME=FILE")
    out = sys.stdout.buffer
    for block in blocks(data):
        if not _written(out, block):
            return


def _written(out: BinaryIO, block: bytes) -> bool:
    """Whether it reached standard output; False where the reader has gone. UsageError when it cannot be written."""
    try:
        out.write(block)
        out.flush()
        return True
    except OSError as why:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is buffered cannot be written either
        if isinstance(why, BrokenPipeError):  # the reader has seen enough; the verdict stands
            return False
        raise UsageError(f"standard output: cannot be written: {why.strerror or why}") from None


def spare(inputs: Iterable[str], reports: Iterable[tuple[str, str]]) -> None:
    """Raise UsageError when a report would be written over an input."""
    for _, file in reports:
        for path in inputs:
            if file and os.path.exists(file) and os.path.exists(path) and os.path.samefile(file, path):
                raise UsageError(f"--format ...={file}: this would write over the input {path}")


def blocks(pieces: Iterable[bytes], size: int = 1 << 16) -> Iterator[bytes]:
    """Small pieces joined to larger ones."""
    held: list[bytes] = []
    length = 0
    for piece in pieces:
        held.append(piece)
        length += len(piece)
        if length >= size:
            yield b"".join(held)
            held, length = [], 0
    yield b"".join(held)
