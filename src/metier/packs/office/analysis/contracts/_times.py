"""Days of a contract that contradict each other: a term that began before the signing, or lasts otherwise than said."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from metier.packs.office.analysis._dates import find_full_date
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.contracts._clauses import ContractText
from metier.packs.office.analysis.contracts._rules import ContractRule
from metier.patterns import read_chinese_integer

__all__ = ["check_duration", "check_signing"]

_DAY: Final = r"\d{4}年\d{1,2}月\d{1,2}日"
_SPAN: Final = re.compile(rf"(?P<from>{_DAY})\s*(?:起)?\s*(?:至|到|—+|-+|~|－)\s*(?P<to>{_DAY})")
_TERM: Final = re.compile(
    r"(?:合同|协议|聘用|服务|租赁|合作|委托|许可|承包|劳动合同|履行)?(?:期限|有效期|租期|聘期|工期|期间)"
)
_SIGNED: Final = re.compile(rf"签[订署约]?(?:日期|时间)\s*[：:]\s*(?P<day>{_DAY})")
_FROM_SIGNING: Final = re.compile(
    r"自[^。；;]{0,14}(?:签[字署订]|盖章|签章)[^。；;]{0,8}(?:之日|后|时)[^。；;]{0,4}(?:起)?[^。；;]{0,4}生效"
)
_LASTS: Final = re.compile(
    r"(?:共计?|为期|合计|总计|期限(?:为|共)?|租期(?:为|共)?|聘期(?:为|共)?)\s*(?P<n>\d{1,3}|[一二两三四五六七八九十]{1,3})\s*(?P<unit>年|个月)"
)
_SLACK_DAYS: Final = 2
_MONTHS_A_YEAR: Final = 12


def check_signing(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """A contract that takes effect when it is signed, and whose term began before."""
    signed = next(((line, match) for line in contract.lines if (match := _SIGNED.search(line.text))), None)
    if signed is None or not any(_FROM_SIGNING.search(line.text) for line in contract.lines):
        return
    line, match = signed
    day = find_full_date(match["day"])
    for other in contract.lines:
        span = _SPAN.search(other.text) if _TERM.search(other.text) else None
        begin = find_full_date(span["from"]) if span is not None else None
        if span is not None and begin is not None and day is not None and begin < day:
            yield rule.build_finding(line, match[0], signed=match["day"], begin=span["from"])
            return


def check_duration(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """A term of two years whose first and last day are three years apart."""
    for line in contract.lines:
        for sentence in re.split(r"(?<=[。；;])", line.text):
            span, lasts = _SPAN.search(sentence), _LASTS.search(sentence)
            if span is None or lasts is None or len(_SPAN.findall(sentence)) > 1:
                continue
            begin, end = find_full_date(span["from"]), find_full_date(span["to"])
            number = (
                int(lasts["n"]) if lasts["n"].isdigit() else read_chinese_integer(lasts["n"].replace("两", "二")) or 0
            )
            months = number * (_MONTHS_A_YEAR if lasts["unit"] == "年" else 1)
            if begin is None or end is None or end < begin or not months:
                continue
            expected = _add_months(begin, months)
            if expected is not None and abs((end - expected).days) > _SLACK_DAYS:
                yield rule.build_finding(line, lasts[0], stated=lasts[0], span=span[0])


def _add_months(begin: date, months: int) -> date | None:
    year, month = divmod(begin.year * _MONTHS_A_YEAR + begin.month - 1 + months, _MONTHS_A_YEAR)
    try:
        return date(year, month + 1, min(begin.day, 28))
    except ValueError:
        return None
