"""Metrics on judgments, worked by hand: empty answers, failed judges, repeated verdicts, every convention."""

import math
from collections.abc import Iterable
from typing import Any

import pytest

from ragmeter.evaluate import Evaluation
from ragmeter.facts import Facts, facts
from ragmeter.metrics import measure, measures
from ragmeter.profiles import profile
from ragmeter.records import Case, Judgment, Output, Passage, Point
from ragmeter.result import Score

STANDARD = profile("standard")
SAID = "Two years, from the date of purchase."


def judged(*made: Judgment) -> dict[str, dict[str, Judgment]]:
    found: dict[str, dict[str, Judgment]] = {}
    for one in made:
        found.setdefault(one.kind, {})[one.subject] = one
    return found


def verdicts(kind: str, subject: str, *values: Any) -> list[Judgment]:
    return [
        Judgment("a", kind, f"{subject}:{i}", label=value) if isinstance(value, str) else Judgment("a", kind, f"{subject}:{i}", value=value)
        for i, value in enumerate(values)
    ]  # fmt: skip


def of(spec: str, *made: Judgment, answer: str | None = SAID, case: Case | None = None, using: str = "standard", **fields: Any) -> Score:  # fmt: skip
    one = measure(spec, profile(using))
    output = Output("a", answer=answer, **fields)
    known: Facts = facts(case or Case("a"), output, judged(*made))
    return one.score(known)


def estimate(
    spec: str, rows: Iterable[tuple[Case, Output, dict[str, dict[str, Judgment]]]], using: str = "standard"
) -> Any:
    chosen = profile(using)
    evaluation = Evaluation(measures(spec, chosen), chosen)
    evaluation.add_judged(rows)
    return evaluation.result({}).estimates[0]


RATIOS = [
    ("faithfulness", "faithfulness", "claim_support", "claim"),
    ("completeness", "completeness", "point_in_answer", "point"),
    ("context_recall", "context_recall", "point_in_context", "point"),
    ("claim_precision", "claim_precision", "claim_correct", "claim"),
    ("claim_recall", "claim_recall", "claim_covered", "claim"),
    ("context_precision_judged", "context_precision", "context_relevance", "context"),
]


@pytest.mark.parametrize(("metric", "whole", "part", "subject"), RATIOS)
def test_a_ratio_comes_from_counts_from_verdicts_or_from_a_list(
    metric: str, whole: str, part: str, subject: str
) -> None:
    assert of(metric, Judgment("a", whole, num=3, den=4)) == Score(3, 4)
    assert of(metric, *verdicts(part, subject, 1, 0, 1, 1)) == Score(3, 4)
    assert of(metric, *verdicts(part, subject, "yes", "no", "partial", "supported")) == Score(2.5, 4)
    listed = [{"idx": 0, "value": 1}, {"idx": 1, "value": 0}, {"idx": 2, "value": "yes"}, {"idx": 3, "value": True}]
    assert of(metric, Judgment("a", whole, den=4, num=4, extra={"verdicts": listed})) == Score(3, 4)
    assert of(metric, Judgment("a", whole, value=0.75)) == Score(0.75)


@pytest.mark.parametrize(("metric", "whole", "part", "subject"), RATIOS)
def test_verdicts_are_deduplicated_and_capped(metric: str, whole: str, part: str, subject: str) -> None:
    assert of(metric, Judgment("a", whole, num=7, den=5)) == Score(5, 5), "more supported than there are"
    assert of(metric, Judgment("a", whole, value=1.4)) == Score(1)
    listed = [{"idx": 0, "value": 1}, {"idx": 0, "value": 0}, {"idx": 1, "value": 1}, {"idx": 2, "value": 1}]
    assert of(metric, Judgment("a", whole, num=4, den=2, extra={"verdicts": listed})) == Score(1, 2), (
        "last of 0, without 2"
    )
    missing = Judgment("a", whole, num=1, den=3, extra={"verdicts": listed[:3]})
    assert of(metric, missing).reason == "not_judged", "a verdict that is not there is not a no"


@pytest.mark.parametrize(("metric", "whole", "part", "subject"), RATIOS)
def test_a_failed_judge_is_an_error_and_never_a_zero(metric: str, whole: str, part: str, subject: str) -> None:
    assert of(metric, Judgment("a", whole, error="timeout: 30 s")).reason == "timeout"
    assert of(metric, Judgment("a", whole, label="no idea")).reason == "judge_unparsable"
    made = [*verdicts(part, subject, 1, 1), Judgment("a", part, f"{subject}:2", error="judge_error: 500")]
    assert of(metric, *made).reason == "judge_error"
    assert of(metric, *verdicts(part, subject, 1, "whatever")).reason == "judge_unparsable"
    assert of(metric).reason == "not_judged"
    broken = Judgment("a", whole, num=1, den=1, extra={"verdicts": ["yes"]})
    assert of(metric, broken).reason == "judge_unparsable"
    rows = [(Case("a"), Output("a", answer=SAID), judged(Judgment("a", whole, error="judge_error: x"))),
            (Case("b"), Output("b", answer=SAID), judged(Judgment("b", whole, num=1, den=2)))]  # fmt: skip
    got = estimate(metric, rows)
    assert (got.value, got.n_scored, got.n_error) == (0.5, 1, 1)


@pytest.mark.parametrize("metric", ["faithfulness", "completeness", "claim_precision", "claim_recall"])
@pytest.mark.parametrize("answer", ["", " \n"])
def test_an_empty_answer_is_no_answer_whatever_was_judged_of_it(metric: str, answer: str) -> None:
    kind = Judgment("a", metric, num=3, den=10)
    assert of(metric, kind, answer=answer).reason == "no_answer"
    assert of(f"{metric}:as_judged", kind, answer=answer) == Score(3, 10)
    assert of(f"{metric}:empty_zero", kind, answer=answer) == Score(0)
    assert of(metric, kind, answer=None).reason == "not_recorded"


def test_contexts_are_judged_without_an_answer() -> None:
    assert of("context_recall", Judgment("a", "context_recall", num=1, den=2), answer="") == Score(1, 2)
    assert of("context_precision_judged", Judgment("a", "context_precision", num=1, den=2), answer=None) == Score(1, 2)


def test_no_claims_and_no_checklist_are_no_zero() -> None:
    assert of("faithfulness", Judgment("a", "faithfulness", label="no_claims")).reason == "no_claims"
    assert of("completeness", Judgment("a", "completeness", label="no_checklist")).reason == "no_checklist"
    assert of("context_precision_judged", contexts=()).reason == "no_contexts"


def test_the_checklist_of_the_case_is_the_denominator() -> None:
    case = Case("a", points=(Point("x"), Point("y"), Point("z")))
    assert of("completeness", *verdicts("point_in_answer", "point", 1, 0, 1), case=case) == Score(2, 3)
    assert of("completeness", *verdicts("point_in_answer", "point", 1, 0, 1, 1), case=case) == Score(2, 3)
    assert of("completeness", *verdicts("point_in_answer", "point", 1, 0), case=case).reason == "not_judged"


def test_answer_relevance() -> None:
    made = [Judgment("a", "question_similarity", f"question:{i}", value=v) for i, v in enumerate((0.9, 0.6, 0.3))]
    assert of("answer_relevance", *made).value == pytest.approx(0.6)
    assert of("answer_relevance", *made, Judgment("a", "noncommittal", value=1)) == Score(0)
    assert of("answer_relevance", *made, Judgment("a", "noncommittal", value=0)).value == pytest.approx(0.6)
    assert of("answer_relevance", Judgment("a", "answer_relevance", value=-0.25)) == Score(-0.25)
    assert of("answer_relevance", Judgment("a", "answer_relevance", error="judge_error: null")).reason == "judge_error"
    assert of("answer_relevance", *made, answer="").reason == "no_answer"
    assert of("answer_relevance").reason == "not_judged"


def test_ranked_context_precision_looks_at_the_order_and_the_share_does_not() -> None:
    first, last = (
        verdicts("context_relevance", "context", 1, 0, 1, 0),
        verdicts("context_relevance", "context", 0, 1, 0, 1),
    )
    assert of("context_precision_judged", *first) == of("context_precision_judged", *last) == Score(2, 4)
    assert of("context_precision_judged:ranked", *first).value == pytest.approx((1 + 2 / 3) / 2)
    assert of("context_precision_judged:ranked", *last).value == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert of("context_precision_judged:ranked", *verdicts("context_relevance", "context", 0, 0)) == Score(0)
    ratio = Judgment("a", "context_precision", num=1, den=2)
    assert of("context_precision_judged:ranked", ratio).reason == "not_recorded"
    twelve = verdicts("context_relevance", "context", *[0] * 10, 1, 0)
    assert of("context_precision_judged:ranked", *reversed(twelve)).value == pytest.approx(1 / 11), "10 comes after 9"


NUGGETS = Case("a", points=(Point("v1"), Point("v2"), Point("o1", "okay"), Point("o2", "okay")))


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("nugget", (1 + 0.5 + 0.5 + 0) / 4),
        ("nugget:strict", 1 / 4),
        ("nugget:vital", 1.5 / 2),
        ("nugget:vital_strict", 1 / 2),
        ("nugget:weighted", (1 + 0.5 + 0.5 * 0.5) / (2 + 0.5 * 2)),
        ("nugget:weighted_strict", 1 / 3),
    ],
)
def test_nuggets(spec: str, value: float) -> None:
    made = verdicts("nugget_support", "point", "support", "partial_support", "partial_support", "not_support")
    assert of(spec, *made, case=NUGGETS).value == pytest.approx(value)


def test_nuggets_that_are_missing_or_unjudged() -> None:
    made = verdicts("nugget_support", "point", 1, 0.5)
    assert of("nugget:vital", *made, case=NUGGETS) == Score(1.5, 2), "the okay ones are not looked at"
    assert of("nugget", *made, case=NUGGETS).reason == "not_judged"
    assert of("nugget").reason == "no_checklist"
    okay = Case("a", points=(Point("o", "okay"),))
    assert of("nugget:vital", *verdicts("nugget_support", "point", 1), case=okay).reason == "undefined"
    assert of("nugget", *verdicts("nugget_support", "point", 1, 1, 1, 1), case=NUGGETS, answer="").reason == "no_answer"


def test_answer_correctness() -> None:
    made = [*verdicts("claim_correct", "claim", 1, 1, 0), *verdicts("claim_covered", "claim", 1, 0)]
    assert of("answer_correctness", *made).value == pytest.approx(2 * 2 / (2 * 2 + 1 + 1)), "tp 2, fp 1, fn 1"
    assert of("answer_correctness:beta=2", *made).value == pytest.approx(5 * 2 / (5 * 2 + 4 * 1 + 1))
    case = Case("a", references=("Two years.",))
    near = Judgment("a", "similarity", "reference:0", value=0.8)
    assert of("answer_correctness:ragas", *made, near, case=case).value == pytest.approx(0.75 * 2 / 3 + 0.25 * 0.8)
    assert of("answer_correctness:ragas", *made).reason == "no_references"
    assert of("answer_correctness").reason == "not_judged"
    none = [Judgment("a", "claim_correct", label="no_claims"), Judgment("a", "claim_covered", label="no_claims")]
    assert of("answer_correctness", *none).reason == "no_claims"
    assert of("answer_correctness", none[0], *verdicts("claim_covered", "claim", 1, 1)).reason == "undefined"
    assert of("answer_correctness", none[0], *verdicts("claim_covered", "claim", 1, 0)) == Score(0, 1)


# "A [1][2]. B [2]. C. D [9]." with three contexts: sentence 0 cites two sources, 1 one, 2 none, 3 a missing one.
CITED = "The first claim stands here [1][2]. The second one stands there [2]. The third has none. The fourth cites [9]."
CONTEXTS = (Passage("x"), Passage("y"), Passage("z"))


def support(**said: float) -> list[Judgment]:
    """support(s0=1, s0_1=0, s0_without_2=1): verdicts by a short name."""
    made = []
    for name, value in said.items():
        sentence, _, rest = name.removeprefix("s").partition("_")
        word, _, key = rest.rpartition("_")
        subject = f"sentence:{sentence}" + (f"|{word or 'source'}:{key}" if rest else "")
        made.append(Judgment("a", "citation_support", subject, value=value))
    return made


ALL = support(s0=1, s0_1=1, s0_2=0, s0_without_2=1, s0_without_1=0, s1=1, s1_2=1)


@pytest.mark.parametrize(
    ("spec", "using", "score"),
    [
        ("citation_recall", "alce", Score(2, 4)),  # every sentence; the one out of range counts 0
        ("citation_recall", "dvc", Score(0, 1)),  # only 【n】 are markers there: none
        ("citation_recall:cited", "standard", Score(2, 3)),  # the fourth has a marker, which dangles
        ("citation_recall:cited,dangling=ignore", "standard", Score(2, 2)),
        ("citation_recall", "trec_support", Score(2, 4)),
        ("citation_precision", "alce", Score(2, 3)),  # 1 supports alone, 2 is not needed, 2 of sentence 1 is
        ("citation_precision:dangling=zero", "alce", Score(2, 4)),
        ("citation_precision", "trec_support", Score(2, 4)),
    ],
)
def test_citations_by_convention(spec: str, using: str, score: Score) -> None:
    said = of(spec, *ALL, answer=CITED, contexts=CONTEXTS, using=using)
    if using == "dvc":
        assert said.reason == "no_cited_sentences"
    else:
        assert said == score


def test_a_citation_counts_when_the_others_do_not_suffice_without_it() -> None:
    both = support(s0=1, s0_1=0, s0_2=0, s0_without_1=0, s0_without_2=0)
    assert of("citation_precision:alce", *both, answer="It is said here [1][2].", contexts=CONTEXTS) == Score(2, 2)
    unsupported = support(s0=0)
    assert of("citation_precision:alce", *unsupported, answer="It is said here [1][2].", contexts=CONTEXTS) == Score(
        0, 2
    )
    twice = support(s0=1, s0_1=0)
    assert of("citation_precision:alce", *twice, answer="It is said here [1][1].", contexts=CONTEXTS) == Score(0, 2)


def test_under_dvc_every_occurrence_counts_and_dangling_markers_do_not() -> None:
    answer = "Hồ sơ nộp tại quầy【1】【1】【7】. Lệ phí là năm mươi nghìn đồng【2】. Không có nguồn cho câu này."
    contexts = (Passage("x", indices=(1,)), Passage("y", indices=(2, 3)))
    made = support(s0=1, s0_1=1, s1=0, s1_2=0)
    assert of("citation_recall", *made, answer=answer, contexts=contexts, using="dvc") == Score(1, 2)
    assert of("citation_precision", *made, answer=answer, contexts=contexts, using="dvc") == Score(2, 3)
    assert of("citation_recall:all", *made, answer=answer, contexts=contexts, using="dvc") == Score(1, 3)
    out = Case("a", answerable=False)
    assert (
        of("citation_recall", *made, answer=answer, contexts=contexts, using="dvc", case=out).reason == "not_answerable"
    )


@pytest.mark.parametrize(("how", "value"), [("first", 0.5), ("max", 1.0), ("mean", 0.75)])
def test_which_citation_enters_the_support_of_a_sentence_is_a_parameter(how: str, value: float) -> None:
    made = support(s0_1=0.5, s0_2=1)
    said = of(f"citation_recall:trec_support,support={how}", *made, answer="It is said here [1][2].", contexts=CONTEXTS)
    assert said == Score(value, 1)
    partly = of("citation_precision:trec_support", *made, answer="It is said here [1][2].", contexts=CONTEXTS)
    assert partly == Score(1.5, 2)


def test_citations_that_are_not_there_or_not_judged() -> None:
    assert of("citation_recall", answer="").reason == of("citation_precision", answer="").reason == "no_answer"
    assert of("citation_precision", answer="No source is named.").reason == "no_cited_sentences"
    assert of("citation_precision", answer="No source is named.", using="alce") == Score(0.0)
    assert of("citation_recall", answer="No source is named. None.") == Score(0, 2), "uncited sentences count"
    assert of("citation_recall", answer=CITED, contexts=CONTEXTS).reason == "not_judged"
    failed = Judgment("a", "citation_support", "sentence:0", error="timeout: 9 s")
    assert of("citation_recall", failed, answer="It is [1].", contexts=CONTEXTS).reason == "timeout"
    recorded = Judgment("a", "citation_recall", value=0.5)
    assert of("citation_recall:cited", recorded) == Score(0.5)
    assert of("citation_recall:all", recorded).reason == "not_recorded", "a bare value has no numerator"


def test_f1_of_the_means_is_not_the_mean_of_the_f1() -> None:
    rows = [
        (Case(id), Output(id, answer=SAID), judged(Judgment(id, "citation_recall", num=r, den=4), Judgment(id, "citation_precision", num=p, den=4)))
        for id, r, p in (("a", 4, 1), ("b", 0, 4), ("c", 0, 0))
    ]  # fmt: skip
    r, p = (1 + 0 + 0) / 3, (0.25 + 1 + 0) / 3
    assert estimate("citation_f1:cited", rows).value == pytest.approx(2 * r * p / (r + p))
    one = 2 * 1 * 0.25 / 1.25
    assert estimate("citation_f1_mean:cited", rows).value == pytest.approx((one + 0 + 0) / 3)
    skipped = estimate("citation_f1_mean:cited,both_zero=null", rows)
    assert (skipped.value, skipped.n_scored, skipped.n_null) == (pytest.approx(one / 2), 2, {"undefined": 1})


@pytest.mark.parametrize(
    ("metric", "kind"),
    [("faithfulness", "faithfulness"), ("completeness", "completeness"), ("context_recall", "context_recall"),
     ("context_precision", "context_precision"), ("citation_precision", "citation_precision")],
)  # fmt: skip
def test_pooled_ratios_weigh_items_and_need_their_counts(metric: str, kind: str) -> None:
    rows = [
        (Case("a"), Output("a", answer=SAID), judged(Judgment("a", kind, num=1, den=1))),
        (Case("b"), Output("b", answer=SAID), judged(Judgment("b", kind, num=2, den=9))),
        (Case("c"), Output("c", answer=SAID), judged(Judgment("c", kind, value=0.5))),
    ]
    got = estimate(f"{metric}_micro", rows)
    assert (got.value, got.n_scored, got.n_null) == (pytest.approx(3 / 10), 2, {"not_recorded": 1})


def test_uncited_claims() -> None:
    answer = "A sentence that is longer than thirty characters. Another long sentence with its source [1]. Short."
    assert of("uncited_claims", answer=answer) == Score(1)
    assert of("uncited_claims", answer="").reason == "no_answer"
    assert of("uncited_claims", answer="", using="dvc") == Score(0)
    assert of("uncited_claims", answer="Vui lòng liên hệ cơ quan có thẩm quyền để biết.", using="dvc") == Score(0)
    assert of("uncited_claims", answer="Cơ quan có thẩm quyền cấp giấy phép này.", using="dvc") == Score(1)
    assert of("uncited_claims", answer=answer, using="dvc", case=Case("a", answerable=False)).reason == "not_answerable"


def asked(answerable: bool | None, label: str, n: int, answer: str = SAID) -> list[Any]:
    return [
        (Case(f"{label}{answerable}{i}", answerable=answerable), Output(f"{label}{answerable}{i}", answer=answer),
         judged(Judgment("", "abstention", label=label)) if label else {})
        for i in range(n)
    ]  # fmt: skip


def test_the_confusion_of_abstaining() -> None:
    rows = [
        *asked(False, "abstain", 3),
        *asked(False, "substantive", 1),
        *asked(True, "abstain", 2),
        *asked(True, "substantive", 4),
    ]
    tp, fn, fp, tn = 3, 1, 2, 4
    wanted = {
        "abstention_precision": tp / (tp + fp),
        "abstention_recall": tp / (tp + fn),
        "over_answer_rate": fn / (tp + fn),
        "over_refusal_rate": fp / (fp + tn),
        "abstention_f1": 2 * tp / (2 * tp + fp + fn),
        "abstention_mcc": (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    }
    for metric, value in wanted.items():
        assert estimate(metric, rows).value == pytest.approx(value), metric
    assert estimate("abstention_recall", rows).n_scored == 4
    assert estimate("abstention_mcc", asked(True, "substantive", 3)).value is None
    assert estimate("abstention_f1", asked(True, "substantive", 3)).value is None


def test_a_judgment_overrides_the_words_and_an_empty_answer_is_neither() -> None:
    no = "I'm sorry, but I cannot find this in the documents."
    case = Case("a", answerable=False)
    assert of("abstention_recall", answer=no, case=case) == Score(1)
    assert of("abstention_recall", answer=SAID, case=case) == Score(0)
    substantive = Judgment("a", "abstention", label="substantive")
    assert of("abstention_recall", substantive, answer=no, case=case) == Score(0)
    assert of("abstention_recall:text", substantive, answer=no, case=case) == Score(1)
    assert of("abstention_recall:judge", answer=no, case=case).reason == "not_judged"
    assert of("abstention_recall", answer="", case=case).reason == "no_answer"
    assert of("abstention_recall", Judgment("a", "abstention", label="?"), case=case).reason == "judge_unparsable"
    assert of("abstention_recall", Judgment("a", "abstention", error="timeout"), case=case).reason == "timeout"
    assert of("over_refusal_rate", answer=no, case=Case("a", answerable=True)) == Score(1)
    assert of("over_refusal_rate", answer=no, case=case).reason == "not_answerable"
    assert of("abstention_precision", answer=SAID, case=case).reason == "undefined"
    assert of("abstention_f1", answer=no).reason == "not_recorded"


def gate(
    spec: str, answerable: bool, *scores: float | None, qrels: dict[str, int] | None = None, **fields: Any
) -> Score:
    case = Case("a", qrels={"g": 1} if answerable else {}, answerable=answerable)
    passages = tuple(Passage(id, score) for id, score in zip("gxyz", scores, strict=False))
    return measure(spec, STANDARD).score(facts(case, Output("a", passages, **fields), {}))


def test_the_gate_keeps_the_gold_and_rejects_the_rest() -> None:
    assert gate("gate_kept", True, 0.4, 0.0) == Score(1)
    assert gate("gate_kept", True, 0.0, 0.9) == Score(0)
    assert gate("gate_kept", True, None, 0.9) == Score(0), "a missing relevance is 0"
    assert gate("gate_kept:threshold=0.5", True, 0.4, 0.0) == Score(0)
    assert gate("gate_rejected", False, 0.0, None, -1.0) == Score(1)
    assert gate("gate_rejected", False, 0.0, 0.1) == Score(0)
    assert gate("gate_kept", False, 1.0).reason == "not_answerable"
    assert gate("gate_rejected", True, 1.0).reason == "answerable"


@pytest.mark.parametrize(("metric", "answerable", "published"), [("gate_kept", True, 0), ("gate_rejected", False, 1)])
def test_a_failed_retrieval_is_no_rejection(metric: str, answerable: bool, published: int) -> None:
    assert gate(metric, answerable).reason == "nothing_retrieved", "out of the denominator"
    assert gate(f"{metric}:strict", answerable) == Score(0), "in it, as a failure"
    assert gate(f"{metric}:published", answerable) == Score(published), "what an empty list looked like"
    assert gate(metric, answerable, error="boom").reason == "target_error"


def test_gate_judgments_override_scores() -> None:
    case, output = Case("a", qrels={"g": 1}, answerable=True), Output("a", (Passage("g", 0.0), Passage("x", 1.0)))
    made = judged(Judgment("a", "gate", "g", value=1.0), Judgment("a", "gate", "x", value=0.0))
    assert measure("gate_kept", STANDARD).score(facts(case, output, made)) == Score(1)
