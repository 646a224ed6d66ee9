"""Reads what a message wants with recommended parameters: apply them, take them back, or only know something."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, join_names
from metier.packs.telecom.changes import _words
from metier.packs.telecom.changes._bounds import ChangeBounds
from metier.packs.telecom.changes._reading import ReadBounds, read_bounds
from metier.packs.telecom.twin import Scenario
from metier.patterns import compile_later

_UNDOES: Final = compile_later(_words.UNDOES, re.IGNORECASE)
_APPLIES: Final = compile_later(_words.APPLIES, re.IGNORECASE)
# Verbs that are about little else than parameters; the others may be about a text or a table.
_SURELY_APPLIES: Final = compile_later(
    r"下发|生效|\b(?:appl(?:y|ying)|deploy|push|roll\s+out|activate)\b", re.IGNORECASE
)
_DELIVERS: Final = compile_later(
    r"下发|\b(?:apply|deploy|push|roll\s+out|activate)\b.*\b(?:tilts?|azimuths?|cells?)\b", re.IGNORECASE
)
_APPLIES_THEM: Final = compile_later(
    r"下发|\b(?:apply|deploy|push|roll\s+out|activate)\b.*\b(?:them|ones|parameters?|cells?|tilts?)\b", re.IGNORECASE
)
_LATER: Final = compile_later(_words.LATER, re.IGNORECASE)
# Asks whether, what or who; "can you apply" and 可以下发吗 are requests.
_ASKS: Final = compile_later(
    r"(?:已经|是不是|是否|有没有|还能|能否|可不可以|会不会|还会|之后|以后|过).{0,16}(?:吗|么|没有?|[?？])|(?:了|过)(?:吗|么|没有?)"
    r"|哪些|哪几|什么|多少|(?<![那这])几[处个条]|谁|怎么|为什么|何时"
    r"|^\W*(?:can|could|may|should|must|will|would|do|does|did|has|have|had|is|are|was|were)\s+(?:i|we|it|they|the|that|this|anyone|somebody)\b"
    r"|\b(?:what|which|who|when|why|how)\b",
    re.IGNORECASE,
)
_RELATIVE: Final = compile_later(
    r"\b(?:cells?|ones?|changes?)\s+which\b|\b(?:back|undo|revert|restore|apply)\s+what\b", re.IGNORECASE
)
_UNDONE_THING: Final = compile_later(_words.UNDONE_THING, re.IGNORECASE)
_ORDERS_APPLY: Final = compile_later(_words.ORDERS_APPLY, re.IGNORECASE)
_PARTS: Final = compile_later(
    r"再(?=撤|下发|恢复|取消|回)|然后|接着|之前|之后|以后|后(?!来)|并(?!行)|\b(?:and|then|after|before)\b",
    re.IGNORECASE,
)
# Said of an order, that it can be taken back: 反正能撤销, "it can be undone".
_CAN_UNDO: Final = compile_later(
    r"反正|[能可]以?(?:随时)?(?:再|被)?(?:撤|恢|回|取|还)|\b(?:can|could|anyway)\b", re.IGNORECASE
)
_TITLE: Final = compile_later(r"下发与撤销|apply\s+or\s+undo", re.IGNORECASE)  # the skill's own name says neither
_CLAUSES: Final = compile_later(r"[，,；;。.!！\n]+|\bbut\b|但是?|不过")
_ONLY: Final = compile_later(_words.ONLY, re.IGNORECASE)
_NO: Final = compile_later(r"[不别勿甭]|not?|never|don'?t|don", re.IGNORECASE)
_MAX_QUOTED: Final = 3
_TEXTS: Final = Sentences(
    {
        "rows": (
            "Which of the parameters? Name cells, sites, a kind (“only the tilts”) or how many cells (“the "
            "3 cells that improve most”), or say “apply the parameters” and choose rows in the table of the approval. "
            "Nothing was changed.",
            "要下发哪些？可以说小区编号、站点、参数（「只下发下倾角」）或几个小区（「改善最大的3个小区」），"
            "也可以说「下发参数」，在批准时的表里逐行勾选。现在没有改动任何参数。",
        ),
        "unread": (
            "I could not read {words}: it may limit what is applied, so nothing was changed. What I can read: cells by "
            "their ids, sites, 4G or 5G, kinds of parameters, and the N cells that improve most or are worst. For all "
            "of them say “apply the parameters”; rows can be left out at the approval.",
            "没有读懂{words}：它可能限定了要下发的内容，所以没有改动任何参数。能读懂的限定有：小区编号、站点、4G或5G、"
            "参数种类，以及改善最大或最差的几个小区。要下发全部，请说「下发参数」，批准时还可以去掉不要的行。",
        ),
        "declined": ("Nothing was applied and nothing was taken back.", "没有下发，也没有撤销任何参数。"),
        "count": (
            "How many cells? Say for example “apply the parameters of the 3 cells that improve most”. Nothing was "
            "changed.",
            "要几个小区？例如「下发改善最大的3个小区的参数」。现在没有改动任何参数。",
        ),
        "gain_units": (
            "Gains are counted in two units (points of the goal; for neighbours, of the handover success), so changes "
            "cannot be ranked across both. Name the kind: “the 3 tilt changes with the highest gain”, or say “the 3 "
            "cells that improve most”. Nothing was changed.",
            "增益有两种单位（目标分；增配邻区是切换成功率的百分点），不能混在一起排。请说出种类（「增益最大的3条下倾角」），"
            "或说「改善最大的3个小区」。现在没有改动任何参数。",
        ),
        "unclear": (
            "These limits do not fit together, or it is not clear what they leave out. Say what shall be applied in "
            "one sentence, such as “only the tilts of 460-00-100031”. Nothing was changed.",
            "这些限定互相矛盾，或看不出要去掉的是哪些。请用一句话说要下发什么，例如「只下发460-00-100031的下倾角」。"
            "现在没有改动任何参数。",
        ),
        "both": (
            "This asks to apply parameters and to take some back. Say one of the two first: “undo the parameters”, or "
            "what shall be applied. Nothing was changed.",
            "这句话既要下发又要撤销。请先说其中一件：「撤销参数」，或者要下发什么。现在没有改动任何参数。",
        ),
        "undo_whole": (
            "The last application is taken back as a whole, not cell by cell. Say “undo the parameters” for all of it. "
            "Nothing was changed.",
            "撤销以最近一次下发为单位，不能只撤销其中一部分；要全部撤销请说「撤销参数」。现在没有改动任何参数。",
        ),
        "quoted": ("“{word}”", "「{word}」"),
    }
)


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """What a message asks for, and which changes it means; `told` says why neither is done."""

    applies: bool
    undoes: bool
    asks: bool
    bounds: ChangeBounds = field(default_factory=ChangeBounds)
    told: str = ""

    def to_json(self) -> JsonObject:
        """The request as a step of a plan reads it."""
        done = {"apply": self.applies, "undo": self.undoes, "asks": self.asks}
        return {**done, **self.bounds.to_json(), "summary": self.told}


def read_change_request(
    message: str, language: Language, scenario: Scenario | None = None, names: Iterable[str] = ()
) -> ChangeRequest:
    """Read a message: its first clause that acts decides; a restriction that is not understood stops it.

    `names` are the names of the scenario's place, which limit nothing.
    """
    is_undo = _UNDOES.search(_TITLE.sub("", _find_acting(message))) is not None
    if asks_about_changes(message):
        return ChangeRequest(False, False, True)
    found = read_bounds(_TITLE.sub("", message), scenario, names)
    code = _find_mixture(_TITLE.sub("", message)) or _find_problem(found, is_undo=is_undo)
    if code or found.bounds is None:
        quoted = [_TEXTS.render("quoted", language, word=one) for one in found.unread[:_MAX_QUOTED]]
        told = _TEXTS.render(code, language, words=join_names(quoted, language))
        return ChangeRequest(False, False, False, told=told)
    return ChangeRequest(not is_undo, is_undo, False, found.bounds)


def _find_mixture(message: str) -> str:
    """Code of the sentence about a message that orders to apply and to take back, or to apply what was taken back."""
    said, undone_things = _UNDONE_THING.subn(" ", message)
    clauses = [one for one in _CLAUSES.split(said) if not _LATER.search(one)]
    orders = [_name_order(part) for one in clauses for part in _PARTS.split(one)]
    if undone_things and "apply" in orders:
        return "rows"  # what was in force then may be other rows than those that are recommended now
    return "both" if {"apply", "undo"} <= {*orders} else ""


def _name_order(part: str) -> str:
    if _UNDOES.search(part):
        return "" if _CAN_UNDO.search(part) else "undo"
    return "apply" if _ORDERS_APPLY.search(part) else ""


def _find_problem(found: ReadBounds, *, is_undo: bool) -> str:
    """Code of the sentence that says why a request cannot be carried out as it was said; empty if it can."""
    bounds = found.bounds
    is_limited = found.lacks_count or bounds is None or bool(bounds)
    if bounds is not None and not is_limited and found.unread and all(map(_NO.fullmatch, found.unread)):
        return "declined"
    if is_undo and (is_limited or found.unread):
        return "undo_whole" if is_limited else "unread"
    if found.unread:
        return "rows" if all(_ONLY.fullmatch(one) for one in found.unread) else "unread"
    if found.lacks_count:
        return "count"
    if bounds is None:
        return "unclear"
    return "gain_units" if bounds.mixes_gains else ""


def asks_about_changes(message: str) -> bool:
    """Whether a message only asks what was or would be changed."""
    return _ASKS.search(_RELATIVE.sub(" ", message)) is not None


def limits_change(message: str, scenario: Scenario | None, names: Iterable[str]) -> bool:
    """Whether a message is an order to apply some of the parameters, whatever it says of the rest."""
    acting = _find_acting(message)
    if not acting or asks_about_changes(message) or _UNDOES.search(acting):
        return False
    found = read_bounds(message, scenario, names)
    if found.lacks_count or found.bounds is None or found.bounds:
        return _SURELY_APPLIES.search(acting) is not None or not found.unread
    return bool(found.unread) and _APPLIES_THEM.search(acting) is not None


def limits_delivery(message: str) -> bool:
    """Whether a message is such an order by itself, in whatever conversation: it speaks of delivering parameters."""
    return _DELIVERS.search(message) is not None and limits_change(message, None, ())


def _find_acting(message: str) -> str:
    """The first clause that applies or takes back; empty if none does."""
    clauses = (one for one in _CLAUSES.split(message) if one.strip())
    return next((one for one in clauses if names_change(one)), "")


def names_change(clause: str) -> bool:
    return bool(_UNDOES.search(clause) or _APPLIES.search(clause)) and not _LATER.search(clause)
