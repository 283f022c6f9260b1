"""How far two rankings agree: leaderboards of systems, or lists of passages."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import sqrt


def kendall_tau(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Kendall's tau-b of the scores x[i] and y[i] of item i, -1 to 1; ties count in neither direction.

    tau_b = (concordant - discordant) / sqrt((all - tied in x) (all - tied in y)), pairs of items each. None
    when either list is constant or shorter than two. O(n log n). Sources: Kendall, The Treatment of Ties in
    Ranking Problems, 1945; Knight, A Computer Method for Calculating Kendall's Tau, 1966. ValueError when the
    lists differ in length.
    """
    pairs = sorted(zip(x, y, strict=True))
    n = len(pairs)
    total = n * (n - 1) // 2
    tied_x, tied_y = _tied([a for a, _ in pairs]), _tied(sorted(y))
    if total in (tied_x, tied_y):
        return None
    tied_both = _tied(pairs)
    discordant = _inversions([b for _, b in pairs])
    concordant = total - tied_x - tied_y + tied_both - discordant
    return (concordant - discordant) / sqrt((total - tied_x) * (total - tied_y))


def rank_biased_overlap(a: Sequence[Hashable], b: Sequence[Hashable], p: float = 0.9) -> float | None:
    """Extrapolated rank-biased overlap of two rankings, best first, 0 to 1.

    They may differ in length and items. Agreement at depth d is the overlap of the first d items over d;
    depths weigh (1 - p) p^(d - 1), and the agreement seen last is taken to go on. None when both are empty; 0
    when one is. Source: Webber, Moffat, Zobel, A Similarity Measure for Indefinite Rankings, 2010, equation
    32. ValueError when an item is repeated or p is not between 0 and 1.
    """
    if not 0 < p < 1:
        raise ValueError(f"the persistence p lies between 0 and 1, not {p}")
    if len(set(a)) < len(a) or len(set(b)) < len(b):
        raise ValueError("an item stands twice in a ranking")
    short, long = sorted((list(a), list(b)), key=len)
    if not long:
        return None
    if not short:
        return 0.0
    overlap = _overlaps(short, long)
    s, depth = len(short), len(long)
    at_s, at_end = overlap[s - 1], overlap[depth - 1]
    total = sum(x / d * p**d for d, x in enumerate(overlap, 1))
    total += sum(at_s * (d - s) / (s * d) * p**d for d in range(s + 1, depth + 1))
    return (1 - p) / p * total + ((at_end - at_s) / depth + at_s / s) * p**depth


def _overlaps(short: Sequence[Hashable], long: Sequence[Hashable]) -> list[int]:
    """How many items the first d of both share, for d = 1 .. length of the longer."""
    seen: set[Hashable] = set()
    shared, overlap = 0, []
    for d, item in enumerate(long):
        for one in {item, short[d]} if d < len(short) else {item}:
            shared += one in seen
        if d < len(short):
            shared += item == short[d]
            seen.add(short[d])
        seen.add(item)
        overlap.append(shared)
    return overlap


def _tied(ordered: Sequence[object]) -> int:
    """Pairs of equal neighbours-in-order: t (t - 1) / 2 summed over runs of t equal items."""
    pairs = run = 0
    for one, next_one in zip(ordered, ordered[1:], strict=False):
        run = run + 1 if one == next_one else 0
        pairs += run
    return pairs


def _inversions(values: list[float]) -> int:
    """Pairs out of order, counted while merging."""
    width, count = 1, 0
    while width < len(values):
        merged: list[float] = []
        for start in range(0, len(values), 2 * width):
            left, right = values[start : start + width], values[start + width : start + 2 * width]
            i = j = 0
            while i < len(left) and j < len(right):
                if left[i] <= right[j]:
                    merged.append(left[i])
                    i += 1
                else:
                    merged.append(right[j])
                    count += len(left) - i
                    j += 1
            merged += left[i:] + right[j:]
        values, width = merged, 2 * width
    return count
