"""The name of an attached file in a message is that file, and no word of what is asked for."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

# What stands around the name and says no more than that it is this file: “in budget.xlsx”, 把预算.xlsx…, 里的.
_BEFORE_EN: Final = r"(?:(?:in|of|from|to|inside|within|for|on) )?(?:the )?(?:(?:file|document|sheet|workbook|deck) )?"
_BEFORE_ZH: Final = r"(?:(?:把|将|对|给|用|从)(?={name}(?!\s*(?:里面?|中|的|第|最后|末尾)))(?!{name}\s*$))?"
_AFTER_ZH: Final = r"\s*(?:这[个份张](?:文件|文档|表格?))?(?:里面?的?|中的|的)?[，,：:]?"
_QUOTES: Final = "“”\"'《》「」"
_OBJECT: Final = re.compile(r"(?:^|[,.;] ?|\b(?:and|then|please|you|me|to) )\s*[a-z]+ $", re.IGNORECASE)


def remove_names(message: str, names: Iterable[str]) -> str:
    """The message without the full names of these files: “sort budget.xlsx by amount” is “sort it by amount”."""
    for name in sorted(set(names), key=lambda one: (-len(one), one)):
        if "." in name and name.lower() in message.lower():
            message = _remove_name(message, name)
    return message


def _remove_name(message: str, name: str) -> str:
    english, chinese = _compile_forms(name)
    if re.search(r"[\u4e00-\u9fff]", message.lower().replace(name.lower(), "")):
        return re.sub(r" {2,}", " ", chinese.sub("", message)).strip() or message

    def replace(found: re.Match[str]) -> str:
        is_object = not found["before"].strip() and _OBJECT.search(message[: found.start()]) is not None
        return "it" if is_object else ""

    return re.sub(r"\s+([?.!,;]|$)", r"\1", re.sub(r" {2,}", " ", english.sub(replace, message))).strip() or message


@lru_cache(maxsize=64)
def _compile_forms(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    quoted = rf"[{_QUOTES}]?{re.escape(name)}[{_QUOTES}]?"
    before = _BEFORE_ZH.replace("{name}", quoted)
    return (
        re.compile(rf"(?P<before>\b{_BEFORE_EN})(?<!\w){quoted}(?!\w)", re.IGNORECASE),
        re.compile(rf"{before}{quoted}{_AFTER_ZH}", re.IGNORECASE),
    )
