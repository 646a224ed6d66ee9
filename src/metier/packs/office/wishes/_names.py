"""The name of an attached file in a message is that file, and no word of what is asked for."""

import re
from collections.abc import Iterable
from typing import Final

from metier.attachments import NamedFile, replace_names

_NAME: Final = "\ue000"  # stands for a name while what is around it is read
# What stands around the name and says no more than that it is this file: “in budget.xlsx”, 把预算.xlsx…, 里的.
_QUOTED: Final = f"[“”\"'《》「」]?{_NAME}[“”\"'《》「」]?"
_ENGLISH: Final = re.compile(
    r"(?P<before>(?:\b(?:in|of|from|to|inside|within|for|on) )?(?:\bthe )?"
    rf"(?:\b(?:file|document|sheet|workbook|deck) )?)(?<!\w)(?:{_NAME}['’]s\b|{_QUOTED})(?!\w)",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(
    rf"(?:(?:把|将|对|给|用|从)(?={_QUOTED}(?!\s*(?:里面?|中|的|第|最后|末尾)))(?!{_QUOTED}\s*$))?"
    rf"{_QUOTED}\s*(?:这[个份张](?:文件|文档|表格?))?(?:里面?的?|中的|的)?[，,：:]?"
)
# A name with its sign and an address (`@contract.docx#p12`), and names side by side.
_AT: Final = re.compile(rf"[@＠]?{_NAME}(?:#[\w.!:$-]{{1,80}})?")
_TOGETHER: Final = re.compile(rf"{_NAME}(?: ?(?:[和与跟及、，&]|以及|,(?: and)?|and) ?(?:the )?{_NAME})+")
_OBJECT: Final = re.compile(r"(?:^|[,.;] ?|\b(?:and|then|please|you|me|to) )\s*[a-z]+ $", re.IGNORECASE)
_CJK: Final = re.compile("[\u4e00-\u9fff]")


def remove_names(message: str, names: Iterable[str]) -> str:
    """The message without the names of these files, in full or with `@`: “sort budget.xlsx by amount” is “sort it by
    amount”."""

    def mark(one: NamedFile) -> str:
        return _NAME if one.form in ("full", "mention") else message[one.start : one.end]

    marked = _TOGETHER.sub(_NAME, _AT.sub(_NAME, replace_names(message, [one for one in names if "." in one], mark)))
    if _NAME not in marked:
        return message
    if _CJK.search(marked):
        return re.sub(r" {2,}", " ", _CHINESE.sub("", marked)).strip() or message

    def replace(found: re.Match[str]) -> str:
        if found[0].endswith("s"):
            return "the"
        is_object = not found["before"].strip() and _OBJECT.search(marked[: found.start()]) is not None
        return "it" if is_object else ""

    plain = re.sub(r"\s+([?.!,;]|$)", r"\1", re.sub(r" {2,}", " ", _ENGLISH.sub(replace, marked)))
    return re.sub(r"^[\s,:;]+", "", plain).strip() or message
