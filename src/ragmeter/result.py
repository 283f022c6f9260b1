"""What comes out: a Score per case and metric, an Estimate per metric and slice, a Result for the whole.

A score is a ratio `num`/`den` (or a value over 1), or null with a reason. It is never NaN and never 0.0
for "could not be computed".
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct, field

# Why a score is null. The place in this tuple is the code that kernels write; 0 says "there is a score".
REASONS = (
    "",
    "no_relevant",
    "nothing_retrieved",
    "no_citations",
    "no_answer",
    "no_claims",
    "no_references",
    "not_judged",
    "not_recorded",
    "not_answerable",
    "answerable",
    "no_sentences",
    "no_cited_sentences",
    "no_checklist",
    "no_relevant_retrieved",
    "not_scored",
    "unranked",
    "undefined",
    "judge_unparsable",
    "judge_error",
    "timeout",
    "target_error",
    "no_nonrelevant",
    "no_contexts",
    "no_expected",
    "no_rewrite",
    "no_recall",
    "refused",
    "no_numbers",
    "no_bad_answers",
    "not_obtained",
)
CODES = {reason: code for code, reason in enumerate(REASONS)}
NO_RELEVANT = CODES["no_relevant"]
NOTHING_RETRIEVED = CODES["nothing_retrieved"]
NOT_RECORDED = CODES["not_recorded"]
UNDEFINED = CODES["undefined"]

# Reasons that are failures of a system or a judge, counted as n_error and never as a score.
ERRORS = frozenset({"judge_unparsable", "judge_error", "timeout", "target_error", "not_obtained"})


class Score(NamedTuple):
    """One metric on one case: num/den when `reason` is empty, else null for that reason."""

    num: float
    den: float = 1
    reason: str = ""

    @property
    def value(self) -> float | None:
        """The number, or None when the score is null."""
        return None if self.reason else self.num / self.den


def null(reason: str) -> Score:
    """No score, and why. `reason` is one of REASONS (a plugin may bring its own word)."""
    return Score(0, 1, reason)


class Estimate(Struct, frozen=True, omit_defaults=False):
    """One metric over the cases of one slice, with the number of cases it stands on.

    `metric` is the name as shown, `definition` the full `name:convention@k`. `slice` is '' for all cases, else
    'tag=value'. `value` is None when nothing was scored. `low` and `high` bound it at 95 % where `interval`
    says how ('wilson', 'bootstrap', 't', ...), else they are None ('too_few', 'none').
    """

    metric: str
    definition: str
    slice: str
    value: float | None
    n_scored: int
    n_null: dict[str, int] = field(default_factory=dict)
    n_error: int = 0
    low: float | None = None
    high: float | None = None
    interval: str = "none"
    higher_is_better: bool = True

    @property
    def nulls(self) -> int:
        """How many cases were left out of the value, errors not counted."""
        return sum(self.n_null.values())


class Outcome(Struct, frozen=True):
    """One gate and what became of it: PASS, FAIL or INCONCLUSIVE, with the sentence that says why.

    `needed` is about how many cases would settle an inconclusive one, `kind` what the gate is on ('point', 'lower',
    'upper', 'nulls', 'errors', 'share', 'regression').
    """

    gate: str
    outcome: str
    value: float | None
    threshold: float
    message: str
    metric: str = ""
    slice: str = ""
    needed: int | None = None
    kind: str = "point"

    @property
    def on_scale(self) -> bool:
        """Whether the threshold is a value of the metric; that of a share or a loss is none."""
        return self.kind in ("point", "lower", "upper")


class Verdict(Struct, frozen=True):
    """All gates of a run. Text, JUnit, GitHub summary and the exit code all come from this object."""

    outcomes: tuple[Outcome, ...] = ()
    inconclusive_fails: bool = True

    @property
    def passed(self) -> bool:
        """Whether every gate passes (an inconclusive one does only when told so)."""
        bad = {"FAIL", "INCONCLUSIVE"} if self.inconclusive_fails else {"FAIL"}
        return all(outcome.outcome not in bad for outcome in self.outcomes)

    @property
    def exit_code(self) -> int:
        """0 when the gates pass, else 1."""
        return 0 if self.passed else 1


class Row(Struct, frozen=True, omit_defaults=False):
    """One case of a result: a value or None per metric, the reason of each None, the flags.

    `tags` are the values of the slices asked for; `cluster` is the case's own, so that a later comparison of two
    runs knows which cases stand together.
    """

    id: str
    metrics: dict[str, float | None]
    diagnostics: tuple[str, ...] = ()
    nulls: dict[str, str] | None = None
    tags: dict[str, str] | None = None
    extra: dict[str, Any] | None = None
    cluster: str | None = None


class Result(Struct, frozen=True, omit_defaults=False):
    """A measured run: estimates, counts of diagnostics, and where the numbers come from.

    `provenance` holds version, schema, profile, its conventions in words, seed, and the inputs with hashes.
    Case rows stand beside it in scores.jsonl. It holds no clock times and no costs.
    """

    case_count: int
    k: int | None
    estimates: tuple[Estimate, ...]
    diagnostics: dict[str, int]
    provenance: dict[str, Any]
    verdict: Verdict | None = None
    title: str = ""

    def find(self, metric: str, slice: str = "") -> Estimate | None:
        """The estimate of that metric (as shown, or its full definition) in that slice, if there is one."""
        for estimate in self.estimates:
            if estimate.slice == slice and metric in (estimate.metric, estimate.definition):
                return estimate
        return None
