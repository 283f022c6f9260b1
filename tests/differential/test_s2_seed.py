"""Seeded differential test: thousands of made fixtures through the harness's own script and through ours.

Allowed to differ, and nothing else: a BOM is accepted; invalid UTF-8, lone surrogate escapes and over-deep
lines are refused; bars and line breaks of ids are escaped in Markdown, and control characters on stderr;
thresholds have a slack of 1e-12; means are exact, so that numbers agree at 1e-12.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from ragmeter.reports import visible
from tests.helpers.command import Ran, ragmeter
from tests.helpers.s2 import CLOSE, FAILED, same_json, same_messages
from tests.helpers.s2_fixtures import arguments, mutated, valid
from tests.helpers.seed_script import Answer, Script, why_not

BOM = b"\xef\xbb\xbf"
DEPTH = 500
FILES = 1500  # of each kind
PROCESSES = 40


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Script:
    if said := why_not():
        pytest.skip(said)
    return Script(tmp_path_factory.mktemp("script"))


@pytest.mark.parametrize(("make", "seed"), [(valid, 1), (mutated, 2)], ids=["valid", "mutated"])
def test_both_say_the_same(script: Script, tmp_path: Path, make: object, seed: int) -> None:
    random = Random(seed)
    jobs, theirs = [], []
    for number in range(FILES):
        path = tmp_path / f"{number}.jsonl"
        data = make(random)  # type: ignore[operator]
        path.write_bytes(data)
        plain = tmp_path / f"{number}.plain.jsonl"
        plain.write_bytes(data.removeprefix(BOM))
        said = arguments(random)
        jobs.append((path, data, said))
        theirs.append([str(plain), *said])
    codes = set()
    for (path, data, said), answer in zip(jobs, script.run_all(theirs), strict=True):
        ran = ragmeter("score", str(path), *said)
        codes.add(ran.code)
        try:
            same_answer(ran, answer, data, said)
        except AssertionError as why:
            raise AssertionError(f"{path.name} {said}\n{data[:600]!r}\nours {ran}\ntheirs {answer}\n{why}") from why
        assert path.read_bytes() == data
    assert codes == {0, 1, 2}


def test_whole_processes_say_the_same(script: Script, tmp_path: Path) -> None:
    """The script as it is run, arguments and streams included, on both kinds of file."""
    random = Random(3)
    for number in range(PROCESSES):
        path = tmp_path / f"{number}.jsonl"
        data = (valid, mutated)[number % 2](random).removeprefix(BOM)
        path.write_bytes(data)
        said = arguments(random)
        same_answer(ragmeter("score", str(path), *said), script.run(str(path), *said), data, said)


def test_the_recorded_answers_are_still_the_script_s(script: Script) -> None:
    """A guard for the helper itself: the extracted script answers what was recorded from it."""
    recorded = script_folder() / "good-1-000"
    if not recorded.with_suffix(".jsonl").is_file():
        pytest.skip("no recorded answers: ../shared/conformance/s2 does not exist beside the checkout")
    said = json.loads(recorded.with_suffix(".args.json").read_bytes())
    expected = json.loads(recorded.with_suffix(".expected.json").read_bytes())
    answer = script.run(str(recorded.with_suffix(".jsonl")), *said)
    assert (answer.code, json.loads(answer.stdout)) == (expected["exit_code"], expected["stdout"])


def script_folder() -> Path:
    return Path(__file__).resolve().parents[3] / "shared" / "conformance" / "s2"


def same_answer(ran: Ran, answer: Answer, data: bytes, said: list[str]) -> None:
    answer = expected(answer, data, said)
    assert ran.code == answer.code
    if answer.stdout.startswith("{"):
        same_json(json.loads(ran.stdout), json.loads(answer.stdout))
    else:
        assert ran.stdout == escaped(answer.stdout, data)
    if answer.code == 2:
        assert ran.messages[0] == visible(answer.messages[0])
        return
    same_messages(ran.messages, answer.messages)


def expected(answer: Answer, data: bytes, said: list[str]) -> Answer:
    """The script's answer with the refusals and the slack that we choose."""
    if answer.code == 2 and not answer.messages[0].startswith("JSONL line"):
        return answer if answer.messages[0] != "input contains no evaluation cases" else refused(answer, data)
    answer = refused(answer, data)
    if answer.code != 1:
        return answer
    lines = [line for line in answer.messages if not within_slack(line)]
    return Answer(1 if lines else 0, answer.stdout, "".join(f"{line}\n" for line in lines))


def within_slack(line: str) -> bool:
    failed = FAILED.fullmatch(line)
    return failed is not None and failed[2] != "N/A" and float(failed[3]) - float(failed[2]) <= CLOSE


def refused(answer: Answer, data: bytes) -> Answer:
    """A line that only we refuse comes before whatever the script said about later or other faults."""
    ours = next(refusals(data), None)
    if ours is None:
        return answer
    first = answer.messages[0].split() if answer.code == 2 else []
    theirs = int(first[2]) if first[3:] == ["is", "not", "valid", "JSON"] else ours
    return Answer(2, "", f"JSONL line {min(ours, theirs)} is not valid JSON{os.linesep}")


def refusals(data: bytes) -> Iterator[int]:
    for number, line in enumerate(data.removeprefix(BOM).split(b"\n"), 1):
        text = line.decode(errors="replace")
        try:
            value = json.loads(text, parse_int=str, parse_constant=lambda word: 1 / 0)
            everything = json.loads(text, parse_int=str, object_pairs_hook=values)
        except (json.JSONDecodeError, ZeroDivisionError):
            continue
        except RecursionError:
            yield number
            continue
        if "\ufffd" in text or lone(value) or deep(everything) > DEPTH:
            yield number


def values(pairs: list[tuple[str, object]]) -> list[object]:
    """The values of an object, those of repeated keys too."""
    return [value for _, value in pairs]


def lone(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def deep(value: object) -> int:
    level, held = 0, [value]
    while any(isinstance(one, list | dict) for one in held):
        level += 1
        held = [
            x for one in held if isinstance(one, list | dict) for x in (one.values() if isinstance(one, dict) else one)
        ]
    return level


def escaped(markdown: str, data: bytes) -> str:
    """The script's tables with the ids as we write them."""
    for line in data.removeprefix(BOM).split(b"\n"):
        if line.strip() and markdown:
            try:
                id = json.loads(line, parse_int=str)["id"]
            except (ValueError, TypeError, KeyError, RecursionError):
                continue
            if any(mark in str(id) for mark in "|\r\n"):
                held = id.replace("\\", "\\\\") if "|" in id else id
                held = held.replace("|", "\\|").replace("\r\n", "<br>").replace("\n", "<br>").replace("\r", "<br>")
                markdown = markdown.replace(f"\n| {id} | ", f"\n| {held} | ", 1)
    return markdown
