"""Sentences by rule, in seven languages and with markers behind them."""

import pytest

from ragmeter.text.sentences import Sentence, sentences


def cut(text: str) -> list[str]:
    found = sentences(text)
    assert all(text[s.start : s.end] == s.text for s in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
    return [s.text for s in found]


@pytest.mark.parametrize(
    "text",
    [
        # each bar is a boundary
        "Tôi sống ở TP. HCM【1】. |Lệ phí là 3.5 triệu đồng【2】.",
        "Nộp tại P. 5, Q. Bình Thạnh. |ThS. Lan tiếp nhận hồ sơ, v.v. |Sau đó chờ kết quả.",
        "Das gilt z. B. für Hamburg. |Dr. Müller kam am 12. März 2024. |Im 19. Jahrhundert war es d. h. anders.",
        "Nr. 5 gilt. |Am 12.03.2024 endete die Frist. |Die GmbH & Co. KG zahlt ca. 5 Euro.",
        "He lives in the U.S. |The tax is 3.5 percent. |See e.g. Smith et al. 2020. |J. K. Rowling wrote it.",
        "At 5 p.m. we left. |Apple Inc. |The firm grew. |Apple Inc. Cupertino sells. |See Fig. 3 for that.",
        "We take vitamin C. |Kale has it. |So did Mr. and Mrs. Smith. |I said no. |No. 5 won.",
        "“Really?” he asked. |Yes! |Wow... and then it rained… |Then it stopped.",
        "한국은 아름답습니다. |여권이 필요합니다【1】.|그리고 사진도 필요합니다. |3.5개월입니다.",
        "这是第一句。|费用为3.5元！|“好的。”|他说。|第三句？【1】【2】|第四句",
        "「行く。」と言った。|次の文です。|3.5％です。|本当ですか？|はい。",
        "ما هذا؟ |هذا كتاب. |لا بأس [1]. |انتهى۔",
        "हिन्दी वाक्य है। |दूसरा वाक्य।",
        "M. Dupont est là. |Il mange env. 5 kg. |El Sr. López llegó. |¿Qué? |¡Sí!",
        "Go to https://x.org/a.b?c=1. |Then stop.",
    ],
)
def test_boundaries(text: str) -> None:
    pieces = [piece.strip() for piece in text.split("|")]
    assert cut(text.replace("|", "")) == pieces


def test_markers_stay_with_the_sentence_before_them() -> None:
    assert cut("foo is. [1] Bar says. [2][3] Next") == ["foo is. [1]", "Bar says. [2][3]", "Next"]
    assert cut("foo.[1] Bar【2】。Baz") == ["foo.[1]", "Bar【2】。", "Baz"]
    assert cut("“Quoted.” [4]. End") == ["“Quoted.” [4].", "End"]
    assert cut("It is so. [1] says otherwise, and Bo too.") == ["It is so.", "[1] says otherwise, and Bo too."]
    assert cut("A is so.\n[1]\nB is not.") == ["A is so.\n[1]", "B is not."]


def test_nothing_inside_a_marker_ends_a_sentence() -> None:
    text = "It grew [Data: General Knowledge (see p. 5. Or 6.)] fast. Then not."
    assert cut(text) == [text[:-10], "Then not."]


def test_list_numbers_and_headings_stay_with_their_text() -> None:
    assert cut("1. Prepare the form.\n2. Submit it.\n- one\n- two [1]") == [
        "1. Prepare the form.",
        "2. Submit it.",
        "- one",
        "- two [1]",
    ]
    assert cut("Bước 1. Chuẩn bị hồ sơ.\nĐiều 5. Phạm vi áp dụng.") == [
        "Bước 1. Chuẩn bị hồ sơ.",
        "Điều 5. Phạm vi áp dụng.",
    ]
    assert cut("II. Die zweite Frage. A. Erstens.") == ["II. Die zweite Frage.", "A. Erstens."]


def test_a_wrapped_line_goes_on_and_a_short_one_ends() -> None:
    wrapped = "This line of a hard-wrapped paragraph is long enough to go on below its break and\nends here."
    assert cut(wrapped) == [wrapped]
    assert cut("Requirements\nA passport is needed") == ["Requirements", "A passport is needed"]
    assert cut("one line\n\nanother") == ["one line", "another"]
    assert cut("First,\r\nsecond") == ["First,\r\nsecond"]


def test_text_without_capitals_is_cut_too() -> None:
    assert cut("all lower. no caps here. e.g. this.") == ["all lower.", "no caps here.", "e.g. this."]


@pytest.mark.parametrize("text", ["", " ", "---\n***\n", "!?", "。。。"])
def test_nothing_to_say_is_no_sentence(text: str) -> None:
    assert sentences(text) == ()


def test_a_sentence_is_its_text_and_place() -> None:
    assert sentences(" Hi. ") == (Sentence("Hi.", 1, 4),)
