"""Checks of a contract that need more than a pattern: forum, amounts, references, dates, blanks."""

import re
from collections.abc import Iterator
from typing import Final

from metier.packs.office.analysis._amounts import MoneyAmount, find_money, find_word_amounts, to_formal_amount
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.contracts._clauses import Clause, ContractText, find_references
from metier.packs.office.analysis.contracts._rules import ContractRule, ContractRules
from metier.patterns import read_chinese_integer

__all__ = ["check_amounts", "check_blanks", "check_dates", "check_forum", "check_patterns", "check_references"]

# All that stands between an amount and its other writing: brackets, 大写, 小写, 人民币, 即.
_BESIDE: Final = re.compile(
    r"(?:[\s（(）)\[\]【】：:，,、/_]|人民币|大写|小写|含税|金额|即|计|为|是|元|圆|整|正|RMB|CNY|[¥￥])*"
)
_ANNEX: Final = re.compile(r"附件\s*(?P<number>\d{1,2}|[一二三四五六七八九十]{1,3})")
_SPAN: Final = re.compile(
    r"(?P<from>\d{4}年\d{1,2}月\d{1,2}日)(?:起)?\s*(?:至|到|—+|-+|~|－)\s*(?P<to>\d{4}年\d{1,2}月\d{1,2}日)"
)
# The courts' part in an arbitration, and words that only name both ways: costs, the time until the end of either.
_NO_CHOICE: Final = re.compile(
    r"[^，,。；;]*(?:申请(?:强制)?执行|强制执行|撤销[^，,。；;]{0,6}裁决|保全)[^，,。；;]*"
    r"(?:(?<=[的时])[，,]\s*(?:应当?|可以?|则)?(?:由|向)[^，,。；;]*)?"
    r"|(?:不适用|不采用|不选择|不约定|不提交|不接受|不进行|不申请|排除)[^，,。；;]{0,8}(?:仲裁|诉讼)"
    r"|(?:仲裁|诉讼)\s*(?:或者?|和|及|与|、|/)\s*(?:仲裁|诉讼)\s*(?:的)?"
    r"(?:期间|过程|进行|费|程序|产生|发生|中|所|结果|文书|请求|材料)"
    r"|(?:仲裁|诉讼|律师)费|(?:诉讼|仲裁)(?:期间|时效|过程中|程序)|(?:不得|不再|无权|放弃)[^，,。；;]{0,16}(?:法院|诉讼|起诉)"
)
_COURT: Final = re.compile(
    r"向[^。；;]{0,30}法院|法院[^，,。；;]{0,6}(?:管辖|起诉|诉讼|解决|裁判|审理|判决|处理)|起诉|诉讼"
)
_LABOUR: Final = re.compile(r"劳动|人事争议|土地承包")
_BLANK: Final = re.compile(
    r"[_＿]{2,}|[○〇□＊]{2,}|【[\s　_]*(?:(?:待|未)[^】]{0,6}|填写|空白|\*+|[●•])?[\s　_]*】|"
    r"\[\s*(?:(?:待|未)[^\]]{0,6}|[●•*]+|(?i:insert\b[^\]]*|date|amount|name|address|tb[acd]|to be [^\]]*))?\s*\]|"
    r"[　 ]{2,}年[　 ]{1,}月(?:[　 ]{1,}日)?|(?<![A-Za-z\d])[Xx×]{2,}(?![A-Za-z\d]|[-－]\d)|"
    r"(?<=\d)[Xx×]{2}(?=年)|（[　 ]{2,}）|\b(?:TBC|TBD|TBA)\b|"
    # A word that stands for the value: 交付日期：待填, 地点另行填写.
    r"(?:(?<=[：:为是])|(?<=[：:]\s))(?:暂?(?:待|未)(?:填|定|补|确认|商|议|协商|明确)[^，,。；;]{0,6}|另行填写|空白)(?=[，,。；;）)\s]|$)"
)
_SIGNING: Final = re.compile(
    r"(?:签字|盖章|签章|法定代表人|授权代表|开户行|账号|电话|身份证号)[^，,。；;]{0,8}$"
    r"|(?:^|[\t|;_]|\s{2})\s*(?i:signatures?|signed(?: by)?|name|title|date|by)\s*[:：]?\s*$"
)
# A date of signing stands beside or below the signatures.
_SIGNING_DATE: Final = re.compile(r"(?:^|[\s　_＿])(?:签[订署约]|落款)?(?:日期|时间)\s*[：:][\s　_＿年月日]*")
_SIGNATURE: Final = re.compile(
    r"[（(]?(?:签字|盖章|签章|签名)[^，,。；;]{0,8}[：:]|^(?:IN WITNESS|Signed|Signature|By\s*:|SIGNED\b)"
    r"|[（(](?:签字|盖章|签章|公章)[^）)]{0,6}[）)]\s*$"
)
# A sentence; what has none behind the first signature is a label and the room to write into.
_SENTENCE: Final = re.compile(r"[。；;，,]")


def check_forum(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """A clause that agrees on arbitration and on a court as well, whichever comes first."""
    if _LABOUR.search("".join(line.text for line in contract.lines[:3])):
        return
    for clause in contract.clauses or (Clause(0, "", "", contract.lines),):
        left = [(line, _NO_CHOICE.sub("", line.text)) for line in clause.lines]
        courts = [text for _, text in left if _COURT.search(text)]
        for line, text in left:
            if "仲裁" in text and courts and not _LABOUR.search(text):
                yield rule.build_finding(line, _sentence_of(line.text, "仲裁"))
                break


def _sentence_of(text: str, word: str) -> str:
    return next((part for part in re.split(r"(?<=[。；;])", text) if word in part), text)


def check_amounts(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """An amount in words beside figures that say another amount."""
    for line in contract.lines:
        figures = list(find_money(line.text))
        for words in find_word_amounts(line.text):
            near = [one for one in figures if _stand_together(line.text, one, words)]
            if near and all(one.yuan != words.yuan for one in near):
                closest = min(near, key=lambda one: abs(one.start - words.start))
                formal = to_formal_amount(closest.yuan)
                yield rule.build_finding(line, words.quote, words=words.quote, figures=closest.quote, formal=formal)


def _stand_together(text: str, one: MoneyAmount, other: MoneyAmount) -> bool:
    """Whether one amount stands directly beside the other, so that both say the same thing."""
    first, second = sorted((one, other), key=lambda amount: amount.start)
    return bool(
        _BESIDE.fullmatch(text, first.start + len(first.quote), max(second.start, first.start + len(first.quote)))
    )


def check_references(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """References to clauses or paragraphs that do not exist."""
    paragraphs = {clause.number: clause.paragraphs for clause in contract.clauses}
    if not paragraphs:
        return
    for reference in find_references(contract):
        is_dead = reference.number not in paragraphs or (
            reference.paragraph is not None and reference.paragraph > paragraphs[reference.number]
        )
        if is_dead:
            yield rule.build_finding(reference.line, reference.quote, reference=reference.quote)
    yield from _find_dead_annexes(contract, rule)


def _find_dead_annexes(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """`详见附件三` where the contract lists its annexes and this is none of them."""
    listed: set[int] = set()
    for line in contract.lines:
        if match := _ANNEX.match(line.text):
            listed.add(_to_whole(match["number"]))
    for line in contract.lines if listed else ():
        for match in _ANNEX.finditer(line.text):
            if match.start() and _to_whole(match["number"]) not in listed:
                yield rule.build_finding(line, match[0], reference=match[0])


def _to_whole(text: str) -> int:
    return int(text) if text.isdigit() else read_chinese_integer(text) or 0


def check_dates(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """A term that ends before it begins."""
    for line in contract.lines:
        for match in _SPAN.finditer(line.text):
            begin, end = (tuple(map(int, re.findall(r"\d+", match[side]))) for side in ("from", "to"))
            if end < begin:
                yield rule.build_finding(line, match[0], begin=match["from"], end=match["to"])


def check_blanks(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """Blanks outside of the lines for signatures, one finding a line."""
    signed = next((at for at, line in enumerate(contract.lines) if _SIGNATURE.search(line.text)), len(contract.lines))
    for at, line in enumerate(contract.lines):
        text = _SIGNING_DATE.sub("\n", line.text) if at >= signed else line.text
        if at >= signed and not _SENTENCE.search(line.text):
            continue
        for match in _BLANK.finditer(text):
            if not _SIGNING.search(text[: match.start()]):
                yield rule.build_finding(line, match[0], blank=match[0].strip() or match[0])
                break


def check_patterns(contract: ContractText, rules: ContractRules) -> Iterator[DocumentFinding]:
    """Rules that are a pattern of a line, with or without a limit for the number in it."""
    for rule in rules.rules:
        if rule.pattern is None:
            continue
        for line in contract.lines:
            if rule.where is not None and not rule.where.search(line.text):
                continue
            for match in rule.pattern.finditer(line.text):
                if rule.limit_months is None or _to_months(match) > rule.limit_months:
                    yield rule.build_finding(line, match[0].strip())
                    break


def _to_months(match: re.Match[str]) -> int:
    number = _to_whole(match["n"])
    # A year such as 2026 is a date and no duration.
    return 0 if number > 1900 else number * (12 if match["unit"] == "年" else 1)
