"""A document in the formatting of a sample: page, page numbers, and the look of each role that both have."""

from collections.abc import Iterator
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, join_names
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import PageMeasures, Proposal, Reading
from metier.packs.office.analysis.formats._looks import dress_roles, find_common_looks, name_role
from metier.packs.office.analysis.formats._roles import list_roles

__all__ = ["propose_like_sample"]

_SLACK_MM: Final = 0.5
_WORDS: Final = Sentences(
    {
        "summary": (
            "“{name}” gets the formatting of “{sample}”: {roles}. No word is changed.",
            "按“{sample}”的格式排版“{name}”：{roles}。文字一律不动。",
        ),
        "page": ("page", "页面"),
        "numbers": ("page numbers", "页码"),
        "kept": (
            " “{sample}” has no {roles}; those of “{name}” stay as they are.",
            "“{sample}”里没有{roles}，“{name}”的这些部分保持原样。",
        ),
        "fonts": (
            " Fonts are named as in the sample; a preview without them shows a substitute.",
            "字体按样本写名；预览机器没有这些字体时会用替代字体显示。",
        ),
        "nothing": (
            "“{sample}” has no text whose formatting could be taken.",
            "“{sample}”里没有可以参照格式的文字。",
        ),
        "set_page": ("Page as in the sample", "按样本设置页面"),
        "set_numbers": ("Page numbers as in the sample", "按样本设置页码"),
        "table": ("Formatting taken from the sample", "取自样本的格式"),
        "part": ("Part", "部分"),
        "count": ("Places", "处数"),
        "line": ("Begins with", "第一处"),
    }
)


def propose_like_sample(reading: Reading, sample: Reading, *, language: Language) -> Proposal:
    """Steps that give a document the formatting of a sample, role by role; a role that the sample lacks stays."""
    own, theirs = list_roles(reading.pieces), list_roles(sample.pieces)
    looks = find_common_looks(theirs, sample.looks)
    actions = PlanActions(language)
    steps = list(_set_page(reading, sample, actions, language))
    done = [_WORDS.render(code, language) for code in ("page", "numbers")[: len(steps)]] if len(steps) == 2 else []
    if len(steps) == 1:
        code = "page" if steps[0]["op"] == "set_page_setup" else "numbers"
        done = [_WORDS.render(code, language)]
    steps += dress_roles(own, looks, actions, language, reading.looks)
    shared = [role for role in own if looks.get(role)]
    kept = [name_role(role, language) for role in own if not looks.get(role)]
    if not shared:
        return Proposal("doc-formatter", "wps", _WORDS.render("nothing", language, sample=sample.name))
    names = join_names([*done, *(name_role(role, language) for role in shared)], language)
    summary = _WORDS.render("summary", language, name=reading.name, sample=sample.name, roles=names)
    if kept:
        roles = join_names(kept, language)
        summary += _WORDS.render("kept", language, name=reading.name, sample=sample.name, roles=roles)
    summary += _WORDS.render("fonts", language)
    columns = [_WORDS.render(code, language) for code in ("part", "count", "line")]
    rows: list[list[JsonValue]] = [
        [name_role(role, language), len(own[role]), own[role][0].line.strip()[:40]] for role in shared
    ]
    table = table_json(_WORDS.render("table", language), columns, rows)
    return Proposal("doc-formatter", "wps", summary, tuple(steps), (table,))


def _set_page(reading: Reading, sample: Reading, actions: PlanActions, language: Language) -> Iterator[JsonObject]:
    if sample.page is not None and (reading.page is None or _differs(reading.page, sample.page)):
        page = sample.page
        measures: JsonObject = {
            "width_mm": page.width_mm,
            "height_mm": page.height_mm,
            "top_mm": page.top_mm,
            "bottom_mm": page.bottom_mm,
            "left_mm": page.left_mm,
            "right_mm": page.right_mm,
        }
        turned = "landscape" if page.width_mm > page.height_mm else "portrait"
        title = _WORDS.render("set_page", language)
        yield actions.operation("set_page_setup", title, **measures, orientation=turned)
    if sample.page_numbers is not None and reading.page_numbers is None:
        yield actions.operation("set_page_numbers", _WORDS.render("set_numbers", language), **sample.page_numbers)


def _differs(one: PageMeasures, other: PageMeasures) -> bool:
    pairs = (
        (one.width_mm, other.width_mm),
        (one.height_mm, other.height_mm),
        (one.top_mm, other.top_mm),
        (one.bottom_mm, other.bottom_mm),
        (one.left_mm, other.left_mm),
        (one.right_mm, other.right_mm),
    )
    return any(abs(mine - theirs) > _SLACK_MM for mine, theirs in pairs)
