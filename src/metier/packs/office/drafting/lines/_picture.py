"""Place for a picture with its caption."""

from typing import Final

from metier.language import Language, choose
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock, draft_table
from metier.packs.office.drafting._titles import take_note, take_title

__all__ = ["draft_picture", "write_picture"]

_HEIGHT_MM: Final = 65  # of a picture as wide as half the page, three to two


def draft_picture(text: RequestText, language: Language) -> DraftBlock:
    """Empty frame with the caption of the request below it."""
    caption = take_note(text) or take_title(text) or text.take_any_quote()
    return write_picture(caption, language)


def write_picture(caption: str, language: Language) -> DraftBlock:
    """The block of a place for a picture."""
    block = DraftBlock("picture", caption, language)
    shown = choose(language, zh="［图片占位］", en="[Picture placeholder]")
    block.add(
        "insert_table", **draft_table((shown,), (), has_header=True) | {"header": False, "row_height_mm": _HEIGHT_MM}
    )
    if caption:
        block.add("insert_text", text=caption, new_paragraph_after=True)
        block.add("apply_paragraph_style", alignment="center", size=10)
    return block
