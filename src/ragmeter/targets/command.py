"""Ask a program: one process a case, no shell.

    command:python ask.py          the question on standard input, the answer on standard output
    command:--json python ask.py   the whole case as one line of JSON in, an Output (or {"answer": ...}) out

A line of output that is a JSON object with fields of an Output is read as one; anything else is the answer's
text. An exit code other than 0 is a failure of the case, with the end of standard error as its reason.
"""

from __future__ import annotations

import asyncio
import shlex
import shutil

import msgspec

from ragmeter.records import Case, Output, record_json
from ragmeter.targets import TargetError, TargetUnusable

LIMIT = 10 << 20  # bytes of an answer


class Command:
    """`command:PROGRAM ARGUMENT...`, split as a shell would; `command:--json PROGRAM ...` sends the whole case."""

    def __init__(self, spec: str):
        try:
            argv = shlex.split(spec)
        except ValueError as why:
            raise TargetUnusable(f"target command: {why}") from None
        self.whole = argv[:1] == ["--json"]
        self.argv = argv[1:] if self.whole else argv
        if not self.argv:
            raise TargetUnusable("target command: expected a program, such as 'command:python ask.py'")
        if shutil.which(self.argv[0]) is None:
            raise TargetUnusable(f"target command: no program '{self.argv[0]}'")

    async def answer(self, case: Case) -> Output:
        """The program's answer to one case."""
        process = await asyncio.create_subprocess_exec(
            *self.argv, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        said = record_json(case) + b"\n" if self.whole else case.question.encode()
        try:
            out, err = await process.communicate(said)
        finally:
            if process.returncode is None:  # cancelled by the deadline
                process.kill()
                await process.wait()
        if process.returncode:
            raise TargetError(f"exit code {process.returncode}: {err.decode(errors='replace').strip()[-200:]}")
        if len(out) > LIMIT:
            raise TargetError(f"an answer of {len(out)} bytes; at most {LIMIT} are taken", retry=False)
        return parse(case, out)


def parse(case: Case, out: bytes) -> Output:
    """An Output from what a program printed: JSON with an Output's fields, else text."""
    text = out.decode(errors="replace").strip()
    if not text.startswith("{"):
        return Output(case.id, answer=text)
    try:
        value = msgspec.json.decode(text)
        if not isinstance(value, dict) or not set(value) <= set(Output.__struct_fields__):
            return Output(case.id, answer=text)
        return msgspec.convert({**value, "case": case.id}, Output)
    except (msgspec.MsgspecError, RecursionError) as why:
        if isinstance(why, msgspec.ValidationError):
            raise TargetError(f"not an Output: {why}", retry=False) from None
        return Output(case.id, answer=text)


TARGET = Command
