"""JUnit XML: one test case per gate, and one that says whether everything could be measured.

    <testsuites> one <testsuite> with
      <properties>  profile, conventions, version, seed, inputs
      <testcase>    'every case was measured': an <error> when more cases failed than are borne
      <testcase>    per gate: <failure> with the message and the worst cases; an inconclusive gate is a
                    <failure type="INCONCLUSIVE">, or <skipped> where the run was told to let it pass
      <system-out>  every estimate, a line each

Without gates the measurement is the only test case: a number nobody held against a threshold cannot fail, and
a suite of none is an error to many readers. There are no times: the same result gives the same bytes.
Characters that XML 1.0 cannot hold are written as \\x.. or \\u.... .
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ragmeter.reports import (
    Report,
    apart,
    conventions,
    failures,
    headline,
    inline,
    input_names,
    interval,
    nulls,
    number,
    visible,
)
from ragmeter.reports._worst import Key, Sought, Worst, key_of, reasons, worst
from ragmeter.result import Outcome, Result, Row, Verdict

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

ILLEGAL = re.compile("[\ud800-\udfff\ufffe\uffff]")  # `visible` takes care of the control characters
LISTED = 10  # worst cases named in a failure
COUNTS = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}


def render(result: Result, rows: Iterable[Row]) -> Iterator[str]:
    """The whole document; its declaration says UTF-8."""
    from xml.etree import ElementTree

    verdict = result.verdict or Verdict()
    sought = worst(result, rows, limit=LISTED)
    lists = {Key(one.metric, one.slice, one.lowest): one for one in sought.lists}
    name = _legal(result.title or "ragmeter")
    suite = ElementTree.Element("testsuite", name=name)
    _properties(suite, result)
    suite.append(_measurement(result, sought))
    for outcome in verdict.outcomes:
        suite.append(_gate(outcome, verdict, lists.get(key_of(outcome, result))))
    ElementTree.SubElement(suite, "system-out").text = _legal(_summary(result))
    whole = ElementTree.Element("testsuites", name=name)
    for element in (suite, whole):
        for key, tag in COUNTS.items():
            element.set(key, str(sum(1 for _ in suite.iter(tag))))
    whole.append(suite)
    ElementTree.indent(whole)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield ElementTree.tostring(whole, encoding="unicode") + "\n"


def _properties(suite: Element, result: Result) -> None:
    from xml.etree.ElementTree import SubElement

    properties = SubElement(suite, "properties")
    said = [(f"convention.{name}" if name in result.provenance.get("conventions", {}) else name, value)
            for name, value in conventions(result)]  # fmt: skip
    said += [("cases", str(result.case_count))]
    said += [(f"input.{place}", name) for place, name in enumerate(input_names(result), 1)]
    for name, value in said:
        SubElement(properties, "property", name=_legal(name), value=_legal(value))


def _measurement(result: Result, sought: Sought) -> Element:
    """Whether everything was measured; `max_errors` in the provenance says how many failures are borne."""
    from xml.etree.ElementTree import Element, SubElement

    case = Element("testcase", classname="ragmeter.measurement", name="every case was measured")
    count = failures(result)
    if count > result.provenance.get("max_errors", 0):
        lines = [f"measured incompletely: {count} of {result.case_count} cases failed"]
        lines += [f"  {inline(row.id)}: {reasons(row)}" for row in sought.failed]
        more = sought.failed_count - len(sought.failed)
        lines += [f"  ... and {more} more"] if more else []
        SubElement(case, "error", message=lines[0], type="INCOMPLETE").text = _legal("\n".join(lines))
    return case


def _gate(outcome: Outcome, verdict: Verdict, cases: Worst | None) -> Element:
    from xml.etree.ElementTree import Element, SubElement

    case = Element("testcase", classname="ragmeter.gates", name=_legal(outcome.gate))
    if outcome.outcome == "PASS":
        return case
    value = f"{outcome.metric or outcome.gate} is {apart(outcome.value, outcome.threshold)}"
    message = _legal(outcome.message or f"{outcome.outcome}: {value}")
    if outcome.outcome == "INCONCLUSIVE" and not verdict.inconclusive_fails:
        SubElement(case, "skipped", message=message)
        return case
    lines = [outcome.message or value]
    if outcome.needed is not None:
        lines.append(f"about {outcome.needed} cases would be needed to tell")
    if cases is not None and cases.rows:
        lines.append(f"{cases.heading}:")
        lines += [f"  {number(row.metrics[cases.metric])}  {_named(row)}" for row in cases.rows]
        lines += [f"  ... and {cases.more} more"] if cases.more else []
    SubElement(case, "failure", message=message, type=outcome.outcome).text = _legal("\n".join(lines))
    return case


def _named(row: Row) -> str:
    return inline(row.id) + (f" ({', '.join(row.diagnostics)})" if row.diagnostics else "")


def _summary(result: Result) -> str:
    """The estimates as lines of text."""
    lines = [headline(result)]
    for e in result.estimates:
        name = f"{e.metric} [{e.slice}]" if e.slice else e.metric
        reach = f", {interval(e)}" if interval(e) else ""
        counts = f"{e.n_scored} scored, {nulls(e)} null, {e.n_error} failed"
        lines.append(f"{name} = {number(e.value)}{reach}, {counts}")
    return "\n".join(lines)


def _legal(text: str) -> str:
    """Text that XML 1.0 can hold."""
    return ILLEGAL.sub(lambda found: f"\\u{ord(found.group()):04x}", visible(text))


REPORT = Report(render, ".xml", "JUnit XML: one test case per gate, for CI servers")
