"""The HTML report in a real browser, opened from disk. `make test-browser` says what it needs.

Skipped where Playwright or Chromium is absent. Every page is watched: an error of its script, a word on its
console, or a request for anything but itself fails the test.
"""

import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from ragmeter.registry import find
from ragmeter.result import Estimate, Result, Row
from tests.browser import made

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
ROOT = Path(__file__).resolve().parents[2]
AXE = Path(os.environ.get("AXE_CORE") or ROOT / ".cache/node_modules/axe-core/axe.min.js")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium (Debian: apt install chromium; or set CHROMIUM)")

expect = api.expect


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    made.write(folder, 130, hostile=True)
    return made.page(folder)


@pytest.fixture
def opened(browser: Any, report: Path) -> Iterator[Any]:
    """Open the report (or another page) at an address; at the end nothing may have gone wrong."""
    wrong: list[str] = []
    contexts = []

    def go(hash: str = "", file: Path = report, **options: Any) -> Any:
        context = browser.new_context(accept_downloads=True, viewport={"width": 1440, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text))
        page.on("request", lambda request: request.url.startswith(("file:", "blob:")) or wrong.append(request.url))
        page.goto(file.as_uri() + (f"#{hash}" if hash else ""))
        expect(page.locator("#count")).not_to_contain_text("reading")
        return page

    yield go
    pages = [page for context in contexts for page in context.pages]
    assert [page.evaluate("window.pwned") for page in pages] == [None] * len(pages)
    for context in contexts:
        context.close()
    assert wrong == []


def ids(page: Any) -> list[str]:
    return page.locator("#table tbody th").all_inner_texts()


def column(page: Any, name: str) -> list[str]:
    heads = [head.split()[0] for head in page.locator("#table thead th").all_inner_texts()]
    return page.locator(f"#table tbody tr > *:nth-child({heads.index(name) + 1})").all_inner_texts()


def filtered(page: Any, expression: str, expected: str) -> None:
    page.fill("#filter", expression)
    expect(page.locator("#count")).to_have_text(expected)


def rows_of(report: Path) -> list[dict[str, Any]]:
    """The cases as written, in order, for expectations worked out here and not by the page."""
    return [json.loads(line) for line in (report.parent / "cases.jsonl").read_text("utf-8").split("\n")[:-1]]


def outputs_of(report: Path) -> dict[str, dict[str, Any]]:
    """The outputs as written, by case."""
    lines = (report.parent / "outputs.jsonl").read_text("utf-8").split("\n")[:-1]
    return {output["case"]: output for output in map(json.loads, lines)}


def test_it_loads_with_verdict_pictures_and_cases(opened: Any) -> None:
    page = opened()
    expect(page.locator(".verdict")).to_contain_text("FAIL")
    assert page.locator("svg[role=img][aria-label]").count() >= 12
    expect(page.locator("#count")).to_have_text("130 of 130 cases")
    assert len(ids(page)) == 50
    assert "of 3" in page.locator("#page").inner_text()


def test_sorting_goes_up_down_and_back(opened: Any) -> None:
    page = opened()
    before = ids(page)
    head = page.locator("#table thead button", has_text="ndcg@10")
    head.click()
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("ndcg@10")
    up = [float(value) for value in column(page, "ndcg@10")]
    assert up == sorted(up) and len({*up}) > 5
    head.click()
    down = [float(value) for value in column(page, "ndcg@10")]
    assert down == sorted(down, reverse=True)
    assert page.evaluate("document.activeElement.textContent") == "ndcg@10"
    head.click()
    assert ids(page) == before and "sort" not in page.url


def test_a_filter_narrows_and_says_what_is_wrong_with_it(opened: Any, report: Path) -> None:
    page = opened()
    access = [case["id"] for case in rows_of(report) if case["tags"]["topic"] == "access"]
    filtered(page, 'topic = "access"', f"{len(access)} of 130 cases")
    both = [c["id"] for c in rows_of(report) if c["tags"]["topic"] == "access" and c["tags"]["language"] != "ar"]
    filtered(page, 'topic = "access" and not language = ar', f"{len(both)} of 130 cases")
    two = [c["id"] for c in rows_of(report) if c["tags"]["topic"] in ("access", "fees") and not c["qrels"]]
    page.fill("#filter", 'topic in ("access", fees) and (recall@5 = no_relevant or recall@5 > 7)')
    expect(page.locator("#table tbody th")).to_have_text([*two] if two else [])
    page.fill("#filter", "recal@5 < 1")
    expect(page.locator("#fault")).to_contain_text("there is no 'recal@5'; there are recall@1")
    assert page.get_attribute("#filter", "aria-invalid") == "true"
    for bad, said in (
        ("recall@5 <", "something is missing after '<'"),
        ("(recall@5 < 1", "a ')' is missing"),
        ('topic = "a', "a quotation does not end"),
        ("recall@5 < x", "wants a number"),
        ("recall@5 < 1 ndcg@10 < 1", "put 'and' or 'or' between"),
        ("flag < 3", "a flag can be"),
    ):
        page.fill("#filter", bad)
        expect(page.locator("#fault")).to_contain_text(said)
    filtered(page, "", "130 of 130 cases")
    assert page.locator("#fault").inner_text() == ""


def test_comparisons_keep_the_slack_and_leave_nulls_out(opened: Any) -> None:
    page = opened()
    counts = {}
    for expression in ("recall@5 < 1", "recall@5 >= 1", "recall@5 is scored", "recall@5 is null", "recall@5 is error"):
        page.fill("#filter", expression)
        expect(page).to_have_url(re.compile(re.escape(urlencode({"f": expression})) + "$"))
        counts[expression] = int(page.locator("#count").inner_text().split()[0])
    assert counts["recall@5 < 1"] + counts["recall@5 >= 1"] == counts["recall@5 is scored"]
    assert counts["recall@5 is scored"] + counts["recall@5 is null"] + counts["recall@5 is error"] == 130
    assert min(counts.values()) > 0


def test_search_folds_accents_and_d_with_stroke(opened: Any, report: Path) -> None:
    page = opened()
    expected = [c for c in rows_of(report) if c["tags"]["topic"] == "Đặt vé"]
    page.fill("#search", "DAT VE")
    expect(page.locator("#count")).to_have_text(f"{len(expected)} of 130 cases")


def test_quick_filters_slices_and_flags_fill_the_filter(opened: Any) -> None:
    page = opened()
    page.locator(".modes button", has_text="Failures").click()
    assert page.input_value("#filter") == 'recall@5 < 0.8 or (recall@5 < 0.6 and topic = "access")'
    assert page.get_attribute(".modes button:has-text('Failures')", "aria-pressed") == "true"
    page.locator(".modes button", has_text="Errors").click()
    assert {*column(page, "recall@5")} == {"target_error"}
    page.locator(".heatmap button", has_text="Đặt vé").click()
    assert page.input_value("#filter") == 'topic = "Đặt vé"' and {*column(page, "topic")} == {"Đặt vé"}
    page.locator(".chips button", has_text="target_failed").click()
    assert {*column(page, "recall@5")} == {"target_error"}


def test_a_case_opens_with_its_texts_marks_and_trace(opened: Any, report: Path) -> None:
    page = opened("case=case-00010")
    drawer = page.locator("#drawer")
    expect(drawer).to_be_visible()
    output = outputs_of(report)["case-00010"]
    expect(drawer).to_contain_text(output["answer"].split(" [1]")[0])
    assert drawer.locator("tr[data-passage]").count() >= 10
    assert drawer.locator(".mark.cited").count() == 2
    assert drawer.locator(".support").count() == 3
    drawer.locator(".text button", has_text="[2]").click()
    assert page.evaluate("document.activeElement.dataset.passage") == output["cited"][1]
    drawer.locator("summary", has_text="Every term").click()
    expect(drawer.locator("pre").filter(has_text="Numbers that id metrics read")).to_be_visible()
    raw = json.loads(drawer.locator("details", has_text="Raw JSON").locator("pre").text_content())
    assert raw["output"] == output


def test_the_keyboard_is_enough(opened: Any) -> None:
    page = opened()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == ids(page)[2]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#drawer-title")).to_be_focused()
    first = page.locator("#drawer-title").text_content()
    page.keyboard.press("k")
    assert page.locator("#drawer-title").text_content() != first
    page.keyboard.press("j")
    assert page.locator("#drawer-title").text_content() == first
    page.keyboard.press("Escape")
    expect(page.locator("#drawer")).to_be_hidden()
    assert page.evaluate("document.activeElement.closest('tr') !== null")


def test_j_goes_over_the_end_of_a_page(opened: Any) -> None:
    page = opened("case=case-00049")
    page.keyboard.press("j")
    assert page.locator("#drawer-title").text_content() == "case-00050"
    assert page.locator("#page").inner_text() == "Page 2 of 3"


def test_the_address_holds_the_state(opened: Any) -> None:
    page = opened()
    page.fill("#filter", "recall@10 < 1")
    expect(page).to_have_url(re.compile("f=recall"))
    page.locator("#table thead button", has_text="ndcg@10").click()
    page.locator("#table tbody button").nth(3).click()
    told = (page.locator("#count").inner_text(), ids(page), page.locator("#drawer-title").text_content())
    again = opened(page.url.partition("#")[2])
    assert (again.locator("#count").inner_text(), ids(again), again.locator("#drawer-title").text_content()) == told


def test_hostile_text_stays_text(opened: Any) -> None:
    page = opened()
    shown = ids(page)[: len(made.HOSTILE)]
    assert shown[0] == made.HOSTILE[0] and shown[1] == made.HOSTILE[1] and shown[2] == made.HOSTILE[2]
    assert shown[3] == "\\u202eevil\\u2066 right-to-left override"
    for place, evil in enumerate(made.HOSTILE):
        page.locator("#table tbody button").nth(place).click()
        page.locator("#drawer summary", has_text="Raw JSON").click()
        plain = page.evaluate("document.getElementById('drawer').innerText")
        assert evil.replace("\u202e", "\\u202e").replace("\u2066", "\\u2066") in plain
        assert page.locator("#drawer img, #drawer script, #table img, #table script").count() == 0
    assert page.evaluate("document.querySelectorAll('script:not([type])').length") == 1


def test_an_answer_of_a_megabyte_opens_at_once(opened: Any, tmp_path: Path) -> None:
    made.write(tmp_path, 3)
    lines = [json.loads(line) for line in (tmp_path / "outputs.jsonl").read_text("utf-8").split("\n")[:-1]]
    lines[1]["answer"] = "<b>" + "word " * 200_000
    (tmp_path / "outputs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "judgments.jsonl").write_text('{"case":"case-00000","kind":"correct","value":1,"judge":"human"}\n')
    page = opened("case=case-00001", made.page(tmp_path, {}))
    expect(page.locator("#drawer")).to_contain_text("more characters are not shown")
    assert "<b>word word" in page.locator("#drawer .text", has_text="word word").first.inner_text()
    page.keyboard.press("j")
    assert page.locator("#drawer-title").text_content() == "case-00002"


def test_right_to_left_text_runs_from_the_right(opened: Any, report: Path) -> None:
    arabic = next(c["id"] for c in rows_of(report)[10:] if c["tags"]["language"] == "ar")
    page = opened("q=" + arabic + "&case=" + arabic)
    assert page.evaluate("getComputedStyle(document.querySelector('#table td.question')).direction") == "rtl"
    assert page.evaluate("getComputedStyle(document.querySelector('#drawer .text')).direction") == "rtl"
    assert page.evaluate("getComputedStyle(document.querySelector('#table')).direction") == "ltr"


def test_dark_mode_follows_the_system_and_the_button(opened: Any) -> None:
    page = opened(color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(21, 24, 28)"
    page.click("#theme")
    assert page.evaluate(paper) == "rgb(255, 255, 255)" and page.locator("#theme").inner_text() == "Theme: light"
    page.click("#theme")
    assert page.evaluate(paper) == "rgb(21, 24, 28)"


def test_print_leaves_the_tools_out(opened: Any) -> None:
    page = opened("case=case-00010")
    page.emulate_media(media="print")
    for hidden in ("#drawer", ".tools", "#theme", "#export"):
        assert not page.locator(hidden).is_visible(), hidden
    assert page.locator("svg").first.is_visible() and page.locator("#table").is_visible()


def test_the_filtered_cases_can_be_taken_away(opened: Any, report: Path, tmp_path: Path) -> None:
    page = opened()
    page.fill("#filter", 'topic = "fees" and recall@5 < 1')
    expect(page).to_have_url(re.compile("fees"))
    count = int(page.locator("#count").inner_text().split()[0])
    assert 0 < count < 130
    for name in ("export", "export-cases"):
        with page.expect_download() as waiting:
            page.click(f"#{name}")
        waiting.value.save_as(tmp_path / name)
    scores = [json.loads(line) for line in (tmp_path / "export").read_text("utf-8").split("\n")[:-1]]
    assert len(scores) == count and {s["tags"]["topic"] for s in scores} == {"fees"}
    assert all(s["metrics"]["recall@5"] < 1 for s in scores)
    cases = [json.loads(line) for line in (tmp_path / "export-cases").read_text("utf-8").split("\n")[:-1]]
    written = {case["id"]: case for case in rows_of(report)}
    assert [case["id"] for case in cases] == [s["id"] for s in scores]
    assert cases == [written[case["id"]] for case in cases]


def test_commands_and_links_are_copied(opened: Any) -> None:
    page = opened("case=case-00010", permissions=["clipboard-read", "clipboard-write"])
    page.locator("#drawer button", has_text="Copy explain").click()
    expect(page.locator("#drawer button", has_text="Copied")).to_be_visible()
    said = page.evaluate("navigator.clipboard.readText()")
    assert said == "ragmeter explain cases.jsonl outputs.jsonl --judgments judgments.jsonl --case case-00010"
    page.click("#copy-link")
    expect(page.locator("#copy-link")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_without_a_script_everything_but_the_table_is_there(opened: Any, browser: Any, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator("noscript").inner_text().startswith("The table of cases needs JavaScript")
    assert page.locator(".tile svg").first.is_visible() and not page.locator("#casework").is_visible()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("hash", ["", "case=case-00010", "f=nonsense+%3C"], ids=["page", "case", "fault"])
def test_axe_finds_nothing(opened: Any, scheme: str, hash: str) -> None:
    if not AXE.is_file():
        pytest.skip("no axe-core (npm install --prefix .cache axe-core; or set AXE_CORE)")
    page = opened(hash, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    said = [(v["id"], v["help"], [n["html"][:150] for n in v["nodes"][:3]]) for v in found["violations"]]
    assert said == [] and len(found["passes"]) > 20


def test_a_hundred_thousand_cases_are_seen_in_two_seconds(opened: Any, browser: Any, tmp_path: Path) -> None:
    values = [n / 20 for n in range(21)]
    rows = [
        Row(
            f"case-{n:06d}",
            {"recall@5": values[n % 21], "ndcg@10": (n * 7919 % 100_003) / 100_003},
            (),
            {},
            {"topic": f"t{n % 9}"},
        )
        for n in range(100_000)
    ]
    said = [Estimate(m, m, "", 0.5, 100_000, low=0.49, high=0.51, interval="t") for m in ("recall@5", "ndcg@10")]
    file = tmp_path / "big.html"
    with open(file, "w", encoding="utf-8") as out:
        out.writelines(find("report", "html").render(Result(100_000, 5, tuple(said), {}, {}), rows))
    assert file.stat().st_size < 8 << 20
    page = browser.new_page()
    began = time.perf_counter()
    page.goto(file.as_uri(), wait_until="commit")
    expect(page.locator("#table tbody tr")).to_have_count(50)
    first = time.perf_counter() - began
    expect(page.locator("#count")).to_have_text("100,000 of 100,000 cases")
    began = time.perf_counter()
    page.locator("#table thead button", has_text="ndcg@10").click()
    assert float(column(page, "ndcg@10")[0]) == 0
    page.fill("#filter", "recall@5 < 0.5 and topic = t3")
    wanted = sum(n % 21 < 10 and n % 9 == 3 for n in range(100_000))
    expect(page.locator("#count")).to_have_text(f"{wanted:,} of 100,000 cases")
    used = time.perf_counter() - began
    page.close()
    print(f"first view {first:.2f} s, sort and filter {used:.2f} s, {file.stat().st_size / 1e6:.1f} MB")
    assert first < 2 and used < 3
