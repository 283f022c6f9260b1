"""Does an answer decline to answer? And does it merely repeat the question?

A refusal says that the speaker cannot or will not answer, or that the sources do not tell. The phrase alone is
not enough: "không thể" or "the document does not mention" may stand in a long answer that does answer. So it
must dominate: the first sentence refuses, and what is left beside refusing, apologising and offering sentences
is less than what they are (in `weighted_length`, where an ideograph counts as three characters). A sentence
that goes on after "but" to tell something (with a digit, or at length) does not refuse, nor does one that has
a number and no first person.

Phrases in English, Vietnamese, German, Chinese, Japanese, Korean, Arabic, French, Spanish, and the canned
sentences of GraphRAG and of the DVC-RAG pipeline. Many real abstentions are worded otherwise: this finds
the plain ones, labels or a judge find the rest.
"""

from __future__ import annotations

import re
from functools import cache

from ragmeter.text.markers import markers, strip_markers
from ragmeter.text.normal import nfc
from ragmeter.text.overlap import longest_subsequence
from ragmeter.text.sentences import sentences
from ragmeter.text.tokens import STOP_WORDS, weighted_length, words

LONGEST = 4000  # characters: whoever says more than that says something
LEADING = 2  # sentences of which one must refuse
GOES_ON = 60  # weighted characters behind "but" from which a sentence tells something
SAME = 0.85  # share of words in order from which an answer repeats its question

_SOURCES_EN = (
    r"(?:provided |given |available |retrieved |supplied |above |current )*(?:the |this |these |any |my |our )?"
    r"(?:provided |given |available |retrieved |supplied |above |current )*"
    r"(?:context|contexts|document|documents|information|data|sources?|passages?|text|texts|material|knowledge base|"
    r"excerpts?|search results|report|reports|tables|dataset)"
)
_PHRASES = (
    # English
    r"\b(?:i|we) (?:am|are|was|'m|'re) ?(?:sorry|afraid|unable|not able)[^.!?]{0,40}?(?:unable|not able|cannot|can't|couldn't"
    r"|could not|don't|do not|no)\b",
    r"\b(?:i|we)(?: am| are|'m|'re)? (?:unable|not able) to (?:answer|find|provide|determine|say|help|assist|locate|give)",
    r"\b(?:i|we) (?:cannot|can't|can not|could not|couldn't|won't|will not) (?:answer|find|provide|determine|help|assist|locate|"
    r"give you|say|comment|tell you|confirm)",
    r"\b(?:i|we) (?:do not|don't|did not|didn't) (?:know|have (?:any |enough |sufficient |the |access|specific)|find any|find "
    r"information|see any)",
    rf"\b{_SOURCES_EN} (?:do(?:es)? not|don't|doesn't|did not|didn't) (?:contain|mention|provide|include|specify|say|state|"
    r"address|cover|give|answer|have|discuss|offer)",
    r"\b(?:there is|there's|there was|there isn't|there are) (?:no|not enough|insufficient|enough|any) (?:relevant |specific |enough |sufficient )?(?:information|data|context|mention|"
    r"answer|evidence|details?)",
    r"\b(?:no|not enough|insufficient) (?:relevant |specific )?(?:information|data|answer|context|results?) (?:is|was|were|are|to|"
    r"could|can|found|available|about|on)\b",
    rf"\bnot (?:mentioned|specified|provided|stated|found|available|covered|addressed|given) (?:in|by) {_SOURCES_EN}",
    r"\b(?:question|request|topic|this|that|it) (?:is|falls|lies) (?:out of|outside|beyond) (?:the |my |our )?(?:scope|knowledge)",
    r"\b(?:cannot|can't|could not|unable to) be (?:answered|determined|found) (?:from|based on|with|using|in|given)\b",
    r"\bunable to (?:answer|find|provide an answer|determine)\b",
    r"^\W*(?:i don'?t know|unknown|no answer|n/a|not available|unanswerable|no information|insufficient information)\W*$",
    r"\b(?:i|we) (?:have|had|can find|could find|found|see|know of) (?:no|nothing|insufficient|too little) ?(?:information|data|details?|record|answer|about|on|mention|evidence)?",
    r"\b(?:it is|it's|it was) (?:not possible|impossible) to (?:answer|say|determine|tell|know|find)|\b(?:none|nothing|neither) (?:of|in) (?:the |these |those |my )?"
    r"(?:provided |given |retrieved )?(?:passages?|documents?|sources?|contexts?|texts?|results?|information)[^.!?]{0,20}? (?:mention|contain|say|state|provide|answer|cover|address)",
    r"\b(?:lies|is|goes|falls) beyond (?:what|my|the|our)\b|\b(?:not|never) (?:mention|state|discuss|specif|address|cover)\w{0,4} (?:this|that|it|anything|any)",
    r"\b(?:text|document|source|context|passage|article|material)s? sa(?:ys|y|id) nothing\b",
    # Vietnamese
    r"(?:tôi|mình|chúng tôi|em|hệ thống|trợ lý) (?:rất tiếc,? )?(?:hiện )?(?:không (?:thể|có khả năng) (?:trả lời|cung cấp|tìm|hỗ trợ|"
    r"giúp|xác định|đưa ra)|không biết|không rõ|không tìm|chưa tìm|không có (?:đủ )?(?:thông tin|dữ liệu)|chưa có (?:đủ )?thông tin)",
    r"(?:không|chưa) tìm (?:thấy|được) (?:[^\s.]{1,10} ){0,3}(?:thông tin|thủ tục|tài liệu|dữ liệu|nội dung|câu trả lời|kết quả|quy định)",
    r"(?:^\W*|hiện(?: tại| nay)?,? |rất tiếc,? |xin lỗi,? |(?:tài liệu|ngữ cảnh|nguồn|dữ liệu)[^.!?]{0,20}? )(?:không|chưa) có (?:đủ |bất kỳ |bất cứ )?"
    r"(?:thông tin|dữ liệu|căn cứ|tài liệu)(?: nào)?(?: (?:cụ thể|chi tiết|liên quan|phù hợp|về|để))",
    r"(?:tài liệu|ngữ cảnh|dữ liệu|nguồn|văn bản|thông tin)[^.!?]{0,40}? (?:không|chưa) (?:hề )?(?:đề cập|nêu|nói|cung cấp|chứa|có thông tin|quy định)",
    r"(?:không|chưa) (?:được )?(?:đề cập|nêu|quy định)(?: rõ| cụ thể)? (?:trong|ở|tại) (?:các )?(?:tài liệu|ngữ cảnh|nguồn|dữ liệu|văn bản)",
    r"(?:nằm )?ngoài phạm vi|không (?:thuộc|nằm trong) phạm vi|không thể trả lời|^\W*(?:không biết|không rõ|không có thông tin)\W*$",
    # German
    r"\b(?:ich|wir) (?:kann|können|könnte|konnte)[^.!?]{0,40}? (?:nicht|keine[nr]?)\b[^.!?]{0,40}?(?:beantworten|antworten|finden|sagen|helfen|"
    r"geben|machen|bestimmen|angeben|feststellen)",
    r"\b(?:ich|wir) (?:weiss|wissen) (?:es |das |das leider )?(?:leider )?nicht|\bweiss ich (?:leider )?nicht",
    r"\b(?:habe|finde|haben|finden) (?:ich|wir)[^.!?]{0,20}? keine?[^.!?]{0,30}?(?:informationen?|angaben|daten|antwort)",
    r"\b(?:ich|wir) (?:habe|haben|verfüge|verfügen|finde|finden)[^.!?]{0,30}? kein(?:e|en|erlei)? [^.!?]{0,30}?(?:informationen?|angaben|daten|antwort)",
    r"\b(?:dokumente?n?|quellen?|kontext|informationen|daten|texte?n?|unterlagen)[^.!?]{0,30}? (?:enthalten|enthält|geben|gibt|liefern|liefert|nennen|"
    r"nennt|finden sich|finde)[^.!?]{0,30}? (?:keine?|nicht)",
    r"\bes (?:gibt|liegen|finden sich)[^.!?]{0,30}? keine?[^.!?]{0,20}? (?:informationen?|angaben|daten|hinweise)|ausserhalb (?:meines|des|unseres)",
    r"\b(?:kann|können|könnte) (?:ich|wir)[^.!?]{0,40}? (?:nicht|keine[nr]?)\b[^.!?]{0,30}?(?:beantworten|antworten|finden|sagen|helfen|weiterhelfen|geben|machen|angeben)",
    r"\b(?:liegen|liegt|finden sich|findet sich|stehen)[^.!?]{0,30}? keine?[^.!?]{0,20}? (?:informationen?|angaben|daten|antwort|hinweise)",
    r"\b(?:lässt|lassen) sich[^.!?]{0,60}? nicht (?:beantworten|feststellen|bestimmen|ermitteln|sagen)|\bnicht (?:erwähnt|genannt|angegeben|enthalten|aufgeführt)(?=[.,;]|$)",
    r"\b(?:ich bin|wir sind)[^.!?]{0,20}? nicht in der lage\b|\bweiss ich[^.!?]{0,12}? nicht\b|\bgeht[^.!?]{0,40}? nicht hervor\b",
    r"\b(?:enthalten|nennen|liefern|geben)[^.!?]{0,12}? (?:dokumente|quellen|unterlagen|texte)[^.!?]{0,12}? keine",
    # Chinese
    r"(?:我|我们|本系统|很抱歉|抱歉|对不起|對不起)[^。！？]{0,15}?(?:无法|無法|不能|没有办法|不知道|不清楚|未能|沒辦法|没能)[^。！？]{0,20}?(?:回答|提供|找到|确定|確定|判断|帮助|协助|得知|知道)?",
    r"(?:我|我们)(?:也|不太|并)?(?:不知道|不清楚|清楚|不了解|不確定|不确定)|^\W*(?:不知道|不清楚|无法回答|無法回答|未知)\W*$",
    r"(?:文档|文件|资料|資料|上下文|信息|資訊|材料|文中|来源|文本|内容|数据)[^。！？]{0,12}?(?:没有|沒有|未|并未|並未|并没有)(?:提及|提到|提供|包含|说明|說明|涉及|给出|相关)",
    r"(?:没有|沒有|未|未能)(?:找到|查到|检索到|檢索到|足够|足夠|相关|相關)[^。！？]{0,12}?(?:信息|資訊|資料|资料|内容|內容|答案|记录)|超出[^。！？]{0,10}?范围|信息不足|資訊不足",
    r"(?:无法|無法|不能|未能)(?:根据|根據|从|從|依据)?[^。！？，]{0,20}?(?:回答|确定答|確定答|判断|判斷|得出|提供[^。！？，]{0,6}?(?:信息|資訊|答案|资料|資料|帮助))|(?:文件|文档|资料|資料|材料|文中|上下文|来源)[^。！？]{0,8}?(?:没有|沒有|并无|無)[^。！？]{0,6}?(?:答案|信息|资料|內容|内容|说明)",
    # Japanese
    r"(?:わかり|分かり|お答えし|判断し|回答し)かね(?:ます|る)",
    r"(?:お答え|回答|お応え|返答|判断|提供|お伝え|特定)(?:する(?:こと)?(?:が|は)?|は|が)?(?:でき|いたしかね|致しかね|しかね|できかね)(?:ません|ない|ます)",
    r"(?:わかりません|分かりません|わからない|分からない|存じません|不明です)(?=[。！\s]|$)|^\W*(?:不明|わかりません|分かりません)\W*$",
    r"(?:資料|文書|情報|文脈|コンテキスト|データ|本文|ソース|記述|文献)(?:に|には|で|では|から|からは|は|が|の中に)?[^。！？]{0,25}?(?:記載(?:が|は|されて)|含まれて|見つかり|言及(?:が|は|されて)|ありま"
    r"|書かれて|見当たり|示されて|不足)(?:い|お)?(?:ません|ない|せん|して)",
    r"(?:情報|回答|答え|該当)[^。！？]{0,15}?見つかりません|対象外です|範囲外",
    r"(?:情報|回答|答え|詳細)は?[^。！？]{0,12}?(?:提供|記載|公開)されていません",
    # Korean
    r"답변(?:하기|드리기)(?:가|는)? ?어렵",
    r"(?:답변|대답|답|제공|확인|도움|도와|안내|판단|알려)[^.!?]{0,12}?(?:드릴 수|할 수|해 드릴 수|될 수|줄 수|주지) ?(?:가 |는 )?(?:없|못)",
    r"(?:모르겠|알 수 없|알지 못|잘 모릅|모릅니다|찾을 수 없|찾지 못|확인되지 않)",
    r"(?:문서|자료|정보|문맥|맥락|데이터|본문|출처|내용)(?:에|에는|에서|에서는|가|는|이|로는)?[^.!?]{0,25}?(?:없습니다|없어|없으|나와 있지 않|포함되어 있지 않|언급되지 않|언급되어 있지 않|부족)",
    r"범위를 벗어|범위 밖",
    # Arabic
    r"(?:لا|لم|لن) (?:أستطيع|نستطيع|يمكنني|يمكننا|أعرف|نعرف|أعلم|نعلم|أتمكن|أجد|نجد|أملك|نملك|تتوفر|يتوفر|توجد|يوجد)(?: [^.!؟]{0,40})?",
    r"(?:المعلومات|البيانات|النص|السياق|المصادر|الوثائق|المستندات|الوثيقة)[^.!؟]{0,30}? (?:لا|لم) (?:ت|ي)(?:ذكر|تضمن|حتوي|وفر|قدم|شير|حدد|شمل|رد)",
    r"ليس(?:ت)? لدي|خارج نطاق|غير قادر على|غير متوفرة|لا توجد معلومات",
    r"(?:لم|لا) ي(?:رد|وجد|ذكر)(?: [^.!؟]{0,20})? (?:في|ضمن) (?:ال)?(?:وثائق|مستندات|نص|سياق|مصادر|بيانات)",
    # French
    r"\b(?:je|nous) (?:ne |n')(?:\w+ )?(?:peux|pouvons|sais|savons|puis|suis|dispose|disposons|trouve|trouvons|ai|avons)(?: \w+)? (?:pas|aucune?)",
    r"\b(?:documents?|sources?|contexte|informations?|données|texte)[^.!?]{0,30}? ne (?:\w+ )?(?:mentionn|contien|précis|fourni|permet|donn|indiqu)\w{0,4}"
    r"(?: \w+)? (?:pas|aucune?)",
    r"\b(?:aucune information|pas d'information|hors (?:de )?(?:mon|du) (?:champ|périmètre|domaine))",
    r"\b(?:n'est|ne sont|n'est pas|n'apparaît|ne figure)[^.!?]{0,20}? (?:mentionn|précis|indiqu|disponible|dans les documents|dans le)\w{0,4}",
    # Spanish
    r"\bno (?:está|están|se) (?:disponible|mencion|indic|especific|encuentra|proporcion)\w{0,5}",
    r"\bno lo (?:sé|sabemos|conozco)\b|\bno (?:puedo|podemos|tengo|tenemos|dispongo|disponemos|encuentro|encontré|hay|existe)"
    r"(?: \w+){0,3} (?:respond|contest|informaci|datos|suficiente|respuesta|ayudar|determin|proporcion)\w{0,5}",
    r"\b(?:documentos?|fuentes?|contexto|información|datos|texto)[^.!?]{0,30}? no (?:\w+ )?(?:menciona|contiene|especifica|proporciona|incluye|indica)",
    r"\bfuera (?:de mi|del|de nuestro) (?:alcance|ámbito)",
)
_BESIDE = (  # apologies, offers and advice that a refusal may come with
    r"^\W*(?:i(?:'m| am) (?:very |so |really )?(?:sorry|afraid)|sorry|unfortunately|apologies|as an ai|please |feel free|you (?:may|might|can|could|"
    r"should) (?:want to |wish to |need to |also )?(?:contact|check|consult|visit|try|ask|refer|rephrase|look)|if you (?:have|need|can|would|could|want|provide)|"
    r"let me know|for more|is there anything|i can help|i would|however, (?:i|you) can|could you|can you|would you)",
    r"^\W*(?:xin lỗi|rất tiếc|tiếc là|rất xin lỗi|vui lòng|bạn (?:có thể|vui lòng|nên|hãy)|nếu bạn|hãy |để (?:biết|được|có) (?:thêm|thông tin|hỗ trợ)|"
    r"mong bạn|cảm ơn|xin vui lòng|anh/chị|quý khách)",
    r"^\W*(?:leider|es tut mir leid|tut mir leid|entschuldig|bitte |wenn sie|falls sie|sie (?:können|könnten|sollten) (?:sich|gerne)|für weitere|gerne)",
    r"^\W*(?:很抱歉|抱歉|对不起|對不起|请|請|如果您?|如需|建议|建議|您可以|你可以|若您)",
    r"^\W*(?:申し訳|恐れ入り|すみません|残念ながら|もし|詳しくは|詳細は|ご不明|よろしければ|別の|他の)|(?:ください|お問い合わせ)。?$",
    r"^\W*(?:죄송|미안|안타깝|유감|다른|자세한|추가|필요하시|혹시|궁금)|(?:주세요|바랍니다|문의하세요)\.?$",
    r"^\W*(?:عذرا|آسف|أعتذر|نعتذر|للأسف|يرجى|إذا|يمكنك|لمزيد)",
    r"^\W*(?:désolé|je suis désolé|malheureusement|veuillez|si vous|n'hésitez|vous pouvez)",
    r"^\W*(?:lo siento|lamentablemente|disculp|por favor|si (?:usted|necesita|tiene)|puede |lo lamento)",
)
# A sentence with a number in it refuses only where someone speaks of himself.
_SPEAKER = re.compile(
    r"\b(?:i|we|i'm|tôi|mình|chúng tôi|ich|wir|je|nous|no puedo|no tengo|no sé)\b|我|わか|お答え|제가|저는|أستطيع|يمكنني|أعرف"
)
_BUT = re.compile(
    r"; |[,;]? ?\b(?:but|however|although|though|nhưng|tuy nhiên|song|aber|jedoch|allerdings|mais|cependant|pero|sin embargo)\b|但是?|不过|不過|然而|"
    r"ですが、|ますが、|ませんが、|しかし|지만|그러나|لكن"
)
_OFFER = re.compile(
    r"\b(?:contact|consult|help you|happy to|check|visit|refer to|try|ask|liên hệ|tham khảo|hỗ trợ bạn|kontakt|wenden|consult|contact)\w{0,6}\b"
    r"|联系|咨询|聯繫|諮詢|お問い合わせ|ご相談|문의|تواصل|استشار"
)


def refusal(text: str) -> bool:
    """Whether the answer declines. An empty answer does not: it is no answer."""
    return refusal_phrase(text) is not None


def refusal_phrase(text: str) -> str | None:
    """The words by which the answer declines, None when it does not decline. Never raises."""
    if len(text) > LONGEST:
        return None
    plain = nfc(strip_markers(text)).casefold().replace("’", "'")
    parts = [sentence.text for sentence in sentences(plain)] or [plain]
    found = [_phrase(part) for part in parts[:LEADING]]
    phrase = next((each for each in found if each), None)
    if phrase is None:
        return None
    declining = sum(weighted_length(part) for part in parts if _phrase(part) or _is_beside(part))
    told = sum(weighted_length(part) for part in parts) - declining
    if told > declining or (told and len(markers(text)) > 1):
        return None
    return phrase


def parroting(answer: str, question: str) -> bool:
    """Whether the answer is the question over again: nearly the same words in the same order, nothing added.

    An answer to a yes-no question that repeats its words as a statement in another order is none.
    """
    ours, asked = words(answer), words(question)
    if not ours or not asked or any(word not in STOP_WORDS for word in set(ours) - set(asked)):
        return False
    return longest_subsequence(ours, asked) >= SAME * max(len(ours), len(asked))


def _phrase(sentence: str) -> str | None:
    match = _refusing().search(sentence)
    if not match or _tells(sentence, match.end()):
        return None
    if any(map(str.isdigit, sentence)) and not _SPEAKER.search(sentence):
        return None
    return match[0].strip()


def _tells(sentence: str, end: int) -> bool:
    """Whether the sentence goes on after the phrase, behind a 'but', and says something."""
    but = _BUT.search(sentence, end)
    if not but:
        return False
    rest = sentence[but.end() :]
    if _OFFER.search(rest) or _refusing().search(rest):
        return False
    return any(map(str.isdigit, rest)) or weighted_length(rest) >= GOES_ON


def _is_beside(sentence: str) -> bool:
    return bool(_beside().search(sentence)) and not any(map(str.isdigit, sentence))


@cache
def _refusing() -> re.Pattern[str]:
    return re.compile("|".join(_PHRASES))


@cache
def _beside() -> re.Pattern[str]:
    return re.compile("|".join(_BESIDE))
