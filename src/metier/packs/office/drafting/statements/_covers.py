"""A cover from a message that is read whole: its title and what stands below it."""

from typing import TYPE_CHECKING, Final

from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting.content._slide_blocks import write_cover
from metier.packs.office.drafting.statements._slide_words import is_slide_read

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["state_cover"]

_SUBTITLE: Final = (
    rf"(?:副标题|副题|落款(?:单位)?|署名|单位|小标题)(?:用|是|为|写|叫|放|:)*\s*(?P<a>{QUOTED})|"
    rf"(?P<b>{QUOTED})\s*(?:作为?|做|当|"
    rf"是)?(?:底下的?|下面的?)?(?:副标题|副题|落款|署名)|"
    rf"(?:标题)?(?:下面|底下|下方|下头|标题下)(?:一行|有副题|有)?(?:的)?(?:用)?(?:小字|小号字)?(?:写上?|是|"
    rf"放|为)*\s*(?P<c>{QUOTED})|"
    rf"\bsub-?title\b(?: (?:is|of|reading|says))?\s*:?\s*(?P<d>{QUOTED})|(?P<e>{QUOTED})\s*(?:as|for|is|"
    rf"should be)?\s*(?:the |its |a )?sub-?title\b|"
    rf"\b(?:and )?(?:below|underneath|under)(?: it| that)?(?: put| write)?\s*:?\s*(?P<f>{QUOTED})|"
    rf"(?P<g>{QUOTED})\s*(?:in smaller (?:letters|type) )?(?:below|underneath|under)(?: it| that)?\b"
)
_TITLE: Final = (
    rf"(?:大标题|主标题|标题|题目|题)(?:用|是|为|写|叫|:)*\s*(?P<a>{QUOTED})|(?P<b>{QUOTED})\s*(?:作为?|做|"
    rf"当|是)(?:大|主)?(?:标题|题目)|"
    rf"\b(?:main )?(?:title|heading|headline)\b(?: (?:is|of|reading|says))?\s*:?\s*(?P<c>{QUOTED})|"
    rf"(?P<d>{QUOTED})\s*(?:as|for|is|should be)\s*(?:the |its |a )?(?:main )?(?:title|heading|headline)\b|"
    rf"(?P<e>{QUOTED})\s*in (?:big|large) (?:letters|type)|\b(?:called|titled|reading|that says|"
    rf"saying)\s*(?P<f>{QUOTED})|(?:写上?|叫)\s*(?P<g>{QUOTED})"
)
_BARE_TITLE: Final = (
    r"(?<!副)(?:大标题|主标题|标题|题目)(?!页)(?:是|为|写|叫|"
    r":)+\s*(?P<v>[^\s,，。;:\"\n][^,，。;:\"\n]*?)(?=\s*(?:[,，。;\n]|$))|"
    r"(?<!sub)\btitle\s*:\s*(?P<w>[A-Z][^,.;:\"\n]*)"
)
_BARE_SUB: Final = (
    r"(?:副标题|副题|落款|署名)(?:是|为|写|叫|:)+\s*(?P<v>[^\s,，。;:\"\n][^,，。;:\"\n]*?)(?=\s*(?:[,，。;\n]|$))|"
    r"\bsubtitle\s*:?\s*(?P<w>[A-Z][^,.;:\"\n]*)"
)


def state_cover(text: RequestText, language: "Language") -> DraftBlock | None:
    subtitle = _take_quoted(text, _SUBTITLE) or _take_bare(text, _BARE_SUB)
    title = _take_quoted(text, _TITLE) or _take_bare(text, _BARE_TITLE)
    quotes = list(text.left_quotes())
    if len(quotes) == 1 and subtitle and not title:
        title = text.take_any_quote()
    elif len(quotes) == 1 and title and not subtitle:
        return None  # what the other quotation is, nothing says
    text.take_all(r"\bin smaller (?:letters|type)\b(?: under it)?|(?:上面|底下|下面)(?:是|写)?")
    if not title or not subtitle or not is_slide_read(text, "cover", 0):
        return None
    return write_cover(title, subtitle, language)


def _take_quoted(text: RequestText, form: str) -> str:
    found = text.take(form)
    if found is None:
        return ""
    name = next(one for one, value in found.groupdict().items() if value)
    start, end = found.span(name)
    return text.raw[start + 1 : end - 1].strip()


def _take_bare(text: RequestText, form: str) -> str:
    found = text.take(form)
    if found is None:
        return ""
    start, end = found.span("v" if found["v"] else "w")
    return text.raw[start:end].strip()
