"""What the short words of reports mean, a sentence each: the reasons of nulls and the flags of cases."""

from __future__ import annotations

REASON = {
    "no_relevant": "no passage is judged relevant",
    "nothing_retrieved": "nothing was retrieved",
    "no_citations": "the answer cites nothing",
    "no_answer": "the answer is empty",
    "no_claims": "the answer makes no claim",
    "no_references": "the case has no expected answer",
    "not_judged": "no judge answered this question, or none was declared",
    "not_recorded": "a part that the metric reads was not recorded",
    "not_answerable": "the question has no answer in the collection",
    "answerable": "the question can be answered, and the metric is about those that cannot",
    "no_sentences": "the answer has no sentence",
    "no_cited_sentences": "no sentence of the answer has a citation",
    "no_checklist": "the case has no points to check",
    "no_relevant_retrieved": "no relevant passage was retrieved",
    "not_scored": "not computed for this case",
    "unranked": "the order of the passages means nothing here",
    "undefined": "the formula has no value here",
    "judge_unparsable": "the judge answered in a form that cannot be read",
    "judge_error": "the judge failed",
    "timeout": "no answer came in time",
    "target_error": "the system failed to answer",
    "no_nonrelevant": "no passage is judged not relevant",
    "no_contexts": "no context was given to the model",
    "no_expected": "the case has no expected words",
    "no_rewrite": "the question was not rewritten",
    "no_recall": "nothing was recalled",
    "refused": "the system declined to answer",
    "no_numbers": "the expected answer holds no number",
    "no_bad_answers": "the case has no wrong answer to compare with",
    "not_obtained": "no output is there for this case",
}

FLAG = {
    "empty_retrieval": "nothing was retrieved",
    "no_relevant_documents": "no passage is judged relevant",
    "duplicate_retrieved_ids": "the retrieved list repeats an id; it counts once, at its first rank",
    "citations_not_retrieved": "a cited passage was not retrieved",
    "missing_citations": "nothing is cited, or not all that was retrieved",
    "target_failed": "the system could not answer",
    "empty_answer": "the system said nothing",
    "empty_answer_judged": "an empty answer was judged as if it said something",
    "dangling_markers": "a citation marker names no source",
    "markers_out_of_range": "a citation marker is a number that no source has",
    "unused_sources": "a numbered source is never cited",
    "duplicate_markers": "a sentence cites one source twice",
    "lost_markers": "a citation marker stands in a piece that is no sentence",
    "leaked_prompt": "the answer holds words of its prompt",
    "answer_not_nfc": "the answer is not in the composed Unicode form, so a name may not be found in it",
    "contexts_not_nfc": "a context is not in the composed Unicode form, so a name may not be found in it",
    "abstention_doubtful": "a judge said that it abstains, but the answer cites, has digits or is long",
    "more_verdicts_than_items": "a judge gave more verdicts than there are items; the ratio was capped at 1",
    "judged_on_trimmed_text": "a judge saw only the beginning of a text",
    "ids_differ_in_normal_form": "two ids are the same text in another Unicode normal form, and count as two",
}


def reason(word: str) -> str:
    """'no_relevant (no passage is judged relevant)'; a plugin's own word stands alone."""
    return f"{word} ({REASON[word]})" if word in REASON else word
