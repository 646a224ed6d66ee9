"""Fillers of speech, which say nothing wherever they stand: 嗯, 呃, 那个 before a pause, um, uh."""

import re
from typing import Final

from metier.packs.office._request_text import rewrite_unquoted

__all__ = ["strip_fillers"]

_START_ZH: Final = r"(?:^|(?<=[,，。;；!！?？\s]))"
_PAUSE: Final = r"[\s,，、.。…~～]*"
# 嗯 begins no word. 那个 and 就是 are fillers before a pause or before whom or what is asked, not before a thing.
_ALONE: Final = r"[嗯呃额唔啊诶欸哎噢]+|那个(?:啥|什么)?|那什么|这个(?:嘛)?|就是说?|怎么说呢?|我想想|对了"
_ZH: Final = (
    re.compile(rf"{_START_ZH}[嗯呃]+{_PAUSE}"),
    re.compile(rf"{_START_ZH}(?:(?:{_ALONE})(?=[\s,，、。.…~～]|$){_PAUSE})+"),
    re.compile(
        rf"{_START_ZH}(?:那个|这个|就是|那)+(?=帮|请|给[我他她]|麻烦|你|您|把|将|在(?!于)|我[想要]|再|然后|先|"
        r"插入|新建|新增|添加|生成|文末|文档)"
    ),
)
_PARTICLES: Final = (
    re.compile(r"(?<=[\u4e00-\u9fff\d])[啊呀吧呢嘛哈啦哦喔噢呗咯]+(?=[\s,，。;；!！\n]|$)"),
    re.compile(r"(?<=[标主副图]题|内容|名字|列名|表头)呢(?=[是为叫就])"),
)
_EN: Final = re.compile(
    r"(?:^(?:(?:so|okay|ok|right|well|alright|yeah)\b(?!\s+(?:far|that|many|much))[\s,.]*)+|"
    r"(?:^|(?<=[\s,.;]))(?:u+m+|u+h+m?|e+r+m?|h+m+)(?=[\s,.;…]|$)[,.…]*\s*|"
    r"(?<=,) (?:you know|i mean|let['’]s see|how do you say)(?=,),)",
    re.IGNORECASE,
)
_LEFT: Final = re.compile(r"[^\s,，。.!！?？]")


def strip_fillers(request: str) -> str:
    """The message without fillers; quotations stay as they are, and so does a message of fillers alone."""
    said = rewrite_unquoted(request, _strip)
    return said if _LEFT.search(said) else request


def _strip(said: str) -> str:
    for form in (*_ZH, *_PARTICLES):
        said = form.sub("", said)
    said = _EN.sub("", said)
    return re.sub(r"[^\S\n]{2,}", " ", said).strip()
