"""`ragmeter score`: measure recorded files."""

from __future__ import annotations

import sys
from typing import Any

import click

from ragmeter.cli.options import gating, measuring, reporting, settle, spare
from ragmeter.errors import Problems, UsageError


@click.command("score", short_help="measure recorded files")
@click.argument("cases", nargs=-1)
@click.option("--from", "from_", metavar="FORMAT", help="Format of CASES, instead of recognising it.")
@click.option("--qrels", multiple=True, metavar="FILE", help="Relevance judgments for runs (TREC, BEIR).")
@click.option("--judgments", multiple=True, metavar="FILE", help="Recorded judgments.")
@click.option(
    "--judge", "judges", multiple=True, metavar="SPEC", help="A local judge to ask, such as similarity:lexical."
)
@measuring
@click.option("--queries", type=click.Choice(["judged", "common"]), help="Which queries count.")
@click.option("--judged-only", is_flag=True, help="Drop unjudged passages before ranking.")
@click.option("--ties", is_flag=True, help="Also the best and worst value over the orders of equal scores.")
@click.option("--per-query", is_flag=True, help="Rows of a TREC run too (other inputs always have them).")
@gating
@reporting
@click.option("--strict", is_flag=True, help="Warnings about the input are errors; repeated keys too.")
@click.option("--offline", is_flag=True, help="Never ask a judge; missing judgments end in exit code 3.")
@click.option("--max-errors", type=click.IntRange(0), default=0, show_default=True, help="Failed cases that are borne.")
@click.option("--config", metavar="FILE", help="Settings from this ragmeter.toml.")
@click.pass_context
def command(ctx: click.Context, **options: Any) -> int:
    """Measure recorded files: fixtures, cases with outputs, TREC runs with qrels.

    \b
    Examples:
      ragmeter score fixture.jsonl --k 3 --format markdown --min-recall 0.8
      ragmeter score bm25.run --qrels qrels.txt -m ndcg@10,average_precision
      ragmeter score cases.jsonl outputs.jsonl --by topic --format json
    """
    from ragmeter.cli.finish import finish
    from ragmeter.score import score

    reports = options.pop("reports")
    suite = settle(ctx, options)
    if not suite.cases:
        raise UsageError("input JSONL path is required")
    spare([*suite.cases, *suite.qrels, *suite.judgments], reports)
    problems = Problems(strict=suite.strict)
    result, rows = score(suite, problems)
    for line in problems.warning_lines():
        print(line, file=sys.stderr)
    return finish(suite, result, rows, reports)
