"""S2 is kept as it is: every recorded answer of the harness's own script is ours too."""

import json
from pathlib import Path

import pytest

from tests.helpers.command import ragmeter
from tests.helpers.s2 import same_json, same_messages

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT.parent / "shared" / "conformance" / "s2"
NAMES = sorted(path.name.removesuffix(".expected.json") for path in RECORDED.glob("*.expected.json"))
# Two of the recorded cases stand in for all when the data are not there, so that the absence is seen.
SHOWN = NAMES or ["absent"]


@pytest.mark.parametrize("name", SHOWN)
def test_the_answer_is_that_of_the_script(name: str) -> None:
    if not NAMES:
        pytest.skip("no recorded answers: ../shared/conformance/s2 does not exist beside the checkout")
    fixture = RECORDED / f"{name}.jsonl"
    before = fixture.read_bytes()
    arguments = json.loads((RECORDED / f"{name}.args.json").read_bytes())
    expected = json.loads((RECORDED / f"{name}.expected.json").read_bytes())
    ran = ragmeter("score", str(fixture), *arguments)
    assert ran.code == expected["exit_code"], ran.stderr
    if isinstance(expected["stdout"], dict):
        same_json(json.loads(ran.stdout), expected["stdout"])
    else:
        assert ran.stdout == expected["stdout"]
    same_messages(ran.messages, expected["stderr"])
    assert fixture.read_bytes() == before


def test_enough_was_recorded() -> None:
    if not NAMES:
        pytest.skip("no recorded answers: ../shared/conformance/s2 does not exist beside the checkout")
    kinds = {name.split("-")[0] for name in NAMES}
    assert {"good", "bad", "args"} <= kinds and len(NAMES) >= 50
