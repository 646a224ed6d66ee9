"""Promises of a meeting: who does what until when. What was not said stays open; nobody is guessed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from metier.language import split_sentences
from metier.packs.office.analysis._dates import find_date
from metier.packs.office.analysis.meetings._transcript import Utterance

__all__ = ["Promise", "find_promises"]

_WORK: Final = (
    r"(?:负责|牵头|完成|提交|起草|准备|整理|联系|跟进|落实|安排|通知|沟通|采购|编写|撰写|修完|修复|敲定|更新|"
    r"出具|发给|发送|交付|"
    r"汇总|核对|核实|确认|组织|办理|制定|拟定|提供|给出|给大家|答复|回复|反馈|协调|督促|对接|修改|调整|上报|"
    r"报送|收集|统计|梳理|"
    r"补充|签订|付款|测试|上线|部署|培训|检查|做|写|发|交|报|改|查|处理|解决|搞定)"
)
_PERSON: Final = (
    r"(?:发言人|说话人|讲话人)\s?\d+|[A-Z][a-z]+|"
    r"(?!月[底初末]|周|星期|年底|尽|今|明|后天|本|下)(?:(?![我你他她它们])[\u4e00-\u9fff]){2,4}?"
)
_TITLES: Final = r"(?:[\u4e00-\u9fff]{1,6}?(?:部|科|处|室|组|中心|公司|单位|经理|主任|部长|处长|科长|总监|主管|专员))"
# `由李阿姨联系`, `请赵敏尽快通知`, `麻烦马超群…`: the name stands between the word and the work.
_ASKED: Final = re.compile(
    rf"(?<![申邀聘事理自缘宴])(?:由|请|让|麻烦|辛苦|安排|责成|委托|交给|"
    rf"交由)(?P<who>(?:{_PERSON})|{_TITLES}(?:{_PERSON}))(?:同志|老师|来|去|这边)?"
    rf"(?=(?:[在于]|尽快|尽早|抓紧|立即|马上|今|明|后天|本|这|下|月|年|两|三|一|\d|周|星期|把|将|向|跟|和|与|"
    rf"对|再|先|统一|具体|全面)|{_WORK})"
)
_TITLE_WORDS: Final = re.compile(
    r"^(?:[\u4e00-\u9fff]{0,6}(?:部|科|处|室|组|中心|公司|物业|工程)(?:的)?)?(?:经理|主任|部长|处长|科长|总监|"
    r"主管|专员)?(?=[\u4e00-\u9fff]{2,})"
)
_LEADS: Final = re.compile(rf"(?:^|[，,。；;])(?P<who>{_PERSON})(?:你|来|去|同志|老师|这边)?(?:负责|牵头|跟进|落实)")
_SELF: Final = re.compile(
    rf"(?:^|[，,。；;])?.{{0,24}}?我(?:们组|这边|们部门)?(?:来|去|会|就|负责|争取|保证|尽量|先|马上|今天|明天|"
    rf"后天|本周|这周|下周|周|月底|\d|两|三)?"
    rf".{{0,16}}?{_WORK}"
)
# With a date, any verb with its result is work: `我三天内签好`, `我周五前弄完`.
_SELF_BY_DATE: Final = re.compile(r"我.{0,20}?[\u4e00-\u9fff](?:好|完|妥|齐|到位|出来|下来|出去|过去|过来|掉)")
_NOT_WORK: Final = re.compile(
    r"[?？]\s*$|我(?:觉得|认为|建议|没有意见|同意|看|想|希望|不|们觉得|需要|记得|听说|担心)|(?:已经|都)(?:完成|"
    r"提交|做|发|写|收到|排好)|"
    r"还没(?:有)?|没有(?:写|做|完成)|是否|是不是|能不能|谁来|谁负责"
)
_ENGLISH_SELF: Final = re.compile(r"\bI(?:'ll| will| can| am going to|'m going to)\s+(?P<what>[^.;!?]+)")
_ENGLISH_ASKED: Final = re.compile(
    r"\b(?P<who>[A-Z][a-z]+),?\s+(?:please|could you|can you|would you|will you|you(?:'ll| will))\s+(?P<what>[^.;!?]+)"
    r"|\bplease,?\s+(?P<who2>[A-Z][a-z]+),?\s+(?P<what2>[^.;!?]+)"
)
_ENGLISH_THIRD: Final = re.compile(
    r"\b(?P<who>[A-Z][a-z]+)\s+(?:will|is going to|takes care of|is responsible for)\s+(?P<what>[^.;!?]+)"
)
_ENGLISH_IDLE: Final = re.compile(r"^(?:do|be|see|think|say|agree|join|let)\b")
_NOT_NAMES: Final = frozenset(
    {
        "大家",
        "我们",
        "他们",
        "各位",
        "你们",
        "各部门",
        "有人",
        "会议",
        "这个",
        "那个",
        "公司",
        "We",
        "They",
        "It",
        "This",
        "That",
        "There",
        "You",
        "Let",
    }
)
_ACTION_TRIM: Final = re.compile(r"^(?:好(?:的)?|行|可以|那)[，。,]\s*")


@dataclass(frozen=True, slots=True)
class Promise:
    """Who does what until when; `when` is None if no date was said, `said` are the words of the date."""

    who: str
    what: str
    when: date | None
    said: str
    address: str
    line: str


def find_promises(said: Sequence[Utterance], meeting: date, people: Iterable[str] = ()) -> Iterator[Promise]:
    """Every promise of the transcript, one a sentence."""
    known = frozenset(people)
    for utterance in said:
        for sentence in split_sentences(utterance.text):
            plain = _ACTION_TRIM.sub("", sentence.strip())
            found = _read_promise(plain, utterance.speaker, known)
            if found is not None:
                who, what = found
                resolved = find_date(plain, meeting)
                when, words = resolved if resolved else (None, "")
                yield Promise(who, what, when, words, utterance.address, utterance.line)


def _read_promise(sentence: str, speaker: str, known: frozenset[str]) -> tuple[str, str] | None:
    if english := _read_english(sentence, speaker):
        return english
    if sentence.endswith(("?", "？")):
        return None
    if (match := _ASKED.search(sentence)) and (who := _plain_name(match["who"], known)):
        return who, sentence.rstrip("。；;")
    if (match := _LEADS.search(sentence)) and match["who"] not in _NOT_NAMES and "我" not in match["who"]:
        return match["who"], sentence.rstrip("。；;")
    if speaker and _promises_work(sentence) and not _is_idle(sentence):
        return speaker, sentence.rstrip("。；;")
    return None


def _promises_work(sentence: str) -> bool:
    if _SELF.search(sentence):
        return True
    return bool(_SELF_BY_DATE.search(sentence)) and find_date(sentence, date.min.replace(year=2000)) is not None


def _is_idle(sentence: str) -> bool:
    """`我觉得…`, `已经做完` and questions promise nothing, unless a later part of the sentence does."""
    parts = [part for part in re.split(r"[，,；;]", sentence) if "我" in part] or [sentence]
    return all(_NOT_WORK.search(part) for part in parts)


def _plain_name(name: str, known: frozenset[str]) -> str:
    if name in _NOT_NAMES:
        return ""
    if inside := max((person for person in known if person in name), key=len, default=""):
        return inside
    return _TITLE_WORDS.sub("", name, count=1) or name


def _read_english(sentence: str, speaker: str) -> tuple[str, str] | None:
    if (match := _ENGLISH_ASKED.search(sentence)) and (who := match["who"] or match["who2"]) not in _NOT_NAMES:
        return who, (match["what"] or match["what2"]).strip()
    if speaker and (match := _ENGLISH_SELF.search(sentence)) and not _ENGLISH_IDLE.match(match["what"]):
        return speaker, match["what"].strip()
    if (match := _ENGLISH_THIRD.search(sentence)) and match["who"] not in _NOT_NAMES:
        return match["who"], match["what"].strip()
    return None
