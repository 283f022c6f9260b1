"""Normal forms and containment: the published rule to the letter, ours where it errs."""

import json
import unicodedata
from pathlib import Path

import pytest

from ragmeter.text.normal import (
    contains,
    depends_on_mode,
    fold,
    fragile,
    hits,
    keep_accents,
    nfc,
    seed_fold,
    verdicts,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Đăng ký thường trú", "đang ky thuong tru"),
        ("ẞ ß", "ß ß"),
        ("Ⅳ ﬁ ①", "ⅳ ﬁ ①"),
        ("hộ\u00a0chiếu", "ho\u00a0chieu"),
        ("バス", "ハス"),
        ("여권", unicodedata.normalize("NFD", "여권")),
    ],
)
def test_seed_fold_drops_marks_and_case_and_nothing_else(text: str, folded: str) -> None:
    assert seed_fold(text) == folded


def test_seed_fold_and_hits_give_every_recorded_probe(shared: Path) -> None:
    expected = json.loads((shared / "conformance/dvc_rag/EXPECTED.json").read_text())["exp03"]
    for probe in expected["normalisation_probes"]:
        assert seed_fold(probe["in"]) == probe["out"]
    for probe in expected["hit_probes"]:
        assert hits(probe["text"], probe["expected"]) is probe["hit"], probe["why"]


def test_all_published_hit_flags_hold_in_every_mode(shared: Path) -> None:
    blocks = json.loads((shared / "conformance/dvc_rag/exp03/memory_ablation.json").read_text())
    rows = [
        (row[arm], row["expected"], row[f"{arm}_hit"])
        for name, block in blocks.items()
        if name != "config"
        for row in block["rows"]
        for arm in row
        if f"{arm}_hit" in row
    ]
    assert len(rows) == 14
    for text, expected, hit in rows:
        assert set(verdicts(text, expected).values()) == {hit}


@pytest.mark.parametrize(
    ("text", "wanted", "seed", "folded"),
    [
        ("dang ky xe", "đăng ký", False, True),
        ("STRASSE", "straße", False, True),
        ("Işık", "ışık", False, True),
        ("Lodz", "Łódź", False, True),
        ("København", "kobenhavn", False, True),
        ("ＧＰＬＸ", "gplx", False, True),
        ("ﾊﾟｽﾎﾟｰﾄ", "パスポート", False, True),
        ("hộ\u00a0chiếu", "hộ chiếu", False, True),
        ("الجـواز", "الجواز", False, True),
        ("مدرسه", "مدرسة", False, True),
        ("١٢ يوما", "12 يوما", False, True),
        ("ハス停", "バス", True, False),
        ("कल", "कुल", True, False),
        ("ปู", "ปี", True, False),
        ("조각", "조가", True, False),
        ("여권을 신청", "여권", True, True),
        ("护照", "護照", False, False),
        ("", "hộ chiếu", False, False),
    ],
)
def test_where_seed_and_fold_part(text: str, wanted: str, seed: bool, folded: bool) -> None:
    assert contains(text, wanted, mode="seed") is seed
    assert contains(text, wanted, mode="fold") is folded


@pytest.mark.parametrize("mode", ["fold", "boundary", "accent"])
@pytest.mark.parametrize("empty", ["", " ", "\u00ad"])
def test_nothing_is_never_found_but_by_the_published_rule(mode: str, empty: str) -> None:
    assert not contains("any text", empty, mode=mode)
    assert contains("any text", "", mode="seed")


def test_a_whole_word_is_asked_for_only_where_words_are_parted() -> None:
    assert not contains("visage", "visa", mode="boundary")
    assert contains("visa visage", "VISA", mode="boundary")
    assert contains("visa-free", "visa", mode="boundary")
    assert contains("我要护照了", "护照", mode="boundary")
    assert contains("ขอวีซ่าด้วย", "วีซ่า", mode="boundary")
    assert not contains("여권을", "여권", mode="boundary")  # a particle is glued on: the price of this mode
    assert contains("여권을", "여권", mode="boundary", boundary="start")


def test_auto_asks_for_words_only_where_the_expected_text_is_short() -> None:
    assert not contains("Hanoi", "an", mode="fold", boundary="auto")
    assert contains("Reisepassgebühr", "pass", mode="fold", boundary="auto")


def test_accents_matter_in_accent_mode_and_tone_placement_does_not() -> None:
    assert not contains("thuê nhà", "thuế", mode="accent")
    assert contains("thuê nhà", "thuế", mode="fold")
    assert not contains("dang ky", "đăng ký", mode="accent")
    assert keep_accents("hoà thuỷ khoẻ") == keep_accents("hòa thủy khỏe")
    assert keep_accents("hoàn") != keep_accents("hoan")


def test_turkish_keeps_its_two_letters_i() -> None:
    assert contains("sinir", "sınır", mode="fold")
    assert not contains("sinir", "sınır", mode="fold", locale="tr")
    assert contains("IŞIK", "ışık", mode="fold", locale="tr")
    assert fold("İZMİR", locale="tr") == "izmir"


def test_fragile_names_what_a_hit_hangs_on() -> None:
    assert fragile("dang ky", ["đăng ký"]) == ("accent", "letter")
    assert fragile("GPLX", ["gplx"]) == ("case",)
    assert fragile("ＧＰＬＸ", ["GPLX"]) == ("width",)
    assert fragile("hộ  chiếu", ["hộ chiếu"]) == ("space",)
    assert fragile("Hanoi", ["anoi"]) == ("boundary",)
    assert fragile("ハス", ["バス"]) == ("seed_only",)
    assert fragile("hộ chiếu", ["hộ chiếu"]) == ()
    assert fragile("護照", ["护照"]) == ()


def test_depends_on_mode_when_verdicts_differ() -> None:
    assert depends_on_mode("dang ky", ["đăng ký"])
    assert not depends_on_mode("đăng ký", ["đăng ký"])
    assert list(verdicts("x", ["x"])) == ["seed", "fold", "boundary", "accent"]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown mode 'exact': one of seed"):
        contains("a", "a", mode="exact")
    with pytest.raises(ValueError, match="unknown boundary 'end'"):
        contains("a", "a", mode="fold", boundary="end")


def test_nfc_composes() -> None:
    assert nfc("a\u0301") == "á"
