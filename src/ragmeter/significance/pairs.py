"""Scores of two runs on the same cases, and their differences: what every paired number starts from.

Input is a histogram of pairs, {(score of a, score of b): number of cases}, joined by case beforehand; only
cases scored in both belong in it. Differences are b - a, rounded to 12 decimals, so that what differs by the
noise of doubles is a tie. Whatever the order of the cases, the numbers are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import NamedTuple

DECIMALS = 12

Pairs = Mapping[tuple[float, float], int]
Differences = Mapping[float, int]


class Finding(NamedTuple):
    """What a two-sided test found: its name, p, statistic and the cases it stands on (n).

    `p` is None for a reason.
    """

    test: str
    p: float | None
    statistic: float | None
    n: int
    reason: str = ""


class Tally(NamedTuple):
    """Cases in which b scored higher (wins), the same (ties), lower (losses)."""

    wins: int
    ties: int
    losses: int


def differences(pairs: Pairs) -> dict[float, int]:
    """{b - a: cases}, ascending, rounded to 12 decimals."""
    found: dict[float, int] = {}
    for (a, b), count in pairs.items():
        difference = round(b - a, DECIMALS) + 0.0
        found[difference] = found.get(difference, 0) + checked(count)
    return {difference: found[difference] for difference in sorted(found) if found[difference]}


def tally(d: Differences, tolerance: float = 0.0) -> Tally:
    """Wins, ties and losses of b; differences up to `tolerance` in size (plus 1e-12) are ties."""
    slack = tolerance + 10.0**-DECIMALS
    wins = sum(count for difference, count in d.items() if difference > slack)
    losses = sum(count for difference, count in d.items() if difference < -slack)
    return Tally(wins, sum(d.values()) - wins - losses, losses)


def mean_difference(d: Differences) -> float:
    """The mean of the differences. ValueError when there is none."""
    n = sum(d.values())
    if not n:
        raise ValueError("there is no pair of scores to compare")
    return fsum(difference * count for difference, count in d.items()) / n


def moments(d: Differences) -> tuple[int, float, float]:
    """(n, mean, variance over n - 1); the variance of fewer than two is 0."""
    n = sum(d.values())
    if n < 2 or len(d) == 1:
        return n, mean_difference(d) if n else 0.0, 0.0
    mean = mean_difference(d)
    return n, mean, fsum((difference - mean) ** 2 * count for difference, count in d.items()) / (n - 1)


def rank_sums(d: Differences) -> tuple[float, float, int, int]:
    """(sum of positive ranks, of negative ones, differences that are not zero, sum of t^3 - t over ties)."""
    sizes: dict[float, Sequence[int]] = {}
    for difference, count in d.items():
        if difference and count:
            up, down = sizes.get(abs(difference), (0, 0))
            sizes[abs(difference)] = (up + count, down) if difference > 0 else (up, down + count)
    plus = minus = 0.0
    n = ties = 0
    for size in sorted(sizes):
        up, down = sizes[size]
        tied = up + down
        rank = n + (tied + 1) / 2
        plus, minus, n, ties = plus + rank * up, minus + rank * down, n + tied, ties + tied**3 - tied
    return plus, minus, n, ties


def checked(count: int) -> int:
    if count < 0:
        raise ValueError("a number of cases cannot be negative")
    return count
