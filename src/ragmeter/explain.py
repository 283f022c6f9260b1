"""How a number comes about: the page of a metric under a profile, and every term of one case.

Both answer with lines of text. Values stand with all their digits here; rounding is for reports.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragmeter.diagnostics import flags
from ragmeter.facts import Facts, facts
from ragmeter.meanings import FLAG, REASON, reason
from ragmeter.metrics import Measure, Metric, measure
from ragmeter.profiles import PROFILES, Profile
from ragmeter.records import Case, Judgment, Output, passage_ids
from ragmeter.reports import inline
from ragmeter.result import Row

Judged = Mapping[str, Mapping[str, Judgment]]
LISTED = 100  # retrieved passages listed whether or not something is known about them
SAME = 1e-12  # how far a recorded value may lie from the one computed now
LONG = 400  # characters of a question or an answer


def explain_metric(spec: str, profile: Profile | None = None, k: int | None = None) -> Iterator[str]:
    """The page of a metric, what it declares, and what one profile (else each of them) makes of it.

    UsageError for a metric, convention or cutoff that does not exist.
    """
    spec = canonical(spec)
    chosen = measure(spec, profile or PROFILES["standard"], k)
    metric = chosen.metric
    page = page_of(metric)
    yield from page.split("\n")
    yield ""
    yield from _declared(metric)
    yield ""
    if profile is not None:
        yield from _in_profile(spec, profile, k, page)
        return
    yield "Profiles (--profile NAME says more):"
    for name, one in PROFILES.items():
        here = measure(spec, one, k)
        counted = _counted(here, page)
        yield f"  {name:<9} {_named(here)}" + (f"; {counted}" if counted else "")


def canonical(spec: str) -> str:
    """A spec with the metric's own name for one that only some profile knows: 'P@5' -> 'precision@5'."""
    name = re.split("[:@]", spec, maxsplit=1)[0]
    known = (one.names[name] for one in PROFILES.values() if name in one.names)
    return next(known, name) + spec[len(name) :]


def page_of(metric: Metric) -> str:
    """The docstring of the file that the metric stands in."""
    module = sys.modules.get(metric.score.__module__)
    return (getattr(module, "__doc__", None) or metric.score.__doc__ or "no description").strip()


def formula(metric: Metric) -> list[str]:
    """The indented lines of the metric's page: its formula."""
    return [line.strip() for line in page_of(metric).split("\n") if re.match(r" {4}\S", line)]


def _declared(metric: Metric) -> Iterator[str]:
    said = (metric.score.__doc__ or "").strip().split("\n")[0].removeprefix("The definition: ")
    if said:
        yield f"One case:    {said[0].upper()}{said[1:]}"
    yield f"All cases:   {_aggregate(metric)}"
    if metric.proportion:
        yield "Range:       0 or 1 for each case"
    yield f"Better:      {'higher' if metric.higher_is_better else 'lower'}"
    yield f"Needs:       {', '.join(metric.needs) or 'nothing'}"
    if metric.judge:
        yield f"Judge:       {metric.judge}"
    yield f"Options:     {_settings(metric.defaults) or 'none'}"
    for name, options in metric.conventions.items():
        yield f"  :{name} is {_settings(options)}"


def _aggregate(metric: Metric) -> str:
    if metric.finish is not None:
        return "computed from all scored cases at once"
    return f"the {metric.aggregate} over the cases that have a score"


def _settings(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_value(value)}" for name, value in options.items())


def _value(value: Any) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value).lower()


def _named(one: Measure) -> str:
    return one.label if one.label == one.definition else f"{one.label} = {one.definition}"


def _counted(one: Measure, page: str) -> str:
    """The reasons that this metric can give and this profile counts as a number."""
    given = [word for word in one.empty if word in re.findall(r"`(\w+)`", page)]
    return ", ".join(f"{word} counts as {one.empty[word]:g}" for word in given)


def _in_profile(spec: str, profile: Profile, k: int | None, page: str) -> Iterator[str]:
    one = measure(spec, profile, k)
    yield f"Profile {profile.name}: {profile.about}"
    yield f"  shown as     {one.label}"
    yield f"  in full      {one.definition}"
    yield f"  options      {_settings(one.options) or 'none'}"
    usual = {measure(name, profile).definition for name in profile.metrics if _known(name, profile)}
    yield f"  by default   {'measured' if one.definition in usual else 'not measured; ask with -m'}"
    for word in dict.fromkeys(re.findall(r"`(\w+)`", page)):
        if word in REASON:
            what = f"counts as {one.empty[word]:g}" if word in one.empty else "left out, and counted beside the value"
            yield f"  {word}: {what} ({REASON[word]})"


def _known(spec: str, profile: Profile) -> bool:
    from ragmeter.registry import names

    name = profile.names.get(spec, spec).partition("@")[0].partition(":")[0]
    return profile.names.get(name, name) in names("metric")


def explain_case(
    case: Case,
    output: Output,
    measures: Sequence[Measure],
    profile: Profile,
    *,
    level: int = 1,
    judged: Judged | None = None,
    row: Row | None = None,
) -> Iterator[str]:
    """Every term of one case: what is relevant, retrieved, cited and judged, then each metric's numbers.

    `row` is what a finished run recorded for the case: a value that differs from it is pointed out.
    """
    known = facts(case, output, judged, level=level)
    yield from _case(case)
    yield from _output(output)
    yield from _relevant(case, output, level)
    yield from _retrieved(case, output, level)
    yield from _cited(case, output, level)
    yield from _judgments(judged or {})
    yield from _integers(known)
    yield ""
    found = flags(known)
    yield "Diagnostics: none" if not found else "Diagnostics:"
    for flag in found:
        yield f"  {flag}" + (f": {FLAG[flag]}" if flag in FLAG else "")
    yield ""
    yield f"Metrics (profile {profile.name}, relevant is grade >= {level}):"
    for one in measures:
        yield from _measured(one, known, profile, row)


def _case(case: Case) -> Iterator[str]:
    yield f"Case {inline(case.id)}"
    said = {
        "question": case.question,
        "category": case.category,
        "tags": ", ".join(f"{name}={value}" for name, value in (case.tags or {}).items()),
        "cluster": case.cluster,
        "answerable": {True: "yes", False: "no"}.get(case.answerable) if case.answerable is not None else None,
    }
    many = {
        "expected answer": case.references,
        "wrong answer": case.bad_answers,
        "expected words": case.expected,
    }
    for name, value in said.items():
        if value:
            yield f"  {name}: {_short(value)}"
    for name, values in many.items():
        for value in values:
            yield f"  {name}: {_short(value)}"
    for point in case.points:
        yield f"  point ({point.importance}): {_short(point.text)}"


def _output(output: Output) -> Iterator[str]:
    if output.error is not None:
        yield f"  failed: {_short(output.error)}"
    if output.answer is not None:
        yield f"  answer: {_short(output.answer) or '(empty)'}"


def _relevant(case: Case, output: Output, level: int) -> Iterator[str]:
    """What is judged, best first, and what became of it."""
    yield ""
    if case.qrels is None:
        yield "Relevance: not recorded"
        return
    ranks = _ranks(output)
    cited = set(output.cited or ())
    relevant = sum(grade >= level for grade in case.qrels.values())
    yield f"Judged passages: {len(case.qrels)}, relevant: {relevant}"
    for id, grade in sorted(case.qrels.items(), key=lambda item: -item[1]):
        marks = ["relevant" if grade >= level else "not relevant"]
        marks.append(f"rank {ranks[id]}" if id in ranks else "not retrieved")
        marks += ["cited"] if id in cited else []
        yield f"  grade {grade}  {inline(id)}  ({', '.join(marks)})"


def _retrieved(case: Case, output: Output, level: int) -> Iterator[str]:
    """The list as it came back; ranks count distinct passages."""
    yield ""
    if output.retrieved is None:
        yield "Retrieved: not recorded"
        return
    ids = passage_ids(output.retrieved)
    ranks = _ranks(output)
    order = "" if output.ranked else ", in no order"
    yield f"Retrieved: {len(ids)}, distinct: {len(ranks)}{order}"
    met: set[str] = set()
    hidden = 0
    for place, passage in enumerate(output.retrieved):
        id = ids[place]
        marks = _marks(id, case, output, level)
        if place >= LISTED and not marks and id not in met:
            hidden += 1
        else:
            score = getattr(passage, "score", None)
            rank, marks = ("-", [f"repeats rank {ranks[id]}"]) if id in met else (str(ranks[id]), marks)
            marks += [f"score {score!r}"] if score is not None else []
            yield f"{rank:>5}  {inline(id)}{_list(marks)}"
        met.add(id)
    if hidden:
        yield f"       ... and {hidden} more after rank {LISTED}, neither judged nor cited"


def _marks(id: str, case: Case, output: Output, level: int) -> list[str]:
    marks = []
    if case.qrels is not None and id in case.qrels:
        grade = case.qrels[id]
        marks.append(f"grade {grade}, {'relevant' if grade >= level else 'not relevant'}")
    return marks + (["cited"] if id in (output.cited or ()) else [])


def _cited(case: Case, output: Output, level: int) -> Iterator[str]:
    yield ""
    if output.cited is None:
        yield "Cited: not recorded"
        return
    ranks = _ranks(output)
    unique = dict.fromkeys(output.cited)
    yield f"Cited: {len(output.cited)}, distinct: {len(unique)}"
    for id in unique:
        grade = (case.qrels or {}).get(id)
        said = "not judged" if grade is None else "relevant" if grade >= level else "not relevant"
        yield f"  {inline(id)}" + _list([f"rank {ranks[id]}" if id in ranks else "not retrieved", said])
    for mark in output.citations or ():
        where = f" in sentence {mark.sentence + 1}" if mark.sentence is not None else ""
        yield f"  marker {inline(mark.marker)}{where}: {inline(mark.passage) if mark.passage else 'dangling'}"


def _judgments(judged: Judged) -> Iterator[str]:
    if not judged:
        return
    yield ""
    yield "Judgments:"
    for kind, subjects in judged.items():
        for subject, said in subjects.items():
            yield f"  {inline(f'{kind} {subject}'.strip())}: {_judgment(said)}" + (
                f" (judge {inline(said.judge)})" if said.judge else ""
            )
            if said.rationale:
                yield f"    {_short(said.rationale)}"


def _judgment(said: Judgment) -> str:
    if said.error is not None:
        return f"failed: {_short(said.error)}"
    if said.value is not None:
        return repr(said.value)
    if said.den:
        return f"{_number(said.num or 0)} / {_number(said.den)}"
    return inline(said.label or "no value")


def _integers(known: Facts) -> Iterator[str]:
    """The integers that id metrics read."""
    hits = ", ".join(map(str, known.hit_ranks)) or "none"
    ideal = ", ".join(f"{count} of grade {grade}" for grade, count in known.ideal) or "none"
    yield ""
    yield "Numbers that id metrics read:"
    yield f"  relevant {known.relevant}, judged not relevant {known.nonrelevant}, graded above 0: {ideal}"
    yield f"  retrieved {known.retrieved}, repeats {known.repeated}, relevant at ranks: {hits}"
    cited = f"relevant {known.cited_relevant}, retrieved {known.cited_retrieved}, both {known.cited_hits}"
    yield f"  cited {known.cited}; of these {cited}"


def _measured(one: Measure, known: Facts, profile: Profile, row: Row | None) -> Iterator[str]:
    """One metric on this case: formula, terms, value or the reason why there is none."""
    yield ""
    yield f"  {_named(one)}"
    for line in formula(one.metric):
        yield f"    {line}"
    final = one.score(known)
    if final.reason:
        yield f"    null: {reason(final.reason)}; left out, and counted beside the value"
    else:
        raw = _raw(one, known)
        if raw:
            yield f"    {raw} counts as {_number(final.num)} in profile {profile.name}"
        elif isinstance(final.num, int) and isinstance(final.den, int):
            yield f"    {_number(final.num)} / {_number(final.den)} = {_number(final.num / final.den)}"
        else:
            yield f"    = {_number(final.num)}"
    yield from _recorded(one, final.value, row)


def _raw(one: Measure, known: Facts) -> str:
    """The reason that the profile turned into a number, if it did."""
    word = one.metric.score(known, **one.options).reason
    return reason(word) if word else ""


def _recorded(one: Measure, value: float | None, row: Row | None) -> Iterator[str]:
    if row is None or one.label not in row.metrics:
        return
    kept = row.metrics[one.label]
    same = kept is None and value is None or (kept is not None and value is not None and abs(kept - value) <= 1e-12)
    if not same:
        why = (row.nulls or {}).get(one.label, "")
        yield f"    the run recorded {f'null: {reason(why)}' if kept is None else _number(kept)}"


def _ranks(output: Output) -> dict[str, int]:
    return {id: rank for rank, id in enumerate(dict.fromkeys(passage_ids(output.retrieved)), 1)}


def _number(value: float) -> str:
    """All digits; a whole number without a decimal point."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _list(marks: Sequence[str]) -> str:
    return f"  ({', '.join(marks)})" if marks else ""


def _short(text: str) -> str:
    said = inline(text.strip())
    return said if len(said) <= LONG else f"{said[:LONG]}... ({len(said)} characters)"
