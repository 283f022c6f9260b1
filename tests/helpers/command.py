"""Run the command line in this process, with what it writes caught as bytes."""

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from ragmeter.cli import main


class Ran(NamedTuple):
    code: int
    stdout: str
    stderr: str

    @property
    def messages(self) -> list[str]:
        return self.stderr.removesuffix("\n").split("\n") if self.stderr else []


def ragmeter(*arguments: str) -> Ran:
    """What the command answers. Text is UTF-8 here whatever the locale."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    said = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return Ran(code, *said)
