"""How the user wants changes to be written: directly, with tracked changes, or as a table of before and after."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

from metier.json_values import JsonObject

_MODE_WORDS: Final[Mapping[Literal["direct", "tracked", "compare_table"], Sequence[str]]] = MappingProxyType(
    {
        "compare_table": ("对照表", "比较表", "compare table", "comparison table", "side by side"),
        "tracked": ("修订", "批注", "红线", "留痕", "痕迹", "track", "redline", "comments"),
        "direct": ("直接改", "直接修改", "直接写", "不要修订", "不用修订", "directly", "without tracking"),
    }
)
_NOT: Final = ("不要修订", "不用修订", "无需修订", "without track")
_TRACKED_EN: Final = (
    r"(?:with|as|in|using) (?:tracked|track) changes(?: on)?|in tracked mode|with tracking(?: on)?|"
    r"(?:as|with|in) (?:a )?redlines?|redlined?"
)
_DIRECT_EN: Final = (
    r"(?:and )?(?:write (?:it|them|this|that|the changes?) )?directly|"
    r"without (?:tracked changes|tracking|track changes)"
)
_TABLE_EN: Final = r"(?:and )?(?:show|list|write) (?:it|them|the changes?) (?:as|in) a compar(?:ison|e) table"
_WAY_ZH: Final = r"(?:的?(?:模式|方式|形式))?"
_WRITE_ZH: Final = r"(?:来)?(?:写入|写回|写|修改|改|标出来?|显示|保存)?(?:就行|即可|吧)?"
_TRACKED_ZH: Final = rf"(?:请|并)?(?:用|以|按)修订{_WAY_ZH}{_WRITE_ZH}|(?:请|要)?(?:保留(?:修订|修改)?痕迹|留痕)"
_DIRECT_ZH: Final = rf"(?:请|并)?直接(?:写入|写回|写|修改|改)(?:就行|即可|吧)?|(?:不要|不用|无需)修订{_WAY_ZH}"
_TABLE_ZH: Final = (
    rf"(?:请|并)?(?:把?(?:改动|修改|变更)(?:写成|列成|做成)|用|以)对照表{_WAY_ZH}(?:写入|写回|列出|显示)?"
)
# A way of writing at the end of a message or before its order; elsewhere the same words may be what is asked for.
_AT_END: Final = re.compile(
    rf"(?:[，,；;]\s*(?:{_TRACKED_EN}|{_DIRECT_EN}|{_TABLE_EN}|{_TRACKED_ZH}|{_DIRECT_ZH}|{_TABLE_ZH})"
    rf"|\s(?:{_TRACKED_EN}|{_DIRECT_EN}|{_TABLE_EN}))(?:,? please)?\s*[.。!！]?\s*\Z",
    re.IGNORECASE,
)
_AT_START: Final = re.compile(
    rf"\A\s*(?:(?:{_TRACKED_EN}|{_DIRECT_EN})[,:]\s*|(?:{_TRACKED_ZH}|{_TABLE_ZH})[，,：:]?\s*(?=把|将|，|,))",
    re.IGNORECASE,
)


def choose_mode(words: str, kind: str, delivery: JsonObject) -> str:
    """Way of writing that a message asks for, else a table of changes if the skill wants one; empty if neither does."""
    wants_table = kind == "docx" and delivery.get("writeback") == "compare_table"
    return find_mode(words) or ("compare_table" if wants_table else "")


def find_mode(words: str) -> str:
    """Way of writing that a message asks for; empty if it does not say."""
    said = words.lower()
    if any(word in said for word in _NOT):
        return "direct"
    return next((mode for mode, names in _MODE_WORDS.items() if any(name in said for name in names)), "")


def remove_mode(words: str) -> str:
    """The message without its way of writing, which is no part of what is to be changed."""
    return _AT_END.sub("", _AT_START.sub("", words)) or words
