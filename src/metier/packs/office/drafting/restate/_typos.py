"""Slips of the keyboard in the words of an order: tabel, colums, 表各, 拆线图. Quotations and names are not touched."""

import re
from functools import lru_cache
from typing import Final

from metier.packs.office._request_text import rewrite_unquoted

__all__ = ["restate_typos"]


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words of orders; a name begins with a capital, and what is written must stand in the user's own words anyway.
_WORDS: Final = _split(
    """
    agenda appendix banner blank budget bullets chart checklist column columns cover document empty header
    heading headings insert minutes numbered outline paragraph placeholder please quotation register report
    sheet slide slides subtitle summary table tables template timeline title titled underneath
    """
)
# Words of their own that are one slip away from a word of an order.
_REAL: Final = _split(
    """
    agendas banners blanks budgets cables chars charts chary coverer covers covert healing minute outlines
    pleas registers reporter reports sheets slid slider stable tabled tablet titles titular
    """
)
_MIN_LETTERS: Final = 5
_WORD: Final = re.compile(rf"\b[a-z]{{{_MIN_LETTERS - 1},}}\b")
# What the keyboard offers for the same sound, or a sign that looks alike.
_ALIKE: Final = (
    (r"表各(?=[，,。;；:：\s]|$|列|里|要|有)", "表格"),
    (r"[住注]状图|柱[装壮]图", "柱状图"),
    (r"[拆析]线图", "折线图"),
    (r"大[刚岗钢]", "大纲"),
    (r"部份", "部分"),
    (r"仪程|议成", "议程"),
    (r"幻灯[篇骗]", "幻灯片"),
    (r"记要", "纪要"),
    (r"插[人如]", "插入"),
    (r"艺术[子宇](?=[“\"，,。:：\s为是写]|标题)", "艺术字"),
    (r"(?<=[，,、；;\s])[供工公](?=[\d一二三四五六七八九十两]+\s*个?[行列项条栏])", "共"),
    (r"(?<=[，,；;共空留\s\d])(?P<count>[\d一二三四五六七八九十两]{1,2})航(?=[，,。；;\s]|$)", r"\g<count>行"),
    (r"报介", "报价"),
    (r"付标题", "副标题"),
    (r"标[体提](?=[，,。;；:：\s是为叫写]|“)", "标题"),
    (r"风脸", "风险"),
    (r"清丹", "清单"),
)
_PATTERNS: Final = tuple((re.compile(form), right) for form, right in _ALIKE)


def restate_typos(request: str) -> str:
    """The request with the words of an order as they are spelled; a word that may be two others stays."""
    return rewrite_unquoted(request, _correct)


def _correct(said: str) -> str:
    for form, right in _PATTERNS:
        said = form.sub(right, said)
    return _WORD.sub(lambda found: _find_word(found[0]), said)


@lru_cache(maxsize=4_096)
def _find_word(word: str) -> str:
    """The only word of an order that is one slip away: two letters changed round, one missing, doubled or wrong."""
    if word in _WORDS:
        return word
    near = [one for one in _WORDS if len(one) >= _MIN_LETTERS and one[0] == word[0] and _is_slip(word, one)]
    return near[0] if len(near) == 1 and word not in _REAL else word


def _is_slip(word: str, right: str) -> bool:
    if len(word) == len(right):
        wrong = [at for at in range(len(word)) if word[at] != right[at]]
        is_turned = len(wrong) == 2 and wrong[1] == wrong[0] + 1
        return is_turned and word[wrong[0]] == right[wrong[1]] and word[wrong[1]] == right[wrong[0]]
    if abs(len(word) - len(right)) > 1:
        return False
    longer, shorter = (word, right) if len(word) > len(right) else (right, word)
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))
