"""How a text is folded before it is compared with rules."""

import re
import unicodedata
from typing import Final

_TRADITIONAL: Final = str.maketrans(
    "殺輕遺書樓藥傷結殘橋炭還盡醒來會樣對過撐開離覺沒們這給後麼點讓別無說話劃脈懷財婚產壽獄訟股漲贏輸買賣號錢醫檢癥診斷孕",
    "杀轻遗书楼药伤结残桥炭还尽醒来会样对过撑开离觉没们这给后么点让别无说话划脉怀财婚产寿狱讼股涨赢输买卖号钱医检症诊断孕",
)
_BLANKS: Final = re.compile(r"(?<=[\u4e00-\u9fff])[\s·.*_~\-]+(?=[\u4e00-\u9fff])")


def fold_words(text: str) -> str:
    """The text without differences of width, case, traditional characters and blanks between Chinese characters."""
    plain = unicodedata.normalize("NFKC", text).lower().translate(_TRADITIONAL).replace("’", "'")
    return _BLANKS.sub("", plain)
