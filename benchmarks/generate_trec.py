"""Made TREC files, the same bytes for the same arguments.

    python benchmarks/generate_trec.py FOLDER --queries 10000 --depth 1000

writes FOLDER/run.trec and FOLDER/qrels.txt. A query has 15 to 19 judgments of grades 0 to 3, half of them on
passages that the run retrieved; about 5 % of neighbours in the run have equal scores; 1 % of the judged queries
are missing from the run, 1 % of the run's have no judgments, 1 % no relevant passage.
"""

from __future__ import annotations

import argparse
import random
from itertools import accumulate
from pathlib import Path

CORPUS = 1_000_000  # passages that runs draw from; as many again are never retrieved
TIED = 0.05
RARE = 0.01  # missing from the run, without judgments, without a relevant passage: each


def generate(folder: Path, queries: int, depth: int, seed: int = 1) -> tuple[Path, Path]:
    """Write a run and its judgments; answers with their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / "run.trec", folder / "qrels.txt"
    draw = random.Random(f"{seed} {queries} {depth}")
    with open(paths[0], "w") as run, open(paths[1], "w") as qrels:
        for number in range(queries):
            query = f"q{number:07d}"
            retrieved = draw.sample(range(CORPUS), depth)
            kind = draw.random()
            if kind >= RARE:
                run.write(results(query, retrieved, draw))
            if not RARE <= kind < 2 * RARE:
                qrels.write(judgments(query, retrieved, draw, 2 * RARE <= kind < 3 * RARE))
    return paths


def results(query: str, retrieved: list[int], draw: random.Random) -> str:
    """The lines of one query: falling scores with four decimals, some of them equal to the one above."""
    steps = [0 if draw.random() < TIED else 1 + int(300 * draw.random()) for _ in retrieved]
    scores = accumulate(steps, lambda score, step: score - step, initial=1_000_000)
    return "".join(
        f"{query} Q0 D{passage:07d} {rank} {score / 10_000:.4f} made\n"
        for rank, (passage, score) in enumerate(zip(retrieved, scores, strict=False), 1)
    )


def judgments(query: str, retrieved: list[int], draw: random.Random, none_relevant: bool) -> str:
    """The lines of one query in no particular order."""
    count = draw.randint(15, 19)
    inside = draw.sample(retrieved, min(count // 2, len(retrieved)))
    outside = draw.sample(range(CORPUS, 2 * CORPUS), count - len(inside))
    judged = inside + outside
    draw.shuffle(judged)
    return "".join(f"{query} 0 D{passage:07d} {0 if none_relevant else draw.randint(0, 3)}\n" for passage in judged)


def main() -> None:
    """Write the files and say where."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--queries", type=int, default=10_000)
    options.add_argument("--depth", type=int, default=1_000)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    for path in generate(asked.folder, asked.queries, asked.depth, asked.seed):
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
