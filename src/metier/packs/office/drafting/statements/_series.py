"""A series from a message that is read whole: names with a number each, and a chart of them."""

import re
from typing import TYPE_CHECKING, Final

from metier.language import choose
from metier.packs.office._counts import COUNT, PERIODS, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_title
from metier.packs.office.drafting.content._charts import ChartData, name_labels, name_measure
from metier.packs.office.drafting.content._sheet_blocks import write_series
from metier.packs.office.drafting.statements._points import DAYS, take_points
from metier.packs.office.drafting.statements._sheet_words import is_sheet_read, take_halves, take_sheet

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["state_series"]

_KINDS: Final = (
    (
        4,
        r"[折曲]线的?(?:统计)?图?|[趋走]势图|\bline[ -]?(?:chart|graph|diagram|plot)s?\b|\b(?:as|in|"
        r"with) an? line\b(?! break)",
    ),
    (
        51,
        r"柱[状形子]?的?(?:统计)?图表?|柱[状形子]|\b(?:(?:vertical )?(?:bar|column)[ -](?:chart|graph|"
        r"diagram)s?|(?:(?:as|"
        r"in|with) )?(?:vertical )?bars)\b",
    ),
    (5, r"饼[状形]?的?(?:统计)?图|\bpie[ -]?(?:chart|graph)s?\b"),
    (57, r"条形图|\bhorizontal bar(?: chart)?s?\b"),
)

_LEFT: Final = r"(?P<a>[\u4e00-\u9fff]{1,4})(?:放|写|排)?在左(?:边|列|侧)?"
_TWO_COLUMNS: Final = (
    r"(?:在|按|放在?|分|放成|占)[两二2]列(?:里|并排|挨着)?|\b(?:in |into )?two columns(?: next to each other|"
    r" side by side)?\b"
)
_MIN_POINTS: Final = 2


def state_series(text: RequestText, language: "Language") -> DraftBlock | None:
    """Names with a number each and a chart of them."""
    title = take_title(text)
    points = take_points(text)
    names = [one.name for one in points]
    if len(points) < _MIN_POINTS or len(set(names)) < len(names) or len({one.units for one in points}) > 1:
        return None
    if not _spans_agree(text, names):
        return None
    sheet = take_sheet(text)
    label, measure = _name_columns(text, names, language)
    text.take_all(_TWO_COLUMNS)
    if not _counts_agree(text, len(points)):
        return None
    kinds = [number for number, form in _KINDS for _ in range(text.take_all(form))]
    if len(kinds) != 1 or not is_sheet_read(text, "series", points[0].start):
        return None
    measure = measure or name_measure(RequestText(text.raw)) or choose(language, zh="数值", en="Value")
    kind = kinds[0]
    unit = points[0].units[0]
    head = f"{measure}（{unit}）" if unit and unit not in measure else measure
    data = ChartData(label, head, tuple((one.name, one.numbers[0]) for one in points), unit)
    return write_series(data, kind, title, language, sheet)


_POINT: Final = rf"(?:{PERIODS}|{DAYS}|[一二三四1-4]季度|\d{{1,2}}|(?:19|20)\d\d)"
_SPAN: Final = re.compile(rf"({_POINT})\s*(?:到|至|-|—|~|\bto\b|\bthrough\b)\s*({_POINT})", re.IGNORECASE)
_HALF: Final = re.compile(r"[上下]半年|全年|\b(?:first|second) half\b|\b(?:whole|full) year\b", re.IGNORECASE)


def _spans_agree(text: RequestText, names: list[str]) -> bool:
    """Whether a span that the message names begins and ends with what it gives: 周一到周五的客流."""
    for found in _SPAN.finditer(text.mask):
        if not names[0].startswith(found[1]) or not names[-1].startswith(found[2]):
            return False
    return all(len(names) in ((12, 4) if found[0][0] in "全wf" else (6, 2)) for found in _HALF.finditer(text.mask))


def _counts_agree(text: RequestText, count: int) -> bool:
    """Whether every count of what is drawn is as many as there are: 四根柱子, “six bars”, 四个班."""
    form = (
        rf"(?P<zh>{COUNT})(?:根|个|家|条|类|间|所|座|门|款|处)(?=[\u4e00-\u9fff])(?!月|小时|季度)|"
        rf"(?<![\w-])(?P<en>{COUNT})(?= (?:bars|points|columns(?!,? next)|quarters|months|weeks|days|shops|items))"
    )
    said = [found["zh"] or found["en"] for found in text.take_each(form)]
    return all(read_count(one) in (count, 1) for one in said)


def _name_columns(text: RequestText, names: list[str], language: "Language") -> tuple[str, str]:
    """What the two columns are called: as the message says, else by what the names and numbers are."""
    if halves := take_halves(text):
        return halves[0][:1].upper() + halves[0][1:], halves[1][:1].upper() + halves[1][1:]
    left = text.take(_LEFT)
    return left["a"] if left else name_labels(names, language), ""
