"""Pairs of runs whose differences are known because they were planted, from a seed."""

from collections.abc import Callable
from random import Random

from ragmeter.compare import Source
from ragmeter.result import Estimate, Result, Row

PROVENANCE = {"profile": "standard", "conventions": {}, "inputs": []}


def source(name: str, rows: list[Row], lower: tuple[str, ...] = ()) -> Source:
    """A run of those rows, with the estimates that belong to them."""
    metrics = list(dict.fromkeys(metric for row in rows for metric in row.metrics))
    tags = sorted({f"{tag}={value}" for row in rows for tag, value in (row.tags or {}).items()})
    estimates = []
    for slice in ["", *tags]:
        inside = [row for row in rows if not slice or slice in [f"{t}={v}" for t, v in (row.tags or {}).items()]]
        for metric in metrics:
            values = [value for row in inside if (value := row.metrics[metric]) is not None]
            mean = sum(values) / len(values) if values else None
            nulls: dict[str, int] = {}
            for row in inside:
                if row.nulls and metric in row.nulls:
                    nulls[row.nulls[metric]] = nulls.get(row.nulls[metric], 0) + 1
            estimates.append(
                Estimate(metric, metric, slice, mean, len(values), nulls, higher_is_better=metric not in lower)
            )
    return Source(name, {row.id: row for row in rows}, Result(len(rows), None, tuple(estimates), {}, PROVENANCE))


Change = Callable[[Random, Row, str, float], float]


def runs(seed: int, n: int, metrics: tuple[str, ...], change: Change, *, per_cluster: int = 0, binary: bool = False, lower: tuple[str, ...] = ()) -> tuple[Source, Source]:  # fmt: skip
    """A base of random scores, and a new run in which `change(random, row, metric, score)` says each score."""
    random = Random(seed)
    levels = [0.0, 1.0] if binary else [0.25, 0.5, 0.75]
    before, after = [], []
    for i in range(n):
        tags = {"language": ("vi", "ko", "ar", "zh")[i % 4]}
        cluster = f"hội thoại {i // per_cluster}" if per_cluster else None
        row = Row(f"câu-{i}", {m: random.choice(levels) for m in metrics}, tags=tags, cluster=cluster)
        changed = {m: change(random, row, m, v) for m, v in row.metrics.items() if v is not None}
        before.append(row)
        after.append(Row(row.id, dict(changed), tags=tags, cluster=cluster))
    return source("base", before, lower), source("new", after, lower)


def noise(random: Random, row: Row, metric: str, score: float) -> float:
    """As often better as worse."""
    return score + random.choice([-0.05, 0.0, 0.0, 0.05])
