"""Terms of a contract: defined twice with other words, or said to be defined and nowhere explained."""

import re
from collections.abc import Iterator
from typing import Final

from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.contracts._clauses import ClauseLine, ContractText
from metier.packs.office.analysis.contracts._rules import ContractRule

__all__ = ["check_definitions"]

_DEFINED: Final = re.compile(
    r"[“「](?P<zh>[^”」]{1,30})[”」]\s*(?:一词)?(?:，|,)?\s*(?:是指|系指|意指|指的是|指(?!定|派|示|导|令|出)|的?含义(?:是|为))"
    r"|[“\"](?P<en>[^”\"]{2,60})[”\"]\s+(?:shall\s+)?(?:means?|refers?\s+to|has\s+the\s+meaning)\b(?!\s+(?:given|set|ascribed))",
    re.IGNORECASE,
)
# What says of itself that it is explained in this contract.
_CLAIMED: Final = re.compile(
    r"[“「](?P<zh>[^”」]{1,30})[”」]\s*[（(](?:[^）)]{0,4}(?:含义|定义)(?:见|同)|见|如)[^）)]{0,4}(?:第[^）)]{1,6}条|上文|前述|本合同|定义条款)[^）)]{0,8}[）)]"
    r"|(?P<en>[A-Z][A-Za-z-]+(?:\s+[A-Z][A-Za-z-]+){0,4})\s*\((?:each\s+)?as\s+(?:so\s+)?defined\s+"
    r"(?:in\s+(?:this\s+(?:Agreement|Contract|Lease|Deed)|(?:Section|Clause|Article)\s+[\d.]+)|herein|above|below)"
    r"[^)]{0,20}\)"
)
_QUOTED: Final = re.compile(r"[“「\"]([^”」\"]{1,60})[”」\"]")
_EXPLAINS: Final = re.compile(
    r"[（(](?:以下|下文|下)?(?:统?简?称|合称)[^）)]{0,4}$"
    r"|\((?:the|each,? an?|collectively,? the|an?|hereinafter)[^()]{0,30}$"
)
_LEAD: Final = re.compile(r"^(?:The|Any|All|Each|Such|Access|No)\s+")


def check_definitions(
    contract: ContractText, twice: ContractRule, undefined: ContractRule
) -> Iterator[DocumentFinding]:
    """Second definitions of a term, and terms that are said to be defined and are not."""
    known: dict[str, ClauseLine] = {}
    explained: set[str] = set()
    for line in contract.lines:
        for match in _DEFINED.finditer(line.text):
            term = (match["zh"] or match["en"]).strip()
            explained.add(term.casefold())
            if term.casefold() in known and known[term.casefold()].text != line.text:
                yield twice.build_finding(line, match[0], term=term, other=known[term.casefold()].text[:40])
            known.setdefault(term.casefold(), line)
        for match in _QUOTED.finditer(line.text):
            if _EXPLAINS.search(line.text[: match.start()]) or re.match(r"\s*[：:]", line.text[match.end() :]):
                explained.add(match[1].strip().casefold())
    for line in contract.lines:
        for match in _CLAIMED.finditer(line.text):
            term = match["zh"] or _LEAD.sub("", match["en"])
            if term.casefold() not in explained and term.casefold().removesuffix("s") not in explained:
                yield undefined.build_finding(line, match[0], term=term)
