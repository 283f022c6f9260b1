"""How answers for S2 fixtures are compared: the deliberate deviations, and nothing else, are allowed.

Means are exact here and summed left to right in the script, so that numbers are compared at 1e-12; our JSON
has more beside the script's three keys.
"""

import re
from typing import Any

CLOSE = 1e-12
FAILED = re.compile(r"Threshold failed: (\S+)=(\S+) is below (\S+)")


def same_json(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Keys, values and their order, but for what we add at the top."""
    kept = {key: ours[key] for key in theirs}
    assert list(ours)[: len(theirs)] == list(theirs)
    same(kept, theirs, "$")


def same(ours: Any, theirs: Any, place: str) -> None:
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs), place
        for key in theirs:
            same(ours[key], theirs[key], f"{place}.{key}")
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs), place
        for i, pair in enumerate(zip(ours, theirs, strict=True)):
            same(*pair, f"{place}[{i}]")
    elif isinstance(theirs, int | float) and not isinstance(theirs, bool):
        assert type(ours) in (int, float) and abs(ours - theirs) <= CLOSE, f"{place}: {ours} != {theirs}"
    else:
        assert ours == theirs, place


def same_messages(ours: list[str], theirs: list[str]) -> None:
    """After a report: every line, numbers compared as numbers. After a refusal: the first line."""
    failed = [FAILED.fullmatch(line) for line in theirs]
    if not all(failed):
        assert ours[:1] == theirs[:1]
        return
    assert len(ours) == len(theirs), ours
    for line, expected in zip(ours, failed, strict=True):
        found = FAILED.fullmatch(line)
        assert found and expected, line
        assert (found[1], found[3]) == (expected[1], expected[3])
        if found[2] != expected[2]:
            assert abs(float(found[2]) - float(expected[2])) <= CLOSE, line
