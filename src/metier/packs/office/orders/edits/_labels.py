"""Edits that give a line with a name its new value: “Fitter: Carl.”, 电话→8829, the driver changed, it is now X."""

import re
from typing import Final

from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._clauses import has_order_verb
from metier.packs.office.orders._context import step
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.edits._edit import EditCall, EditRule, LineEdit
from metier.packs.office.orders.edits._kept import is_place
from metier.packs.office.orders.edits._names import NamedLine, find_label
from metier.packs.office.orders.edits._remarks import read_remark
from metier.packs.office.orders.edits._written import is_unsettled
from metier.packs.office.orders.grounded import find_values, keep_year

__all__ = ["LABEL_RULES", "fill_label"]

_TAILS_ZH: Final = r"(?:啊|哈|呀|哦|吧|啦|的)*"
_GIVEN: Final = (
    re.compile(r"(?P<name>[^:\"]{1,30}?)\s*(?P<mark>:)\s*(?P<new>[^:]+)"),
    re.compile(rf"(?P<name>{QUOTED}|[^:\"→]{{1,30}}?)\s*(?:→|->|=>|－>|⇒)\s*(?P<new>{QUOTED}|(?:(?!→|->|=>|－>|⇒).)+)"),
)
_CHANGED: Final = (
    re.compile(
        rf"(?P<name>[^,，:\"]{{1,16}}?)(?:已经|又|都)?(?:换人|换|变更|变|改|调整|更换|更新)了{_TAILS_ZH}\s*[,，]?\s*"
        r"(?:现在|目前|如今|今后|以后|新的?|改|换)?(?:的)?(?:是|叫|为|由|成|改成|换成|改为|换为)"
        rf"(?P<new>[^,，:\"]+?){_TAILS_ZH}"
    ),
    re.compile(
        r"(?:the )?(?P<name>[^,:\"]{1,30}?) (?:has |have )?(?:just )?(?:changed|been replaced|been changed)"
        r"\s*[,;.]?\s*(?:and )?"
        r"(?:it'?s|it is|now|now it'?s|that'?s|the new one is)(?: now)? (?P<new>[^,:\"]+?)(?: now)?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<name>[^,，:\"]{{1,16}}?)(?:也|则|相应)?(?:改|换|变更|更换|更新|调整)(?:成|为|到)"
        rf"(?P<new>{QUOTED}|[^,，:\"]+?)"
    ),
    re.compile(
        rf"(?:change|set|update|correct|switch) (?:the )?(?P<name>[^,:\"]{{1,30}}?)(?: line)? (?:to|into) "
        rf"(?P<new>{QUOTED}|[^,:\"]+?)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:the )?(?P<name>[^,:\"]{{1,30}}?) (?:is now|becomes|should be|must be|will be) (?P<new>{QUOTED}|"
        r"[^,:\"]+?)(?: now)?",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<new>(?-i:[A-Z])[^,:\"]{0,40}?) (?:is|becomes|will be) (?:now )?(?:the|our) (?:new )"
        r"?(?P<name>[^,:\"]{1,30}?)(?: now)?",
        re.IGNORECASE,
    ),
)
_MOVED: Final = re.compile(
    rf"(?:the )?(?P<name>[^,:\"]{{1,30}}?) (?:goes |is |went |has gone |comes )?(?P<way>up|down) to "
    rf"(?P<new>{QUOTED}|[^,:\"]+?)|"
    rf"(?P<zh>[^,，:\"]{{1,16}}?)(?P<verb>上调|下调|提高|降低|涨|降|提|升|减|增加|减少)(?:到|至|为|成)"
    r"(?P<value>[^,，:\"]+?)",
    re.IGNORECASE,
)
_UP: Final = ("up", "上调", "提高", "涨", "提", "升", "增加")
_ROLE_WORDS: Final = re.compile(
    r"(?:[一二三四\d]级|小|大)?标题|列表|表格|引用|正文|(?:an? )?(?:heading|title|list|table|quote|bold|red)",
    re.IGNORECASE,
)


def give_label(call: EditCall, said: str) -> LineEdit | None:
    """A name of a line and its new value, as the document writes them."""
    text = RequestText(said)
    for form in _GIVEN:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        label = find_label(text.text_of(*found.span("name")), call.view)
        new = text.text_of(*found.span("new")).strip()
        if label is None or not new:
            continue
        if '"' not in found["new"]:
            new = _without_old(new, label)
        if '"' not in found["new"] and (_is_order(new, label) or is_unsettled(new, label.value)):
            raise OrderUnclear("part", part=said[:60])
        if '"' not in found["new"] and (kept := _find_kept(new, label, call)):
            raise OrderUnclear("part", part=kept[:60])
        return fill_label(label, new, is_open='"' not in found["new"])
    return None


def _without_old(new: str, label: NamedLine) -> str:
    """A new value without the old one that is said beside it: Bo, not Al."""
    old = re.escape(label.value)
    return re.sub(
        rf"[,，]?\s*(?:(?:and )?not|instead of|rather than|不是|而不是)\s*{old}$", "", new, flags=re.IGNORECASE
    )


def _find_kept(new: str, label: NamedLine, call: EditCall) -> str:
    """The clause of a new value that says of another line that it stays: Contact: Bo, the phone stays the same."""
    for part in re.split(r"[,，]\s*", new)[1:]:
        remark = read_remark(part, call) if part not in label.value else None
        if remark is not None and remark.words and is_place(remark.words, call.view):
            return part
    return ""


def _is_order(new: str, label: NamedLine) -> bool:
    """Whether what stands after a name may be an order and no value of it."""
    return has_order_verb(new) and not has_order_verb(label.value) and len(new) > len(label.value) + 6


def change_label(call: EditCall, said: str) -> LineEdit | None:
    """负责人换人了，现在是叶文静; change the contact to Nora; Junior fee up to 35 euros."""
    text = RequestText(said)
    if (found := _MOVED.fullmatch(text.mask)) is not None:
        return _raise_label(call, said, found)
    for form in _CHANGED:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        name = re.sub(r"^(?:把|将|the )|的$", "", text.text_of(*found.span("name")).strip())
        label = find_label(name, call.view)
        new = text.text_of(*found.span("new")).strip()
        if label is not None and new and not _ROLE_WORDS.fullmatch(new):
            if '"' not in found["new"] and is_unsettled(new, label.value):
                raise OrderUnclear("part", part=new[:60])
            return fill_label(label, new)
    return None


def _raise_label(call: EditCall, said: str, found: re.Match[str]) -> LineEdit | None:
    """A figure that goes up or down, only if the new one does."""
    group, way = ("name", found["way"]) if found["name"] else ("zh", found["verb"])
    value = "new" if found["name"] else "value"
    label = find_label(re.sub(r"^(?:把|将)", "", said[found.start(group) : found.end(group)].strip()), call.view)
    if label is None:
        return None
    new = said[found.start(value) : found.end(value)].strip().strip('“”"')
    before, after = (_read_figure(one) for one in (label.value, new))
    if before is None or after is None or before == after or (after > before) != (way.lower() in _UP):
        raise OrderUnclear("which_of", first=label.value[:60], second=new[:60])
    return fill_label(label, new)


def _read_figure(text: str) -> float | None:
    found = re.findall(r"\d[\d,]*(?:\.\d+)?", text)
    return float(found[0].replace(",", "")) if len(found) == 1 else None


def fill_label(label: NamedLine, new: str, *, is_open: bool = False) -> LineEdit:
    """The line with its new value; asked if that is of another kind than the old one."""
    new = _fit(label.value, new)
    start = label.piece.text.rindex(label.value)
    line = f"{label.piece.text[:start]}{new}{label.piece.text[start + len(label.value) :]}"
    made = step("replace_text", find_text=label.piece.text, replace_text=line, address=label.piece.address)
    return LineEdit((made,), (label.piece,), is_open=is_open, is_label=True)


def _fit(old: str, new: str) -> str:
    """A new value in the form of the old one: with its mark, its unit, its year."""
    mark = re.search(r"[。.;；]$", old)
    new = re.sub(r"[。.;；]$", "", new) + (mark[0] if mark else "")
    bare, number = re.fullmatch(r"\d[\d,]*(?:\.\d+)?", new), re.search(r"\d[\d,]*(?:\.\d+)?", old)
    if (
        bare
        and number
        and len(re.findall(r"\d[\d,]*(?:\.\d+)?", old)) == 1
        and find_values(old)[0].kind not in ("code",)
    ):
        return f"{old[: number.start()]}{new}{old[number.end() :]}"
    kinds, given = ({one.kind for one in find_values(text)} - {"name"} for text in (old, new))
    if kinds and not kinds & given and not {"number", "money", "phone"} >= kinds | given:
        raise OrderUnclear("words_or_value", text=old[:60], new=new[:60])
    if kinds and not given:
        raise OrderUnclear("words_or_value", text=old[:60], new=new[:60])
    return keep_rest(old, new)


def keep_rest(old: str, new: str) -> str:
    """A new day or amount among other words of the value: 5月12日下午两点 keeps its hour."""
    values, given = find_values(old), find_values(new)
    if len(given) == 1 and given[0].text == new.strip() and len(values) > 1:
        alike = [one for one in values if one.kind == given[0].kind]
        if len(alike) != 1:
            raise OrderUnclear("words_or_value", text=old[:60], new=new[:60])
        one = alike[0]
        return f"{old[: one.start]}{keep_year(one.text, new)}{old[one.end :]}"
    return keep_year(old, new)


LABEL_RULES: Final[tuple[EditRule, ...]] = (give_label, change_label)
