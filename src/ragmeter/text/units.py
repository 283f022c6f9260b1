"""What can stand beside a number: units of time, money, measures, per cent and big-number words, as data.

Words are in plain form (see `plain`): lower case, composed. A unit is (kind, unit, factor): the value in that
unit is number times factor. Durations have two families that are never converted into each other: seconds
(up to weeks) and months (up to centuries). Words of spaced scripts are looked up whole, those of Chinese,
Japanese and Korean as the longest beginning of what follows the number.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple


class Unit(NamedTuple):
    """`value in unit = number * factor`."""

    kind: str  # duration, money, percent or measure
    name: str
    factor: Fraction = Fraction(1)


_SECONDS: dict[int | Fraction, str] = {
    Fraction(1, 1000): "ms millisecond milliseconds millisekunden",
    1: "s sec secs second seconds giây sekunde sekunden seconde secondes segundo segundos ثانية ثوان ثواني",
    60: "min mins minute minutes phút minuten minütig minütige minütigen minuto minutos دقيقة دقائق",
    3600: "h hr hrs hour hours giờ tiếng stunde stunden std stündig stündige stündigen heure heures hora horas "
    "ساعة ساعات",
    86400: "d day days ngày tag tage tagen tages tägig tägige tägiger tägigen tägiges werktag werktage werktagen "
    "arbeitstag arbeitstage arbeitstagen kalendertage kalendertagen jour jours día días dia dias يوم أيام يوما ايام",
    604800: "wk wks week weeks tuần woche wochen wöchig wöchige wöchigen wöchiger semaine semaines semana semanas "
    "أسبوع أسابيع أسبوعا اسبوع اسابيع",
    1209600: "fortnight fortnights",
}
_MONTHS: dict[int | Fraction, str] = {
    1: "mo month months tháng monat monate monaten monats monatig monatige monatigen monatiger mois mes meses "
    "شهر أشهر شهور شهرا اشهر",
    3: "quarter quarters quý quartal quartale quartalen trimestre trimestres",
    6: "semester semesters",
    12: "yr yrs year years năm tuổi jahr jahre jahren jahres jährig jährige jährigen jähriger jähriges an ans année "
    "années año años سنة سنوات عام أعوام سنين عاما اعوام",
    120: "decade decades jahrzehnt jahrzehnte jahrzehnten décennie décennies década décadas عقد عقود",
    1200: "century centuries jahrhundert jahrhunderte jahrhunderten siècle siècles siglo siglos قرن قرون",
}
_LONG_WORDS = {  # of several words
    "giờ đồng hồ": Unit("duration", "second", Fraction(3600)),
    "tiếng đồng hồ": Unit("duration", "second", Fraction(3600)),
    "thập kỷ": Unit("duration", "month", Fraction(120)),
    "thập niên": Unit("duration", "month", Fraction(120)),
    "thế kỷ": Unit("duration", "month", Fraction(1200)),
    "phần trăm": Unit("percent", "%"),
    "per cent": Unit("percent", "%"),
    "pour cent": Unit("percent", "%"),
    "por ciento": Unit("percent", "%"),
    "percentage points": Unit("percent", "%"),
    "percentage point": Unit("percent", "%"),
    "điểm phần trăm": Unit("percent", "%"),
    "في المئة": Unit("percent", "%"),
    "في المائة": Unit("percent", "%"),
    "đô la": Unit("money", "$"),
    "đô la mỹ": Unit("money", "usd"),
    "us dollars": Unit("money", "usd"),
    "us dollar": Unit("money", "usd"),
    "việt nam đồng": Unit("money", "vnd"),
    "vietnamese dong": Unit("money", "vnd"),
    "mét vuông": Unit("measure", "m2"),
    "square metres": Unit("measure", "m2"),
    "square meters": Unit("measure", "m2"),
    "متر مربع": Unit("measure", "m2"),
}
_CJK_SECONDS: dict[int | Fraction, str] = {
    Fraction(1, 1000): "毫秒 ミリ秒 밀리초",
    Fraction(1, 1000): "ms millisecond milliseconds millisekunden",
    1: "秒钟 秒鐘 秒間 秒 초",
    60: "分钟 分鐘 分間 分 분간 분",
    3600: "小时 小時 个小时 個小時 个钟头 時間 鐘頭 钟头 시간",
    86400: "天 日間 日 工作日 个工作日 個工作日 營業日 営業日 营业日 自然日 个自然日 일간 일 영업일 근무일",
    604800: "周 週 星期 个星期 個星期 礼拜 个礼拜 周间 週間 주간 주일 주",
}
_CJK_MONTHS: dict[int | Fraction, str] = {
    1: "个月 個月 月间 ヶ月間 ヶ月 か月間 か月 カ月 ケ月 ヵ月 箇月 月間 개월 달",
    3: "季度 个季度 個季度 四半期 분기",
    12: "年间 年間 年度 年 周年 周岁 岁 歲 歳 才 년간 년 해 살 세",
    120: "年代 十年",
    1200: "世纪 世紀 个世纪 세기",
}
_CURRENCIES = {
    "vnd": "đồng vnđ vnd đ ₫ dong 越南盾 동",
    "usd": "usd us$ 美元 美金 米ドル 미국달러",
    "$": "$ dollar dollars dollarn bucks đô ドル 달러 دولار دولارا دولارات dólares",
    "eur": "€ eur euro euros ευρώ 欧元 歐元 ユーロ 유로 يورو",
    "gbp": "£ gbp sterling 英镑 英鎊 ポンド 파운드",
    "jpy": "jpy yen yên 円 日元 엔",
    "¥": "¥ ￥",
    "cny": "cny rmb yuan 人民币 元 块 塊 块钱 元人民币 위안",
    "krw": "₩ krw won 원 韩元 ウォン",
    "inr": "₹ inr rs rupee rupees rupien",
    "chf": "chf franken sfr",
    "thb": "฿ thb baht",
    "sar": "sar riyal riyals ريال ريالا ريالات",
    "aed": "aed dirham dirhams درهم درهما دراهم",
    "egp": "egp جنيه جنيها جنيهات",
    "dinar": "dinar dinars دينار دينارا دنانير",
    "hkd": "hk$ hkd 港元 港币",
    "twd": "nt$ twd 新台币 新臺幣",
    "cad": "c$ cad",
    "aud": "a$ aud",
    "sgd": "s$ sgd",
    "mxn": "mxn peso pesos",
}
_MEASURES = {
    "m": {"1/1000": "mm milimét millimeter millimetres millimeters ミリ 毫米",
          "1/100": "cm centimetre centimetres centimeter centimeters zentimeter xentimét xăngtimét センチ 厘米 公分 센티미터",
          "1": "m metre metres meter meters metern mét mètre mètres metros متر أمتار 米 公尺 メートル 미터",
          "1000": "km kilometre kilometres kilometer kilometers kilometern kilomètres kilómetro kilómetros kilômét kilomét cây كم كيلومتر 公里 千米 キロメートル 킬로미터"},
    "g": {"1/1000": "mg milligram milligrams milligramm miligam ملغ 毫克 ミリグラム 밀리그램",
          "1": "g gram grams gramm gam غرام جرام 克 グラム 그램",
          "1000": "kg kilo kilos kilogram kilograms kilogramm kilôgam ký كجم كيلو كيلوغرام 公斤 千克 キログラム 킬로그램",
          "1000000": "t ton tons tonne tonnes tonnen tấn طن 吨 噸 トン 톤"},
    "l": {"1/1000": "ml millilitre millilitres milliliter milliliters mililít 毫升 ミリリットル 밀리리터",
          "1": "l litre litres liter liters litern lít لتر 升 リットル 리터"},
    "m2": {"1": "m2 m^2 sqm quadratmeter quadratmetern 平方米 平米 平方メートル 제곱미터",
           "10000": "ha hecta hectare hectares hektar هكتار 公顷 ヘクタール 헥타르",
           "1000000": "km2 km^2 quadratkilometer 平方公里 平方キロメートル"},
    "m3": {"1": "m3 m^3 kubikmeter 立方米"},
    "°c": {"1": "°c celsius độ 摄氏度 ℃"},
    "°f": {"1": "°f fahrenheit"},
    "byte": {"1000": "kb", "1000000": "mb", "1000000000": "gb", "1000000000000": "tb"},
    "w": {"1": "watt watts", "1000": "kw kilowatt kilowatts", "1000000": "mw"},
    "wh": {"1000": "kwh"},
    "km/h": {"1": "km/h kmh km/giờ km/std"},
    "mile": {"1": "mile miles dặm meilen"},
    "lb": {"1": "lb lbs pound pounds pfund"},
}  # fmt: skip
_PERCENT = "% percent pct prozent بالمئة بالمائة パーセント 퍼센트 프로 个百分点 百分点"
_SCALES = {
    100: "hundred hundert hundertste trăm 百 백 مئة مائة",
    1000: "k thousand tausend tsd nghìn ngàn ng 千 천 ألف آلاف الف mille mil",
    10_000: "vạn 万 萬 만",
    100_000: "lakh lakhs",
    1_000_000: "million millions mio mn millionen triệu tr مليون ملايين milliones millón millones",
    10_000_000: "crore crores",
    100_000_000: "億 亿 억",
    1_000_000_000: "billion billions bn milliarde milliarden mrd tỷ tỉ مليار مليارات milliard milliards",
    1_000_000_000_000: "trillion trillions billionen 兆 조 تريليون",
}
ADJECTIVES = frozenset(
    "working business calendar consecutive full whole more additional school solid bank official further other "
    "volle vollen ganze ganzen weitere weiteren work successive straight extra metric tròn".split(" ")
)


@cache
def spaced_units() -> dict[str, tuple[Unit, ...]]:
    """Units by their word or words, for scripts with blanks, and by their signs."""
    return {word: units for word, units in _units().items() if not is_cjk(word[0])}


@cache
def cjk_units() -> dict[str, tuple[Unit, ...]]:
    """Units by their word, for scripts without."""
    return {word: units for word, units in _units().items() if is_cjk(word[0])}


@cache
def scales() -> dict[str, int]:
    """Multipliers by their word."""
    return {word: scale for scale, words in _SCALES.items() for word in words.split()}


@cache
def currencies() -> dict[str, str]:
    """Currency codes by their word or sign; '$' and '¥' stand for several."""
    return {word: code for code, words in _CURRENCIES.items() for word in words.split()}


def is_cjk(c: str) -> bool:
    """Whether the character is an ideograph, kana or Hangul."""
    return "\u3005" <= c <= "\u30ff" or "\u3400" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3"


@cache
def _units() -> dict[str, tuple[Unit, ...]]:
    found: dict[str, tuple[Unit, ...]] = {}

    def put(words: str, unit: Unit) -> None:
        for word in words.split():
            found[word] = (*found.get(word, ()), unit)

    for name, tables in (("second", (_SECONDS, _CJK_SECONDS)), ("month", (_MONTHS, _CJK_MONTHS))):
        for table in tables:
            for factor, words in table.items():
                put(words, Unit("duration", name, Fraction(factor)))
    for code, words in _CURRENCIES.items():
        put(words, Unit("money", code))
    for name, by_factor in _MEASURES.items():
        for ratio, words in by_factor.items():
            put(words, Unit("measure", name, Fraction(ratio)))
    put(_PERCENT, Unit("percent", "%"))
    put("‰", Unit("percent", "%", Fraction(1, 10)))
    put("成 割 할", Unit("percent", "%", Fraction(10)))
    put("pound pounds pfund", Unit("money", "gbp"))
    put("m", Unit("duration", "second", Fraction(60)))
    return found | {words: (unit,) for words, unit in _LONG_WORDS.items()}
