"""Reads a message as orders about the open sheet, each on the sheet that those before it leave."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._assurances import keeps_promises, read_promise
from metier.packs.office.orders._context import OrderContext
from metier.packs.office.orders._leftovers import AFTER, COURTESY, is_chatter
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._view import list_places
from metier.packs.office.orders.workbooks.ordinary._columns import COLUMN_RULES
from metier.packs.office.orders.workbooks.ordinary._marks import MARK_RULES
from metier.packs.office.orders.workbooks.ordinary._rows import ROW_RULES
from metier.packs.office.orders.workbooks.ordinary._state import SheetOrder, SheetState, overwrites
from metier.packs.office.orders.workbooks.ordinary._totals import TOTAL_RULES
from metier.packs.office.orders.workbooks.ordinary._words import names_new_sheet, strip_sheet

__all__ = ["read_sheet_orders"]

ReadClause = Callable[[str, OrderContext], "list[JsonObject] | None"]
_RULES: Final = (*ROW_RULES, *COLUMN_RULES, *TOTAL_RULES, *MARK_RULES)
_MAX_CLAUSES: Final = 14
_MAX_JOINED: Final = 6
_CUT: Final = re.compile(
    r"\s*(?:(?<!\d)[,，]|[,，](?!\d{3}(?!\d)))\s*|[;；。!?！？\n]+\s*|(?<=[\w%)\"'”])\.\s+(?=\S)|…+|"
    r"\s+(?:and then|and also|and|then|also|plus)\s+|(?:然后|接着|并且|同时|顺便|另外|还有|而且)|"
    r"(?<=[\u4e00-\u9fff\"])(?:并|再)(?=[把将给对在加按来删插])",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:(?:and|then|also|plus|but|so|ok|oh|next|first|finally|lastly|can you|could you|please|pls)\b[\s,]*|"
    r"(?:并且?|再|然后|同时|顺便|另外|还有|接着|而且|最后(?=[把将给按加])|先|请|那个|凡是?)[\s,，]*)+",
    re.IGNORECASE,
)
_SIGNS: Final = " \t,，。.;；!！?？…"
_TALK: Final = re.compile(
    r"(?:just )?(?:a )?quick (?:one|question|thing)|(?:sorry,? )?(?:it'?s )?me again|sorry|hi|hello|谢谢|嗯+|"
    r"你好|您好|辛苦了?|哈",
    re.IGNORECASE,
)
_BY_FORMULA: Final = re.compile(
    r"(?:都|全部?)?(?:要|请|记得)?(?:用|写|是)?公式(?:哈|计算|算|求和|来算)?|(?:all )?(?:by|with|as|"
    r"using) (?:a |live )?formulas?"
    r"(?: so (?:that )?it (?:follows|updates|changes|adjusts)(?: if .{1,30}| when .{1,30}| by itself)?)?",
    re.IGNORECASE,
)
_BY_RULE: Final = re.compile(
    r"(?:as |with |by )?(?:an? )?(?:conditional )?(?:format(?:ting)? )?rules?,? not by hand|not by hand|"
    r"用规则[,，]?(?:别|不要)手(?:动|工)?(?:标|填|涂)|"
    r"(?:要)?用条件格式|(?:别|不要|不)(?:要)?手动(?:标|填|涂)?",
    re.IGNORECASE,
)
_ROWS_STAY: Final = re.compile(
    r"(?:please )?(?:don'?t|do not) (?:touch|change|alter|move) the (?:other |existing |first |old |two |"
    r"three )*(?:rows?|numbers|values|data|entries)|"
    r"(?:其他|其它|原来|原有|已有|前面|上面)的?(?:两|三|几)?(?:行|数据|数字|内容)(?:都|就)?(?:别|不要|不用|不)(?:动|改|变)",
    re.IGNORECASE,
)
_IN_SIGHT: Final = re.compile(
    r"(?:往下)?(?:滚动|滚|翻|拉)(?:的?时候?)?(?:也|都|还|一直|始终|能|可以|要)*(?:看到|看见|看得到|看得见|"
    r"可见|在)|(?:so )?(?:it|that it) stays (?:visible|in view)(?: when .{1,20})?",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"第[一二三四五六七八九十\d]+[行列]|\brow \d|(?<![A-Za-z])[A-Z]{1,2}\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Remark:
    """A clause beside the orders: what it says must hold of the steps."""

    said: str
    kind: str


@dataclass(frozen=True, slots=True)
class _OrderClause:
    said: str
    order: SheetOrder


def read_sheet_orders(context: OrderContext, message: str, read: ReadClause) -> list[JsonObject] | None:
    """Steps of a message about the open sheet; None unless each of its clauses is read to the last word."""
    reading = context.reading
    places = list_places(reading)
    if names_new_sheet(message):
        return None
    if reading.kind != "xlsx" or len([one for one in reading.sheets if not one.hidden]) != 1 or len(places) != 1:
        return None
    said = strip_sheet(message, context, places[0].sheet)
    return _OpenSheetReader(context, said, read, SheetState(context, places[0].sheet)).read()


class _OpenSheetReader:
    """One reading of a message: where it can be divided, and the orders found so far."""

    def __init__(self, context: OrderContext, said: str, read: ReadClause, state: SheetState) -> None:
        self.said, self.read_order, self.state = said.rstrip(), read, state
        mask = RequestText(self.said).mask
        cuts = [one.span() for one in _CUT.finditer(mask) if one.start() and one.end() < len(mask.rstrip(_SIGNS))]
        self.starts = [0, *(end for _, end in cuts)]
        self.ends = [*(start for start, _ in cuts), len(self.said)]

    def read(self) -> list[JsonObject] | None:
        if not self.said or len(self.starts) > _MAX_CLAUSES:
            return None
        parts = self._read_from(0, self.state)
        clauses = [one for one in parts or () if isinstance(one, _OrderClause)]
        steps = self._write(clauses) if clauses else None
        remarks = [one for one in parts or () if isinstance(one, _Remark)]
        is_kept = steps is not None and all(_is_kept(one, steps, self.state.context.reading) for one in remarks)
        return steps if is_kept else None

    def _read_from(self, start: int, state: SheetState) -> list[_OrderClause | _Remark] | None:
        """Parts from a clause on, each as short as the others allow."""
        if start == len(self.starts):
            return []
        for end in range(start, min(start + _MAX_JOINED, len(self.starts))):
            for part, after in self._list_readings(start, end, state):
                if (rest := self._read_from(end + 1, after)) is not None:
                    return [part, *rest]
        return None

    def _list_readings(
        self, start: int, end: int, state: SheetState
    ) -> Iterator[tuple[_OrderClause | _Remark, SheetState]]:
        said = _tidy(self.said[self.starts[start] : self.ends[end]])
        if not said:
            yield _Remark("", "talk"), state
        elif kind := _name_remark(said):
            yield _Remark(said, kind), state
        if (order := self._read_clause(said, state)) is not None and (after := state.follow(order)) is not None:
            yield _OrderClause(said, order), after

    def _read_clause(self, said: str, state: SheetState) -> SheetOrder | None:
        for rule in _RULES:
            try:
                if (order := rule(state, RequestText(said))) is not None:
                    return order
            except OrderUnclear:
                continue
        if state.is_closed:
            return None
        steps = self.read_order(said, state.context)
        return SheetOrder(tuple(steps)) if steps else None

    def _write(self, clauses: Sequence[_OrderClause]) -> list[JsonObject] | None:
        """Steps of all clauses; what only shows is written last, for the cells that there are then."""
        state, late = self.state, []
        steps: list[JsonObject] = []
        for at, clause in enumerate(clauses):
            if clause.order.shows and not clause.order.cells and not all(one.order.shows for one in clauses[at:]):
                late.append(clause)
                continue
            steps += clause.order.steps
            after = state.follow(clause.order)
            if after is None:
                return None
            state = after
        if late and any(_NUMBERED.search(one.said) for one in late):
            return None  # a row that is named by its number may be another one then
        for clause in late:
            order = self._read_clause(clause.said, state)
            if order is None:
                return None
            steps += order.steps
        return steps


def _tidy(said: str) -> str:
    """A clause without what leads to it and the courtesies around it."""
    bare = said.strip(_SIGNS)
    for _ in range(2):
        bare = COURTESY.sub("", _LEAD.sub("", bare)).strip(_SIGNS)
    bare = AFTER.sub("", bare) or bare
    return re.sub(r"\s+(?:too|as well|also)$", "", bare)


def _name_remark(said: str) -> str:
    """What kind of remark a clause is; empty if it may be an order."""
    forms = (("formula", _BY_FORMULA), ("rule", _BY_RULE), ("stay", _ROWS_STAY), ("freeze", _IN_SIGHT), ("talk", _TALK))
    found = next((kind for kind, form in forms if form.fullmatch(said)), "")
    return found or read_promise(said) or ("talk" if is_chatter(said) else "")


def _is_kept(remark: _Remark, steps: Sequence[JsonObject], reading: Reading) -> bool:
    """Whether the steps do what a remark says of them."""
    ops = {str(one["op"]) for one in steps}
    match remark.kind:
        case "rule":
            return "set_conditional_format" in ops
        case "stay" | "others":
            return not ops & {"sort_range", "insert_lines", "delete_lines"} and not overwrites(steps, reading)
        case "freeze":
            return "freeze_panes" in ops
        case "header":
            return True  # no order here writes to the header or moves it
        case "talk":
            return True
        case kind:
            return keeps_promises(steps, (kind,))
