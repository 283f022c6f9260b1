"""What gate metrics share: the passages that the relevance gate let pass.

A passage passes when its relevance is above the threshold. The relevance is the judgment `gate` whose subject
is the passage id; where no such judgment was recorded for the case, the score of the retrieved passage. A
missing relevance counts as 0. Where nothing was retrieved there was nothing to pass or to reject: that is
`nothing_retrieved` (option `nothing=null`), or a failure (`zero`, convention `strict`), or what the published
script makes of it, an empty list of passages (`empty`, convention `published`).
"""

from __future__ import annotations

from typing import Any

from ragmeter.facts import Facts
from ragmeter.metrics._judged import number
from ragmeter.records import Passage
from ragmeter.result import Score, null

OPTIONS: dict[str, Any] = {
    "needs": ("retrieved", "judgments", "texts"),
    "defaults": {"threshold": 0.0, "nothing": "null"},
    "conventions": {
        "retrieved": {"nothing": "null"},
        "strict": {"nothing": "zero"},
        "published": {"nothing": "empty"},
    },
    "proportion": True,
}


def nothing_there(facts: Facts, nothing: str) -> Score | None:
    """The score of a case for which nothing was retrieved; None when it is to be scored."""
    if facts.retrieved or nothing == "empty":
        return None
    return Score(0) if nothing == "zero" else null("nothing_retrieved")


def passed(facts: Facts, threshold: float) -> set[str]:
    """Ids of the passages above the threshold."""
    assert facts.output is not None
    judged = (facts.judged or {}).get("gate", {})
    if judged:
        return {id for id, one in judged.items() if not one.error and (number(one) or 0.0) > threshold}
    found = (one for one in facts.output.retrieved or () if isinstance(one, Passage))
    return {one.id for one in found if (one.score or 0.0) > threshold}
