"""Whose birth data a message is about: oneself, somebody else, or not said."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Language, language_of
from metier.packs.life.birth._info import Sex

_OTHERS: Final[Mapping[str, tuple[BilingualText, re.Pattern[str]]]] = MappingProxyType(
    {
        code: (BilingualText(zh, en), re.compile(pattern, re.IGNORECASE))
        for code, zh, en, pattern in (
            ("mother", "妈妈", "mother", r"妈妈|我妈|母亲|老妈|\b(?:mother|mom|mum)\b"),
            ("father", "爸爸", "father", r"爸爸|我爸|父亲|老爸|\b(?:father|dad)\b"),
            ("husband", "丈夫", "husband", r"老公|丈夫|我先生|\bhusband\b"),
            ("wife", "妻子", "wife", r"老婆|妻子|我太太|媳妇|\bwife\b"),
            ("boyfriend", "男朋友", "boyfriend", r"男朋友|男友|\bboyfriend\b"),
            ("girlfriend", "女朋友", "girlfriend", r"女朋友|女友|\bgirlfriend\b"),
            ("son", "儿子", "son", r"儿子|\bson\b"),
            ("daughter", "女儿", "daughter", r"女儿|闺女|\bdaughter\b"),
            ("child", "孩子", "child", r"孩子|小孩|宝宝|\b(?:child|kid|baby)\b"),
            ("brother", "兄弟", "brother", r"哥哥|弟弟|我哥|我弟|\bbrother\b"),
            ("sister", "姐妹", "sister", r"姐姐|妹妹|我姐|我妹|\bsister\b"),
            ("grandparent", "祖辈", "grandparent", r"爷爷|奶奶|外公|外婆|姥姥|姥爷|\bgrand(?:mother|father|ma|pa)\b"),
            ("friend", "朋友", "friend", r"朋友|闺蜜|同学|\bfriend\b"),
            ("colleague", "同事", "colleague", r"同事|老板|\b(?:colleague|boss)\b"),
            ("partner", "伴侣", "partner", r"对象|另一半|\bpartner's\b|\bmy partner\b"),
        )
    }
)
_SEXES: Final[Mapping[str, Sex]] = MappingProxyType(
    {
        **dict.fromkeys(("mother", "wife", "girlfriend", "daughter", "sister"), "female"),
        **dict.fromkeys(("father", "husband", "boyfriend", "son", "brother"), "male"),
    }
)
_SELF: Final = re.compile(r"我的|我自己|本人|[帮给替]我[算看排测]|\b(?:my|mine|myself|my own)\b", re.IGNORECASE)
_CHART: Final = re.compile(
    r"八字|命盘|命理|星盘|星座|算命|生辰|四柱|出生|排盘|算|看看|chart|bazi|zodiac|horoscope|birth", re.IGNORECASE
)
_CORRECTION: Final = re.compile(
    r"(?:出生|生日|生辰|时辰|八字).{0,8}(?:错|改|更正|修改|重填)|(?:改|更正|修改|重填).{0,6}(?:出生|生日|生辰|时辰)"
    r"|\b(?:correct|change|wrong|fix)\b.{0,20}\bbirth|\bbirth.{0,20}\b(?:wrong|incorrect)\b",
    re.IGNORECASE,
)
_SHORT: Final = 8  # a follow-up such as 我妈的呢


def find_person(message: str) -> str | None:
    """Name of the other person whose chart is asked for, "" for oneself, None if the message does not say."""
    language: Language = language_of(message)
    if _CHART.search(message) or len(message) <= _SHORT:
        for name, pattern in _OTHERS.values():
            if pattern.search(message):
                return name.text(language)
    return "" if _SELF.search(message) else None


def find_sex(person: str) -> Sex:
    """Sex that the name of a relation implies, as `find_person` gives it; "" if it implies none."""
    names = ((code, name) for code, (name, _) in _OTHERS.items() if person in (name.zh, name.en))
    return next((_SEXES.get(code, "") for code, _ in names), "")


def asks_correction(message: str) -> bool:
    """Whether the message says that birth data is wrong or shall be changed."""
    return _CORRECTION.search(message) is not None
