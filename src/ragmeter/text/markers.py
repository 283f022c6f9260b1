"""Citation markers in an answer: where they stand, what they cite, and what is wrong with them.

    style       looks like                                          ids
    square      [3]  [1, 2]  [1-3]  [3](https://...)  [[3]]         "3" ...
    lenticular  【3】  【1, 2】                                       "3" ...
    footnote    [^3]  [^note]  (the line "[^3]: ..." is no use)     "3"
    label       [E1]  [S1, S2]  [Doc 3]                             "E1" ..., "3"
    file        【4:0†source】                                       "4:0"
    graphrag    [Data: Sources (1, 2, +more); Reports (3)]          "1" ..., one record per group
    id          (doc-7)  [doc-7]  【doc-7】                           only ids that are given as known

Adjacent markers [1][2] are two records. Numbers are plain text without leading zeros, whatever the digits of
the language; whether the first source is 0 or 1 is the business of the source map (see `numbered`). A missing
parenthesis or bracket in a graphrag marker is forgiven. `+more` sets `more`: what is cited is then known in
part only, and a recall over it is a lower bound.

The work is linear in the length of the text: no pattern looks further than the next opening bracket.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

STYLES = ("square", "lenticular", "footnote", "label", "file", "graphrag", "id")
WIDEST_RANGE = 100  # [1-3] is three sources; [1900-2024] is two years and no marker
FURTHEST = 2000  # characters a graphrag bracket may be long

_NUMBERS = r"\d{1,6}+(?: {0,2}+[,;–-] {0,2}+\d{1,6}+){0,63}+"
_LABEL = r"(?:[A-Z]{1,3}+[-_.]?+\d{1,6}+)"
_NAMED = (
    r"(?:(?i:documents?|docs?|sources?|src|passages?|refs?|references?|contexts?|chunks?)"
    r"|(?i:nguồn|tài liệu|quellen?)|来源|來源|文档|資料|出典|출처|자료|مصدر) {0,2}+[#:_-]? {0,2}+\d{1,6}+"
)
_INSIDE = re.compile(
    rf" ?+(?:(?P<numbers>{_NUMBERS})|(?P<label>{_LABEL}(?: {{0,2}}+[,;] {{0,2}}+{_LABEL}){{0,31}}+)"
    rf"|(?P<named>{_NAMED}(?: {{0,2}}+[,;] {{0,2}}+(?:{_NAMED}|\d{{1,6}}+)){{0,31}}+)) ?+"
)
_FOOTNOTE = re.compile(r"\[\^([\w.-]{1,40}+)\]")
_FILE = re.compile(r"【 ?+(\d{1,6}+(?::\d{1,6}+)?+)†[^】【\n]{0,100}+】")
_LINK = re.compile(r"\((?:https?:|www\.|#|/)[^()\s]{0,500}+\)")
_DEFINITION = re.compile(r":|[ \t]{1,4}(?:https?:|www\.)")
_DATA = re.compile(r"\[ ?(?:(?P<data>Data) ?:|LLM ?: ?\w{1,20}\])", re.IGNORECASE)
_NAME = r"[^\W\d][\w /-]{0,40}?"
_GROUP = re.compile(rf"({_NAME})? {{0,3}}\( {{0,3}}([^()\]]{{0,1500}}?)(?:\)|$|(?=[,;] {{0,3}}{_NAME} {{0,3}}\())")
_BARE_GROUP = re.compile(r"([^\W\d]\w{2,20}+) {1,2}(\d{1,9}+(?: ?, ?(?:\d{1,9}+|\+ ?more)){0,31}+)")
_PLURALS = {"source": "sources", "report": "reports", "entity": "entities", "claim": "claims"} | {
    "relationship": "relationships"
}
_OPEN = re.compile(r"[\[【]")
_OPEN_WITH_IDS = re.compile(r"[\[【(]")
_CLOSE = {"[": "]", "【": "】", "(": ")"}
_BETWEEN = re.compile(r"[\s,;]{1,3}|\s?(?:and|và|und|et|y)\s")
_SPACE_AFTER = re.compile(r"\s|$|[.,;:!?…)\]}»”’。、，；：！？．؟،]")


class Marker(NamedTuple):
    """One marker (of a graphrag bracket: one group of it). `text` is `answer[start:end]`."""

    text: str
    start: int
    end: int
    style: str
    ids: tuple[str, ...]
    dataset: str = ""
    more: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """The ids that are numbers."""
        return tuple(int(each) for each in self.ids if each.isdecimal() and len(each) < 19)

    @property
    def keys(self) -> tuple[str, ...]:
        """What a source map is asked for: the ids; for a graphrag group 'sources:15', 'reports:3' ..."""
        if not self.dataset:
            return self.ids
        name = self.dataset.casefold()
        return tuple(f"{_PLURALS.get(name, name)}:{each}" for each in self.ids)


class MarkerReport(NamedTuple):
    """What is wrong with the markers of one answer; keys as in `Marker.keys`, in order of appearance.

    dangling: cited but no such source, every occurrence. out_of_range: those of them that are numbers
    outside the numbers of the sources. unused: sources never cited. duplicate: (sentence, key) cited again
    in the same sentence. lost: markers that stand in no kept sentence. open_ended: markers with '+more'.
    """

    dangling: tuple[str, ...] = ()
    out_of_range: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    duplicate: tuple[tuple[int, str], ...] = ()
    lost: tuple[Marker, ...] = ()
    open_ended: int = 0


def markers(text: str, *, styles: Collection[str] = (), ids: Collection[str] = ()) -> tuple[Marker, ...]:
    """The markers of an answer in order of appearance; never raises for any text.

    `styles` limits what counts (of STYLES; none given: all). `ids` are the known source ids, without which
    no '(doc-7)' is a marker. Raises ValueError for an unknown style.
    """
    unknown = set(styles) - set(STYLES)
    if unknown:
        raise ValueError(f"unknown marker style '{min(unknown)}': one of {', '.join(STYLES)}")
    known = ids if isinstance(ids, (set, frozenset, Mapping)) else frozenset(ids)
    found: list[Marker] = []
    for opening in (_OPEN_WITH_IDS if known else _OPEN).finditer(text):
        if not found or opening.start() >= found[-1].end:
            found += (m for m in _at(text, opening.start(), known) if not styles or m.style in styles)
    return tuple(found)


def main_style(found: Iterable[Marker]) -> str:
    """The style most markers have, '' when there is none; of equally frequent ones the first seen."""
    counted = Counter(marker.style for marker in found)
    return max(counted, key=lambda style: counted[style]) if counted else ""


def strip_markers(text: str, *, styles: Collection[str] = (), ids: Collection[str] = ()) -> str:
    """The text without its markers, without the blanks before them and the commas between them."""
    found = markers(text, styles=styles, ids=ids)
    if not found:
        return text
    kept: list[str] = []
    at = 0
    for start, end in _runs(text, found):
        kept.append(_gap(text[at:start], text, end))
        at = end
    return "".join(kept) + text[at:]


def numbered(count: int, *, base: int = 1) -> tuple[str, ...]:
    """The keys of `count` sources numbered from `base`."""
    return tuple(str(number) for number in range(base, base + count))


def guess_base(found: Iterable[Marker], count: int) -> int:
    """0 when the answer cites source 0 and not source `count`, else 1."""
    cited = {number for marker in found for number in marker.numbers}
    return 0 if 0 in cited and count not in cited else 1


def sentence_of(found: Iterable[Marker], spans: Sequence[tuple[int, int]]) -> list[int | None]:
    """For each marker the index of the (start, end) span in which it begins, None when in none.

    `spans` are in order and do not overlap.
    """
    starts = [start for start, _ in spans]
    places: list[int | None] = []
    for marker in found:
        index = bisect_right(starts, marker.start) - 1
        places.append(index if index >= 0 and marker.start < spans[index][1] else None)
    return places


def diagnose(
    found: Sequence[Marker],
    sources: Iterable[str] | None = None,
    spans: Sequence[tuple[int, int]] | None = None,
) -> MarkerReport:
    """What is wrong with the markers. Without `sources` (keys of the source map) nothing is dangling or
    unused, without `spans` (start and end of the kept sentences) nothing is duplicate or lost."""
    known = None if sources is None else dict.fromkeys(sources)
    cited = [key for marker in found for key in marker.keys]
    dangling = () if known is None else tuple(key for key in cited if key not in known)
    seen = set(cited)
    return MarkerReport(
        dangling=dangling,
        out_of_range=_outside(dangling, known or {}),
        unused=() if known is None else tuple(key for key in known if key not in seen),
        duplicate=() if spans is None else _duplicates(found, spans),
        lost=() if spans is None else _lost(found, spans),
        open_ended=sum(marker.more for marker in found),
    )


def _outside(dangling: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    numbers = [int(key) for key in known if key.isdecimal() and len(key) < 19]
    if not numbers:
        return ()
    low, high = min(numbers), max(numbers)
    return tuple(key for key in dangling if key.isdecimal() and not low <= int(key) <= high)


def _duplicates(found: Sequence[Marker], spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, str], ...]:
    seen: set[tuple[int, str]] = set()
    again: list[tuple[int, str]] = []
    for marker, place in zip(found, sentence_of(found, spans), strict=True):
        for key in marker.keys if place is not None else ():
            pair = (place or 0, key)
            if pair in seen:
                again.append(pair)
            seen.add(pair)
    return tuple(again)


def _lost(found: Sequence[Marker], spans: Sequence[tuple[int, int]]) -> tuple[Marker, ...]:
    places = sentence_of(found, spans)
    return tuple(marker for marker, place in zip(found, places, strict=True) if place is None)


def _at(text: str, at: int, known: Collection[str]) -> list[Marker]:
    """The marker that opens at this place, as one record or several."""
    after = text[at + 1 : at + 2]
    opening = text[at]
    if opening == "(":
        return _known_ids(text, at, known)
    if after == "^" and opening == "[":
        return _footnote(text, at)
    if after == "[" and opening == "[":
        return _double(text, at)
    if after in "DdLl " and opening == "[" and (match := _DATA.match(text, at)):
        return _graphrag(text, at, match)
    listed = _listed(text, at)
    if known and (not listed or listed[0].style == "label"):
        return _known_ids(text, at, known) or listed
    return listed


def _listed(text: str, at: int) -> list[Marker]:
    """Numbers or labels between brackets."""
    inside = _INSIDE.match(text, at + 1)
    if inside and text.startswith(_CLOSE[text[at]], inside.end()):
        end = inside.end() + 1
        ids = _ids(inside)
        if not ids or _defines(text, at, end):
            return []
        if link := _LINK.match(text, end):
            end = link.end()
        style = "label" if inside["numbers"] is None else "square" if text[at] == "[" else "lenticular"
        return [Marker(text[at:end], at, end, style, ids)]
    if text[at] == "【" and (match := _FILE.match(text, at)):
        return [Marker(match[0], at, match.end(), "file", (match[1],))]
    return []


def _ids(inside: re.Match[str]) -> tuple[str, ...]:
    if inside["label"]:
        return tuple(re.findall(_LABEL, inside["label"]))
    if inside["named"]:
        return tuple(str(int(number)) for number in re.findall(r"\d+", inside["named"]))
    ids: list[int] = []
    parts = re.findall(r"[–-]|\d+", inside["numbers"])
    for position, part in enumerate(parts):
        if not part.isdecimal():
            continue
        if position and not parts[position - 1].isdecimal():
            if not 0 < int(part) - ids[-1] <= WIDEST_RANGE:
                return ()
            ids += range(ids[-1] + 1, int(part))
        ids.append(int(part))
    return tuple(map(str, ids))


def _footnote(text: str, at: int) -> list[Marker]:
    match = _FOOTNOTE.match(text, at)
    if not match or _defines(text, at, match.end()):
        return []
    name = match[1]
    return [Marker(match[0], at, match.end(), "footnote", (str(int(name)) if name.isdecimal() else name,))]


def _double(text: str, at: int) -> list[Marker]:
    """[[3]], a wiki habit: the outer brackets belong to the marker."""
    inner = _listed(text, at + 1)
    if not inner or not text.startswith("]", inner[0].end):
        return []
    end = inner[0].end + 1
    if link := _LINK.match(text, end):
        end = link.end()
    return [inner[0]._replace(text=text[at:end], start=at, end=end)]


def _defines(text: str, at: int, end: int) -> bool:
    """Whether this is the line that says what the marker stands for: '[1]: ...' or '[1] https://...'."""
    return (at == 0 or text[at - 1] == "\n") and bool(_DEFINITION.match(text, end))


def _graphrag(text: str, at: int, head: re.Match[str]) -> list[Marker]:
    if head["data"] is None:
        return [Marker(head[0], at, head.end(), "graphrag", (), "LLM")]
    stop = min(len(text), at + FURTHEST)
    following = text.find("[", at + 1, stop)
    stop = following if following >= 0 else stop
    close = text.find("]", head.end(), stop)
    end = close + 1 if close >= 0 else _unclosed_end(text, head.end(), stop)
    body = text[head.end() : close if close >= 0 else end]
    groups = list(_GROUP.finditer(body)) or list(_BARE_GROUP.finditer(body))
    return _groups(text[at:end], at, end, groups)


def _unclosed_end(text: str, start: int, stop: int) -> int:
    """The bracket never closes: it ends with its last parenthesis, else with the line."""
    line = text.find("\n", start, stop)
    stop = line if line >= 0 else stop
    last = text.rfind(")", start, stop)
    return last + 1 if last >= 0 else stop


def _groups(text: str, start: int, end: int, groups: Iterable[re.Match[str]]) -> list[Marker]:
    """One record per group; a group without a name belongs to the dataset before it."""
    found: list[Marker] = []
    name = ""
    for group in groups:
        name = re.sub("^(?:and|và|und) ", "", (group[1] or "").strip()) or name
        parts = [part.strip() for part in re.split("[,;]", group[2])]
        ids = tuple(_plain_id(part) for part in parts if part and not _is_more(part))
        found.append(Marker(text, start, end, "graphrag", ids, name, any(map(_is_more, parts))))
    return found


def _is_more(part: str) -> bool:
    return part.replace(" ", "").lower() in ("+more", "more")


def _plain_id(part: str) -> str:
    return str(int(part)) if part.isdecimal() and len(part) < 19 else part


def _known_ids(text: str, at: int, known: Collection[str]) -> list[Marker]:
    stop = text.find(_CLOSE[text[at]], at + 1, at + 500)
    again = text.find(text[at], at + 1, at + 500)
    if stop < 0 or 0 <= again < stop:
        return []
    parts = [part.strip() for part in re.split(r"[,;]", text[at + 1 : stop])]
    if not all(part in known for part in parts):
        return []
    return [Marker(text[at : stop + 1], at, stop + 1, "id", tuple(parts))]


def _runs(text: str, found: Iterable[Marker]) -> list[tuple[int, int]]:
    """Spans of markers, those joined that only blanks or commas part."""
    runs: list[tuple[int, int]] = []
    for marker in found:
        if runs and (marker.start <= runs[-1][1] or _BETWEEN.fullmatch(text, runs[-1][1], marker.start)):
            runs[-1] = (runs[-1][0], max(runs[-1][1], marker.end))
        else:
            runs.append((marker.start, marker.end))
    return runs


def _gap(before: str, text: str, end: int) -> str:
    """What stands before a removed marker, its trailing blanks dropped where they would be left over."""
    bare = before.rstrip(" \t\u00a0\u202f")
    if _SPACE_AFTER.match(text, end):
        return bare
    return before if bare != before or not _glues(bare, text, end) else before + " "


def _glues(bare: str, text: str, end: int) -> bool:
    """Whether two words of a spaced script would run together."""
    return bare[-1:].isalnum() and text[end].isalnum() and bare[-1:] < "\u2e80"
