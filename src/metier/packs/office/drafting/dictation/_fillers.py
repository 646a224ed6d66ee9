"""Fillers of speech, which say nothing wherever they stand: 嗯, 呃, 那个 before a pause, um, uh."""

import re
from collections.abc import Sequence
from typing import Final

from metier.packs.office._request_text import RequestText, rewrite_unquoted

__all__ = ["find_filler", "strip_emphasis", "strip_fillers"]

_START_ZH: Final = r"(?:^|(?<=[,，。;；!！?？\s]))"
_PAUSE: Final = r"[\s,，、.。…~～]*"
# 嗯 begins no word. 那个 and 就是 are fillers before a pause or before whom or what is asked, not before a thing.
_ALONE: Final = r"[嗯呃额唔啊诶欸哎噢]+|那个(?:啥|什么)?|那什么|这个(?:嘛)?|就是说?|怎么说呢?|我想想|对了"
_ZH: Final = (
    re.compile(rf"{_START_ZH}[嗯呃]+{_PAUSE}"),
    re.compile(rf"{_START_ZH}(?:{_ALONE})(?=[\s,，、。.…~～]|$){_PAUSE}"),
    re.compile(
        rf"{_START_ZH}(?:那个|这个|就是|那)+(?=帮|请|给[我他她]|麻烦|你|您|把|将|在(?!于)|我[想要]|再|然后|先|"
        r"插入|新建|新增|添加|生成|文末|文档)"
    ),
    re.compile(r"(?<=[标主副图]题|内容|名字|列名|表头)呢(?=[是为叫就])"),
)
_PARTICLES: Final = (re.compile(r"(?<=[\u4e00-\u9fff\d])[啊呀吧呢嘛哈啦哦喔噢呗咯]+(?=[\s,，。;；!！\n]|$)"),)
_EN: Final = re.compile(
    r"(?:^(?:(?:so|okay|ok|right|well|alright|yeah)\b(?!\s+(?:far|that|many|much))[\s,.]*)+|"
    r"(?:^|(?<=[\s,.;]))(?:u+m+|u+h+m?|e+r+m?|h+m+)(?=[\s,.;…]|$)[,.…]*\s*|"
    r"(?<=,) (?:you know|i mean|let['’]s see|how do you say)(?=,),)",
    re.IGNORECASE,
)
_IN_TEXT: Final = re.compile(r"(?:^|(?<=\s))(?:u+m+|u+h+|e+r+m?|嗯+|呃+)(?=\s|$)", re.IGNORECASE)
# Behind a word for a text a particle may be its last word: 标题写一起来吧.
_OF_TEXT: Final = re.compile(r"[写叫]|标题|题目|横幅|标语|口号|艺术字|\"")
_CLAUSES: Final = re.compile(r"([,，。;；!！\n]+)")
# 主题就是…, 数量也是5: the word before 是 belongs neither to the slot nor to its value.
_IS: Final = re.compile(
    r"(?P<slot>主题|标题|题目|图题|列名|表头|单位|(?P<figure>数量|单价|预算|实际))(?:也|就|都|才)是(?!否)(?(figure)\s*(?=\d))"
)
_LEFT: Final = re.compile(r"[^\s,，。.!！?？]")


def strip_fillers(request: str) -> str:
    """The message without fillers; quotations stay as they are, and so does a message of fillers alone."""
    said = rewrite_unquoted(request, _strip)
    return said if _LEFT.search(said) else request


def strip_emphasis(request: str) -> str:
    """The message with 是 alone for 就是 and 也是 behind the word for a slot, and nothing before a figure."""
    return rewrite_unquoted(request, lambda said: _IS.sub(_write_is, said))


def _write_is(found: "re.Match[str]") -> str:
    return found["slot"] if found["figure"] else f"{found['slot']}是"


def find_filler(request: str, texts: Sequence[str]) -> str:
    """A filler that is written in a text which does not stand in quotation marks; empty if none is."""
    quoted = [one.text for one in RequestText(request).quotes]
    found = (_IN_TEXT.search(one) for one in texts if one not in quoted)
    return next((one[0] for one in found if one), "")


def _strip(said: str) -> str:
    for form in _ZH:
        said = form.sub("", said)
    said = "".join(one if _OF_TEXT.search(one) else _drop_particles(one) for one in _CLAUSES.split(said))
    said = _EN.sub("", said)
    return re.sub(r"[^\S\n]{2,}", " ", said).strip()


def _drop_particles(clause: str) -> str:
    for form in _PARTICLES:
        clause = form.sub("", clause)
    return clause
