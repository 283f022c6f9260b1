"""TREC runs: `ragmeter score` beside pytrec-eval-terrier, from files to five means, in alternating pairs.

    python benchmarks/trec.py                  10k x 1000, 100k x 100, 1M x 10: three pairs each, some minutes
    python benchmarks/trec.py --small          200 x 20, one pair: only to see that it runs

Both read the files, count all judged queries and answer with nDCG@10, AP, RR, recall@100 and P@10. CPU is
user + sys of the whole process, memory its peak resident set, both as the operating system counts them. The
ratio is the median over the pairs; the means of both must agree at 1e-9, else this fails.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from generate_trec import generate

METRICS = {
    "ndcg@10": "ndcg_cut_10", "average_precision": "map", "reciprocal_rank": "recip_rank",
    "recall@100": "recall_100", "precision@10": "P_10",
}  # fmt: skip
SIZES = {(10_000, 1_000): (3.5, 300), (100_000, 100): (3, 300), (1_000_000, 10): (2.5, 1_300)}  # bars
PEER = """
import json, sys
import pytrec_eval
with open(sys.argv[2]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[1]) as file:
    run = pytrec_eval.parse_run(file)
scores = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map", "recip_rank", "recall.100", "P.10"}).evaluate(run)
names = sys.argv[3].split(",")
print(json.dumps({name: sum(one[name] for one in scores.values()) / len(qrels) for name in names}))
"""
# As a user has it: byte code is kept, so that it is not compiled anew at every start.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


class Cost(NamedTuple):
    """One finished process."""

    cpu: float  # seconds, user + sys
    peak: float  # MB
    means: list[float]


def measure(argv: list[str], pick: str = "") -> Cost:
    """Run a command that answers with JSON; its means stand under the key `pick`, or at the top."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(argv, stdout=out, env=ENVIRONMENT)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"exit code {process.returncode}: {' '.join(argv[:3])}")
        out.seek(0)
        said = json.load(out)
    held = said[pick] if pick else said
    means = [held[name] for name in (METRICS if pick else METRICS.values())]
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, means)


def pairs(run: Path, qrels: Path, runs: int) -> list[tuple[Cost, Cost]]:
    """Us and the peer, in turns."""
    ragmeter = str(Path(sys.executable).parent / "ragmeter")
    ours = [ragmeter, "score", str(run), "--qrels", str(qrels), "-m", ",".join(METRICS), "--format", "json"]
    peer = [sys.executable, "-c", PEER, str(run), str(qrels), ",".join(METRICS.values())]
    measured = [(measure(ours, "summary"), measure(peer)) for _ in range(runs)]
    for a, b in measured:
        gap = max(abs(x - y) for x, y in zip(a.means, b.means, strict=True))
        if gap > 1e-9:
            sys.exit(f"the means differ by {gap}: {a.means} {b.means}")
    return measured


def line(queries: int, depth: int, measured: list[tuple[Cost, Cost]]) -> str:
    """One row of the table: medians, and the bars where there are any."""
    middle = statistics.median
    (cpu, theirs), (peak, their_peak) = (
        [middle(getattr(pair[side], what) for pair in measured) for side in (0, 1)] for what in ("cpu", "peak")
    )
    ratio = middle(b.cpu / a.cpu for a, b in measured)
    least, most = SIZES.get((queries, depth), (None, None))
    bars = f"1/{least}, {most} MB" if least else ""
    return f"| {queries:,} x {depth:,} | {cpu:.2f} | {theirs:.2f} | 1/{ratio:.2f} | {peak:.0f} | {their_peak:.0f} | {bars} |"


def main() -> None:
    """Print a Markdown table, a row per size."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--small", action="store_true", help="one small size, one pair")
    options.add_argument("--runs", type=int, default=3, help="pairs per size")
    options.add_argument("--folder", type=Path, help="where the made files are kept, to be used again")
    asked = options.parse_args()
    print("| queries x depth | cpu s | peer cpu s | ratio | peak MB | peer MB | bars |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    with tempfile.TemporaryDirectory() as made:
        for queries, depth in [(200, 20)] if asked.small else SIZES:
            folder = (asked.folder or Path(made)) / f"{queries}x{depth}"
            paths = folder / "run.trec", folder / "qrels.txt"
            if not all(path.exists() for path in paths):
                paths = generate(folder, queries, depth)
            print(line(queries, depth, pairs(*paths, 1 if asked.small else asked.runs)), flush=True)
            if asked.folder is None:
                for path in paths:
                    path.unlink()


if __name__ == "__main__":
    main()
