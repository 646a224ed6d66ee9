"""Reads a message as edits of a document: every clause is an edit, an order of the other rules, or a remark."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import OrderContext
from metier.packs.office.orders._joined import join_orders
from metier.packs.office.orders._leftovers import AFTER, COURTESY
from metier.packs.office.orders._unclear import OrderNote, OrderUnclear
from metier.packs.office.orders.documents import DocumentView
from metier.packs.office.orders.edits._arranged import arrange_steps
from metier.packs.office.orders.edits._corrected import CORRECT_RULES
from metier.packs.office.orders.edits._edit import EditCall, EditRule, LineEdit
from metier.packs.office.orders.edits._everywhere import EVERY_RULES
from metier.packs.office.orders.edits._inserted import INSERT_RULES
from metier.packs.office.orders.edits._kept import keeps_remarks
from metier.packs.office.orders.edits._labels import LABEL_RULES
from metier.packs.office.orders.edits._moved import MOVE_RULES
from metier.packs.office.orders.edits._remarks import SideRemark, read_remark, read_talk, tells_of_names
from metier.packs.office.orders.edits._removed import REMOVE_RULES
from metier.packs.office.orders.edits._styled import STYLE_RULES

__all__ = ["read_edits"]

ClauseReader: TypeAlias = Callable[[str], "list[JsonObject] | None"]
_RULES: Final[tuple[EditRule, ...]] = (
    *REMOVE_RULES,
    *MOVE_RULES,
    *STYLE_RULES,
    *INSERT_RULES,
    *EVERY_RULES,
    *LABEL_RULES,
    *CORRECT_RULES,
)
_MAX_CLAUSES: Final = 14
_MAX_JOINED: Final = 7
_CUT: Final = re.compile(
    r"\s*(?:(?<!\d)[,，]|[,，](?!\d{3}(?!\d)))\s*|[;；。!?\n]+\s*|(?<=[\w%)\"'’])(?<!\bMr)(?<!\bMs)"
    r"(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<!\bNo)\.\s+(?=\S)|(?<=\")"
    r"\s+(?=(?:Also|And|Then|Plus|Next|Please)\b)|"
    r"\s+[-–—]+\s+|\s+(?:and then|and also|and|then|also|plus|but)\s+|\s+(?=so (?:that )?(?:wherever|"
    r"everywhere|please)\b)|"
    r"(?:然后|接着|并且|同时|顺便|另外|还有|而且)|(?<=[\u4e00-\u9fff\"])(?:并|再)(?=[把将给在加删])",
    re.IGNORECASE,
)
_STRONG: Final = re.compile(r"[;；。!?\n]|\.\s")
_LEAD: Final = re.compile(
    r"^(?:(?:and|then|also|plus|but|so|ok so|oh|hiya|hm+|pls)\b[\s,]*|(?:next|first|finally|lastly),\s*|"
    r"(?:并且?|再|然后|同时|顺便|另外|还有|接着|而且|诶|欸|哎呀?|嗯|哈喽|最后(?=[把将给再]))[\s,，]*)+",
    re.IGNORECASE,
)
_MARKS: Final = " \t,，。.;；!！?？"


def read_edits(
    context: OrderContext, message: str, read: ClauseReader, notes: list[tuple[int, OrderNote]]
) -> list[JsonObject] | None:
    """Steps of a message of edits; None if none of its clauses is one, or one is not understood."""
    view = DocumentView(context.reading)
    if not view.filled or context.reading.kind not in ("docx", "text"):
        return None
    found = _EditReader(EditCall(context, view, message), read, notes).read()
    if found is None or not any(isinstance(one, LineEdit) for one in found):
        return None
    groups = [list(one.steps) for one in found if isinstance(one, LineEdit)]
    steps = join_orders(groups)
    steps = arrange_steps(steps, view) if steps else None
    if steps is None:
        notes.append((_SURE, OrderNote.of("one_by_one")))
        return None
    remarks = [one for one in found if isinstance(one, SideRemark)]
    return steps if keeps_remarks(steps, remarks, view) else None


_SURE: Final = 60
_Part: TypeAlias = "LineEdit | SideRemark | str"


def _is_open(clause: str) -> bool:
    """Whether a clause ends with words after a colon that stand without quotation marks."""
    mask = RequestText(clause).mask.rstrip(_MARKS)
    return ":" in mask and not mask.endswith('"')


class _EditReader:
    """One reading of a message: where it can be divided, and what was already read."""

    def __init__(self, call: EditCall, read: ClauseReader, notes: list[tuple[int, OrderNote]]) -> None:
        self.call, self.read_order, self.notes = call, read, notes
        said = call.message.rstrip()
        mask = RequestText(said).mask
        cuts = [one.span() for one in _CUT.finditer(mask) if one.start() and one.end() < len(mask.rstrip(_MARKS))]
        self.said = said
        self.starts = [0, *(end for _, end in cuts)]
        self.ends = [*(start for start, _ in cuts), len(said)]
        self.strong = [*(_STRONG.search(mask[start:end]) is not None for start, end in cuts), True]
        self.orders: dict[str, list[JsonObject] | None] = {}

    def read(self) -> list[_Part] | None:
        if len(self.starts) > _MAX_CLAUSES or not self._has_edit():
            return None
        parts = self._read_from(0, None)
        if parts is None:
            return None
        edits = [one for one in parts if isinstance(one, LineEdit)]
        return (
            parts
            if all(read_talk(one, edits) for one in parts if isinstance(one, str) and tells_of_names(one))
            else None
        )

    def _has_edit(self) -> bool:
        """Whether any stretch of clauses is an edit, before the other rules are asked about all of them."""
        return any(
            self._read_edit(start, end, None) is not None
            for start in range(len(self.starts))
            for end in range(start, min(start + _MAX_JOINED, len(self.starts)))
        )

    def _clause(self, start: int, end: int) -> str:
        said = self.said[self.starts[start] : self.ends[end]].strip()
        return COURTESY.sub("", _LEAD.sub("", COURTESY.sub("", said)))

    def _mark_behind(self, start: int, end: int) -> str:
        """The mark that ends a sentence behind a clause."""
        found = re.match(
            r"\s*[。.!！?？]",
            self.said[self.starts[start] :][len(self.said[self.starts[start] : self.ends[end]].rstrip(_MARKS)) :],
        )
        return found[0].strip() if found else ""

    def _read_from(self, start: int, before: LineEdit | None) -> list[_Part] | None:
        """Parts from a clause on, each as short as the others allow."""
        if start == len(self.starts):
            return []
        for end in range(start, min(start + _MAX_JOINED, len(self.starts))):
            for part in self._list_readings(start, end, before):
                rest = self._read_from(end + 1, part if isinstance(part, LineEdit) else before)
                if rest is not None and self._ends_here(part, rest, end):
                    return [part, *rest]
        return None

    def _ends_here(self, part: _Part, rest: Sequence[_Part], end: int) -> bool:
        """Whether words without quotation marks can end before what follows."""
        if not isinstance(part, LineEdit) or not part.is_open or not rest:
            return True
        following = rest[0]
        if part.is_label and isinstance(following, LineEdit) and following.is_label:
            return True
        return self.strong[end] and not isinstance(following, str)

    def _list_readings(self, start: int, end: int, before: LineEdit | None) -> Iterator[_Part]:
        if (edit := self._read_edit(start, end, before)) is not None:
            yield edit
        clause = self._clause(start, end).strip(_MARKS)
        if (remark := self._read_remark(clause, before)) is not None:
            yield remark
        if end - start < 3 and (steps := self._read_order(clause)) is not None:
            yield LineEdit(tuple(steps), is_open=_is_open(clause))
        said = self.said[self.starts[start] : self.ends[end]]
        if read_talk(clause, []) or read_talk(said, []) or tells_of_names(clause):
            yield clause  # whether it is about names that change is judged when all edits are known

    def _read_remark(self, clause: str, before: LineEdit | None) -> SideRemark | None:
        return read_remark(clause, replace(self.call, before=before))

    def _read_order(self, clause: str) -> list[JsonObject] | None:
        if clause not in self.orders:
            self.orders[clause] = self.read_order(clause)
        return self.orders[clause]

    def _read_edit(self, start: int, end: int, before: LineEdit | None) -> LineEdit | None:
        clause = self._clause(start, end)
        call = replace(self.call, before=before, mark=self._mark_behind(start, end))
        bare = clause.strip(_MARKS) if not clause.endswith(('"', "”", "」")) else clause
        bare = bare if ":" in RequestText(bare).mask else AFTER.sub("", bare)
        for rule in _RULES:
            try:
                if (made := rule(call, bare)) is not None:
                    return made
            except OrderUnclear as unclear:
                if (_SURE, unclear.note) not in self.notes:
                    self.notes.append((_SURE, unclear.note))
        return None
