"""Where things are kept: spooled rows, atomic writes, the judgments file, run folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from msgspec import json

from ragmeter.errors import InputError
from ragmeter.result import Row

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
        """Everything written so far, in pieces; can be walked again."""
        if self._file is None:
            yield b"".join(self._parts)
            return
        self._flush()
        self._file.seek(0)
        while piece := self._file.read(1 << 18):
            yield piece
        self._file.seek(0, os.SEEK_END)

    def lines(self) -> Iterator[bytes]:
        """The lines, without their ends; can be walked again."""
        rest = b""
        for piece in self.chunks():
            *whole, rest = (rest + piece).split(b"\n")
            yield from whole
        if rest:
            yield rest


class Rows:
    """The case rows of a result, to be walked as often as a report likes."""

    def __init__(self, spool: Spool):
        self.spool = spool

    def __iter__(self) -> Iterator[Row]:
        decode = json.Decoder(Row).decode
        return (decode(line) for line in self.spool.lines())


def write_atomically(path: Path, pieces: Iterator[bytes]) -> None:
    """Write beside the target and rename, so that a reader sees the old file or the new one, never a half."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(beside, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as why:
        raise InputError(f"{path}: cannot be written: {why.strerror or why}") from None
    finally:
        beside.unlink(missing_ok=True)


def file_hash(path: str | Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    import hashlib

    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as why:
        raise InputError(f"{path}: {why.strerror or why}") from None
