"""The harness's own script under node: taken out of its document into a folder, run as it is.

`run_all` runs many commands in one node process; the script's `main` is called again and again with other
arguments, so that nothing of it is written twice.
"""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT.parent / "shared" / "seeds" / "rag-evaluation-harness.txt"
FIRST = "#!/usr/bin/env node"
LAST = "if (import.meta.url === pathToFileURL(process.argv[1]).href) await main()"
SECONDS = 300

DRIVER = """
import { readFileSync, writeFileSync } from 'node:fs'
import { main } from './exported.mjs'

const [, , jobsFile, answersFile] = process.argv
const jobs = JSON.parse(readFileSync(jobsFile, 'utf8'))
const answers = []
for (const job of jobs) {
  const said = { stdout: '', stderr: '' }
  const kept = [process.stdout.write, process.stderr.write]
  process.stdout.write = (text) => { said.stdout += text; return true }
  process.stderr.write = (text) => { said.stderr += text; return true }
  process.argv = [process.argv[0], 'evaluate-rag.mjs', ...job]
  process.exitCode = undefined
  await main()
  ;[process.stdout.write, process.stderr.write] = kept
  answers.push({ code: process.exitCode ?? 0, ...said })
}
process.exitCode = 0
writeFileSync(answersFile, JSON.stringify(answers))
"""


class Answer(NamedTuple):
    code: int
    stdout: str
    stderr: str

    @property
    def messages(self) -> list[str]:
        """The lines on stderr without the usage line."""
        lines = self.stderr.removesuffix("\n").split("\n") if self.stderr else []
        return lines[:-1] if lines and lines[-1].startswith("Usage: node ") else lines


def why_not() -> str:
    """Why the script cannot be run here, or nothing."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not DOCUMENT.is_file():
        return "the script is not there: ../shared/seeds/rag-evaluation-harness.txt does not exist beside the checkout"
    return ""


class Script:
    """The script, written into `folder`."""

    def __init__(self, folder: Path):
        self.folder = folder
        text = DOCUMENT.read_text(encoding="utf-8")
        code = text[text.index(FIRST) : text.index(LAST) + len(LAST)] + "\n"
        self.path = folder / "evaluate-rag.mjs"
        self.path.write_text(code, encoding="utf-8")
        exported = code.replace(LAST, "export { main }").removeprefix(FIRST)
        (folder / "exported.mjs").write_text(exported, encoding="utf-8")
        (folder / "driver.mjs").write_text(DRIVER, encoding="utf-8")

    def run(self, *arguments: str) -> Answer:
        """One command in a process of its own."""
        done = subprocess.run(
            ["node", str(self.path), *arguments], capture_output=True, encoding="utf-8", timeout=SECONDS
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def run_all(self, commands: Sequence[Sequence[str]]) -> list[Answer]:
        """Many commands, one after the other, in one process."""
        jobs, answers = self.folder / "jobs.json", self.folder / "answers.json"
        jobs.write_text(json.dumps(commands), encoding="utf-8")
        subprocess.run(["node", "driver.mjs", jobs.name, answers.name], cwd=self.folder, check=True, timeout=SECONDS)
        return [Answer(**answer) for answer in json.loads(answers.read_bytes())]
