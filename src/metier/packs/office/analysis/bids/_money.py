"""Money of a tender that a bid must keep to: what is deposited at least, and what a bid may cost at most."""

import re
from decimal import Decimal
from typing import Final

__all__ = ["breaks_money_term", "is_money_term"]

_CURRENCY: Final = r"(?:USD|EUR|GBP|CNY|RMB|人民币|US\$|[$€£¥￥])"
_AMOUNT: Final = re.compile(
    rf"{_CURRENCY}\s*(?P<before>\d[\d,，]*(?:\.\d+)?)\s*(?P<unit>万)?"
    rf"|(?P<behind>\d[\d,，]*(?:\.\d+)?)\s*(?P<unit2>万)?(?:元|{_CURRENCY})"
    r"|(?P<bare>\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?)"
)
_TEN_THOUSAND: Final = 10_000
_DEPOSIT: Final = re.compile(
    r"保证金|保函|(?:tender|bid) (?:security|bond)|certified cheque|bank guarantee", re.IGNORECASE
)
_CEILING: Final = re.compile(
    r"最高限价|最高投标限价|招标控制价|\bceiling\b|\bmaximum (?:price|budget)\b", re.IGNORECASE
)
_TOTAL: Final = re.compile(
    r"(?:投标总价|投标报价|总报价|报价总额|报价合计)|\b(?:total(?: price)?|tender price|grand total)\b", re.IGNORECASE
)


def is_money_term(text: str) -> bool:
    """Whether a requirement states one amount that is deposited or may not be passed."""
    return bool(_DEPOSIT.search(text) or _CEILING.search(text)) and _read_amount(text) is not None


def breaks_money_term(asked: str, said: str) -> bool:
    """Whether the line of the bid deposits less than is asked for, or offers more than may be spent."""
    limit, amount = _read_amount(asked), _read_amount(said)
    if limit is None or amount is None:
        return False
    if _CEILING.search(asked):
        return bool(_TOTAL.search(said)) and amount > limit
    return bool(_DEPOSIT.search(said)) and amount < limit


def _read_amount(text: str) -> Decimal | None:
    """The only amount of a text; None where it states several or none."""
    found = list(_AMOUNT.finditer(text))
    if len(found) != 1:
        return None
    match = found[0]
    words = match["before"] or match["behind"] or match["bare"]
    value = Decimal(re.sub(r"[,，]", "", words))
    return value * _TEN_THOUSAND if match["unit"] or match["unit2"] else value
