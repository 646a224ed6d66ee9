"""Who does what by the words of one sentence: said of oneself, told to somebody, or needed and taken by nobody."""

import re
from collections.abc import Collection
from typing import Final

from metier.packs.office.analysis._dates import has_date_words
from metier.packs.office.analysis.meetings._acts import is_state, list_taken, read_order, split_clauses
from metier.packs.office.analysis.meetings._english import read_english
from metier.packs.office.analysis.meetings._names import NICKNAME, is_owner
from metier.packs.office.analysis.meetings._unmeant import is_idle_request

__all__ = ["read_assigned", "read_open"]

_MAX_BARE: Final = 3
_WORK: Final = (
    r"(?:负责(?!任)|牵头|完成|提交|起草|准备|整理|联系|跟进|落实|安排|通知|沟通|采购|编写|撰写|修完|修复|敲定|更新|"
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
    rf"(?:^|[，,。；;])(?P<who>{_PERSON})(?:你|来|去|同志|老师|这边)?(?:负责(?!人|的|任)|牵头|跟进|落实)"
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


def read_open(part: str, speaker: str, people: frozenset[str], *, is_asked: bool) -> tuple[str, str] | None:
    """Work in any words, which its form shows: the speaker's own, or of somebody who is told to do it."""
    if any(True for _ in list_taken(part, is_asked)):
        return speaker, part.rstrip("。；;，,")
    spoken_to = ""
    for clause in _join_address(split_clauses(part), people):
        spoken_to = next((one for one in people if clause.startswith(one)), spoken_to)
        order = read_order(clause, people - {speaker})
        if order and (who := order[0] or spoken_to):
            # `温度记录每天两次，小田记`: what it is stands before the name.
            about = part[: part.find(clause)].strip("，, ") if len(order[1]) <= _MAX_BARE else ""
            return who, f"{about}，{order[1]}" if len(about) > _MAX_BARE else order[1]
    return None


def _join_address(clauses: list[str], people: Collection[str]) -> list[str]:
    """The clauses, with a name that only calls somebody before what is said to them: `老刘，今天清掉`."""
    if len(clauses) > 1 and (name := clauses[0].strip("，, ")) in people and "你" not in clauses[1]:
        return [name + clauses[1].strip(), *clauses[2:]]
    return clauses


_COMES: Final = (
    r"^(?:[^，,我你他她]{{2,16}}?)(?:就|还是)?(?:由|让)?(?P<who>{names})(?:来|去)(?!年|过|说|讲|看|听|了|自|源|"
    r"不|参加|开会)"
    r"[\u4e00-\u9fff]{{1,4}}(?:[，,。；;]|$)"
)


def read_assigned(sentence: str, speaker: str, known: frozenset[str], *, is_said: bool) -> tuple[str, str] | None:
    """Work in the words of an office, with who does it; nobody is named where nobody took it."""
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
    names = "|".join((*sorted((re.escape(one) for one in known if one in sentence), key=len, reverse=True), NICKNAME))
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
    for person in sorted((one for one in known if one != speaker and one in sentence), key=len, reverse=True):
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
