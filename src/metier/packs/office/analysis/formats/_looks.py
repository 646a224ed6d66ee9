"""Looks of roles as steps of a plan: one row of the preview for each role of a document."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions
from metier.packs.office.analysis.formats._roles import ParagraphRole

__all__ = ["dress_roles", "find_common_looks", "name_role"]

_INDENTS: Final = ("first_line_chars", "first_line_points", "left_points", "right_chars")
_RUNNING: Final = ("body", "cell", "header", "footer")
_WORDS: Final = Sentences(
    {
        "title": ("title", "标题"),
        "recipient": ("addressee", "主送"),
        "heading1": ("headings of level 1", "一级标题"),
        "heading2": ("headings of level 2", "二级标题"),
        "heading3": ("headings of level 3", "三级标题"),
        "heading4": ("headings of level 4", "四级标题"),
        "body": ("body text", "正文"),
        "signature": ("signature", "落款"),
        "date": ("date", "成文日期"),
        "header_cell": ("header of tables", "表头"),
        "cell": ("cells of tables", "表格内容"),
        "header": ("headers", "页眉"),
        "footer": ("footers", "页脚"),
        "dress": ("Format: {role}", "设置格式：{role}"),
    }
)


def name_role(role: ParagraphRole, language: Language) -> str:
    """A role for people."""
    return _WORDS.render(role, language)


def dress_roles(
    roles: Mapping[ParagraphRole, Sequence[TextPiece]],
    looks: Mapping[ParagraphRole, JsonObject],
    actions: PlanActions,
    language: Language,
    own: Mapping[str, JsonObject] = MappingProxyType({}),
) -> Iterator[JsonObject]:
    """A step for each role that a document and the looks both have.

    Paragraphs with an automatic number keep the indents of their list, and bold words in running text stay bold unless
    most of the paragraph (`own`) is.
    """
    for role, pieces in roles.items():
        if not (look := looks.get(role)):
            continue
        title = _WORDS.render("dress", language, role=name_role(role, language))
        groups: dict[tuple[str, ...], list[str]] = {}
        for piece in pieces:
            kept = _list_kept(role, piece, look, own.get(piece.address, {}))
            groups.setdefault(kept, []).append(piece.address)
        for kept, addresses in groups.items():
            fields = {name: value for name, value in look.items() if name not in kept}
            yield actions.operation("apply_paragraph_style", title, addresses=list(dict.fromkeys(addresses)), **fields)


def _list_kept(role: ParagraphRole, piece: TextPiece, look: JsonObject, own: JsonObject) -> tuple[str, ...]:
    """Fields of a look that a paragraph does not take."""
    kept = _INDENTS if piece.number else ()
    if role not in _RUNNING:
        return kept
    return (*kept, *(name for name in ("bold", "italic") if not look.get(name) and not own.get(name)))


def find_common_looks(
    roles: Mapping[ParagraphRole, Sequence[TextPiece]], looks: Mapping[str, JsonObject]
) -> Mapping[ParagraphRole, JsonObject]:
    """The look of each role: of every field the value that most of its paragraphs have, if they have one."""
    return {
        role: _find_common([looks[one.address] for one in pieces if one.address in looks])
        for role, pieces in roles.items()
    }


def _find_common(looks: Sequence[JsonObject]) -> JsonObject:
    names = dict.fromkeys(name for look in looks for name in look)
    counts = {name: Counter(str(look.get(name)) for look in looks).most_common(1)[0][0] for name in names}
    values = {name: next(look.get(name) for look in looks if str(look.get(name)) == counts[name]) for name in names}
    return {name: value for name, value in values.items() if value is not None}
