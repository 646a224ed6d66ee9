"""Looks of roles as steps of a plan: one row of the preview for each role of a document."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions
from metier.packs.office.analysis._paragraph_roles import ParagraphRole

__all__ = ["dress_roles", "find_common_looks", "name_role"]

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
) -> Iterator[JsonObject]:
    """A step for each role that a document and the looks both have."""
    for role, pieces in roles.items():
        if look := looks.get(role):
            title = _WORDS.render("dress", language, role=name_role(role, language))
            addresses = list(dict.fromkeys(one.address for one in pieces))
            yield actions.operation("apply_paragraph_style", title, addresses=addresses, **look)


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
