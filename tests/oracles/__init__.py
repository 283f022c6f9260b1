"""Readers of what other tools said, so that tests can hold us against it."""
