"""Requirements in the rows of a tender's table: a number, what it is about, and what is asked for."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from metier.packs.office._pieces import TextPiece

__all__ = ["RequirementRow", "find_rows"]

_CELL: Final = re.compile(r"^(t\d+)\.r(\d+)\.c(\d+)$")
_LABEL: Final = re.compile(r"^[★▲*＊]?\s*(?P<label>\d{1,3}(?:[.．]\d{1,2}){0,3})\s*[.、]?\s*[★▲*＊]?$")
_MARK: Final = re.compile(r"[★▲]|^[*＊]")
_NUMBER_HEAD: Final = re.compile(r"序号|编号|条款号|项号|no\.?|item no\.?|#", re.IGNORECASE)
_TEXT_HEAD: Final = re.compile(r"要求|参数|指标|规格|requirement|specification|parameter", re.IGNORECASE)
_NAME_HEAD: Final = re.compile(r"名称|项目|条款|内容|货物|设备|服务|item|name|description", re.IGNORECASE)
# Tables that ask for nothing: how bids are scored, and the forms that the bidder fills in.
_OTHER_HEAD: Final = re.compile(
    r"分值|评分|得分|权重|响应|偏离|报价|单价|score|points|weight|response|deviation|price", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class RequirementRow:
    """One row that asks for something, and the cell that says what."""

    label: str
    text: str
    mark: str
    piece: TextPiece


def find_rows(pieces: Sequence[TextPiece]) -> Mapping[str, RequirementRow]:
    """The row of each cell, of tables whose head names a column of requirements."""
    tables: dict[str, dict[int, dict[int, TextPiece]]] = defaultdict(lambda: defaultdict(dict))
    for piece in pieces:
        if match := _CELL.match(piece.address):
            tables[match[1]][int(match[2])][int(match[3])] = piece
    found: dict[str, RequirementRow] = {}
    for rows in tables.values():
        head = rows.get(1, {})
        named = {at: cell.text.strip() for at, cell in head.items()}
        asks = [at for at, name in named.items() if _TEXT_HEAD.search(name)]
        if not asks or any(_OTHER_HEAD.search(name) for name in named.values()):
            continue
        columns = [at for at, name in named.items() if at in asks or _NAME_HEAD.search(name)]
        number = next((at for at, name in named.items() if _NUMBER_HEAD.fullmatch(name)), 0)
        for at, cells in rows.items():
            row = _read_row(cells, columns, asks, number) if at > 1 else None
            if row is not None:
                found.update((cell.address, row) for cell in cells.values())
    return found


def _read_row(
    cells: Mapping[int, TextPiece], columns: Sequence[int], asks: Sequence[int], number: int
) -> RequirementRow | None:
    asked = [cells[at] for at in asks if at in cells and cells[at].text.strip()]
    if not asked:
        return None
    label = _LABEL.match(cells[number].text.strip()) if number in cells else None
    parts = dict.fromkeys(cells[at].text.strip() for at in columns if at in cells and cells[at].text.strip())
    mark = next((one[0] for cell in cells.values() if (one := _MARK.search(cell.text.strip()))), "")
    text = "：".join(_MARK.sub("", part).strip() for part in parts)
    return RequirementRow(label["label"] if label else "", text, mark, asked[0])
