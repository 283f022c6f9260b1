"""The pages made from docstrings and from the help of the command line are those of this source."""

from pathlib import Path

import click
import pytest

from tools import docs


def test_every_made_page_is_fresh() -> None:
    assert docs.stale(docs.pages(), docs.ROOT) == [], "run `make docs`"


def test_there_is_a_page_for_every_metric_and_every_command() -> None:
    made = docs.pages()
    names = {path.stem for path in (docs.ROOT / docs.SOURCE).glob("[!_]*.py")}
    assert {path.stem for path in made if path.parent == docs.METRICS} == names | {"README"}
    assert "## ragmeter score\n" in made[docs.CLI]


def test_what_was_written_is_fresh_and_every_change_is_noticed(tmp_path: Path) -> None:
    made = {docs.METRICS / "one.md": "1 ≠ 2\n", docs.METRICS / "two.md": "2\n", docs.CLI: "help\n"}
    assert docs.stale(made, tmp_path) == [
        "docs/cli.md: is missing",
        "docs/metrics/one.md: is missing",
        "docs/metrics/two.md: is missing",
    ]
    docs.write(made, tmp_path)
    assert docs.stale(made, tmp_path) == []
    (tmp_path / docs.METRICS / "three.md").write_text("of a metric that is gone")
    (tmp_path / docs.METRICS / "two.md").write_text("2 \n")
    assert docs.stale(made, tmp_path) == [
        "docs/metrics/three.md: is made from nothing any more",
        "docs/metrics/two.md: is out of date",
    ]
    docs.write(made, tmp_path)
    assert docs.stale(made, tmp_path) == []


def test_a_metric_without_a_docstring_is_named(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "good.py").write_text('"""Good: a page."""')
    (tmp_path / "mute.py").write_text("score = None")
    with pytest.raises(ValueError, match="none in: mute$"):
        docs.docstrings(tmp_path)


def test_the_command_page_shows_nested_commands_and_hides_hidden_ones() -> None:
    @click.group()
    def tool() -> None:
        """A tool."""

    @tool.group()
    def cassette() -> None:
        """Recorded answers."""

    @cassette.command()
    @click.option("--now", is_flag=True, help="At once.")
    def prune(now: bool) -> None:
        """Drop what is not used."""

    @tool.command(hidden=True)
    def secret() -> None:
        """Not for the page."""

    text = docs.cli_page(tool)
    assert (
        text.index("## ragmeter\n") < text.index("## ragmeter cassette\n") < text.index("## ragmeter cassette prune\n")
    )
    assert "Usage: ragmeter cassette prune [OPTIONS]" in text
    assert "--now" in text
    assert "secret" not in text
