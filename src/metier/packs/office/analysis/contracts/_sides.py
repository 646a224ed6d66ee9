"""The party for whom a contract is to be reviewed, and which party a finding burdens by the contract's own words."""

import re
from typing import Final

from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.contracts._clauses import ContractText

_ROLES_ZH: Final = (
    r"[甲乙丙丁]方|买方|卖方|供方|需方|采购方|供应方|供货方|发包方|承包方|出租方|承租方|出借方|借款方|委托方|受托方|用人单位|劳动者"
    r"|供应商|采购商|买受人|出卖人|出租人|承租人|贷款人|借款人|委托人|受托人|发包人|承包人|定作人|承揽人"
)
_ROLES_EN: Final = (
    r"party\s+[ab]|buyer|seller|supplier|purchaser|customer|client|vendor|contractor|lessor|lessee|landlord|tenant|licensor"
    r"|licensee|employer|employee|lender|borrower"
)
_SIDE: Final = re.compile(
    rf"(?:站在|从|以|按|替|为|帮|代表|作为|偏向|维护|我(?:们|方|司|公司)?(?:就)?是)\s*(?:我们?)?(?P<zh>{_ROLES_ZH})"
    rf"|(?P<zh2>{_ROLES_ZH})的?(?:角度|立场|视角|利益|一边)"
    rf"|\b(?:from|on\s+behalf\s+of|for|as|we\s+are|we're|i\s+am|i'm|represent(?:ing)?|side\s+of)\s+(?:the\s+)?(?P<en>{_ROLES_EN})\b",
    re.IGNORECASE,
)
_DUTY: Final = (
    r"(?:应当?|须|需|逾期|迟延|延迟|延期|违约|未按|未能|不履行|不得|支付|承担|赔偿|负责|缴纳|交付|退还"
    r"|\bshall\b|\bmust\b|\bwill\b|\bagrees?\b|\bpays?\b|\bfails?\b|\bis\s+liable\b)"
)
_REACH: Final = 16


def read_side(message: str) -> str:
    """The party for whom a request wants the review, in its own word: 乙方, "the supplier"; empty if it names none."""
    found = _SIDE.search(message)
    return next((one for one in found.groups() if one), "") if found is not None else ""


def is_party(contract: ContractText, side: str) -> bool:
    """Whether the contract calls one of its parties so."""
    return any(side.casefold() in line.text.casefold() for line in contract.lines)


def find_burdened(contract: ContractText, finding: DocumentFinding) -> str:
    """The party that the clause of a finding puts under a duty by its words; empty if it names none."""
    names = {role.casefold(): role for role, _ in contract.parties}
    names |= {name.casefold(): role for role, name in contract.parties if name}
    if not names:
        return ""
    any_name = "|".join(re.escape(one) for one in sorted(filter(None, names), key=len, reverse=True))
    duty = re.compile(rf"({any_name})[^，,。；;]{{0,{_REACH}}}?{_DUTY}", re.IGNORECASE)
    found = duty.search(_cut_sentence(finding))
    return names.get(found[1].casefold(), "") if found is not None else ""


def _cut_sentence(finding: DocumentFinding) -> str:
    """The sentence of the clause that the finding quotes; all of the clause without a quotation."""
    for one in re.split(r"(?<=[。；;])", finding.line):
        if finding.quote and finding.quote in one:
            return one
    return finding.line
