"""A Gantt table from a message that is read whole: tasks by weeks."""

import re
from typing import TYPE_CHECKING, Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_title
from metier.packs.office.drafting.content._sheet_blocks import write_gantt
from metier.packs.office.drafting.lists import find_lists
from metier.packs.office.drafting.statements._rest import cut_out
from metier.packs.office.drafting.statements._sheet_words import is_sheet_read, take_sheet

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["state_gantt"]

_MIN_TASKS: Final = 2
_WEEKS: Final = (
    rf"第?\s*[1一]\s*周?\s*(?:到|至|排到|-|~|—|–)\s*第?\s*(?P<to>{COUNT})\s*周|"
    rf"(?:后面|其后|另)?(?P<cols>{COUNT})\s*列(?:都)?是周|(?:共|一共|总共|跨|跨度|历时|为期|"
    rf"在)?\s*(?P<zh>{COUNT})\s*个?(?:周|星期)(?:里|内|完成)?|"
    rf"\b(?:from )?week (?:1|one) (?:to|through) week (?P<end>{COUNT})|\b(?:(?:over|across|in|for|within|"
    rf"spanning|covering|lasting) )?(?P<en>{COUNT})[\s-]+weeks?\b"
)
_GANTT: Final = r"甘特|横道|\bgantt\b|\bschedule grid\b"
_TASKS: Final = rf"({COUNT})\s*(?:个|项|道|件|步)(?=[\u4e00-\u9fff，,、:(]|$)(?:任务|工作|工序|事情?|环节|步骤?)?"


_TASKS_TAIL: Final = re.compile(rf"(?:这|等|共)?(?:{COUNT})(?:个|件|项|道|步).*$")
_NO_TASK: Final = re.compile(
    r"^[^A-Za-z]{13,}$|[这列]|排(?![版练])|一直|直到|^从|^(?:\d+|[一二三四五六七八九十]+|two|three|four|"
    r"five|six|seven|eight)\s*(?:个|项)?(?:任务|tasks?|steps?|stages?)$|\b(?:over|across|weeks?|with|in)$|"
    r"甘特|gantt",
    re.IGNORECASE,
)


def state_gantt(text: RequestText, language: "Language") -> DraftBlock | None:
    """Tasks by weeks."""
    if not text.has(_GANTT):
        return None
    title, sheet = take_title(text), take_sheet(text)
    text.take_all(r"[一每]个?周占?[一1]列|(?:one|a) column (?:per|for each|for every) week")
    said = [next(one for one in found.groups() if one) for found in text.take_each(_WEEKS)]
    weeks = {read_count(one) for one in said}
    tasks, start = _take_tasks(text)
    if len(weeks) != 1 or None in weeks or len(tasks) < _MIN_TASKS:
        return None
    counts = {read_count(found[1]) for found in text.take_each(_TASKS)} - {1}
    if counts - {len(tasks)} or not is_sheet_read(text, "gantt", start):
        return None
    return write_gantt(tasks, weeks.pop() or 0, title, language, sheet=sheet)


def _take_tasks(text: RequestText) -> tuple[tuple[str, ...], int]:
    """The longest list of names, if as many as the message says, and where it begins."""
    found = max(find_lists(text), key=lambda one: len(one.items), default=None)
    if found is None or found.count not in (None, len(found.items)):
        return (), 0
    items = (*found.items[:-1], _TASKS_TAIL.sub("", found.items[-1]))
    if any(not one or _NO_TASK.search(one) for one in items):
        return (), 0
    end = found.start
    for item in items:
        end = text.raw.find(item, end) + len(item)
    cut_out(text, found.start, end)
    return items, found.start
