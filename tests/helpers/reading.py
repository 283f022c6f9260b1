"""Read made files with one format, and see what it says."""

from pathlib import Path
from typing import Any

from ragmeter.errors import Problems
from ragmeter.registry import find


def read(format: str, path: Path, *lines: str | bytes, strict: bool = False) -> tuple[list[Any], list[str]]:
    """The records of a file of these lines, and its faults without the name of the file."""
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    problems = Problems(strict=strict)
    records = list(find("format", format).read(path, problems))
    return records, [str(problem).removeprefix(str(path)).removeprefix(":") for problem in problems.faults]
