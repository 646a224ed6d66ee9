"""Whether a clause orders a change: nothing in it denies, doubts or remembers, and all its words are accounted for."""

import re
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.grounded._said import WRONG_AFTER, SaidClause
from metier.packs.office.orders.grounded._words import EMPTY_ZH, begins, content_words, stem, words_of

__all__ = ["check_accounted", "check_ordered"]

_HARMLESS: Final = frozenset(
    stem(one)
    for one in tomllib.loads(files(__package__).joinpath("empty_words.toml").read_text("utf-8"))["harmless"].split()
)
_HARMLESS_ZH: Final = re.compile(
    r"现在|目前|今天|今后|以后|换号|改号|从今|开始|需要|记得|麻烦|号码|数字|时间|日期|金额|负责|接手|接替|顶|替|接|该|得|算|标|记|设|"
    r"更新|修改|调整|更正|订正|变更|定|涨|降|升|提高|降低|减少|增加|上调|下调|延长|缩短|增|添|又|再|多|新|来|共|总共|一共|人民币|"
    r"[那这][门条行句项列格个些栏点]?|一?[条行句项点](?:话)?|表格?|文中|文档|删除?|去|掉|不要|取消|拿|对调|互换|调换|交换|换|均|一律|"
    r"行吗|好吗|谢|只|吧|第|写|填|作|做|还|由|至|跟|同|、|已|完|好吧"
)
# Anywhere in the message: nobody is sure, or it is only wished, or it depends on something.
_UNSURE: Final = re.compile(
    r"可能|也许|或许|大概|估计|听说|据说|听人|传闻|好像|似乎|如果|要是|假如|倘若|万一|就好了|我记得|我以为|以为|打算|考虑|"
    r"感觉|不确定|说不定|未必|不一定|\b(?:maybe|perhaps|might|possibly|probably|presumably|apparently|supposedly|"
    r"allegedly|i think|we think|thinks?|thought|guess|suppose|imagine|assum\w+|believe|heard|hear|rumou?r\w*|wish\w*|"
    r"hopefully|hope|remember\w*|recall|if|unless|not sure|unsure|wonder\w*|seems?|expect\w*)\b",
    re.IGNORECASE,
)
# In the clause that gives the value: it is denied, told by somebody, of another time, or of another place.
_DENIED: Final = re.compile(
    r"说|但|没|未|不(?!变|动)|别|勿|去年|前年|以前|之前|从前|昨天|前天|上次|上个?[月周年]|那时|当时|当年|原来|原先|曾|隔壁|别人|"
    r"别家|其他|其它|另外?一|自己|本来|差点|希望|想|明年|后年|下次|每逢|至于|比|像|一样|"
    r"\b(?:says?|said|told|tells?|claims?|claimed|writes?|reports?|reported|according|won['’]t|not|never|nobody|"
    r"no one|neither|nor|was|were|had|used to|last (?:year|month|week|time|season|summer|winter|spring|autumn|night)|"
    r"ago|yesterday|previous(?:ly)?|former(?:ly)?|once|earlier|others?|another|own|else|elsewhere|somewhere|"
    r"next (?:year|month|season|time|door)|would|could|may|like|than|compared|unlike|almost|nearly|hardly)\b|n['’]t\b",
    re.IGNORECASE,
)
_WAS: Final = re.compile(r"\b(?:was|were)\b(?!n['’]t)", re.IGNORECASE)
_NOT_OLD: Final = re.compile(
    r"(?:\bnot|\binstead of|\brather than|\bused to be|不是|并非|而非|原来是?|之前是?|原先是?|原为)\s*"
    r"(?:the|at|on|in|for|before)?\s*$",
    re.IGNORECASE,
)


def check_ordered(
    clauses: Sequence[SaidClause], at: int, steps: Sequence[JsonObject], known: str, *, is_corrected: bool = False
) -> None:
    """Ask, with the reading named, if a clause tells something but does not order it.

    `known` are words of the place; `is_corrected` if the old value is named too: the growth was 15%, not 12%.
    """
    if _doubts(clauses, at, known, is_corrected=is_corrected):
        raise OrderUnclear("not_ordered", text=clauses[at].text[:60], change=_name_change(steps))


def _doubts(clauses: Sequence[SaidClause], at: int, known: str, *, is_corrected: bool) -> bool:
    """Whether a clause, or what stands beside it, denies or doubts that a value holds now."""
    if any(_UNSURE.search(_without(one.text, known)) for one in clauses):
        return True
    text = _without(_without_old(clauses[at]), known)
    return _DENIED.search(_WAS.sub(" ", text) if is_corrected else text) is not None


def _without(text: str, known: str) -> str:
    """A text without the words that the place has itself: 未付, not paid."""
    for word in sorted({one for one in known.split("\n") if len(one) > 1}, key=len, reverse=True):
        form = rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])" if word.isascii() else re.escape(word)
        text = re.sub(form, " ", text, flags=re.IGNORECASE)
    return text


def _without_old(clause: SaidClause) -> str:
    """The clause without what it says of the old values: not 3310, 45 isn't right."""
    text = clause.text
    for one in sorted((*clause.old, *clause.new), key=lambda one: -one.start):
        before, after = text[: one.start], text[one.end :]
        if one in clause.old:
            before, after = _NOT_OLD.sub(" ", before), WRONG_AFTER.sub(" ", after, count=1)
        text = f"{before} {after}"
    return text


def check_accounted(said: str, place: str) -> None:
    """Ask about the first words of a clause that neither name the place nor say that something changes."""
    own = words_of(place)
    for word in re.findall(r"[A-Za-z][A-Za-z'’-]+", said):
        for one in content_words(word):
            if one not in own and one not in _HARMLESS and not begins(one, own):
                raise OrderUnclear("part", part=word)
    rest = re.sub(r"[^\u4e00-\u9fff]+", "的", said)
    covered = [False] * len(rest)
    for start in range(len(rest) - 1):
        if rest[start : start + 2] in place:
            covered[start] = covered[start + 1] = True
    left = "".join("的" if hit else char for char, hit in zip(rest, covered, strict=True))
    left = EMPTY_ZH.sub("的", _HARMLESS_ZH.sub("的", left))
    if found := next((one for one in re.split("的+", left) if one and one not in place), ""):
        raise OrderUnclear("part", part=found)


def _name_change(steps: Sequence[JsonObject]) -> str:
    """What the steps would do, in short."""
    made = []
    for one in steps:
        cells = one.get("cells")
        if isinstance(cells, list):
            made += [f"{cell.get('cell')} → {cell.get('value')}" for cell in cells if isinstance(cell, dict)]
        elif "find_text" in one:
            made.append(f"{one['find_text']} → {one.get('replace_text')}")
        else:
            made.append(f"→ {one.get('text') or one.get('expected') or one.get('title') or ''}".replace("\t", " | "))
    return "; ".join(made)[:120]
