"""Words for the parts of a chart in each language: pinyin for stems and branches, names of bodies and signs."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Language, choose, join_names

_LETTERS: Final = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥"
_SYLLABLES: Final = (
    "Jia", "Yi", "Bing", "Ding", "Wu", "Ji", "Geng", "Xin", "Ren", "Gui",
    "Zi", "Chou", "Yin", "Mao", "Chen", "Si", "Wu", "Wei", "Shen", "You", "Xu", "Hai",
)  # fmt: skip
_PINYIN: Final[Mapping[str, str]] = MappingProxyType(dict(zip(_LETTERS, _SYLLABLES, strict=True)))
_NAMES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "wood": BilingualText("木", "wood"),
        "fire": BilingualText("火", "fire"),
        "earth": BilingualText("土", "earth"),
        "metal": BilingualText("金", "metal"),
        "water": BilingualText("水", "water"),
        "year": BilingualText("年柱", "Year"),
        "month": BilingualText("月柱", "Month"),
        "day": BilingualText("日柱", "Day"),
        "hour": BilingualText("时柱", "Hour"),
        "spring": BilingualText("春", "spring"),
        "summer": BilingualText("夏", "summer"),
        "autumn": BilingualText("秋", "autumn"),
        "winter": BilingualText("冬", "winter"),
        "air": BilingualText("风", "air"),
        "in_season": BilingualText("得令", "in season"),
        "has_root": BilingualText("有根", "root"),
        "yes": BilingualText("是", "yes"),
        "no": BilingualText("否", "no"),
        "none": BilingualText("无冲合害", "no clash, combination or harm"),
        "same": BilingualText("相同", "the same"),
        "clash": BilingualText("相冲", "clash"),
        "six_combination": BilingualText("六合", "combination"),
        "harm": BilingualText("相害", "harm"),
        "male": BilingualText("男", "male"),
        "female": BilingualText("女", "female"),
        "forward": BilingualText("顺行", "forward"),
        "backward": BilingualText("逆行", "backward"),
        "strong": BilingualText("偏旺", "on the strong side"),
        "balanced": BilingualText("接近中和", "near balance"),
        "weak": BilingualText("偏弱", "on the weak side"),
        "sun": BilingualText("太阳", "Sun"),
        "moon": BilingualText("月亮", "Moon"),
        "mercury": BilingualText("水星", "Mercury"),
        "venus": BilingualText("金星", "Venus"),
        "mars": BilingualText("火星", "Mars"),
        "jupiter": BilingualText("木星", "Jupiter"),
        "saturn": BilingualText("土星", "Saturn"),
        "uranus": BilingualText("天王星", "Uranus"),
        "neptune": BilingualText("海王星", "Neptune"),
        "pluto": BilingualText("冥王星", "Pluto"),
        "ascendant": BilingualText("上升", "Ascendant"),
        "midheaven": BilingualText("天顶", "Midheaven"),
        "aries": BilingualText("白羊", "Aries"),
        "taurus": BilingualText("金牛", "Taurus"),
        "gemini": BilingualText("双子", "Gemini"),
        "cancer": BilingualText("巨蟹", "Cancer"),
        "leo": BilingualText("狮子", "Leo"),
        "virgo": BilingualText("处女", "Virgo"),
        "libra": BilingualText("天秤", "Libra"),
        "scorpio": BilingualText("天蝎", "Scorpio"),
        "sagittarius": BilingualText("射手", "Sagittarius"),
        "capricorn": BilingualText("摩羯", "Capricorn"),
        "aquarius": BilingualText("水瓶", "Aquarius"),
        "pisces": BilingualText("双鱼", "Pisces"),
        "conjunction": BilingualText("合相", "conjunction"),
        "sextile": BilingualText("六分相", "sextile"),
        "square": BilingualText("四分相", "square"),
        "trine": BilingualText("三分相", "trine"),
        "opposition": BilingualText("对分相", "opposition"),
        "placidus": BilingualText("普拉西度宫制", "Placidus houses"),
        "whole_sign": BilingualText("整宫制", "whole-sign houses"),
        "true": BilingualText("真太阳时", "true solar time"),
        "mean": BilingualText("平太阳时", "mean solar time"),
        "clock": BilingualText("钟表时间", "clock time"),
        "midnight": BilingualText("0:00换日", "the day changes at 0:00"),
        "late_evening": BilingualText("23:00换日", "the day changes at 23:00"),
        "比肩": BilingualText("比肩", "peer"),
        "劫财": BilingualText("劫财", "rival"),
        "食神": BilingualText("食神", "output"),
        "伤官": BilingualText("伤官", "brilliance"),
        "偏财": BilingualText("偏财", "moving wealth"),
        "正财": BilingualText("正财", "steady wealth"),
        "七杀": BilingualText("七杀", "challenge"),
        "正官": BilingualText("正官", "office"),
        "偏印": BilingualText("偏印", "insight"),
        "正印": BilingualText("正印", "support"),
        "长生": BilingualText("长生", "Birth"),
        "沐浴": BilingualText("沐浴", "Bath"),
        "冠带": BilingualText("冠带", "Robing"),
        "临官": BilingualText("临官", "Office"),
        "帝旺": BilingualText("帝旺", "Height"),
        "衰": BilingualText("衰", "Waning"),
        "病": BilingualText("病", "Rest"),
        "死": BilingualText("死", "Stillness"),
        "墓": BilingualText("墓", "Store"),
        "绝": BilingualText("绝", "Turning"),
        "胎": BilingualText("胎", "Conception"),
        "养": BilingualText("养", "Nursing"),
    }
)
_THEMES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "sun": BilingualText("自我", "self"),
        "moon": BilingualText("情绪", "feeling"),
        "mercury": BilingualText("思考与表达", "thought and speech"),
        "venus": BilingualText("喜好与关系", "liking and relation"),
        "mars": BilingualText("行动", "action"),
        "jupiter": BilingualText("扩展", "growth"),
        "saturn": BilingualText("约束与责任", "limits and duty"),
        "uranus": BilingualText("变化", "change"),
        "neptune": BilingualText("想象", "imagination"),
        "pluto": BilingualText("转化", "transformation"),
    }
)
_MELODY_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {"金": "metal", "木": "wood", "水": "water", "火": "fire", "土": "earth"}
)


def name_of(key: str, language: Language) -> str:
    """Name of a part of a chart; characters of the cycle become pinyin in English."""
    if key in _NAMES:
        return _NAMES[key].text(language)
    return choose(language, zh=key, en="-".join(_PINYIN.get(letter, letter) for letter in key))


def describe_facts(facts: Mapping[str, Sequence[str]], language: Language) -> str:
    """What a sentence rests on, in words: 年柱·月柱 for a relation of two pillars."""
    told = [_describe_fact(fact, value, language) for fact, values in facts.items() for value in values]
    return join_names(dict.fromkeys(told), language)


def _describe_fact(fact: str, value: str, language: Language) -> str:
    name = f"{name_of(fact, language)}: " if value in ("yes", "no") else ""
    return name + "·".join(name_of(part, language) for part in value.split("-"))


def theme_of(body: str, language: Language) -> str:
    """What a body stands for."""
    return _THEMES[body].text(language)


def melody_of(melody: str, language: Language) -> str:
    """纳音 in words: its element in English."""
    return choose(language, zh=melody, en=_MELODY_WORDS[melody[-1]])
