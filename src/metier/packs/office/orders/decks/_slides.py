"""Orders for slides that come, go and move."""

import re
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import COUNT
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._about import find_about, name_about
from metier.packs.office.orders._context import (
    ADD,
    DELETE,
    OrderContext,
    split_values,
    step,
    take_old_new,
    take_text,
)
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL, read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.decks._view import take_slides, take_title

__all__ = ["SLIDE_RULES"]


def _delete(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(DELETE):
        return None
    text.take_all("掉")
    if text.take(r"(?:所有|全部)?(?:的)?备注|\b(?:speaker )?notes\b"):
        slides = take_slides(context, text) or [one.number for one in context.reading.slides if one.notes]
        return [step("set_notes", text="", slide_index=one) for one in slides]
    if text.has(r"切换|动画|\b(?:transition|animation)"):
        if text.take(r"(?:所有|全部)?(?:的)?(?:页面?)?切换(?:效果|动画)?|\b(?:all )?(?:the )?transitions?\b"):
            return [step("set_slide_transition", effect="none", apply_to_all=True)]
        return None
    slides = take_slides(context, text)
    if (made := _delete_point(context, text, slides)) is not None:
        return made
    if not slides:
        raise _ask_slide(context, text)
    text.take_all(r"幻灯片|PPT|这|那|几|页|\b(?:slides?|pages?)\b|[,，、]|和")
    return [step("delete_slide", slide_index=one) for one in sorted(slides, reverse=True)]


def _ask_slide(context: OrderContext, text: RequestText) -> OrderUnclear:
    """The question which slide is meant, with the titles there are if the order names another one."""
    named = re.search(
        r"(?P<it>[\u4e00-\u9fff]{2,8}?)(?:那|这)?一?[页张]|\b(?:the )?(?P<en>[a-z]+) (?:slide|page)\b", text.mask
    )
    if named is None:
        return OrderUnclear("no_place")
    words = named["it"] or named["en"]
    titles = tuple(one.title for one in context.reading.slides if one.title)
    return OrderUnclear("no_such", text=f"“{words}”", known=titles)


def _delete_point(context: OrderContext, text: RequestText, slides: list[int]) -> list[JsonObject] | None:
    """A point by its words or by its number; None if the order names none."""
    if words := text.take_any_quote():
        if not any(words in line for one in context.reading.slides for line in one.texts):
            raise OrderUnclear("no_text_here", text=words)
        text.take_all(
            r"(?:上|里|中)?(?:的)?(?:这|那)?一?(?:条|行|点|项|句)(?:话|要点|内容)?|要点|文字|[:,，]|"
            r"\b(?:bullet|point|line|from|on)\b"
        )
        return [step("delete_point", text=words, slide_index=slides[0] if slides else None)]
    about = name_about(text.mask)
    if about is None and (
        bullet := re.search(
            r"\b(?:the )?(?:bullet|point)(?: point)? about "
            r"(?P<it>[^,.;]+)",
            text.mask,
            re.IGNORECASE,
        )
    ):
        about = (bullet.span(), bullet["it"], "point")
    if about is not None and (line := _find_point(context, about[1], slides)) is not None:
        text.consume(*about[0])
        return [step("delete_point", text=line[1], slide_index=line[0])]
    found = text.take(
        rf"(?:的)?第({ORDINAL})(?:条|点|个要点|项|行)(?:要点|内容)?|\bbullet (?:point )?(\d+)\b|"
        rf"\b({EN_ORDINAL}) (?:bullet|point)(?: point)?\b"
    )
    if found is None:
        return None
    if len(slides) != 1:
        raise OrderUnclear("no_place")
    lines = _points(context, slides[0])
    number = read_ordinal(next(one for one in found.groups() if one)) or 0
    if not 1 <= number <= len(lines):
        raise OrderUnclear("no_such", text=found[0], known=tuple(lines))
    return [step("delete_point", text=lines[number - 1], slide_index=slides[0])]


def _find_point(context: OrderContext, subject: str, slides: list[int]) -> tuple[int, str] | None:
    """The only point of the deck, or of these slides, that is about a subject."""
    pieces = [
        TextPiece(str(slide.number), line)
        for slide in context.reading.slides
        if not slides or slide.number in slides
        for line in _points(context, slide.number)
    ]
    found = find_about(subject, pieces, is_sentence=False)
    return None if found is None else (int(found[0].address), found[0].text)


def _points(context: OrderContext, number: int) -> list[str]:
    slide = context.reading.slides[number - 1]
    return [line for block in slide.texts for line in block.split("\n") if line.strip()]


def _move(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if text.take(
        r"(?:交换|互换|对调|调换|换个?位置|换一下位置|调个?位置)(?:位置|顺序)?|\b(?:swap|switch|"
        r"exchange)\b"
    ):
        slides = take_slides(context, text)
        if len(slides) != 2:
            raise OrderUnclear("no_place")
        text.take_all(r"(?:的)?(?:位置|顺序)|换|幻灯片|[、,，]|\b(?:slides?|positions?|order)\b")
        first, second = sorted(slides)
        moves = [(second, first)] if second - first == 1 else [(second, first), (first + 1, second)]
        return [step("reorder_slides", from_index=here, to_index=there) for here, there in moves]
    if not text.take(
        r"移动?(?:到|至)|挪(?:到|至)|搬(?:到|至)|调(?:整)?(?:到|至)|放(?:到|在)|提(?:到|前到)|排(?:到|在)|"
        r"\b(?:move|put|shift)\b"
    ):
        return None
    count = len(context.reading.slides)
    end = text.take(r"(?:最后|末尾|结尾)(?:面|一页)?$|\b(?:to )?the (?:very )?end\b|\blast\b(?! slide)")
    start = (
        None
        if end
        else text.take(r"最前面?|开头|第一(?:个)?位置?$|\b(?:to )?the (?:very )?(?:beginning|start|front)\b")
    )
    slides = _take_named(context, text)
    side = text.take(
        r"(?:的)?(后面|之后|后|前面|之前|前)|\b(after|before|behind|in front of)\b|\b(?:to )?position (\d+)\b"
    )
    text.take_all(
        r"幻灯片|[,，]|位置|\b(?:so (?:that )?it (?:comes|is|goes|sits|stands)|(?:right|directly|straight|immediately)|"
        r"slides?|to|position|come|comes)\b|去|变成"
    )
    if end or start:
        if len(slides) != 1:
            raise OrderUnclear("no_place")
        return _reorder(slides[0], count if end else 1, count)
    if side and side[3] and len(slides) == 1:
        return _reorder(slides[0], int(side[3]), count)
    if len(slides) != 2:
        raise OrderUnclear("no_place")
    here, there = slides
    if side is None:
        return _reorder(here, there, count)
    after = (side[1] or side[2])[0] in "后之ab" and (side[1] or side[2]) not in ("之前", "before")
    target = there + 1 if after else there
    return _reorder(here, target - 1 if here < target else target, count)


def _reorder(here: int, there: int, count: int) -> list[JsonObject]:
    """The step that moves a slide; asked about where it would stay, or where there is no such place."""
    if not 1 <= there <= count:
        raise OrderUnclear("no_such", text=f"{there}", known=(f"1–{count}",))
    if here == there:
        raise OrderUnclear("stays_there", number=here)
    return [step("reorder_slides", from_index=here, to_index=there)]


def _take_named(context: OrderContext, text: RequestText) -> list[int]:
    """Slides by number or by title, in the order in which the words name them."""
    found: list[tuple[int, int]] = []
    for quote in list(text.left_quotes()):
        hits = [one.number for one in context.reading.slides if one.title.strip() == quote.text]
        if len(hits) == 1:
            text.consume(quote.start - 1, quote.end + 1)
            found.append((quote.start, hits[0]))
    for take in (take_slides, take_title, take_title):
        before = text.mask
        made = take(context, text)
        numbers = made if isinstance(made, list) else [] if made is None else [made]
        at = next((at for at, (old, new) in enumerate(zip(before, text.mask, strict=True)) if old != new), 0)
        found += [(at + extra, one) for extra, one in enumerate(numbers)]
    return list(dict.fromkeys(one for _, one in sorted(found)))


def _copy(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(r"复制(?:一份|一张|一页)?|拷贝(?:一份)?|\b(?:duplicate|copy)\b"):
        return None
    title = text.take_quote(
        r"(?:call|name|title|rename)(?: (?:the copy|it|the new one))?|标题(?:改成|改为|叫|写)?|副本叫?|"
        r"叫做?|命名为"
    )
    changed = _take_change_on_copy(context, text)
    end = text.take(r"(?:到|放到?|并放到?|粘贴到)?(?:最后|末尾|结尾)(?:面)?|\b(?:to|at) the end\b")
    slides = take_slides(context, text)
    if len(slides) == 1 and (other := take_title(context, text)) is not None:
        slides.append(other)
    if len(slides) not in (1, 2):
        raise OrderUnclear("no_place")
    side = text.take(
        r"(?:到|放到?|放在|粘贴到)?(?:的)?(后面|之后|后|前面|之前|前)|\b(?:to |and put it )?(after|before)\b"
    )
    text.take_all(r"一[份张页]|幻灯片|到|放到?|放在|在|[,，]|\b(?:slides?|and|put it|paste it)\b")
    position = len(context.reading.slides) + 1 if end else None
    if len(slides) == 2:
        is_before = side is not None and (side[1] or side[2]) in ("前面", "之前", "前", "before")
        position = slides[1] if is_before else slides[1] + 1
    made = [step("duplicate_slide", source_index=slides[0], target_position=position)]
    if changed is not None:
        old, new = changed
        lines = [context.reading.slides[slides[0] - 1].title, *context.reading.slides[slides[0] - 1].texts]
        if not any(old in one for one in lines):
            raise OrderUnclear("no_text_here", text=old)
        target = f"s{position or slides[0] + 1}"
        made.append(step("replace_text", find_text=old, replace_text=new, max_matches=500, address=target))
    if title:
        copy_index = position or slides[0] + 1
        made.append(step("fill_placeholder", text=title, slide_index=copy_index, placeholder_kind="title"))
    return made


def _take_change_on_copy(context: OrderContext, text: RequestText) -> tuple[str, str] | None:
    """Words that change on the copy only: on the copy change 2023 to 2024."""
    if not text.take(
        r"[,，]?\s*(?:然后|再|并)?(?:在|把)?(?:副本|复制(?:出来|后)?的?(?:那|这)?一?[页张份]?|新的?(?:那|"
        r"这)?一?[页张]|拷贝)(?:上|里面?|中)?的?(?:把)?|"
        r"[,;]?\s*(?:and |then )*(?:on|in) the (?:copy|duplicate|new (?:one|slide))"
    ):
        return None
    return take_old_new(text, context.reading)


def _take_listed(text: RequestText) -> str:
    """Points of a new slide after a colon, if its title is said before."""
    if not re.search(
        r"标题|题目|叫|名为|\b(?:titled?|called|named)\b", text.mask[: max(text.mask.find(":"), 0)], re.IGNORECASE
    ):
        return ""
    found = re.search(
        r"[,，;；]?\s*(?:里面|上面|下面|底下|内容|正文|要点|分别|依次)*(?:写上?|列出?|放|有|为|是|包括)?(?:(?:两|"
        r"三|四|几|"
        rf"\d)[条点个])?\s*(?:\b(?:with|and|listing)(?: (?:the|these|following|{COUNT}))*(?: (?:bullet )?points?| "
        r"bullets?| items?| lines?| content| text| body)?\b)?\s*:\s*(?P<it>\S.*)$",
        text.mask,
        re.DOTALL,
    )
    if found is None or re.search(
        r"(?:标题|题目|叫|title|titled|called)\s*$", text.mask[: found.start()], re.IGNORECASE
    ):
        return ""
    content = text.raw[found.start("it") :].strip()
    text.consume(found.start(), len(text.mask))
    return content


# A title of which nothing is said, and words that are several things and no title.
_EMPTY_QUOTES: Final = re.compile(r"“\s*”|\"\s*\"|「\s*」|『\s*』|《\s*》|‘\s*’")
_LISTED: Final = re.compile(r"[、;；\n]|[。!！?？.]\s*\S|,(?!\d{3}(?!\d)).*,(?!\d{3}(?!\d))|\d\s*(?:%|％|,).*[,，].*\d")
_COVER: Final = re.compile(r"^\s*(?:title slide|标题幻灯片|封面|cover)", re.IGNORECASE)


def _take_layout(context: OrderContext, text: RequestText, *, has_points: bool) -> int:
    """Layout of a new slide: that of the cover if the order says so, else title and content."""
    is_like_cover = bool(
        text.take(
            r"[,，]?\s*(?:跟|和|与|同|用|按|照)(?:着)?(?:封面|首页|第一页)(?:页)?(?:的|保持|是|用)*(?:一个|"
            r"一样的?|同样的?|同一个?|相同的?|一致的?)?"
            r"(?:风格|样式|版式|样子|格式)(?:一样|一致|相同)?|"
            r"[,;]?\s*\b(?:in|with|using|use|and)? ?the same (?:style|layout|look|"
            r"design) as (?:on )?the (?:cover|title|first)"
            r"(?: slide| page)?\b|[,;]?\s*\b(?:styled |looking |made )?like the (?:cover|title)(?: slide| page)?\b"
        )
    )
    if is_like_cover and (has_points or not _COVER.search(context.reading.slides[0].layout)):
        raise OrderUnclear("no_look")  # a cover has no points, and only its own layout is known
    return 1 if is_like_cover else 2


def _take_bare_title(text: RequestText) -> str:
    """The title of a new slide that no word announces: a quotation, else what stands behind a colon."""
    title = text.take_any_quote() or (take_text(text) if ":" in text.mask else "")
    if _EMPTY_QUOTES.search(text.raw) or _LISTED.search(title):
        raise OrderUnclear("no_text")  # 加一页数据：30% 增长、1,200 用户: several things are no title
    return title


def _add(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    page = (
        r"(?:一|1)?(?:个|页|张)?(?:新的?)?(?:空白?的?)?(?:幻灯片|页|PPT|片子)|一[页张]|\b(?:a |"
        r"one )?(?:new |blank )*slide\b"
    )
    if not text.has(rf"(?:{ADD}|新建)\s*(?:上|入)?\s*(?:{page})"):
        return None
    content = _take_listed(text) or text.take_value(
        r"[,，;]?\s*(?:内容|正文|要点)(?:写|为|是|包括|有|:)+|[,，]?\s*(?:\b(?:with|and) )?\b(?:the )?(?:content|"
        r"body|points?|bullets?|text)s?:?"
    )
    if content:
        tail = text.raw[text.raw.find(content) :]
        rest = re.match(r"[^。\n]*", tail)
        if rest and "\ufffc" not in text.mask[text.raw.find(content) + len(content) :][: len(rest[0]) - len(content)]:
            text.consume(text.raw.find(content), text.raw.find(content) + len(rest[0]))
            content = rest[0]
    layout = _take_layout(context, text, has_points=bool(content))
    title = text.take_quote(r"标题|题目|叫|名为|\b(?:titled?|called|named|heading)\b") or text.take_value(
        r"标题(?:写|为|是|叫|写上|用|:)+|(?:[,，]\s*)?(?:叫做?|名为)|\b(?:titled|called|with the title|named)\b:?"
    )
    title = title or _take_bare_title(text)
    text.take(rf"(?:{ADD}|新建)\s*(?:上|入)?\s*(?:{page})")
    is_end = bool(
        text.take(
            r"(?:在|到)?(?:PPT|演示文稿|幻灯片)?(?:的)?(?:最后|末尾|结尾)(?:面|处)?(?:再)?|"
            r"\bat the (?:very )?end\b(?: of the (?:deck|presentation))?"
        )
    )
    is_start = bool(text.take(r"(?:在|到)?(?:最前面?|开头)(?:处)?|\bat the (?:beginning|start)\b"))
    numbered = take_slides(context, text)
    slides = numbered or ([one] if (one := take_title(context, text)) is not None else [])
    side = text.take(r"(?:的)?(后面|之后|后|前面|之前|前|中间|之间)(?:再)?|\b(after|before|between)\b")
    if slides and not numbered and side is None:
        raise OrderUnclear("no_place")  # 加一页议程：… beside a slide 议程 is that slide, or another one of this name
    text.take_all(
        r"标题|题目|写上?|为|是|叫|[,，:]|一?页|幻灯片|再|\b(?:titled?|called|with|the title|slide|"
        r"named)\b"
    )
    count = len(context.reading.slides)
    if not title:
        raise OrderUnclear("no_slide_title" if content else "no_text")
    position = 1 if is_start else None
    if slides and not is_end:
        said = (side[1] or side[2]) if side else "后"
        position = slides[0] if (said[0] in "前b" and said != "between") or said == "之前" else slides[0] + 1
    elif not is_end and not is_start and side is not None:
        raise OrderUnclear("no_place")
    is_one = any(one.text == content for one in text.quotes)  # a quotation is one text, whatever its signs
    lines = content if is_one else "\n".join(split_values(content)) if content else None
    return [
        step(
            "add_slide",
            title=title or None,
            content=lines,
            layout=layout,
            position=position if position and position <= count else None,
        )
    ]


SLIDE_RULES: Final = (_copy, _add, _move, _delete)
