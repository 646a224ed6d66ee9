"""Skill match: the router's choice for every task's message beside matching by the keywords of the original system."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.packs.workspace.dispatch._tasks import DispatchTask
from metier.packs.workspace.dispatch._world import SKILLS
from metier.routing import open_router
from metier.settings import load_settings
from metier.skills import SkillLibrary

PACK_SKILLS: Final = Path(__file__).parents[1] / "skills"
# Keywords of the five types in the order of the original, with the skills that serve a type.
_KEYWORDS: Final = (
    (("研究", "分析", "调查", "趋势", "现状", "预测", "发展", "调研"), ("research",)),
    (("生成", "创建", "撰写", "制作", "编写", "输出", "创作"), ("pptx", "docx")),
    (("转换", "处理", "分析", "统计", "计算", "格式化", "提取"), ("data-analysis",)),
    (("网页", "网站", "在线", "搜索", "抓取", "浏览"), ("web",)),
    (("代码", "编程", "开发", "调试", "测试", "重构"), ("code",)),
)


@dataclass(frozen=True, slots=True)
class SkillMatch:
    """Tasks whose skill was found: by the router (sure of it, or first of its list) and by keywords.

    `by_router` and `first_of_list` are among the skills of the bench, `in_pack` among those of the pack.
    """

    total: int
    by_router: int
    first_of_list: int
    by_keywords: int
    in_pack: int


def match_skills(tasks: Sequence[DispatchTask]) -> SkillMatch:
    """Match every message. A task that needs no skill is right if none is taken; of a mixed one its first counts."""
    catalog, pack = (SkillLibrary.from_folders(one).catalog() for one in (SKILLS, PACK_SKILLS))
    sure = first = keyed = own = 0
    with tempfile.TemporaryDirectory() as folder:
        router = open_router(load_settings({"storage_dir": Path(folder)}))
        for task in tasks:
            decision = router.route(task.message, catalog=catalog)
            taken = decision.skill if decision.verdict == "auto" else None
            listed = decision.candidates[0].skill if decision.verdict != "none" and decision.candidates else None
            sure += _fits(task, taken)
            first += _fits(task, taken or listed)
            found = router.route(task.message, catalog=pack)
            own += _fits(task, found.skill if found.verdict == "auto" else None)
            keyed += _fits_any(task, match_keywords(task.message))
        router.close()
    return SkillMatch(len(tasks), sure, first, keyed, own)


def match_keywords(message: str) -> tuple[str, ...]:
    """Skills of the first type that has a keyword in the message, as the original matched; empty if none has."""
    return next((skills for words, skills in _KEYWORDS if any(word in message for word in words)), ())


def _fits(task: DispatchTask, skill: str | None) -> bool:
    return skill in task.skills if task.skills else skill is None


def _fits_any(task: DispatchTask, skills: tuple[str, ...]) -> bool:
    return bool(set(skills) & set(task.skills)) if task.skills else not skills
