"""Banner: one line in large type at the top."""

import re
from typing import Final

from metier.language import Language, choose
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import asks, is_aside, is_spoken
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._unclear import Unclear

__all__ = ["draft_banner", "write_banner"]

_WORD: Final = r"(?:横幅(?:标语)?|标语)"
_PART: Final = r"(?:内容|文字|字样)"
_WRITES: Final = (
    rf"(?:(?:上面|里面|{_PART})?(?:就|要|请)?(?:写上?|印|打)(?:着|的?是|为|上)?|{_PART}(?:就|要)?(?:是|为|用)?)"
)
# Words before the text: a colon, or a verb of writing with at most the end of the clause between them.
_CUES: Final = tuple(
    re.compile(cue, re.IGNORECASE)
    for cue in (
        rf"{_WORD}[^:,，。\"]{{0,12}}:",
        rf"{_WORD}[^:。\"]{{0,14}}[,，]\s*{_WRITES}\s*:?",
        rf"{_WORD}(?:为|是|{_WRITES})",
        r"\bbanner(?: line)?[^:.,\"]{0,24}\b"
        r"(?:saying|reading|with the (?:text|words)|that (?:says|reads)|to say)\b\s*:?",
        r"\bbanner(?: line)?[^:.,\"]{0,24}:",
        r"\bbanner(?: line)?[^:\"]{0,30}(?:[.,]\s*|\band\s+)"
        r"(?:it should say|let it say|have it say|text|wording|make it say|it says)\s*:?",
    )
)
_END: Final = re.compile(r"[。!！?？\n\ufffc]|\.(?=\s|$)")
_COMMA: Final = re.compile(r"[,，;；]\s*")


def draft_banner(text: RequestText, language: Language) -> DraftBlock:
    """The text of the request as a red line in the middle."""
    shown = text.take_quote(r"横幅(?:标语)?|标语|banner") or text.take_any_quote() or _take_line(text)
    if not shown:
        raise Unclear("no_title", what=choose(language, zh="横幅", en="banner"))
    return write_banner(shown, language)


def write_banner(shown: str, language: Language) -> DraftBlock:
    """The block of a banner."""
    block = DraftBlock("banner", "", language)
    block.add("insert_text", text=shown, new_paragraph_after=True)
    block.add("apply_paragraph_style", bold=True, size=26, color="#C00000", alignment="center", space_after=12)
    return block


def _take_line(text: RequestText) -> str:
    """The words behind the cue up to the end of the sentence, or to a clause of it that orders or tells something."""
    for cue in _CUES:
        found = cue.search(text.mask)
        if found is None:
            continue
        stop = _END.search(text.mask, found.end())
        end = stop.start() if stop else len(text.mask)
        if stop and stop[0] in "!！":
            end = stop.end()
        for comma in _COMMA.finditer(text.mask, found.end(), end):
            rest = text.mask[comma.end() : end]
            if asks(re.sub(r"\d", "", rest)) or is_spoken(rest) or is_aside(rest):
                end = comma.start()
                break
        if line := text.text_of(found.end(), end):
            text.consume(found.start(), end)
            return line
    return ""
