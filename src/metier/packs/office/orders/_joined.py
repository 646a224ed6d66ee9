"""Steps of several orders in one message: put in an order in which each still finds its place."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.orders._context import DEFAULT_SCOPE

__all__ = ["join_orders"]

# Steps after which slides, rows or columns have other numbers.
_SHIFTS: Final = frozenset(
    {"add_slide", "delete_slide", "duplicate_slide", "reorder_slides", "insert_lines", "delete_lines"}
)


def join_orders(groups: Sequence[Sequence[JsonObject]]) -> list[JsonObject] | None:
    """One list of the steps of all orders; None if two of them would be in each other's way.

    Orders name slides, rows and columns as they are now: those that shift them come last, and only one may.
    """
    listed = [list(one) for one in groups if one]
    moving = [one for one in listed if any(step["op"] in _SHIFTS for step in one)]
    staying = [one for one in listed if one not in moving]
    ops = {str(step["op"]) for one in listed for step in one}
    if "sort_range" in ops and "delete_lines" in ops:
        return _delete_then_sort(listed)
    if len(moving) > 1:
        steps = [step for one in moving for step in one]
        ends = [step for step in steps if step["op"] == "add_slide" and "position" not in step]
        rest = [step for step in steps if step not in ends]
        if any(step["op"] != "delete_slide" for step in rest):
            return None
        moving = [sorted(rest, key=lambda step: -int(str(step.get("slide_index", 0)))), ends]
    made: list[JsonObject] = []
    for one in (*staying, *moving):
        made += [step for step in one if step not in made]
    is_unclear = _overlap(listed) or _touches_deleted(listed) or _contradict(made)
    return None if len(listed) > 1 and is_unclear else _merge_looks(_merge_frozen(made))


def _merge_frozen(steps: Sequence[JsonObject]) -> list[JsonObject]:
    """The steps with one place for what is frozen on a sheet: the first row and the first column are B2."""
    made: list[JsonObject] = []
    for step in steps:
        at = next((at for at, one in enumerate(made) if _freezes_same(one, step)), None)
        if at is None:
            made.append(step)
            continue
        ends = [re.fullmatch(r"(.*?)([A-Z]+)(\d+)", str(one["cell"])) for one in (made[at], step)]
        if all(ends):
            column = max((one[2] for one in ends if one), key=lambda one: (len(one), one))
            row = max(int(one[3]) for one in ends if one)
            made[at] = {**made[at], "cell": f"{ends[0][1] if ends[0] else ''}{column}{row}"}
    return made


def _freezes_same(one: JsonObject, step: JsonObject) -> bool:
    is_freeze = one["op"] == step["op"] == "freeze_panes" and "cell" in one and "cell" in step
    return is_freeze and one.get("sheet_name") == step.get("sheet_name")


def _merge_looks(steps: Sequence[JsonObject]) -> list[JsonObject]:
    """The steps with one look for the same paragraphs instead of several that have nothing in common."""
    made: list[JsonObject] = []
    for step in steps:
        at = next((at for at, one in enumerate(made) if _joins_look(one, step)), None)
        if at is None:
            made.append(step)
        else:
            made[at] = {**made[at], **step}
    return made


def _joins_look(one: JsonObject, step: JsonObject) -> bool:
    is_look = one["op"] == step["op"] == "apply_paragraph_style" and one.get("addresses") == step.get("addresses")
    return is_look and not (set(one) & set(step)) - {"op", "addresses", DEFAULT_SCOPE}


def _delete_then_sort(groups: Sequence[Sequence[JsonObject]]) -> list[JsonObject] | None:
    """Rows deleted by their number before what is left of the range is sorted; None if there is more than that.

    Formulas and other ranges would name rows that have moved, and which row is the last depends on what comes first.
    """
    steps = [step for one in groups for step in one]
    sorts = [step for step in steps if step["op"] == "sort_range"]
    deletes = [step for step in steps if step["op"] == "delete_lines"]
    rows = [row for step in deletes for row in _list(step.get("lines"))]
    is_known = len(deletes) == 1 and steps[0] is deletes[0] and all(row.isdigit() for row in rows)
    if not is_known or len(sorts) + 1 != len(steps):
        return None
    gone = {int(row) for row in rows}
    shortened = [_shorten(step, gone) for step in sorts]
    return None if any(one is None for one in shortened) else [*deletes, *(one for one in shortened if one is not None)]


def _shorten(step: JsonObject, gone: set[int]) -> JsonObject | None:
    """A step about a range without the rows that are gone; None if the range begins behind one of them."""
    found = re.fullmatch(r"(?P<first>.*?[A-Z]+(?P<top>\d+):[A-Z]+)(?P<last>\d+)", str(step.get("range")))
    if found is None or min(gone) <= int(found["top"]):
        return None
    last = int(found["last"])
    return {**step, "range": f"{found['first']}{last - sum(row <= last for row in gone)}"}


def _contradict(steps: Sequence[JsonObject]) -> bool:
    """Whether the same words of one place would become two others, or words that another order changes."""
    replaced = [step for step in steps if step["op"] == "replace_text"]
    places = [tuple(str(step.get(name)) for name in ("find_text", "address", "occurrence")) for step in replaced]
    # 把甲改成乙，把乙改成甲: the second one would change what the first one wrote.
    is_chain = bool({str(one["find_text"]) for one in replaced} & {str(one.get("replace_text")) for one in replaced})
    return is_chain or len(set(places)) < len(places)


def _touches_deleted(groups: Sequence[Sequence[JsonObject]]) -> bool:
    """Whether an order is only about slides, rows, columns or paragraphs that another order deletes."""
    for at, one in enumerate(groups):
        gone = {place for step in one for place in _list_deleted(step)}
        others = [step for number, other in enumerate(groups) if number != at for step in other]
        if gone and any(step not in one and _is_within(step, gone) for step in others):
            return True
    return False


def _list_deleted(step: JsonObject) -> set[str]:
    """Names of what a step deletes."""
    match step["op"]:
        case "delete_slide":
            return {f"slide {step.get('slide_index')}"}
        case "delete_lines":
            return {f"line {one}" for one in _list(step.get("lines"))}
        case "delete_paragraphs":
            return set(_list(step.get("addresses")))
        case _:
            return set()


def _is_within(step: JsonObject, gone: set[str]) -> bool:
    """Whether all places that a step names are among these."""
    if "slide_index" in step:
        return f"slide {step['slide_index']}" in gone
    if step["op"] in ("delete_lines", "hide_lines", "set_line_size"):
        lines = _list(step.get("lines"))
        return bool(lines) and all(f"line {one}" in gone for one in lines)
    areas = [str(step[name]) for name in ("range", "cell") if name in step] or sorted(_cells(step))
    if areas:
        return all(_is_area_within(one, gone) for one in areas)
    named = _list(step.get("addresses")) or _list(step.get("address"))
    return bool(named) and all(one in gone for one in named)


def _is_area_within(area: str, gone: set[str]) -> bool:
    ends = re.findall(r"\$?([A-Z]+)\$?(\d+)", area.rpartition("!")[2])
    if not ends:
        return False
    rows = range(int(ends[0][1]), int(ends[-1][1]) + 1)
    if ends[0][0] == ends[-1][0] and f"line {ends[0][0]}" in gone:
        return True
    return len(rows) <= len(gone) and all(f"line {row}" in gone for row in rows)


def _list(value: JsonValue) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [] if value is None else [str(value)]


def _overlap(groups: Sequence[Sequence[JsonObject]]) -> bool:
    """Whether two orders write to the same cells."""
    seen: set[str] = set()
    for one in groups:
        own = {cell for step in one for cell in _cells(step)}
        if own & seen:
            return True
        seen |= own
    return False


def _cells(step: JsonObject) -> set[str]:
    """Cells that a step fills: single ones, and the first of a filled range."""
    if step["op"] == "set_cell_formula":
        return {re.split(r":", str(step["cell"]))[0]}
    listed = step.get("cells")
    if step["op"] != "set_cells" or not isinstance(listed, list):
        return set()
    return {str(one.get("cell")) for one in listed if isinstance(one, dict)}
