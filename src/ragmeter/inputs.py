"""The files of a suite, each with the format that reads it."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from msgspec import structs

from ragmeter.errors import InputError, Problems, UsageError
from ragmeter.formats import Format, first_object, head, recognise
from ragmeter.records import Judgment, Output, record_json
from ragmeter.suite import Suite


class Inputs:
    """The files of a suite, each with its format."""

    def __init__(self, suite: Suite):
        self.suite = suite
        self.files: list[tuple[str, str, Format]] = []
        self.fingerprints: dict[str, Fingerprint] = {}
        for path in suite.cases:
            self.files.append((path, *recognise(path, suite.from_)))
        for path in suite.qrels:
            name, format = _qrels(path)
            if format.holds not in ("qrels", "cases"):
                raise UsageError(f"{path}: given as --qrels, but this is a file of {format.holds} ({name})")
            self.files.append((path, name, format))
        for path in suite.judgments:
            self.files.append((path, *_judgments(path)))

    def of(self, *kinds: str) -> list[tuple[str, Format]]:
        """The files that hold one of these kinds, in the order given."""
        return [(path, format) for path, _, format in self.files if format.holds in kinds]

    def recorded(self, problems: Problems) -> list[Judgment]:
        """The text-less lines of judgments files; the others are found by their call key."""
        read = (judgment for path, format in self.of("judgments") for judgment in format.read(path, problems))
        return [judgment for judgment in read if isinstance(judgment, Judgment) and not judgment.call_key]

    def default_profile(self) -> str:
        """What the formats suggest: the first that is not 'standard', judgments before the runs they judge."""
        if any(_asks_memory(path) for path, _ in self.of("cases")):
            return "memory"
        formats = [format for _, _, format in self.files]
        formats.sort(key=lambda format: format.holds == "run")
        named = [format.profile for format in formats if format.profile != "standard"]
        return named[0] if named else "standard"

    @property
    def only_runs(self) -> bool:
        """Whether there are runs and judgments of them, and nothing else."""
        kinds = {format.holds for _, _, format in self.files}
        bulk = {format.batches for _, format in self.of("run")}
        return kinds == {"run", "qrels"} and len(bulk) == 1 and None not in bulk and not self.suite.judges


def _qrels(path: str) -> tuple[str, Format]:
    """The format of a --qrels file; what nothing recognises is read as TREC judgments, whose errors then speak."""
    try:
        return recognise(path)
    except InputError as why:
        if not why.problems or not Path(path).is_file():
            raise
        return recognise(path, "trec_qrels")


def _judgments(path: str) -> tuple[str, Format]:
    """The format of a --judgments file: one that recognises it and holds judgments, else our own (the file may be new)."""
    if Path(path).is_file() and Path(path).stat().st_size:
        name, format = recognise(path)
        if format.holds == "judgments":
            return name, format
    return recognise(path, "judgments")


def _asks_memory(path: str) -> bool:
    """Whether the first case names words that a rewritten question must hold."""
    return bool((first_object(head(path)) or {}).get("expected"))


class Fingerprint:
    """A hash of outputs that does not depend on their order, on times or on costs."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, output: Output) -> None:
        """One more output."""
        timeless = structs.replace(output, seconds=None, usage=None)
        self.total += int.from_bytes(blake2b(record_json(timeless), digest_size=32).digest(), "big")

    def __str__(self) -> str:
        return f"{self.total % (1 << 256):064x}"
