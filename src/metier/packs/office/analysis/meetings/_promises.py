"""Promises of a meeting: who does what until when. What was not said stays open; nobody is guessed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from metier.language import split_sentences
from metier.packs.office.analysis._dates import (
    find_date,
    find_full_date,
    find_repeat_words,
    find_time_words,
    has_date_words,
)
from metier.packs.office.analysis.meetings._acts import is_state, list_taken, read_order, split_clauses, split_work
from metier.packs.office.analysis.meetings._context import SpokenContext
from metier.packs.office.analysis.meetings._decisions import strip_lead
from metier.packs.office.analysis.meetings._english import read_english
from metier.packs.office.analysis.meetings._items import word_item
from metier.packs.office.analysis.meetings._model import Promise
from metier.packs.office.analysis.meetings._names import NICKNAME, is_owner
from metier.packs.office.analysis.meetings._replies import SpokenReply, list_assents, read_reply
from metier.packs.office.analysis.meetings._requests import SpokenRequest, find_requests
from metier.packs.office.analysis.meetings._transcript import Utterance
from metier.packs.office.analysis.meetings._unmeant import cut_unmeant, is_idle_request
from metier.packs.office.analysis.meetings._withdrawn import move_day, settle_promises

__all__ = ["Promise", "find_promises"]

_ANY_DAY: Final = date(2000, 1, 3)  # a day to find words with that say a date, where the date itself does not matter
_WORK: Final = (
    r"(?:负责|牵头|完成|提交|起草|准备|整理|联系|跟进|落实|安排|通知|沟通|采购|编写|撰写|修完|修复|敲定|更新|"
    r"出具|发给|发送|交付|"
    r"汇总|核对|核实|确认|组织|办理|制定|拟定|提供|给出|给大家|答复|回复|反馈|协调|督促|对接|修改|调整|上报|"
    r"报送|收集|统计|梳理|"
    r"补充|签订|付款|测试|上线|部署|培训|检查|做|写|发|交|报|改|查|处理|解决|搞定)"
)
_LONG_WORK: Final = _WORK.replace("做|写|发|交|报|改|查|", "")
_PERSON: Final = (
    r"(?:发言人|说话人|讲话人)\s?\d+|[A-Z][a-z]+|"
    r"(?!月[底初末]|周[一二三四五六日天末内中初]|星期|年底|尽|今|明|后天|本|"
    r"下)(?:(?![我你他她它们])[\u4e00-\u9fff]){2,4}?"
)
_OFFICES: Final = "部|科|处|室|组|中心|公司|单位|委员会|委会|协会|局|院|所|队|办|站|厂|班"
_TITLES: Final = rf"(?:[\u4e00-\u9fff]{{1,6}}?(?:{_OFFICES}|经理|主任|部长|处长|科长|总监|主管|专员))"
# `由李阿姨联系`, `请赵敏尽快通知`, `麻烦马超群…`: the name stands between the word and the work.
_ASKED_WHO: Final = (
    rf"(?P<who>(?:{_PERSON})|{_TITLES}(?:{_PERSON}))(?:同志|老师|来|去|这边)?"
    rf"(?=(?:[在于]|尽快|尽早|抓紧|立即|马上|今|明|后天|本|这|下|月|年|两|三|一|\d|周|星期|把|将|向|跟|和|与|"
    rf"对|再|先|统一|具体|全面)|{_WORK})"
)
_ASKED: Final = re.compile(rf"(?<![申邀聘事理自缘宴])(?:由|请|让|麻烦|辛苦|安排|责成|委托|交给|交由){_ASKED_WHO}")
# `发票的事由周静跟财务对接`: no 事由 where a participant stands behind it.
_ASKED_ABOUT: Final = re.compile(rf"(?<=事)由{_ASKED_WHO}")
_TITLE_WORDS: Final = re.compile(
    r"^(?:(?:[\u4e00-\u9fff]{0,6}(?:部|科|处|室|组|中心|公司|物业|工程)|"
    r"[\u4e00-\u9fff]{1,6}(?:委员会|委会|协会|局|院|所|队|办|站|厂|班))(?:的)?)?(?:经理|主任|部长|处长|科长|总监|"
    r"主管|专员)?(?=[\u4e00-\u9fff]{2,})"
)
_LEADS: Final = re.compile(
    rf"(?:^|[，,。；;])(?P<who>{_PERSON})(?:你|来|去|同志|老师|这边)?(?:负责(?!人|的)|牵头|跟进|落实)"
)
# `下周五之前小王把测试报告交出来`: a name before 把, and what will have become of the thing.
_WHEN: Final = r"(?:[^，,。；;把将]{0,8}(?:之前|以前|之内|以内|前|内|底|天|周[一二三四五六日]|号|日))"
_NAME_CHAR: Final = r"(?:(?![我你他她它们就还先都再也谁把将前内底天号日周])[\u4e00-\u9fff])"
_HANDLES: Final = re.compile(
    rf"(?:^|[，,。；;]){_WHEN}?(?:就|还是|那|先|都|请)*(?P<who>[小老阿][\u4e00-\u9fff]|(?:发言人|说话人|讲话人)\s?\d+|"
    rf"(?!系统|程序|部门|之|以|今|明|后|本|下|周[一二三四五六日天末内中初]|月|年)(?:周{_NAME_CHAR}{{1,2}}|"
    rf"{_NAME_CHAR}{{2,3}}))"
    rf"(?:来|去|负责|尽快|抓紧|这边)?{_WHEN}?[把将][^，,。；;?？把将]{{2,20}}?"
    r"(?:交|发|弄|写|做|改|修|定|报|送|备|整理|完成|核对|汇总|更新|落实|联系|补|贴|寄|签|查|测|安排|确认|部署|"
    r"上线)(?![^，,。；;]{0,3}了)"
)
_SELF: Final = re.compile(
    rf"(?:^|[，,。；;])?.{{0,24}}?(?<![给让跟和向对帮找发告])我(?!们先|们再|们来看)(?:们组|这边|们部门)?(?:来|"
    rf"去|会|就|负责|争取|保证|尽量|先|马上|今天|明天|"
    rf"后天|本周|这周|下周|周|月底|\d|两|三)?"
    rf".{{0,16}}?{_WORK}"
)
_NOT_WORK: Final = re.compile(
    r"[?？]\s*$|我(?:得|要|先|再)*(?:想想|考虑|琢磨|合计)|我(?:觉得|认为|建议|没有意见|同意|看|想|希望|不|"
    r"们觉得|需要|记得|听说|担心)|(?:已经|都)(?:完成|"
    r"提交|做|发|写|收到|排好)|"
    r"还没(?:有)?|没有(?:写|做|完成)|是否|是不是|能不能|谁来|谁负责"
)
# `联调完成了八成` tells what was done.
_DONE: Final = re.compile(
    rf"(?:已经?|刚刚?|都){_WORK}|{_WORK}(?:完|好)?了(?:[一二三四五六七八九十两\d]|大半|一半|[，,。]|$)|"
    rf"{_WORK}(?:过(?!来|去|一)|的(?:部分|是|这|那)|.{{0,6}}的时候)|(?:昨天|前天|上周|上个?月|刚才|已经).*了[。]?$|"
    r"^(?:.{0,6}[，,])?我(?:先|再|来|简单|就)*(?:说|讲|介绍|汇报|补充|问|总结|回顾|分享)(?:一?下|说|讲|几句|一句)"
)
# `测试环境下周三之前能准备好`: a thing, a limit in time and what will be; the speaker answers for it.
_LIMIT: Final = r"(?:之前|以前|前|之?内|以内|底)"
_PLEDGED: Final = re.compile(
    rf"{_LIMIT}(?:应该|肯定|一定|基本|就|都|全部)?(?:能|可以|会|保证|争取|一定)(?!不)[^，,。；;?？]{{0,12}}?"
    rf"(?:{_WORK}|[\u4e00-\u9fff](?:好|完|妥|齐|到位|出来|下来))"
)
# Others answer for themselves: `供应商说周五前能发货`, `他们下周前会答复`.
_OTHERS: Final = re.compile(
    r"供应商|客户|厂家|厂商|对方|甲方|乙方|施工方|施工单位|上级|他们|她们|他|她|你|听说|据说|说是|如果|假如|"
    r"要是|可能|也许|"
    r"大概|不一定|未必|不(?:能|会|可能)"
)
# `这个要跟法务确认`: work that nobody has taken; who does it stays open.
_NEEDED: Final = re.compile(
    rf"(?<![不重主想只])(?:还?需要|还?要|还得|必须|须|得)(?:再|先|尽快|马上|抓紧)?"
    rf"(?:(?:跟|和|与|向|找|同)[^，,。；;?？]{{1,12}}?|尽快|马上|抓紧){_WORK}"
)
_ADDRESSED: Final = (
    r"(?:^|[，,。；;])(?:那|好|行|这个)?{name}(?:[，,]?(?:你|您|你们|这边|那边)|(?=.{{0,10}}?{work}(?![的过了])))"
    r"(?P<what>[^。；;?？]*)"
)
# `周五前必须完成测试`: nobody is named.
_DUE: Final = re.compile(rf"^(?:[^，,我你他她]{{0,12}}){_LIMIT}(?:必须|要|务必|一定要)?(?:给到|{_WORK})(?![的过了])")
_NOT_NAMES: Final = frozenset(
    {"大家", "我们", "他们", "各位", "你们", "各部门", "有人", "会议", "这个", "那个", "公司"}
)
_UNTIL_THEN: Final = re.compile(r"[那这此]之前|\b(?:before|by|until) (?:that|then)\b", re.IGNORECASE)
_ACTION_TRIM: Final = re.compile(r"^(?:好(?:的|嘞)?|行|可以|那|嗯+)[，。,]\s*")


def find_promises(said: Sequence[Utterance], meeting: date | None, people: Iterable[str] = ()) -> Iterator[Promise]:
    """Every promise of the transcript, one a sentence; without the day of the meeting relative dates stay as said."""
    found = _read_promises(said, meeting, frozenset(people))
    yield from settle_promises(found, said, lambda words: _find_day(words, (), meeting))


def _read_promises(
    said: Sequence[Utterance], meeting: date | None, known: frozenset[str]
) -> Iterator[tuple[int, Promise]]:
    has_speakers = any(one.speaker for one in said)
    people = known | {one.speaker for one in said if one.speaker}
    requests, agreed = find_requests(said, people)
    context = SpokenContext(has_speakers)
    for at, utterance in enumerate(said):
        for sentence in split_sentences(utterance.text):
            key = (at, sentence.strip())
            plain = strip_lead(_ACTION_TRIM.sub("", sentence.strip()))
            request = requests.get(key)
            if request is not None:
                yield at, _keep_request(request, plain, utterance, meeting)
                context.settle(at)
            elif key not in agreed and key not in requests:
                for promise in _read_sentence(sentence.strip(), utterance, at, people, context, meeting):
                    is_own = promise.who in ("", utterance.speaker)
                    reply = SpokenReply("silent") if is_own else read_reply(said, at, promise.who, promise.what)
                    if (settled := _settle(promise, reply, said, meeting)) is not None:
                        agreed |= list_assents(reply, promise.what)
                        yield at, settled
            context.hear(at, utterance, plain)


def _read_sentence(
    sentence: str, utterance: Utterance, at: int, people: frozenset[str], context: SpokenContext, meeting: date | None
) -> Iterator[Promise]:
    """What a sentence promises: the work that was sought, else each of its parts that somebody takes on."""
    plain = strip_lead(_ACTION_TRIM.sub("", sentence))
    meant = cut_unmeant(plain)
    is_asked = context.is_asked(utterance.speaker)
    is_said = bool(utterance.speaker) or not context.has_speakers
    parts = split_work(meant, people - {utterance.speaker}) if is_said else [meant]
    for part in filter(None, parts):
        if is_said and (taken := context.answer(at, utterance.speaker, part)):
            day = _find_day(part, (), meeting)
            day = day if day[1] else _find_day(context.question, (), meeting)
            yield _make_promise(utterance.speaker, taken, day, utterance)
            continue
        found = _read_promise(part, utterance.speaker, people, is_said=is_said)
        if found is not None and not found[0] and meant != plain:
            found = None  # Who does it stood in the part that is not meant.
        if found is None and is_said:
            found = _read_open(part, utterance.speaker, people, is_asked=is_asked)
        if found is not None:
            what = word_item(found[1], found[0], utterance.speaker, context.before)
            day = _find_day(part, context.before, meeting)
            yield _make_promise(_find_whole_name(found[0], people), what, day, utterance)


def _read_open(part: str, speaker: str, people: frozenset[str], *, is_asked: bool) -> tuple[str, str] | None:
    """Work in any words, which its form shows: the speaker's own, or of somebody who is told to do it."""
    if any(True for _ in list_taken(part, is_asked)):
        return speaker, part.rstrip("。；;，,")
    spoken_to = ""
    for clause in split_clauses(part):
        spoken_to = next((one for one in people if clause.startswith(one)), spoken_to)
        order = read_order(clause, people - {speaker})
        if order and (who := order[0] or spoken_to):
            return who, order[1]
    return None


def _keep_request(request: SpokenRequest, plain: str, utterance: Utterance, meeting: date | None) -> Promise:
    asked = _find_day(plain, (), meeting) if has_date_words(plain) else (None, "")
    made = _make_promise(request.who, request.work, asked, utterance)
    if request.day:
        return move_day(made, _find_day(request.day, (), meeting), request.reply_line)
    return made if asked[1] else _date(made, _find_day(request.reply, (), meeting))


def _settle(own: Promise, reply: SpokenReply, said: Sequence[Utterance], meeting: date | None) -> Promise | None:
    """Work that somebody else was told to do: theirs if they do not refuse it, by the day that they name."""
    if reply.attitude in ("refuses", "unclear"):
        return None
    if reply.attitude == "takes":
        return replace(own, who=reply.speaker)
    return move_day(own, _find_day(reply.day, (), meeting), said[reply.at].line) if reply.day else own


def _date(promise: Promise, day: tuple[date | None, str]) -> Promise:
    return replace(promise, when=day[0], said=day[1])


def _make_promise(who: str, what: str, day: tuple[date | None, str], utterance: Utterance) -> Promise:
    return Promise(who, what, day[0], day[1], utterance.address, utterance.line)


def _find_day(sentence: str, before: Sequence[str], meeting: date | None) -> tuple[date | None, str]:
    """The day until when, and the words that say it; no day where it counts from one that nobody knows."""
    if repeat := find_repeat_words(sentence):
        return None, repeat
    resolved = find_date(sentence, meeting or _ANY_DAY) or _find_date_before(sentence, before, meeting or _ANY_DAY)
    if resolved is None:
        return None, find_time_words(sentence)
    if meeting is None and find_full_date(resolved[1]) is None:
        return None, resolved[1]
    return resolved


def _find_date_before(sentence: str, before: Sequence[str], meeting: date) -> tuple[date, str] | None:
    """The date of the sentence before, if this one is about what has to be done until then: `before that`."""
    if not before or _UNTIL_THEN.search(sentence) is None:
        return None
    return find_date(before[-1], meeting)


def _find_whole_name(who: str, known: frozenset[str]) -> str:
    """The participant whose first or last name was said, if only one has it."""
    fitting = [one for one in known if who and who in one.split()]
    return fitting[0] if len(fitting) == 1 else who


_COMES: Final = (
    r"^(?:[^，,我你他她]{{2,16}}?)(?:就|还是)?(?:由|让)?(?P<who>{names})(?:来|去)(?!年|过|说|讲|看|听|了|自|源|"
    r"不|参加|开会)"
    r"[\u4e00-\u9fff]{{1,4}}(?:[，,。；;]|$)"
)


def _read_promise(
    sentence: str, speaker: str, known: frozenset[str], *, is_said: bool
) -> tuple[str, str] | None:
    if english := read_english(sentence, speaker, known, is_said=is_said):
        return english
    if sentence.endswith(("?", "？")):
        return None
    if who := _find_asked(sentence, known) or _find_addressed(sentence, speaker, known):
        return who, sentence.rstrip("。；;")
    if (match := _LEADS.search(sentence)) and "我" not in match["who"] and is_owner(match["who"], known):
        return match["who"], sentence.rstrip("。；;")
    handled = _HANDLES.search(sentence)
    if handled and is_owner(handled["who"], known) and not (_DONE.search(sentence) or _OTHERS.search(sentence)):
        return handled["who"], sentence.rstrip("。；;")
    if speaker and _promises_work(sentence) and not _is_idle(sentence):
        return speaker, sentence.rstrip("。；;")
    if speaker and _PLEDGED.search(sentence) and not _OTHERS.search(sentence) and has_date_words(sentence):
        return speaker, sentence.rstrip("。；;")
    is_needed = _NEEDED.search(sentence) or (_DUE.search(sentence) and has_date_words(sentence))
    if (
        speaker
        and is_needed
        and not _DONE.search(sentence)
        and not re.search(r"是否|是不是|要不要|如果|假如|要是", sentence)
    ):
        return "", sentence.rstrip("。；;")
    return None


def _find_asked(sentence: str, known: frozenset[str]) -> str:
    """`由李阿姨联系`: who is asked; behind 事由 only somebody of the meeting. `清点小赵来做`: who comes to do it."""
    names = "|".join((*sorted(map(re.escape, known), key=len, reverse=True), NICKNAME))
    if (match := re.search(_COMES.format(names=names), sentence)) and not _DONE.search(sentence):
        return match["who"]
    for match in _ASKED.finditer(sentence):
        who = _plain_name(match["who"], known)
        if who and is_owner(who, known) and not is_idle_request(sentence[match.end("who") :], has_date_words(sentence)):
            return who
    match = _ASKED_ABOUT.search(sentence)
    who = _plain_name(match["who"], known) if match else ""
    return who if who in known else ""


def _find_addressed(sentence: str, speaker: str, known: frozenset[str]) -> str:
    """`王芳你把预算表周五前发我`: somebody of the meeting is spoken to, and told what to do."""
    for person in sorted(known - {speaker}, key=len, reverse=True):
        match = re.search(_ADDRESSED.format(name=re.escape(person), work=_LONG_WORK), sentence)
        if match and re.search(_WORK, match["what"]) and not (_DONE.search(match["what"]) or "吗" in match["what"]):
            return person
    return ""


def _promises_work(sentence: str) -> bool:
    return _SELF.search(sentence) is not None and not is_state(sentence)


def _is_idle(sentence: str) -> bool:
    """`我觉得…`, `已经做完` and questions promise nothing, unless a later part of the sentence does."""
    if _DONE.search(sentence) and not has_date_words(sentence):
        return True
    parts = [part for part in re.split(r"[，,；;]", sentence) if "我" in part] or [sentence]
    return all(_NOT_WORK.search(part) or _DONE.search(part) for part in parts)


def _plain_name(name: str, known: frozenset[str]) -> str:
    if name in _NOT_NAMES:
        return ""
    if inside := max((person for person in known if person in name), key=len, default=""):
        return inside
    return _TITLE_WORDS.sub("", name, count=1) or name
