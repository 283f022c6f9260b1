"""Tokens of the lexical similarity, and words in all scripts."""

import pytest

from ragmeter.text.tokens import content_words, lexical_tokens, weighted_length, words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Phí 3.50, theo 61/2018/NĐ-CP.", ["phí", "3.50", "theo", "61/2018/nđ-cp"]),
        ("don't a--b x_y 12:30", ["don't", "a", "b", "x", "y", "12:30"]),
        ("東京タワー3分", ["東", "京", "タ", "ワ", "ー", "3", "分"]),
        ("여권을 신청", ["여권을", "신청"]),
        ("الجواز ١٢", ["الجواز", "١٢"]),
        ("Straße ＡＢ", ["strasse", "ab"]),
        ("", []),
    ],
)
def test_lexical_tokens(text: str, tokens: list[str]) -> None:
    assert lexical_tokens(text) == tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't pay 3.5 x_y!", ["don", "t", "pay", "3", "5", "x", "y"]),
        ("Lệ phí: 20.000 đồng", ["lệ", "phí", "20", "000", "đồng"]),
        ("护照10年。", ["护", "照", "10", "年"]),
        ("パスポート", ["パ", "ス", "ポ", "ー", "ト"]),
        ("여권을 신청합니다.", ["여권을", "신청합니다"]),
        ("كِتابٌ جديد", ["كِتابٌ", "جديد"]),
        ("ปีนี้ดี", ["ปี", "นี้", "ดี"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("Große Straße", ["grosse", "strasse"]),
        ("👍 !?", []),
    ],
)
def test_words_in_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_content_words_leave_out_function_words() -> None:
    assert content_words("What is the fee of the visa?") == ["fee", "visa"]
    assert content_words("Lệ phí của hộ chiếu là bao nhiêu?") == ["lệ", "phí", "hộ", "chiếu"]


def test_one_limit_on_length_serves_all_scripts() -> None:
    assert weighted_length("a b") == 2
    assert weighted_length("护照") == weighted_length("여권") == 6
