"""A key figure from a message that is read whole: one value in large type and its label."""

import re
from typing import TYPE_CHECKING, Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import names_look
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_title
from metier.packs.office.drafting._topics import assume_mention
from metier.packs.office.drafting.content._slide_blocks import write_figures
from metier.packs.office.drafting.statements._rest import cut_out, is_subject
from metier.packs.office.drafting.statements._slide_words import is_slide_read

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["state_figure"]

_ON_SLIDE: Final = r"页|幻灯片|\b(?:slide|page)\b"  # else something that is there may be meant
_LARGE_LABEL: Final = (
    r"(?:标签|说明|小字|注明|两个|都)[^,，。;\"]{0,4}(?:大|醒目)|\b(?:label|caption)[^,.;\"]{0,12}(?:large|big|huge)\b|"
    r"\bboth (?:large|big|huge)"
)
_MAX_LABEL: Final = 24
_VALUE: Final = re.compile(
    r"[-+]?[¥￥$€£]?\d[\d,.]*\d?\s?(?:%|％|‰|/\s?\d+|[\u4e00-\u9fff]{1,3}|[A-Za-z]+)?(?: [a-z]+)?"
)
_BARE_VALUE: Final = (
    r"(?<![\w.])[-+]?[¥￥$€£]?\d(?:[\d,.]*\d)?\s?(?:%|％|‰|万吨|亿元|万元|万人次?|万|亿|吨|元|天|小时|"
    r"分钟?|分|人次?|台|件|家|户|次|倍|"
    r"(?:days?|hours?|minutes?|weeks?|months?|years?|people|stars?|points|million|billion|t|kg|km)\b)?"
)
_LARGE: Final = (
    r"(?:用|以)?(?:特别|非常|超级|很|特|超|巨|更)?(?:大号|加大|大|大大|醒目|突出|放大)(?:的)?(?:字(?:号|"
    r"体)?|数字)?(?:显示|展示|写|弄|放|地|的)?|弄得|要大|放大|"
    r"\b(?:in |as )?(?:an? )?(?:very |really |extra |nice and )?(?:large|big|huge|giant|enormous)(?: (?:type|"
    r"print|letters|digits|figure|number|font))?\b|\bstands? out\b"
)
_LABEL_CUE: Final = (
    r"(?:在)?(?:它)?(?:下面|下方|底下|旁边|下边)?(?:的)?(?:用)?(?:小字|小号字|配文|标签|说明文字|说明|"
    r"注明|标注|文字|写上?|注上?)(?:是|为|写|写着|上|:)*|"
    r"\b(?:with |and )?(?:the |an? )?(?:label(?:led|ed)?|caption(?:ed)?|words?)(?: should)?(?: reads?| says?|"
    r" is| reading| saying)?\s*:?|\b(?:below|underneath|under)(?: it)?(?: put| write)?\s*:?"
)


def state_figure(text: RequestText, language: "Language") -> DraftBlock | None:
    title = take_title(text)
    value, start = _take_value(text)
    if not value or not text.has(_ON_SLIDE) or text.has(_LARGE_LABEL):
        return None
    text.take_all(r"只(?:突出|放|显示|看)一?个?(?:大)?(?:数字|数)?|一页一个数字")
    label = _take_label(text, start)
    text.take_all(_LARGE)
    if not label or not is_slide_read(text, "kpi", start):
        return None
    heading = title or assume_mention("kpi").topic.title(language)
    return write_figures(title, [(label, value)], language, heading=heading)


def _take_value(text: RequestText) -> tuple[str, int]:
    """The figure: the one quotation that begins with a number, else the only number; empty if it is not to be told."""
    quotes = [one for one in text.left_quotes() if _VALUE.fullmatch(one.text)]
    for one in quotes[:1]:
        _drop_named(text, one.text)
    found = list(re.finditer(_BARE_VALUE, text.mask, re.IGNORECASE))
    if len(quotes) == 1 and not found:
        cut_out(text, quotes[0].start - 1, quotes[0].end + 1)
        return quotes[0].text, quotes[0].start
    if len(found) == 1 and not quotes:
        cut_out(text, *found[0].span())
        return text.raw[slice(*found[0].span())].strip(), found[0].start()
    return "", 0


def _take_label(text: RequestText, at: int) -> str:
    """What the figure is: in quotation marks, behind the word for a label, or right before the figure."""
    quotes = list(text.left_quotes())
    if len(quotes) == 1:
        one = quotes[0]
        cut_out(text, one.start - 1, one.end + 1)
        text.take_all(
            rf"(?:{_LABEL_CUE})(?=\s*;)|(?<=;)\s*(?:as )?(?:the )?(?:label|caption|标签|说明)(?=\s*(?:[,，。.;]|$))"
        )
        _drop_named(text, one.text)
        return one.text
    if quotes:
        return ""
    if label := text.take_value(_LABEL_CUE):
        return label if len(label) <= _MAX_LABEL and not names_look(label) and not re.search(r"\d", label) else ""
    before = re.search(
        r"(?:^|[,，。;:\n]|\b(?:our|the)\s)\s*([^,，。;:\n\d]{2,30}?)\s*(?:是|为|达到?|\bis\b|\breached\b|,)?\s*$",
        text.mask[:at],
    )
    if before is None or not is_subject(before[1].strip()):
        return ""
    label = text.raw[slice(*before.span(1))].strip()
    cut_out(text, *before.span(1))
    return label


def _drop_named(text: RequestText, label: str) -> None:
    """Consume the label where the message says it once more: On-time departures reached 97%."""
    form = rf"(?:\bour |\bthe )?{re.escape(label)}(?:是|达到?|\s+(?:reached|is|are))?"
    text.take_all(form)
