"""Edits that correct a value in running text: by its old value, by what it counts, by the day it was."""

import re
from collections.abc import Iterator
from typing import Final

from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import step
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents import DocumentView
from metier.packs.office.orders.edits._edit import EditCall, EditRule, LineEdit
from metier.packs.office.orders.edits._names import find_line
from metier.packs.office.orders.grounded import TextValue, content_words, find_values, fit_value, is_same, words_of

__all__ = ["CORRECT_RULES"]

_NOW_NOT: Final = (
    re.compile(
        r"(?P<what>.*?)\b(?:it['’]?s|it is|is|should be|that['’]?s|be|are)(?: now| really| actually)? (?:on "
        r"|at |for )?(?P<new>[^,;]+?)(?: now)?,? "
        r"(?:and )?(?:not|instead of|rather than|no longer) (?:on |at |for )?(?:the )?(?P<old>[^,;]+?)(?: "
        r"(?:any ?more|now))?(?P<more> for the .+)?",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<what>.*?)(?:现在|应该|应|改|已)?(?:是|为|定在|改到|改在|改成|改为)(?P<new>[^,，]+?)"
        r"[,，]?(?:而)?(?:不是|不再是|并非)(?:原来的)?(?P<old>[^,，]+?)(?:了)?"
    ),
    re.compile(
        r"(?P<what>.*?)(?:不是|并非|不再是)(?P<old>[^,，]+?)[,，]?(?:而是|是|应该是|应是|应为)(?P<new>[^,，]+?)(?:了)?"
    ),
)
_FROM_TO: Final = (
    re.compile(
        r"(?:把|将)?(?P<what>.*?)(?:由|从)(?:原来的)?(?P<old>[^,，由从]+?)(?:改|调整?|变更?|增加?|减少?|"
        r"提高|降低|更正|修改|涨|降|加)(?:成|为|到|至)(?P<new>[^,，]+?)"
    ),
    re.compile(
        r"(?:change|correct|raise|lower|increase|reduce|update) (?:the )?(?P<what>.+?) from (?P<old>.+?) to "
        r"(?P<new>.+)",
        re.IGNORECASE,
    ),
)
_SHOULD: Final = (
    re.compile(
        r"(?:(?:correct|fix|change|update|check|amend) )?(?:the )?(?P<what>(?:number|amount|count|price|"
        r"quantity|total|figure) (?:of|for) .+?)(?: (?:is|are) (?:wrong|off|incorrect|not right))"
        r"?(?:[?.,;!]+\s*(?:please )?(?:it|that|this|they|there)| )\s*"
        r"(?:should be|is now|must be|ought to be|has to be|should read|are now|is really) (?P<new>[^,;]+?)(?: now)?",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:把|将)?(?P<what>[^,，\d]{2,20}?)(?:也|都|就|相应|同步|随之|应该?|现在)*(?:改|调整|变更|更正|"
        r"修正|应)(?:成|为|到|是)(?P<new>[^,，]+?)"
    ),
)
_FIGURE: Final = re.compile(r"[^\d\s]{0,3}\s?\d[\d.,:/-]*\s?(?:[A-Za-z]{1,12}|[^\w\s]|[\u4e00-\u9fff]{0,3})")
_WITHIN: Final = (
    re.compile(
        rf"(?:in|under|within) (?:the )?(?:section )?(?P<place>{QUOTED}|[^,]+?)(?: section)?,? (?:change|"
        rf"replace|correct|set) (?:the )?(?P<old>{QUOTED}|.+?) (?:to|with|by|into) (?P<new>{QUOTED}|.+)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:change|replace|correct) (?:the )?(?P<old>{QUOTED}|.+?) (?:to|with|by|into) (?P<new>{QUOTED}|"
        rf".+?) (?:in|under|within) (?:the )?(?:section )?(?P<place>{QUOTED})(?: section)?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:把|将|在)?(?P<place>{QUOTED})(?:这|那)?一?(?:节|部分|章|条)?(?:里面?|中|下面|内)?的?(?:把|将)"
        rf"?(?P<old>{QUOTED}|[^,，\"]+?)(?:改|换|更正|修改|调整)(?:成|为)(?P<new>{QUOTED}|[^,，\"]+)"
    ),
)
_GENERIC_ZH: Final = re.compile(
    r"(?:的|之)?(?:数量|株数|人数|个数|件数|台数|份数|数目|金额|价格|单价|费用|日期|时间|电话|数字|数值|数)?$"
)
_GENERIC_EN: Final = re.compile(
    r"^(?:number|amount|count|price|quantity|total|figure) (?:of|for) (?:the )?", re.IGNORECASE
)
_WEEKDAY: Final = re.compile(
    r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?:星期|周)[一二三四五六日天]", re.IGNORECASE
)


def correct_day(call: EditCall, said: str) -> LineEdit | None:
    """It's Friday 11 April now, not the 4th; the reply date is 4 April instead of 28 March; 是5月20日，不是5月12日."""
    text = RequestText(said)
    for form in _NOW_NOT:
        if text.quotes or (found := form.fullmatch(text.mask)) is None:
            continue
        old, new = (said[found.start(name) : found.end(name)].strip() for name in ("old", "new"))
        if (value := _only_value(new)) is None:
            continue
        places = [
            (piece, one)
            for piece in call.view.filled
            for one in find_values(piece.text)
            if one.kind == value.kind and _is_old(one, old, value)
        ]
        if len(places) != 1:
            if places:
                _ask(old, [piece for piece, _ in places])
            continue
        return _write(places[0][0], places[0][1], value, new)
    return None


def _only_value(text: str) -> TextValue | None:
    """The one value that the words are, beside the day of the week."""
    values = [one for one in find_values(text) if one.kind != "weekday"]
    if len(values) != 1:
        return None
    rest = _WEEKDAY.sub("", text.replace(values[0].text, ""))
    unit = rf"\b{re.escape(values[0].unit)}s?\b|" if values[0].unit else ""
    return values[0] if not re.sub(rf"{unit}[\s,，]|\b(?:the|on|of)\b", "", rest, flags=re.IGNORECASE) else None


def _is_old(value: TextValue, old: str, new: TextValue) -> bool:
    """Whether a value is the old one, said whole or by its day alone: the 4th."""
    day = re.fullmatch(r"(\d{1,2})\s*(?:st|nd|rd|th|号|日)?", old)
    if day and new.kind == "date":
        return re.search(rf"(?<!\d){day[1]}(?!\d)", re.sub(r"\d{4}", "", value.text)) is not None and _month(
            value.text
        ) == _month(new.text)
    said = _only_value(old)
    return said is not None and is_same(value, said)


def _month(text: str) -> str:
    found = re.search(r"(\d{1,2})\s*月|([A-Za-z]{3})", text)
    return (found[1] or found[2]).lower() if found else ""


def _write(piece: TextPiece, old: TextValue, new: TextValue, said: str) -> LineEdit | None:
    """The line with the new value in the form of the old one; its weekday changes with it, or it is asked."""
    fit = fit_value(old, new)
    if fit is None or "\n" in piece.text:
        return None
    start, end, words = fit
    line = f"{piece.text[:start]}{words}{piece.text[end:]}"
    own, given = _WEEKDAY.search(piece.text[max(0, old.start - 12) : old.end + 8]), _WEEKDAY.search(said)
    if old.kind == "date" and (own or given):
        if own is None or given is None or len(own[0]) < 2 or piece.text.count(own[0]) != 1:
            if own is not None or given is None or own is None:
                raise OrderUnclear("words_or_value", text=piece.text[:60], new=said[:60])
        else:
            day = given[0] if own[0][0] not in "星周" else own[0][:-1] + given[0][-1]
            line = line.replace(own[0], day, 1)
    made = step("replace_text", find_text=piece.text, replace_text=line, address=piece.address)
    return LineEdit((made,), (piece,))


def correct_from(call: EditCall, said: str) -> LineEdit | None:
    """樟树的数量由200株改为240株: the old value, in a line that is about what is named."""
    text = RequestText(said)
    for form in _FROM_TO:
        if text.quotes or (found := form.fullmatch(text.mask)) is None:
            continue
        what, old, new = (said[found.start(name) : found.end(name)].strip() for name in ("what", "old", "new"))
        if _FIGURE.fullmatch(old) and not _FIGURE.fullmatch(new):
            continue  # 40 euros from July on: more than a value
        subject = _subject(what)
        places = [
            (piece, at)
            for piece in call.view.filled
            if _is_about(subject, piece.text)
            for at in _positions(old, piece.text)
        ]
        if len(places) > 1:
            places = (
                [one for one in places if _nearest(subject, one[0].text, one[1])]
                if len({p.address for p, _ in places}) == 1
                else places
            )
        if len(places) != 1:
            if places:
                _ask(old, [piece for piece, _ in places])
            continue
        piece, at = places[0]
        line = f"{piece.text[:at]}{_with_unit(old, new, piece.text[at + len(old) :])}{piece.text[at + len(old) :]}"
        made = step("replace_text", find_text=piece.text, replace_text=line, address=piece.address)
        return LineEdit((made,), (piece,))
    return None


def correct_within(call: EditCall, said: str) -> LineEdit | None:
    """In “2 Payment” change 14 days to 21 days: the only place of the words in a section."""
    text = RequestText(said)
    for form in _WITHIN:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        span = call.view.section(text.text_of(*found.span("place")))
        old, new = (text.text_of(*found.span(name)) for name in ("old", "new"))
        line = find_line(text.raw[slice(*found.span("place"))], call.view) if span is None and text.quotes else None
        inside = span.pieces[1:] if span is not None else line.pieces if line is not None else ()
        pieces = [one for one in inside if list(_positions(old, one.text))]
        if len(pieces) > 1:
            _ask(old, pieces)
        if len(pieces) != 1 or pieces[0].text.count(old) != 1:
            continue
        words = pieces[0].text.replace(old, new)
        made = step("replace_text", find_text=pieces[0].text, replace_text=words, address=pieces[0].address)
        return LineEdit((made,), (pieces[0],))
    return None


def _positions(old: str, text: str) -> Iterator[int]:
    form = rf"(?<![\d.,]){re.escape(old)}(?![\d])" if re.match(r"\d", old) else re.escape(old)
    return (one.start() for one in re.finditer(form, text))


def _nearest(subject: str, text: str, at: int) -> bool:
    """Whether the subject stands in the same part of the line, before the value."""
    part = re.split(r"[,，;；。]", text[:at])[-1]
    return bool(subject) and subject in part


def _with_unit(old: str, new: str, behind: str) -> str:
    """A new value without a unit that stands behind the old one anyway: 60 → 75株, where 株 follows."""
    unit = re.fullmatch(r"([\d.,]+)(\D+)", new)
    return unit[1] if unit and re.fullmatch(r"[\d.,]+", old) and behind.startswith(unit[2]) else new


def _subject(what: str) -> str:
    plain = re.sub(r"^(?:把|将|请|the )", "", what.strip(), flags=re.IGNORECASE)
    return _GENERIC_EN.sub("", _GENERIC_ZH.sub("", plain)).strip()


def _is_about(subject: str, text: str) -> bool:
    """Whether a line has what is named: Chinese words whole, of English ones each."""
    if not subject:
        return True
    if re.search(r"[\u4e00-\u9fff]", subject):
        return all(part in text for part in re.split(r"的|\s", subject) if part)
    own = words_of(text)
    words = content_words(subject)
    return bool(words) and all(one in own for one in words)


def correct_count(call: EditCall, said: str) -> LineEdit | None:
    """Correct the number of chairs in room 14? It should be 26; 合计相应改为20400元."""
    text = RequestText(said)
    for form in _SHOULD:
        if text.quotes or (found := form.fullmatch(text.mask)) is None:
            continue
        what, new = (said[found.start(name) : found.end(name)].strip() for name in ("what", "new"))
        subject = _subject(what) if form is _SHOULD[0] else re.sub(r"^(?:把|将)|的$", "", what)
        value = next(iter(find_values(new)), None)
        if value is None or value.text != new or not subject:
            continue
        places = list(_list_counts(call.view, subject, value, is_beside=form is _SHOULD[1]))
        if len(places) != 1:
            if places:
                _ask(subject, [piece for piece, _ in places])
            continue
        piece, old = places[0]
        if is_same(old, value):
            continue
        fit = fit_value(old, value)
        if fit is None:
            continue
        line = f"{piece.text[: fit[0]]}{fit[2]}{piece.text[fit[1] :]}"
        made = step("replace_text", find_text=piece.text, replace_text=line, address=piece.address)
        return LineEdit((made,), (piece,))
    return None


def _list_counts(
    view: DocumentView, subject: str, new: TextValue, *, is_beside: bool
) -> Iterator[tuple[TextPiece, TextValue]]:
    """Values of the kind of the new one in lines about the subject; not those that belong to its name."""
    for piece in view.filled:
        if not _is_about(subject, piece.text):
            continue
        values = [one for one in find_values(piece.text) if one.kind == new.kind]
        if is_beside:
            form = re.compile(rf"{re.escape(subject)}\s*(?:[:：为是共计约]|合计|总计)*\s*$")
            yield from ((piece, one) for one in values if form.search(piece.text[: one.start]))
            continue
        named = {one.text for one in find_values(subject)} | set(re.findall(r"\d+", subject))
        counted = content_words(subject)[:1]
        left = [one for one in values if one.text not in named]
        if len(left) > 1:
            left = [one for one in left if counted and set(counted) & words_of(piece.text[one.end : one.end + 24])]
        yield from ((piece, one) for one in left)


def _ask(said: str, pieces: list[TextPiece]) -> None:
    raise OrderUnclear("which_line", text=said, known=tuple(dict.fromkeys(one.line[:60] for one in pieces)))


CORRECT_RULES: Final[tuple[EditRule, ...]] = (correct_within, correct_day, correct_from, correct_count)
