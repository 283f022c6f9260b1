"""TREC files in blocks of columns: right, or in doubt. Whatever is in doubt is read line by line instead.

In doubt is a file whose columns are not parted by one and the same single character throughout, with other
white space or quotes, with invalid UTF-8, with a number that is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from msgspec import Struct

from ragmeter.formats import open_bytes
from ragmeter.reading import BOM

RUN_BLOCK = 4 << 20  # bytes; 2 and 8 MiB take longer
QRELS_BLOCK = 1 << 20
LONGEST_LINE = 1 << 20  # bytes without a line end after which the careful reader takes over
NEWLINE = 10


class Doubt(Exception):
    """The careful reader must look at this file."""


class Shape(Struct, frozen=True):
    """How the lines of a kind of file are built.

    `places` are the columns of query, passage and number. Bytes up to `white` part columns or are a doubt;
    `separator` None stands for a blank or a tab, as the first line has it.
    """

    columns: int
    places: tuple[int, int, int]
    whole: bool  # the number is a grade, not a score
    block: int
    separator: bytes | None = None
    white: int = 32
    header: bytes = b""


RUN = Shape(6, (0, 2, 4), False, RUN_BLOCK)


class Block(Struct, frozen=True):
    """Whole queries: their ids, where their rows begin (and the number of rows), passages, numbers."""

    queries: list[str]
    starts: Any  # int64, one more than queries
    passages: Any  # polars Series of strings
    numbers: Any  # int32 grades or float64 scores


def blocks(path: str | Path, shape: Shape) -> Iterator[Block]:
    """The file's queries, block by block. Raises Doubt."""
    with open_bytes(path) as file:
        separator, held = shape.separator, certain(file.read, len(BOM)).removeprefix(BOM)
        if shape.header:
            if (held + certain(file.readline, LONGEST_LINE)).rstrip(b"\r\n") != shape.header:
                raise Doubt
            held = b""
        size, last = shape.block, False
        while not last:
            data, last = more(file, held, size)
            if not data:
                return
            separator = separator or (b"\t" if b"\t" in data[: data.find(b"\n")] else b" ")
            block, used = parsed(data, shape, separator, last=last)
            if block.queries:
                yield block
            held = data[used:]
            size = shape.block if used else 2 * len(data)


def more(file: IO[bytes], held: bytes, size: int) -> tuple[bytes, bool]:
    """What is held and about `size` bytes more, up to the end of a line; and whether that is the end of the file."""
    piece = certain(file.read, size)
    line = certain(file.readline, LONGEST_LINE) if len(piece) == size else b""
    last = len(piece) < size
    data = b"".join((held, piece, line))
    if data and not data.endswith(b"\n"):
        if not last and len(line) == LONGEST_LINE:
            raise Doubt
        data += b"\n"
    return data, last


def certain(read: Callable[[int], bytes], size: int) -> bytes:
    """What it reads; Doubt where the file is damaged, which the careful reader meets again and can place."""
    import zlib

    try:
        return read(size)
    except (OSError, EOFError, zlib.error) as why:
        raise Doubt from why


def parsed(data: bytes, shape: Shape, separator: bytes, *, last: bool) -> tuple[Block, int]:
    """Whole lines as a block without their last query, which may go on, unless `last`; and the bytes used."""
    import numpy as np
    import polars as pl

    frame = columns(data, shape, separator)
    look_at_bytes(data, shape, len(frame))
    query, passage, number = (frame[str(place)] for place in shape.places)
    numbers = number.to_numpy()
    if not shape.whole and not np.isfinite(numbers).all():
        raise Doubt
    starts = np.append(0, np.flatnonzero((query[1:] != query[:-1]).to_numpy()) + 1)
    used = len(data)
    if last:
        starts = np.append(starts, len(frame))
    else:
        used = start_of_last(data, len(frame) - int(starts[-1]))
        passage, numbers = passage.head(int(starts[-1])), numbers[: starts[-1]]
    queries = query.gather(pl.Series(starts[:-1], dtype=pl.UInt32)).to_list()
    return Block(queries, starts, passage, numbers), used


def start_of_last(data: bytes, lines: int) -> int:
    """Where the last so many lines begin."""
    place = len(data)
    for _ in range(lines + 1):
        place = data.rfind(b"\n", 0, place)
    return place + 1


def columns(data: bytes, shape: Shape, separator: bytes) -> Any:
    """The columns looked at as a frame. The last one is among them, to see that every line has it."""
    import polars as pl

    types: dict[str, Any] = {str(place): pl.String for place in range(shape.columns)}
    types[str(shape.places[2])] = pl.Int32 if shape.whole else pl.Float64
    try:
        frame = pl.read_csv(
            data,
            has_header=False,
            separator=separator.decode(),
            quote_char=None,
            schema=types,
            columns=sorted({*shape.places, shape.columns - 1}),
        )
    except pl.exceptions.PolarsError as why:
        raise Doubt from why
    if any(column.null_count() for column in frame):
        raise Doubt
    return frame


def look_at_bytes(data: bytes, shape: Shape, lines: int) -> None:
    """Doubt unless each of the lines has its columns parted by one byte each.

    The last column of every line is known to be there. So each line has its separators and its end; if no
    other byte may be one, there are no more of them, and no two stand side by side, then nothing else is there.
    """
    import numpy as np

    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError as why:
            raise Doubt from why
    if shape.header and b'"' in data:
        raise Doubt
    marks = np.frombuffer(data, dtype=np.uint8) <= shape.white
    if np.count_nonzero(marks) != shape.columns * lines or marks[0] or (marks[1:] & marks[:-1]).any():
        raise Doubt


def judgments(
    path: str | Path, *, columns: int, places: tuple[int, int, int], separator: bytes | None = None, header: bytes = b""
) -> Iterator[Block]:
    """The judgments of a file, block by block: what the `batches` of a qrels format answers with."""
    white = NEWLINE if header else 32
    return blocks(path, Shape(columns, places, True, QRELS_BLOCK, separator, white, header))
