"""Requests and their replies: `请你…` is work of who agrees to it, a refusal makes it nobody's."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from metier.language import split_sentences
from metier.packs.office.analysis.meetings._transcript import Utterance

__all__ = ["Request", "find_requests"]

_REQUEST: Final = re.compile(
    r"(?:^|[，,。；;：:])(?:那|好的?|行|这样)?[，,]?(?:(?P<name>[\u4e00-\u9fff]{2,4}|(?:发言人|说话人|讲话人)\s?\d+)[，,]?\s*)?"
    r"(?:能不能|能否|可不可以)?(?:请|麻烦|辛苦|劳烦|拜托)你(?:们)?(?:这边|那边)?(?:来|去|再|先|帮忙|帮我)?"
    r"(?P<work>[^。；;?？！!]{2,60})"
)
_IDLE: Final = re.compile(
    r"(?:说|讲|介绍|谈|发言|汇报|看|想|注意|放心|理解|稍等|等|坐|继续|开始|补充|回答|自我|大家|们)"
)
_ASSENT: Final = re.compile(
    r"^(?:好的?|行|没问题|可以|收到|明白|嗯|好嘞|好啊|知道了|交给我|包在我身上|ok(?:ay)?|sure)"
    r"(?=[的呀啊吧了啦，,。！!\s]|$|我)",
    re.IGNORECASE,
)
_REFUSAL: Final = re.compile(
    r"没空|不行|没时间|做不了|来不及|不方便|恐怕|不归我|找别人|换个?人|没法|没办法|不合适|干不了|不同意"
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


@dataclass(frozen=True, slots=True)
class Request:
    """A request at a sentence of an utterance, who does it, and the sentences of the reply that only agree to it."""

    who: str
    work: str
    reply: str


def find_requests(
    said: Sequence[Utterance], known: Collection[str]
) -> tuple[dict[tuple[int, str], Request | None], frozenset[tuple[int, str]]]:
    """Requests by utterance and sentence, None for one that was refused; and the sentences that only agree."""
    found: dict[tuple[int, str], Request | None] = {}
    consumed: set[tuple[int, str]] = set()
    for at, utterance in enumerate(said):
        for sentence in split_sentences(utterance.text):
            plain = sentence.strip()
            match = _REQUEST.search(plain)
            if match is None or _IDLE.match(match["work"]):
                continue
            name = match["name"] if match["name"] in known else ""
            reply_at = _find_reply(said, at)
            reply = said[reply_at] if reply_at is not None else None
            is_asked = reply is not None and name in ("", reply.speaker)
            if reply is not None and is_asked and _refuses(reply.text.strip()):
                found[at, plain] = None
                continue
            is_agreed = reply is not None and is_asked and _ASSENT.match(reply.text.strip()) is not None
            who = name or (reply.speaker if reply is not None and is_agreed else "")
            if not who or (plain.endswith(("?", "？", "吗")) and not is_agreed):
                continue
            work = match["work"].strip("，, ").removesuffix("吗").removesuffix("吧")
            found[at, plain] = Request(who, work, reply.text if reply is not None and is_agreed else "")
            if reply_at is not None and reply is not None and is_agreed:
                consumed |= {
                    (reply_at, one) for one in map(str.strip, split_sentences(reply.text)) if _agrees(one, work)
                }
    return found, frozenset(consumed)


def _find_reply(said: Sequence[Utterance], at: int) -> int | None:
    """The next utterance of somebody else, if it comes right behind what the asking person says."""
    following = next((later for later in range(at + 1, len(said)) if said[later].speaker != said[at].speaker), None)
    return following if following is not None and said[following].speaker else None


def _refuses(reply: str) -> bool:
    """A plain refusal, or a doubtful word where nothing agrees before it."""
    return bool(_REFUSAL.search(reply)) or (_ASSENT.match(reply) is None and bool(_WEAK_REFUSAL.search(reply)))


def _agrees(sentence: str, work: str) -> bool:
    rest = _FILLER.sub("", _DATE_WORDS.sub("", sentence))
    return all(char in work for char in rest)
