"""A reference memory: window rewriter, summary buffer, episodic store. No model, no dependency, deterministic.

It is here so that the ablation runs end to end offline, and to be read. It does not understand: the rewriter names
one earlier line after the follow-up, the summary keeps the user's questions, the store finds by shared spelling.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ragmeter.records import Turn
from ragmeter.registry import find

SUMMARY_WORDS = 60
ANSWER_CHARACTERS = 400  # of an assistant's turn that a memory keeps
LEAST = 0.02  # similarity below which a memory is not recalled


class Episode(NamedTuple):
    """One remembered turn."""

    conversation: str
    turn: int
    text: str
    vector: Any


class Reference:
    """The smallest system with every capability that `memory:` drives."""

    def __init__(self) -> None:
        self.embedder = find("embedder", "lexical")("")
        self.episodes: dict[str, list[Episode]] = {}

    def rewrite(self, question: str, history: Sequence[Turn], context: Sequence[str]) -> str:
        """The follow-up with what it is about: the first line of the memory, else the last question in sight."""
        lines = [line for text in context for line in text.splitlines() if line.strip()]
        topic = lines[0] if lines else history[-1].user if history else ""
        return f"{question} ({topic})" if topic else question

    def summarize(self, history: Sequence[Turn]) -> str:
        """The user's questions, oldest first, as many as fit into SUMMARY_WORDS words."""
        kept: list[str] = []
        words = 0
        for turn in history:
            words += len(turn.user.split())
            if kept and words > SUMMARY_WORDS:
                break
            kept.append(turn.user)
        return "\n".join(kept)

    def observe(self, user: str, conversation: str, user_text: str, assistant_text: str) -> None:
        """Remember one turn of a user."""
        text = f"{user_text}\n{assistant_text[:ANSWER_CHARACTERS]}"
        held = self.episodes.setdefault(user, [])
        turn = sum(episode.conversation == conversation for episode in held)
        (vector,) = self.embedder.embed([text], "passage")
        held.append(Episode(conversation, turn, text, vector))

    def recall(self, user: str, query: str, conversation: str, k: int) -> list[dict[str, Any]]:
        """The k turns of this user's other conversations that are nearest to the query, nearest first.

        The conversation at hand is left out before the cut, so that it cannot crowd out earlier ones. Of equally
        near turns the older comes first.
        """
        (asked,) = self.embedder.embed([query], "query")
        scored = [
            (self.embedder.similarity(asked, episode.vector), episode)
            for episode in self.episodes.get(user, ())
            if episode.conversation != conversation
        ]
        near = sorted((pair for pair in scored if pair[0] >= LEAST), key=lambda pair: -pair[0])
        return [
            {"text": e.text, "conversation": e.conversation, "turn": e.turn, "score": score, "user": user}
            for score, e in near[:k]
        ]

    def stored(self, user: str, conversation: str) -> list[str]:
        """What is remembered of one conversation."""
        return [e.text for e in self.episodes.get(user, ()) if e.conversation == conversation]

    def close(self, user: str) -> None:
        """Forget a user."""
        self.episodes.pop(user, None)
