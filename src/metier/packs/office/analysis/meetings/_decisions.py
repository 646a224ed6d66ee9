"""Sentences of a meeting that decide something. A question, a wish and a `not yet` decide nothing."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from metier.language import BilingualText, split_sentences
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.meetings._model import Promise
from metier.packs.office.analysis.meetings._replies import gives_assent, has_objection
from metier.packs.office.analysis.meetings._transcript import Utterance
from metier.packs.office.analysis.meetings.roles import KEPT_DECISION, SURE_DECISION, JudgedLine, judge_lines
from metier.packs.office.analysis.meetings.settled import is_called_for_assent, is_chosen, is_settled

__all__ = ["find_decisions", "find_likely", "strip_lead"]

_DECIDES: Final = re.compile(
    r"(?:会议|大会|大家|我们|双方|班子|最终|最后|经|一致|集体|当场)?(?:研究|讨论|表决|商议)?(?:一致)?(?:决定|"
    r"同意|通过|批准|认定|敲定|商定|议定)"
    r"|经(?:过)?(?:会议|大家|充分|集体)?(?:讨论|研究|商议|协商|表决|评审|审议)[，,后]|(?:事|此事|这个|方案|"
    r"就这样|这么)定了|(?:^|[，,])(?:那|那么|好)?就?定了[，,。]"
    r"|^(?:可以|行|好的?|没问题)[，,]\s*就(?![是像看等怕])|就这么[定办]|就这样[定办]|就这么说定|"
    r"就按.{0,12}(?:执行|办|来|定)|拍板|"
    r"达成一致|形成决议|定在|定于|定为|确定为|确定在|"
    r"最终确定|正式确定|"
    r"定下来(?:了|，|。)|采纳",
)
_DECIDES_ENGLISH: Final = re.compile(
    r"\b(?:agreed|decided|approved|resolved|adopted|we(?:'ll| will)? go with|"
    r"(?:it|that)(?:'s| is) settled|decision:|signed off)\b",
    re.IGNORECASE,
)
# What takes the decision back; within the same sentence.
_OPEN: Final = re.compile(
    r"[?？]\s*$|是否|是不是|能不能|可不可以|要不要|会不会|还?没有?(?:有)?(?:最终)?(?:决定|确定|定|通过|批准|"
    r"结论|同意|敲定)|"
    r"(?:尚|还|仍)?未(?:能)?(?:作出|做出)?(?:决定|确定|通过|批准|定|敲定)|不(?:能|会|急着)?(?:做|作)?(?:决定|"
    r"定|同意|通过)(?!期)|暂不|先不|"
    r"等.{0,10}(?:再|才)(?:决定|定|说|议)|下次再|再议|待定|如果|假如|要是|建议|提议(?!$|。)|希望|可以考虑|"
    r"讨论一下|以后再",
)
_OPEN_ENGLISH: Final = re.compile(
    r"\?\s*$|\b(?:almost|nearly|hardly|barely|never)\b|\bnot\b.{0,20}\b(?:decided|agreed|approved|signed)\b|"
    r"\b(?:nothing|nobody|never)\b|"
    r"n't\b.{0,20}\b(?:decided|"
    r"agreed|approved)\b|\b(?:if|whether|should we|could be|to be decided|undecided)\b|\b(?:yet to be|has to be) ",
    re.IGNORECASE,
)
# Assent of one person, a decision of another time or another place, and the nouns.
_NO_DECISION: Final = re.compile(
    r"^(?:我|我们|个人|本人)?(?:也|都|完全|原则上)?同意(?:$|[，,。！]|[^，,]{1,4}的(?=[，,。]|$)|.{0,8}(?:看法|意见|观点|说法))|"
    r"(?:上次|上回|上一次|上周|上个?月|去年|前年|当年|当时|那时|那会儿|之前|此前|前期|早就|早先|原来|原(?=定|"
    r"计划)|原先|以前|"
    r"过去|曾经?|向来|历来|一直)"
    r"[^，。]{0,12}(?:决定|通过|批准|同意|确定|定[为在于]|敲定|商定|拍板|采纳)|"
    r"(?:(?:没有?|未|并非|从未|从没|非)[^，。]{0,4}|不(?!得不|犹豫|断))(?:一致|统一)?(?:决定|通过|批准|同意|"
    r"采纳|敲定)|"
    r"(?:决定|通过|批准|同意|定)(?:了|好了?|下来)?(?:之后|以后|后)?[，,]?(?:再|才)|"
    r"(?:客户|对方|甲方|乙方|供应商|厂家|厂商|总部|集团|上级|他们?|她们?|老板|竞争对手|法院|政府|学生|家长|"
    r"用户)(?:那边|已经?|也|都|突然|最后)?(?:决定|同意|批准|通过|敲定)|"
    r"(?:需要?|须|要|待|等|报|请|由)[^，。]{0,10}(?:批准|审批|批复|通过|同意|决定)(?:后|才|再|之后|$|。)|"
    r"(?:不会|不肯|不|没|没有|未|未获|尚未|难以|无法|能否|可能)(?:被|获得|得到)?(?:同意|通过|批准|决定|确定)|"
    r"(?:没有?|未能?|尚未|难以|无法|不能)(?:.{0,4})达成|决定(?:权|性|因素|书|是否|了吗|之前)|同意书|通过率|"
    r"同意的?(?:请)?举手|举手(?:表决|示意)?[。！]?$|(?:没有?|未|未能|尚未|没能)(?:形成|作出|做出|达成|"
    r"得出)[^，。]{0,6}(?:决定|决议|一致|结论)|"
    r"(?:这个|那个|这项|那项|该项?|此)决定(?!了|于)|^(?:那|所以|后来)?我(?:个人|自己)?(?:已经|就)?决定|"
    r"(?:已经?|那边|自己)决定|批准文号|等(?:着)?(?:批准|审批|同意)|如何决定|怎么定|"
    r"我[^，。]{0,16}(?:敲定|商定|确定|定下来)|前[^，。]{0,6}(?:敲定|商定|确定)"
)
# `通过更换维保单位的提议` decides, although a proposal is named in it.
_PASSED: Final = re.compile(
    r"(?:表决|一致|会议|经讨论|会上).{0,4}(?:，)?(?:通过|同意|批准)|(?:通过|批准|同意)(?:了|.{0,16}(?:提议|"
    r"方案|议案|建议))"
)
_MEANS: Final = re.compile(
    r"(?:^|[，,])通过[^，。了]{1,12}[，,]|"
    r"通过(?:电话|邮件|微信|网络|线上|这个|这种|以上|调查|测试|分析|.{1,8}(?:方式|渠道|途径|平台|手段)|"
    r"(?!了|过|表决|决议|决定)[^，。的]{1,10}(?:讨论|商量|交流|开会|培训|学习|了解|征集|进行|召开|举行|举办|"
    r"开展|参会|接入|沟通|联系|传达|发布|报名|收集|"
    r"解决|实现))"
)
# `Agreed, the vendor offers a trial.` is one person's view; `Agreed, we release on 22 April.` decides.
# What others decided, or was decided at another time.
_OTHERS_ENGLISH: Final = re.compile(
    r"\b(?:customers?|clients?|suppliers?|vendors?|they|he|she|headquarters|hq|government|boss|"
    r"competitors?)\b[^,.;]{0,20}"
    r"\b(?:agreed|decided|approved|resolved|adopted|signed off)\b|"
    r"\b(?:last (?:year|month|week|time|quarter)|previously|back then|originally|years? ago|months? ago|used to|"
    r"in 20\d\d)\b|"
    r"\bagreed that\b[^.]* (?:was|were)\b|^I(?:'ve| have)? decided\b|"
    r"\b(?!we\b|it\b|meeting\b|all\b|every)\w+ (?:has|have|had) (?:already )?(?:decided|resolved|approved)\b|"
    r"\b(?:board|council|ministry|trust|committee|parliament|school|company|bank|union) (?:has |have )?decided\b",
    re.IGNORECASE,
)
_ASSENT_ENGLISH: Final = re.compile(
    r"^(?:yes|ok(?:ay)?|i'?m)?[,.]?\s*agreed\s*(?:$|[,.;!](?!\s*(?:we|let|then)\b))", re.IGNORECASE
)
# What is said before the decision itself: the minutes leave it out, the quoted line keeps it.
_LEAD: Final = re.compile(
    r"^(?:(?:好的?|行|可以|嗯|没问题|ok)[，,。]\s*)*(?:那(?:么)?)?(?:就这么定|就这样定|就这么办|事情定)(?:了|"
    r"吧)?[，,：:。]\s*"
    r"|^(?:(?:好的?|行|可以|嗯|没问题|ok)[，,。]\s*)*(?:那(?:么)?就?|就)(?=决定)"
    r"|^(?:(?:好的?|行|可以|嗯|没问题|ok)[，,。]\s*)+那么?(?![么个天时种些边里样会多次位])(?=.{4})"
    r"|^(?:(?:ok|okay|fine|good|right)[,.]\s*)?(?:then\s+)?it(?:'s| is) (?:decided|agreed|settled)\s*[:,]\s*",
    re.IGNORECASE,
)

_MAX_LINE: Final = 60
_MAX_NOD: Final = 3  # 行, 好的
# What a record says of the meeting itself is a decision, whatever the judge of talk makes of it.
_RECORDED: Final = re.compile(
    r"(?:会议|大会|会上|全体|班子|理事会|董事会|双方|经[^，。]{0,8}[，,]?)(?:一致|当场|最终|研究|讨论)*(?:决定|同意|通过|批准|商定|议定)|"
    r"一致(?:决定|同意|通过)|^(?:决议|结论|决定)[:：]|就这么定了|我们(?:就|一致|最终|现在)?决定(?!权|不了)|"
    r"\b(?:the meeting|decision:|resolved\b|it was (?:agreed|decided))|"
    r"\b(?:was|were) (?:unanimously )?(?:approved|adopted|ratified|carried)\b|"
    r"\b(?:it|that)(?:'s| is) settled\b",
    re.IGNORECASE,
)
_LEFT_OPEN: Final = re.compile(
    r"[?？]\s*$|[吗呢]$|还没(?!用|到)|尚未|没(?:有)?(?:结论|定论|定下|通过)|待定|再议|再说$|未定|"
    r"\b(?:no agreement|undecided|not decided|no decision|don't (?:say|know)|no idea|not settled|either way)\b|"
    r"\b(?:no view|don't have a view|we'll revisit)\b|"
    # The meeting is over.
    r"^(?:(?:好的?|行|那|ok(?:ay)?|right)[，,. ]*){0,3}"
    r"(?:(?:今天)?(?:就|先)(?:这样|到这[里儿]?|这些)|散会|没别的事?了?|"
    r"that's (?:it|all)(?: for today)?|(?:meeting|we're) (?:over|adjourned|done|closed))"
    r"(?:[吧了]?[，,。.！! ]+(?:散会|thanks?[a-z ]*))?[吧了。.！! ]*$",
    re.IGNORECASE,
)


def find_decisions(said: Sequence[Utterance], judged: Sequence[JudgedLine] | None = None) -> Iterator[DocumentFinding]:
    """Every line that decides something and is not objected to by who speaks next.

    What the rules read stays unless the learned judge finds it unlikely; what it is sure of is added.
    """
    for at, line in enumerate(judge_lines(said) if judged is None else judged):
        if said[at].part == "decision":
            yield _make_finding("decision", said[at], said[at].text)
        if said[at].part not in ("", "note"):
            continue
        read = (one.strip() for one in split_sentences(said[at].text))
        kept = (one for one in read if line.decides > KEPT_DECISION or _RECORDED.search(one))
        sentence = next((one for one in kept if _decides(one, said, at)), "")
        is_sure = line.decides > max(SURE_DECISION, line.does) and _may_decide(line.decision)
        if not sentence and is_sure and not _takes_order(said, at):
            sentence = line.decision
        is_recorded = (
            any(one.part == "decision" and one.text == strip_lead(sentence) for one in said) if sentence else False
        )
        if sentence and not is_recorded and not has_objection(said, at):
            yield _make_finding("decision", said[at], sentence)


def find_likely(
    said: Sequence[Utterance], judged: Sequence[JudgedLine], decided: Collection[str], promises: Sequence[Promise]
) -> Iterator[DocumentFinding]:
    """Lines that may decide or give work, for a person to confirm: none of either list.

    What stands beside work that is listed mostly belongs to it, as a reply or a request. `decided` are addresses.
    """
    taken = {one.address for one in promises}
    sources = {line for one in promises for line in one.line.split(" / ")}
    for at, (line, one) in enumerate(zip(judged, said, strict=True)):
        is_work = line.does > line.decides
        beside = taken if is_work else ()
        is_listed = one.address in decided or one.address in taken or one.line in sources or bool(one.part)
        if is_listed or any(other.address in beside for other in (*said[max(0, at - 1) : at], *said[at + 1 : at + 2])):
            continue
        sentence = line.work if is_work else line.decision
        if line.is_likely and len(sentence.strip("。.！!，, ")) > _MAX_NOD and _may_decide(sentence):
            yield _make_finding("likely_todo" if is_work else "likely_decision", one, sentence)


def _takes_order(said: Sequence[Utterance], at: int) -> bool:
    """Whether a line is the yes of somebody who was just named for work: `小陈改吧` `可以，周三给`."""
    speaker, before = said[at].speaker, said[at - 1] if at else None
    is_named = before is not None and before.speaker != speaker and bool(speaker) and speaker in before.text
    return is_named and gives_assent(said, at - 1)


def _may_decide(line: str) -> bool:
    """Whether the words of a line leave it to the judge: no question, nothing left open, no decision of others."""
    is_read = _DECIDES_ENGLISH.search(line) or _DECIDES.search(_MEANS.sub("", line))
    return not _LEFT_OPEN.search(line) and (not is_read or any(map(_is_decision, split_sentences(line))))


def _make_finding(rule: str, one: Utterance, sentence: str) -> DocumentFinding:
    what = strip_lead(sentence)
    values = {"speaker": one.speaker, "timestamp": one.time}
    text = BilingualText(what, what)
    return DocumentFinding(rule, one.address, one.line, text, severity="low", quote=sentence, values=values)


def strip_lead(sentence: str) -> str:
    """The sentence without words such as `好，那就这么定，`; one that has nothing else stays as it is."""
    return _LEAD.sub("", sentence, count=1).strip() or sentence


def _decides(sentence: str, said: Sequence[Utterance], at: int) -> bool:
    if is_called_for_assent(sentence):
        return gives_assent(said, at)
    return _is_decision(sentence) or (_is_talk(said, at) and is_settled(sentence)) or is_chosen(sentence, said, at)


def _is_talk(said: Sequence[Utterance], at: int) -> bool:
    """Whether somebody says it; in a talk without names every short line is said."""
    return bool(said[at].speaker) or (len(said[at].text) <= _MAX_LINE and not any(one.speaker for one in said))


def _is_decision(sentence: str) -> bool:
    if _DECIDES_ENGLISH.search(sentence):
        return not (
            _OPEN_ENGLISH.search(sentence) or _ASSENT_ENGLISH.search(sentence) or _OTHERS_ENGLISH.search(sentence)
        )
    match = _DECIDES.search(_MEANS.sub("", sentence))
    if match is None or _NO_DECISION.search(sentence):
        return False
    return not _OPEN.search(sentence) or bool(
        _PASSED.search(sentence) and not re.search(r"[?？]|没有?|未|是否", sentence)
    )
