"""Refusals in nine languages, substantive answers that hold the same words, and parroting.

The sentences are ours. Of the last 70 refusals here about 70 % were recognised when they were first tried;
the phrase lists were then completed. Expect the like on other people's wordings.
"""

import json
from pathlib import Path

import pytest

from ragmeter.text.refusal import parroting, refusal, refusal_phrase

REFUSALS = [
    "I am sorry but I am unable to answer this question given the provided data.",
    "I don't know.",
    "I don't know",
    "I'm sorry, I cannot answer that based on the provided documents. Please contact the office.",
    "The provided context does not contain information about the fee.",
    "Unfortunately, there is no information on this topic in the documents.",
    "This question is outside the scope of my knowledge.",
    "The documents do not mention the price. You may want to check the official website.",
    "Tôi không biết.",
    "Xin lỗi, tôi không thể trả lời câu hỏi này.",
    "Chưa tìm thấy thủ tục phù hợp.",
    "chưa tìm thấy thủ tục phù hợp",
    "Tài liệu được cung cấp không đề cập đến lệ phí.",
    "Rất tiếc, tôi không tìm thấy thông tin về vấn đề này. Bạn vui lòng liên hệ cơ quan chức năng.",
    "Câu hỏi nằm ngoài phạm vi hỗ trợ.",
    "Không có thông tin cụ thể về thời hạn trong tài liệu.",
    "Ich kann diese Frage leider nicht beantworten.",
    "Das weiß ich nicht.",
    "Die Dokumente enthalten dazu keine Angaben.",
    "Leider habe ich keine Informationen dazu. Bitte wenden Sie sich an die Behörde.",
    "我不知道。",
    "抱歉，我无法回答这个问题。",
    "文档中没有提到费用。",
    "根据提供的资料，未找到相关信息。",
    "很抱歉，根据现有信息无法确定答案。请咨询有关部门。",
    "わかりません。",
    "申し訳ありませんが、この質問にはお答えできません。",
    "提供された資料には料金についての記載がありません。",
    "該当する情報は見つかりませんでした。",
    "모르겠습니다.",
    "죄송합니다. 이 질문에는 답변할 수 없습니다.",
    "제공된 문서에는 수수료에 대한 정보가 없습니다.",
    "관련 정보를 찾을 수 없습니다.",
    "لا أعرف.",
    "عذرا، لا أستطيع الإجابة عن هذا السؤال.",
    "المعلومات المتوفرة لا تذكر الرسوم.",
    "Je ne sais pas.",
    "Désolé, je ne peux pas répondre à cette question.",
    "Les documents ne mentionnent pas les frais.",
    "No lo sé.",
    "Lo siento, no puedo responder a esta pregunta.",
    "El contexto no menciona la tasa.",
    "I do not have enough information to answer.",
    "Insufficient information.",
    "No information is available about this.",
    "Sorry, I have no information regarding parking fees.",
    "The answer cannot be determined from the given passages.",
    "I'm afraid the sources don't say.",
    "Based on the documents, it is not possible to answer this question.",
    "This information is not provided in the text.",
    "I could not find any mention of that in the search results.",
    "My apologies, but that lies beyond what I can answer.",
    "None of the passages mention a discount.",
    "Hiện tại hệ thống chưa có thông tin về thủ tục này.",
    "Mình không rõ về vấn đề này, bạn vui lòng hỏi cơ quan thuế nhé.",
    "Văn bản không quy định rõ nội dung bạn hỏi.",
    "Xin lỗi, câu hỏi này không thuộc phạm vi hỗ trợ của tôi.",
    "Tôi không có đủ dữ liệu để trả lời.",
    "Các nguồn được cung cấp không nêu mức phí.",
    "Dazu liegen mir keine Informationen vor.",
    "Diese Frage lässt sich anhand der Dokumente nicht beantworten.",
    "Im Kontext wird das nicht erwähnt.",
    "Leider kann ich Ihnen dabei nicht helfen.",
    "对不起，我不清楚这个问题的答案。",
    "上下文中未提供相关信息。",
    "无法根据所给材料回答该问题。",
    "这个问题超出了我的知识范围。",
    "所给文件里没有答案。",
    "その件については情報がありません。",
    "与えられた文脈からは判断できません。",
    "申し訳ございませんが、わかりかねます。",
    "記載がないため回答できません。",
    "주어진 문맥으로는 답을 알 수 없습니다.",
    "해당 내용은 문서에 나와 있지 않습니다.",
    "죄송하지만 그 부분은 확인할 수 없습니다.",
    "저는 그 질문에 답할 수 없어요.",
    "لا تتوفر معلومات كافية للإجابة.",
    "آسف، لا يمكنني المساعدة في هذا.",
    "لم يرد ذكر ذلك في الوثائق.",
    "السؤال خارج نطاق معرفتي.",
    "Aucune information n'est disponible à ce sujet.",
    "Le contexte ne permet pas de répondre.",
    "No dispongo de información suficiente para responder.",
    "La información no está disponible en los documentos.",
    "I am not able to locate that detail in the material.",
    "There isn't enough context to answer.",
    "We have no data on that.",
    "Sorry, that question can't be answered with the provided data.",
    "I cannot provide legal advice.",
    "The text says nothing about opening hours.",
    "Tôi chưa có thông tin để trả lời câu hỏi này.",
    "Không tìm thấy nội dung liên quan trong cơ sở dữ liệu.",
    "Rất tiếc, câu hỏi của bạn nằm ngoài phạm vi của tôi.",
    "Trong tài liệu không có thông tin về vấn đề này.",
    "Hệ thống không thể xác định câu trả lời.",
    "Ich bin nicht in der Lage, das zu beantworten.",
    "Darüber enthalten die Quellen keine Angaben.",
    "Leider weiß ich das nicht.",
    "Das geht aus den Unterlagen nicht hervor.",
    "我无法提供相关信息。",
    "资料中没有相关说明。",
    "暂时没有找到答案。",
    "这个我不太清楚。",
    "その情報は提供されていません。",
    "この質問に回答することはできません。",
    "文書にはその点が書かれていません。",
    "제가 가진 정보로는 답변하기 어렵습니다.",
    "문서에서 해당 정보를 찾지 못했습니다.",
    "그 질문은 제 범위를 벗어납니다.",
    "لا أملك معلومات عن ذلك.",
    "النص لا يذكر هذا الأمر.",
    "Je n'ai pas trouvé cette information.",
    "Les sources fournies ne permettent pas de répondre.",
    "No encuentro esa información en los documentos.",
    "Los documentos no indican el precio.",
]
ANSWERS = [
    "The fee is 240 euros.",
    "Người nộp không thể ủy quyền cho người khác nộp hồ sơ. Hồ sơ gồm đơn đề nghị, bản sao căn cước và hai ảnh. Thời hạn giải quyết là 15 ngày làm việc kể từ ngày nhận đủ hồ sơ hợp lệ. Lệ phí là 100.000 đồng【1】.",
    "Trường hợp không thể đến trực tiếp, bạn có thể nộp trực tuyến.",
    "Không được phép mang vật nuôi vào thư viện.",
    "You cannot enter without a ticket.",
    "I don't know the exact date, but the office opens at 9 and closes at 17.",
    "The document does not mention fees; it says that the deadline is 14 days, that two copies are needed and that the application is made in person at the town hall. It is signed by both parents. It must be renewed every five years. Late applications are charged.",
    "Children are unable to vote until they are 18.",
    "Das Museum ist montags nicht geöffnet.",
    "宠物不能进入图书馆。",
    "ペットは入館できません。",
    "반려동물은 입장할 수 없습니다.",
    "لا يسمح بدخول الحيوانات.",
    "Les animaux ne sont pas admis.",
    "No se permiten animales.",
    "",
    "Die Behörde kann den Antrag nicht ablehnen, wenn alle Unterlagen vorliegen.",
    "The bank could not find the customer's records, so the court ordered a refund of 500 dollars.",
    "不知道密码的用户可以点击“忘记密码”重置。",
    "暗証番号がわからない場合は、窓口で再発行できます。",
    "비밀번호를 모르는 경우 재설정할 수 있습니다.",
    "Nếu không biết mã số thuế, bạn có thể tra cứu trên trang web.",
    "No documents are needed.",
    "There is no fee.",
    "Không cần giấy tờ gì thêm.",
    "No hay que pagar nada.",
    "Không phải nộp lệ phí.",
    "不需要提供其他资料。",
    "他に必要な書類はありません。",
    "추가 서류는 필요 없습니다.",
    "He said: I don't know. Then he left for Paris in 1921, where he painted for ten years, married, and opened a school that still exists today.",
    "Without a ticket it is not possible to enter the hall.",
    "The law does not specify a maximum; the court decides, and in 2019 it set 5 years.",
    "The contract does not mention the deposit, which is why the tenant got back 900 euros.",
    "Nothing in the box is fragile.",
    "The guide cannot answer phone calls during the tour.",
    "Kinder unter 6 Jahren können die Prüfung nicht machen.",
    "Das Formular enthält keine Angaben zur Person, nur die Nummer.",
    "未成年人不能提供担保。",
    "材料不足的，应当在5日内补正。",
    "未找到合适房源的，可以申请补贴。",
    "書類に不足がある場合は、5日以内に補正してください。",
    "自動車を運転することはできません。",
    "서류가 부족하면 5일 이내에 보완해야 합니다.",
    "만 18세 미만은 신청할 수 없습니다.",
    "لا يمكن تقديم الطلب بعد 5 أيام.",
    "Le mineur ne peut pas signer le contrat.",
    "El menor no puede firmar el contrato.",
    "Văn bản chưa có hiệu lực thì không được áp dụng.",
    "Người dưới 18 tuổi không thể đăng ký.",
    "Trường hợp hồ sơ không có đủ thông tin thì cơ quan trả lại trong 3 ngày.",
    "Hồ sơ nằm ngoài phạm vi giải quyết sẽ được chuyển đi trong 5 ngày.",
    "Doanh nghiệp chưa có thông tin cụ thể về vốn phải bổ sung.",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_is_one(text: str) -> None:
    assert refusal(text)
    assert refusal(text + " [1]")
    assert refusal(text.upper()) or not text.isascii()


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_is_none(text: str) -> None:
    assert refusal_phrase(text) is None


def test_the_phrase_is_given() -> None:
    canned = "I am sorry but I am unable to answer this question given the provided data."
    assert refusal_phrase(canned) == "i am sorry but i am unable"
    assert refusal_phrase("Xin lỗi, tôi không thể trả lời câu hỏi này.") == "tôi không thể trả lời"


def test_the_phrase_must_dominate() -> None:
    phrase = "The documents do not mention the price."
    told = " Two copies of the form are needed. Both parents sign them. The office keeps one. The other is yours."
    assert refusal(phrase)
    assert refusal(phrase + " Please contact the office for help. I can help with other questions.")
    assert not refusal(phrase + told)
    assert not refusal(told + " " + phrase)


def test_an_empty_answer_is_no_refusal() -> None:
    assert not refusal("") and not refusal(" \n")


def test_recorded_out_of_scope_answers(shared: Path) -> None:
    lines = (shared / "conformance/dvc_rag/exp02/gen_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    refused = [row["id"] for row in map(json.loads, lines) if refusal(row["answer"])]
    assert refused == ["oos-004", "oos-006"]  # oos-000 and oos-002 answer, with citations


def test_long_real_answers_are_no_refusals(shared: Path) -> None:
    answers = json.loads((shared / "samples/benchmark_qed/global_answers.part.json").read_text(encoding="utf-8"))
    assert not any(refusal(answer["answer"]) for answer in answers)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("What is the fee for a passport?", "What is the fee for a passport?", True),
        ("What is the fee for a passport?", "The fee for a passport is 40 euros.", False),
        ("Is the fee 40 euros?", "The fee is 40 euros.", False),
        ("Lệ phí cấp hộ chiếu là bao nhiêu?", "lệ phí cấp hộ chiếu là bao nhiêu", True),
        ("Lệ phí cấp hộ chiếu là bao nhiêu?", "Lệ phí cấp hộ chiếu là 200.000 đồng.", False),
        ("护照费用是多少？", "护照费用是多少", True),
        ("护照费用是多少？", "护照费用是120元", False),
        ("パスポートの手数料はいくらですか。", "パスポートの手数料はいくらですか？", True),
        ("여권 수수료는 얼마입니까?", "여권 수수료는 얼마입니까", True),
        ("كم رسوم الجواز؟", "كم رسوم الجواز", True),
        ("Was kostet ein Reisepass?", "Was kostet ein Reisepass?", True),
        ("What is it?", "", False),
        ("", "yes", False),
    ],
)
def test_parroting(question: str, answer: str, expected: bool) -> None:
    assert parroting(answer, question) is expected
