"""Denial against affirmation, in nine languages; harmless negatives raise no flag."""

import json
from pathlib import Path

import pytest

from ragmeter.text.negation import negation, negation_conflicts, negation_differs

DENIED = [
    ("The museum is open on Mondays.", "The museum isn't open on Mondays."),
    ("Pets are allowed in the building.", "Pets are never allowed in the building."),
    ("Hồ sơ phải nộp trực tiếp tại cơ quan.", "Hồ sơ không phải nộp trực tiếp tại cơ quan."),
    ("Giấy phép đã được gia hạn cho công ty.", "Giấy phép chưa được gia hạn cho công ty."),
    ("Der Antrag muss unterschrieben werden.", "Der Antrag muss nicht unterschrieben werden."),
    ("Die Gebühr wird erstattet.", "Die Gebühr wird nie erstattet."),
    ("申请人可以在网上提交申请。", "申请人不可以在网上提交申请。"),
    ("该证件有有效期限制。", "该证件没有有效期限制。"),
    ("申請書には署名が必要です。", "申請書には署名は必要ありません。"),
    ("ペットは入館できます。", "ペットは入館できません。"),
    ("신청서에 서명해야 합니다.", "신청서에 서명하지 않아도 됩니다."),
    ("반려동물은 입장할 수 있습니다.", "반려동물은 입장할 수 없습니다."),
    ("يجب توقيع الطلب من المتقدم.", "لا يجب توقيع الطلب من المتقدم."),
    ("الدخول مسموح للأطفال.", "الدخول غير مسموح للأطفال."),
    ("Les animaux sont admis.", "Les animaux ne sont pas admis."),
    ("Los animales pueden entrar.", "Los animales nunca pueden entrar."),
    ("Yes, a visa is required.", "No, a visa is required."),
    ("Có, cần nộp bản gốc.", "Không, cần nộp bản gốc."),
]
ALIKE = [
    ("The fee is not refundable.", "The fee cannot be refunded."),
    ("Visitors must not bring food.", "Bringing food is prohibited for visitors."),
    ("The application must be filed no later than 30 days.", "The application must be filed within 30 days."),
    ("Not only students but also teachers may apply.", "Students and teachers may apply."),
    ("Thời hạn không quá 15 ngày.", "Thời hạn tối đa 15 ngày."),
    ("Không chỉ sinh viên mà giảng viên cũng được tham gia.", "Sinh viên và giảng viên được tham gia."),
    ("Hàng không quốc tế áp dụng quy định này.", "Quy định này áp dụng cho hàng không quốc tế."),
    ("Haustiere sind nicht erlaubt.", "Es sind keine Haustiere erlaubt."),
    ("Die Frist beträgt nicht mehr als 30 Tage.", "Die Frist beträgt höchstens 30 Tage."),
    ("费用不超过100元。", "费用最多100元。"),
    ("不同部门负责审批。", "各部门负责审批。"),
    ("三十日以内に提出しなければなりません。", "三十日以内に提出する必要があります。"),
    ("子供だけでなく大人も参加できます。", "子供も大人も参加できます。"),
    ("30일 이내에 제출하지 않으면 안 됩니다.", "30일 이내에 제출해야 합니다."),
    ("학생뿐만 아니라 교사도 참가할 수 있습니다.", "학생과 교사가 참가할 수 있습니다."),
    ("لا يقل العمر عن 18 سنة.", "العمر 18 سنة على الأقل."),
    ("Le délai n'est pas plus long que 30 jours.", "Le délai est de 30 jours au plus."),
    ("No solo los alumnos sino también los profesores pueden participar.", "Los alumnos y los profesores pueden."),
    ("The ferry runs daily.", "No ferry is needed to reach the castle by road."),
    ("", "The ferry does not run."),
]


@pytest.mark.parametrize(("affirmed", "denied"), DENIED)
def test_denial_differs_from_affirmation_both_ways(affirmed: str, denied: str) -> None:
    assert negation_differs(denied, affirmed)
    assert negation_differs(affirmed, denied)
    assert not negation_differs(denied, denied) and not negation_differs(affirmed, affirmed)


@pytest.mark.parametrize(("a", "b"), ALIKE)
def test_harmless_negatives_and_other_words_do_not_differ(a: str, b: str) -> None:
    assert not negation_differs(a, b)
    assert not negation_differs(b, a)


def test_only_the_denied_clause_is_named() -> None:
    (conflict,) = negation_conflicts(
        "The fee is 240 euros, and it cannot be paid in four instalments.",
        "The fee is 240 euros, and it can be paid in four instalments.",
    )
    assert conflict.answer == "it cannot be paid in four instalments."
    assert conflict.expected == "it can be paid in four instalments."


def test_cues() -> None:
    assert negation("It is not so, never, and isn't.") == ("not", "never", "n't")
    assert negation("Không quá 15 ngày, không thu phí.") == ("không",)
    assert negation("No later than May, not only here.") == ()
    assert negation("なければなりません。できません。") == ("ません",)


def test_rewrites_of_others_and_ours_raise_no_flag(shared: Path) -> None:
    """24 of 26 denied answers were flagged when this was written, and no faithful one."""
    lines = (shared / "samples_models/s1_hard.jsonl").read_text(encoding="utf-8").splitlines()
    rows = list(map(json.loads, lines))
    assert sum(negation_differs(row["negated"], row["expected"]) for row in rows) >= 24
    assert not any(negation_differs(row["good"], row["expected"]) for row in rows)


def test_faithful_rewrites_raise_no_flag() -> None:
    pairs = (Path(__file__).parent / "quantity_pairs.tsv").read_text(encoding="utf-8").splitlines()[1:]
    flagged = [line for line in pairs if negation_differs(*line.split("\t")[2:0:-1])]
    assert len(pairs) == 440 and flagged == []
