"""Text handling, one thought per file: normal forms, sentences, tokens, markers, quantities, negation,
refusal, overlap. Everything here is a pure function of strings; import the file you need, nothing is
re-exported."""
