"""Where things are kept: spooled rows, atomic writes, the judgments file, run folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from msgspec import DecodeError, json

from ragmeter.errors import InputError, Problem, UsageError, nearest
from ragmeter.records import Judgment, Output
from ragmeter.result import Result, Row

IN_MEMORY = 1 << 20  # bytes of rows held before they go to an unnamed file


class Spool:
    """Lines kept until the summary is known: in memory up to 1 MiB, then in an unnamed temporary file."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._held = 0
        self._file: IO[bytes] | None = None

    def write(self, lines: bytes) -> None:
        """Append whole lines, each with its line end."""
        self._parts.append(lines)
        self._held += len(lines)
        if self._held > IN_MEMORY:
            self._flush()

    def _flush(self) -> None:
        if self._file is None:
            from tempfile import TemporaryFile

            self._file = TemporaryFile()  # noqa: SIM115 (lives as long as the spool)
        self._file.write(b"".join(self._parts))
        self._parts, self._held = [], 0

    def chunks(self) -> Iterator[bytes]:
        """Everything written so far, in pieces that end where a line ends; can be walked again."""
        if self._file is None:
            yield b"".join(self._parts)
            return
        self._flush()
        self._file.seek(0)
        while piece := self._file.read(1 << 18):
            yield piece + self._file.readline()
        self._file.seek(0, os.SEEK_END)

    def lines(self) -> Iterator[bytes]:
        """The lines, without their ends; can be walked again."""
        for piece in self.chunks():
            yield from piece.split(b"\n")[:-1]


class Rows:
    """The case rows of a result, to be walked as often as a report likes."""

    def __init__(self, spool: Spool):
        self.spool = spool

    def __iter__(self) -> Iterator[Row]:
        decode = json.Decoder(Row).decode
        return (decode(line) for line in self.spool.lines())


def write_atomically(path: Path, pieces: Iterator[bytes]) -> None:
    """Write beside the target and rename, so that a reader sees the old file or the new one, never a half.

    A symbolic link keeps pointing where it points. A device or a pipe is written to, never replaced.
    """
    said, path = path, Path(os.path.realpath(path))
    if path.is_dir():
        raise InputError(f"{said}: cannot be written: it is a folder")
    plain = path.is_file() or not path.exists()
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp") if plain else path
    try:
        with open(beside, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            if plain:
                os.fsync(file.fileno())
        if plain:
            os.replace(beside, path)
    except OSError as why:
        raise InputError(f"{said}: cannot be written: {why.strerror or why}") from None
    finally:
        if plain:
            with suppress(OSError):
                beside.unlink(missing_ok=True)


def file_hash(path: str | Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    import hashlib

    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as why:
        raise InputError(f"{path}: {why.strerror or why}") from None


class JudgmentsFile:
    """`judgments.jsonl`: cache and cassette. Content-addressed by call key, appended, the last line wins.

    Appending locks the file, cuts a torn last line, writes whole lines and flushes them, so two processes on
    one file do not corrupt it and a kill loses at most the call in flight. `path` None keeps all in memory.
    """

    def __init__(self, path: str | Path | None):
        self.path = Path(path) if path is not None else None
        self._known: dict[str, Judgment] = {}
        self._read_to = 0
        if self.path is not None and self.path.exists():
            self._refresh()

    def __len__(self) -> int:
        return len(self._known)

    def get(self, call_key: str) -> Judgment | None:
        """The last answer to that call; an error is none."""
        found = self._known.get(call_key)
        return found if found is not None and found.error is None else None

    def append(self, judgment: Judgment) -> None:
        """Keep one judgment, on the disk before this returns."""
        self._known[judgment.call_key] = judgment
        if self.path is not None:
            append_line(self.path, json.encode(judgment))

    def _refresh(self) -> None:
        decode = json.Decoder(Judgment).decode
        assert self.path is not None
        for number, line in whole_lines(self.path):
            try:
                judgment = decode(line)
            except (DecodeError, RecursionError) as why:
                raise InputError("", [Problem(str(self.path), number, f"not a judgment: {why}")]) from None
            if judgment.call_key:
                self._known[judgment.call_key] = judgment


def whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """(number, line) of every line that was written to its end; a torn last line is left out."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if line.endswith(b"\n") and line.strip():
                yield number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line


def append_line(path: Path, line: bytes) -> None:
    """Append one line under a lock, after cutting what a killed writer left unfinished."""
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(path, "a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _cut_torn(file)
            file.write(line + b"\n")
            file.flush()
    except OSError as why:
        raise InputError(f"{path}: cannot be written: {why.strerror or why}") from None


def _cut_torn(file: IO[bytes]) -> None:
    size = file.seek(0, os.SEEK_END)
    if not size:
        return
    file.seek(size - 1)
    if file.read(1) == b"\n":
        return
    end = size
    while end:
        start = max(0, end - 65536)
        file.seek(start)
        place = file.read(end - start).rfind(b"\n")
        if place >= 0:
            file.truncate(start + place + 1)
            break
        end = start
    else:
        file.truncate(0)
    file.seek(0, os.SEEK_END)


class Run:
    """A run folder: manifest.json, outputs.jsonl, scores.jsonl, result.json. The folder is the truth."""

    def __init__(self, folder: Path):
        self.folder = folder

    @property
    def outputs_path(self) -> Path:
        """Where outputs are appended as they come."""
        return self.folder / "outputs.jsonl"

    @property
    def manifest(self) -> dict[str, Any]:
        """What was asked for, when it began, and its state: 'running' or 'finished'."""
        try:
            return json.decode((self.folder / "manifest.json").read_bytes(), type=dict[str, Any])
        except (OSError, DecodeError, RecursionError) as why:
            raise InputError(f"{self.folder}: not a run folder: {why}") from None

    def update(self, **fields: Any) -> None:
        """Change the manifest, atomically."""
        path = self.folder / "manifest.json"
        held = self.manifest if path.exists() else {}
        write_atomically(path, iter([json.format(json.encode({**held, **fields}), indent=2) + b"\n"]))

    def answered(self) -> dict[str, Output]:
        """The outputs that are there already; failed ones are left out, so that they are asked again."""
        if not self.outputs_path.exists():
            return {}
        decode = json.Decoder(Output).decode
        found = {}
        for number, line in whole_lines(self.outputs_path):
            try:
                output = decode(line)
            except (DecodeError, RecursionError) as why:
                raise InputError("", [Problem(str(self.outputs_path), number, f"not an output: {why}")]) from None
            found[output.case] = output
        return {id: output for id, output in found.items() if output.error is None}

    def append(self, output: Output) -> None:
        """Keep one output, before the next is waited for."""
        append_line(self.outputs_path, json.encode(output))

    def settle(self, order: Iterable[str]) -> None:
        """One line a case in the order of the cases: the last output of each."""
        decode = json.Decoder(Output).decode
        last = {}
        if self.outputs_path.exists():
            last = {decode(line).case: line.rstrip(b"\n") for _, line in whole_lines(self.outputs_path)}
        write_atomically(self.outputs_path, (last[id] + b"\n" for id in order if id in last))

    def finish(self, result: Result, rows: Rows) -> None:
        """Scores and result, each replaced whole, then the manifest says 'finished'."""
        write_atomically(self.folder / "scores.jsonl", rows.spool.chunks())
        write_atomically(self.folder / "result.json", iter([json.format(json.encode(result), indent=1) + b"\n"]))
        self.update(state="finished")

    def result(self) -> Result:
        """The result, once the run is finished. InputError before that."""
        path = self.folder / "result.json"
        if not path.exists() or self.manifest.get("state") != "finished":
            raise InputError(f"{self.folder}: this run was interrupted and has no result; run its command again")
        try:
            return json.decode(path.read_bytes(), type=Result)
        except (DecodeError, RecursionError) as why:
            raise InputError(f"{path}: not a result: {why}") from None

    def rows(self) -> FileRows:
        """The case rows of a finished run."""
        return FileRows(self.folder / "scores.jsonl", self.result().case_count)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Only one process works on a run: UsageError when another one does already."""
        import fcntl

        with open(self.folder / ".lock", "wb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise UsageError(f"{self.folder}: another process is working on this run") from None
            yield


class FileRows:
    """Case rows in a scores.jsonl, to be walked as often as a report likes. `count` is how many there must be."""

    def __init__(self, path: Path, count: int):
        self.path = path
        self.count = count

    def __iter__(self) -> Iterator[Row]:
        decode = json.Decoder(Row).decode
        number = 0
        try:
            with open(self.path, "rb") as file:
                for line in file:
                    number += 1
                    yield decode(line)
        except OSError as why:
            raise InputError(f"{self.path}: {why.strerror or why}") from None
        except (DecodeError, RecursionError) as why:
            raise InputError("", [Problem(str(self.path), number, f"not a row: {why}")]) from None
        if number != self.count:
            raise InputError(f"{self.path}: {number} rows, but the result has {self.count} cases; the file is damaged")


def open_run(root: Path, key: str, name: str, *, fresh: bool = False) -> Run:
    """The run of that key, to go on with, or a new folder `<utc>-<name>-<key>`."""
    runs = root / "runs"
    found = sorted(runs.glob(f"*-{key}")) if runs.is_dir() else []
    if found and not fresh:
        return Run(found[-1])
    import time

    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    safe = "".join(c if c.isalnum() or c in "._" else "_" for c in name)[:40] or "run"
    taken = len(list(runs.glob(f"{stamp}*"))) if runs.is_dir() else 0
    folder = runs / f"{stamp}{f'.{taken}' if taken else ''}-{safe}-{key}"
    try:
        folder.mkdir(parents=True)
    except OSError as why:
        raise InputError(f"{folder}: cannot be made: {why.strerror or why}") from None
    return Run(folder)


def all_runs(root: Path) -> list[Run]:
    """Every run folder, oldest first."""
    runs = root / "runs"
    return [Run(path) for path in sorted(runs.iterdir()) if (path / "manifest.json").is_file()] if runs.is_dir() else []


def find_run(root: Path, name: str) -> Run:
    """The run that a path, 'latest', or part of a folder's name means. UsageError when it is none or several."""
    if (Path(name) / "manifest.json").is_file():
        return Run(Path(name))
    known = all_runs(root)
    if not known:
        raise UsageError(f"no runs in {root / 'runs'} yet; `ragmeter run` makes one")
    if name == "latest":
        return known[-1]
    matching = [run for run in known if name in run.folder.name]
    matching = [run for run in matching if f"-{name}-" in run.folder.name] or matching
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise UsageError(f"'{name}' means several runs: {', '.join(run.folder.name for run in matching[:5])}")
    raise UsageError(f"no run '{name}' in {root / 'runs'}{nearest(name, [run.folder.name for run in known])}")
