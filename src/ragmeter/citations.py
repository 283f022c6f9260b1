"""An answer as citation metrics see it: its sentences, its markers, and which source each marker means.

Two sets of rules. `plain` reads every marker style in sentences of any language; `dvc` keeps the sentence and
marker rules of the published DVC-RAG experiment, quirks included. Sources are the passages that carry numbers
(`Passage.indices`), else the contexts (else the retrieved passages) by their place, from 1 or from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ragmeter.records import Case, Citation, Output, Passage, passage_ids
from ragmeter.text.dvc import CLAIM, dvc_citation_counts, dvc_spans
from ragmeter.text.markers import Marker, MarkerReport, diagnose, guess_base, main_style, markers, numbered, sentence_of
from ragmeter.text.sentences import sentences

RULES = ("plain", "dvc")


class Reading(NamedTuple):
    """One answer, read once.

    `spans` are (start, end) of the kept sentences; `cites` holds, for each of them, the keys of its markers in
    order, repeats and dangling ones included; `sources` maps a key to a passage id.
    """

    answer: str
    style: str
    spans: tuple[tuple[int, int], ...]
    markers: tuple[Marker, ...]
    cites: tuple[tuple[str, ...], ...]
    sources: Mapping[str, str]
    rules: str = "plain"
    recorded: bool = True  # whether the passages that could be cited were recorded, be there none

    def valid(self, sentence: int) -> tuple[str, ...]:
        """The keys in this sentence that name a source, in order, repeats included."""
        return tuple(key for key in self.cites[sentence] if key in self.sources)

    @property
    def cited_sentences(self) -> tuple[int, ...]:
        """The sentences with at least one marker that names a source."""
        return tuple(i for i in range(len(self.spans)) if self.valid(i))

    @property
    def cited(self) -> tuple[str, ...]:
        """Ids of the cited passages, each once, in order of first citation; those of lost markers too."""
        keys = (key for marker in self.markers for key in marker.keys)
        return tuple(dict.fromkeys(self.sources[key] for key in keys if key in self.sources))

    @property
    def uncited_claims(self) -> int:
        """Sentences of more than 30 code points without any marker (under `dvc` not the courtesies)."""
        if self.rules == "dvc":
            return dvc_citation_counts(self.answer, ()).n_uncited_claim
        long = (end - start > CLAIM for start, end in self.spans)
        return sum(is_long and not keys for is_long, keys in zip(long, self.cites, strict=True))

    @property
    def report(self) -> MarkerReport:
        """Dangling, unused, duplicate, out-of-range and lost markers."""
        return diagnose(self.markers, self.sources if self.recorded else None, self.spans)

    def sentence(self, index: int) -> str:
        """The text of one sentence."""
        start, end = self.spans[index]
        return self.answer[start:end]


def read_answer(output: Output, *, rules: str = "plain", base: int | None = None) -> Reading:
    """Read the answer of an output; a missing answer reads as an empty one.

    `base` is the number of the first source where passages carry none; without it the answer decides (0 when
    it cites 0 and not the one past the end). Raises ValueError for unknown rules.
    """
    if rules not in RULES:
        raise ValueError(f"unknown rules '{rules}': one of {', '.join(RULES)}")
    answer = output.answer or ""
    found = _markers(answer, output, rules)
    spans = dvc_spans(answer) if rules == "dvc" else tuple((s.start, s.end) for s in sentences(answer))
    cites: list[list[str]] = [[] for _ in spans]
    for marker, place in zip(found, sentence_of(found, spans), strict=True):
        if place is not None:
            cites[place] += marker.keys
    sources = source_map(output, found, base=base)
    recorded = output.contexts is not None or output.retrieved is not None
    return Reading(answer, main_style(found), spans, found, tuple(map(tuple, cites)), sources, rules, recorded)


def carries_numbers(output: Output) -> bool:
    """Whether passages say by which numbers they are cited."""
    return any(isinstance(p, Passage) and p.indices is not None for p in _passages(output))


def _passages(output: Output) -> Sequence[str | Passage]:
    return (output.contexts if output.contexts is not None else output.retrieved) or ()


def _markers(answer: str, output: Output, rules: str) -> tuple[Marker, ...]:
    if rules == "dvc":  # 【digits】 and nothing else
        found = markers(answer, styles=("lenticular",))
        return tuple(one for one in found if one.text[1:-1].isdecimal())
    return markers(answer, ids=frozenset(passage_ids(output.contexts) or passage_ids(output.retrieved)))


def source_map(output: Output, found: Sequence[Marker] = (), *, base: int | None = None) -> dict[str, str]:
    """From the key of a marker to a passage id; where two passages claim one number the later one has it."""
    passages = _passages(output)
    if carries_numbers(output):
        return {str(i): p.id for p in passages if isinstance(p, Passage) for i in p.indices or ()}
    ids = passage_ids(passages)
    if main_style(found) == "id":
        return {id: id for id in ids}
    first = guess_base(found, len(ids)) if base is None else base
    by_number = dict(zip(numbered(len(ids), base=first), ids, strict=True))
    known = frozenset(ids)
    return by_number | {key: key for marker in found for key in marker.keys if key in known and key not in by_number}


def citations(reading: Reading) -> Iterator[Citation]:
    """One record per marker and key, in order: the passage (None: dangling) and the sentence (None: lost)."""
    places = sentence_of(reading.markers, reading.spans)
    for marker, place in zip(reading.markers, places, strict=True):
        for key in marker.keys:
            yield Citation(marker.text, reading.sources.get(key), place)


def s2_line(case: Case, output: Output) -> dict[str, Any]:
    """The case as a line of the offline harness: relevant, retrieved and cited ids.

    Cited ids are those recorded, else those of the answer's markers.
    """
    cited = output.cited if output.cited is not None else read_answer(output).cited
    return {
        "id": case.id,
        "relevant_document_ids": [id for id, grade in (case.qrels or {}).items() if grade > 0],
        "retrieved_document_ids": list(passage_ids(output.retrieved)),
        "cited_document_ids": list(cited),
    }
