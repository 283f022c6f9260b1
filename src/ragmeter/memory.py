"""Conversations that a rewriter must remember: arms, null systems, what went wrong, what is odd about a case.

A memory case asks a follow-up (`question`) that only makes sense with what was said before: earlier in this
conversation (`history`, layer B1) or in another one of the same user (`past`, layer B2). An arm is one way of
rewriting it: `baseline` without the layer, `with_memory` with it, and three null systems that anybody could
write and that stand beside them: `null:identity` (the follow-up as it is), `null:window` (with the last turns
pasted on) and `null:all` (with all turns pasted on). A system whose gain is no larger than theirs has shown
nothing.

A rewrite hits when it contains one of the expected strings, by a mode of `text.normal` ('seed' is the published
one). What an Output tells about arms beyond `rewrites` and `recalled` stands in its `extra`:

    errors   {arm: message}           the arm failed: an error, never a miss
    stored   {arm: [texts]}           what the memory holds of this case's earlier turns, where it can say so
    user     who asked                owners {recalled id: user}   whose memory it was

A recalled passage's id is its source, `SESSION` or `SESSION#TURN`; one that begins with '?' has an unknown source.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ragmeter.records import Case, Output, Passage, Turn
from ragmeter.text.normal import MODES, SHORT, depends_on_mode, fold, hits, seed_fold

WINDOW = 2  # turns that a rewriter sees without a memory; the published experiment's
BASELINE, WITH_MEMORY = "baseline", "with_memory"
IDENTITY, LAST, ALL = "null:identity", "null:window", "null:all"
NULLS = (IDENTITY, LAST, ALL)
CAUSES = ("error", "not_stored", "not_recalled", "unused", "unknown")
UNKNOWN = "?"
COPIED = 8  # words in a row taken from the conversation, from which on a rewrite is flagged
LONG = 4  # times the follow-up's words, from which on it is


def layer(case: Case) -> str:
    """'B1' (this conversation) or 'B2' (an earlier one): the tag `layer` decides, else whether there is a past."""
    said = (case.tags or {}).get("layer", "")[:2].upper()
    return said if said in ("B1", "B2") else "B2" if case.past else "B1"


def dialogue(case: Case) -> tuple[Turn, ...]:
    """All that was said before the follow-up, oldest first. Empty where it was not recorded."""
    return case.past + case.history


def pasted(question: str, turns: Sequence[Turn]) -> str:
    """The question with turns pasted on, a line each."""
    return "\n".join([question, *(text for turn in turns for text in (turn.user, turn.assistant) if text)])


def null_rewrite(case: Case, arm: str, *, window: int = WINDOW) -> str | None:
    """What a null system makes of the case; None where it needs turns and none are recorded."""
    if arm == IDENTITY:
        return case.question
    if not dialogue(case):
        return None
    if arm == LAST:
        return pasted(case.question, case.history[-window:] if window else ())
    return pasted(case.question, dialogue(case))


def rewrite(case: Case, output: Output, arm: str) -> tuple[str, str]:
    """(the rewrite of that arm, '') or ('', reason of result.REASONS why there is none)."""
    if arm in NULLS:
        text = null_rewrite(case, arm)
        return (text, "") if text is not None else ("", "not_recorded")
    said = _said(output, "errors").get(arm)
    if said is not None:
        return "", "timeout" if str(said).startswith("timeout") else "target_error"
    if output.rewrites is None:
        return "", "not_recorded"
    if arm not in output.rewrites:
        return "", "no_rewrite"
    return output.rewrites[arm], ""


def wanted(words: Iterable[str]) -> tuple[str, ...]:
    """The strings that can be looked for: one that is blank once folded would be found in every text."""
    return tuple(word for word in words if seed_fold(word).strip() and fold(word))


def holds(texts: Iterable[str], words: Sequence[str], mode: str = "seed") -> bool:
    """Whether any text contains any of the words."""
    return any(hits(text, words, mode=mode) for text in texts)


def recalled(output: Output, arm: str) -> tuple[str | Passage, ...] | None:
    """What memory brought back for that arm, in rank order; None where it was not recorded."""
    return None if output.recalled is None else output.recalled.get(arm)


def texts(items: Sequence[str | Passage]) -> list[str] | None:
    """The texts of what was recalled; None where one has only its id."""
    found = [item.text for item in items if isinstance(item, Passage) and item.text is not None]
    return found if len(found) == len(items) else None


def sources(items: Sequence[str | Passage]) -> list[str] | None:
    """The source ids of what was recalled, in order; None where one has none."""
    ids = [item if isinstance(item, str) else item.id for item in items]
    return None if any(id.startswith(UNKNOWN) for id in ids) else ids


def stored(output: Output, arm: str) -> list[str] | None:
    """What the memory holds of this case's earlier turns; None where the system cannot say."""
    held = _said(output, "stored").get(arm)
    return [str(text) for text in held] if isinstance(held, list) else None


def cause(case: Case, output: Output, *, arm: str = WITH_MEMORY, mode: str = "seed") -> str:
    """Why that arm missed, one of CAUSES; '' for a hit, and where there is nothing to hit or no rewrite.

    error: the arm failed. not_stored: the memory does not hold an expected string. not_recalled: what came back
    does not (it is stored, or nobody knows). unused: it came back, and the rewrite lacks it. unknown: what came
    back was not recorded.
    """
    words = wanted(case.expected)
    if output.error is not None:
        return "error"
    text, reason = rewrite(case, output, arm)
    if reason in ("timeout", "target_error"):
        return "error"
    if reason or not words or hits(text, words, mode=mode):
        return ""
    back = recalled(output, arm)
    said = None if back is None else texts(back)
    if said is None:
        return "unknown"
    if holds(said, words, mode):
        return "unused"
    held = stored(output, arm)
    return "not_stored" if held is not None and not holds(held, words, mode) else "not_recalled"


def lint(case: Case, *, window: int = WINDOW) -> tuple[str, ...]:
    """What makes a memory case prove little, in a fixed order. Strings count as found in any mode but 'accent'.

    expected_blank: an expected string is blank, and would be found in every text. expected_short: it has so few
    letters that chance finds it. expected_in_question: the follow-up holds it already. expected_in_window: the
    last turns do, so no memory is needed. expected_nowhere: what memory could bring back does not hold it.
    history_in_b2: a case about an earlier conversation has turns of its own.
    """
    if not case.expected:
        return ()
    words = wanted(case.expected)
    found = ["expected_blank"] if len(words) < len(case.expected) else []
    if any(len(fold(word).replace(" ", "")) <= SHORT for word in words):
        found.append("expected_short")
    if _anywhere([case.question], words):
        found.append("expected_in_question")
    if dialogue(case):
        recent = case.history[-window:] if window else ()
        old = case.past if layer(case) == "B2" else case.history[: len(case.history) - len(recent)]
        if in_window := _anywhere([pasted("", recent)], words):
            found.append("expected_in_window")
        if words and not in_window and not _anywhere([pasted("", old)], words):
            found.append("expected_nowhere")
    if layer(case) == "B2" and case.history:
        found.append("history_in_b2")
    return tuple(found)


def memory_flags(case: Case, output: Output) -> tuple[str, ...]:
    """The flags of a memory case and what was made of it, in a fixed order; none for other cases.

    Those of `lint`, then memory_CAUSE (see `cause`), hit_depends_on_mode (an arm hits in one mode and misses in
    another), empty_rewrite, rewrite_copies_context (COPIED words in a row out of the conversation),
    rewrite_is_long (LONG times the follow-up), forbidden_hit, cross_user_leak.
    """
    if not case.expected and not case.forbidden:
        return ()
    found = list(lint(case))
    if why := cause(case, output):
        found.append(f"memory_{why}")
    said = output.rewrites or {}
    words = wanted(case.expected)
    if words and any(depends_on_mode(text, words) for text in said.values()):
        found.append("hit_depends_on_mode")
    if any(not text.strip() for text in said.values()):
        found.append("empty_rewrite")
    if WITH_MEMORY in said:
        found += _shape(case, said[WITH_MEMORY])
    if leaks(output):
        found.append("cross_user_leak")
    return tuple(found)


def leaks(output: Output) -> int | None:
    """How many recalled memories belong to another user; None where their owners were not recorded."""
    owners, user = _said(output, "owners"), (output.extra or {}).get("user")
    if output.recalled is None or user is None or "owners" not in (output.extra or {}):
        return None
    ids = {item.id for items in output.recalled.values() for item in items if isinstance(item, Passage)}
    return sum(owners.get(id, user) != user for id in ids)


def _shape(case: Case, text: str) -> Iterable[str]:
    from ragmeter.text.overlap import copied, length_ratio

    run, _ = copied(text, pasted("", dialogue(case)))
    if run >= COPIED:
        yield "rewrite_copies_context"
    ours, asked = length_ratio(text, case.question)
    if asked and ours >= LONG * asked:
        yield "rewrite_is_long"
    if hits(text, wanted(case.forbidden)):
        yield "forbidden_hit"


def _anywhere(texts: Sequence[str], words: Sequence[str]) -> bool:
    return any(holds(texts, words, mode) for mode in MODES if mode != "accent")


def _said(output: Output, key: str) -> dict[str, Any]:
    held = (output.extra or {}).get(key)
    return held if isinstance(held, dict) else {}
