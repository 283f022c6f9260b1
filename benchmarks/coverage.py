"""How often the intervals hold what they promise, as Markdown tables: python benchmarks/coverage.py [--small]

Proportions are computed exactly: the chances of all outcomes whose interval covers the true value are added.
The rest is simulated with a fixed seed through the functions of ragmeter.significance themselves. `--small`
runs a tenth of it for CI and exits with 1 when a promise is broken:

- Clopper-Pearson never covers less than 95 %; Wilson covers 95 +- 1 % on average over p
- the bootstrap covers 95 +- 1.5 % from 200 cases, the cluster t interval from 50 clusters
- PPI++ covers 95 +- 1.5 % from 200 labels

(simulated ones with three standard errors of the simulation on top).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from math import lgamma, sqrt

import numpy as np

from ragmeter.significance.agreement import cohen_kappa
from ragmeter.significance.debias import ppi_mean
from ragmeter.significance.intervals import (
    bootstrap_mean,
    clopper_pearson,
    cluster_bootstrap,
    cluster_t,
    rule_of_three,
    t_interval,
    wilson,
)
from ragmeter.significance.paired import paired_t, sign_test, wilcoxon
from ragmeter.significance.pairs import differences
from ragmeter.significance.signflip import sign_flip
from ragmeter.sums import Histogram

SIZES = (20, 50, 100, 200, 500, 1000)
DRAWS = 1000
broken: list[str] = []

Sampler = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def recall_like(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.choice([0, 1 / 3, 1 / 2, 2 / 3, 1], p=[0.15, 0.1, 0.25, 0.1, 0.4], size=shape)


def mostly_zero(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.choice([0, 1 / 4, 1 / 2, 1], p=[0.8, 0.1, 0.05, 0.05], size=shape)


def nearly_perfect(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.choice([0, 1 / 2, 1], p=[0.01, 0.02, 0.97], size=shape)


def ndcg_like(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.beta(2, 1, size=shape)


SCORES: dict[str, tuple[Sampler, float]] = {
    "recall-like, 5 values": (recall_like, 0.15 * 0 + 0.1 / 3 + 0.25 / 2 + 0.2 / 3 + 0.4),
    "80 % zeros": (mostly_zero, 0.1),
    "97 % ones": (nearly_perfect, 0.98),
    "continuous, Beta(2, 1)": (ndcg_like, 2 / 3),
}


def table(title: str, head: list[str], rows: Iterator[list[object]]) -> None:
    """Print one Markdown table as its rows come."""
    print(f"\n### {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    for row in rows:
        print("| " + " | ".join(f"{x:.1f}" if isinstance(x, float) else str(x) for x in row) + " |", flush=True)


def promise(what: str, covered: float, low: float, high: float, simulations: int | None = None) -> None:
    """Remember a coverage (in per cent) outside its bounds."""
    slack = 0.0 if simulations is None else 300 * sqrt(0.95 * 0.05 / simulations)
    if not low - slack <= covered <= high + slack:
        broken.append(f"{what}: {covered:.2f} % is outside {low} to {high} %")


def chances(n: int, p: np.ndarray) -> np.ndarray:
    """The binomial probabilities of k = 0..n for every p: (n + 1, len(p))."""
    k = np.arange(n + 1)[:, None]
    ways = np.array([lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) for i in range(n + 1)])[:, None]
    return np.exp(ways + k * np.log(p) + (n - k) * np.log1p(-p))


def exact_coverage(interval: Callable[[int, int], tuple[float, float]], n: int, p: np.ndarray) -> np.ndarray:
    bounds = np.array([interval(k, n) for k in range(n + 1)])
    inside = (bounds[:, :1] <= p) & (p <= bounds[:, 1:])
    return 100 * (chances(n, p) * inside).sum(axis=0)


def proportions(sizes: tuple[int, ...]) -> Iterator[list[object]]:
    some = np.array([0.01, 0.05, 0.1, 0.3, 0.5, 0.9, 0.99])
    grid = (np.arange(2000) + 0.5) / 2000
    for name, interval in (("Wilson", wilson), ("Clopper-Pearson", clopper_pearson)):
        for n in sizes:
            everywhere = exact_coverage(interval, n, grid)
            mean, least = float(everywhere.mean()), float(everywhere.min())
            if name == "Wilson":
                promise(f"Wilson, n={n}, mean", mean, 94, 96)
            else:
                promise(f"Clopper-Pearson, n={n}, least", least, 95, 100)
            yield [name, n, *exact_coverage(interval, n, some).tolist(), mean, least]


def means(sizes: tuple[int, ...], simulations: int) -> Iterator[list[object]]:
    for name, (sample, mean) in SCORES.items():
        for n in sizes:
            random = np.random.Generator(np.random.Philox(n))
            hits: Counter[str] = Counter()
            for seed, values in enumerate(sample(random, (simulations, n))):
                distinct, counts = np.unique(values, return_counts=True)
                args = distinct.tolist(), counts.tolist()
                for method in ("percentile", "bca"):
                    if len(distinct) > 1:
                        low, high = bootstrap_mean(*args, seed=seed, key=name, draws=DRAWS, method=method)
                    else:
                        low, high = rule_of_three(n, args[0][0], (0, 1))
                    hits[method] += low <= mean <= high
                low, high = t_interval(n, float(values.mean()), float(values.var(ddof=1)))
                hits["t"] += low <= mean <= high
            covered = [100 * hits[m] / simulations for m in ("percentile", "bca", "t")]
            if n >= 200 and name != "97 % ones":
                promise(f"bootstrap, {name}, n={n}", covered[0], 93.5, 96.5, simulations)
            yield [name, n, *covered]


def clusters(sizes: tuple[int, ...], simulations: int) -> Iterator[list[object]]:
    """Scores of 0 and 1; each cluster has its own chance, Beta with mean 0.7 and the given correlation."""
    for correlation in (0.05, 0.3):
        spread = (1 - correlation) / correlation
        for count in sizes:
            random = np.random.Generator(np.random.Philox(count))
            hits: Counter[str] = Counter()
            for seed in range(simulations):
                members = 1 + random.poisson(4, count)
                sums = random.binomial(members, random.beta(0.7 * spread, 0.3 * spread, count))
                args = sums.tolist(), members.tolist()
                n, right = int(members.sum()), int(sums.sum())
                for kind, (low, high) in (
                    ("ignored", wilson(right, n)),
                    ("t", cluster_t(*args)),
                    ("bootstrap", cluster_bootstrap(*args, seed=seed, key="clusters", draws=DRAWS)),
                ):
                    hits[kind] += low <= 0.7 <= high
            covered = [100 * hits[kind] / simulations for kind in ("t", "bootstrap", "ignored")]
            if count >= 50:
                promise(f"cluster t, {count} clusters", covered[0], 93.5, 96.5, simulations)
            yield [f"{correlation:g}", count, *covered]


TOTAL = 5000  # cases that the judge scored, the labelled ones among them
Study = tuple[dict[tuple[float, float], int], Histogram]


def studies(seed: int, share: float, error: float, n: int, simulations: int) -> Iterator[Study]:
    """(labelled pairs of judge and human, the judge on the rest): humans say 1 with chance `share`, the judge
    says otherwise at random at the rate `error`, both ways."""
    random = np.random.Generator(np.random.Philox(seed))
    said = share * (1 - error) + (1 - share) * error
    ones = random.binomial(n, share, simulations)
    missed, false = random.binomial(ones, error), random.binomial(n - ones, error)
    others = random.binomial(TOTAL - n, said, simulations)
    for yes, miss, wrong, rest in zip(*(x.tolist() for x in (ones, missed, false, others)), strict=True):
        judged = Histogram()
        judged.add(1, 1, rest)
        judged.add(0, 1, TOTAL - n - rest)
        yield {(1, 1): yes - miss, (0, 1): miss, (1, 0): wrong, (0, 0): n - yes - wrong}, judged


def debiased(sizes: tuple[int, ...], simulations: int) -> Iterator[list[object]]:
    for share in (0.3, 0.8):
        for error in (0.02, 0.05, 0.1, 0.2, 0.4):
            row: list[object] = [f"{share:g}", f"{error:g}"]
            for n, unseen in ((sizes[0], 0.0), *((n, 1.0) for n in sizes)):
                hits, width, plain = 0, 0.0, 0.0
                for pairs, judged in studies(int(1000 * error) + n, share, error, n, simulations):
                    low, high, _ = ppi_mean(pairs, judged, unseen=unseen).interval
                    alone = ppi_mean(pairs, Histogram()).interval
                    if None not in (low, high, alone.low, alone.high):
                        hits += low <= share <= high
                        width += high - low
                        plain += alone.high - alone.low
                covered = 100 * hits / simulations
                if n >= 200:
                    promise(f"PPI++, p={share}, error={error}, n={n}", covered, 93.5, 96.5, simulations)
                row.append(f"{covered:.1f} ({width / plain:.2f})")
            yield row


def kappas(sizes: tuple[int, ...], simulations: int) -> Iterator[list[object]]:
    """Two raters of a 0/1 label, 70 or 90 % of it 1, each wrong at random in 10 % of the cases."""
    for share in (0.7, 0.9):
        both, one = share * 0.81 + (1 - share) * 0.01, share * 0.9 + (1 - share) * 0.1
        cells = [both, one - both, one - both, 1 - 2 * one + both]
        kappa = 1 - 2 * (one - both) / (2 * one * (1 - one))
        for n in sizes:
            random = np.random.Generator(np.random.Philox(n))
            hits = shown = 0
            for seed, (a, b, c, d) in enumerate(random.multinomial(n, cells, simulations).tolist()):
                counts = {(1, 1): a, (1, 0): b, (0, 1): c, (0, 0): d}
                low, high, _ = cohen_kappa(counts, seed=seed, key="kappa", draws=DRAWS).interval
                if low is not None and high is not None:
                    shown += 1
                    hits += low <= kappa <= high
            yield [f"{share:g}", f"{kappa:.2f}", n, 100 * hits / max(shown, 1), 100 * shown / simulations]


def false_alarms(sizes: tuple[int, ...], simulations: int) -> Iterator[list[object]]:
    """Two runs that differ in four of ten cases by thirds, halves or ones: equally good, or b better."""
    steps, usual = [-1, -1 / 2, -1 / 3, 0, 1 / 3, 1 / 2, 1], [0.05, 0.1, 0.05, 0.6, 0.05, 0.1, 0.05]
    better = [0.03, 0.07, 0.05, 0.6, 0.05, 0.13, 0.07]
    for name, weights in (("equal", usual), ("better by 0.07", better)):
        for n in sizes:
            random = np.random.Generator(np.random.Philox(n))
            hits: Counter[str] = Counter()
            for seed, drawn in enumerate(random.multinomial(n, weights, simulations).tolist()):
                d = differences({(0, step): count for step, count in zip(steps, drawn, strict=True) if count})
                for found in (
                    sign_flip(d, seed=seed, key="null", draws=DRAWS),
                    wilcoxon(d),
                    paired_t(d),
                    sign_test(d),
                ):
                    hits[found.test.split("_exact")[0]] += found.p is not None and found.p <= 0.05
            yield [
                name,
                n,
                *(100 * hits[t] / simulations for t in ("sign_flip", "wilcoxon", "paired_t", "sign_test")),
            ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--small", action="store_true", help="a tenth of the work, for CI")
    small = parser.parse_args().small
    simulations = 200 if small else 2000
    sizes = (50, 200) if small else (50, 200, 500)
    table(
        "Proportions: exact coverage in %",
        [
            "interval",
            "n",
            *(f"p={p}" for p in (0.01, 0.05, 0.1, 0.3, 0.5, 0.9, 0.99)),
            "mean over p",
            "least over p",
        ],
        proportions((20, 200) if small else SIZES),
    )
    table(
        f"Means: coverage in %, {simulations} simulations, {DRAWS} draws each",
        ["scores", "n", "percentile", "BCa", "t"],
        means(sizes, simulations),
    )
    table(
        f"Clustered cases: coverage in %, {simulations} simulations, 5 cases a cluster on average",
        [
            "correlation in a cluster",
            "clusters",
            "cluster t",
            "cluster bootstrap",
            "Wilson, clusters ignored",
        ],
        clusters((20, 50) if small else (20, 50, 200), simulations),
    )
    labels = (50, 200) if small else (50, 100, 200, 500, 1000)
    table(
        f"PPI++, 5,000 judged: coverage in % (width over that of labels alone), {simulations} simulations",
        ["human mean", "judge error", f"{labels[0]} labels, as published", *(f"{n} labels" for n in labels)],
        debiased(labels, simulations),
    )
    table(
        f"Cohen's kappa: coverage in % where an interval was shown, {simulations} simulations",
        ["share of ones", "kappa", "n", "bootstrap", "shown in %"],
        kappas(sizes, simulations),
    )
    table(
        f"Paired tests at 0.05: significant in % of {simulations} simulations",
        ["runs", "n", "sign flip", "Wilcoxon", "t", "sign test"],
        false_alarms((30, 100) if small else (30, 100, 300), simulations),
    )
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
