"""Words for the kinds of machines, and how their numbers stand beside them."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

# 3号泵, 3#泵, 泵3, pump 3, pump no. 3; no speed or rate that stands behind the word.
NUMBER_BESIDE: Final = (
    r"(?<![\d.])(\d{{1,3}}|[一二三四五六七八九])\s*[号#]\s*{word}"
    r"|{word}\s*(?:no\.?|number|#|号)?\s*(\d{{1,3}})(?![\d]|[.,]\d|\s*(?:号|rpm|hz|khz|r/min|转|k\b|%|s\b|min))"
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


def names_numbered_machine(message: str) -> bool:
    """Whether a message names a machine by its kind and number: pump 1, 2号风机."""
    lower = message.lower()
    words = (word for words in MACHINE_WORDS.values() for word in words if not word.isdecimal())
    return any(re.search(NUMBER_BESIDE.format(word=re.escape(word)), lower) for word in words)
