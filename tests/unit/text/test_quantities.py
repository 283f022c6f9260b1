"""Numbers in any form: the values, units and places, worked by hand."""

from fractions import Fraction

import pytest

from ragmeter.text.figures import readings_of_number
from ragmeter.text.quantities import Quantity, quantities
from tests.unit.text import spelling

DAY, WEEK = 86400, 604800


def only(text: str) -> Quantity:
    found = quantities(text)
    assert len(found) == 1, [q.text for q in found]
    assert text[found[0].start : found[0].end] == found[0].text
    return found[0]


def said(text: str) -> tuple[str, object, str]:
    quantity = only(text)
    return quantity.kind, quantity.value, quantity.unit


@pytest.mark.parametrize(
    ("raw", "values"),
    [
        ("1,000", [1000, 1]),
        ("1.000", [1000, 1]),
        ("1 000", [1000]),
        ("1'000", [1000]),
        ("12,34", [Fraction("12.34")]),
        ("0.500", [Fraction(1, 2)]),
        ("0,500", [Fraction(1, 2)]),
        ("1.234.567", [1234567]),
        ("1.234,56", [Fraction("1234.56")]),
        ("1,234.56", [Fraction("1234.56")]),
        ("1,00,000", [100000]),
        ("007", [7]),
        ("1.2.3", []),
        ("1,23,4", []),
    ],
)
def test_digit_strings_and_their_readings(raw: str, values: list[Fraction]) -> None:
    assert list(readings_of_number(raw)) == values


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit"),
    [
        ("in two weeks", "duration", 2 * WEEK, "second"),
        ("a 14-day period", "duration", 14 * DAY, "second"),
        ("14 working days", "duration", 14 * DAY, "second"),
        ("one year", "duration", 12, "month"),
        ("two and a half hours", "duration", 9000, "second"),
        ("half an hour", "duration", 1800, "second"),
        ("three quarters of an hour", "duration", 2700, "second"),
        ("2 hours and 30 minutes", "duration", 9000, "second"),
        ("zweieinhalb Stunden", "duration", 9000, "second"),
        ("eine vierzehntägige Frist", "duration", 14 * DAY, "second"),
        ("ein halbes Jahr", "duration", 6, "month"),
        ("05 (năm) ngày làm việc", "duration", 5 * DAY, "second"),
        ("hai năm rưỡi", "duration", 30, "month"),
        ("mười lăm ngày", "duration", 15 * DAY, "second"),
        ("两年半", "duration", 30, "month"),
        ("一个半小时", "duration", 5400, "second"),
        ("二週間", "duration", 2 * WEEK, "second"),
        ("3時間半", "duration", 12600, "second"),
        ("열흘", "duration", 10 * DAY, "second"),
        ("두 달", "duration", 2, "month"),
        ("이십일 이내", "duration", 20 * DAY, "second"),
        ("خمسة عشر يوما", "duration", 15 * DAY, "second"),
        ("شهرين", "duration", 2, "month"),
        ("deux ans", "duration", 24, "month"),
        ("treinta días", "duration", 30 * DAY, "second"),
    ],
)
def test_durations(text: str, kind: str, value: int, unit: str) -> None:
    assert said(text) == (kind, value, unit)


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit"),
    [
        ("$1,250.50", "money", Fraction("1250.5"), "$"),
        ("US$5m", "money", 5_000_000, "usd"),
        ("€900k", "money", 900_000, "eur"),
        ("2,5 Mio. Euro", "money", 2_500_000, "eur"),
        ("3,5 Milliarden €", "money", 3_500_000_000, "eur"),
        ("1 triệu 200 nghìn đồng", "money", 1_200_000, "vnd"),
        ("một triệu rưỡi đồng", "money", 1_500_000, "vnd"),
        ("100.000đ", "money", 100_000, "vnd"),
        ("3万5千円", "money", 35_000, "jpy"),
        ("一亿两千万元", "money", 120_000_000, "cny"),
        ("3만 5천 원", "money", 35_000, "krw"),
        ("٢٥٠ ريالا", "money", 250, "sar"),
        ("EUR 240", "money", 240, "eur"),
        ("twenty per cent", "percent", 20, "%"),
        ("٣٫٥٪", "percent", Fraction("3.5"), "%"),
        ("百分之三十五点五", "percent", Fraction("35.5"), "%"),
        ("三割", "percent", 30, "%"),
        ("hai mươi lăm phần trăm", "percent", 25, "%"),
        ("100 m²", "measure", 100, "m2"),
        ("3 km", "measure", 3000, "m"),
        ("0.25 g", "measure", Fraction(1, 4), "g"),
        ("-5 °C", "measure", -5, "°c"),
        ("2½", "number", Fraction(5, 2), ""),
        ("1.2 million", "number", 1_200_000, ""),
        ("两百", "number", 200, ""),
        ("a dozen", "number", 12, ""),
        ("two thirds", "number", Fraction(2, 3), ""),
        ("1/4", "number", Fraction(1, 4), ""),
        ("三分之二", "number", Fraction(2, 3), ""),
        ("4분의 3", "number", Fraction(3, 4), ""),
        ("fifteen hundred", "number", 1500, ""),
        ("61/2018/NĐ-CP", "code", "61/2018/ndcp", ""),
        ("form I-90", "code", "i90", ""),
        ("4 x 6", "code", "4x6", ""),
        ("+84 28 3829 7788", "code", "842838297788", ""),
        ("192.168.0.1", "code", "192.168.0.1", ""),
        ("9" * 5000, "code", "9" * 5000, ""),
        ("14:30", "time", 870, ""),
        ("2:30 pm", "time", 870, ""),
        ("lúc 7h30 sáng", "time", 450, ""),
        ("um 8 Uhr 30", "time", 510, ""),
        ("下午两点半", "time", 870, ""),
        ("오후 2시 30분", "time", 870, ""),
        ("الساعة 3 مساء", "time", 900, ""),
    ],
)
def test_money_measures_and_the_rest(text: str, kind: str, value: object, unit: str) -> None:
    assert said(text) == (kind, value, unit)


MARCH_12 = (2024, 3, 12)


@pytest.mark.parametrize(
    "text",
    [
        "2024-03-12",
        "2024/3/12",
        "12.03.2024",
        "March 12, 2024",
        "12th of March 2024",
        "12. März 2024",
        "ngày 12 tháng 3 năm 2024",
        "ngày mười hai tháng ba năm 2024",
        "2024年3月12日",
        "二〇二四年三月十二日",
        "令和6年3月12日",
        "2024년 3월 12일",
        "이천이십사년 삼월 십이일",
        "12 مارس 2024",
        "١٢ آذار ٢٠٢٤",
        "12 mars 2024",
        "12 de marzo de 2024",
    ],
)
def test_one_date_in_many_orders(text: str) -> None:
    assert [reading.value for reading in only(text).readings] == [MARCH_12]


def test_day_and_month_may_change_places_where_both_can_be_months() -> None:
    assert {r.value for r in only("03/04/2024").readings} == {(2024, 4, 3), (2024, 3, 4)}
    assert {r.value for r in only("25/12/2024").readings} == {(2024, 12, 25)}
    assert {r.value for r in only("05/06/49").readings} == {(2049, 6, 5), (2049, 5, 6)}
    assert only("43/12/2024").kind == "code"  # no date at all, and still something


def test_months_and_years_are_dates_too() -> None:
    assert only("tháng 3/2024").value == (2024, 3, None)
    assert only("3月份").value == (None, 3, None)
    assert {r.kind for r in only("in 1998").readings} == {"number", "date"}
    assert said("3 tháng") == ("duration", 3, "month")
    assert said("3个月") == ("duration", 3, "month")


def test_a_number_in_a_range_takes_the_unit_of_its_neighbour() -> None:
    first, second = quantities("5 to 7 days")
    assert first.value == 5 * DAY and second.value == 7 * DAY
    first, _ = quantities("2-3 triệu đồng")
    assert {r.value for r in first.readings if r.kind == "money"} == {2_000_000, 2}
    first, second = quantities("von 8 bis 17 Uhr")
    assert (first.kind, first.value, second.value) == ("time", 480, 1020)


@pytest.mark.parametrize("text", ["one in five", "五人に一人", "1 trong 5", "1 von 5", "다섯 명 중 한 명"])
def test_one_in_five_is_also_a_fifth(text: str) -> None:
    values = {r.value for q in quantities(text) for r in q.readings}
    assert Fraction(1, 5) in values


def test_three_times_a_day_is_also_every_eight_hours() -> None:
    for text in ("three times a day", "dreimal täglich", "每天三次", "하루 세 번", "3 lần mỗi ngày"):
        readings = [r for q in quantities(text) for r in q.readings if r.kind == "duration"]
        assert any(r.value == 8 * 3600 for r in readings), text


def test_weak_quantities() -> None:
    assert only("one of them").weak and only("a third of it").weak and only("một bản").weak
    assert only("Step 2").weak and only("the first floor").weak
    assert not only("one year").weak and not only("two of them").weak


@pytest.mark.parametrize(
    "text",
    [
        "see https://example.org/2024/5",
        "1. Item\n2. Item",
        "(1) this and (2) that",
        "no numbers",
        "一般来说，十分重要，统一",
        "이번 사항은 안내",
        "trong năm nay",
        "for the most part",
        "",
    ],
)
def test_what_holds_no_quantity(text: str) -> None:
    assert quantities(text) == ()


def test_places_are_those_of_the_original_text() -> None:
    for text in ("ａ １２３ ｋｇ", "thờ\u0300i hạn 15 ngày", "  ①  hai mươi   ngày", "Zahlung: 2½ Jahre"):
        for quantity in quantities(text):
            assert text[quantity.start : quantity.end] == quantity.text
    assert only("nộp trong mười lăm ngày nhé").text == "mười lăm ngày"
    assert only("nộp trong mười lăm ngày nhé").span == (10, 23)


NUMBERS = [*range(11, 130), *range(137, 1000, 41), *range(1003, 100_000, 977), 1000, 20_000, 100_000, 350_000]
SPELLINGS = [
    (spelling.english, "It takes {} days."),
    (spelling.german, "Es dauert {} Tage."),
    (spelling.vietnamese, "Mất {} ngày."),
    (spelling.chinese, "需要{}天。"),
    (spelling.japanese, "{}日間です。"),
    (spelling.korean, "{}일이 걸립니다."),
]


@pytest.mark.parametrize(("spell", "frame"), SPELLINGS, ids=lambda x: getattr(x, "__name__", ""))
def test_spelled_numbers_have_their_value(spell, frame: str) -> None:  # type: ignore[no-untyped-def]
    for number in NUMBERS:
        assert said(frame.format(spell(number)))[1] == number * DAY, spell(number)
        assert said(frame.format(number))[1] == number * DAY, number
