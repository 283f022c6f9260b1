"""The command line: one thin file per command. Report on stdout, all else on stderr."""

from __future__ import annotations

import builtins
import gc
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from ragmeter.errors import RagmeterError, nearest
from ragmeter.version import __version__

# Importing the command `list` puts its module here under that name, so this file never says list.
COMMANDS = {
    "score": "measure recorded files",
    "run": "ask a live system, judge, measure",
    "validate": "check files without measuring",
    "convert": "files of other tools as cases, outputs and judgments",
    "init": "write a first file to start from",
    "gate": "hold a finished run against thresholds",
    "compare": "say how two or more runs differ, and how surely",
    "report": "print a finished run in another form",
    "runs": "list finished and interrupted runs",
    "explain": "say how a metric, or the number of one case, comes about",
    "list": "list metrics, formats, targets, judges, reports, profiles",
}


List = builtins.list


class Commands(click.Group):
    """Loads the file of the command that is called and no other."""

    def list_commands(self, ctx: click.Context) -> List[str]:
        """The commands in the order of a day's work."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if name not in COMMANDS:
            return None
        from importlib import import_module

        command: click.Command = import_module(f"ragmeter.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `--help`, without importing a single command."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: List[str]) -> tuple[str | None, click.Command | None, List[str]]:  # fmt: skip
        """As click's, with the nearest command named when there is none of that name."""
        if args and args[0] not in COMMANDS:
            raise click.UsageError(f"unknown command '{args[0]}'{nearest(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", message="ragmeter %(version)s", prog_name="ragmeter")
def commands() -> None:
    """Measure RAG systems: what was retrieved, cited, answered, remembered.

    \b
    Example:
      ragmeter score fixture.jsonl --k 3 --min-recall 0.8

    Exit codes: 0 all gates pass, 1 a gate fails or is inconclusive, 2 bad arguments or input, 3 measured
    incompletely, 70 a bug of ours, 130 interrupted.
    """


def program() -> NoReturn:
    """The command `ragmeter`: `main`, and the end of the process."""
    code = main()
    gc.freeze()  # else the interpreter looks through every object once more before it ends: 13 of 100 ms
    sys.exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and answer with its exit code. Every error users can mend is one message, no traceback."""
    gc.set_threshold(100_000, 20, 20)  # records hold no cycles; looking for some costs 15 % of a million cases
    try:
        code = commands.main(args=[*arguments] if arguments is not None else None, standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except (click.Abort, KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # we are going already
        return _interrupted()
    except click.ClickException as why:
        complain(usage_message(why))
        if isinstance(why, click.UsageError) and why.ctx is not None:
            complain(why.ctx.get_usage())
            complain(f"Try '{why.ctx.command_path} --help' for help.")
        return 2
    except RagmeterError as why:
        complain(str(why))
        return why.exit_code
    except (BrokenPipeError, SystemExit):  # click makes the one into the other; the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except OSError as why:
        complain(f"{why.filename}: {why.strerror}" if why.filename else str(why))
        return 2
    except Exception:
        import traceback

        traceback.print_exc()
        complain("This is a bug in ragmeter; please report it with the lines above.")
        return 70


def _interrupted() -> int:
    complain("interrupted; the same command goes on from here")
    return 130


def usage_message(why: click.ClickException) -> str:
    """A click error in our words."""
    if isinstance(why, click.NoSuchOption):
        known = [option for param in (why.ctx.command.params if why.ctx else []) for option in param.opts]
        hint = nearest(why.option_name, known).removeprefix("; ")
        return f"unknown option: {why.option_name}" + (f"\n{hint}" if hint else "")
    if isinstance(why, click.BadOptionUsage):
        return f"{why.option_name} requires a value"
    return why.format_message()


def complain(text: str) -> None:
    """A line for people, on stderr, with control characters shown instead of obeyed."""
    from ragmeter.reports import visible

    stream = sys.stderr
    for line in text.split("\n"):
        said = visible(line)
        try:
            stream.write(said + "\n")
        except UnicodeEncodeError:
            stream.write(said.encode("ascii", "backslashreplace").decode() + "\n")
