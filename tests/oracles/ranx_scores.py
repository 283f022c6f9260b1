"""Runs ranx in a process of its own: a list of {qrels, run, metrics} on stdin, its answers on stdout.

Alone, because it compiles for over a minute unless numba's compiler is off, which is a setting of a process.
Its import takes seconds, so that one process answers all.
"""

import json
import os
import subprocess
import sys
from typing import Any


def ranx_scores(jobs: list[dict[str, Any]]) -> list[dict[str, dict[str, float]]]:
    """{metric: {query: value}} of each job, whose qrels and run must hold the same queries. NaN stays NaN."""
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    answers: list[dict[str, dict[str, float]]] = json.loads(done.stdout)
    return answers


def main() -> None:
    from ranx import Qrels, Run, evaluate

    def answer(job: dict[str, Any]) -> dict[str, dict[str, float]]:
        run = Run(job["run"])
        evaluate(Qrels(job["qrels"]), run, job["metrics"], return_mean=False)
        return {name: {query: float(value) for query, value in rows.items()} for name, rows in run.scores.items()}

    json.dump([answer(job) for job in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main()
