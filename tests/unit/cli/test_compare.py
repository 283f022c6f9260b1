"""The commands around a comparison: runs with answers, JSON reports as baselines, exit codes, annotations."""

from pathlib import Path

import pytest
from msgspec import json

from ragmeter.cli import main

CASES = "".join(
    f'{{"id":"câu{i}","question":"?","qrels":{{"d{i}":1}},"tags":{{"language":"vi"}},"cluster":"c{i}"}}\n' for i in range(40)
)  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    Path("cases.jsonl").write_text(CASES)
    for name, hit in (("good", 40), ("bad", 10)):
        lines = [
            {"case": f"câu{i}", "retrieved": [f"d{i}" if i < hit else "khác"], "answer": f"{name} {i}"}
            for i in range(40)
        ]
        Path(f"{name}.jsonl").write_bytes(b"".join(json.encode(line) + b"\n" for line in lines))
        code = main(["score", "cases.jsonl", f"{name}.jsonl", "-m", "recall@5", "--by", "language", "--format", f"json={name}.json"])  # fmt: skip
        assert code == 0
    return tmp_path


def test_two_json_reports_are_compared(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["compare", "good.json", "bad.json", "--format", "json"]) == 0
    said = json.decode(capsys.readouterr().out)["comparison"]
    whole = said["deltas"][0]
    assert (whole["effect"], whole["losses"], whole["verdict"], whole["test"]) == (-0.75, 30, "worse", "mcnemar_exact")
    assert said["deltas"][1]["slice"] == "language=vi"
    for form in ("terminal", "markdown", "csv"):
        assert main(["compare", "good.json", "bad.json", "--format", form]) == 0
        assert "recall@5" in capsys.readouterr().out


def test_run_folders_show_answers_and_passages(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("good", "bad"):
        Path(f"{name}.py").write_text(
            "import sys,json\n"
            "case=json.load(sys.stdin)\n"
            f"line=[l for l in open('{name}.jsonl',encoding='utf-8') if json.loads(l)['case']==case['id']][0]\n"
            "sys.stdout.buffer.write(line.encode())\n"
        )
        import sys

        argv = ["run", "cases.jsonl", "--target", f"command:--json {sys.executable} {name}.py", "--name", name]
        assert main([*argv, "--allow-code", "-m", "recall@5"]) == 0
    capsys.readouterr()
    assert main(["compare", "good", "bad", "--format", "json"]) == 0
    worst = json.decode(capsys.readouterr().out)["comparison"]["regressions"][0]
    assert worst["answer_base"].startswith("good") and worst["answer_new"].startswith("bad")
    assert worst["passages"]["entered"] == ["khác"] and len(worst["passages"]["left"]) == 1
    assert main(["gate", "bad", "--baseline", "good", "--gate", "no regression of recall@5 beyond 0.01"]) == 1
    assert main(["gate", "good", "--baseline", "bad", "--gate", "no regression of recall@5 beyond 0.01"]) == 0


@pytest.mark.parametrize(
    ("rule", "code", "said"),
    [
        ("no regression of recall@5 beyond 0.01", 1, "no regression of recall@5 beyond 0.01 fails: recall@5 changed by -0.75"),
        ("no regression of recall@5[language=vi]", 1, "[language=vi]"),
        ("lower(recall@5) >= 0.2", 1, "is not decided"),
        ("lower(recall@5) >= 0.1", 0, ""),
        ("errors <= 0", 0, ""),
        ("recal@5 >= 0.1", 2, "did you mean 'recall@5'"),
        ("recall@5 => 0.1", 2, "column 10"),
    ],
)  # fmt: skip
def test_a_gate_in_words(place: Path, capsys: pytest.CaptureFixture[str], rule: str, code: int, said: str) -> None:
    capsys.readouterr()
    argv = ["score", "cases.jsonl", "bad.jsonl", "-m", "recall@5", "--by", "language", "--gate", rule]
    argv += ["--baseline", "good.json"] if "regression" in rule else []
    assert main([*argv, "--format", "junit=out.xml"]) == code
    assert said in capsys.readouterr().err
    if code != 2:
        from xml.etree import ElementTree

        suite = ElementTree.parse("out.xml").getroot()
        assert suite.get("failures") == str(code)
        assert [c.get("name") for c in suite.iter("testcase")][1].replace(" ", "")[:6] == rule.replace(" ", "")[:6]


def test_what_is_not_decided_passes_only_when_told_so(place: Path) -> None:
    argv = ["score", "cases.jsonl", "bad.jsonl", "-m", "recall@5", "--gate", "lower(recall@5) >= 0.2"]
    assert (main(argv), main([*argv, "--inconclusive", "pass"])) == (1, 0)


def test_settings_hold_gates_and_the_baseline(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = 'cases = ["cases.jsonl", "bad.jsonl"]\nmetrics = ["recall@5"]\nbaseline = "good.json"\n'
    Path("ragmeter.toml").write_text(text + 'gates = ["no regression of recall@5"]\n')
    assert main(["score"]) == 1
    assert main(["score", "--inconclusive", "pass"]) == 1
    Path("ragmeter.toml").write_text(text + 'gates = ["errors <= 0"]\ninconclusive = "ignore"\n')
    capsys.readouterr()
    assert main(["score"]) == 2
    assert "inconclusive" in capsys.readouterr().err


def test_github_gets_an_annotation_that_text_cannot_break(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    capsys.readouterr()
    assert main(["score", "cases.jsonl", "bad.jsonl", "-m", "recall@5", "--gate", "lower(recall@5) >= 0.2"]) == 1
    lines = [line for line in capsys.readouterr().err.split("\n") if line.startswith("::")]
    assert len(lines) == 1 and lines[0].startswith("::error title=ragmeter INCONCLUSIVE::lower(recall@5)")
    assert "95 %25" not in lines[0] and "cases would be needed" in lines[0]


def test_a_baseline_that_nobody_asks_for_is_a_mistake(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "cases.jsonl", "bad.jsonl", "-m", "recall@5", "--baseline", "good.json"]) == 2
    assert "no regression of" in capsys.readouterr().err
