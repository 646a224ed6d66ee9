"""Small doors for the tests of the router: skills from a few words, a catalog, a view whose meaning one can read."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metier.errors import Unavailable
from metier.routing import Router
from metier.routing.ranking import Floats, SkillVectors, normalize_rows
from metier.routing.text import RoutingText, build_routing_text
from metier.skills import Catalog, Skill, Source
from metier.textsearch import fold

NOWHERE = Source(Path("SKILL.md"), Path(), "agent-skill")

# What the words of the test catalog are about, in both languages: the whole "meaning" of the fake view.
CONCEPTS: Mapping[str, Sequence[str]] = {
    "slides": ("ppt", "幻灯片", "演示", "slide", "deck", "presentation", "饼图"),
    "research": ("研究", "调研", "资料", "research", "report", "source", "综述"),
    "week": ("周报", "本周", "上周", "weekly", "week"),
    "meeting": ("会议", "纪要", "决议", "minutes", "meeting", "action item"),
    "network": ("网络", "优化", "仿真", "天线", "下倾角", "network", "antenna", "simulat"),
    "load": ("负荷", "容", "利用率", "prb", "capacity", "load", "congest"),
    "fate": ("八字", "命", "生辰", "五行", "运势", "horoscope", "birth"),
    "pdf": ("pdf", "form"),
}


def skill(skill_id: str, **fields: Any) -> Skill:
    """A skill of these fields; its digest is that of the fields."""
    values = {"title": skill_id, "description": "", **fields}
    digest = hashlib.sha256(repr((skill_id, sorted(values.items()))).encode("utf-8", "replace")).hexdigest()
    return Skill(id=skill_id, source=NOWHERE, digest=digest, **values)


def text(skill_id: str, **fields: Any) -> RoutingText:
    """The routing text of such a skill."""
    return build_routing_text(skill(skill_id, **fields))


def catalog(*skills: Skill) -> Catalog:
    """A catalog of these skills."""
    return Catalog.from_skills(skills)


PPTX = skill(
    "pptx",
    title="Slide decks",
    description="Builds and changes PowerPoint presentations: outline, layout, charts on slides, 演示文稿.",
    group="files",
    triggers=("PPT", "幻灯片", "slides", "slide deck"),
    examples=(
        "做一个季度汇报的PPT",
        "把这份大纲变成幻灯片",
        "给第三页加一张饼图",
        "create a pitch deck",
        "add a slide",
    ),
)
RESEARCH = skill(
    "research",
    title="研究报告",
    description="检索并核对资料，写出带出处的调研结论。Writes a report with sources.",
    triggers=("研究报告", "调研", "文献综述", "report"),
    examples=(
        "写一份低空经济的研究报告",
        "调研储能行业的竞争格局",
        "帮我查资料",
        "write a research report",
        "cite sources",
    ),
)
WEEKLY = skill(
    "weekly-report",
    title="周报",
    description="把一周的工作写成周报。Turns the work of a week into a status update.",
    triggers=("周报", "weekly report"),
    examples=("写周报", "总结一下我上周做的事", "帮我写本周周报", "write my weekly update", "what did I do last week"),
)
MINUTES = skill(
    "meeting-minutes",
    title="会议纪要",
    description="把会议记录整理成纪要，列出决议和待办。Minutes of a meeting.",
    triggers=("会议纪要", "meeting minutes", "action items"),
    examples=("整理会议纪要", "提取会议里的决议", "把录音整理成纪要", "write the minutes", "list the action items"),
)
NETWORK = skill(
    "network_optimization",
    title="网络优化仿真",
    description="匹配场景，查根因，调整天线参数，再用仿真核对。Optimises a radio network.",
    priority=10,
    triggers=("网络优化", "仿真", "下倾角"),
    examples=(
        "给这个片区出一套网络优化方案",
        "跑一遍仿真",
        "调天线下倾角",
        "simulate the new antenna tilts",
        "优化前后对比",
    ),
)
CAPACITY = skill(
    "capacity_analysis",
    title="容量分析",
    description="分析小区的负荷与PRB利用率，给出扩容建议。Cell load and congestion.",
    triggers=("负荷", "扩容", "PRB"),
    examples=("小区负荷高怎么办", "PRB利用率超过80%", "要不要扩容", "why is the cell congested", "忙时容量评估"),
)
BAZI = skill(
    "bazi",
    title="八字命理",
    description="按生辰排八字，看五行。A Chinese birth chart.",
    triggers=("八字", "五行"),
    examples=("帮我算个八字", "看看我的五行缺什么", "排一下生辰八字", "read my birth chart", "今年运势如何"),
)
PDF = skill(
    "pdf",
    title="PDF files",
    description="Fills, merges and exports PDF files.",
    group="files",
    triggers=("pdf", "导出pdf"),
    examples=("合并这两个PDF", "导出成pdf", "split this pdf", "fill in the form", "从PDF里提取表格"),
)
DESK = catalog(PPTX, RESEARCH, WEEKLY, MINUTES, NETWORK, CAPACITY, BAZI, PDF)


@dataclass(slots=True)
class ConceptView:
    """Texts by what they are about: one number per concept, one for what is about none of them, and a length of one.

    It knows nothing but its table, so a wrong text gives a wrong vector: what a hash would hide.
    """

    concepts: Mapping[str, Sequence[str]] = field(default_factory=lambda: CONCEPTS)
    name: str = "concepts"
    synced: list[tuple[str, ...]] = field(default_factory=list)
    embedded: list[str] = field(default_factory=list)
    notes: tuple[str, ...] = ()

    def vectors(self, texts: Sequence[str]) -> Floats:
        """One row per text."""
        rows = np.zeros((len(texts), len(self.concepts) + 1), dtype=np.float32)
        for row, said in zip(rows, texts, strict=True):
            row[:-1] = [sum(fold(said).count(word) for word in words) for words in self.concepts.values()]
            row[-1] = not row.any()
        return normalize_rows(rows)

    def fits(self, texts: Sequence[RoutingText]) -> bool:
        return True

    def sync(self, texts: Sequence[RoutingText]) -> Mapping[str, SkillVectors]:
        self.synced.append(tuple(one.skill for one in texts))
        return {one.skill: SkillVectors.of(self.vectors(one.examples), self.vectors(one.about)) for one in texts}

    def embed(self, message: str) -> Floats | None:
        self.embedded.append(message)
        found: Floats = self.vectors([message])[0]
        return found


@dataclass(slots=True)
class DownView:
    """A view that is not there: at once, or only when a message comes."""

    at_sync: bool = True
    name: str = "down"
    working: ConceptView = field(default_factory=ConceptView)
    notes: tuple[str, ...] = ()

    def fits(self, texts: Sequence[RoutingText]) -> bool:
        return True

    def sync(self, texts: Sequence[RoutingText]) -> Mapping[str, SkillVectors]:
        if self.at_sync:
            raise Unavailable("the embedder is down")
        return self.working.sync(texts)

    def embed(self, message: str) -> Floats | None:
        raise Unavailable("the embedder is down")


WORDS = Router()
both = pytest.mark.parametrize(
    "router", [pytest.param(WORDS, id="words"), pytest.param(Router(views=(ConceptView(),)), id="vectors")]
)
