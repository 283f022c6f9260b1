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
    "judged_queries_missing_from_run": "a judged query has no line in the run; it counts as nothing retrieved",
    "run_queries_without_judgments": "a query of the run has no judgments; it is left out",
    "unjudged_retrieved": "a retrieved passage has no judgment; it counts as not relevant",
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
    "expected_blank": "an expected string is blank, and would be found in every text; it is not looked for",
    "expected_short": "an expected string is so short that chance finds it",
    "expected_in_question": "the follow-up holds an expected string already",
    "expected_in_window": "the last turns hold an expected string, so no memory is needed",
    "expected_nowhere": "nothing that memory could bring back holds an expected string",
    "history_in_b2": "a case about an earlier conversation has turns of its own",
    "memory_error": "the arm with memory failed: no miss",
    "memory_not_stored": "missed: the memory does not hold an expected string",
    "memory_not_recalled": "missed: what memory brought back does not hold an expected string",
    "memory_unused": "missed though memory brought an expected string back",
    "memory_unknown": "missed, and what memory brought back was not recorded",
    "hit_depends_on_mode": "the hit is not the same in every mode of comparing strings",
    "empty_rewrite": "a rewrite is empty; it counts as a miss",
    "rewrite_copies_context": "the rewrite holds a long run of the conversation, word by word",
    "rewrite_is_long": "the rewrite is several times as long as the follow-up",
    "forbidden_hit": "the rewrite holds a forbidden string",
    "cross_user_leak": "memory brought back what another user said",
    "ids_differ_in_normal_form": "two ids are the same text in another Unicode normal form, and count as two",
}


def flag(name: str) -> str:
    """What a flag means; '' where it is not ours. It may name a run: 'empty_retrieval[run=bm25]'."""
    return FLAG.get(name.partition("[")[0], "")


def reason(word: str) -> str:
    """'no_relevant (no passage is judged relevant)'; a plugin's own word stands alone."""
    return f"{word} ({REASON[word]})" if word in REASON else word
