"""Names of the parties: written otherwise in the text, or beside their role at the end."""

import re
from collections.abc import Iterator
from typing import Final

from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.contracts._clauses import ROLES, ClauseLine, ContractText
from metier.packs.office.analysis.contracts._rules import ContractRule

__all__ = ["check_parties", "measure_distance"]

_ORGANISATION: Final = re.compile(
    r"(?:股份有限公司|有限责任公司|有限公司|集团公司|合伙企业|事务所|研究院|幼儿园|学校|医院|委员会)"
)
_SIGNED: Final = re.compile(
    rf"(?P<role>{ROLES})\s*(?:名称|全称)?\s*[（(]?\s*(?P<signs>签字|签章|盖章|公章|签名|单位盖章|名称)?[^：:）)，。]{{0,6}}[）)]?\s*"
    r"[：:]\s*(?P<name>[^，,；;。\s：:_＿（(]{2,40})"
)
_PERSON: Final = re.compile(r"[\u4e00-\u9fff·]{2,4}")
# Words that make a name one of another company: before it, in brackets behind it, or put into it.
_OTHER_COMPANY: Final = re.compile(
    r"子公司|分公司|母公司|总公司|关联|控股|股东|代理|经销|集团|担保|保证人|第三方|第三人|[丙丁戊]方|"
    r"制造商|生产商|供应商|分包|委托的|指定的|下属|所属|旗下|参股|全资|兄弟|另一|其他|原名|曾用名|更名|前身|承继"
)
# Whose account it is may be another company's: the difference is told, and not written over.
_ACCOUNT: Final = re.compile(r"(?:银行|开户|户名|账户|账号|收款)[^。；;]*$")
_OTHER_TRADE: Final = re.compile(r"销售|贸易|商贸|物流|集团|租赁|进出口|投资|控股|服务|置业|物业|运输")
_BEFORE_CHARS: Final = 16
_MIN_NAME_CHARS: Final = 4
# How many characters may be put into a name, or left out, for it to be taken for the same.
_MAX_ADDED: Final = 2


def check_parties(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """Names of organisations that are almost the name of a party, and another name beside the party's role."""
    names = {name for _, name in contract.parties if len(name) >= _MIN_NAME_CHARS}
    for line in contract.lines:
        rest = line.text
        for name in names:
            rest = rest.replace(name, "\0" * len(name))
        told: set[str] = set()
        for match in _ORGANISATION.finditer(rest):
            found = _find_almost(rest, match.end(), names)
            if found is not None and not _is_other_company(contract, *found):
                written, party = found
                told.add(written)
                is_account = _ACCOUNT.search(line.text[: line.text.find(written)])
                yield rule.build_finding(line, written, None if is_account else party, found=written, party=party)
        for written, party in _find_signed(contract, line):
            if not any(one in written or written in one for one in told):
                yield rule.build_finding(line, written, party, found=written, party=party)
        yield from _find_short_names(contract, line, rest, rule)


def _is_other_company(contract: ContractText, written: str, party: str) -> bool:
    """Whether the contract calls the name another company anywhere, or the name adds another trade to the party's."""
    if set(_OTHER_TRADE.findall(written)) - set(_OTHER_TRADE.findall(party)):
        return True
    for line in contract.lines:
        for match in re.finditer(re.escape(written), line.text):
            before = re.split(r"[。；;]", line.text[max(0, match.start() - _BEFORE_CHARS) : match.start()])[-1]
            behind = re.match(
                r"\s*(?:[（(][^）)]*[）)]|(?:系|是|为|作为)[^，,。；;]{0,20}|[\u4e00-\u9fff]{0,4}分公司)",
                line.text[match.end() :],
            )
            if _OTHER_COMPANY.search(before) or (behind and _OTHER_COMPANY.search(behind[0])):
                return True
    return False


def _find_signed(contract: ContractText, line: ClauseLine) -> Iterator[tuple[str, str]]:
    """Another name where a role is named again: `乙方（盖章）：云帆科技有限公司` for 云帆软件有限公司."""
    parties = dict(contract.parties)
    for match in _SIGNED.finditer(line.text):
        party = parties.get(match["role"])
        organisation = _ORGANISATION.search(match["name"])
        written = match["name"][: organisation.end()] if organisation else match["name"]
        if _OTHER_COMPANY.search(line.text[match.start() : match.start("name")]):
            continue
        if party is None or written == party or party in written or written in party:
            continue
        are_people = match["signs"] and all(_PERSON.fullmatch(one) for one in (written, party))
        if (organisation and _ORGANISATION.search(party)) or are_people:
            yield written, party


def _find_short_names(
    contract: ContractText, line: ClauseLine, rest: str, rule: ContractRule
) -> Iterator[DocumentFinding]:
    """`绿洲公司` for 绿洲设备有限公司, unless the contract introduces it as a short name."""
    for _, party in contract.parties:
        stem = re.sub(r"(?:股份有限公司|有限责任公司|有限公司|集团公司|公司)$", "", party)
        if stem == party:
            continue
        for length in range(len(stem), 1, -1):
            short = f"{stem[:length]}公司"
            if short != party and short in rest:
                if not any(re.search(rf"(?:简称|称为).{{0,4}}{re.escape(short)}", one.text) for one in contract.lines):
                    yield rule.build_finding(line, short, party, found=short, party=party)
                break


def _find_almost(text: str, end: int, names: set[str]) -> tuple[str, str] | None:
    """The part of the text before `end` that is nearest to a name, if it is near enough, and that name."""
    near: list[tuple[int, str, str]] = []
    for name in sorted(names):
        for length in range(len(name) - _MAX_ADDED, len(name) + _MAX_ADDED + 1):
            written = text[max(0, end - length) : end]
            if len(written) != length or "\0" in written:
                continue
            distance = measure_distance(written, name)
            if 0 < distance <= _find_limit(name) and (abs(length - len(name)) < _MAX_ADDED or _is_added(written, name)):
                near.append((distance, written, name))
    return min(near)[1:] if near else None


def _is_added(written: str, name: str) -> bool:
    """Whether one is the other with characters put in, from the same beginning on: 远航机械设备 for 远航设备."""
    short, long = sorted((written, name), key=len)
    rest = iter(long)
    return short[:2] == long[:2] and not re.search(r"[（(]", long) and all(char in rest for char in short)


def _find_limit(name: str) -> int:
    return 1 if len(_ORGANISATION.sub("", name)) <= _MIN_NAME_CHARS else 2


def measure_distance(one: str, other: str) -> int:
    """Levenshtein distance; names are short."""
    row = list(range(len(other) + 1))
    for number, char in enumerate(one, 1):
        previous, row[0] = row[0], number
        for place, against in enumerate(other, 1):
            previous, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, previous + (char != against))
    return row[-1]
