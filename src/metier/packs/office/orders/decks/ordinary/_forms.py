"""Contents of a new slide by their form: two sides, pairs, steps in time, key figures, words in large type."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, choose
from metier.packs.office._counts import COUNT, MOMENTS, read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import has_order_inside, split_values, step

__all__ = ["FORMS", "SlideForm"]

# Centimetres that are free on a 4:3 slide and on a 16:9 slide alike.
_LEFT: Final = 1.7
_WIDTH: Final = 22.0
_TOP: Final = 5.0
_GAP: Final = 1.0
_COVER, _TITLE_ONLY = 1, 11
_MAX_ITEM: Final = 60
_CHARS: Final = r"(?:[^;；。\n.]|\.(?=\S))"
_HEAD: Final = rf"(?P<{{side}}>{QUOTED}|[^\s,，。;:\"][^,，。;:\"]{{{{0,24}}}}?)"
_HEAD_WORDS: Final = r"(?:的|半边)?(?:小标题|标题|写着?|放|是|为|列|叫)*\s*:?\s*"
_IN: Final = r"\s*[:,，]\s*(?:内容|要点)?(?:为|是|写|放|列)?\s*:?\s*"
_ZH_SIDE: Final = rf"{{word}}(?:边|侧|栏|面|半边|列){_HEAD_WORDS}{_HEAD}{_IN}(?P<{{side}}s>{_CHARS}+?)"
_EN_SIDE: Final = (
    rf"(?:on the )?{{word}}(?:[- ]hand)?(?: side| column| half| box)?(?: is| says| shows| heading| header|"
    rf" headed| titled|,|:)*\s*{_HEAD}"
    rf"\s*(?::|,|\s[-–—]\s)\s*(?P<{{side}}s>{_CHARS}+?)"
)
_BETWEEN: Final = r"\s*[;；。,，.]\s*(?:and )?"
_END: Final = r"\s*(?=[;；。\n]|\.(?=\s|$)|$)"
_SIDES: Final = tuple(
    re.compile(
        form.format(word=left, side="left") + _BETWEEN + form.format(word=right, side="right") + _END, re.IGNORECASE
    )
    for form, left, right in ((_ZH_SIDE, "左", "右"), (_EN_SIDE, r"\bleft", r"\bright"))
)
_RISKS: Final = re.compile(
    r"风险|问题|隐患|困难|难点|挑战|\b(?:risk|problem|issue|threat|challenge)s?\b", re.IGNORECASE
)
_PAIR: Final = re.compile(
    r"\s*(?:——|—|–|->|→|=>|\s-\s|[,，]?\s*(?:对策|应对|措施|解决办法)(?:措施|办法)?(?:就?是|为|:)|[:：]|"
    r",?\s*(?:remedy|response|answer|counter-?measure|fix|mitigation)\s*(?:is|:))\s*",
    re.IGNORECASE,
)
_TIMES: Final = re.compile(
    r"时间(?:安排|线|轴|表)|进度|日程|里程碑|排期|路线图|\b(?:timeline|time line|schedule|roadmap|milestones?|plan)\b",
    re.IGNORECASE,
)
_PERIOD: Final = rf"(?:{MOMENTS})"
_STEP: Final = re.compile(
    rf"\s*(?:and |then |最后|再|然后)*(?P<when>{_PERIOD})\s*(?:[-–—:：]+|是|"
    rf"为)?\s*(?P<what>[^\s].*?)\s*",
    re.IGNORECASE,
)
_STEP_SIGN: Final = re.compile(r",(?!\s*(?:19|20)\d\d(?!\d))(?!\d{3}(?!\d))|[，;；、。]")
_FIGURE: Final = r"[£$€¥￥]?\d[\d,]*(?:\.\d+)?\s?(?:%|％|[万亿千]|[kKmM](?![A-Za-z]))?\+?(?:[个人家名台次天项吨米元])?"
_FIGURES: Final = re.compile(
    rf"(?P<count>{COUNT})\s*(?:个|组|项)?(?:关键|核心|重要|大)*(?:的)?(?:大)?(?:数字|数据|指标)(?:的)?|"
    rf"(?P<en>{COUNT})\s+(?:big |key |large |main |huge )*(?:figures|numbers|stats|metrics)\b",
    re.IGNORECASE,
)
_EACH: Final = r"(?:(?:还有|另外?|最后|第[一二三四]个|一个|第[一二三四])(?:一个|个)?(?:是|就是)?|and\b)?\s*"
_CAPTION: Final = re.compile(
    rf"{_EACH}(?P<number>{_FIGURE})\s*(?:[,，(（:：=—–-]\s*)?(?:(?:下面|底下|下边)?(?:小字)?(?:说明|写|注|表示|代表|是)+(?:写|是|为)?\s*:?|"
    rf"(?:with|for|as|captioned|labell?ed|caption)\b(?: the caption)?)?\s*(?P<caption>{QUOTED}|"
    rf"[^\d\s,，;；、。:：()（）\"][^\d,，;；、。()（）\"]{{0,30}}?)\s*[)）]?",
    re.IGNORECASE,
)
_ENDS: Final = r"\s*(?:[,，;；、。]|\.(?=\s|$)|\band\b|$)\s*"
_LARGE: Final = r"(?:big|large|huge)(?: (?:type|letters|font|print|text))?"
_BIG: Final = re.compile(
    rf"(?:用)?(?:大大的?|大字号?|大号字|醒目)(?:写|显示|放|的)*(?:着|上|一句)?(?:引言|引用|话)?\s*:?\s*(?P<zh>{QUOTED})|"
    rf"(?P<before>{QUOTED})\s*(?:,|要|用)?\s*(?:大字号?|大号字|大大的|放大)(?:显示|写|居中)*|"
    rf"\b(?:in )?(?:really |very |nice and )?{_LARGE}\s*[:,]?\s*(?P<en>{QUOTED})|"
    rf"(?P<behind>{QUOTED})\s*,?\s*(?:in )?(?:really |very |nice and )?\b{_LARGE}\b",
    re.IGNORECASE,
)
_BELOW: Final = re.compile(
    rf"(?:下面|底下|下方|下边)(?:再)?(?:用)?(?:小字|正常字号|普通字号)?(?:写上?|放|署名|署上|注明|注|加上?|是|为)*(?:名字|姓名|出处|作者)?\s*:?\s*(?P<zh>{QUOTED}|[^\s。;；\"][^。;；\"]{{1,60}})|"
    rf"(?:with |and )?(?:the |her |his )?(?:name|author|source|speaker|text|line)?\s*\b(?:below|under|"
    rf"underneath|beneath)\b(?: (?:it|that))?(?:,? the (?:name|author|source))?"
    rf"(?:,? (?:in )?(?:normal|small|smaller|ordinary|regular)(?: (?:size|type|letters|font|print))?)?\s*(?::|"
    rf",|-)?\s*(?P<en>{QUOTED}|[^\s.;,\"](?:[^.;\"]|\.(?! |$))*)",
    re.IGNORECASE,
)
_TELLS: Final = re.compile(
    r"^(?:请|要|别|不要|最好|字|再|然后|并)|^(?:please|make|keep|don'?t|no (?:other|more)|use|put|add|and|also|then)\b",
    re.IGNORECASE,
)


# What follows a text without quotation marks and is no part of it.
_GOES_ON: Final = re.compile(
    r"[,，]\s*(?:请|要|别|不要|最好|再|然后|并|字|标题|同时|另外|please|make|don'?t|and|then|keep|no |also)|"
    r"\bslides?\b|幻灯片|[加新]一页",
    re.IGNORECASE,
)


@dataclass(slots=True)
class SlideForm:
    """A slide that is read: its words, which a form consumes, its title, and where it will stand."""

    text: RequestText
    title: str
    number: int
    language: Language

    def add(self, layout: int = _TITLE_ONLY, content: str | None = None) -> JsonObject:
        return step("add_slide", title=self.title, layout=layout, content=content)

    def box(self, text: str, *, left: float, top: float, width: float, height: float, **look: JsonValue) -> JsonObject:
        return step(
            "add_textbox", text=text, left=left, top=top, width=width, height=height, slide_index=self.number, **look
        )

    def table(self, rows: list[list[str]]) -> JsonObject:
        data: list[JsonValue] = [list[JsonValue](row) for row in rows]
        place: dict[str, JsonValue] = {"left": _LEFT, "top": _TOP, "width": _WIDTH, "slide_index": self.number}
        return step("add_table", rows=len(rows), cols=len(rows[0]), data=data, **place)


def _sides(form: SlideForm) -> list[JsonObject]:
    """Two sides with a heading and points each, next to each other."""
    found = next((one for pattern in _SIDES if (one := pattern.search(form.text.mask))), None)
    if found is None or not form.title:
        return []
    sides = []
    for name in ("left", "right"):
        head = form.text.text_of(*found.span(name))
        sides.append((head, _list_items(form.text.raw[slice(*found.span(f"{name}s"))])))
    if not all(head and items for head, items in sides):
        return []
    form.text.consume(*found.span())
    if form.text.take(r"(?:用|做成?|以)?(?:一个)?表格|\b(?:as |in )?a table\b"):
        count = max(len(items) for _, items in sides)
        rows = [
            [head for head, _ in sides],
            *([(items[at] if at < len(items) else "") for _, items in sides] for at in range(count)),
        ]
        return [form.add(), form.table(rows)]
    width = (_WIDTH - _GAP) / 2
    steps = [form.add()]
    for at, (head, items) in enumerate(sides):
        left = _LEFT + at * (width + _GAP)
        steps.append(form.box(head, left=left, top=_TOP, width=width, height=1.6, font_size=24, font_bold=True))
        steps.append(
            form.box(
                "\n".join(items),
                left=left,
                top=_TOP + 2.0,
                width=width,
                height=min(9.0, 1.4 * len(items) + 0.6),
                font_size=20,
            )
        )
    return steps


def _list_items(said: str) -> list[str]:
    """Points of a list; empty if one holds more than a point."""
    bare = said.strip(" ,，。.;；")
    items = split_values(bare) if re.search(r"[、,，;；|]|\s+and\s+", bare) else [bare]
    is_plain = all(0 < len(one) <= _MAX_ITEM and not re.search(r"[,，:：\"“”]", one) for one in items)
    return items if is_plain and not any(map(_TELLS.search, items)) else []


def _pairs(form: SlideForm) -> list[JsonObject]:
    """Risks or problems, each with what is done about it, as a table of two columns."""
    mask = form.text.mask
    said = _RISKS.search(f"{form.title} {mask}")
    if said is None or not form.title:
        return []
    count = form.text.take(
        rf"(?:列出?|写|有|放)?(?:一?共)?(?P<it>{COUNT})\s*(?:项|条|个|点|对)(?:风险|问题)?\s*(?:[:,，])?"
    )
    starts = [0, *(one.end() for one in re.finditer(r"[:：。,，;；\ufffc]|\.(?=\s)", form.text.mask))]
    for start in starts:
        end = len(form.text.mask.rstrip("\ufffc ,，。."))
        pairs = _split_pairs(form.text.raw[start:end]) if "\ufffc" not in form.text.mask[start:end] else []
        if len(pairs) > 1 and (count is None or read_count(count["it"]) == len(pairs)):
            form.text.consume(start, end)
            return [form.add(), form.table([_name_columns(form, said[0]), *pairs])]
    return []


def _split_pairs(said: str) -> list[list[str]]:
    pieces = [one.strip() for one in re.split(r"[;；。\n]|(?<=[^\s\d])\.(?=\s|$)", said) if one.strip()]
    if len(pieces) == 1:
        pieces = [one.strip() for one in re.split(r"[,，]", said) if one.strip()]
    pairs = [[half.strip(' ,，。.“”"') for half in _PAIR.split(one)] for one in pieces]
    is_pair = all(
        len(one) == 2 and all(0 < len(half) <= _MAX_ITEM and not _TELLS.search(half) for half in one) for one in pairs
    )
    return pairs if is_pair else []


def _name_columns(form: SlideForm, risk: str) -> list[str]:
    """Heads of the two columns: those that the title names, else the usual ones."""
    named = re.fullmatch(
        r"([\u4e00-\u9fff]{2,6})(?:与|和|及)([\u4e00-\u9fff]{2,6})|(\w+?)s? and (\w+?)s?", form.title, re.IGNORECASE
    )
    if named is not None:
        return [one[:1].upper() + one[1:] for one in named.groups() if one]
    first = risk if not risk.isascii() else risk[:1].upper() + risk[1:].rstrip("s")
    return [first, choose(form.language, zh="对策", en="Response")]


def _times(form: SlideForm) -> list[JsonObject]:
    """Steps with their times, one beside the other."""
    if not _TIMES.search(form.text.mask) and not _TIMES.search(form.title):
        return []
    first = re.search(_PERIOD, form.text.mask, re.IGNORECASE)
    if first is None or not form.title or "\ufffc" in form.text.mask[first.start() :].rstrip("\ufffc ,，。."):
        return []
    end = len(form.text.mask.rstrip("\ufffc ,，。."))
    pieces = [one for one in _STEP_SIGN.split(form.text.raw[first.start() : end]) if one.strip()]
    steps = [_STEP.fullmatch(one) for one in pieces]
    found = [one for one in steps if one is not None]
    if (
        len(found) < 2
        or len(found) < len(steps)
        or any(len(one["what"]) > _MAX_ITEM or _TELLS.search(one["what"]) for one in found)
    ):
        return []
    form.text.consume(first.start(), end)
    form.text.take_all(_TIMES.pattern)
    return [form.add(), form.table([[one["when"].strip() for one in found], [one["what"] for one in found]])]


def _figures(form: SlideForm) -> list[JsonObject]:
    """As many figures as are said, each large with its caption below."""
    counted = _FIGURES.search(form.text.mask)
    if counted is None or not form.title:
        return []
    count = read_count(counted["count"] or counted["en"]) or 0
    starts = [
        one.end() for one in re.finditer(r"[:：,，。]|\.(?=\s)", form.text.mask) if one.start() >= counted.start()
    ]
    for start in starts:
        listed = list(_list_captions(form.text, start))
        if len(listed) == count and 2 <= count <= 4:
            form.text.consume(start, listed[-1][2])
            form.text.consume(*counted.span())
            return [form.add(), *_place_figures(form, [(number, caption) for number, caption, _ in listed])]
    return []


def _list_captions(text: RequestText, at: int) -> Iterator[tuple[str, str, int]]:
    """Figures with their captions from a place on, and where each of them ends."""
    form = re.compile(rf"\s*{_CAPTION.pattern}(?={_ENDS})", re.IGNORECASE)
    while (found := form.match(text.mask, at)) is not None:
        yield text.raw[slice(*found.span("number"))].strip(), text.text_of(*found.span("caption")), found.end()
        end = re.compile(_ENDS, re.IGNORECASE).match(text.mask, found.end())
        at = end.end() if end else found.end()
        if at == len(text.mask):
            return


def _place_figures(form: SlideForm, figures: list[tuple[str, str]]) -> Iterator[JsonObject]:
    width = (_WIDTH - _GAP * (len(figures) - 1)) / len(figures)
    size = 54 if all(len(number) <= 6 for number, _ in figures) else 44
    for at, (number, caption) in enumerate(figures):
        left = _LEFT + at * (width + _GAP)
        look: dict[str, JsonValue] = {"alignment": "center"}
        yield form.box(number, left=left, top=6.0, width=width, height=3.0, font_size=size, font_bold=True, **look)
        yield form.box(caption, left=left, top=9.4, width=width, height=2.2, font_size=20, **look)


def _large(form: SlideForm) -> list[JsonObject]:
    """Words in large type with what stands below them, where the slide has no title besides."""
    found = _BIG.search(form.text.mask)
    if found is None or form.title:
        return []
    group = next(name for name, value in found.groupdict().items() if value)
    words = form.text.text_of(*found.span(group))
    form.text.consume(*found.span())
    below = _BELOW.search(form.text.mask)
    under = form.text.text_of(*below.span("zh" if below["zh"] else "en")).strip(" .。") if below else ""
    if has_order_inside(under) or _GOES_ON.search(under):
        return []
    if below is not None:
        form.text.consume(*below.span())
    form.title = words
    size = 60 if len(words.encode()) <= 24 else 48 if len(words.encode()) <= 60 else 40
    look = step("set_slide_text_style", slide_index=form.number, placeholder_kind="title", size=size)
    return [form.add(_COVER, under or None), look]


FORMS: Final = (_sides, _figures, _pairs, _times, _large)
