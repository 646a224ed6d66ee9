"""Vocational interests by Holland's six types, from twelve items of our own that have not been validated."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, Sentences

_FILE: Final = Path(__file__).with_name("items.toml")
_MOST: Final = 5
TYPES: Final[Mapping[str, tuple[BilingualText, BilingualText]]] = MappingProxyType(
    {
        "R": (
            BilingualText("现实型", "Realistic"),
            BilingualText("动手、在现场、看得见成果的工作", "hands-on work on site with visible results"),
        ),
        "I": (
            BilingualText("研究型", "Investigative"),
            BilingualText("分析、试验、弄清原因的工作", "analysing, testing and finding causes"),
        ),
        "A": (
            BilingualText("艺术型", "Artistic"),
            BilingualText("表达、设计、没有标准答案的工作", "expression and design without standard answers"),
        ),
        "S": (
            BilingualText("社会型", "Social"),
            BilingualText("教、帮、陪伴别人成长的工作", "teaching, helping and accompanying people"),
        ),
        "E": (
            BilingualText("企业型", "Enterprising"),
            BilingualText("说服、组织、承担风险的工作", "persuading, organising and taking risks"),
        ),
        "C": (
            BilingualText("常规型", "Conventional"),
            BilingualText("整理、核对、按规则做到位的工作", "ordering, checking and working by rules"),
        ),
    }
)
_TEXTS: Final = Sentences(
    {
        "code": ("Your first three: **{code}** ({names}).", "排在前三的是 **{code}**（{names}）。"),
        "fits": ("{name}: {what}.", "{name}：{what}。"),
        "flat": (
            "The scores lie close together, so the order says little; which items did you answer at once?",
            "各型分数很接近，先后说明不了太多；想想哪几题你几乎没有犹豫？",
        ),
        "limits": (
            "These items are our own and have not been validated; two a type are few. Take it as a prompt to think, "
            "not as an assessment.",
            "题目是自己写的，没有做过信度和效度检验，每型只有两题；请当作思考的引子，不是测评结论。",
        ),
        "type": ("Type", "类型"),
        "score": ("Score (2–10)", "得分（2–10）"),
        "title": ("Interests by type", "六型兴趣得分"),
    }
)


@dataclass(frozen=True, slots=True)
class InterestItem:
    """One statement that is answered from 1 (not like me) to 5 (very much like me)."""

    id: str
    type: str
    text: BilingualText


@cache
def read_items() -> tuple[InterestItem, ...]:
    """All items in the order in which they are asked."""
    listed = tomllib.loads(_FILE.read_text("utf-8"))["items"]
    return tuple(InterestItem(one["id"], one["type"], BilingualText(one["zh"], one["en"])) for one in listed)


def score_answers(answers: Mapping[str, JsonValue]) -> Mapping[str, int]:
    """Points of each type: the sum of its two items, each from 1 to 5."""
    points = dict.fromkeys(TYPES, 0)
    for item in read_items():
        given = answers.get(item.id)
        value = int(given) if isinstance(given, int | float | str) and str(given).isdigit() else 0
        points[item.type] += min(max(value, 0), _MOST)
    return points


def describe_interests(points: Mapping[str, int], language: Language) -> JsonObject:
    """Result for people: the three-letter code, what each letter means, a table, a chart, and the limits."""
    ranked = sorted(points, key=lambda one: (-points[one], "RIASEC".index(one)))
    top = ranked[:3]
    names = [TYPES[one][0].text(language) for one in top]
    parts = [_TEXTS.render("code", language, code="".join(top), names=names)]
    parts += [
        _TEXTS.render("fits", language, name=TYPES[one][0].text(language), what=TYPES[one][1].text(language))
        for one in top
    ]
    if max(points.values()) - min(points.values()) <= 1:
        parts.append(_TEXTS.render("flat", language))
    parts.append(_TEXTS.render("limits", language))
    kind, score, title = (_TEXTS.render(one, language) for one in ("type", "score", "title"))
    labels = [TYPES[one][0].text(language) for one in ranked]
    rows: list[JsonValue] = [{kind: label, score: points[one]} for label, one in zip(labels, ranked, strict=True)]
    return {
        "code": "".join(top),
        "summary": "\n\n".join(parts),
        "tables": [{"title": title, "columns": [kind, score], "rows": rows}],
    }
