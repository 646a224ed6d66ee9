"""New slides from a message that is read to its last word: a cover, an agenda, a key figure, pairs, a timeline."""

from typing import TYPE_CHECKING, Final

from metier.language import choose
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_title
from metier.packs.office.drafting._topics import assume_mention
from metier.packs.office.drafting.content._slide_blocks import (
    write_agenda,
    write_pairs,
    write_timeline,
)
from metier.packs.office.drafting.statements._covers import state_cover
from metier.packs.office.drafting.statements._key_figures import state_figure
from metier.packs.office.drafting.statements._rest import cut_out
from metier.packs.office.drafting.statements._slide_words import SLIDE_THINGS, is_slide_read
from metier.packs.office.drafting.statements._spans import SaidSpan, list_items, list_pairs, list_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.language import Language

__all__ = ["state_slide"]


_ONE_LINE: Final = (
    r"(?:每|一)(?:项|条|点|个|行)(?:一|1|各占?一?|单独一?|占一?)(?:行|项)|各占一行|一行一[项条个]|"
    r"一项一行|逐[条项]|\b(?:one|each on (?:its|"
    r"a) own) (?:line|row|bullet)(?: (?:each|per (?:item|point|topic)))?\b|"
    r"(?:用)?项目符号|\bas bullets\b|\b(?:with|in|as) bullet points\b"
)


def state_slide(request: str, language: "Language") -> DraftBlock | None:
    """The block of the one slide that a message asks for; None unless every word of it is read."""
    readers = {
        "timeline": _state_timeline,
        "pairs": _state_pairs,
        "kpi": state_figure,
        "agenda": _state_agenda,
        "cover": state_cover,
    }
    for thing, read in readers.items():
        if SLIDE_THINGS[thing].search(request):
            block = read(RequestText(request), language)
            if block is not None:
                return block
    return None


def _try_spans(text: RequestText, thing: str, spans: "Sequence[SaidSpan]", forms: str = "") -> SaidSpan | None:
    """The first list with which all the rest of the message is read."""
    mask = text.mask
    for one in spans:
        text.mask = mask
        cut_out(text, one.start, one.end)
        if forms:
            text.take_all(forms)
        if _counts_agree(text, len(one.rows)) and is_slide_read(text, thing, one.start):
            return one
    text.mask = mask
    return None


_COUNTED: Final = (
    rf"(?:一?共|总共|这|那)?(?P<zh>{COUNT})(?:大)?(?:项|条|点|个(?!月)|件|步|部分|种|类|行|周|星期)(?:内容|"
    rf"风险|节点|步骤?|事|主要风险)?(?!\s*到)|"
    rf"\b(?P<en>{COUNT})[\s-](?=(?:points?|items?|topics?|steps?|risks?|weeks?|parts?|lines|problems?|months?|"
    rf"things)\b)"
)


def _counts_agree(text: RequestText, count: int) -> bool:
    """Whether every count that the message gives is that of the list; one of a slide is a slide."""
    said = [found["zh"] or found["en"] for found in text.take_each(_COUNTED)]
    return all(read_count(one) in (count, 1) for one in said)


_PAGE_TITLE: Final = (
    rf"(?<=[页张])(?:叫|名为|标题为?)?({QUOTED})|(?:页标题|页面标题|标题|题目|题)(?:写|是|为|叫|用|:)*\s*({QUOTED})|"
    rf"({QUOTED})(?=页)|\b(?:titled?|called|headed|with the (?:title|heading)|(?:the )?(?:title|heading) (?:is|"
    rf"should be))\s*:?\s*({QUOTED})"
)


def _take_page_title(text: RequestText) -> str:
    found = text.take(_PAGE_TITLE)
    if not found:
        return take_title(text)
    quote = next(one for one in found.groups() if one)
    start = found.start() + found[0].index(quote)
    return text.raw[start + 1 : start + len(quote) - 1].strip()


def _state_agenda(text: RequestText, language: "Language") -> DraftBlock | None:
    title = _take_page_title(text)
    text.take_all(_ONE_LINE)
    found = _try_spans(text, "agenda", [*list_items(text)])
    if found is None:
        return None
    usual = choose(language, zh="目录" if "目录" in text.raw else "议程", en="Agenda")
    return write_agenda(title or usual, [one[0] for one in found.rows], language)


_HEADS: Final = (
    r"左(?:边|侧|列)?(?:写|放|是|列)?(?P<a1>[\u4e00-\u9fff]{2,4})[,，、]?\s*右(?:边|侧|列)?(?:写|放|是|"
    r"列)?(?P<b1>[\u4e00-\u9fff]{2,4})(?=[,，。:;]|$)|"
    r"(?P<a2>风险|问题|隐患|困难)(?:和|与|、)(?P<b2>措施|对策|办法|应对|应对措施|解决办法)(?:分)?[两二2]列"
)
_FOLLOWED: Final = r"每[条个项](?:风险|问题)?(?:后面|旁边|下面)?(?:跟上|写上|配上|对应|带上)(?:措施|对策|办法|应对)"


def _state_pairs(text: RequestText, language: "Language") -> DraftBlock | None:
    title = _take_page_title(text)
    said = text.take(_HEADS)
    text.take_all(_FOLLOWED)
    found = _try_spans(text, "pairs", [*list_pairs(text)])
    if found is None:
        return None
    topic = assume_mention("risk_slide").topic
    heads = [said["a1"] or said["a2"], said["b1"] or said["b2"]] if said else list(topic.default_columns(language))
    pairs = [(one[0], one[1]) for one in found.rows]
    return write_pairs(title, heads, pairs, language, heading=title or topic.title(language))


_ALONG: Final = (
    r"(?:从左到右|由左至右|从左往右|横向|横着)(?:地)?(?:排开?|排列|展开)?(?:着)?|\b(?:running |"
    r"going )?from left to right\b|"
    r"\b(?:running |going )?left to right\b|沿(?:着)?(?:一条)?|排开"
)


def _state_timeline(text: RequestText, language: "Language") -> DraftBlock | None:
    title = _take_page_title(text)
    text.take_all(_ALONG)
    steps = list_steps(text)
    found = _try_spans(text, "timeline", [steps] if steps else [])
    rows = found.rows if found else ()
    if found is None:
        labels = _take_weeks(text, language)
        items = (
            _try_spans(text, "timeline", [one for one in list_items(text) if len(one.rows) == len(labels)])
            if labels
            else None
        )
        rows = tuple((label, one[0]) for label, one in zip(labels, items.rows, strict=True)) if items else ()
    if not rows:
        return None
    topic = assume_mention("timeline").topic
    return write_timeline(title, [(a, b) for a, b in rows], language, heading=title or topic.title(language))


_SPAN: Final = (
    rf"第(?P<first>{COUNT})周\s*(?:到|至|-|~)\s*第?(?P<last>{COUNT})周|\bweek (?P<first_en>{COUNT}) (?:to|"
    rf"through) week (?P<last_en>{COUNT})\b|"
    rf"(?:一?共)?(?P<zh>{COUNT})(?:个)?(?:周|星期)(?:内|里)?|\b(?P<en>{COUNT})[\s-]weeks?\b"
)


def _take_weeks(text: RequestText, language: "Language") -> tuple[str, ...]:
    """The weeks of a timeline whose steps are listed without them: 一共四周，分别是…, “one step per week”."""
    text.take_all(r"(?:每|一)周一(?:步|项)|\bone (?:step|task|item) per week\b")
    found = list(text.take_each(_SPAN))
    counts = {read_count(one["last"] or one["last_en"] or one["zh"] or one["en"] or "") for one in found}
    starts = {read_count(one["first"] or one["first_en"] or "1") for one in found}
    if len(counts) != 1 or None in counts or starts != {1}:
        return ()
    weeks = range(1, (counts.pop() or 0) + 1)
    return tuple(choose(language, zh=f"第{week}周", en=f"Week {week}") for week in weeks)
