"""Words that join the last two items of a list, where they are no part of a name: 和, but not that of 和解."""

from typing import Final

__all__ = ["AND", "AND_EN", "AND_ZH", "BEGS", "OR_ZH"]

_PAIRS: Final = (
    *(("terms", "conditions"), ("research", "development"), ("health", "safety"), ("profit", "loss")),
    *(("pros", "cons"), ("roles", "responsibilities"), ("mergers", "acquisitions"), ("supply", "demand")),
    *(("questions", "answers"), ("trial", "error"), ("wear", "tear"), ("search", "rescue"), ("bed", "breakfast")),
    *(("q", "a"), ("r", "d"), ("p", "l"), ("m", "a"), ("t", "c"), ("h", "s")),
    *(("dos", "don'ts"), ("rise", "fall"), ("black", "white"), ("track", "trace"), ("nuts", "bolts")),
)
_NO_PAIR: Final = "".join(rf"(?<!\b{one}(?=\s+and\s+{other}\b))" for one, other in _PAIRS)
_HE: Final = (
    r"(?<!饱)(?<!总(?=和(?:[和、,，。;；)）]|$)))(?<!中(?=和[剂反值滴]))(?<!共(?=和国))"
    r"和(?!解(?![决释除答析读码说])|平(?![均时台面方衡行整移])|谐|睦)"
)
_JI: Final = r"(?<![普涉提顾波危触埃惠遍累殃])及(?![格时物早第其])"
_YU: Final = r"(?<![参赠给授付])与(?![会否])"
# 以及 is tried first: its second character alone would leave the first behind.
AND_ZH: Final = rf"(?:以及|{_HE}|(?<=[\u4e00-\u9fff]){_JI}(?=[\u4e00-\u9fff]))"
OR_ZH: Final = rf"(?:以及|{_HE}|{_JI}|{_YU}|或)"
AND_EN: Final = rf"(?:{_NO_PAIR}\s+and|\s+(?:as well as|along with|together with))\s+"
AND: Final = rf"{AND_EN}|^\s*and\s+|{AND_ZH}|\s&\s"
# 请 of an order, not of 请假 or 申请.
BEGS: Final = r"(?<![申邀聘报提呈延宴约])请(?![假示购求款领教柬客托愿帖辞战安功调])"
