"""What a message says about the new file: an outline in it, the title, the name, and which content is meant."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from metier.patterns import compile_later

ContentName = Literal["sample", "research", "data", "document", "same"]

_KINDS: Final = (
    "pptx?|word|docx|pdf|excel|xlsx|幻灯片|演示|文档|报告|表格|工作簿"
    "|slides?|deck|presentation|document|report|spreadsheet|workbook|sheet|file"
)
_REQUEST: Final = compile_later(
    rf"(?:生成|制作|创建|新建|做|写|出|输出|导出|转|整理|create|make|build|write|generate|turn|prepare|export|/).*?(?:{_KINDS})",
    re.IGNORECASE,
)
_INLINE: Final = compile_later(r"(?:\d{1,2}[.、)]|[①-⑳]|[（(]\d{1,2}[）)])\s*")
_FILE: Final = compile_later(r"[\w\u4e00-\u9fff][\w\u4e00-\u9fff.\-]{0,80}\.(pptx|docx|pdf|xlsx)\b", re.IGNORECASE)
_TITLE: Final = compile_later(
    r"《([^》\n]{1,60})》|(?:标题|题目|名为|叫做?)[是为：:]?\s*[“\"「]?([^”\"」，,。：:\n]{1,60})[”\"」]?"
    r"|(?:titled|called|named)\s+[\"“]?([^\"”,.:\n]{1,60})[\"”]?",
    re.IGNORECASE,
)
_NAMED: Final[tuple[tuple[ContentName, re.Pattern[str]], ...]] = (
    ("sample", compile_later(r"示例提纲|样例提纲|示例大纲|\bsample\b|\bexample outline\b", re.IGNORECASE)),
    (
        "research",
        compile_later(
            r"研究(?:结果|结论|报告|发现|内容)|调研(?:结果|结论|报告|内容)"
            r"|\bresearch(?: (?:report|results?|findings))?\b|\bfindings\b",
            re.IGNORECASE,
        ),
    ),
    (
        "data",
        compile_later(
            r"(?:数据)?分析(?:结果|结论|报告)|\banalysis(?: (?:report|results?))?\b|\bcharts? and tables?\b",
            re.IGNORECASE,
        ),
    ),
    (
        "same",
        compile_later(
            r"(?:同样|刚才|上面|上一份|相同)的?(?:内容|提纲|大纲)|同一份内容"
            r"|\bsame (?:content|outline)\b|\blast outline\b",
            re.IGNORECASE,
        ),
    ),
    (
        "document",
        compile_later(
            r"(?:这|该|那|上传的|附的)(?:份|个|篇)?(?:文档|文件|材料|附件|方案|表格?|word)|附件"
            r"|\b(?:this|the|my) (?:attached )?(?:document|file|attachment|upload)\b|\battached\b",
            re.IGNORECASE,
        ),
    ),
)
_BELOW: Final = compile_later(
    r"(?:下面|以下|如下|下列)的?(?:这份|这个)?(?:提纲|大纲|内容|要点|表格?|文字)"
    r"|\b(?:outline|text|points|table|content) below\b|\b(?:following|below) (?:outline|text|points|table|content)\b",
    re.IGNORECASE,
)
_MIN_ITEMS: Final = 2


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A message as read: texts are empty where it says nothing; `lacks_outline`: it speaks of one that is not there."""

    outline: str = ""
    title: str = ""
    file_name: str = ""
    named: ContentName | None = None
    lacks_outline: bool = False


def read_request(message: str, kind: str) -> FileRequest:
    """Read a message that asks for a file of this kind."""
    outline = find_outline(message)
    head = message if not outline else message[: message.find(outline.split("\n")[0])] or message[:200]
    title = next((part.strip() for found in _TITLE.finditer(head) for part in found.groups() if part), "")
    files = [one[0] for one in _FILE.finditer(head) if one[1].lower() == kind]
    named = None if outline else next((name for name, pattern in _NAMED if pattern.search(message)), None)
    lacks_outline = not outline and _BELOW.search(message) is not None
    return FileRequest(outline, title, files[0] if files else "", named, lacks_outline)


def find_outline(message: str) -> str:
    """The part of a message that is an outline; empty if it only asks."""
    lines = [line for line in message.replace("\r", "").split("\n") if line.strip()]
    if len(lines) > 1:
        _, mark, title = lines[0].partition("#")  # a heading behind the words that ask: "a pdf: # Fire drill"
        own = [f"{mark}{title}"] if mark and title.startswith((" ", "#")) else []
        return "\n".join([*own, *lines[1:]] if _is_request(lines[0]) else lines)
    text = lines[0] if lines else ""
    found = re.search(r"[：:]\s*(?!//)", text)
    if found is None:
        return ""
    items = _split_items(text[found.end() :])
    return "\n".join(f"- {item}" for item in items) if len(items) >= _MIN_ITEMS else ""


def _is_request(line: str) -> bool:
    return not line.lstrip().startswith("#") and (
        _REQUEST.search(line) is not None or line.rstrip().endswith(("：", ":"))
    )


def _split_items(text: str) -> list[str]:
    """Items of one line: numbered, or separated by semicolons, or by commas of a list."""
    if len(parts := _INLINE.split(text)) > _MIN_ITEMS:
        return [part.strip(" ;；,，、。") for part in parts if part.strip(" ;；,，、。")]
    for mark in (r"[;；]", r"[、]", r"[,，]"):
        parts = [part.strip(" 。.") for part in re.split(mark, text) if part.strip(" 。.")]
        if len(parts) >= _MIN_ITEMS:
            return parts
    return []
