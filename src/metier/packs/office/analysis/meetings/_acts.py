"""Clauses in which somebody takes on work, by their form: whoever is named, a sign of what is ahead, and any verb.

No list of verbs could be complete (贴, 接, 缝, 扛 …). Work is what is said to come and is no state, report, view
or joke.
"""

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from metier.packs.office.analysis._dates import TIME_PHRASE, has_date_words

__all__ = ["Taken", "is_state", "list_taken", "read_order", "split_clauses", "split_work"]

_LEAD: Final = r"(?:好[的嘞啊吧]?|行|可以|嗯|那么?|就|对了|另外|不过|但是?|而且|然后|顺便|还有|再|没问题|得|要不)*"
_DAY: Final = rf"(?:{TIME_PHRASE}|抽空|有空|空了|顺路|回来路上|回来的路上|路上|[^，,]{{1,6}}完|那天|当天|开始)"
_HOW: Final = (
    r"(?:自己|早点|晚点|帮忙|一个人|亲自|也|就|先|再|会|能|可以|来(?!过)|去(?!年|过)|要|得|负责|争取|保证|尽量|尽快|尽早|马上|立刻|立即|现在|这就|"
    r"抓紧|顺便|顺路|一起|统一|重新|单独|多|这边|那边|继续|还是)"
)
_SELF: Final = (
    r"(?<![给让跟和向对帮找发告诉问替等催请由叫陪归自问关是比])我(?!们|[的方司国校院省市县村爸妈家哥姐弟妹])(?:这边)?"
)
# What is no work whatever stands beside it: states, views, talk, what is done in the room, coming and going, leisure.
_HAS: Final = (
    r"不|没|未|别|是|有|在(?!.{0,8}[修改写补]|[^，,]{1,6}[里上][\u4e00-\u9fff]{1,4}$)|像|属|姓|住|叫(?![了人上他她个车外]|[\u4e00-\u9fff]{2,3}[来去])|"
    r"需要|保留|刚|已|都|还|才|只|的|本来|原来|过[那这]|这么|那么|[手脚头腰肚眼嘴](?!续|机|工|册)|英文|中文|比|状态|心情|任(?=$|得|心)|"
    r"朋友|老婆|老公|孩子|孙|儿|女|表[弟妹哥姐]|[\d一二三四五六七八九十两]+(?![遍次版])"
)
_VIEWS: Final = (
    r"觉|认|想|希|听|知|记得|懂|明白|理解|同意|支持|赞成|反对|投|举|倾向|提议|建议|喜欢|讨厌|怕|爱|恨|"
    r"愿意?[吗$]|担心|相信|以为|发现|接受|受[得不]|忍|考虑|琢磨|合计|斟酌|看(?!着|看$|一[下看]|紧|住|管|店|门)"
)
_TALK: Final = (
    r"说|讲(?![^，,]{0,3}$|课|解)|谈谈|聊|问(?:个|一句|题)|介绍|补充(?:一|两|几)|总结一下|汇报|分享|念|"
    r"[跟和][你您大][^，,]{0,2}(?:说|讲|聊)|插|打断|(?:做个?)?自我|[把将]话|表个?态|强调|[给跟对]我(?:解释|说|讲|介绍)|记一下|唱|发个?言|发表"
)
_IN_ROOM: Final = (
    r"坐|站|让一让|静音|共享|下线|退[一下]?场|[把将]?(?:门|窗|空调|灯|麦)[^，,]{0,2}(?:关|开)|"
    r"[开关](?:一?下)?(?:门|窗|空调|灯|麦)(?![\u4e00-\u9fff])|[去上]?个?(?:厕所|洗手间|卫生间)"
)
_AWAY: Final = (
    r"走|出差|请假|休[年婚产病事]?[假息]|年假|回家|回老家|上班|下班|住院|医院|看病|体检|开会|结婚|退休|辞职|离职"
)
_LEISURE: Final = (
    r"吃|喝|玩|睡|躺|歇|笑|哭|鼓掌|打气|加油|干杯|捧场|围观|试试看|当观众|貌美|帅|美|数钱|花钱|撒娇|发呆|摸鱼"
)
_STATE: Final = re.compile(
    rf"^(?:{_HAS}|{_VIEWS}|{_TALK}|{_IN_ROOM}|{_AWAY}|{_LEISURE})|"
    r"精神上|^带(?:嘴|脸|人|心|耳朵|胃)|[^一]的时候|得(?:很|不错|挺|真|好)|"
    r"(?<![会能要])的[。！!]?$|[^给]过[了。！!]?$|不[了到完起上来动](?!解)|不熟|心疼|后悔|高兴|放心|谢"
)
_OVER: Final = re.compile(r"了(?:[吧。！!]*$|[一二三四五六七八九十两半几\d好])")
_SOON: Final = re.compile(
    r"今晚|明|后天|周|星期|下[个午月]|晚上|一会|待会|回头|马上|现在|这就|尽快|再|会|顺便|也|先|那|把|将"
)
# What was done, with its thing or a number: `约了电信的人`, `对了三遍`; `吃了饭再去` is ahead.
_COUNTED: Final = re.compile(
    r"了[一二三四五六七八九十两半几\d](?!下)|"
    r"^[\u4e00-\u9fff]{1,2}了(?=[\u4e00-\u9fff])(?![^，,]*[再就吧])"
)
_SIGN: Final = re.compile(r"来|去|会|就|马上|立刻|现在|争取|保证|尽|抓紧|顺便|再|负责|重新|亲自|这就|还是|先|抽空|顺路")
_DONE_TO: Final = re.compile(
    r"[把将]|给[你您大他她]|[发交]你|帮|一下|[\u4e00-\u9fff](?:好|完|掉|妥|齐|出来|下来|过去|上去)$|"
    r"[\u4e00-\u9fff][来去](?!过)[\u4e00-\u9fff]|^(?:[跟和向]|联系|通知|协调|确认|重[写画做测改])|^[\u4e00-\u9fff](?:[一两几半][\u4e00-\u9fff])"
)
_OFFER: Final = re.compile(r"[吧呗]$|^(?:可以|能)")
_LEADS_ON: Final = re.compile(r"^(?:好[的嘞]?|行|那|嗯|可以|没问题|ok|OK)")
_QUESTION: Final = re.compile(
    r"[?？]\s*$|(?:吗|呢|么)[。！!]?$|(?<![问查看认])(?:谁|哪|什么|怎么|要不要|是不是|能不能|会不会|有没有)"
)
_UNSURE: Final = re.compile(
    r"可能|也许|大概|说不定|如果|要是|假如|万一|的话|本来|差点|应该是|上次|昨天|去年|上周|上个?月|刚才|以前|之前都"
)
_TOPIC: Final = r"(?P<thing>(?:(?!我)[^，,？?]){0,16}?)"
_OWN: Final = re.compile(rf"^(?P<lead>{_LEAD}){_TOPIC}(?:就|还是|由|让)?{_SELF}(?P<rest>.*)$")
_TIMES: Final = re.compile(rf"^(?:{_DAY}(?:之?前|以前|之?内|以内|之?后)?|{_HOW})")
_ONLY_HOW: Final = re.compile(r"(?:尽量|争取|尽快|马上|先|再|会|能|可以|也|继续|就)+")
_MAX_PLAIN: Final = 8
_NO_THING: Final = re.compile(r"[是有在说想觉得听给让跟和向对帮找由问]$|^(?:听|看|问|其实|反正|因为|所以|没|不)")


class Taken(NamedTuple):
    """A clause in which the speaker takes work on: the thing before `我`, what is done, and what stands before."""

    thing: str
    verb: str
    is_sure: bool


def split_clauses(sentence: str) -> list[str]:
    """Clauses of a sentence, each with its sign."""
    return [part for part in re.split(r"(?<=[，,；;。！!])", sentence) if part.strip("，,；;。！! ")]


def list_taken(sentence: str, is_asked: bool) -> Iterator[tuple[int, Taken]]:
    """Clauses of a sentence in which the speaker takes on work, by their place; `is_asked` if somebody sought it."""
    if _QUESTION.search(sentence) or _UNSURE.search(sentence):
        return
    accepts = _LEADS_ON.match(sentence) is not None or is_asked
    for at, clause in enumerate(split_clauses(sentence)):
        if _HANDED_LATER.match(clause):
            yield at, Taken("", clause.strip("，,；;。！! "), is_sure=True)
        elif taken := _read_own(clause.strip("，,；;。！!、 "), accepts):
            yield at, taken


def _read_own(clause: str, accepts: bool) -> Taken | None:
    match = _OWN.match(clause)
    if match is None or _NO_THING.search(match["thing"]):
        return None
    said, verb = _strip_manner(match["rest"])
    bare = verb.rstrip("吧呗啊呀哦嘛哈")
    if not bare or _is_no_work(bare, f"{match['lead']}{match['thing']}{said}"):
        return None
    thing = _strip_manner(match["thing"])[1]
    dated = has_date_words(match["lead"] + match["thing"] + said)
    signs = (
        bool(_SIGN.search(said)), bool(_DONE_TO.search(verb)), bool(_OFFER.search(verb) or _OFFER.search(said)),
        dated, accepts, bool(thing) and len(verb) <= _MAX_PLAIN, match["lead"].startswith(("那", "顺便")),
    )  # fmt: skip
    return Taken(thing, bare, sum(signs) > 1) if any(signs) else None


def is_state(sentence: str) -> bool:
    """Whether all that the speaker says of themselves is a state, a view or talk: `我这边没什么要补充的`."""
    owns = [found for clause in split_clauses(sentence) if (found := _OWN.match(clause.strip("，,；;。！! ")))]
    verbs = [_strip_manner(found["rest"])[1].rstrip("吧呗啊呀哦嘛哈") for found in owns]
    return bool(verbs) and all(_STATE.search(verb) is not None for verb in verbs)


def _strip_manner(rest: str) -> tuple[str, str]:
    """What says how and when before the verb, and the verb with what follows."""
    said = ""
    while found := _TIMES.match(rest):
        if found.end() >= len(rest.rstrip("吧呗啊呀")):
            return said, rest  # 我来, 我可以周六来: nothing else is said
        said, rest = said + found[0], rest[found.end() :]
    return said, rest


def _is_no_work(verb: str, before: str) -> bool:
    if _STATE.search(verb) or _ONLY_HOW.fullmatch(verb):
        return True
    if _COUNTED.search(verb):
        return True
    return _OVER.search(verb) is not None and not _SOON.search(before + verb)


# Nobody else can hand it to who hears it: `回头发你`.
_HANDED_LATER: Final = re.compile(
    rf"^(?:{_LEAD})(?:{TIME_PHRASE})(?:之?前)?(?:就|再|能|可以|会|统一)*[给发交送寄](?:给)?(?:[你您]|大家|群里)"
)
# What only hands the same work over: `我改一版，我明早给你`.
_HANDS_OVER: Final = re.compile(
    rf"^(?:{TIME_PHRASE}(?:之?前)?)?(?:就|再)*(?:[给发交][^，,]{{0,6}}|反馈|回话|答复|汇报)"
)
_MORE: Final = re.compile(r"^(?:顺便|另外|还有|同时|然后)")


def split_work(sentence: str, names: Collection[str]) -> list[str]:
    """A sentence in parts, one for each piece of work in it: `我来订，顺便把酒店也确认了`, `小宋写，你把关`."""
    clauses = split_clauses(sentence)
    own = dict(list_taken(sentence, is_asked=False))
    starts: list[int] = []
    for at, clause in enumerate(clauses):
        is_order = (order := read_order(clause, names)) is not None and (bool(order[0]) or bool(starts))
        is_more = bool(starts) and _MORE.match(clause) is not None and _DONE_TO.search(clause) is not None
        is_own = at in own and not _HANDS_OVER.match(own[at].verb)
        if is_more or is_order or (is_own and (not starts or own[at].thing or len(own[at].verb) > 1)):
            starts.append(at)
    if starts and "我" not in "".join(clauses[: starts[0]]):
        starts = starts[1:]
    edges = [0, *(one for one in starts if one), len(clauses)]
    parts = ["".join(clauses[start:end]).strip("，,；; ") for start, end in pairwise(edges)]
    # `顺便把酒店也确认了` is said of oneself behind what one takes on oneself.
    return [f"我{one}" if at and own and _MORE.match(one) and "我" not in one else one for at, one in enumerate(parts)]


# `小宋写`, `老周顺便把回单带回来`, `代理词老严你先起草`: somebody of the talk and what is to be done.
_NAMED: Final = (
    rf"^(?P<lead>{_LEAD})(?P<thing>(?:(?!我)[^，,？?]){{0,14}}?)(?:就|还是|由|让|交给|[，,])?(?P<name>{{names}})"
    r"(?P<you>[，,]?\s*你(?:们)?)?(?P<rest>.+)$"
)
_YOU: Final = re.compile(
    rf"^(?P<lead>(?:{_LEAD}|(?:{_DAY})))(?P<thing>(?:(?!我|你|是)[^，,？?]){{0,10}}?)(?<![给让跟和向对帮找发告诉问替])"
    r"(?:你(?:们)?(?![的说看好俩])|自己(?=去)|(?<=[前天晚午一二三四五六日末])(?:之?前)?(?=[给发交报]给?我))(?P<rest>.+)$"
)
_TOLD: Final = re.compile(r"把|将|去|来|负责|先|再|顺便|抽空|尽快|马上|盯|也")


def read_order(clause: str, names: Collection[str]) -> tuple[str, str, bool] | None:
    """Who is told to do something and what; the name is empty for `你`; whether it is one only if they agree."""
    plain = clause.strip("，,；;。！!、 ")
    if _QUESTION.search(clause) or _UNSURE.search(plain):
        return None
    # Only names that are said: a pattern with all of a large meeting took a third of its time.
    joined = "|".join(sorted((re.escape(one) for one in names if one in plain), key=len, reverse=True))
    match = re.match(_NAMED.replace("{names}", joined), plain) if joined else None
    if match is None and (match := _YOU.match(plain)) is None:
        return None
    named = match.re is not _YOU
    you = not named or bool(match["you"])
    said, verb = _strip_manner(match["rest"].strip("，, "))
    bare = verb.rstrip("吧呗啊呀哦嘛哈")
    if not bare or bare in ("来", "去") or _is_no_work(bare, "") or _OVER.search(bare):
        return None
    if not _is_order(match["thing"], said, verb, you=you):
        return None
    thing = re.sub(rf"^{_LEAD}", "", match["thing"])
    work = f"{said}{bare}"
    return (match["name"] if named else ""), (f"{thing}：{work}" if thing else work), you


def _is_order(thing: str, said: str, verb: str, *, you: bool) -> bool:
    """Whether a name with a verb is told to do it, and not told about: `小莉这个月业绩第一`."""
    signs = (bool(_TOLD.search(said)), bool(_DONE_TO.search(verb)), verb.endswith(("吧", "呗")), has_date_words(said))
    if you:
        return any(signs) or bool(thing) or len(verb) <= _MAX_PLAIN // 2
    is_short = len(verb) <= 2 and not has_date_words(said)
    return (
        bool(signs[1] or signs[2])
        or (bool(_TOLD.search(said)) and not said.startswith(("会", "要", "能", "来")))
        or (is_short and not said)
    )
