"""Action items in the third person: who says it is in a column of its own, and what is meant stands in the item."""

import re
from collections.abc import Sequence
from typing import Final

from metier.packs.office.analysis._dates import TIME_PHRASE
from metier.packs.office.analysis.meetings._answers import find_sought
from metier.packs.office.analysis.meetings._names import SELF

__all__ = ["word_item"]

_MAX_VERB: Final = 4
_SELF: Final = r"我(?:们(?:班组|组|部门|科室|团队|公司|这边)?|这边)?(?:来|去|会|就|负责|争取|保证|尽量)*"
_TIME: Final = re.compile(
    r"(?:前|后|时|内|底|[今明后]天|周[一二三四五六日天末]|星期.|[\d一二三四五六七八九十]+[月日号天])$"
)
# 预算表需要更新，我会尽快处理
_TAKEN: Final = re.compile(
    rf"^(?P<thing>[^，,我]{{2,16}}?)(?:还?需要|还?要|还?得)(?P<verb>[\u4e00-\u9fff]{{1,4}})[，,]{_SELF}"
    r"(?P<how>尽快|马上|抓紧|今天|明天)?(?:处理|做|办|弄|完成|搞定|解决)(?:一下|好|完|掉)?(?P<rest>.*)$"
)
# 上线公告我来写，3月16日前发给大家看
_ABOUT: Final = re.compile(
    rf"^(?P<thing>[^，,我]{{2,16}}?)(?:就|都|还是)?(?:由|让|交给|"
    rf"归)?{_SELF}(?P<verb>[\u4e00-\u9fff]{{1,4}}?)[吧啊呀哦嘛哈]?"
    r"(?P<rest>[，,].*)?$"
)
# 我来改，下周五之前改完
_BARE: Final = re.compile(rf"^{_SELF}(?P<verb>[\u4e00-\u9fff]{{1,3}}?)[吧啊呀哦嘛哈]?(?P<rest>[，,].*)?$")
_ASKED: Final = re.compile(r"(?P<thing>[\u4e00-\u9fff]{2,10}?)(?:由谁|谁来?|哪位|什么时候|怎么办)")
_ASKED_EN: Final = re.compile(
    r"\bwho (?:takes|does|handles|fixes|owns|will \w+|can \w+) (?P<thing>the [a-z ]+?)(?=,|\?|$| and\b| by\b)",
    re.IGNORECASE,
)
_TAKEN_EN: Final = re.compile(
    r",?\s*(?:and )?I(?:'ll| will| can) (?:do|take care of|handle|see to|look after|sort) (?:it|that|this|them)\b",
    re.IGNORECASE,
)


_MAX_BARE: Final = 3
_MIN_WORDS: Final = 3
_POINTS: Final = re.compile(r"^\w+(?: \w+)? (?:it|them|that|this|those|one)\b")
_MAX_NOD: Final = 3  # 好, 没问题


def word_item(what: str, who: str, speaker: str, before: Sequence[str]) -> str:
    """What has to be done, without the first person; `before` are the sentences before it, the nearest last."""
    before = [one for one in before if len(one.strip("。，")) > _MAX_NOD] or before
    if re.search(r"[\u4e00-\u9fff]", what):
        made = _complete(_drop_asked(what, who), before) if who != speaker else _word_own(what, before)
        return re.sub(SELF, speaker, made) if speaker else made
    made = _TAKEN_EN.sub("", what)
    thing = next((found["thing"] for one in reversed(before) if (found := _ASKED_EN.search(one))), "")
    if not _POINTS.match(made):
        return made
    # What `it` is stands in what was said before.
    named = next((one for one in reversed(before) if len(one.split()) >= _MIN_WORDS), "").rstrip(".")
    if thing:
        return re.sub(r"^(\w+) (?:it|them|that|this)\b", rf"\1 {thing}", made)
    return f"{made} (said before: {named})" if named else made


def _complete(made: str, before: Sequence[str]) -> str:
    """A bare verb with the thing that was asked about before: 那让小许改 behind 图纸谁能改？ is 改图纸."""
    if len(made) > _MAX_BARE or not before:
        return made
    asked = next((one for said in reversed(before) if (one := find_sought(said)) and made[0] in one.verb), None)
    return f"{made}{asked.thing}" if asked else f"{made}（上文：{before[-1].rstrip('。')}）"


def _word_own(what: str, before: Sequence[str]) -> str:
    if found := _TAKEN.match(what):
        return f"{found['how'] or ''}{found['verb']}{found['thing']}{found['rest']}"
    if found := _BARE.match(what):
        # A verb of several characters may have its thing with it (订车); it takes one from the last sentence only.
        near = before if len(found["verb"]) == 1 else before[-1:]
        thing = next((one["thing"] for said in reversed(near) if (one := _ASKED.search(said))), "")
        # What it is about stands in the sentence before it; without that, nothing of the item would be left.
        about = f"（上文：{before[-1].rstrip('。')}）" if before and not thing and "负责" not in what else ""
        return f"{found['verb']}{thing}{found['rest'] or ''}{about}"
    if (found := _ABOUT.match(what)) and not _TIME.search(found["thing"]):
        return f"{found['verb']}{found['thing']}{found['rest'] or ''}"
    own = re.sub(rf"(?<![给让跟和向对帮找发告]){_SELF.replace('去|', '')}", "", what, count=1)
    own = re.sub(r"^那(?=[\u4e00-\u9fff])(?![边个里些时])", "", own)
    # `今天就贴` says nothing without the sentence that it answers.
    rest = re.sub(rf"{TIME_PHRASE}|[就再先来去会也]|[，,].*$", "", own)
    return f"{own}（上文：{before[-1].rstrip('。')}）" if before and len(rest) == 1 else own


def _drop_asked(what: str, who: str) -> str:
    """The clause in which somebody is asked, without the name: 试用由张涛联系供应商 is 试用：联系供应商."""
    name = re.escape(who)
    if who and (
        taken := re.match(rf"^(?P<thing>[^，,]{{2,16}}?)(?:就|还是)?(?:由|让)?{name}(?:来|去)(?P<rest>.+)$", what)
    ):
        verb, mark, rest = taken["rest"].partition("，")
        if len(verb) <= _MAX_VERB and not _TIME.search(taken["thing"]):
            return f"{verb.rstrip('吧啊呀')}{taken['thing']}{mark}{rest}"
    found = re.search(
        rf"(?:^|[，,])(?P<thing>[^，,]{{0,12}}?)(?:由|请|让|麻烦|辛苦|安排|责成|委托|交给|交由){name}(?:同志|"
        rf"老师)?(?:来|去)?"
        r"(?P<work>.+)$",
        what,
    )
    if not who or found is None:
        return re.sub(rf"^(?:那|好)?{name}[，,]?(?:你|您|来|去)?", "", what) or what if who else what
    about = re.split(r"[，,。；;]", what[: found.start()].rstrip("，, "))[-1]
    if about and not found["thing"] and len(re.split(r"[，,]", found["work"])[0]) <= _MAX_VERB:
        return f"{about}：{found['work']}"  # `班费每人收200元，由李妈妈负责收`
    thing = re.sub(r"^(?:那么?|好|行)$|(?:就|先|会)?我(?:们)?(?:会|就|先|来)?$", "", found["thing"])
    if thing and (duty := re.match(r"负责(?=$|[，,])", found["work"])):
        return f"{duty[0]}{thing}{found['work'][duty.end() :]}"
    return f"{thing}{'' if not thing or _TIME.search(thing) else '：'}{found['work']}"
