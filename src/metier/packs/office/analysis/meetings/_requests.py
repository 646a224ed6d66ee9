"""Requests and their replies: `请你…` is work of who agrees to it, a refusal makes it nobody's."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from metier.language import split_sentences
from metier.packs.office.analysis.meetings._transcript import Utterance

__all__ = ["SpokenRequest", "find_requests", "is_refused"]

_WORK: Final = r"(?P<work>[^。；;?？！!]{2,60})"
_REQUEST: Final = re.compile(
    r"(?:请|麻烦|辛苦|劳烦|拜托)你(?:们)?(?:这边|那边)?(?:来|去|再|先|帮忙|帮我|也|一起)*" + _WORK,
)
# `麻烦王五你把清单发我`, and `赵敏你给个方案`, which is a request only if 赵敏 agrees.
_NAMED: Final = (
    r"(?:^|[，,。；;：:])(?:那|好的?|行|对了|另外)?[，,]?(?P<asks>请|麻烦|辛苦|拜托)?(?P<name>{names})"
    r"(?P<you>[，,]?\s*你(?:们)?(?:这边|那边)?)?"
    r"(?:来|去|就|先|再|帮忙|帮我)*(?P<work>[^。；;?？！!]{{2,60}})"
)
_GENERIC: Final = re.compile(r"(?:来|去)?(?:负责|处理|办|弄|做|跟|跟进|落实|安排|牵头)(?:一下|吧|下)?")
_ENGLISH: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|and|then|so|well),?\s+)?(?:could|can|would|will)\s+you\s+(?:please\s+)?"
    r"(?!like|prefer|mind if)(?!hear|see|tell|explain|repeat|say|start|go|remind|walk|give us|join|share your)"
    r"(?P<work>[^.;!?]{4,80})[?]$",
    re.IGNORECASE,
)
_ACTION: Final = re.compile(
    r"负责|完成|提交|准备|整理|联系|跟进|落实|安排|通知|沟通|采购|更新|核对|确认|制定|拟|提供|答复|反馈|协调|对接|修改|收集|统计|"
    r"检查|处理|解决|给[^，,]*[个份一]|[把将拿带买送换盯催订找填画拍印搬修装拆写改发交做报]"
)
_IDLE: Final = re.compile(
    r"(?:说|讲|介绍|谈|发言|汇报|看|想|注意|放心|理解|稍等|等|坐|继续|开始|补充|回答|自我|大家|们|觉得|认为|怎么|"
    r"呢|也是|是|有没有|还有|了|的)"
)
_ASSENT: Final = re.compile(
    r"^(?:好的?|行|没问题|可以|收到|明白|嗯|好嘞|好啊|知道了|交给我|包在我身上|"
    r"ok(?:ay)?|sure|yes|will do|no problem|of course)"
    r"(?=[的呀啊吧了啦，,。！!\s]|$|我)",
    re.IGNORECASE,
)
_REFUSAL: Final = re.compile(
    r"没空|不行|没时间|做不了|来不及|不方便|恐怕|不归我|找别人|换个?人|没法|没办法|做不[了到完]|办不到|不合适|干不了|不同意|另请|不熟|[\u4e00-\u9fff]不了(?!解)|"
    r"^(?:sorry,? )?no\b(?! problem| worries)|"
    r"\b(?:can't|cannot|can not|won't|unable|on leave|too busy|not available|no time)\b",
    re.IGNORECASE,
)
_WEAK_REFUSAL: Final = re.compile(r"不会|不太|不了|不想|不好")
# What a reply says of the same work without adding to it.
_FILLER: Final = re.compile(
    r"好的?|行|没问题|可以|收到|明白|嗯|知道了|交给我|包在我身上|我(?:们)?|这就|马上|尽快|一定|争取|来|去|会|就|把|它|完成|处理|办|弄|做|搞定|落实|解决|"
    r"安排|完|掉|一下|的|了|吧|啊|呀|之前|以前|前|之内|内|后|[，,。！!、\s]"
)
_DATE_WORDS: Final = re.compile(
    r"(?:今|明|后|大后)天|(?:下下|下个?|本|这个?)?(?:周|星期|礼拜)[一二三四五六日天末]?|[\d一二三四五六七八九十两]+(?:月|日|号|天|周|个月)|月[底中初]|年底|下班"
)

_HANDS_OVER: Final = re.compile(
    r"[今明][晚早]|[上下中]午|晚上|早上|\d+点半?|[给发交你您大家出弄写做好内把能都该应行吗吧。那]"
)


@dataclass(frozen=True, slots=True)
class SpokenRequest:
    """A request at a sentence of an utterance, who does it, and the sentences of the reply that only agree to it."""

    who: str
    work: str
    reply: str


def find_requests(
    said: Sequence[Utterance], known: Collection[str]
) -> tuple[dict[tuple[int, str], SpokenRequest | None], frozenset[tuple[int, str]]]:
    """Requests by utterance and sentence, None for one that was refused; and the sentences that only agree."""
    found: dict[tuple[int, str], SpokenRequest | None] = {}
    agreed: set[tuple[int, str]] = set()
    names = "|".join(sorted(map(re.escape, known), key=len, reverse=True)) or "(?!)"
    for at, utterance in enumerate(said):
        for sentence in split_sentences(utterance.text):
            plain = sentence.strip()
            asked = _read_request(plain, names)
            if asked is None:
                continue
            name, work, needs_assent = asked
            reply_at = _find_reply(said, at)
            reply = said[reply_at] if reply_at is not None and name in ("", said[reply_at].speaker) else None
            if reply is not None and _refuses(reply.text.strip()):
                found[at, plain] = None
            elif reply is not None and reply_at is not None and _ASSENT.match(reply.text.strip()):
                own = re.sub(r"我(?!们)|\bme\b", utterance.speaker, work) if utterance.speaker else work
                found[at, plain] = SpokenRequest(reply.speaker, own, _cut_other_work(reply.text, work))
                answers = (one.strip() for one in split_sentences(reply.text))
                agreed |= {(reply_at, one) for one in answers if _agrees(one, work)}
            elif name and not needs_assent:
                found[at, plain] = SpokenRequest(name, work, "")
    return found, frozenset(agreed)


def _read_request(sentence: str, names: str) -> tuple[str, str, bool] | None:
    """Who is asked (empty if nobody is named), for what, and whether it is a request only if they agree."""
    named = re.search(_NAMED.format(names=names), sentence)
    if (match := named) and (match["asks"] or match["you"]):
        name, is_plain = match["name"], bool(match["asks"])
        if not is_plain and not _ACTION.search(match["work"]):
            return None
    elif match := _REQUEST.search(sentence):
        address = re.search(
            rf"(?:^|[，,。；;：:])(?:那|好的?|行|对了|另外)?[，,]?(?P<name>{names})[，,]?", sentence[: match.start()]
        )
        name, is_plain = address["name"] if address else "", True
    elif match := _ENGLISH.search(sentence):
        return "", match["work"].strip(), True
    else:
        return None
    work = match["work"].strip("，, ").removesuffix("吗").removesuffix("吧")
    if _GENERIC.fullmatch(work):
        # `内容更新一下，老周你负责`: what it is stands before the name.
        work = sentence[: match.start()].strip("，, ")
    if not work or _IDLE.match(work):
        return None
    return name, work, not is_plain or sentence.endswith(("?", "？", "吗"))


def _find_reply(said: Sequence[Utterance], at: int) -> int | None:
    """The next utterance of somebody else, if it comes right behind what the asking person says."""
    following = next((later for later in range(at + 1, len(said)) if said[later].speaker != said[at].speaker), None)
    return following if following is not None and said[following].speaker else None


def _refuses(reply: str) -> bool:
    """A plain refusal, or a doubtful word where nothing agrees before it."""
    return bool(_REFUSAL.search(reply)) or (_ASSENT.match(reply) is None and bool(_WEAK_REFUSAL.search(reply)))


def is_refused(said: Sequence[Utterance], at: int, who: str) -> bool:
    """Whether the reply of somebody who was told to do something refuses it."""
    reply = _find_reply(said, at)
    return reply is not None and said[reply].speaker in (who, "") and _refuses(said[reply].text.strip())


def _cut_other_work(reply: str, work: str) -> str:
    """The parts of a reply that speak of the work that was asked for; `嗯，明天我去拜访客户` says nothing of it."""
    if not re.search(r"[\u4e00-\u9fff]", reply):
        return reply
    parts = re.split(r"(?<=[，,。；;！!])", reply)
    return "".join(part for part in parts if _agrees(_HANDS_OVER.sub("", part), work))


def _agrees(sentence: str, work: str) -> bool:
    rest = _FILLER.sub("", _DATE_WORDS.sub("", sentence))
    return all(char in work for char in rest)
