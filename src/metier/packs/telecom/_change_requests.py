"""Reads what a message wants with recommended parameters: apply them, take them back, or only know something."""

import re
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.patterns import UNDO_VERBS_ZH, compile_later, undo_verbs_en

_FEW_WORDS: Final = r"(?:\w+\s+){0,3}"
_UNDOES: Final = compile_later(rf"{UNDO_VERBS_ZH}|恢复|取消|\b(?:{undo_verbs_en(_FEW_WORDS)})\b", re.IGNORECASE)
_APPLIES: Final = compile_later(
    r"下发|写入|应用|生效|启用|执行|\b(?:apply|applied|applying|deploy|put|push|write|activate|deliver|send)\b",
    re.IGNORECASE,
)
# What is only thought of: 不行再恢复, "I can always roll back later".
_LATER: Final = compile_later(
    r"不行|不好|万一|如果|要是|大不了|到时|以后|回头|实在|出问题|\b(?:later|always|if|otherwise|in\s+case|worst)\b",
    re.IGNORECASE,
)
# Asks whether, what or who; "can you apply" and 可以下发吗 are requests.
_ASKS: Final = compile_later(
    r"(?:已经|是不是|是否|有没有|还能|能否|可不可以|会不会|还会|之后|以后|过).{0,16}(?:吗|么|没有?|[?？])|(?:了|过)(?:吗|么|没有?)"
    r"|哪些|哪几|什么|多少|(?<![那这])几[处个条]|谁|怎么|为什么|何时"
    r"|^\W*(?:can|could|may|should|must|will|would|do|does|did|has|have|had|is|are|was|were)\s+(?:i|we|it|they|the|that|this|anyone|somebody)\b"
    r"|\b(?:what|which|who|when|why|how)\b",
    re.IGNORECASE,
)
_TITLE: Final = compile_later(r"下发与撤销|apply\s+or\s+undo", re.IGNORECASE)  # the skill's own name says neither
_CELL: Final = compile_later(r"(?<![\d-])\d{3}-\d{2,3}-\d{4,}(?![\d-])")
_LIMITS: Final = compile_later(
    r"只|仅|除了|除开|以外|前\s*[\d一二三四五六七八九十]+|别动|不要动|\b(?:only|just\s+the|except|but\s+not|without|first\s+\w+)\b",
    re.IGNORECASE,
)
_CLAUSES: Final = compile_later(r"[，,；;。.!！\n]+|\bbut\b|但是?|不过")
_TEXTS: Final = Sentences(
    {
        "rows": (
            "Which of the parameters is chosen in the table of the approval: say “apply the parameters” and leave out "
            "or edit rows there, or name the cells by their ids. Nothing was changed.",
            "要下发哪几处，在批准时的表里逐行勾选或修改：请说「下发参数」，或写出小区编号。现在没有改动任何参数。",
        ),
        "undo_whole": (
            "The last application is taken back as a whole, not cell by cell. Say “undo the parameters” for all of it. "
            "Nothing was changed.",
            "撤销以最近一次下发为单位，不能只撤销其中几个小区；要全部撤销请说「撤销参数」。现在没有改动任何参数。",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """What a message asks for, and the cells it names; `told` says why neither is done."""

    applies: bool
    undoes: bool
    asks: bool
    cells: tuple[str, ...] = ()
    told: str = ""

    def to_json(self) -> JsonObject:
        """The request as a step of a plan reads it."""
        done = {"apply": self.applies, "undo": self.undoes, "asks": self.asks}
        return {**done, "cells": [*self.cells], "summary": self.told}


def read_change_request(message: str, language: Language) -> ChangeRequest:
    """Read a message: its first clause that acts decides; a restriction in words unknown here stops it."""
    clauses = [one for one in _CLAUSES.split(message) if one.strip()]
    acting = next((one for one in clauses if names_change(one)), "")
    is_undo = _UNDOES.search(_TITLE.sub("", acting)) is not None
    asks = bool(_ASKS.search(message))
    cells = tuple(dict.fromkeys(_CELL.findall(message)))
    told = ""
    if not asks and is_undo and (cells or _LIMITS.search(message)):
        told = _TEXTS.render("undo_whole", language)
    elif not asks and not cells and _LIMITS.search(message):
        told = _TEXTS.render("rows", language)
    acts = not asks and not told
    return ChangeRequest(acts and not is_undo, acts and is_undo, asks, cells, told)


def names_change(clause: str) -> bool:
    return bool(_UNDOES.search(clause) or _APPLIES.search(clause)) and not _LATER.search(clause)
