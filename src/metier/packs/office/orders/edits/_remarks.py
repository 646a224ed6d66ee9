"""Clauses beside an edit that order nothing: what must stay as it is, where something stands anyway, and talk."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from metier.packs.office.orders._clauses import has_order_verb, is_reason
from metier.packs.office.orders._leftovers import is_chatter
from metier.packs.office.orders.documents import DocumentView
from metier.packs.office.orders.edits._edit import EditCall, LineEdit
from metier.packs.office.orders.edits._names import EXTENT, find_label
from metier.packs.office.orders.grounded import is_aside
from metier.patterns import ENGLISH_NUMBER

__all__ = ["DECIMAL_TOO", "SideRemark", "read_remark", "read_talk", "tells_of_names"]

RemarkKind = Literal["talk", "others", "text", "named", "title"]
_STILL_ZH: Final = (
    r"(?:不动|不变|别动|不要动|不用动|不用管|不管|别管|不要管|别改|不改|不要改|不用改|别碰|不要变|"
    r"保持(?:原样|不变|不动)|维持原样|原样(?:保留|不动)?|照旧|(?:全部?|都)?保留(?:原样|不动)?|"
    r"不受影响|没(?:有)?(?:错|变|问题)|是对的)"
)
_STILL_EN: Final = (
    r"(?:(?:stays?|remains?|can stay|should stay|is to stay|must stay)(?: (?:as (?:it|they) (?:is|are|was|"
    r"were)|as is|the same|unchanged|where (?:it|they) (?:is|are)|put))?|"
    r"(?:is|are) (?:fine|right|ok|okay|correct|good|unchanged)(?: as (?:it|they) (?:is|are))?|(?:is |are )"
    r"?as (?:it |they )?(?:is|are|was|were)|unchanged|untouched)"
)
_END_ZH: Final = r"(?:了|啊|哈|呀|哦|吧|就行|即可|就好|就可以)*"
_OTHER_EN: Final = r"(?:the |all )?(?:rest|others?|everything else|all else|other \w+)(?: of (?:it|the \w+))?"
_WORDS: Final[tuple[tuple[RemarkKind, str], ...]] = (
    (
        "others",
        r"(?:但是?|不过)?(?:其[他它余]|别的|剩下|余下|旁的)(?:的|内容|部分|地方|段落|文字|各?行|都|就|"
        rf"也|全|一律|统统|先|给我)*{_STILL_ZH}{_END_ZH}",
    ),
    ("others", r"(?:别的|其他的?)(?:没了|没有了|就没了)|就(?:改)?(?:这些|这样|这一?处|这个)|仅此而已"),
    ("others", rf"{_OTHER_EN} {_STILL_EN}"),
    (
        "others",
        rf"(?:leave|keep) {_OTHER_EN}(?: (?:alone|as (?:is|it is|they are|it was)|untouched|unchanged|"
        r"the same|in place|where (?:it is|they are)))?",
    ),
    (
        "others",
        r"nothing else(?: (?:\w+ ){0,2}\w+)?|no other changes?|that['’]?s (?:all|it)|(?:don['’]?t|do "
        r"not) (?:touch|change|alter|edit|mess with) anything else",
    ),
    (
        "others",
        r"前后(?:那|的|这)?[一两几]?(?:句|行|段)(?:话)?(?:还|仍|保持|都|依然)*(?:是)?(?:普通|正常|原来)"
        r"的?(?:文字|段落|文本|正文|格式)?(?:不变)?",
    ),
    (
        "text",
        r"(?:但是?)?(?:正文|原文|文字|内容|字句|措辞|原话)(?:本身|内容)?(?:都|也|先|就|一个字都|一律)"
        rf"*(?:{_STILL_ZH}|不要?修改|勿改){_END_ZH}",
    ),
    (
        "text",
        rf"(?:the )?(?:text|wording|words?|content)(?: itself)? {_STILL_EN}|(?:don['’]?t|do not) "
        r"(?:touch|change|alter|edit) the (?:text|wording|words?|content)(?: itself)?",
    ),
    (
        "title",
        r"(?:原来的?|原)?(?:大)?标题(?:还|仍|就|要|依然)*(?:是)?在(?:它|这行|新行|这一行|那行)"
        r"?的?(?:下面|后面|下边|下方)|(?:the )?title (?:stays|remains|comes|goes) (?:below|under|after) "
        r"(?:it|that)",
    ),
)
_FORMS: Final = tuple((kind, re.compile(form, re.IGNORECASE)) for kind, form in _WORDS)
_NAMED: Final = (
    re.compile(rf"(?P<it>[^,，]{{1,14}}?)(?:都|也|就|先|还是)*{_STILL_ZH}{_END_ZH}"),
    re.compile(rf"(?:but )?(?:the )?(?P<it>.{{1,40}}?) {_STILL_EN}", re.IGNORECASE),
    re.compile(r"(?:leave|keep) (?:the )?(?P<it>.{1,40}?) (?:alone|as (?:it )?is|unchanged|untouched)", re.IGNORECASE),
    re.compile(r"(?:don['’]?t|do not) (?:touch|change|alter) (?:the )?(?P<it>.{1,40})", re.IGNORECASE),
)
# A numbered list may also have plain digits: 数字1 2 3也行.
DECIMAL_TOO: Final = re.compile(
    r"(?:阿拉伯)?(?:数字)?\s*1\s*[、,，]?\s*2\s*[、,，]?\s*3\s*(?:那种|这种)?的?(?:也行|也可以|也成|都行|也好)"
)
_TALK: Final = re.compile(
    r"(?:hiya|hi|hey|hello|hm+|oh|ok|okay|right|so|well|thanks?|thx|cheers|ta|please|pls|sorry)(?: (?:there|"
    r"all|team|so|you))?|"
    r"(?:诶|哎呀?|嗯+|欸|喂|嗨|哈喽|那个|对了|好的|你好|您好|我说一下|跟你说一?下|说一?下)(?:啊|哈|呀|哦)*|"
    r"(?:people|folks|everyone|everybody|someone|guests|visitors|they|nobody|no one)(?: (?:keeps?|kept|"
    r"always|often|never|still|just))*"
    r" (?:miss|overlook|forget|ignor|skip|read|see|notic|ask)\w*(?: (?:it|that|this|about it|them|to))*|"
    r"(?:can|could|would) you (?:please )?(?:fix|change|do|correct|update|sort)(?: (?:both|it|that|this|"
    r"them|those))(?: out)?|(?:please )?(?:fix|change|correct|update) (?:both|them|those|that)(?: line)?|"
    r"(?:老|总|经常)?(?:有人|大家|别人|客人)?(?:老|总|总是)?(?:看不见|看不到|没看见|忽略|看漏|漏看)(?:了)?|"
    r"(?:帮忙|帮我)?(?:处理|弄)一下",
    re.IGNORECASE,
)
_AGAIN_ZH: Final = re.compile(
    rf"(?:帮我|帮忙|请|麻烦)?(?:把|将)?(?P<it>[^,，]{{1,10}}?)(?:那|这)(?:一)?(?:行|条|处|段)(?:也)?(?:改|"
    rf"更新|换|修改)(?:一下|过来|掉|了)?{_END_ZH}"
)
_AGAIN: Final = re.compile(
    r"(?:就|请|帮我|直接)?(?:删|删掉|删除|去掉|改|改掉|改一下|改过来)(?:吧|了|掉|就行|即可)*|(?:please )"
    r"?(?:delete|remove|drop|change|update) (?:it|that|this)(?: line)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SideRemark:
    """A clause that orders nothing; `words` are those of what must stay."""

    kind: RemarkKind
    words: str = ""


def read_remark(said: str, call: EditCall) -> SideRemark | None:
    """What a clause keeps as it is, or repeats of the edit before; None if it does neither."""
    if re.search(r"[“”\"「」]", said):
        return None
    words = re.sub(r"^(?:and|but|so|just|但是?|不过|而且)\s+", "", said.strip(" ()（）"), flags=re.IGNORECASE)
    if kind := next((kind for kind, form in _FORMS if form.fullmatch(words)), None):
        return SideRemark(kind)
    before = call.before
    if (
        before is not None
        and before.is_section
        and EXTENT.fullmatch(re.sub(r"(?:都|也|一起|全部?)*(?:删掉?|删除|去掉)?(?:吧|了)*$", "", words))
    ):
        return SideRemark("talk")
    if before is not None and DECIMAL_TOO.fullmatch(words) and any(one.get("list") == "number" for one in before.steps):
        return SideRemark("talk")
    if before is not None and _repeats(words, before, call.view):
        return SideRemark("talk")
    for form in _NAMED:
        if (found := form.fullmatch(words)) is not None and not re.search(r"[.:;。：；]|\b(?:and|but)\b", found["it"]):
            return SideRemark("named", found["it"].strip())
    return None


def _repeats(words: str, before: LineEdit, view: DocumentView) -> bool:
    """Whether a clause only says again that what the one before names is to be changed or to go."""
    if _AGAIN.fullmatch(words):
        deletes = any(one["op"] == "delete_paragraphs" for one in before.steps)
        return deletes == (re.search(r"删|去掉|delete|remove|drop", words, re.IGNORECASE) is not None)
    found = _AGAIN_ZH.fullmatch(words)
    label = find_label(found["it"], view) if found is not None else None
    return label is not None and before.is_label and label.piece in before.lines


# A value, a name or another state: such a clause may say what is to stand somewhere.
_GIVES: Final = re.compile(
    rf"\d|[£$€¥￥%％]|(?<=\w )(?-i:(?!I\b)[A-Z])\w|\b(?:{ENGLISH_NUMBER})\b|"
    r"[零一二两三四五六七八九十百千万](?=[个人天年月名台套件次条项元号日点份位])|"
    r"\b(?:not|instead|rather|should|must|now)\b|不是|而是|应|改[成为]|换成",
    re.IGNORECASE,
)


def read_talk(said: str, edits: Sequence[LineEdit]) -> bool:
    """Whether a clause is a greeting, a reason or a remark about people that the edits name."""
    words = said.strip(" ,，。.!！?？()（）")
    if not words or _TALK.fullmatch(words) or is_chatter(words):
        return True
    if re.search(r"[“”\"「」:：]", words) or _GIVES.search(words):
        return False
    if is_aside(words) or (is_reason(words) and not has_order_verb(words)):
        return True
    return _is_about_names(words, edits)


_TOLD: Final = re.compile(
    r"[A-Z][\w'’]+ (?:takes?|gets?|covers?|does|is|has|had|will|works?|took|went|comes?|fills?) [^\d]*"
)


def tells_of_names(words: str) -> bool:
    """Whether an English clause tells something of somebody: Dimitri takes all his days."""
    return _TOLD.fullmatch(words) is not None


def _is_about_names(words: str, edits: Iterable[LineEdit]) -> bool:
    """Whether a clause tells something of names that the edits change, and of no others."""
    changed = {str(one.get(key)) for edit in edits for one in edit.steps for key in ("find_text", "replace_text")}
    names = set(re.findall(r"\b[A-Z][a-z]+\b", words)) if tells_of_names(words) else set()
    return bool(names) and names <= changed
