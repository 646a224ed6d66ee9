"""Orders about pictures and about tracked changes and comments."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import ADD, DELETE, OrderContext, step
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL, read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear

__all__ = ["OTHER_RULES"]

_PICTURE_IN: Final = r"图片|照片|插图|配图|图(?![表形])|\b(?:pictures?|images?|photos?)\b"
_NUMBER: Final = r"(\d+(?:\.\d+)?)"


def _picture(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Size, place and caption of a picture: half the width, centred, with a caption underneath."""
    if (
        context.reading.kind not in ("docx", "text")
        or not text.has(_PICTURE_IN)
        or text.has(rf"(?:{DELETE})\s*(?:the |那|这)?[张幅]?(?:{_PICTURE_IN})")
    ):
        return None
    fields: dict[str, JsonValue] = {}
    caption = _take_caption(text)
    _take_size(text, fields)
    look = take_look(text)
    if "alignment" in look:
        fields["alignment"] = look.pop("alignment")
    if look or (not fields and not caption):
        return None
    number = text.take(
        rf"第({ORDINAL})(?:张|幅|个)(?:{_PICTURE_IN})|\b({EN_ORDINAL}) (?:picture|image|photo)\b|\bpicture (\d+)\b"
    )
    if number is not None:
        fields["index"] = read_ordinal(next(one for one in number.groups() if one)) or 1
    text.take_all(
        rf"(?:这|那|文中|里面?)?的?(?:张|幅)?(?:{_PICTURE_IN})|(?:实在)?太(?:大|小|宽)了?|\b(?:picture|image|"
        rf"photo)'?s\b|\b(?:is |"
        rf"are )?(?:way |far |much )*too (?:big|large|wide|small)\b|"
        r"\b(?:make|resize|shrink|scale|reduce|its|width|wide|and|the|to|of|size)\b|宽度?|大小|尺寸|比例(?:不变|"
        r"保持)?|[,，;；]|放|"
        r"调(?:整|成|到)?"
    )
    if caption:
        fields["caption"] = caption
    return [step("set_picture", **fields)]


def _take_caption(text: RequestText) -> str:
    found = re.search(
        r"[,，;；]?\s*(?:and |并|再)?(?:{ADD})?(?:上|个|一?行)?(?:下面|下方|底下)?(?:的)?(?:{ADD})?(?:上|个|"
        r"一?行)?(?:题注|图注|图名|"
        r"说明(?:文字)?)(?:写|为|是)*\s*:\s*(?P<zh>.+)$|"
        r"[,;]?\s*(?:and )?(?:(?:add|put|with|give it) )?(?:a |the )?caption(?: (?:underneath|below|under it|beneath|"
        r"saying|reading|that says))*\s*:?\s*(?P<en>.+)$".replace("{ADD}", ADD),
        text.mask,
        re.IGNORECASE,
    )
    if found is None:
        return ""
    group = "zh" if found["zh"] else "en"
    words = text.raw[found.start(group) : found.end(group)].strip().strip("“”\"'")
    text.consume(*found.span())
    return words


def _take_size(text: RequestText, fields: dict[str, JsonValue]) -> None:
    if found := text.take(
        rf"(?:宽度?)?(?:设为|改成|调成|调到|缩到|为|是|to|at)*\s*{_NUMBER}\s*(厘米|公分|cm|毫米|mm)(?: wide|"
        rf" in width)?(?:宽)?"
    ):
        fields["width_mm"] = float(found[1]) * (10 if found[2].lower() in ("厘米", "公分", "cm") else 1)
    elif text.take(
        r"(?:缩小?|调小?|变小?|减小)?(?:到|成|为)?(?:原来的?)?(?:一半|二分之一|50\s*%)(?:大小|宽度?|尺寸)?|"
        r"\b(?:to )?half(?: (?:the|its|"
        r"as))?(?: (?:width|size|wide|big))?\b|\bhalve(?: (?:it|its width))?\b"
    ):
        fields["scale"] = 0.5
    elif found := text.take(
        rf"(?:缩小|缩|调)?(?:到|成|为)(?:原来的?)?{_NUMBER}\s*[%％]|\bto {_NUMBER}\s*(?:%|"
        rf"percent)(?: of its (?:size|width))?"
    ):
        fields["scale"] = float(found[1] or found[2]) / 100
    elif found := text.take(
        r"放大([两二三])倍|(?:放大|扩大)(?:到|为)?(?:原来的?)?([两二三])倍|\b(twice|double) (?:the |its )?(?:size|"
        r"width|as (?:big|wide))\b"
    ):
        fields["scale"] = 2.0 if found[3] else float(read_count(found[1] or found[2]) or 2)


def _missing_picture(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A picture that is to be put in, and that nobody gave."""
    del context
    things = (
        r"logo|标志|商标|校徽|公司标识|公章|电子章|签名图|二维码|截图|图片|照片|插图|\b(?:pictures?|images?|"
        r"photos?|qr code|screenshots?)\b"
    )
    if text.has(
        rf"(?:{ADD}|贴|\bstick\b)[^,，。]{{0,16}}(?:{things})|(?:把|将)[^,，。]{{0,8}}(?:{things}"
        rf")[^,，。]{{0,8}}(?:{ADD}|贴)"
    ) and not text.has(r"题注|说明|caption|占位|\bplaceholders?\b"):
        raise OrderUnclear("no_picture")
    return None


def _settle(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Tracked changes that are accepted or rejected: 接受所有修订, accept all changes."""
    if context.reading.kind not in ("docx", "text"):
        return None
    changes = (
        r"(?:所有|全部|一切)?(?:的)?(?:修订|痕迹|修改痕迹|改动痕迹)(?:痕迹|内容)?|"
        r"(?:all )?(?:of )?(?:the )?(?:tracked |"
        r"track )?changes|everything|all (?:the )?(?:edits|revisions)|all of (?:it|them)"
    )
    found = text.take(
        rf"(?P<yes>接受|同意|采纳|通过|保留)(?:掉|了)?(?:{changes})|(?P<no>拒绝|不接受|否决|退回)(?:掉|"
        rf"了)?(?:{changes})|(?:把)?(?:{changes}"
        rf")(?:都|全部|全|统统)*(?P<all>接受|同意|采纳)(?:了|掉)?|"
        rf"\b(?P<en>accept|approve)(?:ing)? (?:{changes})|\b(?P<reject>reject|decline|discard)(?:ing)? (?:{changes})"
    )
    if found is None:
        return None
    made = [step("settle_changes", decision="reject" if found["no"] or found["reject"] else "accept")]
    if text.take(
        rf"[,，;；]?\s*(?:and |并|再|同时|顺便|把)*(?:{DELETE}|清空|\bclear\b)(?: all)?(?: of)?(?: the)?(?:所有|"
        rf"全部)?(?:的)?\s*(?:批注|comments?)|[,，]?(?:把|将)?(?:所有|全部)?(?:批注|注释)(?:也|都|全)*(?:{DELETE}"
        rf")(?:掉|了)?"
    ):
        made.append(step("delete_comments"))
    text.take_all(
        r"\bturn (?:off )?(?:tracked? changes|tracking)(?: off)?\b(?: and)?|关(?:闭|掉)修订(?:模式)?|[,，]|\b(?:in|the|"
        r"document|and)\b"
    )
    return made


OTHER_RULES: Final = (_settle, _picture, _missing_picture)
