"""Two runs (or more) on the same cases: what differs, by how much, how surely, and in which cases.

Cases are joined by id; only those scored in both runs enter a difference. Every number is `new - base`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, ValidationError, json

from ragmeter.errors import InputError, Problem, UsageError
from ragmeter.records import Output, passage_ids
from ragmeter.result import Estimate, Result, Row, Verdict
from ragmeter.significance.corrections import holm, max_t
from ragmeter.significance.intervals import Interval, interval_for_mean
from ragmeter.significance.paired import mcnemar_exact, paired_t
from ragmeter.significance.pairs import DECIMALS, Finding, differences, tally
from ragmeter.significance.signflip import sign_flip
from ragmeter.store import Run, find_run, whole_lines
from ragmeter.sums import Histogram

ALPHA = 0.05
MOST_FLIPPED = 4_096  # distinct differences above which Student's t replaces the drawn sign flips
SHOWN = 10  # cases named per list
ALLOWABLE = ("different-data", "different-profile", "different-metrics")


class Source(Struct):
    """One run to compare: its rows by case id, and what else was kept. `result` is None for a bare scores.jsonl."""

    name: str
    rows: dict[str, Row]
    result: Result | None = None
    outputs: Path | None = None

    def higher_is_better(self, metric: str) -> bool:
        """The metric's direction; True where only scores were kept."""
        found = self.result.find(metric) if self.result is not None else None
        return found is None or found.higher_is_better


class Delta(Struct, frozen=True):
    """One metric in one slice. `n` paired cases in `clusters` clusters (equal when nobody shares one).

    `verdict`: 'better', 'worse', 'same' (nothing differs, or the interval lies within the tolerance), 'unclear'.
    Numbers are None with a `reason` where nothing could be compared ('no_pairs', 'not_a_mean').
    """

    metric: str
    slice: str
    n: int
    clusters: int
    base: float | None = None
    new: float | None = None
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    interval: str = "none"
    test: str = ""
    p: float | None = None
    p_holm: float | None = None
    wins: int = 0
    ties: int = 0
    losses: int = 0
    higher_is_better: bool = True
    verdict: str = "unclear"
    reason: str = ""


class Moved(Struct, frozen=True):
    """Passages of one case: which came in, which left, which changed rank (id, rank before, rank now)."""

    entered: tuple[str, ...]
    left: tuple[str, ...]
    moved: tuple[tuple[str, int, int], ...]


class Regression(Struct, frozen=True):
    """A case that scores worse, with what both runs answered and ranked where that was kept."""

    case: str
    metric: str
    base: float
    new: float
    answer_base: str | None = None
    answer_new: str | None = None
    ranking_base: tuple[str, ...] | None = None
    ranking_new: tuple[str, ...] | None = None
    passages: Moved | None = None


class Change(Struct, frozen=True):
    """So many cases went from one word to another: a null's reason, a class. `cases` names the first ten."""

    field: str
    base: str
    new: str
    count: int
    cases: tuple[str, ...]


class Comparison(Struct, frozen=True):
    """Everything that is said of two runs; reports draw it and decide nothing."""

    base: str
    new: str
    n: int
    tolerance: float
    deltas: tuple[Delta, ...]
    regressions: tuple[Regression, ...]
    nulls: tuple[Change, ...]
    classes: tuple[Change, ...]
    only_base: tuple[str, ...]
    only_new: tuple[str, ...]
    allowed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    verdict: Verdict | None = None


class Standing(Struct, frozen=True):
    """One run in a league: its mean, and the letters of the groups it cannot be told apart from."""

    run: str
    mean: float
    groups: str


class League(Struct, frozen=True):
    """All runs on one metric, best first, over the `n` cases scored in each of them."""

    metric: str
    n: int
    standings: tuple[Standing, ...]


def open_source(name: str, state: Path) -> Source:
    """A run by name or folder, a JSON report, or a scores.jsonl. UsageError or InputError when it is none."""
    path = Path(name)
    if path.is_file() and path.name == "scores.jsonl" and (path.parent / "result.json").is_file():
        path = path.parent
    if path.is_file() and (path.name == "result.json") and (path.parent / "manifest.json").is_file():
        path = path.parent
    if path.is_file():
        return _of_file(path, name)
    run = find_run(state, str(path))
    result = run.result()
    return Source(run.folder.name, _by_id(run.rows(), name), result, _outputs(run))


def _outputs(run: Run) -> Path | None:
    return run.outputs_path if run.outputs_path.exists() else None


class _Written(Struct):
    """A JSON report, as far as a comparison needs it."""

    cases: list[Row]
    estimates: list[Estimate]
    ragmeter: dict[str, Any]


def _of_file(path: Path, name: str) -> Source:
    data = path.read_bytes()
    first = data[: data.find(b"\n")].strip()
    if first == b"{":
        try:
            written = json.decode(data, type=_Written)
        except (DecodeError, ValidationError, RecursionError) as why:
            raise InputError(
                f"{path}: expected a JSON report (--format json={path}) or a scores.jsonl: {why}"
            ) from None
        result = Result(len(written.cases), None, tuple(written.estimates), {}, written.ragmeter)
        if len(written.cases) == 0 and written.estimates:
            raise InputError(f"{path}: holds no case rows to pair (a TREC run has them with --per-query)")
        return Source(name, _by_id(written.cases, name), result)
    decode, rows = json.Decoder(Row).decode, []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if line.strip():
            try:
                rows.append(decode(line))
            except (DecodeError, ValidationError, RecursionError) as why:
                raise InputError("", [Problem(str(path), number, f"not a row of scores: {why}")]) from None
    if not rows:
        raise InputError(f"{path}: holds no rows; expected a run folder, a JSON report or a scores.jsonl")
    return Source(name, _by_id(rows, name))


def _by_id(rows: Iterable[Row], name: str) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for row in rows:
        if row.id in found:
            raise InputError(f"{name}: case '{row.id}' occurs twice; a comparison needs one row a case and one run")
        found[row.id] = row
    return found


def refuse(base: Source, new: Source, allowed: Sequence[str] = ()) -> tuple[str, ...]:
    """UsageError with the reason when the two were not measured on the same data in the same way.

    `allowed` holds words of ALLOWABLE; what they let pass is answered as notes.
    """
    faults = [(word, said) for word, said in _differing(base, new) if said]
    barred = [f"{said} (--allow {word} compares all the same)" for word, said in faults if word not in allowed]
    if barred:
        raise UsageError("\n".join(f"{base.name} and {new.name} cannot be compared: {said}" for said in barred))
    if base.result is None or new.result is None:
        bare = " and ".join(s.name for s in (base, new) if s.result is None)
        return (*(said for _, said in faults), f"{bare}: only scores, so data, profile and direction are unchecked")
    return tuple(said for _, said in faults)


def _differing(base: Source, new: Source) -> Iterable[tuple[str, str]]:
    if not base.rows.keys() & new.rows.keys():
        raise UsageError(f"{base.name} and {new.name} cannot be compared: they have no case in common")
    if base.result is None or new.result is None:
        return
    a, b = base.result.provenance, new.result.provenance
    if (one := _data(a)) and (two := _data(b)) and one != two:
        yield "different-data", f"the cases or judgments differ ({_words(one)} against {_words(two)})"
    for key in ("profile", "conventions"):
        if a.get(key) != b.get(key):
            said = f"{a.get(key)} against {b.get(key)}" if key == "profile" else _changed(a.get(key), b.get(key))
            yield "different-profile", f"{key} differs: {said}"
    if a.get("thresholds") != b.get("thresholds"):
        yield "different-metrics", f"thresholds differ: {_changed(a.get('thresholds'), b.get('thresholds'))}"
    named = {e.metric: e.definition for e in base.result.estimates}
    for metric, definition in {e.metric: e.definition for e in new.result.estimates}.items():
        if named.get(metric, definition) != definition:
            yield "different-metrics", f"'{metric}' is {named[metric]} in one and {definition} in the other"


def _data(provenance: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The hashes of what both must share: cases and qrels. Files that hold a system's answers too say nothing."""
    shared = ("cases", "samples", "trec_qrels", "beir")
    inputs = provenance.get("inputs", [])
    return sorted((one.get("format", ""), one["sha256"]) for one in inputs
                  if one.get("format") in shared and "sha256" in one)  # fmt: skip


def _words(data: list[tuple[str, str]]) -> str:
    return ", ".join(f"{format} {hash[:12]}" for format, hash in data)


def _changed(a: Any, b: Any) -> str:
    one, two = (x if isinstance(x, dict) else {} for x in (a, b))
    keys = [key for key in {**one, **two} if one.get(key) != two.get(key)]
    return "; ".join(f"{key} {one.get(key)!r} against {two.get(key)!r}" for key in keys)


def compare(
    base: Source,
    new: Source,
    *,
    tolerance: float = 0.0,
    seed: int = 0,
    alpha: float = ALPHA,
    metrics: Sequence[str] = (),
    allowed: Sequence[str] = (),
) -> Comparison:
    """All metrics of both runs, in all slices. `tolerance` is the difference that nobody would notice.

    p values are adjusted by Holm over the metrics of the whole, and over all metrics of all slices together.
    """
    notes = refuse(base, new, allowed)
    if tolerance < 0:
        raise UsageError("the tolerance is 0 or more")
    both = [(row, new.rows[id]) for id, row in base.rows.items() if id in new.rows]
    shared = common_metrics(base, new)
    if unknown := [metric for metric in metrics if metric not in shared]:
        raise UsageError(f"'{unknown[0]}' is not in both runs; they share {', '.join(shared) or 'no metric'}")
    groups = slices(both)
    deltas: list[Delta] = []
    for family in ([""], [name for name in groups if name]):
        found = [
            delta(base, new, groups[name], metric, name, tolerance=tolerance, seed=seed)
            for name in family
            for metric in metrics or shared
        ]
        adjusted = holm([one.p for one in found])
        deltas += [_judged(one, p, tolerance, alpha) for one, p in zip(found, adjusted, strict=True)]
    return Comparison(
        base=base.name,
        new=new.name,
        n=len(both),
        tolerance=tolerance,
        deltas=tuple(deltas),
        regressions=tuple(worst_regressions(base, new, both, metrics or shared, tolerance)),
        nulls=tuple(_null_changes(both, metrics or shared)),
        classes=tuple(_class_changes(both)),
        only_base=tuple(id for id in base.rows if id not in new.rows),
        only_new=tuple(id for id in new.rows if id not in base.rows),
        allowed=tuple(allowed),
        notes=notes,
    )


def common_metrics(*sources: Source) -> list[str]:
    """The metrics that every run has, in the order of the first."""
    held = [dict.fromkeys(metric for row in s.rows.values() for metric in row.metrics) for s in sources]
    return [metric for metric in held[0] if all(metric in names for names in held)]


def slices(both: Sequence[tuple[Row, Row]]) -> dict[str, list[tuple[Row, Row]]]:
    """The pairs of every slice: '' has all, 'tag=value' those in which a row says so and the other not otherwise."""
    groups: dict[str, list[tuple[Row, Row]]] = {"": list(both)}
    for a, b in both:
        if a.tags or b.tags:
            before, after = a.tags or {}, b.tags or {}
            for tag, value in {**before, **after}.items():
                if before.get(tag, value) == value:
                    groups.setdefault(f"{tag}={value}", []).append((a, b))
    return groups


def delta(
    base: Source,
    new: Source,
    both: Sequence[tuple[Row, Row]],
    metric: str,
    slice: str = "",
    *,
    tolerance: float = 0.0,
    seed: int = 0,
    borne: float = 0.0,
) -> Delta:
    """One metric over those pairs of rows: the difference of means, its interval and the paired test.

    With `borne` the test asks whether the loss is larger than that, by a sign flip of the differences so shifted.
    """
    higher = new.higher_is_better(metric)
    scored = [
        (x, y, b.cluster or a.cluster)
        for a, b in both
        if (x := a.metrics.get(metric)) is not None and (y := b.metrics.get(metric)) is not None
    ]
    n = len(scored)
    if not n:
        return Delta(metric, slice, 0, 0, reason="no_pairs", higher_is_better=higher)
    if not all(_is_mean(s, metric) for s in (base, new)):
        return Delta(metric, slice, n, n, reason="not_a_mean", higher_is_better=higher)
    pairs = Counter((x, y) for x, y, _ in scored)
    d = differences(pairs)
    sums = clustered(scored)
    key = f"{metric}|{slice}"
    test = _test(pairs, d, sums, seed, key, borne if higher else -borne)
    reach = _interval(d, sums, seed, key)
    wins, ties, losses = tally(d, tolerance)
    wins, losses = (wins, losses) if higher else (losses, wins)
    return Delta(
        metric,
        slice,
        n,
        n if sums is None else len(sums),
        fsum(x for x, _, _ in scored) / n,
        fsum(y for _, y, _ in scored) / n,
        fsum(size * count for size, count in d.items()) / n,
        reach.low,
        reach.high,
        reach.kind,
        test.test,
        test.p,
        None,
        wins,
        ties,
        losses,
        higher,
    )


def clustered(scored: Sequence[tuple[float, float, str | None]]) -> list[tuple[float, int]] | None:
    """[(sum of differences, cases)] a cluster, a case without one standing alone; None when nobody shares one."""
    sums: dict[Any, list[float]] = {}
    for place, (x, y, cluster) in enumerate(scored):
        sums.setdefault(place if cluster is None else cluster, []).append(round(y - x, DECIMALS))
    return [(fsum(values), len(values)) for values in sums.values()] if len(sums) < len(scored) else None


def _test(
    pairs: Mapping[tuple[float, float], int],
    d: Mapping[float, int],
    sums: list[tuple[float, int]] | None,
    seed: int,
    key: str,
    shift: float = 0.0,
) -> Finding:
    """McNemar for 0 and 1, else the sign flip (whole clusters are flipped); t where the sizes are too many."""
    if sums is not None:
        d = Counter(round(total + shift * size, DECIMALS) for total, size in sums)
        d = dict(sorted(d.items()))
    elif shift:
        d = {round(size + shift, DECIMALS): count for size, count in d.items()}
    elif all(x in (0, 1) and y in (0, 1) for x, y in pairs):
        return mcnemar_exact(d.get(-1.0, 0), d.get(1.0, 0))
    if len(d) > MOST_FLIPPED:
        return paired_t(d)
    found = sign_flip(d, seed=seed, key=key)
    return found._replace(test=f"cluster_{found.test}") if sums is not None else found


def _interval(d: Mapping[float, int], sums: list[tuple[float, int]] | None, seed: int, key: str) -> Interval:
    histogram = Histogram()
    for size, count in d.items():
        histogram.add(size, 1, count)
    return interval_for_mean(histogram, seed=seed, key=key, clusters=sums)


def _is_mean(source: Source, metric: str) -> bool:
    """Whether the run's number is the mean of its rows; a micro or geometric mean has no difference per case."""
    found = source.result.find(metric) if source.result is not None else None
    if found is None or found.value is None:
        return True
    values = [value for row in source.rows.values() if (value := row.metrics.get(metric)) is not None]
    return bool(values) and abs(fsum(values) / len(values) - found.value) <= 1e-9 * max(1.0, abs(found.value))


def _judged(one: Delta, p: float | None, tolerance: float, alpha: float) -> Delta:
    from msgspec.structs import replace

    if one.effect is None:
        return one
    word = "unclear"
    if p is not None and p <= alpha and abs(one.effect) > tolerance:
        word = "better" if (one.effect > 0) == one.higher_is_better else "worse"
    elif (one.wins == one.losses == 0 and one.effect == 0) or (
        one.low is not None and one.high is not None and -tolerance <= one.low and one.high <= tolerance
    ):
        word = "same"
    return replace(one, p_holm=p, verdict=word)


def worst_regressions(
    base: Source, new: Source, both: Sequence[tuple[Row, Row]], metrics: Sequence[str], tolerance: float
) -> Iterable[Regression]:
    """The ten largest losses of every metric, the largest first, with both answers and rankings if kept."""
    from heapq import nsmallest

    found: list[tuple[str, str, float, float]] = []
    for metric in metrics:
        sign = 1 if new.higher_is_better(metric) else -1
        losses = [
            (sign * (y - x), a.id, x, y)
            for a, b in both
            if (x := a.metrics.get(metric)) is not None
            and (y := b.metrics.get(metric)) is not None
            and sign * (y - x) < -tolerance - 1e-12
        ]
        found += [(metric, id, x, y) for _, id, x, y in nsmallest(SHOWN, losses)]
    wanted = {id for _, id, _, _ in found}
    before, after = (_kept(source.outputs, wanted) for source in (base, new))
    for metric, id, x, y in found:
        yield _regression(metric, id, x, y, before.get(id), after.get(id))


def _kept(path: Path | None, wanted: set[str]) -> dict[str, Output]:
    if path is None or not wanted:
        return {}
    decode, found = json.Decoder(Output).decode, {}
    for number, line in whole_lines(path):
        try:
            output = decode(line)
        except (DecodeError, ValidationError, RecursionError) as why:
            raise InputError("", [Problem(str(path), number, f"not an output: {why}")]) from None
        if output.case in wanted:
            found[output.case] = output
    return found


def _regression(metric: str, id: str, x: float, y: float, before: Output | None, after: Output | None) -> Regression:
    one, two = (tuple(passage_ids(o.retrieved)) if o and o.retrieved is not None else None for o in (before, after))
    return Regression(
        id,
        metric,
        x,
        y,
        before.answer if before else None,
        after.answer if after else None,
        one,
        two,
        None if one is None or two is None else moved(one, two),
    )


def moved(base: Sequence[str], new: Sequence[str]) -> Moved:
    """What happened to the passages; a repeated one counts at its first rank."""
    before, after = ({id: rank for rank, id in reversed([*enumerate(ids, 1)])} for ids in (base, new))
    return Moved(
        tuple(id for id in dict.fromkeys(new) if id not in before),
        tuple(id for id in dict.fromkeys(base) if id not in after),
        tuple((id, before[id], after[id]) for id in dict.fromkeys(new) if before.get(id, after[id]) != after[id]),
    )


def _null_changes(both: Sequence[tuple[Row, Row]], metrics: Sequence[str]) -> Iterable[Change]:
    def word(row: Row, metric: str) -> str:
        return "scored" if row.metrics.get(metric) is not None else (row.nulls or {}).get(metric, "null")

    return _changes((metric, word(a, metric), word(b, metric), a.id) for a, b in both for metric in metrics)


def _class_changes(both: Sequence[tuple[Row, Row]]) -> Iterable[Change]:
    def words(row: Row) -> dict[str, str]:
        return {name: str(value) for name, value in {**(row.extra or {}), **(row.tags or {})}.items()
                if isinstance(value, str | bool)}  # fmt: skip

    return _changes(
        (name, one.get(name, "absent"), two.get(name, "absent"), a.id)
        for a, b in both
        if (a.extra or a.tags) and (b.extra or b.tags)  # a run that keeps no classes has not changed them
        for one, two in [(words(a), words(b))]
        for name in {**one, **two}
    )


def _changes(seen: Iterable[tuple[str, str, str, str]]) -> Iterable[Change]:
    ids: dict[tuple[str, str, str], list[str]] = {}
    for field, before, after, id in seen:
        if before != after:
            ids.setdefault((field, before, after), []).append(id)
    for (field, before, after), cases in sorted(ids.items(), key=lambda item: (item[0][0], -len(item[1]), item[0])):
        yield Change(field, before, after, len(cases), tuple(cases[:SHOWN]))


def league(sources: Sequence[Source], *, seed: int = 0, alpha: float = ALPHA, metrics: Sequence[str] = (), allowed: Sequence[str] = ()) -> list[League]:  # fmt: skip
    """Every metric's table of runs, best first. Runs that share a letter cannot be told apart (max-t at alpha)."""
    for other in sources[1:]:
        refuse(sources[0], other, allowed)
    tables = []
    for metric in metrics or common_metrics(*sources):
        rows = [[s.rows[id].metrics.get(metric) if id in s.rows else None for s in sources] for id in sources[0].rows]
        clusters = [row.cluster for row in sources[0].rows.values()]
        kept = [(row, c) for row, c in zip(rows, clusters, strict=True) if None not in row]
        if kept and all(_is_mean(s, metric) for s in sources):
            tables.append(_table(metric, kept, sources, seed, alpha))
    return tables


def _table(metric: str, kept: list[Any], sources: Sequence[Source], seed: int, alpha: float) -> League:
    n = len(kept)
    means = [fsum(row[place] for row, _ in kept) / n for place in range(len(sources))]
    blocks: dict[Any, list[list[float]]] = {}
    for place, (row, cluster) in enumerate(kept):
        blocks.setdefault(place if cluster is None else cluster, []).append(row)
    sums = [[fsum(column) for column in zip(*rows, strict=True)] for rows in blocks.values()]
    draws = max(1_000, min(10_000, 50_000_000 // (len(sums) * len(sources))))
    p = max_t(sums, seed=seed, key=metric, draws=draws)
    sign = -1 if sources[0].higher_is_better(metric) else 1
    order = sorted(range(len(sources)), key=lambda place: (sign * means[place], place))
    letters = groups(order, lambda i, j: p[min(i, j), max(i, j)] > alpha)
    return League(metric, n, tuple(Standing(sources[i].name, means[i], letters[i]) for i in order))


def groups(order: Sequence[int], alike: Any) -> dict[int, str]:
    """Letters for the longest stretches of the order in which no two differ significantly."""
    stretches: list[tuple[int, int]] = []
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and all(alike(order[end], order[k]) for k in range(start, end)):
            end += 1
        if not stretches or end > stretches[-1][1]:
            stretches.append((start, end))
    letters = dict.fromkeys(order, "")
    for number, (start, end) in enumerate(stretches):
        for place in order[start:end]:
            letters[place] += chr(ord("a") + number) if number < 26 else f"({number + 1})"
    return letters
