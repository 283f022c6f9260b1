"""Does the answer deny what the expected answer affirms, or the reverse? A conservative flag, not a judge.

Both texts are cut into clauses. Clauses that share most of their content are aligned, and a flag is raised
where one of them is plainly denied and the other plainly not. What is worded differently is not aligned and
not flagged; a clause with a soft cue ("without", "forbidden", "except") counts as neither. Bounds ("no later
than"), "not only", "must" written with two negatives (なければならない, 수밖에 없다) and words that merely hold a
negative syllable (不同, 特别, hàng không) are no denial.

Languages: English, Vietnamese, German, Chinese, Japanese, Korean, Arabic, French, Spanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from ragmeter.text.normal import nfc
from ragmeter.text.sentences import sentences
from ragmeter.text.tokens import STOP_WORDS, words

ALIGNED = 0.6  # share of common content (Dice) from which two clauses say or deny the same thing
MOST = 400  # clauses of each text that are compared: every one with every other
FEWEST = 2  # pieces of content a clause must have to be compared

# Phrases with a negative in them that deny nothing.
_HARMLESS = (
    r"\b(?:not only|not just|not until|not to exceed|not exceeding|not uncommon\w*|whether or not|if not|or not|no doubt"
    r"|nothing but|no matter|cannot but|not least|no\.? ?(?=\d)"
    r"|n(?:o|ot) (?:later|more|less|fewer|longer|earlier|greater|higher|lower|larger|smaller|older|younger) than)\b",
    r"\bnicht (?:nur|zuletzt|(?:mehr|weniger|später|früher|länger|höher|größer|jünger|älter) als)\b",
    r"\bno (?:solo|sólo|obstante|(?:más|menos|superior|inferior|mayor|menor)(?: tarde)? (?:de|a|que))\b",
    r"\b(?:ne |n')?(?:\w+ )?pas (?:seulement|(?:plus|moins)(?: \w+)? (?:de|que|tard))\b",
    r"không (?:quá|dưới|vượt|ít hơn|nhiều hơn|chậm quá|muộn hơn|sớm hơn|thấp hơn|cao hơn|lớn hơn|nhỏ hơn|kém|chỉ|những"
    r"|gian|khí|phận|thời hạn|tặc)|hàng không|trên không|số không|hay không|không thể không|không ai không",
    r"不(?:仅|僅|但|只是|过|過(?!度)|同|断|斷|少(?!了)|久|错|錯|超过|超過|少于|得不|得已|低于|低於|高于|高於|多于|大于|小于|晚于|迟于|早于|足"
    r"|论|論|管|锈|动产|動產|良|可避免|可分|妨|禁|由得|满)|是不是|能不能|可不可以|对不起|對不起|差不多|要不|是否|能否|可否|与否|否则|否則"
    r"|未(?:来|來|成年|必|满|滿)|没关系|沒關係|毫无疑问|无(?:论|疑|线|锡|限|数|形)|無(?:論|限|料|線|数)|非(?:常|洲|得)|除非|莫非",
    r"な(?:ければ|くては|ければば)(?:なりません|ならない|いけません|いけない|なら|いけ)|ないと(?:いけ|なら)\w{0,3}|しかな(?:い|く)|かもしれ(?:ない|ません)"
    r"|(?:に)?違い(?:ない|ありません)|だけで(?:は)?な(?:く|い)|のみならず|少な[いくか]|危な[いく]|間もなく|まもなく|とんでもない|やむを得|ないでしょうか"
    r"|ませんか|不動産|不足|不思議|無料|無事|絶え間な[いく]|切れ目な[いく]",
    r"뿐(?:만)? 아니라|지 않으면 안 ?\w{0,3}|수밖에 없\w{0,3}|틀림없\w{0,2}|끊임없\w{0,2}|어김없\w{0,2}|못지않\w{0,2}|변함없\w{0,2}|관계없\w{0,2}"
    r"|상관없\w{0,2}|빠짐없\w{0,2}|안(?:내|전|에|건|심|정|녕|팎|쪽)|동안|지 않을까|못하지 않",
    r"(?:لا|لم|لن) (?:ي|ت)(?:قل|زيد|تجاوز|تعدى|ربو)\w{0,3}|ليس فقط|لا بد|ولا ?سيما|لا ?سيما|بما لا|غير أن|لا شك",
)
_DENIALS = (
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|dont|doesnt|isnt|wont|cant)\b|n't\b|\bno one\b",
    r"\b(?:nicht|kein(?:e|en|em|er|es)?|nie|niemals|niemand\w{0,2}|nichts|weder|keinesfalls|keineswegs)\b",
    r"\b(?:nunca|jamás|tampoco|ning(?:ún|una|uno)|nadie|nada)\b",
    r"\b(?:pas|jamais|aucune?|nullement|non)\b|\bn['e] ?\w{1,20} (?:plus|rien|personne|guère)\b",
    r"\b(?:không|chưa|chẳng|chả|đừng|chớ)\b",
    r"不|没|沒|未|无(?:须|需|法|权|人|任何|效)|無(?:須|需|法|權|人|任何|効|效)|勿|并非|並非|绝非|非(?=[^常洲])",
    r"な(?:い|かった|かろう|くて|く(?=[、。]|$)|し(?=[、。]|$))|ま(?:せん|い(?=[、。]|$))|ず(?:に)?(?=[、。に]|$)|いいえ|不可|不要|ぬ(?=[、。]|$)",
    r"않|못(?=[하해합한할 ])|없|아니(?=[다며고라었에오지요ㄴ]|$)|아닌|아닙|지 ?마|말(?:아야| 것)|(?:^|\s)안 (?=\S)|불가능?|불필요",
    r"(?<!\w)[وف]?(?:لا|لم|لن|ليس|ليست|ليسوا|لسنا|غير|عدم)(?!\w)",
)
_SOFT = (
    r"\b(?:without|unable|fail(?:s|ed)?|refus\w{1,4}|prohibit\w{0,4}|forbid\w{0,4}|banned|exempt\w{0,3}|except|unless|"
    r"hardly|rarely|seldom|lack\w{0,3}|instead of|rather than|stop(?:s|ped)?|free of|only|ohne|verboten|untersagt|"
    r"ausgenommen|außer|ausser|sondern|nur|sans|sauf|sin|salvo|excepto|sino|seulement|uniquement)\b",
    r"\b(?:cấm|trừ|miễn|thiếu|ngoại trừ|ngừng|chỉ)\b",
    r"禁止|严禁|嚴禁|除外|除了|免|缺|仅|只有|只能|のみ|だけ|以外|限り|禁|금지|제외|외에|만(?= )|면제|오직",
    r"(?<!\w)(?:ممنوع|يمنع|باستثناء|إلا|دون|بدون|بلا|سوى|فقط)(?!\w)",
)
_YES = r"(?:yes|ja|oui|sí|có|vâng|是的?|对|はい|ええ|네|예|نعم)"
_NO = r"(?:no|nope|nein|non|không|不是?|否|不|いいえ|いえ|아니요|아니오|아뇨|لا|كلا)"
_CUT = re.compile(
    r"[,;:，、；：،؛—–]|\s-\s|\b(?:and|but|while|whereas|und|aber|oder|y|pero|et|mais|và|nhưng|còn|mà)\b"
    r"|(?:但是?|而且|并且|而)|(?:が|けれども|けど)、|지만|(?:며|고)(?=\s)|\s(?:و(?=\w)|لكن|بل)"
)
_EAST = re.compile("[\u30a0-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_ENDINGS = re.compile("[\u3041-\u309f]|(?:합|됩|입|습|립)니다|니다|(?:해|여)야|하지|아도|어도|해도|됩|합|하는|하고")


class Clause(NamedTuple):
    """A stretch of a text, its content, and its polarity: 1 affirmed, -1 denied, 0 cannot tell."""

    text: str
    content: frozenset[str]
    polarity: int


class Conflict(NamedTuple):
    """Two clauses of the same content and opposite polarity."""

    answer: str
    expected: str


def negation(text: str) -> tuple[str, ...]:
    """The cues of denial in a text, in order; harmless phrases and soft cues are none."""
    return tuple(match[0].strip() for match in _denials().finditer(_bare(text)))


def negation_differs(answer: str, expected: str) -> bool:
    """Whether some clause of the answer plainly denies one of the expected answer, or the reverse."""
    return bool(negation_conflicts(answer, expected))


def negation_conflicts(answer: str, expected: str) -> tuple[Conflict, ...]:
    """The pairs of clauses for which `negation_differs` holds, in the order of the expected answer."""
    opening = _opposite_openings(answer, expected)
    ours = _distinct(answer)
    found = (_conflict(clause, ours) for clause in _distinct(expected))
    return (*opening, *(conflict for conflict in found if conflict))


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of a text that have enough content to be compared."""
    for sentence in sentences(nfc(text)):
        for part in _parts(sentence.text):
            content = _content(part)
            if len(content) >= FEWEST:
                yield Clause(part, content, _polarity(part))


def _distinct(text: str) -> list[Clause]:
    """The first `MOST` clauses, those of the same content and polarity once."""
    found = {(clause.content, clause.polarity): clause for clause in reversed(list(islice(clauses(text), MOST)))}
    return list(reversed(found.values()))


def _parts(sentence: str) -> Iterator[str]:
    """Cut at commas and conjunctions; a part too short to stand alone stays with the one before it."""
    kept = ""
    at = 0
    for cut in (*_CUT.finditer(sentence), None):
        part = sentence[at : cut.start() if cut else len(sentence)]
        if kept and len(_content(part)) >= FEWEST and len(_content(kept)) >= FEWEST:
            yield kept.strip()
            kept = part
        else:
            kept += sentence[at - 1 : at] * bool(kept) + part
        at = cut.end() if cut else at
    yield kept.strip()


def _conflict(expected: Clause, ours: Iterable[Clause]) -> Conflict | None:
    """The clause of the answer nearest in content, if it is near enough and of opposite polarity, and no
    equally near clause agrees."""
    nearness = [(_dice(clause.content, expected.content), clause) for clause in ours]
    best = max((near for near, _ in nearness), default=0.0)
    if best < ALIGNED or not expected.polarity:
        return None
    nearest = [clause for near, clause in nearness if near >= 0.9 * best]
    if any(clause.polarity != -expected.polarity for clause in nearest):
        return None
    return Conflict(nearest[0].text, expected.text)


def _dice(a: frozenset[str], b: frozenset[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b))


def _polarity(part: str) -> int:
    bare = _bare(part)
    if _denials().search(bare):
        return -1
    return 0 if _soft().search(bare) else 1


def _bare(text: str) -> str:
    return _harmless().sub(" ", text.casefold().replace("’", "'"))


def _content(part: str) -> frozenset[str]:
    """Stems of words; pairs of neighbours where words are not parted by blanks or carry endings."""
    bare = _ENDINGS.sub(" ", _soft().sub(" ", _denials().sub(" ", _bare(part))))
    found: set[str] = set()
    east = "".join(c if _EAST.match(c) else " " for c in bare)
    for run in east.split():
        found.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    spaced = _EAST.sub(" ", bare)
    found.update(word[:5] for word in words(spaced) if word not in STOP_WORDS and word not in _AUXILIARY)
    return frozenset(found)


_AUXILIARY = frozenset(
    "can may must shall should will would could might has have had do does did has s t wird werden kann können muss "
    "müssen darf dürfen soll hat haben phải cần sẽ đã đang thể est être peut doit puede debe ha".split(" ")
)


def _opposite_openings(answer: str, expected: str) -> tuple[Conflict, ...]:
    """'Yes, ...' against 'No, ...'."""
    ours, theirs = _opening(answer), _opening(expected)
    return (Conflict(ours[1], theirs[1]),) if ours[0] * theirs[0] < 0 else ()


def _opening(text: str) -> tuple[int, str]:
    match = re.match(rf"\W{{0,5}}(?:({_YES})|({_NO}))(?=[,.!，。、،:;]|$)", nfc(text).casefold())
    if not match:
        return 0, ""
    return (1 if match[1] else -1), match[1] or match[2]


_compiled: dict[str, re.Pattern[str]] = {}


def _harmless() -> re.Pattern[str]:
    return _pattern(_HARMLESS)


def _denials() -> re.Pattern[str]:
    return _pattern(_DENIALS)


def _soft() -> re.Pattern[str]:
    return _pattern(_SOFT)


def _pattern(alternatives: tuple[str, ...]) -> re.Pattern[str]:
    joined = "|".join(alternatives)
    if joined not in _compiled:
        _compiled[joined] = re.compile(joined)
    return _compiled[joined]
