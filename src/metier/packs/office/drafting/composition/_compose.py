"""Blocks of a message that asks for several pieces."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

from metier.json_values import JsonObject
from metier.packs.office._request_text import CONSUMED, RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting.composition._parts import ComposedPart, cut_parts
from metier.packs.office.drafting.composition._values import check_count, read_lines, read_value
from metier.packs.office.drafting.composition._words import CENTRED, EMPHASIS
from metier.packs.office.drafting.lists import split_items

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["DraftThing", "compose_blocks"]

DraftThing = Callable[[str], "Sequence[DraftBlock]"]  # the blocks of a table, chart or list that is asked for by itself
_LEVELS: Final = {"一": 1, "二": 2, "三": 3, "first": 1, "second": 2, "third": 3}


def compose_blocks(text: RequestText, language: "Language", draft: DraftThing) -> list[DraftBlock]:
    """Blocks of all pieces in their order; empty unless each of them is read to its last word."""
    text.mask = text.mask.replace(CONSUMED, " ")
    blocks: list[DraftBlock] = []
    for part in cut_parts(text):
        made = _compose_part(text, part, language, draft, is_below=bool(blocks))
        if not made:
            return []
        blocks += made
    return list(_join(blocks))


def _compose_part(
    text: RequestText, part: ComposedPart, language: "Language", draft: DraftThing, *, is_below: bool
) -> "Sequence[DraftBlock]":
    name = part.name
    if name is None:
        return draft(_order_thing(text, part, language))
    if name["list"]:
        items = split_items(text, *read_value(text, part))
        return [_write_list(items, language, is_marked=name["marked"] is not None)] if len(items) > 1 else ()
    is_heading = name["heading"] is not None
    lines = check_count(name["some"] or name["lines"] or name["count"], read_lines(text, part, is_heading=is_heading))
    if not lines:
        return ()
    block = DraftBlock("composition", lines[0], language)
    look = text.mask[part.start : part.end]
    for line in lines:
        if is_heading:
            block.add_heading(line, _read_level(name, is_below=is_below))
        else:
            block.add("insert_text", text=line, new_paragraph_after=True)
        if re.search(EMPHASIS, look, re.IGNORECASE):
            block.add("set_text_style", bold=True)
        if re.search(CENTRED, look, re.IGNORECASE):
            block.add("apply_paragraph_style", alignment="center")
    return [block]


def _read_level(name: "re.Match[str]", *, is_below: bool) -> int:
    """Level of a heading; one whose level is not said is of the first, and a smaller one below something of the second."""
    said = next((name[one] for one in ("level", "number", "nth", "behind", "digit", "tag") if name[one]), None)
    if said is not None:
        return _LEVELS.get(said.lower(), 0) or int(said)
    is_small = name["second"] is not None or "小标题" in name[0]
    return 2 if is_small else 1


def _write_list(items: Sequence[str], language: "Language", *, is_marked: bool) -> DraftBlock:
    block = DraftBlock("composition", items[0], language)
    if is_marked:
        block.add("insert_text", text="\n".join(items), list="bullet", new_paragraph_after=True)
    else:
        block.add_numbered(items)
    return block


def _order_thing(text: RequestText, part: ComposedPart, language: "Language") -> str:
    """The words of a thing as a message of its own."""
    said = text.raw[part.start : part.end].strip(" \n\t,，;；")
    return f"插入{said}" if language == "zh" else f"Insert {said if re.match(r'an? ', said) else f'a {said}'}"


def _join(blocks: Sequence[DraftBlock]) -> Iterator[DraftBlock]:
    """Texts that follow each other are one block."""
    open_block: DraftBlock | None = None
    for block in blocks:
        if block.kind != "composition":
            open_block = None
            yield block
        elif open_block is None:
            open_block = block
            yield block
        else:
            open_block.actions += _number(block.actions, len(open_block.actions))


def _number(actions: Sequence[JsonObject], start: int) -> list[JsonObject]:
    return [{**one, "id": f"a{at}"} for at, one in enumerate(actions, start + 1)]
