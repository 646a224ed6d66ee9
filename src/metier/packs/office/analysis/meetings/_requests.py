"""Requests and their replies: `请你…` is work of who agrees to it, a refusal makes it nobody's."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from metier.language import split_sentences
from metier.packs.office.analysis.meetings._acts import read_order
from metier.packs.office.analysis.meetings._names import SELF
from metier.packs.office.analysis.meetings._replies import cut_other_work, list_assents, read_reply
from metier.packs.office.analysis.meetings._transcript import Utterance
from metier.packs.office.analysis.meetings._unmeant import cut_unmeant

__all__ = ["SpokenRequest", "find_requests"]

_WORK: Final = r"(?P<work>[^。；;?？！!]{2,60})"
_REQUEST: Final = re.compile(
    r"(?:请|麻烦|辛苦|劳烦|拜托)你(?:们)?(?:这边|那边)?(?:来|去|再|先|帮忙|帮我|也|一起)*" + _WORK,
)
# `麻烦王五你把清单发我`, and `赵敏你给个方案`, which is a request only if 赵敏 agrees.
_NAMED: Final = (
    r"(?:^|[，,。；;：:])(?:那|好的?|行|对了|另外)?[，,]?(?P<asks>请|麻烦|辛苦|拜托)?(?P<name>{names})"
    r"(?P<you>[，,]?\s*(?:你(?:们)?(?:这边|那边)?|(?<=[，,])(?:请|麻烦|辛苦)?(?=[把将]|"
    r"[^，,。]{{1,8}}[前内天][把将])))?"
    r"(?:来|去|就|先|再|帮忙|帮我)*(?P<work>[^。；;?？！!]{{2,60}})"
)
_GENERIC: Final = re.compile(r"(?:来|去)?(?:负责|处理|办|弄|做|跟|跟进|落实|安排|牵头)(?:一下|吧|下)?")
_LEADING: Final = re.compile(r"(?:负责|处理|跟进|落实|安排|牵头)(?:一下|吧|下)?[，,]")
_ENGLISH: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|and|then|so|well),?\s+)?(?:could|can|would|will)\s+you\s+(?:please\s+)?"
    r"(?!like|prefer|mind if)(?!hear|see|tell|explain|repeat|say|start|go|remind|walk|give us|join|share your)"
    r"(?P<work>[^.;!?]{4,80})[?]$",
    re.IGNORECASE,
)
# `Order one, please.`: nobody is named, who answers was asked.
_PLEASE: Final = re.compile(
    r"^(?P<work>(?!(?:yes|no|one|two|well|all|everyone|everybody|quiet|silence|next|more|coffee|tea|hold|wait|go|let|be|stop|"
    r"tell|say|speak|come|sit|listen|look)\b)[A-Z][a-z]+ [^,.;!?]{2,60}),? please[.!]?$",
    re.IGNORECASE,
)
_ACTION: Final = re.compile(
    r"负责|完成|提交|准备|整理|联系|跟进|落实|安排|通知|沟通|采购|更新|核对|确认|制定|拟|提供|答复|反馈|协调|"
    r"对接|修改|收集|统计|"
    r"检查|处理|解决|给[^，,]*[个份一]|[把将拿带买送换盯催订找填画拍印搬修装拆写改发交做报]"
)
_IDLE: Final = re.compile(
    r"(?:说|讲|介绍|谈|发言|汇报|看|想|注意|放心|理解|稍等|等|坐|继续|开始|补充|回答|自我|大家|们|觉得|认为|怎么|"
    r"呢|也是|是|有没有|还有|了|的)"
)
_OFFER: Final = re.compile(
    r"^(?:那|好|行|嗯)?[，,]?(?:要不要|需不需要|需要|用不用|要)我(?:来|去|帮忙?|再|先)*(?P<work>[^？?，,]{2,20})[?？]$"
    r"|^(?:ok(?:ay)?,? |so |and )?(?:shall|should) I (?P<english>[^?]{4,60})\?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SpokenRequest:
    """A request, who does it, what of the reply speaks of it, and another day if it names one."""

    who: str
    work: str
    reply: str = ""
    day: str = ""
    reply_line: str = ""


def find_requests(
    said: Sequence[Utterance], known: Collection[str]
) -> tuple[dict[tuple[int, str], SpokenRequest | None], set[tuple[int, str]]]:
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
            reply = read_reply(said, at, name, work)
            own = re.sub(rf"{SELF}|\bme\b", utterance.speaker, work) if utterance.speaker else work
            if reply.attitude in ("accepts", "takes"):
                of_it = cut_other_work(reply.text, work)
                found[at, plain] = SpokenRequest(reply.speaker, own, of_it, reply.day, said[reply.at].line)
                agreed |= list_assents(reply, work)
            elif reply.attitude == "refuses" or (name and reply.attitude == "unclear"):
                found[at, plain] = None
            elif name and not needs_assent:
                found[at, plain] = SpokenRequest(name, own)
    offers, taken = _find_offers(said)
    return found | offers, agreed | taken


def _find_offers(
    said: Sequence[Utterance],
) -> tuple[dict[tuple[int, str], SpokenRequest | None], set[tuple[int, str]]]:
    """`Shall I tell the supplier?`, `要不要我去接？`: work of who offers it, if the next person says yes."""
    found: dict[tuple[int, str], SpokenRequest | None] = {}
    agreed: set[tuple[int, str]] = set()
    for at, utterance in enumerate(said):
        for sentence in split_sentences(utterance.text):
            offer = _OFFER.match(sentence.strip())
            if offer is None or not utterance.speaker:
                continue
            reply = read_reply(said, at, "")
            work = (offer["work"] or offer["english"]).strip("吧吗啊 ")
            is_repeated = _repeats(reply.text, work)
            is_taken = (reply.attitude == "accepts" or is_repeated) and reply.speaker != utterance.speaker
            line = said[reply.at].line if is_taken else ""
            answer = reply.text.replace("我", "") if is_repeated else reply.text
            agreed |= {(reply.at, one.strip()) for one in split_sentences(reply.text) if is_repeated}
            found[at, sentence.strip()] = (
                SpokenRequest(utterance.speaker, work, answer, reply.text if is_repeated else "", line)
                if is_taken
                else None
            )
    return found, agreed


def _repeats(reply: str, work: str) -> bool:
    """Whether a reply says the verb of an offer again: `需要我准备材料吗？` `准备吧`."""
    match = re.match(r"(?:那|好|行)?[，,]?(?P<verb>[\u4e00-\u9fff]{1,3})[吧呗]", reply.strip())
    return match is not None and work.startswith(match["verb"])


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
    elif match := _ENGLISH.search(sentence) or _PLEASE.match(sentence):
        return "", match["work"].strip(), True
    elif (order := read_order(cut_unmeant(sentence), ())) and not order[0]:
        return "", order[1], True
    else:
        return None
    work = match["work"].strip("，, ").removesuffix("吗").removesuffix("吧")
    if _GENERIC.fullmatch(work):
        # `内容更新一下，老周你负责`: what it is stands before the name.
        work = sentence[: match.start()].strip("，, ")
    elif _LEADING.match(work) and (about := re.split(r"[。；;？?！!]", sentence[: match.start()])[-1].strip("，, ")):
        work = f"{about}，{work}"  # `物流这块必须降下来，老韩你牵头，月底前拿方案`
    if not work or _IDLE.match(work):
        return None
    return name, work, not is_plain or sentence.endswith(("?", "？", "吗"))
