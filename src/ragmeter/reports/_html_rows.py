"""What the HTML report needs of the case rows: one walk that counts values, one that writes data blocks.

Blocks are columns of up to 2,000 cases, with the distinct values, flags and tags of the block in tables:

    {"id": [...], "v": [1, 0.5, "no_relevant"], "m": [[0, 1, 2, ...], ...], "f": [["target_failed"]], "d": [...],
     "s": ["fees"], "t": [[...], ...], "q": ["When does ...?"]}

`m` and `t` have a list per metric and tag, whose entries are places in `v` and `s`; a word in `v` is the reason
of a null. What is too much is left out, and the page says so: the cases that weigh least first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from math import floor
from typing import Any

from msgspec import Struct, field

from ragmeter.reports import number
from ragmeter.reports._html_text import block, data
from ragmeter.reports._worst import failed, keys
from ragmeter.result import Result, Row

CASES = 200_000  # cases that a page holds at most
CHUNK = 2_000
DISTINCT = 4_096  # exact values counted per metric, before they are counted in steps
DETAILS = 16 << 20  # characters of details; cases that are as good as the best one have half of it
DETAILS_BLOCK = 1 << 19
LONG = 100_000  # characters of one text; the rest is left out, and said to be
SNIPPET = 140

Details = Callable[[str, bool], dict[str, Any] | None]


class Survey(Struct):
    """One walk over the rows: how many, which tags, how often each value; and which cases weigh most."""

    metrics: list[str]
    main: str = ""
    lowest: bool = True  # low values of `main` are the bad ones
    count: int = 0
    failed: int = 0
    tags: list[str] = field(default_factory=list)
    values: dict[str, Counter[float]] = field(default_factory=dict)

    @property
    def best(self) -> float | None:
        """The best value of the main metric."""
        known = self.values.get(self.main)
        return (max if self.lowest else min)(known) if known else None

    def cut(self, room: int) -> tuple[float, int] | None:
        """(value of the main metric, how many cases of it) up to which there is room; None when there are fewer."""
        room -= self.failed
        for value, count in sorted(self.values.get(self.main, {}).items(), reverse=not self.lowest):
            if count > room:
                return value, max(room, 0)
            room -= count
        return None


class Selection:
    """Which cases a page holds: all, or those that failed and the worst, until `room` is used up."""

    def __init__(self, seen: Survey, room: int):
        self.main, self.lowest = seen.main, seen.lowest
        self.all = seen.count <= room
        self.left = room
        self.cut: float | None = None
        self.spare = 0
        if not self.all and (found := seen.cut(room)) is not None:
            self.cut, self.spare = found

    def takes(self, row: Row) -> bool:
        """Whether this row, the next in order, is held."""
        taken = self.left > 0 and (self.all or failed(row) or self._bad(row.metrics.get(self.main)))
        self.left -= taken
        return taken

    def _bad(self, value: float | None) -> bool:
        if value is None or self.cut is None:
            return value is not None
        if value == self.cut or step(value) == self.cut:
            self.spare -= 1
            return self.spare >= 0
        return value < self.cut if self.lowest else value > self.cut


def survey(result: Result, rows: Iterable[Row]) -> Survey:
    """Count everything that the page draws."""
    metrics = list(dict.fromkeys(e.metric for e in result.estimates))
    first = keys(result)[:1]
    seen = Survey(metrics, *((first[0].metric, first[0].lowest) if first else ()))
    seen.values = {metric: Counter() for metric in metrics}
    stepped: set[str] = set()
    tags: dict[str, None] = {}
    for row in rows:
        seen.count += 1
        seen.failed += failed(row)
        if row.tags:
            tags.update(dict.fromkeys(row.tags))
        for metric, value in row.metrics.items():
            counted = seen.values.get(metric)
            if counted is None or value is None:
                continue
            counted[step(value) if metric in stepped else value] += 1
            if len(counted) > DISTINCT and metric not in stepped:
                stepped.add(metric)
                seen.values[metric] = _folded(counted)
    seen.tags = list(tags)
    return seen


def _folded(counted: Counter[float]) -> Counter[float]:
    folded: Counter[float] = Counter()
    for value, count in counted.items():
        folded[step(value)] += count
    return folded


def step(value: float) -> float:
    """A value rounded down to thousandths between 0 and 1, else to three digits."""
    return floor(value * 1000) / 1000 if 0 <= value <= 1 else float(f"{value:.3g}")


class Blocks:
    """The second walk. After it, `held` cases are in the page, `told` of them with details."""

    def __init__(self, result: Result, rows: Iterable[Row], seen: Survey):
        self.rows = rows
        self.seen = seen
        self.details: Details | None = getattr(rows, "details", None)
        self.held = 0
        self.told = 0
        self._spent = 0
        self._closed: set[int] = set()
        self._waiting: list[str] = []
        self._first = 0
        self._size = 0
        self._best = seen.best
        self._selection = Selection(seen, CASES)

    def __iter__(self) -> Iterator[str]:
        chunk = _Chunk(self.seen)
        for row in self.rows:
            if not self._selection.takes(row):
                continue
            room = DETAILS if failed(row) or row.metrics.get(self.seen.main) != self._best else DETAILS // 2
            brief = room in self._closed
            said = self.details(row.id, brief) if self.details is not None else None
            chunk.add(row, snippet(said))
            if said is not None and not brief:
                self._tell(said, room)
            self.held += 1
            if len(chunk.ids) == CHUNK:
                yield chunk.block()
                chunk = _Chunk(self.seen)
            if self._size > DETAILS_BLOCK:
                yield self._flush()
        if chunk.ids:
            yield chunk.block()
        if self._waiting:
            yield self._flush()

    def _tell(self, said: dict[str, Any], room: int) -> None:
        text = f'"{self.held}":{data(trimmed(said))}'
        if self._spent + len(text) > room:
            if len(text) < room // 16:  # not one long text, but the end of the room
                self._closed.add(room)
            return
        if not self._waiting:
            self._first = self.held
        self._waiting.append(text)
        self._spent += len(text)
        self._size += len(text)
        self.told += 1

    def _flush(self) -> str:
        inner = ",".join(self._waiting)
        text = f'<script type="application/json" class="details" data-first="{self._first}">{{{inner}}}</script>\n'
        self._waiting, self._size = [], 0
        return text

    def notices(self) -> list[str]:
        """What the page leaves out, a sentence each."""
        said = []
        if self.held < self.seen.count:
            cut = self._selection.cut
            upto = (
                f" (the worst by {self.seen.main}, up to {number(cut)}, and those that failed)"
                if cut is not None
                else ""
            )
            said.append(
                f"The table holds {self.held:,} of {self.seen.count:,} cases{upto}: a page has room for no more. "
                "All numbers and pictures above are about all cases."
            )
        if self.details is not None and self.told < self.held:
            said.append(
                f"Texts and rankings are here for {self.told:,} of {self.held:,} cases, those with a low score first."
            )
        return said


class _Chunk:
    """Up to 2,000 rows as columns."""

    def __init__(self, seen: Survey):
        self.ids: list[str] = []
        self.metrics: list[list[int]] = [[] for _ in seen.metrics]
        self.tags: list[list[int]] = [[] for _ in seen.tags]
        self.flags: list[int] = []
        self.snippets: list[str] = []
        self._seen = seen
        self._values: dict[Any, int] = {}
        self._words: dict[str, int] = {}
        self._sets: dict[tuple[str, ...], int] = {}

    def add(self, row: Row, snippet: str) -> None:
        why = row.nulls or {}
        self.ids.append(row.id)
        self.snippets.append(snippet)
        for metric, column in zip(self._seen.metrics, self.metrics, strict=True):
            value = row.metrics.get(metric)
            known = why.get(metric, "") if value is None else value
            column.append(self._values.setdefault(known, len(self._values)))
        for tag, column in zip(self._seen.tags, self.tags, strict=True):
            column.append(self._words.setdefault((row.tags or {}).get(tag, ""), len(self._words)))
        self.flags.append(self._sets.setdefault(tuple(row.diagnostics), len(self._sets)))

    def block(self) -> str:
        said: dict[str, Any] = {
            "id": self.ids,
            "v": list(self._values),
            "m": self.metrics,
            "f": list(self._sets),
            "d": self.flags,
            "s": list(self._words),
            "t": self.tags,
        }
        if any(self.snippets):
            said["q"] = self.snippets
        return block("rows", said)


def snippet(said: dict[str, Any] | None) -> str:
    """The beginning of the question, on one line."""
    question = ((said or {}).get("case") or {}).get("question") or ""
    text = " ".join(str(question)[: 4 * SNIPPET].split())
    return text if len(text) <= SNIPPET else f"{text[:SNIPPET]}…"


def trimmed(value: Any) -> Any:
    """The same with every text cut after 100,000 characters, and said to be."""
    if isinstance(value, str) and len(value) > LONG:
        return f"{value[:LONG]}… ({len(value) - LONG:,} more characters are not shown)"
    if isinstance(value, dict):
        return {key: trimmed(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [trimmed(one) for one in value]
    return value
