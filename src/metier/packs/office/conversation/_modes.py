"""How the user wants changes to be written: directly, with tracked changes, or as a table of before and after."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from metier.json_values import JsonObject

# Words of a way of writing wherever they stand. The same words name things of an office (需求对照表, 修订记录, a column
# Comments, figures side by side): those are made or written, and say nothing of how.
_BEFORE_TABLE: Final = r"(?:(?<![\u4e00-\u9fff])|(?<=[用以成为按做写出给看要张个份的]))(?:修改|改动|变更|前后|新旧)*"
_NO_TABLE: Final = r"(?!\s*[，,]?\s*(?:[:：]|包括|包含|含|有|列|共|表头|[\d一二两三四五六七八九十]+[列行栏]))"
_MODE_WORDS: Final[Mapping[Literal["direct", "tracked", "compare_table"], re.Pattern[str]]] = MappingProxyType(
    {
        "compare_table": re.compile(
            rf"{_BEFORE_TABLE}(?:对照表|比较表){_NO_TABLE}"
            r"|\b(?:as|in|into|with|using|via|give me|show me) (?:an? |the )?compar(?:e|ison) table\b"
            r"(?!\s*(?::|of|with|that))"
            r"|\b(?:changes?|edits?|before and after|old and new)\b[^.;]{0,30}\bside by side\b"
        ),
        "tracked": re.compile(
            r"修订(?!记录|说明|日期|版|历史|稿|内容|情况|[后前者人号表]|依据|原因)|(?:修改|保留|修订|留)痕迹?|(?<![\u4e00-\u9fff])红线|[用以加画标]红线"
            r"|(?:(?<![\u4e00-\u9fff、])|[用以加带写做给出成打标上和与及或])批注|批注(?:形式|方式|模式|出来)"
            r"|\btrack(?:ed|ing)? changes?\b|\btrack (?:it|them|this|that|your|the|every|all)\b|\btracked\b"
            r"|\btracking(?: on)?\b|\bredlin\w+|\bredlines?\b"
            r"|\b(?:as|with|in|by|via|using|add|write|put|leave|make|give)\s+(?:(?:me|your|the|margin|word|review)\s+)*"
            r"comments\b(?!\s+(?:column|field|section|row))"
        ),
        "direct": re.compile(r"直接改|直接修改|直接写|\bdirectly\b"),
    }
)
_QUOTED: Final = re.compile(r"“[^”]*”|‘[^’]*’|「[^」]*」|《[^》]*》|\"[^\"]*\"")
# Names of columns are no way of writing, whatever they are.
_COLUMNS: Final = re.compile(r"列为|列是|列名|表头|各列|[\d一二两三四五六七八九十]列|\b(?:columns?|headed|headers?)\b")
_NOT: Final = ("不要修订", "不用修订", "无需修订", "without track", "without tracking")
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
    said = _QUOTED.sub(" ", words.lower())
    if any(word in said for word in _NOT):
        return "direct"
    way = said.replace(remove_mode(said), " ") if _COLUMNS.search(said) else said
    return next((mode for mode, names in _MODE_WORDS.items() if names.search(way)), "")


def remove_mode(words: str) -> str:
    """The message without its way of writing, which is no part of what is to be changed."""
    return _AT_END.sub("", _AT_START.sub("", words)) or words
