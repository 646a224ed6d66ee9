"""Orders to change rows of a document: 把大于300的行标红 names rows as a question does, but wants them changed."""

import re
from typing import Final

from metier.patterns import compile_later

_COLOUR: Final = "[红黄绿蓝橙紫灰]"
_LOOK: Final = (
    rf"标(?:成|为|上|注|记|{_COLOUR})|涂(?:成|上|{_COLOUR})|染|加粗|斜体|高亮|突出"
    r"|加?(?:上|个)?(?:底色|颜色|边框|下划线|批注)"
)
_CHANGE: Final = r"删(?:除|掉|去|了)|清空|隐藏|合并(?:成|为|单元)?|锁(?:定|住)|填(?:成|为|上|充)|设(?:成|为|置)|替换"
_EDIT_ORDER: Final = compile_later(
    r"(?:请|麻烦|帮我|帮忙|给我|你|再|然后|顺便|可以|能不能|能)*"
    rf"(?:(?:把|将|给).{{1,60}}?(?:{_LOOK}|{_CHANGE}).{{0,12}}|(?:标[{_COLOUR[1:-1]}]|高亮|加粗|删[除掉]|隐藏|清空).{{2,60}})"
    r"|(?:please |can you |could you |now |then )*"
    r"(?:colou?r|highlight|shade|bold|underline|delete|remove|clear|hide|merge|lock|unlock|fill|format|rename|replace)"
    r"\s+(?:all\s+|every\s+|each\s+|only\s+)*(?:the\s+)?\S.{2,80}",
    re.IGNORECASE,
)
_ASKS: Final = compile_later(r"[吗呢][？?]?$|[？?]$|多少|哪[个些几]")


def is_edit_order(text: str) -> bool:
    """Whether a whole message orders rows or cells of a document to be changed, whatever rows it names."""
    return _EDIT_ORDER.fullmatch(text) is not None and _ASKS.search(text) is None
