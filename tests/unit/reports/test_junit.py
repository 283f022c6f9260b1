"""JUnit XML: what CI servers read."""

from collections.abc import Iterator
from xml.etree import ElementTree

from msgspec import structs

from ragmeter.result import Outcome, Result, Row, Verdict
from tests.helpers.reports import FAILED, PASSED, RESULT, ROWS, UNSURE, text

# What the JUnit schema of CI servers allows: the children of each element and the attributes it must have.
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase", "system-out"},
    "properties": {"property"},
    "property": set(),
    "testcase": {"failure", "error", "skipped"},
    "failure": set(),
    "error": set(),
    "skipped": set(),
    "system-out": set(),
}
MUST_HAVE = {
    "testsuites": {"name", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "property": {"name", "value"},
    "testcase": {"name", "classname"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
}
COUNTED = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}


def faults(root: ElementTree.Element) -> Iterator[str]:
    """What the schema would object to, and counts that are not those of the elements."""
    for element in root.iter():
        for child in element:
            if child.tag not in CHILDREN[element.tag]:
                yield f"{child.tag} in {element.tag}"
        yield from (f"{element.tag} without {name}" for name in MUST_HAVE.get(element.tag, set()) - set(element.attrib))
        if element.tag == "testcase" and len(element) > 1:
            yield "a test case with two outcomes"
    for suite in [root, *root]:
        for name, tag in COUNTED.items():
            if suite.get(name) != str(len(list(suite.iter(tag)))):
                yield f"{name} of {suite.tag}"


def parsed(result: Result = RESULT, rows: tuple[Row, ...] = ROWS) -> ElementTree.Element:
    root = ElementTree.fromstring(text("junit", result, rows).encode())
    assert list(faults(root)) == []
    return root


def gated(*outcomes: Outcome, strict: bool = True) -> Result:
    return structs.replace(RESULT, verdict=Verdict(outcomes, strict))


def cases(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {case.get("name", ""): case for case in root.iter("testcase")}


def test_one_test_case_per_gate_and_one_for_the_measurement() -> None:
    root = parsed()
    assert list(cases(root)) == ["every case was measured", PASSED.gate, FAILED.gate, UNSURE.gate]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "2", "1")


def test_the_schema_check_sees_a_wrong_document() -> None:
    wrong = '<testsuites name="x" tests="2" failures="0" errors="0"><testcase name="y"/></testsuites>'
    assert len(list(faults(ElementTree.fromstring(wrong)))) >= 3


def test_a_failing_gate_names_its_worst_cases() -> None:
    failure = cases(parsed())[FAILED.gate].find("failure")
    assert failure is not None and failure.get("type") == "FAIL"
    assert failure.get("message") == FAILED.message
    lines = (failure.text or "").split("\n")
    assert lines[0] == FAILED.message
    assert lines[2:] == ["  0.0000  thủ tục 17 (missing_citations)", "  0.5000  q1"]


def test_no_more_than_ten_cases_are_named_and_the_rest_is_counted() -> None:
    rows = tuple(Row(f"q{i}", {"recall@5": i / 100}) for i in range(100))
    failure = cases(parsed(gated(FAILED), rows))[FAILED.gate].find("failure")
    lines = ((failure.text if failure is not None else "") or "").split("\n")
    assert lines[2:4] == ["  0.0000  q0", "  0.0100  q1"]
    assert len(lines) == 13 and lines[-1] == "  ... and 89 more"


def test_a_gate_at_most_names_the_highest_cases() -> None:
    slow = Outcome("seconds <= 10", "FAIL", 12.3, 10, "Threshold failed: seconds=12.3 is above 10", "seconds")
    rows = tuple(Row(f"q{i}", {"seconds": float(i)}) for i in range(3))
    failure = cases(parsed(gated(slow), rows))[slow.gate].find("failure")
    assert failure is not None and (failure.text or "").split("\n")[2:] == ["  2.0000  q2", "  1.0000  q1"]


def test_an_inconclusive_gate_fails_unless_told_to_pass() -> None:
    failure = cases(parsed(gated(UNSURE)))[UNSURE.gate].find("failure")
    assert failure is not None and failure.get("type") == "INCONCLUSIVE"
    assert "about 120 cases" in (failure.text or "")
    passing = parsed(gated(UNSURE, strict=False))
    assert cases(passing)[UNSURE.gate].find("skipped") is not None
    assert passing.get("failures") == "0"


def test_failed_cases_are_an_error_and_never_a_failure() -> None:
    measurement = cases(parsed(gated(PASSED)))["every case was measured"]
    error = measurement.find("error")
    assert error is not None and error.get("message") == "measured incompletely: 1 of 6 cases failed"
    assert "q6: timeout" in (error.text or "")


def test_failures_that_are_borne_are_no_error() -> None:
    borne = structs.replace(gated(PASSED), provenance={**RESULT.provenance, "max_errors": 1})
    root = parsed(borne)
    assert root.get("errors") == "0" and root.get("failures") == "0"


def test_without_gates_the_measurement_is_the_only_test_case() -> None:
    root = parsed(structs.replace(RESULT, verdict=None, estimates=RESULT.estimates[2:3]))
    assert list(cases(root)) == ["every case was measured"]
    assert root.get("errors") == "0"
    assert "faithfulness = N/A" in (root.findtext(".//system-out") or "")


def test_properties_say_profile_conventions_seed_version_and_inputs() -> None:
    said = {one.get("name"): one.get("value") for one in parsed().iter("property")}
    assert (said["profile"], said["seed"], said["ragmeter"], said["cases"]) == ("standard", "7", "1.2.3", "6")
    assert (said["convention.relevant"], said["ndcg"], said["input.1"]) == (
        "grade >= 1",
        "ndcg:exp@10",
        "cases.jsonl",
    )


def test_what_xml_cannot_hold_is_shown() -> None:
    hostile = "a\x00\x08\x1f\x7f\u202e\ufffe\uffff\ud800<&>\"'\n"
    outcome = structs.replace(FAILED, gate=hostile, message=hostile)
    root = parsed(gated(outcome), (Row(hostile, {"recall@5": 0.0}), Row("b", {"recall@5": 1.0})))
    name = "a\\x00\\x08\\x1f\\x7f\\u202e\\ufffe\\uffff\\ud800<&>\"'"
    assert [one.strip() for one in cases(root)][1] == name
    assert f"  0.0000  {name}\\n" in (root.findtext(".//failure") or "")
