"""The same stand-in as a Python function: `--target function:my_rag:answer`."""

from ask import ask


def answer(case):
    """An Output as a dict; text or a ragmeter.Output would do as well."""
    return ask(case.question)
