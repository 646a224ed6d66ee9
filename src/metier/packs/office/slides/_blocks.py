"""Blocks: slides and shapes of a plan that are found again by their names and replaced in place."""

from collections.abc import Callable

from pptx.slide import Slide

from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import PREFIX, SlideSession, slide_texts

RunStep = Callable[[SlideSession, OfficeAction, str], None]


def upsert_block(session: SlideSession, action: OfficeAction, block: str, run: RunStep, path: str) -> None:
    """Write a block, or write it anew where it stands. The block is one change."""
    if session.chosen is not None and action.id not in session.chosen:
        return
    before = block_texts(session, block)
    kept = (session.current, session.position)
    position, home = remove_block(session, block)
    is_block = action.op == "upsert_block"
    if position is not None:
        session.position = position
    elif is_block and action.text("anchor", "cursor") == "end":
        session.current, session.position = None, None
    if home is not None:
        session.current = home
    session.block, session.marks, session.inner = block, 0, []
    for at, one in enumerate(action.actions if is_block else (action,)):
        run(session, one, f"{path}.actions[{at}]" if is_block else path)
    session.block = ""
    after = block_texts(session, block)
    if is_block:
        session.offer(action, block_address(session, block), say("block"), (before, after))
    elif session.inner:
        address, title, texts = session.inner[0]
        session.offer(action, address or block_address(session, block), title, texts)
    if is_block and action.flag("freeze_cursor", True) and _is_there(session, kept[0]):
        session.current = kept[0]
    session.position = kept[1]


def _is_there(session: SlideSession, slide: Slide | None) -> bool:
    return slide is None or any(one.part is slide.part for one in session.deck.slides())


def delete_block(session: SlideSession, action: OfficeAction) -> None:
    """Remove the slides and shapes of a block; a block that is gone already is what the plan wants."""
    block = action.text("block_id")
    before = block_texts(session, block)
    if not block_address(session, block):
        return
    if session.offer(action, block_address(session, block), say("delete_block", text=block), (before, "")):
        remove_block(session, block)


def is_block_slide(slide: Slide, block: str) -> bool:
    """Whether a whole slide belongs to the block, by the name of its mark."""
    return any(shape.name.startswith(f"{PREFIX}{block}:slide") for shape in slide.shapes)


def remove_block(session: SlideSession, block: str) -> tuple[int | None, Slide | None]:
    """Remove slides and shapes of a block; returns where its slides stood and which slide held its shapes."""
    position, home = None, None
    for slide in session.deck.slides():
        if is_block_slide(slide, block):
            number = session.deck.number_of(slide)
            position = number if position is None else position
            session.deck.delete(number)
            if session.current is not None and session.current.part is slide.part:
                session.current = None
            continue
        for shape in list(slide.shapes):
            if shape.name.startswith(f"{PREFIX}{block}:"):
                shape._element.getparent().remove(shape._element)
                home = home or slide
        _drop_unused(slide)
    return position, home


def _drop_unused(slide: Slide) -> None:
    """Remove relationships to charts and pictures that no shape names any more."""
    text = slide.part.blob
    for relation in list(slide.part.rels.values()):
        kind = relation.reltype.rpartition("/")[2]
        if kind in ("chart", "image", "hyperlink") and f'"{relation.rId}"'.encode() not in text:
            slide.part.rels.pop(relation.rId)


def block_texts(session: SlideSession, block: str) -> str:
    """Text of a block for the preview."""
    found = []
    for slide in session.deck.slides():
        if is_block_slide(slide, block):
            found.append(slide_texts(slide, session.language))
        else:
            own = [one for one in slide.shapes if one.name.startswith(f"{PREFIX}{block}:")]
            found.extend(one.text_frame.text for one in own if one.has_text_frame)
    return "\n\n".join(found)


def block_address(session: SlideSession, block: str) -> str:
    """Slides that the block is on."""
    numbers = [
        f"s{at}"
        for at, slide in enumerate(session.deck.slides(), 1)
        if is_block_slide(slide, block) or any(one.name.startswith(f"{PREFIX}{block}:") for one in slide.shapes)
    ]
    return ",".join(numbers)
