"""Words that are replaced: in tables or outside of them, with a capital, as whole words, marks by their names."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.orders.documents._view import DocumentView

__all__ = ["MARKS", "list_pairs", "needs_whole_words", "take_table_scope"]

# Names of punctuation marks.
MARKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "逗号": "，",
        "顿号": "、",
        "句号": "。",
        "分号": "；",
        "冒号": "：",
        "感叹号": "！",
        "叹号": "！",
        "问号": "？",
        "英文逗号": ",",
        "英文句号": ".",
    }
)


def take_table_scope(text: RequestText) -> bool | None:
    """True if only tables are meant, False if all but tables; None if the order says nothing of them."""
    if text.take(
        r"[,，;；]?\s*(?:但是?|不过)?(?:表格?|表)(?:里面?|中|内|里头)?的?(?:内容|文字|那些|就|都|那几处)*(?:别|不要|不用|不|勿|先别|保持)(?:动|改|换|变|碰|替换|"
        r"不变|算)(?:它们?|了)?|"
        r"[,，]?\s*(?:不包括|不含|除了|除)表格(?:里|中)?的?(?:以外|之外|外)?|[,，]?\s*表格除外|"
        r"[,;]?\s*\b(?:but |and )?(?:don'?t|do not|never) (?:touch|change|replace|edit) (?:the ones?|those|it|them|"
        r"any(?:thing)?|what(?:'s| is))? ?(?:inside|in|within)(?: the| any)? tables?\b|"
        r"[,;]?\s*\b(?:but )?(?:not|except|excluding|leave out)(?: the ones?| those| for those)?(?: (?:inside|in|"
        r"within))?(?: the| any)? tables?\b|[,;]?\s*\b(?:outside|except) (?:of )?the tables?\b"
    ):
        return False
    if text.take(r"(?:只|仅)(?:改|换|替换|在)?表格(?:里面?|中|内)的?|\bonly (?:inside|in|within) the tables?\b"):
        return True
    if text.take(r"^(?:在|把|将)?表格(?:里面?|中|内)的?(?=[^,，。:]+?(?:改成|换成|改为|换为|替换))"):
        return True
    return None


def list_pairs(old: str, new: str, said: str) -> list[tuple[str, str]]:
    """The words, and the same with a capital where a sentence begins with them."""
    capital = old[:1].upper() + old[1:]
    is_word = re.fullmatch(r"[a-z][a-z' -]*", old) is not None and new[:1].islower()
    every = re.search(r"\b(?:every|all|each|any|throughout|everywhere)\b", said, re.IGNORECASE)
    return [(old, new), (capital, new[:1].upper() + new[1:])] if is_word and every else [(old, new)]


def needs_whole_words(old: str, view: DocumentView) -> bool:
    """Whether a word also stands inside of longer ones, which are not meant."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z']*", old):
        return False
    whole = re.compile(rf"(?<![A-Za-z]){re.escape(old)}(?![A-Za-z])")
    texts = [one.text for one in view.all if old in one.text]
    return any(whole.search(one) for one in texts) and any(len(whole.findall(one)) < one.count(old) for one in texts)
