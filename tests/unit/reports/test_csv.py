"""CSV: one row per estimate."""

import csv
import io

from msgspec import structs

from ragmeter.result import Estimate
from tests.helpers.reports import ESTIMATES, RESULT, text

COLUMNS = "metric,definition,slice,value,low,high,interval,n_scored,n_null,n_error,nulls,profile,conventions"


def parsed(*estimates: Estimate) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text("csv", structs.replace(RESULT, estimates=estimates)), newline="")))


def test_every_estimate_has_its_row_and_every_column_its_name() -> None:
    said = text("csv")
    assert said.split("\n")[0] == COLUMNS
    assert "\r" not in said and said.endswith("\n")
    assert [(row["metric"], row["slice"]) for row in parsed(*ESTIMATES)] == [(e.metric, e.slice) for e in ESTIMATES]


def test_numbers_keep_all_their_digits() -> None:
    third = 1 / 3
    (row,) = parsed(Estimate("m", "m", "", third, 3, {}, 0, third - 0.1, 1e300, "t"))
    assert (float(row["value"]), float(row["low"]), float(row["high"])) == (third, third - 0.1, 1e300)


def test_what_is_undefined_is_an_empty_cell_beside_its_reasons() -> None:
    row = parsed(*ESTIMATES)[2]
    assert (row["value"], row["low"], row["high"], row["interval"]) == ("", "", "", "none")
    assert (row["n_scored"], row["n_null"], row["n_error"]) == ("0", "6", "0")
    assert row["nulls"] == "not_judged=5;no_answer=1"


def test_a_negative_number_is_a_number_and_no_formula() -> None:
    (row,) = parsed(Estimate("m", "m", "", -0.5, 3))
    assert row["value"] == "-0.5"


def test_text_that_would_run_as_a_formula_is_quoted() -> None:
    (row,) = parsed(Estimate("=cmd|' /C calc'!A0", "@SUM(1)", "+t=1", 0.5, 1, {"-1+2": 3}))
    assert row["metric"].startswith("'=") and row["definition"].startswith("'@")
    assert row["slice"].startswith("'+") and row["nulls"].startswith("'-")


def test_quotes_commas_and_line_ends_stay_in_their_cell() -> None:
    (row,) = parsed(Estimate('a"b,c', "m", "tag=x\ny\rz", 0.5, 1))
    assert row["metric"] == 'a"b,c'
    assert row["slice"] == "tag=x\ny\\x0dz"


def test_profile_and_conventions_close_every_row() -> None:
    for row in parsed(*ESTIMATES):
        assert row["profile"] == "standard"
        assert "relevant: grade >= 1" in row["conventions"] and "seed: 7" in row["conventions"]


def test_without_estimates_the_head_is_there() -> None:
    assert text("csv", structs.replace(RESULT, estimates=())) == COLUMNS + "\n"
