"""Lookup tools: terms, workflows, manuals with citations, and scenario matching."""

import re
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from metier.clock import utc_now
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, language_of, write_count
from metier.pack import describe_unexplained, split_compared
from metier.packs.telecom._knowledge import MIN_SCORE, KnowledgeBase, KnowledgePassage, PassageMatch
from metier.packs.telecom._labels import NETWORK_ZH, PROBLEM_LABELS, choose_text
from metier.packs.telecom._scenes import TOPIC_INDICATORS, ScenarioCatalog, ScenarioMatches, Topic, wants_cells_only
from metier.packs.telecom._simulation_requests import (
    DEFAULT_CHANGES,
    asks_for_simulation,
    limits_simulation,
    read_most_changes,
    read_parameter_kinds,
)
from metier.packs.telecom._tool_titles import add_titles
from metier.packs.telecom.twin import PROBLEMS, Scenario
from metier.textsearch import to_simplified
from metier.tools import FunctionTool, SideEffect, ToolResult, function_tool

# Lower than MIN_SCORE: a lookup gets a whole sentence with a place in it, and informs a workflow, not the user.
_LOOKUP_MIN_SCORE: Final = 0.1
# Terms come before advice: the first collection that answers is used.
_COLLECTIONS: Final = ("terminology", "corpus", "design")
_TOOL_NAME: Final = re.compile(r"[a-z]+_[a-z_]+")
# A second passage is used only if it answers nearly as well as the first.
_CLOSE_SCORE: Final = 0.95
_MAX_EXPLAINED: Final = 2
_ASKS_WHY: Final = re.compile(
    r"为什么|为何|怎么(?:会)?(?:产生|造成|来|形成)|导致|引起|\bwhy\b|\bcauses?\b", re.IGNORECASE
)
_TELLS_WHY: Final = re.compile("原因")

Query = Annotated[
    str,
    AfterValidator(to_simplified),
    Field(min_length=1, max_length=500, description="要查的问题或关键词 · what to look up"),
]
Description = Annotated[
    str,
    AfterValidator(to_simplified),
    Field(
        min_length=1, max_length=1000, description="区域、制式和问题，例如 朝阳区4G弱覆盖 · place, network and problem"
    ),
]


Spoken = Annotated[
    Language | None, Field(description="回答的语言，默认按原话 · language of the answer; default: that of the words")
]
Known = Annotated[str, Field(max_length=80, description="对话中已确定的值 · settled in the conversation before")]


def build_lookup_tools(knowledge: KnowledgeBase, scenes: ScenarioCatalog) -> tuple[FunctionTool, ...]:
    """Create the tools over the pack's documents and the list of scenarios."""

    def search_terminology(query: Query) -> ToolResult:
        """查询无线网络术语、指标含义和门限。Look up radio terms, indicators and thresholds."""
        return ToolResult(_search_knowledge(knowledge, query, "terminology", _LOOKUP_MIN_SCORE))

    def search_design_doc(query: Query) -> ToolResult:
        """查询小区级、栅格级分析的流程文档。Look up the cell-level and grid-level workflow."""
        return ToolResult(_search_knowledge(knowledge, query, "design", _LOOKUP_MIN_SCORE))

    def search_corpus(query: Query) -> ToolResult:
        """在优化手册中查找做法，给出可引用的段落；没有依据时拒绝。Find cited passages in the manuals, or none."""
        return ToolResult(_search_knowledge(knowledge, query, "corpus", MIN_SCORE))

    def explain_term(query: Query, language: Spoken = None) -> ToolResult:
        """用领域资料解释术语、指标和门限，注明出处。Explain a term, an indicator or a threshold, with its source."""
        return ToolResult(explain(knowledge, query, language))

    def match_scenario(
        description: Description, known: Known = "", known_problem: Known = "", language: Spoken = None
    ) -> ToolResult:
        """按区域、制式和问题匹配数字孪生场景，返回场景编号。Find the digital twin scenario a description means."""
        return ToolResult(find_scenario(scenes, description, known, known_problem, language=language))

    reads: frozenset[SideEffect] = frozenset({"reads"})
    searches = (search_terminology, search_design_doc, search_corpus, explain_term)
    tools = (
        *(function_tool(one, idempotent=True, effects=reads, retrieves="knowledge") for one in searches),
        function_tool(match_scenario, idempotent=True, effects=reads),
    )
    return tuple(map(add_titles, tools))


def find_scenario(
    scenes: ScenarioCatalog,
    description: str,
    known: str = "",
    known_problem: str = "",
    *,
    language: Language | None = None,
) -> JsonObject:
    """Find the scenario of a description: its id if unambiguous, the candidates, and the indicators to look at.

    `known` and `known_problem` are what the conversation is about; they hold while the description names nothing else.
    `wishes` is what is known of a simulation of one's own, for its form.
    """
    found = scenes.match(description, known)
    language = language or language_of(description)
    best = found.found[0].scenario if found.sure else None
    earlier = next((one for one in TOPIC_INDICATORS if one == known_problem), None)
    stays = best is not None and best.id == known
    topic: Topic = found.topic or (stays and earlier) or (best.problem if best else "weak_coverage")
    wanted, summary = TOPIC_INDICATORS[topic], _summarise_match(found, best, topic, scenes, language)
    simulates = asks_for_simulation(description)
    if simulates and limits_simulation(description):  # the simulation of an analysis takes no bounds: never run without
        simulates, summary = False, f"{summary}\n\n{_tell_no_bounds(language)}".strip()
    return {
        "digitaltwins_id": best.id if best else None,
        "title": "" if best is None else choose_text(language, best.title_zh, best.title_en),
        "source": "words" if found.named else "step" if stays else "assumption",
        "options": [
            {
                "value": one.id,
                "label": choose_text(language, one.title_zh, one.title_en),
                "also": [choose_text(language, one.title_en, one.title_zh)],
            }
            for one in scenes.known.values()
        ],
        "problem_title": PROBLEM_LABELS[topic].text(language),
        "problem_source": "words" if found.topic else "step",
        "problem_options": [{"value": name, "label": one.text(language)} for name, one in PROBLEM_LABELS.items()],
        "matches": [_match_json(one.scenario, one.score, one.why, language) for one in found.found],
        "language": language,
        "problem": topic,
        "indicators": {
            "cell": list(wanted.cell),
            "grid": list(wanted.grid),
            "compare": list(wanted.compare),
            "map": wanted.grid[0],
        },
        "simulate": simulates,
        "cells_only": wants_cells_only(description),
        "wishes": {
            "problem": topic if best is not None and topic in PROBLEMS else None,
            "parameters": read_parameter_kinds(description) or None,
            "max_changes": read_most_changes(description) or DEFAULT_CHANGES,
            "start_date": utc_now().date().isoformat(),
        },
        "summary": summary,
        "heading": summary if best else "",
    }


def _tell_no_bounds(language: Language) -> str:
    return choose_text(
        language,
        "**注意**：你限定了仿真可以调整的参数或数量，分析后的优化仿真不受这些限定，所以没有直接仿真。"
        "要按限定仿真，请用「自定义仿真」，在表单里选择允许调整的参数和最多调整的数量。",
        "**Note**: you set bounds for the simulation (which parameters, or how many). The simulation after an analysis "
        "takes no bounds, so it was not run at once. The custom simulation does: its form asks which parameters may "
        "change, and how many at most.",
    )


def explain(knowledge: KnowledgeBase, query: str, language: Language | None = None) -> JsonObject:
    """Answer a question from the documents, with sources; says so if they do not answer it.

    Without a language, in that of the question.
    """
    language = language or language_of(query)
    used = _choose_passages(knowledge, query)
    if not used:
        told = choose_text(
            language,
            "资料里没有回答这个问题的内容。可以问术语、指标和门限，例如：弱覆盖是什么意思？",
            "The documents do not answer this. Ask about terms, indicators and thresholds: What does RSRP mean?",
        )
        return {"found": False, "answer": told, "citations": []}
    texts = [choose_text(language, f"**{one.topic}**：{one.text_zh}", one.text_en) for one in used]
    texts += filter(None, [describe_unexplained(query, knowledge.list_words(used), language)])
    sources = choose_text(language, "、", ", ").join(dict.fromkeys(one.title(language) for one in used))
    source = choose_text(language, f"来源：{sources}", f"Source: {sources}")
    return {"found": True, "answer": "\n\n".join([*texts, source]), "citations": [one.id for one in used]}


def _choose_passages(knowledge: KnowledgeBase, query: str) -> list[KnowledgePassage]:
    """The passages that answer a question, the best first; of a comparison the best for each of its two sides."""
    sides = split_compared(query)
    found = [_search_collections(knowledge, side)[:1] for side in sides] or [_search_collections(knowledge, query)]
    matches = [match for one in found for match in one]
    best = max((match.score for match in matches), default=0.0)
    close = [match.passage for match in matches if sides or match.score >= _CLOSE_SCORE * best]
    if _ASKS_WHY.search(query) and not any(_TELLS_WHY.search(one.text) for one in close[:_MAX_EXPLAINED]):
        manuals = _drop_tool_notes(knowledge.search(query, "corpus").matches)
        close[1:] = [match.passage for match in manuals[:1]]
    return list(dict.fromkeys(close))[:_MAX_EXPLAINED]


def _search_collections(knowledge: KnowledgeBase, query: str) -> tuple[PassageMatch, ...]:
    answers = (_drop_tool_notes(knowledge.search(query, name).matches) for name in _COLLECTIONS)
    return next((matches for matches in answers if matches), ())


def _drop_tool_notes(matches: Sequence[PassageMatch]) -> tuple[PassageMatch, ...]:
    """The passages for people: one with names of tools or arguments is for the model."""
    return tuple(one for one in matches if _TOOL_NAME.search(one.passage.text) is None)


def _search_knowledge(knowledge: KnowledgeBase, query: str, collection: str, enough: float) -> JsonObject:
    answer = knowledge.search(query, collection, min_score=enough)
    passages: list[JsonValue] = [found.to_json() for found in answer.matches]
    told: dict[str, JsonValue] = {
        "found": bool(passages),
        "passages": passages,
        "citations": [found.passage.id for found in answer.matches],
        "expanded": list(answer.synonyms),
        "best_score": round(answer.best, 3),
    }
    if not passages:
        told["message"] = choose_text(
            language_of(query),
            f"资料里没有回答这个问题的依据（最高相关度 {answer.best:.2f}，门限 {enough:g}），请照实说明。",
            f"the documents do not answer this (best score {answer.best:.2f}, needed {enough:g}); say so.",
        )
    return told


def _match_json(scenario: Scenario, score: float, why: Sequence[str], language: Language) -> JsonObject:
    return {
        "digitaltwins_id": scenario.id,
        "title": choose_text(language, scenario.title_zh, scenario.title_en),
        "area": f"{scenario.city}{scenario.district}",
        "network": scenario.network,
        "problem": scenario.problem,
        "cells": len(scenario.cells),
        "score": score,
        "why": list(why),
    }


def _tell_other_problem(scenario: Scenario, topic: Topic, scenes: ScenarioCatalog, language: Language) -> str:
    """That a place has no scenario of the problem that was asked about, and whose network is looked at; else empty."""
    place = f"{scenario.city}{scenario.district}"
    of_place = [one.problem for one in scenes.known.values() if f"{one.city}{one.district}" == place]
    if topic not in PROBLEMS or topic in (scenario.problem, *of_place):
        return ""
    asked, own = PROBLEM_LABELS[topic], PROBLEM_LABELS[scenario.problem]
    area = scenario.title_en.partition(":")[0]
    return choose_text(
        language,
        f"\n\n**注意**：{place}没有以「{asked.zh}」为主的场景，这里用的是「{scenario.title_zh}」的网络，按「{asked.zh}」来看。"
        f"这个场景主要的问题是「{own.zh}」，要看它请说「分析{scenario.district}的{own.zh}」。",
        f"\n\n**Note**: no scenario of {area} is about {asked.en}. This is the network of “{scenario.title_en}”, "
        f"looked at "
        f"for {asked.en}. Its own problem is {own.en}: for that, say “analyse {own.en} in {area.partition(',')[0]}”.",
    )


def _summarise_match(
    found: ScenarioMatches, best: Scenario | None, topic: Topic, scenes: ScenarioCatalog, language: Language
) -> str:
    if best is not None:
        problem, others = PROBLEM_LABELS[topic], _tell_other_places(found, language)
        return choose_text(
            language,
            f"## {best.title_zh}\n\n场景 **{best.id}**，{NETWORK_ZH.format(best.network)}，{len(best.cells)} 个小区，"
            f"按「{problem.zh}」分析。{_tell_other_problem(best, topic, scenes, language)}{others}",
            f"## {best.title_en}\n\nScenario **{best.id}**, {best.network}, "
            f"{write_count(len(best.cells), 'cells')}, analysed for {problem.en}."
            f"{_tell_other_problem(best, topic, scenes, language)}{others}",
        )
    names = [one.scenario for one in found.found] or list(scenes.known.values())
    listed = "、".join(f"{one.title_zh}（{one.id}）" for one in names)
    english = "; ".join(f"{one.title_en} ({one.id})" for one in names)
    if found.place:
        return choose_text(
            language,
            f"没有{found.place}的场景。已有：{listed}。",
            f"There is no scenario of {found.place}. Known: {english}.",
        )
    return choose_text(language, f"请从这些场景中选一个：{listed}。", f"Choose one of these scenarios: {english}.")


def _tell_other_places(found: ScenarioMatches, language: Language) -> str:
    """How to ask about the further places that the words name beside the one that is analysed."""
    if not found.others:
        return ""
    return choose_text(
        language,
        f"\n\n一次看一个地方；要看另外的，接着说「{'呢」或「'.join(found.others)}呢」。",
        f"\n\nOne place at a time; for the others say “and {'?” or “and '.join(found.others)}?”.",
    )
