"""Words for the kinds of machines, and how their numbers stand beside them."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

# 3号泵, 3#泵, 泵3, pump 3, pump no. 3; no part of another word (Stefan 3), no house or firm (3号泵房), and no speed,
# time, size or count that stands behind the word (泵3台, fan 5 years).
NUMBER_BESIDE: Final = (
    r"(?<![\d.])(\d{{1,3}}|[一二三四五六七八九])\s*[号#]\s*{word}(?![a-z房站厂]|公司)"
    r"|(?<![a-z]){word}\s*(?:no\.?|number|#|号)?\s*(\d{{1,3}})(?![\d]|[.,]\d|[a-z]|\s*(?:号|rpm|k?hz|r/min|转|k\b|%|s\b|min"
    r"|[年月天日周秒时万千百元块台个只套件吨升米寸次倍折级期层楼点瓦伏人]|小时|分钟|公斤|[km]?w\b|k?v\b|kg\b|[cm]?m\b|hp\b"
    r"|(?:years?|months?|weeks?|days?|hours?|times|pieces|units|inch(?:es)?|dollars|people)\b))"
)
MACHINE_WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "pump": ("泵", "pump"),
        "fan": ("风机", "fan"),
        "motor": ("电机", "马达", "motor"),
        "blower": ("鼓风机", "blower"),
        "conveyor": ("输送机", "输送带", "conveyor"),
        "rig": ("试验台", "实测", "力信号", "rig", "1560"),
    }
)


def drop_numbered_machines(message: str) -> str:
    """The message without the machines it names by kind and number (pump 1, 2号风机); unchanged if it names none."""
    words = [word for words in MACHINE_WORDS.values() for word in words if not word.isdecimal()]
    for word in sorted(words, key=len, reverse=True):
        message = re.sub(NUMBER_BESIDE.format(word=re.escape(word)), " ", message, flags=re.IGNORECASE)
    return message


def find_numbered(message: str, words: Iterable[str]) -> str:
    """The first of these machines that a message names by its number: 9号齿轮箱, gearbox 9; empty for none."""
    found = (re.search(NUMBER_BESIDE.format(word=re.escape(word)), message, re.IGNORECASE) for word in words)
    return next((one[0].strip() for one in found if one), "")
