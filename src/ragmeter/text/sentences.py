"""Sentences of an answer, for any language, each with its place in the text.

Rules, no model: . ! ? … end a sentence before white space; 。！？؟۔। end one anywhere; a line break ends one
unless the line was merely wrapped; a blank line always does. Not an end: abbreviations (Dr., TP., z. B.,
Nr. 5), initials, decimals, dates (12. März), list numbers ("1." stays with its item), web addresses.
Closing quotes, brackets and citation markers behind the stop belong to the sentence before it. A colon is no
end. Pieces without any letter or digit are dropped; a piece of markers alone joins the sentence before it.

Written with answers of models in mind. Where only meaning can tell ("vitamin C. Kale ..."), the rules choose
by the neighbouring words, and they are wrong sometimes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ragmeter.text.markers import markers
from ragmeter.text.tokens import weighted_length

WRAPPED = 60  # a line of this weighted length may go on after its line break

_CANDIDATE = re.compile(r"[.．!?…。！？｡؟۔।॥]{1,50}+|\n|\r(?!\n)|[\u2028\u2029\x0b\x0c\x85]")
_STRONG = frozenset("。！？｡؟۔।॥")
_CLOSERS = re.compile("[\"'”’»›)\\]}」』）】》〉*_]{0,8}+")
_BLANKS = re.compile(r"[ \t\u00a0\u202f]{0,3}+")
_STOPS = re.compile(r"[.!?。！？؟]{0,3}+")
_SPACE = re.compile(r"\s{0,200}+")
_OPENERS = re.compile("[\"'“‘„«‹(\\[{「『（《〈*_¿¡]{0,8}+")
_GOES_ON = re.compile("[、，,;；とっ]")
_WORD = re.compile(r"[^\W\d_]{1,40}+")
_BULLET = re.compile(
    r"[ \t]{0,40}+(?:[-*•‣◦·–+>]{1,2}+[ \t]|#{1,6}+[ \t]|\||```"
    r"|\(?(?:\d{1,3}+|[a-zA-Zđ]|[ivxIVX]{1,5}+)[.)][ \t])"
)
_LIST_LABEL = re.compile(r"[\s>#*•–_-]{0,12}+\(?(?:\d{1,4}+(?:\.\d{1,3}+){0,4}|[^\W\d_]|[IVXLCivxlc]{1,6}+)")
_HEADING = re.compile(
    r"[\s#*_]{0,12}+(?:điều|khoản|mục|chương|phần|bước|article|section|step|chapter|part|schritt|artikel|"
    r"kapitel|étape|paso|§)\s\d{1,4}+[a-zđ]?",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"(?:[^\W\d_]\.){1,4}+[^\W\d_]")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# In lower case, without the last full stop.
_NEVER_LAST = _set(
    "dr mr mrs ms prof rev hon gen col sgt capt lt messrs mme mlle st vs cf viz approx ca resp vgl bzw hr "
    "hrn dipl ing med jur phil bspw ggf ggfs evtl inkl exkl zzgl einschl insb bes sog gem geb gegr str tel "
    "dept z.b d.h u.a u.u s.o s.u i.d.r v.a i.d.f e.g i.e p.ex p.ej a.a.o art.-nr univ tp tx tt ths ts pgs gs bs "
    "ks kts đ/c sra srta dra dña uds env hsg hrsg mind"
)
_LAST_BEFORE_A_CAPITAL = _set("etc usw u.s.w v.v a.m p.m o.ä u.ä ff al")
_LAST_BEFORE_A_STARTER = _set("inc ltd co corp jr sr bros llc gmbh u.s u.k e.u ph.d")
_BEFORE_A_NUMBER = _set(
    "no nos nr art abs fig figs abb tab sec ch vol pp p s ziff eq ex kap anm bd núm pág cap al rn lit "
    "jan feb mar apr jun jul aug sep sept oct nov dec okt dez mrz"
)
_STARTERS = _set(
    "the a an it this that these those he she they we you in on at if when while however but and so there "
    "for as my our his her its their no not yes der die das den dem ein eine es er sie wir ich im am bei mit "
    "wenn und aber dieser diese dieses các những đây đó nó họ tôi chúng việc khi nếu người theo để trong với "
    "và nhưng le la les un une il elle ils ce cette ces en dans el los las una"
)
_BEFORE_A_NAME = _set("by von van de and und et y der bei with của do bởi from & mit durch")
_BEFORE_AN_ORDINAL = _set("der die das dem den des am im vom zum bis ab seit ins beim jeden und")
_MONTHS = _set(
    "januar jänner februar feber märz april mai juni juli august september oktober november dezember "
    "jan feb mär mrz apr jun jul aug sep sept okt nov dez"
)


class Sentence(NamedTuple):
    """One sentence: `text == answer[start:end]`, without white space around it."""

    text: str
    start: int
    end: int


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text in order; empty for a text without letters and digits. Never raises."""
    found = markers(text)
    spans = {marker.start: marker.end for marker in found}
    pieces = _Splitter(text, spans).pieces()
    return _sentences(text, pieces, spans)


def _sentences(text: str, pieces: list[tuple[int, int]], spans: Mapping[int, int]) -> tuple[Sentence, ...]:
    kept: list[Sentence] = []
    for start, end in pieces:
        piece = text[start:end]
        start, end = end - len(piece.lstrip()), start + len(piece.rstrip())
        if not any(map(str.isalnum, piece)):
            continue
        if kept and _only_markers(text, start, end, spans):
            start = kept.pop().start
        kept.append(Sentence(text[start:end], start, end))
    return tuple(kept)


def _only_markers(text: str, start: int, end: int, spans: Mapping[int, int]) -> bool:
    at = start
    while at < end:
        if at in spans:
            at = spans[at]
        elif text[at].isalnum():
            return False
        else:
            at += 1
    return True


class _Splitter:
    """Walks once from candidate to candidate; every look around a candidate is bounded."""

    def __init__(self, text: str, spans: Mapping[int, int]):
        self.text = text
        self.spans = spans
        self.cased = any(map(str.isupper, text))
        self.start = 0

    def pieces(self) -> list[tuple[int, int]]:
        """(start, end) of the pieces; together they are the whole text."""
        cut: list[tuple[int, int]] = []
        inside = iter(sorted(self.spans.items()))
        marker = next(inside, None)
        for candidate in _CANDIDATE.finditer(self.text):
            at = candidate.start()
            while marker and marker[1] <= at:
                marker = next(inside, None)
            if at < self.start or (marker and marker[0] < at):
                continue
            end = self._end(candidate)
            if end is not None:
                cut.append((self.start, end))
                self.start = end
        return [*cut, (self.start, len(self.text))]

    def _end(self, candidate: re.Match[str]) -> int | None:
        """Where the sentence ends that stops here, None when it goes on."""
        stop = candidate[0]
        if stop.isspace():
            at = candidate.start()
            return self._match_end(_SPACE, at) if self._line_ends(at) else None
        end, cited = self._extent(candidate.end())
        return end if self._stops(candidate, end, cited) else None

    def _extent(self, at: int) -> tuple[int, bool]:
        """Behind closing quotes, brackets and markers; and whether there was a marker."""
        cited = False
        while True:
            at = self._match_end(_CLOSERS, at)
            gap = self._match_end(_BLANKS, at)
            end = self.spans.get(gap)
            if end is None or (gap > at and self._is_lower(self._next(end)[0])):
                return at, cited
            at, cited = self._match_end(_STOPS, end), True

    def _stops(self, candidate: re.Match[str], end: int, cited: bool) -> bool:
        stop, text = candidate[0], self.text
        after, spaced, line = self._next(end)
        if not _STRONG.isdisjoint(stop):
            return not (end > candidate.end() and not cited and _GOES_ON.match(after))
        if end == len(text) or not after:
            return True
        if not spaced and not cited:
            return self._unspaced_end(candidate.start(), text[end])
        if not spaced and not after.isalnum():
            return False
        if stop[-1] in "!?":
            return not (end > candidate.end() and self._is_lower(after))
        if stop not in (".", "．"):
            return not self._is_lower(after)
        return not self._abbreviates(candidate.start(), end, after, line)

    def _unspaced_end(self, at: int, after: str) -> bool:
        """'했습니다.그리고' and '好.然后' end; '3.5', 'example.org' and 'e.g' do not."""
        before = self.text[at - 1 : at]
        if _UNSPACED.match(before) or before in ("】", "]"):
            return bool(_UNSPACED.match(after)) or "가" <= after <= "힣"
        return before in tuple("다요죠까음함됨임") and "가" <= after <= "힣"

    def _abbreviates(self, at: int, end: int, after: str, line: bool) -> bool:
        """Whether the full stop at `at` belongs to an abbreviation, an initial or a number."""
        if self._is_label(at):
            return True
        before = self.text[max(self.start, at - 60) : at].split()
        token = before[-1][self._match_end(_OPENERS, 0, before[-1]) :] if before else ""
        previous = before[-2] if len(before) > 1 else ""
        word = self._word(end)
        lowered = token.casefold()
        if lowered in _NEVER_LAST:
            return True
        if lowered in _BEFORE_A_NUMBER and after.isdigit():
            return True
        if token.isdigit() and len(token) <= 2 and not line:
            return self._is_ordinal(previous, after, word)
        if len(token) == 1 and token.isalpha():
            return self._is_initial(token, previous, after, word)
        if self._is_lower(after) and not line:
            return self.cased or lowered in _LAST_BEFORE_A_CAPITAL or bool(_DOTTED.fullmatch(token))
        if lowered in _LAST_BEFORE_A_CAPITAL:
            return False
        if lowered in _LAST_BEFORE_A_STARTER or _DOTTED.fullmatch(token):
            return after.isalnum() and word.casefold() not in _STARTERS
        return False

    def _is_label(self, at: int) -> bool:
        """Whether the sentence so far is only a list number or the number of an article."""
        if at - self.start > 60:
            return False
        so_far = self.text[self.start : at].rstrip("*_")
        return bool(_LIST_LABEL.fullmatch(so_far) or _HEADING.fullmatch(so_far))

    def _is_ordinal(self, previous: str, after: str, word: str) -> bool:
        """'12. März', 'im 19. Jahrhundert', 'am 3. und 4.'"""
        if self._is_lower(after) or word.casefold() in _MONTHS:
            return True
        return after.isupper() and previous.casefold() in _BEFORE_AN_ORDINAL

    def _is_initial(self, token: str, previous: str, after: str, word: str) -> bool:
        """'J. K. Rowling', 'z. B. Hamburg', 'by A. Turing'; but not 'vitamin C. Kale'."""
        if token.islower():
            return len(word) == 1 or after.isdigit() or self._is_lower(after)
        if token == "I" or (word.casefold() in _STARTERS and len(word) > 1):
            return False
        if after.isdigit() or self._is_lower(after) or not previous:
            return True
        return previous[0].isupper() or previous.endswith((".", ",")) or previous.casefold() in _BEFORE_A_NAME

    def _line_ends(self, at: int) -> bool:
        """Whether the line break at `at` ends a sentence."""
        text = self.text
        following = self._match_end(_SPACE, at)
        if following == len(text) or len(re.findall(r"\n|\r(?!\n)|\u2029", text[at:following])) > 1:
            return True
        line = max(text.rfind("\n", self.start, at) + 1, self.start)
        begin = text.rfind("\n", at, following) + 1 or at + 1
        if _BULLET.match(text, begin):
            return True
        before = text[line:at].rstrip()
        if not before or before[-1] == ".":  # an abbreviation at the end of a wrapped line
            return False
        if self._is_lower(text[following]):
            return False
        return bool(_BULLET.match(text, line)) or before[-1] in ":：" or weighted_length(before) < WRAPPED

    def _next(self, at: int) -> tuple[str, bool, bool]:
        """The next character that is neither white space nor an opening quote ('' at the end), whether white
        space comes first, and whether a line break does."""
        space = self._match_end(_SPACE, at)
        behind = self._match_end(_OPENERS, space)
        gap = self.text[at:space]
        return self.text[behind : behind + 1], space > at, "\n" in gap

    def _word(self, at: int) -> str:
        """The next word."""
        begin = self._match_end(_OPENERS, self._match_end(_SPACE, at))
        match = _WORD.match(self.text, begin)
        return match[0] if match else ""

    def _is_lower(self, c: str) -> bool:
        return self.cased and c.islower()

    def _match_end(self, pattern: re.Pattern[str], at: int, text: str = "") -> int:
        match = pattern.match(text or self.text, at)
        return match.end() if match else at
