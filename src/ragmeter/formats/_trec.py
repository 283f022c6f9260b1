"""TREC and BEIR lines, read carefully: the one place where their faults are worded.

Columns are separated by blanks or tabs, any number of them; nothing else separates, and `#` is content. Ids are
text, compared as they are. A file is read to its end before anything of it is given on: the lines of one
query may stand anywhere.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import isfinite
from operator import itemgetter
from pathlib import Path

from ragmeter.errors import Problems
from ragmeter.reading import lines

LARGEST = 2**31 - 1  # grades are kept in 32 bits
HEADER = [b"query-id", b"corpus-id", b"score"]  # the first line of BEIR qrels
TIES = ("id_descending", "input", "best", "worst")

Split = Callable[[bytes], list[bytes]]
Grades = dict[str, dict[str, int]]


class Listing:
    """What one query got back, in the order of the lines."""

    __slots__ = ("passages", "scores")

    def __init__(self) -> None:
        self.passages: list[str] = []
        self.scores = array("d")


def qrels_of(path: str | Path, problems: Problems) -> Grades:
    """{query: {passage: grade}} of TREC qrels, in file order: `query iteration passage grade`."""
    return _judgments(path, problems, bytes.split, (0, 2, 3), _qrels_columns)


def beir_of(path: str | Path, problems: Problems) -> Grades:
    """{query: {passage: grade}} of BEIR qrels: a header, then `query passage grade`, separated by single tabs."""
    return _judgments(path, problems, _tabs, (0, 1, 2), _beir_columns)


def _judgments(
    path: str | Path,
    problems: Problems,
    split: Split,
    places: tuple[int, int, int],
    complaint: Callable[[list[bytes]], str],
) -> Grades:
    at_query, at_passage, at_grade = places
    width = at_grade + 1
    found: Grades = {}
    doubtful: set[str] = set()
    last, judged, empty, header = b"", dict[str, int](), True, split is _tabs
    before = len(problems.faults)
    for number, line in lines(path, problems):
        columns = split(line)
        if not columns:
            continue
        empty = False
        if header:
            header = False
            if [column.strip() for column in columns] == HEADER:
                continue
            problems.add(path, number, "expected the header 'query-id<TAB>corpus-id<TAB>score'")
        if len(columns) != width:
            problems.add(path, number, complaint(columns))
            continue
        try:
            query, passage = columns[at_query].decode(), columns[at_passage].decode()
        except UnicodeDecodeError:
            problems.add(path, number, _not_utf8(columns, (at_query, at_passage)))
            continue
        grade = _grade(columns[at_grade])
        if grade is None:
            problems.add(path, number, f"grade {_shown(columns[at_grade])}: a grade must be an integer")
            continue
        if abs(grade) > LARGEST:
            problems.add(path, number, f"grade {grade}: a grade must fit in 32 bits")
            continue
        if not query or not passage:
            problems.add(path, number, "an id is empty")
            continue
        if columns[at_query] != last:
            last = columns[at_query]
            judged = found.setdefault(query, {})
        if passage in judged:
            doubtful.add(query)
        judged[passage] = grade
    if empty:
        problems.add(path, 0, "the file holds no judgments")
    if doubtful:

        def accepted(columns: list[bytes]) -> bool:
            return len(columns) == width and _grade(columns[at_grade]) is not None

        _tell_repeats(path, problems, doubtful, split, (at_query, at_passage), accepted, "is judged twice")
        in_line_order(problems, before)
    return found


def run_of(path: str | Path, problems: Problems) -> dict[str, Listing]:
    """{query: Listing} of a TREC run, in file order: `query Q0 passage rank score tag`. The rank is not read."""
    found: dict[str, Listing] = {}
    last, passages, scores = b"", list[str](), array("d")
    empty, before = True, len(problems.faults)
    for number, line in lines(path, problems):
        columns = line.split()
        if len(columns) != 6:
            if not columns:
                continue
            empty = False
            if fault := _run_columns(columns):
                problems.add(path, number, fault)
                continue
            problems.warn(path, number, "text behind the run's tag is not read", group="columns")
        empty = False
        try:
            score = float(columns[4])
            passage = columns[2].decode()
            if columns[0] != last:
                query = columns[0].decode()
                last = columns[0]
                listing = found.setdefault(query, Listing())
                passages, scores = listing.passages, listing.scores
        except UnicodeDecodeError:
            problems.add(path, number, _not_utf8(columns, (0, 2)))
            last = b""
            continue
        except ValueError:
            problems.add(path, number, f"score {_shown(columns[4])}: a score must be a number")
            continue
        if not isfinite(score) or b"_" in columns[4]:
            kind = "finite number" if b"_" not in columns[4] else "number"
            problems.add(path, number, f"score {_shown(columns[4])}: a score must be a {kind}")
            continue
        passages.append(passage)
        scores.append(score)
    if empty:
        problems.add(path, 0, "the file holds no results")
    doubtful = {query for query, listing in found.items() if len(set(listing.passages)) < len(listing.passages)}
    if doubtful:
        _tell_repeats(path, problems, doubtful, bytes.split, (0, 2), _accepted, "is retrieved twice")
        in_line_order(problems, before)
    return found


def in_line_order(problems: Problems, before: int) -> None:
    """Faults found in a second reading stand where they belong among those of the first."""
    problems.faults[before:] = sorted(problems.faults[before:], key=lambda fault: fault.line)


def ranked(
    listing: Listing, ties: str, score_bits: int, judged: Mapping[str, int] | None = None
) -> list[tuple[float, str]]:
    """(score, passage) from the highest score down; equal scores in the order that `ties` says.

    'id_descending' compares the ids' UTF-8 bytes (as code points do), 'input' keeps the order of the lines, 'best'
    and 'worst' put what is `judged` highest first or last. Scores are compared as doubles or, with 32 bits, as
    the nearest single-precision numbers.
    """
    scores: Sequence[float] = listing.scores if score_bits == 64 else array("f", listing.scores)
    scored = zip(scores, listing.passages, strict=True)
    if ties == "id_descending":
        return sorted(scored, reverse=True)
    if ties == "input" or not judged:
        return sorted(scored, key=itemgetter(0), reverse=True)
    sign = 1 if ties == "best" else -1
    return sorted(scored, key=lambda s: (s[0], sign * max(0, judged.get(s[1], 0))), reverse=True)


def _tabs(line: bytes) -> list[bytes]:
    return line.split(b"\t") if line.strip() else []


def _grade(word: bytes) -> int | None:
    try:
        return None if b"_" in word else int(word)
    except ValueError:
        return None


def _qrels_columns(columns: list[bytes]) -> str:
    said = f"{_columns(columns)}; a line of qrels has 4: query 0 passage grade"
    if len(columns) >= 6 and _is_number(columns[4]):
        return f"{said} (this looks like a run)"
    if columns[:3] == HEADER:
        return f"{said} (this looks like BEIR qrels: --from beir)"
    return said


def _beir_columns(columns: list[bytes]) -> str:
    said = f"{_columns(columns)}; a line has 3, separated by single tabs: query passage grade"
    if len(columns) == 1 and len(columns[0].split()) == 4:
        return f"{said} (this looks like TREC qrels)"
    return said


def _run_columns(columns: list[bytes]) -> str:
    """What is wrong with a run line that has not 6 columns; '' when only its tag holds blanks."""
    said = f"{_columns(columns)}; a line of a run has 6: query Q0 passage rank score tag"
    if len(columns) > 6:
        if columns[3].isdigit() and _is_number(columns[4]):
            return ""
        return f"{said} (does an id hold a blank?)"
    if len(columns) == 4 and _grade(columns[3]) is not None and not _is_number(columns[2]):
        return f"{said} (this looks like qrels)"
    if len(columns) in (3, 4) and columns[2].isdigit():
        return f"{said} (this looks like an MS MARCO run: query passage rank{' score' * (len(columns) == 4)})"
    if len(columns) == 5 and _is_number(columns[4]):
        return f"{said} (the tag is missing)"
    return said


def _columns(columns: list[bytes]) -> str:
    return f"{len(columns)} columns" if len(columns) != 1 else "1 column"


def _accepted(columns: list[bytes]) -> bool:
    """Whether the first reading took a run line into its list."""
    return len(columns) >= 6 and _is_number(columns[4]) and isfinite(float(columns[4]))


def _is_number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return b"_" not in word


def _shown(word: bytes) -> str:
    text = word.decode(errors="backslashreplace")
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}...'"


def _not_utf8(columns: Sequence[bytes], places: Iterable[int]) -> str:
    for place in places:
        try:
            columns[place].decode()
        except UnicodeDecodeError as why:
            return f"id {_shown(columns[place])} is invalid UTF-8 at its byte {why.start + 1}"
    raise AssertionError("every id is UTF-8")


def _tell_repeats(
    path: str | Path,
    problems: Problems,
    doubtful: Collection[str],
    split: Split,
    places: tuple[int, int],
    accepted: Callable[[list[bytes]], bool],
    what: str,
) -> None:
    """A fault for each passage that stands twice under one of the `doubtful` queries: the file is read again."""
    at_query, at_passage = places
    first: dict[tuple[str, str], int] = {}
    for number, line in lines(path, Problems()):
        columns = split(line)
        if not accepted(columns):
            continue
        try:
            pair = columns[at_query].decode(), columns[at_passage].decode()
        except UnicodeDecodeError:
            continue
        if pair[0] in doubtful and (place := first.setdefault(pair, number)) != number:
            message = f"passage '{pair[1]}' of query '{pair[0]}' {what}; first in line {place}"
            problems.add(path, number, message, kind="duplicate")
