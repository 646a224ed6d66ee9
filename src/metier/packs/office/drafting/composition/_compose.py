"""Blocks of a message that asks for several pieces."""

import re
from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject
from metier.language import choose
from metier.packs.office._request_text import CONSUMED, RequestText
from metier.packs.office.drafting._asides import holds_anyway, is_spoken
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting.composition._parts import ComposedPart, cut_parts
from metier.packs.office.drafting.composition._tables import read_table, write_table
from metier.packs.office.drafting.composition._values import check_count, read_items, read_lines
from metier.packs.office.drafting.composition._words import CENTRED, EMPHASIS

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["DraftThing", "compose_blocks"]

DraftThing = Callable[[str], "Sequence[DraftBlock]"]  # the blocks of a table, chart or list that is asked for by itself
_DOUBLED: Final = re.compile(r"[,，。;:]\s+[,，:]")  # the signs before and behind words of a place
_TOTAL: Final = re.compile(r"(?:合计|总计|总价|总额|(?:grand )?total)[。.]?", re.IGNORECASE)
_LEVELS: Final = MappingProxyType({"一": 1, "二": 2, "三": 3, "first": 1, "second": 2, "third": 3})


def compose_blocks(
    text: RequestText, language: "Language", draft: DraftThing, *, at_least: int = 1
) -> list[DraftBlock]:
    """Blocks of all pieces in their order; empty unless each of them is read to its last word.

    Fewer than `at_least` pieces are none that need to be composed.
    """
    text.mask = _strike_remarks(_DOUBLED.sub(lambda one: one[0][:-1] + " ", text.mask.replace(CONSUMED, " ")))
    blocks: list[DraftBlock] = []
    parts = cut_parts(text)
    for part in parts if len(parts) >= at_least else ():
        made = _compose_part(text, part, language, draft if len(parts) > 1 else _draft_nothing)
        if not made:
            return []
        blocks += made
    return list(_join(blocks))


def _draft_nothing(said: str) -> "Sequence[DraftBlock]":
    """A thing that stands alone is no composition."""
    del said
    return ()


def _strike_remarks(mask: str) -> str:
    """The message without clauses at its end that say what holds anyway: 其余内容不动, “that's it, thanks”."""
    clauses = [one for one in re.finditer(r"[^,，。;.!\n]+", mask) if one[0].strip()]
    for clause in reversed(clauses):
        said = clause[0].strip()
        if not (holds_anyway(said) or is_spoken(said)):
            break
        mask = mask[: clause.start()] + " " * (clause.end() - clause.start()) + mask[clause.end() :]
    return mask


def _compose_part(
    text: RequestText, part: ComposedPart, language: "Language", draft: DraftThing
) -> "Sequence[DraftBlock]":
    name = part.name
    if name is None:
        return draft(_order_thing(text, part, language))
    if name["table"]:
        grid = read_table(text, part)
        return [write_table(grid, language)] if grid else draft(_order_thing(text, part, language))
    if name["list"]:
        items = read_items(text, part)
        return [_write_list(items, language, is_marked=name["marked"] is not None)] if len(items) > 1 else ()
    is_heading = name["heading"] is not None
    lines = check_count(name["some"] or name["lines"] or name["count"], read_lines(text, part, is_heading=is_heading))
    if not lines or any(_TOTAL.fullmatch(one) for one in lines):
        return ()  # the last row of the table above it
    block = DraftBlock("composition", lines[0], language)
    look = text.mask[part.start : part.end]
    for line in lines:
        if is_heading:
            block.add_heading(line, _read_level(name))
        else:
            block.add("insert_text", text=line, new_paragraph_after=True)
        if re.search(EMPHASIS, look, re.IGNORECASE):
            block.add("set_text_style", bold=True)
        if re.search(CENTRED, look, re.IGNORECASE):
            block.add("apply_paragraph_style", alignment="center")
    return [block]


def _read_level(name: "re.Match[str]") -> int:
    """Level of a heading: the first where it is not said, the second of a smaller one."""
    said = next((name[one] for one in ("level", "number", "nth", "behind", "tag", "bracket") if name[one]), None)
    if said is not None:
        return _LEVELS.get(said.lower(), 0) or int(said)
    is_small = name["sub"] is not None or name["small"] is not None
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
    article = "" if re.match(r"an? ", said) else "a "
    return choose(language, zh=f"插入{said}", en=f"Insert {article}{said}")


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
