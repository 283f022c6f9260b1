"""The terminal's report: plain when piped, coloured on a screen, and never steered by what it shows."""

import re

import pytest
from msgspec import structs
from rich.cells import cell_len

from ragmeter.registry import find
from ragmeter.reports import HOSTILE
from ragmeter.reports.terminal import whisker
from ragmeter.result import Estimate, Row, Verdict
from tests.helpers.reports import ESTIMATES, PASSED, RESULT, ROWS, text

ANSI = re.compile("\x1b\\[[0-9;]*m")


def screen(width: int, colour: bool, **changes: object) -> str:
    render = find("report", "terminal").screen
    return "".join(render(structs.replace(RESULT, **changes), ROWS, width=width, colour=colour))


def lines(said: str) -> list[list[str]]:
    """Every line as its words, columns being two blanks apart."""
    return [re.split(r" {2,}", line.strip()) for line in said.split("\n")]


def test_the_plain_report_has_no_colour_no_trailing_blanks_and_a_width_of_its_own(monkeypatch) -> None:
    for name, value in {"COLUMNS": "40", "FORCE_COLOR": "1", "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)
    said = text("terminal")
    assert "\x1b" not in said
    assert said == screen(100, False)
    assert not [line for line in said.split("\n") if line != line.rstrip()]
    assert max(cell_len(line) for line in said.split("\n")) <= 100


@pytest.mark.parametrize("width", [20, 60, 80, 100, 140, 200])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    said = ANSI.sub("", screen(width, True))
    assert max(cell_len(line) for line in said.split("\n")) <= max(width, 60)


def test_a_screen_is_coloured_and_says_the_same_words(monkeypatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")  # read by the command line, not here
    coloured = screen(100, True)
    assert "\x1b[1;31m" in coloured or "\x1b[1m\x1b[31m" in coloured
    assert lines(ANSI.sub("", coloured)) == lines(screen(100, False))


def test_the_verdict_comes_first_and_failing_gates_before_passing_ones() -> None:
    said = text("terminal")
    assert said.split("\n")[0] == "ragmeter  6 cases · profile standard · cases.jsonl"
    places = [said.index(word) for word in ("FAIL: 1 of 3", "\nFAIL ", "\nINCONCLUSIVE ", "\nPASS ", "All cases")]
    assert places == sorted(places)


def test_an_estimate_stands_with_value_interval_picture_and_counts() -> None:
    said = lines(text("terminal"))
    assert ["recall@5", "0.6250", "0.5000 – 0.7500", "··········├─●──┤·····", "4", "1 no_relevant"] in said
    assert ["1 failed"] in said
    assert ["faithfulness", "N/A", "-", "0", "5 not_judged"] in said
    assert ["seconds", "12.3000", "10.1000 – 15.5000", "5", "1 failed"] in said


def test_slices_stand_under_their_metric_and_tag() -> None:
    said = text("terminal")
    table = said[said.index("recall@5 by topic") : said.index("Diagnostics")]
    assert "thuế " in table and "文書管理" in table and "too few cases" in table
    starts = {cell_len(line[: line.index("too few")]) for line in table.split("\n") if "too few" in line}
    assert len(starts) == 1  # wide and combining letters do not shift the columns


def test_of_many_slices_the_worst_are_shown() -> None:
    many = tuple(Estimate("recall@5", "recall@5", f"id=s{i}", i / 100, 9) for i in reversed(range(50)))
    said = screen(100, False, estimates=(ESTIMATES[0], *many))
    assert "the 20 worst of 50 slices" in said
    assert "\ns0 " in said and "\ns19 " in said and "\ns20 " not in said


def test_flags_have_their_meaning() -> None:
    said = lines(text("terminal"))
    assert ["2", "missing_citations", "nothing is cited, or not all that was retrieved"] in said
    assert ["1", "a_plugin's"] in said


def test_failed_and_worst_cases_are_listed_with_reasons() -> None:
    said = lines(text("terminal"))
    assert ["q6", "timeout"] in said
    assert ["thủ tục 17", "0.0000", "0.5000", "not_judged", "12.0000", "missing_citations"] in said
    assert ["Cases with the lowest recall@5 in topic=thuế"] in said


def test_the_conventions_close_the_report() -> None:
    said = text("terminal")
    foot = lines(said[said.index("\nConventions\n") :])
    assert ["profile", "standard"] in foot and ["ndcg", "ndcg:exp@10"] in foot and ["seed", "7"] in foot


def test_nothing_an_input_holds_steers_the_terminal() -> None:
    hostile = "\x1b]0;owned\x07\u202e[red]x[/red]\n\t:smile:"
    row = Row(hostile, {"recall@5": -1.0}, (hostile,), None, {"topic": "thuế"})
    result = structs.replace(RESULT, diagnostics={hostile: 1}, title=hostile)
    for colour in (False, True):
        said = "".join(find("report", "terminal").screen(result, (*ROWS, row), width=200, colour=colour))
        assert not HOSTILE.search(ANSI.sub("", said))
        assert "\\x1b]0;owned\\x07\\u202e[red]x[/red]\\n\\t:smile:" in ANSI.sub("", said)


def test_without_gates_and_estimates_it_still_says_what_it_can() -> None:
    said = screen(80, False, verdict=None, estimates=(), diagnostics={})
    assert "no gates" in said and "profile   standard" in said
    assert "Gates" not in said and "Cases with" not in said


def test_a_passing_run_says_pass() -> None:
    assert "\nPASS: 1 gate passes\n" in screen(80, False, verdict=Verdict((PASSED,)))


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [
        (0.5, 0.0, 1.0, "├────●────┤"),
        (0.0, None, None, "●··········"),
        (1.0, 1.0, 1.0, "··········●"),
        (0.5, 0.35, 0.62, "····├●┤····"),
        (None, None, None, ""),
        (1.2, None, None, ""),
        (0.9, 0.8, 1.1, ""),
        (-0.1, None, None, ""),
    ],
)
def test_the_picture_runs_from_0_to_1(value, low, high, said: str) -> None:
    assert whisker(Estimate("m", "m", "", value, 1, {}, 0, low, high, "t"), 11) == said
