"""Run ragmeter in a fresh interpreter that has our source and the installed packages, and nothing else.

No site, no .pth file, no sitecustomize, no PYTHON* variable and no user packages: what the interpreter has
loaded at the end was loaded by us.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PATHS = list(dict.fromkeys([str(ROOT / "src"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]))
SECONDS = 60  # a hanging child is a failure, not a hanging test run

# The three cases: found and cited, a repeated passage, nothing relevant.
CASES = """\
{"id":"q1","relevant_document_ids":["a","c"],"retrieved_document_ids":["a","b","c"],"cited_document_ids":["a","c"]}
{"id":"q2","relevant_document_ids":["c"],"retrieved_document_ids":["b","c","c"],"cited_document_ids":["c"]}
{"id":"q3","relevant_document_ids":[],"retrieved_document_ids":[],"cited_document_ids":[]}
"""

COMMAND = """\
import os

def leave(code):
    raise SystemExit(code)

os._exit = leave  # so that a hurried exit is reported too
from ragmeter.cli import main
sys.argv = ['ragmeter', *arguments]
code = main()
if code:
    raise SystemExit(code)
"""


class Ran(NamedTuple):
    code: int
    stdout: str
    stderr: str
    report: list[str]  # what the prelude's `report` list held at the end

    def __str__(self) -> str:
        return f"exit code {self.code}\n--- stdout\n{self.stdout}\n--- stderr\n{self.stderr}"


def run(body: str, *arguments: str, folder: Path, prelude: str = "") -> Ran:
    """Run `body` in `folder` after `prelude`, with `arguments` as a list of that name.

    The prelude may define `report()`, which answers with a list of words; it is called at the end, also after
    an exception or SystemExit.
    """
    told = folder / "isolated-report.txt"
    code = "\n".join(
        [
            f"import sys; sys.path[:0] = {PATHS!r}; arguments = {list(arguments)!r}; report = list",
            prelude,
            "try:",
            f"    exec(compile({body!r}, 'body', 'exec'))",
            "finally:",
            f"    open({str(told)!r}, 'w', encoding='utf-8').write('\\n'.join(report()))",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", code],
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )
    return Ran(done.returncode, done.stdout, done.stderr, told.read_text(encoding="utf-8").split())


def ragmeter(*arguments: str, folder: Path, prelude: str = "") -> Ran:
    """Run the command line as the console script does."""
    return run(COMMAND, *arguments, folder=folder, prelude=prelude)
