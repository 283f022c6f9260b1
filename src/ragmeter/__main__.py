"""`python -m ragmeter`."""

from ragmeter.cli import program

program()
