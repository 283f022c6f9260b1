"""The memory target: which method is called with what, errors apart from misses, users apart from each other."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ragmeter.memory import cause, leaks
from ragmeter.obtain import obtain, target
from ragmeter.records import Case, Output, Turn
from ragmeter.targets import TargetError, TargetUnusable
from ragmeter.targets.memory import Memory, Options, parsed

ROOT = Path(__file__).resolve().parents[3]
HISTORY = tuple(Turn(f"question {i}", f"answer {i}") for i in range(4))
B1 = Case("b1", "follow-up", history=HISTORY, expected=("question 0",), tags={"layer": "B1_summary"})
B2 = Case("b2", "follow-up", past=HISTORY[:2], expected=("question 1",), tags={"layer": "B2_episodic"})


class Spy:
    """Writes down every call; remembers nothing but what it is told to give."""

    gives: Any = ("question 1 and more",)

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        if name not in ("observe", "open", "end_conversation", "close"):
            raise AttributeError(name)
        return lambda *arguments: self.calls.append((name, *arguments))

    def rewrite(self, question: str, history: Sequence[Turn], context: list[str]) -> str:
        self.calls.append(("rewrite", [turn.user for turn in history], list(context)))
        return f"  {question} {' '.join(context)} "

    def summarize(self, history: Sequence[Turn]) -> str:
        self.calls.append(("summarize", [turn.user for turn in history]))
        return "question 0"

    def recall(self, *arguments: Any) -> Any:
        self.calls.append(("recall", *arguments))
        return self.gives


def driven(system: Any, spec: str = "") -> Memory:
    made: Memory = target(f"memory:reference{spec}")
    made.system = system
    return made


def test_b1_is_rewritten_with_the_window_and_then_with_the_summary_too() -> None:
    system = Spy()
    output = driven(system).answer(B1)
    window = ["question 2", "question 3"]
    assert system.calls == [
        ("rewrite", window, []),
        ("summarize", ["question 0", "question 1"]),
        ("rewrite", window, ["question 0"]),
    ]
    assert output.rewrites == {"baseline": "follow-up", "with_memory": "follow-up question 0"}
    assert [p.text for p in (output.recalled or {})["with_memory"]] == ["question 0"]  # type: ignore[union-attr]


def test_b2_tells_the_past_ends_it_and_recalls_for_the_same_user_in_a_new_conversation() -> None:
    system = Spy()
    output = driven(system, "?k=5").answer(B2)
    assert system.calls == [
        ("rewrite", [], []),
        ("open", "user:b2", "b2"),
        ("observe", "user:b2", "b2", "question 0", "answer 0"),
        ("observe", "user:b2", "b2", "question 1", "answer 1"),
        ("end_conversation", "user:b2", "b2"),
        ("open", "user:b2", "present:b2"),
        ("recall", "user:b2", "follow-up", "present:b2", 5),
        ("rewrite", [], ["question 1 and more"]),
    ]
    assert output.rewrites == {"baseline": "follow-up", "with_memory": "follow-up question 1 and more"}
    assert (output.recalled or {})["with_memory"][0].id == "?1"  # type: ignore[union-attr]


def test_a_short_history_has_nothing_to_summarise_and_the_window_is_an_option() -> None:
    system = Spy()
    driven(system, "?keep=4&window=1").answer(B1)
    assert system.calls == [("rewrite", ["question 3"], []), ("rewrite", ["question 3"], [])]


def test_a_system_that_owns_its_window_gets_the_whole_history() -> None:
    system = Spy()
    system.owns_window = True
    driven(system).answer(B1)
    assert system.calls[0] == ("rewrite", [turn.user for turn in HISTORY], [])


class Rewriter:
    def rewrite(self, question: str, history: Sequence[Turn], context: list[str]) -> str:
        return question


def test_a_layer_without_its_methods_is_not_run() -> None:
    for case in (B1, B2):
        assert driven(Rewriter()).answer(case) == Output(case.id, rewrites={"baseline": "follow-up"})


class Broken(Spy):
    def recall(self, *arguments: Any) -> Any:
        raise ConnectionError("refused")


def test_a_method_that_raises_fails_its_arm_and_is_no_miss() -> None:
    output = driven(Broken()).answer(B2)
    assert output.error is None and output.rewrites == {"baseline": "follow-up"}
    assert output.extra == {"errors": {"with_memory": "ConnectionError: refused"}}
    assert cause(B2, output) == "error"


class Mute(Rewriter):
    def rewrite(self, question: str, history: Sequence[Turn], context: list[str]) -> str:
        raise RuntimeError("down")


def test_where_every_arm_fails_the_case_failed() -> None:
    (output,) = obtain([B1], driven(Mute()))
    assert output.error == "RuntimeError: down" and output.rewrites is None


class Busy(Spy):
    tries = 0

    def recall(self, *arguments: Any) -> Any:
        self.tries += 1
        if self.tries == 1:
            raise TargetError("busy", after=0.0)
        return super().recall(*arguments)


def test_a_target_error_is_passed_on_and_a_second_try_begins_with_an_empty_user() -> None:
    system = Busy()
    made = driven(system)
    with pytest.raises(TargetError, match="busy"):
        made.answer(B2)
    assert made.answer(B2).rewrites == {"baseline": "follow-up", "with_memory": "follow-up question 1 and more"}
    names = [call[0] for call in system.calls]
    assert names.count("observe") == 4 and names.index("close") < names.index("recall")


def test_pooled_cases_are_conversations_of_one_user_told_before_the_first_question() -> None:
    system = Spy()
    made = driven(system, "?pooled")
    made.prepare([B1, B2])
    told = [call[1:3] for call in system.calls if call[0] == "observe"]
    assert told == [("pool", "b1")] * 4 + [("pool", "b2")] * 2
    before = len(system.calls)
    made.answer(B2)
    assert [call[0] for call in system.calls[before:]] == ["rewrite", "open", "recall", "rewrite"]


def test_pooled_without_preparation_fails_the_case_and_says_why() -> None:
    (output,) = obtain([B2], driven(Spy(), "?pooled"))
    assert output.error is not None and "call prepare(cases)" in output.error


def test_what_could_not_be_told_fails_that_case_alone() -> None:
    class Forgetful(Spy):
        def __getattr__(self, name: str) -> Any:
            if name != "observe":
                return super().__getattr__(name)
            return self.refuse

        def refuse(self, user: str, conversation: str, *said: str) -> None:
            if conversation == "b1":
                raise ValueError("full")

    made = driven(Forgetful(), "?pooled")
    other = Case("b1", "x", past=HISTORY)
    made.prepare([other, B2])
    assert made.answer(other).extra == {"errors": {"with_memory": "ValueError: full"}}
    assert made.answer(B2).rewrites == {"baseline": "follow-up", "with_memory": "follow-up question 1 and more"}


def test_words_of_another_user_that_come_back_are_a_leak() -> None:
    secret = Case("s", "x", past=(Turn("my licence number is 4711", "Noted."),))
    system = Spy()
    system.gives = [
        "my licence number is 4711\nNoted.",
        {"text": "mine", "user": "user:b2", "conversation": "b2", "turn": 1},
    ]
    made = driven(system)
    assert leaks(made.answer(secret)) == 1  # of the two, the second says that it is another's
    assert leaks(made.answer(B2)) == 1  # here the first one is
    assert (made.answer(B2).extra or {})["owners"] == {"?1": "user:s", "b2#1": "user:b2"}


def test_the_reference_keeps_users_and_conversations_apart() -> None:
    from ragmeter.targets._reference_memory import Reference

    system = Reference()
    system.observe("a", "old", "my fishing permit", "Yes.")
    system.observe("b", "old", "my fishing permit too", "Yes.")
    for i in range(8):
        system.observe("a", "now", f"the fishing permit {i}", "Yes.")
    assert [m["text"] for m in system.recall("a", "the fishing permit", "now", 3)] == ["my fishing permit\nYes."]
    assert system.recall("c", "fishing permit", "now", 3) == []
    system.close("a")
    assert system.stored("a", "old") == []


def test_options_that_do_not_fit_are_named() -> None:
    assert parsed("pooled&k=7&window=0&keep=1") == Options(True, 7, 0, 1)
    for bad in ("k=0", "pooled=1", "window=-1", "depth=2", "k="):
        with pytest.raises(TargetUnusable, match="expected pooled, k=N"):
            parsed(bad)
    for spec in ("memory:", "memory:no_such_module:make", "memory:reference2"):
        with pytest.raises(TargetUnusable):
            target(spec)
    with pytest.raises(TargetUnusable, match="has no method rewrite"):
        target("memory:collections:Counter")


def test_the_command_prints_both_layers_with_and_without(tmp_path: Path) -> None:
    cases = ROOT / "examples" / "memory" / "cases.jsonl"
    metrics = "coreference:baseline,coreference,coreference_gain_p,coreference:all"
    command = [
        "run",
        str(cases),
        "--target",
        "memory:reference",
        "-m",
        metrics,
        "--by",
        "layer",
        "--format",
        "markdown",
    ]
    ran = subprocess.run(
        [sys.executable, "-m", "ragmeter", *command], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    b1, b2 = ran.stdout.split("## layer=B1_summary")[1].split("## layer=B2_episodic")
    assert "| coreference:baseline | 0.2500 |" in b1 and "| coreference | 1.0000 |" in b1
    assert "| coreference:baseline | 0.0000 |" in b2 and "| coreference | 1.0000 |" in b2
    assert "| coreference_gain_p | 0.1250 |" in b2 and "| coreference:all | 1.0000 |" in b2
