"""All benchmarks, one after the other: `python benchmarks/run.py [--small]`. Their tables go to stdout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = ("s2.py", "trec.py", "coverage.py", "gates.py")


def main() -> int:
    """Run each script that is there with the arguments given; the first failure ends it."""
    for script in SCRIPTS:
        if (HERE / script).exists():
            print(f"\n## {script.removesuffix('.py')}", flush=True)
            done = subprocess.run([sys.executable, str(HERE / script), *sys.argv[1:]])
            if done.returncode:
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
