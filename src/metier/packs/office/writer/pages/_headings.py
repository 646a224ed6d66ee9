"""What keeps together on a page.

Heading styles keep a heading with the paragraph after it. Of an outline without text every line keeps to the next one,
and a program moves all of it to the next page.
"""

from typing import Final

from metier.packs.office.files import XmlElement
from metier.packs.office.writer._session import WriterSession, list_visible
from metier.packs.office.writer.reading import ensure, find, has_flag, w, w_value

__all__ = ["loosen_headings"]

_MAX_CHAIN: Final = 12  # headings that may hang together
_SHORT_CHAIN: Final = 3


def loosen_headings(session: WriterSession) -> None:
    """Let new headings go that have no text under them, where too many would hang together.

    A chain ends before the next part of the outline; within a very long part, before a heading that is not below.
    """
    chain, made = 0, session.new_paragraphs()
    top = min((level for one in made if (level := _level(session, one))), default=0)
    for one in made:
        level = _level(session, one)
        following = next(list_visible(one), None) if level else None
        deeper = 0 if following is None or following.tag != w("p") else _level(session, following)
        chain = chain + 1 if deeper else 0
        if chain >= (_SHORT_CHAIN if deeper == top else _MAX_CHAIN) and deeper <= level and _keeps(session, one):
            ensure(ensure(one, "pPr"), "keepNext").set(w("val"), "0")
            session.note_change(one)
            chain = 0


def _level(session: WriterSession, paragraph: XmlElement) -> int:
    return session.styles.heading_level(w_value(find(paragraph, "pPr", "pStyle")))


def _keeps(session: WriterSession, paragraph: XmlElement) -> bool:
    own = find(paragraph, "pPr")
    styles = session.styles.chain(w_value(find(own, "pStyle")))
    given = (one for one in (own, *(find(style, "pPr") for style in styles)) if find(one, "keepNext") is not None)
    return next((has_flag(one, "keepNext") for one in given), False)
