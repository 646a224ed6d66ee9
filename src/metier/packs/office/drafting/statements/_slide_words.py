"""What the readers of slides share: the words that name each kind, and the check of the rest."""

import re
from types import MappingProxyType
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting.statements._rest import is_all_read
from metier.packs.office.drafting.statements._words import list_words

__all__ = ["SLIDE_THINGS", "is_slide_read"]

SLIDE_THINGS: Final = MappingProxyType(
    {
        "cover": re.compile(
            r"封面|标题页|标题幻灯片|首页|[头扉]页|开[场篇]页|\b(?:title (?:slide|page)|cover|(?:opening|"
            r"front|first) (?:slide|page))\b",
            re.IGNORECASE,
        ),
        "agenda": re.compile(
            r"议程|目录|日程|流程|今[天日](?:内容|要点|讲|安排|都)|会议安排|本次要点|"
            r"讲(?:[一二三四五六七八九]件事|哪些|什么)|\b(?:agenda|overview slide|"
            r"topics|what we will cover|order of the day|contents)\b",
            re.IGNORECASE,
        ),
        "kpi": re.compile(
            r"KPI|指标|数字|数据页|大字|大号|特大|超大|放大|醒目|突出|大大的|\b(?:KPIs?|key (?:figure|"
            r"number|metric)|(?:big|one|single|"
            r"large) (?:number|figure)|"
            r"large (?:type|print)|(?:huge|giant|big) (?:letters|digits|type|figure)|very (?:large|big)|"
            r"really (?:large|big)|huge|giant|figure|stands out)\b",
            re.IGNORECASE,
        ),
        "pairs": re.compile(
            r"风险|问题|隐患|困难|难点|岔子|对策|\b(?:risks?|problems?|issues?|threats?|challenges?|go wrong)\b",
            re.IGNORECASE,
        ),
        "timeline": re.compile(r"时间[线轴]|里程碑|路线图|进度页|\b(?:timeline|roadmap|milestones)\b", re.IGNORECASE),
    }
)
_NO_OVERLAP: Final = (
    r"(?:[两各几]行|节点|文字|它们|几个框)?(?:之间)?(?:谁也)?(?:都)?(?:别|不要|不能|不)(?:互相|重)?(?:叠|"
    r"压|挤|盖)(?:着|在|到)?(?:一起|谁|一块)?|"
    r"\b(?:without|not|no) overlap\w*(?: each other)?\b|"
    r"(?:and |so that )?(?:nothing|they) (?:overlaps?|do(?:es)? not overlap)\b"
)


def is_slide_read(text: RequestText, thing: str, data: int) -> bool:
    """Whether every clause of what is left says nothing new."""
    text.take_all(_NO_OVERLAP)
    return is_all_read(text, list_words(thing), SLIDE_THINGS[thing], data)
