"""Names with a quantity and a price, or with two amounts, in the words that the rules know for them."""

import re
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["restate_records"]

_NUMBER: Final = r"\d+(?:,\d{3})*(?:\.\d+)?"
_UNITS: Final = "[台把张块箱个套件本支只瓶盒包份米吨间辆条次人副双卷桶袋组盆部根棵斤束串面扇名位天桌]"
_SIGNS: Final = r"\d,，、;；。:：\n\""
_POSITION: Final = re.compile(
    rf"(?P<name>[^{_SIGNS}]{{0,24}}?[^{_SIGNS}\s]|[A-Z]\d+[^{_SIGNS}\s]{{1,8}})\s*"
    rf"(?:数量|共|各|要|买)?\s*(?P<count>{_NUMBER})\s*(?P<unit>{_UNITS})[,，]?\s*"
    rf"(?:单价|价格|每{_UNITS}|一{_UNITS}|@|均价)(?:是|为|要|卖)?\s*(?P<price>{_NUMBER})\s*"
    rf"(?:元|块钱?)?(?:[/每]?(?:{_UNITS}|1{_UNITS}))?\s*(?=[,，、;；。\n]|$)"
)


def restate_records(request: str) -> str:
    """The request with 数量 before the quantity and 单价 before the price of each position."""
    mask = RequestText(request).mask
    found = list(_POSITION.finditer(mask))
    if len(found) < 2:
        return request
    for one in reversed(found):
        name = request[one.start("name") : one.end("name")].strip()
        after = "；" if one is not found[-1] else ""
        stop = one.end() + (1 if after and mask[one.end() : one.end() + 1] in (",", "，", "、", ";") else 0)
        said = f"{name} 数量{one['count']}{one['unit']} 单价{one['price']}{after}"
        request = f"{request[: one.start()]}{said}{request[stop:]}"
    return request
