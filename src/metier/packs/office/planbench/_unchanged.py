"""What was in a file before is there as it was."""

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

from metier.json_values import JsonValue
from metier.packs.office.planbench._reopen_docx import ReopenedDocx

__all__ = ["check_elements", "check_order", "check_parts"]


def check_order(found: Sequence[str], wanted: Sequence[str]) -> str:
    """Empty if everything wanted is found in this order; else the first that is not."""
    left = iter(found)
    missing = [one for one in wanted if not any(one in other for other in left)]
    return f"missing or out of order: {missing[0][:80]!r}" if missing else ""


def check_elements(before: ReopenedDocx, after: ReopenedDocx, asserts: Sequence[tuple[str, JsonValue]]) -> str:
    """Empty if the elements of a document are there as they were; a look that other asserts ask for is no change."""
    restyled = _list_restyled(before, after, [(kind, str(value)) for kind, value in asserts])
    return check_order(*(_list_elements(one, restyled) for one in (after, before)))


def _list_elements(opened: ReopenedDocx, restyled: set[str]) -> list[str]:
    """Elements as XML; of lines that get another look, their text."""
    texts = {line.place: line.text for line in opened.lines if line.text in restyled}
    return [texts.get(place, element) for place, element in enumerate(opened.elements)]


def _list_restyled(before: ReopenedDocx, after: ReopenedDocx, asserts: Sequence[tuple[str, str]]) -> set[str]:
    """Lines of the document whose look the asserts ask for."""
    listed = {line.text for line in after.lines if line.is_listed}
    is_list = any(kind == "list_items" for kind, _ in asserts)
    return {
        one.text
        for one in before.lines
        if any(
            (kind == "bold" and value == one.text) or (kind == "heading" and value in one.text)
            for kind, value in asserts
        )
        or (is_list and one.text in listed)
    }


def check_parts(before: Path, after: Path) -> str:
    """Empty if every sheet and slide has the bytes it had; which sheet is shown does not count."""
    old, new = _read_parts(before), _read_parts(after)
    kept = [name for name in old if re.search(r"/(?:worksheets/sheet|slides/slide)\d+\.xml$", name)]
    changed = [name for name in kept if old[name] not in new.values()]
    return f"changed parts: {changed}" if changed else ""


def _read_parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as package:
        return {name: package.read(name).replace(b' tabSelected="1"', b"") for name in package.namelist()}
