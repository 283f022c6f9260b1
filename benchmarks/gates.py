"""How often the regression gate says what, as a Markdown table: python benchmarks/gates.py [--small]

Pairs of runs with a known true loss are simulated with a fixed seed and held through `ragmeter.gate` itself, with
a loss of 0.05 borne. Exits with 1 when a promise is broken: FAIL in no more than 5 % where the true loss is not
larger than what is borne, and PASS in no more than 5 % where it is (with three standard errors of the simulation
on top, from 100 cases; 30 are held to 7.5 %).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from ragmeter.compare import Source
from ragmeter.gate import Gate, gate
from ragmeter.result import Estimate, Result, Row

MARGIN = 0.05
PROVENANCE = {"profile": "standard", "inputs": []}
WORDS = ("FAIL", "INCONCLUSIVE", "PASS")

Pair = Callable[[np.random.Generator, int, float], tuple[np.ndarray, np.ndarray]]


def graded(random: np.random.Generator, n: int, loss: float) -> tuple[np.ndarray, np.ndarray]:
    """Scores in steps of a quarter; the new run draws differences whose mean is -loss."""
    steps, chance = np.array([-0.25, 0.0, 0.25]), np.array([0.2 + 2 * loss, 0.6, 0.2 - 2 * loss])
    return np.full(n, 0.5), 0.5 + random.choice(steps, size=n, p=chance)


def hits(random: np.random.Generator, n: int, loss: float) -> tuple[np.ndarray, np.ndarray]:
    """0 and 1: a tenth of the cases turn to either side, and `loss` more to the worse."""
    kind = random.choice(4, size=n, p=[0.1 + loss, 0.1, 0.6 - loss, 0.2])
    return np.isin(kind, (0, 2)) * 1.0, np.isin(kind, (1, 2)) * 1.0


def clustered(random: np.random.Generator, n: int, loss: float) -> tuple[np.ndarray, np.ndarray]:
    """Five cases a cluster that share half of the variance of their differences."""
    shared = np.repeat(random.normal(0, 0.15, -(-n // 5)), 5)[:n]
    return np.full(n, 0.5), 0.5 - loss + shared + random.normal(0, 0.15, n)


KINDS: dict[str, Pair] = {"graded": graded, "0 and 1": hits, "clusters of 5": clustered}


def source(name: str, scores: np.ndarray, size: int) -> Source:
    rows = [
        Row(f"{i}", {"m": float(score)}, cluster=f"{i // size}" if size > 1 else None) for i, score in enumerate(scores)
    ]
    estimate = Estimate("m", "m", "", float(np.mean(scores)), len(rows))
    return Source(name, {row.id: row for row in rows}, Result(len(rows), None, (estimate,), {}, PROVENANCE))


def answers(pair: Pair, n: int, loss: float, simulations: int) -> Counter[str]:
    """How often the gate said what."""
    random = np.random.default_rng(20)
    counted: Counter[str] = Counter()
    size = 5 if pair is clustered else 1
    for _ in range(simulations):
        base, new = (source(name, scores, size) for name, scores in zip("ab", pair(random, n, loss), strict=True))
        assert new.result is not None
        rule = Gate("m", MARGIN, kind="regression")
        verdict = gate(new.result, [rule], rows=new.rows.values(), baseline=base)
        counted[verdict.outcomes[0].outcome] += 1
    return counted


def rows(sizes: tuple[int, ...], simulations: int, broken: list[str]) -> Iterator[list[str]]:
    for kind, pair in KINDS.items():
        for n in sizes:
            for loss in (0.0, MARGIN, 0.1):
                if loss == 0.1 and pair is hits and n < 100:
                    continue
                counted = answers(pair, n, loss, simulations)
                share = {word: counted[word] / simulations for word in WORDS}
                wrong = [w for w in ("FAIL", "PASS") if (w == "FAIL" and loss <= MARGIN) or (w == "PASS" and loss >= MARGIN)]  # fmt: skip
                limit = 0.05 if n >= 100 else 0.075
                bound = limit + 3 * (limit * (1 - limit) / simulations) ** 0.5
                broken += [f"{kind}, n {n}, loss {loss}: {w} {share[w]:.3f}" for w in wrong if share[w] > bound]
                yield [kind, str(n), f"{loss:g}", *(f"{100 * share[word]:.1f}" for word in WORDS)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--small", action="store_true", help="a tenth of it, for CI")
    small = parser.parse_args().small
    simulations = 100 if small else 1000
    broken: list[str] = []
    heads = ["scores", "n", "true loss", *(f"{word} in %" for word in WORDS)]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}", flush=True)
    for row in rows((100,) if small else (30, 100, 300), simulations, broken):
        print(f"| {' | '.join(row)} |", flush=True)
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
