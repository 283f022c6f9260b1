"""S2 fixtures: `ragmeter score` beside the seed's node script, in alternating pairs.

    python benchmarks/s2.py                  1M cases of 10 ids, three pairs, and 2M cases by us alone
    python benchmarks/s2.py --small          2,000 cases, one pair: only to see that it runs

The node script is taken from ../shared/seeds at run time; without it or without node only we are measured.
CPU is user + sys of the whole process, memory its peak resident set, both as the operating system counts them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SEED = ROOT.parent / "shared" / "seeds" / "rag-evaluation-harness.txt"


# As a user has it: byte code is kept, so that it is not compiled anew at every start.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


class Cost(NamedTuple):
    """One finished process."""

    cpu: float  # seconds, user + sys
    wall: float  # seconds
    peak: float  # MB
    code: int


def measure(argv: list[str]) -> Cost:
    """Run a command with its output thrown away."""
    began = time.perf_counter()
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1000, process.returncode)


def generate(path: Path, cases: int, seed: int = 1) -> None:
    """Lines of about 340 bytes: 10 retrieved ids of 10 bytes, up to 8 relevant, up to 5 cited."""
    draw = random.Random(seed)
    with path.open("w") as file:
        for number in range(cases):
            retrieved = [f"doc-{draw.randrange(100_000):06d}" for _ in range(10)]
            fixture = {
                "id": f"case-{number:08d}-{draw.randrange(10**8):08d}",
                "relevant_document_ids": [
                    draw.choice(retrieved) if draw.random() < 0.3 else f"doc-{draw.randrange(100_000):06d}"
                    for _ in range(draw.randrange(9))
                ],
                "retrieved_document_ids": retrieved,
                "cited_document_ids": [draw.choice(retrieved) for _ in range(draw.randrange(6))],
            }
            file.write(json.dumps(fixture, separators=(", ", ":")) + "\n")


def node_script(folder: Path) -> list[str] | None:
    """The seed's evaluator as a command, or None where it or node is absent."""
    if not SEED.is_file() or shutil.which("node") is None:
        return None
    text = SEED.read_text()
    script = text[text.index("#!/usr/bin/env node") : text.index("import { describe, it } from 'node:test'")]
    path = folder / "evaluate-rag.mjs"
    path.write_text(script)
    return ["node", str(path)]


def pairs(ours: list[str], peer: list[str] | None, runs: int) -> None:
    """Alternating runs and the medians of each figure and of the ratios pair by pair."""
    rows: list[tuple[Cost, Cost | None]] = []
    for _ in range(runs):
        rows.append((measure(ours), measure(peer) if peer else None))
    middle = statistics.median
    a = [row[0] for row in rows]
    line = f"| ragmeter | {middle(c.cpu for c in a):.2f} | {middle(c.wall for c in a):.2f} | {middle(c.peak for c in a):.0f} | "
    if peer:
        b = [row[1] for row in rows if row[1]]
        cpu = middle(x.cpu / y.cpu for x, y in zip(a, b, strict=True))
        wall = middle(x.wall / y.wall for x, y in zip(a, b, strict=True))
        print(line + f"1/{1 / cpu:.2f} cpu, {wall:.2f} wall | {a[0].code} |")
        print(
            f"| node | {middle(c.cpu for c in b):.2f} | {middle(c.wall for c in b):.2f} | {middle(c.peak for c in b):.0f} | | {b[0].code} |"
        )
    else:
        print(line + f" | {a[0].code} |")


def main() -> None:
    """Print a Markdown table per size."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--small", action="store_true")
    options.add_argument("--runs", type=int, default=3)
    asked = options.parse_args()
    sizes = [2_000] if asked.small else [1_000_000, 2_000_000]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        node = node_script(folder)
        score = [str(Path(sys.executable).parent / "ragmeter"), "score"]
        tiny = folder / "tiny.jsonl"
        generate(tiny, 3)
        arguments = ["--k", "3", "--format", "json"]
        head = "| program | cpu s | wall s | peak MB | ratio | exit |\n| --- | ---: | ---: | ---: | --- | ---: |"
        print(f"\n3 cases, start to verdict\n\n{head}")
        measure([*score, str(tiny), *arguments])  # byte code and page cache
        pairs([*score, str(tiny), *arguments], node and [*node, str(tiny), *arguments], 1 if asked.small else 15)
        for size in sizes:
            path = folder / f"{size}.jsonl"
            generate(path, size)
            print(f"\n{size:,} cases of 10 ids ({path.stat().st_size / 1e6:.0f} MB), JSON with all rows\n\n{head}")
            peer = [*node, str(path), *arguments] if node and size <= 1_000_000 else None
            pairs([*score, str(path), *arguments], peer, 1 if asked.small or size > 1_000_000 else asked.runs)
            path.unlink()


if __name__ == "__main__":
    main()
