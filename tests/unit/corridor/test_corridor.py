"""The whole corridor on a handful of cases: run, interrupt, resume, and score on its files."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ragmeter.calls import Limits
from ragmeter.errors import IncompleteError, UsageError
from ragmeter.judge import Judging, judge
from ragmeter.judges import JudgeError, Question, digest
from ragmeter.obtain import obtain
from ragmeter.records import Case, Judgment, Output, Passage
from ragmeter.store import JudgmentsFile, append_line, find_run, open_run
from ragmeter.suite import Suite
from ragmeter.targets import TargetError

ROOT = Path(__file__).resolve().parents[3]
CASES = ROOT / "examples" / "run" / "cases.jsonl"
ASK = ROOT / "examples" / "run" / "ask.py"
COMMAND = f"command:{sys.executable} {ASK}"


def ragmeter(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ragmeter", *arguments], cwd=folder, capture_output=True, text=True, timeout=120
    )


MEASURES = (
    "-m",
    "recall@3,citation_validity,similarity_to_expected",
    "--judge",
    "similarity:lexical",
    "--by",
    "language",
)


def test_score_on_the_files_of_a_run_gives_the_same_bytes(tmp_path: Path) -> None:
    ran = ragmeter("run", str(CASES), "--target", COMMAND, *MEASURES, "--format", "json", folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    folder = next((tmp_path / ".ragmeter" / "runs").iterdir())
    scored = ragmeter(
        "score", str(CASES), str(folder / "outputs.jsonl"), *MEASURES, "--format", "json", folder=tmp_path
    )
    assert scored.returncode == 0, scored.stderr
    assert scored.stdout == ran.stdout
    assert json.loads(ran.stdout)["summary"]["recall@3"] is not None


def test_the_same_command_again_asks_nothing_and_writes_the_same_result(tmp_path: Path) -> None:
    counter = tmp_path / "asked"
    script = tmp_path / "ask.sh"
    script.write_text(f"#!/bin/sh\necho x >> {counter}\nexec {sys.executable} {ASK}\n")
    script.chmod(0o755)
    command = ("run", str(CASES), "--target", f"command:{script}", "-m", "recall@3")
    assert ragmeter(*command, folder=tmp_path).returncode == 0
    folder = next((tmp_path / ".ragmeter" / "runs").iterdir())
    before = (folder / "result.json").read_bytes()
    assert ragmeter(*command, folder=tmp_path).returncode == 0
    assert counter.read_text().count("x") == 4
    assert (folder / "result.json").read_bytes() == before
    assert len(list((tmp_path / ".ragmeter" / "runs").iterdir())) == 1


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """kill -9 after the first answers: what is on the disk is not asked again, and the result is that of a clean run."""
    gate, counter = tmp_path / "open", tmp_path / "asked"
    counter.mkdir()
    (tmp_path / "slow.py").write_text(
        "import json, os, pathlib, sys, time\n"
        f"sys.path.insert(0, {str(ASK.parent)!r})\n"
        "from ask import ask\n"
        "question = sys.stdin.read()\n"
        f"held = len(os.listdir({str(counter)!r}))\n"
        f"pathlib.Path({str(counter)!r}, str(time.time_ns())).touch()\n"
        f"while held >= 2 and not os.path.exists({str(gate)!r}): time.sleep(0.01)\n"
        "print(json.dumps(ask(question)))\n"
    )
    command = [
        "run",
        str(CASES),
        "--target",
        f"command:{sys.executable} slow.py",
        "-m",
        "recall@3",
        "--concurrency",
        "1",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "ragmeter", *command], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while len(list(counter.iterdir())) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    listed = ragmeter("runs", "--format", "json", folder=tmp_path)
    assert json.loads(listed.stdout)[0]["state"] != "finished"
    assert json.loads(listed.stdout)[0]["answered"] == 2
    assert ragmeter("report", "latest", folder=tmp_path).returncode == 2
    gate.touch()
    again = ragmeter(*command, "--format", "json", folder=tmp_path)
    assert again.returncode == 0, again.stderr
    assert len(list(counter.iterdir())) == 5  # two kept, one in flight at the kill, two asked now
    clean = ragmeter(*command[:3], COMMAND, *command[4:], "--format", "json", folder=tmp_path)
    assert again.stdout == clean.stdout


def test_a_failing_case_is_an_error_of_that_case_and_exit_code_3(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import sys\nsys.exit(4 if 'fern' in sys.stdin.read() else 0)\n")
    command = ("run", str(CASES), "--target", f"command:{sys.executable} bad.py", "-m", "similarity_to_expected")
    ran = ragmeter(*command, "--judge", "similarity", "--retries", "0", "--format", "json", folder=tmp_path)
    assert ran.returncode == 3, ran.stderr
    estimate = json.loads(ran.stdout)["estimates"][0]
    assert (estimate["n_scored"], estimate["n_null"], estimate["n_error"]) == (0, {"no_answer": 3}, 1)
    borne = ragmeter(*command, "--judge", "similarity", "--retries", "0", "--max-errors", "1", folder=tmp_path)
    assert borne.returncode == 0, borne.stderr


class Flaky:
    """Fails the first tries of each case."""

    def __init__(self, failures: int):
        self.failures = failures
        self.tries: dict[str, int] = {}

    async def answer(self, case: Case) -> Output:
        self.tries[case.id] = self.tries.get(case.id, 0) + 1
        if self.tries[case.id] <= self.failures:
            raise TargetError("busy", after=0)
        return Output(case.id, answer=case.id)


def cases(n: int) -> list[Case]:
    return [Case(f"c{i}") for i in range(n)]


def test_obtain_tries_again_and_gives_up_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragmeter.calls.random.uniform", lambda low, high: 0.0)
    good = list(obtain(cases(9), Flaky(2), Limits(concurrency=3, retries=2)))
    assert sorted(o.answer for o in good) == [f"c{i}" for i in range(9)]
    failed = list(obtain(cases(3), Flaky(5), Limits(retries=1)))
    assert [o.error for o in failed] == ["busy"] * 3


def test_obtain_runs_plain_functions_in_threads_and_keeps_their_errors() -> None:
    class Plain:
        def answer(self, case: Case) -> Output:
            if case.id == "c1":
                raise ZeroDivisionError("division")
            return Output("somebody else", answer="x")

    outputs = {o.case: o for o in obtain(cases(3), Plain(), Limits(retries=0))}
    assert outputs["c1"].error == "ZeroDivisionError: division"
    assert outputs["c0"].answer == "x"  # the id is the case's own, whatever the system says


def test_a_deadline_becomes_a_timeout() -> None:
    class Never:
        async def answer(self, case: Case) -> Output:
            import asyncio

            await asyncio.Event().wait()
            raise AssertionError

    (output,) = obtain(cases(1), Never(), Limits(timeout=0.01, retries=0))
    assert output.error == "timeout: no answer in 0.01 s"


def test_closing_obtain_early_cancels_what_is_under_way_and_closes_the_target() -> None:
    class Closed(Flaky):
        closed = False

        async def aclose(self) -> None:
            self.closed = True

    target = Closed(0)
    stream = obtain(cases(50), target, Limits(concurrency=2))
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert target.closed
    assert len(target.tries) < 50


class Rounds:
    """Asks claims first, then a verdict a claim; counts what is asked."""

    name, local, identity = "rounds", False, {"model": "m1"}

    def __init__(self) -> None:
        self.asked: list[str] = []

    def asks(self, case, output, judged):  # type: ignore[no-untyped-def]
        claims = Question(case.id, "claims", "", (output.answer,))
        yield claims
        if claims.key in judged:
            for n in range(int(judged[claims.key].value)):
                yield Question(case.id, "verdict", str(n), (output.answer, str(n)))

    def ask(self, question: Question) -> Judgment:
        self.asked.append(f"{question.kind}{question.subject}")
        if question.texts[-1] == "1":
            raise JudgeError("no label", reason="judge_unparsable", retry=False)
        return Judgment(question.case, question.kind, value=2 if question.kind == "claims" else 1)


def test_judge_asks_in_rounds_and_never_twice(tmp_path: Path) -> None:
    pair = [(Case("a"), Output("a", answer="text")), (Case("b"), Output("b", answer="text"))]
    file = tmp_path / "judgments.jsonl"
    first = Rounds()
    judged = {case.id: said for case, _, said in judge(pair, Judging([first], JudgmentsFile(file), limits=Limits(1)))}
    assert first.asked == ["claims", "verdict0", "verdict1", "verdict1"]  # an error never answers a lookup
    assert judged["b"]["verdict"]["1"].error == "judge_unparsable: no label"
    assert judged["a"]["verdict"]["0"].value == 1
    again = Rounds()
    list(judge(pair, Judging([again], JudgmentsFile(file), limits=Limits(1))))
    assert set(again.asked) == {"verdict1"}
    other = Rounds()
    other.identity = {"model": "m2"}
    list(judge(pair, Judging([other], JudgmentsFile(file), limits=Limits(1))))
    assert "claims" in other.asked


def test_offline_lists_what_is_missing() -> None:
    judging = Judging([Rounds()], offline=True)
    (triple,) = judge([(Case("a"), Output("a", answer="t"))], judging)
    assert judging.missing == ["a claims"]
    assert triple[2]["claims"][""].error is not None


def test_recorded_judgments_of_two_judges_need_a_choice() -> None:
    lines = [Judgment("a", "support", "0", value=1, judge="x"), Judgment("a", "support", "0", value=0, judge="y")]
    with pytest.raises(UsageError, match="two judges"):
        Judging(recorded=lines)


def test_score_exits_3_for_missing_judgments_offline() -> None:
    assert IncompleteError.exit_code == 3


def test_a_torn_last_line_is_cut_before_appending(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":')
    append_line(path, b'{"c":3}')
    assert path.read_bytes() == b'{"a":1}\n{"c":3}\n'
    path.write_bytes(b"x" * 200_000)
    append_line(path, b"y")
    assert path.read_bytes() == b"y\n"


def test_equal_lists_of_texts_alone_share_a_digest() -> None:
    assert digest("a", "bc") != digest("ab", "c")
    assert digest("a") == digest("a")


def test_a_run_is_found_by_its_key_and_by_part_of_its_name(tmp_path: Path) -> None:
    run = open_run(tmp_path, "abc123", "ten chars/../x")
    run.update(state="running")
    assert open_run(tmp_path, "abc123", "other").folder == run.folder
    assert find_run(tmp_path, "abc123").folder == run.folder
    assert find_run(tmp_path, "latest").folder == run.folder
    with pytest.raises(UsageError, match="no run"):
        find_run(tmp_path, "zzz")
    assert ".." not in run.folder.relative_to(tmp_path).parts


def test_a_suite_has_no_second_way_in() -> None:
    assert Suite().metrics == ()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Output("x", ("",)), "retrieved"),
        (Output("x", (Passage("p", score=float("nan")),)), "not finite"),
        (Output("x", answer=3), "answer"),  # type: ignore[arg-type]
    ],
)
def test_what_a_system_answers_is_checked_before_it_is_kept(answer: Output, said: str) -> None:
    class Odd:
        def answer(self, case: Case) -> Output:
            return answer

    (output,) = obtain(cases(1), Odd(), Limits(retries=0))
    assert output.error is not None and said in output.error


def test_one_case_in_two_files_is_a_fault(tmp_path: Path) -> None:
    line = '{"id":"q","relevant_document_ids":["a"],"retrieved_document_ids":["a"],"cited_document_ids":["a"]}\n'
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(line)
    ran = ragmeter("score", "a.jsonl", "b.jsonl", folder=tmp_path)
    assert ran.returncode == 2 and "stands in a.jsonl too" in ran.stderr


def test_two_interrupts_at_once_end_as_one_does(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\nopen('asked', 'a').write('x')\ntime.sleep(60)\n")
    command = ["run", str(CASES), "--target", f"command:{sys.executable} slow.py", "-m", "recall@3"]
    process = subprocess.Popen(
        [sys.executable, "-m", "ragmeter", *command], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 30
    while not (tmp_path / "asked").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"bug in ragmeter" not in said


def test_the_json_of_a_run_is_what_its_schemas_say(tmp_path: Path) -> None:
    import jsonschema

    schemas = ROOT / "src" / "ragmeter" / "schemas"
    ran = ragmeter("run", str(CASES), "--target", COMMAND, "-m", "recall@3", "--format", "json", folder=tmp_path)
    jsonschema.validate(json.loads(ran.stdout), json.loads((schemas / "report.schema.json").read_text()))
    kept = next((tmp_path / ".ragmeter" / "runs").glob("*/result.json"))
    jsonschema.validate(json.loads(kept.read_text()), json.loads((schemas / "result.schema.json").read_text()))
