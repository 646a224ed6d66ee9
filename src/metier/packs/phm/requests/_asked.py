"""Messages that ask for a figure: a fault frequency, a value, a judgement of a value, a changed parameter."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.phm._machine_words import drop_numbered_machines
from metier.packs.phm.bearings import list_bearings
from metier.packs.phm.requests._figures import OF_SIGNALS, drop_quantities, list_quantities
from metier.packs.phm.requests._parts import list_left_out, read_part, wants_whole
from metier.patterns import compile_later

FREQUENCIES: Final = compile_later(
    r"(?i)(?<![a-z])(?:BPFO|BPFI|BSF|FTF)(?![a-z])|(?:外圈|内圈|滚动体|保持架|轴承)的?(?:故障|通过|特征|缺陷|自转"
    r"|转动)+频率|(?:故障|缺陷)特?征?频率"
    r"|特征频率|\b(?:bearing\s+)?(?:fault|defect|characteristic)\s+frequenc(?:y|ies)\b|\bball\s+(?:pass"
    r"|spin)\s+frequenc"
    r"|\bcage\s+frequenc|\b(?:inner|outer)\s+race\s+frequenc"
)
# A diagnosis that names the bearing: not one of a gear, nor one in depth.
_DIAGNOSES: Final = compile_later(
    r"(?i)诊断|看看|检查|查一?下|正常吗|正常不|有没有(?:问题|故障|毛病)|故障吗|坏了?吗|\bdiagnos|\bcheck\b"
    r"|\bis\s+(?:the|this|it)\b.*\b(?:damaged|ok|healthy|faulty|normal|bad)"
)
_SPEAKS_OF_RECORD: Final = compile_later(r"(?i)轴承|转速|转|rpm|数据|记录|\bbearing\b|\brecord\b")
_OTHER_KINDS: Final = compile_later(
    r"(?i)合同|采购|购买|邮件|报价|价格|库存|订单|翻译|\bcontract|\bpurchas|\be-?mail|\bprice|\bquot|\border\b|\bstock\b|\btranslat"
    r"|深度|深入|齿轮|齿|趋势|寿命|烈度|筛查|全部设备|峭度|有效值|频率|\bdeep|\bgear|\btrend|\blife\b|\bseverity"
    r"|\bfleet|\bkurtosis\b|\bfrequenc|\brms\b"
)
_DEFINES: Final = compile_later(
    r"(?i)含义|定义|意思|什么是|是什么(?!频率|值|数)|是啥|解释|公式|怎么[算求]|如何计?算|代表|区别|为什么|\bmean(?:s"
    r"|ing)\b|\bdefin|\bexplain|\bformula\b"
    r"|\bwhat\s+(?:is|are)\s+(?:BPFO|BPFI|BSF|FTF|kurtosis|crest\s+factor|RMS)\s*\??$|\bwhat\s+does\b|\bdifferen"
    r"|\bwhy\b|\bhow\s+(?:do\s+\w+|to|is|are)\b"
)
_OTHER_WORK: Final = compile_later(
    r"(?i)诊断|报告|趋势|寿命|筛查|画|图|导出|写|小区|成绩|表格|工作表|单元格|\bdiagnos|\breport\b|\btrend\b|\bplot\b"
    r"|\bdraw\b|\bchart\b|\bwrite\b"
    r"|\bcolumn\b|\btable\b|\bsheet\b|\bcells?\b|[一-鿿]列|筛选|第\d+行"
)
_ASKS: Final = compile_later(
    r"(?i)多少|几|多大|多高|计算|算|求|给出|列出|是多|在哪|\bhz\b|赫兹|阶次|什么频率|\bcompute|\bcalculat|\bwhat\b"
    r"|\bhow\s+(?:high|much|large|big|many|long)\b"
    r"|\bvalues?\b|\bgive\b|\blist\b|\btell\b|\bshow\b|\?|？|呢|\bwhich\b|查"
)
_BEARING_NAMED: Final = compile_later(
    r"(?i)\d{4,5}|轴承|\bbearing\b|rpm|r/min|转速|转/分|\bballs?\b|钢?球|滚[子珠动]|节[圆径]|球径"
    r"|\d+(?:\s*[,，;；]\s*\d+(?:\.\d+)?){2,3}"
)
_JUDGES: Final = compile_later(
    r"(?i)正常|高不高|高吗|大吗|大不大|行吗|行不行|好吗|算高|算大|偏[高大]|危险|超标|严重|合格|怎么样|可以吗|说明"
    r"|意味|\bnormal\b|\bok(?:ay)?\b|\bhigh\b|\bbad\b|\btoo\b"
    r"|\bacceptable\b|\bgood\b|\bfine\b|\bhealthy\b|\bmean\b|\bworr|\bdangerous\b|\bserious\b|\blarge\b|\belevated\b"
    r"|\bcritical\b"
)
_VALUE: Final = (
    r"(?:\s*(?:是|为|等于|到了?|达到?了?|[:：=]|有|is|of|at|was|equals|value|reads|about|around|值|约|大约|升到了?"
    r"|in\s+g)\s*){0,3}\s*"
    r"(?P<value>[-−]?\d{1,5}(?:\.\d{1,4})?)(?!\s*(?:rpm|k?hz|转|秒|%|s\b|号|mm|cm|in/|m/|μm|um|[.\d]))"
)
RATED: Final = compile_later(
    rf"(?i)(?:(?P<excess>超额|excess\s+)?(?P<kurtosis>峭度|kurtosis)|(?P<crest_factor>峰值(?:因[子数]|系数|指标)"
    rf"|波峰(?:因[子数]|系数)"
    rf"|crest(?:\s+factor)?)|(?P<rms>有效值|均方根|\brms\b|(?<![a-z])rms(?![a-z]))){_VALUE}\s*(?P<unit>g|m/s\^?2"
    rf"|m/s²)?(?![a-z])"
)
_BEFORE: Final = compile_later(
    r"(?i)(?<![\d.])(\d{1,3}(?:\.\d{1,4})?)\s*(?:的|for\s+the\s+|for\s+)?(?P<name>峭度|kurtosis|峰值因[子数]"
    r"|crest\s+factor)"
)
# What may stand beside another parameter, and gives the message no other subject.
_FILLERS: Final = compile_later(
    r"(?i)对|拿|来|去掉|跳过|扔掉|舍去|看|如果|假如|要是|试试|看看|再来|重新|改为|改成|换成|换为|换|改|按照|按|用|以|取|就"
    r"|那么?|再|呢|诊断|分析|计算|一下|一次|一遍|结果|会|怎样|怎么样|如何|的话|是|为|成|把|将|请|吧|的|只|仅|使用"
    r"|数据|记录"
    r"|轴承|型号|转速|采样率|齿数|还有|其中|内|我|要|试|做|\b(?:and|at|with|what|about|if|how|using|use|uses|only"
    r"|just|the|a|an|now|then|again|try|instead|of|to|for|speed|bearing"
    r"|rate|sampling|change|set|same|was|were|is|it|its|diagnose|analy[sz]e|redo|run|rerun|please|okay|ok|teeth|tooth"
    r"|rpm|by|on|in|record|data|from|machine|that|this|be|suppose|assume|make|skip|drop|ignore|exclude|remove|look"
    r"|analysis|section|part|same)\b"
)
_TABLE: Final = "|".join(re.escape(one) for one in sorted(list_bearings(), key=len, reverse=True))
_CHANGES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("teeth", compile_later(r"(?i)(?:齿数|teeth)\D{0,6}?\d{1,4}|(?<![\d.])\d{1,4}\s*(?:个?齿|teeth|tooth)")),
    (
        "rate",
        compile_later(
            r"(?i)(?:采样率|采样频率|\bfs\b|sampling\s+rate|sampled\s+at)\D{0,6}?\d{1,8}(?:\.\d+)?\s*k?(?:hz|赫兹)?"
        ),
    ),
    ("speed", compile_later(r"(?i)(?<![\d.])\d{1,6}(?:[,，]\d{3})*(?:\.\d+)?\s*(?:rpm|r/min|转/分钟?|转每分钟?|转)")),
    ("speed", compile_later(r"(?i)(?:转速|转频|speed|rpm)\D{0,8}?(?<![\d.])\d{1,6}(?:\.\d+)?")),
    ("bearing", compile_later(r"\d{1,3}(?:\s*[,，;；]\s*\d+(?:\.\d+)?){2,3}")),
    ("bearing", compile_later(rf"(?i)(?<![0-9a-z])(?:{_TABLE})(?![0-9])")),
    (
        "bearing",
        compile_later(
            r"(?i)(?:换成?|改成?|换为|改为|用|with|to|bearing|轴承|as|for|about|try)\s*(?:an?\s+)?(?:轴承"
            r"|bearing)?\s*[:：,，]?\s*"
            r"(?:(?:skf|fag|nsk|ntn|koyo|nmb)\s*)?[a-z]{0,4}[ -]?\d{4,5}[a-z0-9/-]{0,10}"
        ),
    ),
)
_LETTERS: Final = compile_later(r"[A-Za-z0-9一-鿿]")
_DOES: Final = "bearing_diagnosis"
# The skills that other parameters of these kinds belong to while they are in use; everything else is diagnosed.
_TAKES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "record_values": frozenset({"part"}),
        "fault_frequencies": frozenset({"speed", "bearing"}),
        "gear_diagnosis": frozenset({"part", "speed", "rate", "teeth"}),
        "vibration_severity": frozenset({"part", "rate"}),
    }
)


def find_asked_skill(message: str) -> str:
    """The skill of a message that asks for a figure, or gives a bearing to diagnose; empty for others."""
    if (
        _DIAGNOSES.search(message)
        and _SPEAKS_OF_RECORD.search(message)
        and not _OTHER_KINDS.search(message)
        and "bearing" in _list_given(message)[0]
    ):
        return _DOES
    if RATED.search(message) or _BEFORE.search(message):
        return "" if not _JUDGES.search(message) or _OTHER_WORK.search(message) else "vibration_value"
    if _OTHER_WORK.search(message):
        return ""
    if FREQUENCIES.search(message) and not _DEFINES.search(message):
        rest = FREQUENCIES.sub(" ", message)
        is_whose = _BEARING_NAMED.search(rest) is not None or drop_numbered_machines(message) != message
        return "fault_frequencies" if is_whose and (_ASKS.search(message) or _list_given(rest)[0]) else ""
    named = list_quantities(message)
    is_of_machine = drop_numbered_machines(message) != message
    if is_of_machine and OF_SIGNALS & set(named) and not _DEFINES.search(message):
        return "record_values"
    return ""


def find_follow_up_skill(message: str, skill: str, *, has_record: bool) -> str:
    """The skill that a message is work for after one of the pack's: a value of the record, or another parameter."""
    asked, kinds = find_asked_skill(message), find_changes(message)
    if not asked and skill == "fault_frequencies" and kinds and kinds <= _TAKES[skill]:
        return skill
    if asked or not has_record:
        return asked
    if kinds:
        return skill if kinds <= _TAKES.get(skill, frozenset()) else _DOES
    if _OTHER_WORK.search(message) or _DEFINES.search(message):
        return ""
    if FREQUENCIES.search(message) and (_ASKS.search(message) or _is_bare(FREQUENCIES.sub(" ", message))):
        return "fault_frequencies"
    named = list_quantities(message)
    if named and (_ASKS.search(message) or _JUDGES.search(message) or _is_bare(drop_quantities(message))):
        return "record_values"
    return ""


def find_changes(message: str) -> frozenset[str]:
    """Kinds of the parameters that a message gives, if it gives parameters or a part of the record and nothing else."""
    if _OTHER_WORK.search(_FILLERS.sub(" ", message)):
        return frozenset()
    part, rest = read_part(message)
    kinds = {"part"} if part or wants_whole(message) else set()
    given, rest = _list_given(rest)
    kinds |= given
    for left_out in list_left_out(rest):
        rest = rest.replace(left_out, " ")
        kinds.add("part")
    return frozenset(kinds) if _is_bare(rest) else frozenset()


def _list_given(message: str) -> tuple[set[str], str]:
    """Kinds of the parameters that a message gives, and the message without them."""
    kinds = set()
    for kind, pattern in _CHANGES:
        message, count = pattern.subn(" ", message)
        kinds |= {kind} if count else set()
    return kinds, message


def _is_bare(rest: str) -> bool:
    """Whether nothing but fillers is left of a message."""
    return not _LETTERS.search(_FILLERS.sub(" ", rest))


def list_rated(message: str) -> list[tuple[str, float, str]]:
    """Indicators with the value that a message gives: name, value (of a kurtosis never in excess of 3), unit."""
    found = []
    for hit in RATED.finditer(message):
        name = next(one for one in ("kurtosis", "crest_factor", "rms") if hit[one])
        value = float(hit["value"].replace("−", "-"))
        found.append((name, value + 3 if hit["excess"] else value, hit["unit"] or ""))
    if not found and (before := _BEFORE.search(message)):
        name = "kurtosis" if re.match(r"(?i)峭|k", before["name"]) else "crest_factor"
        found.append((name, float(before[1]), ""))
    return found
