"""What a message asks for: task types, complexity, candidate skills, a slash command, and the reasons."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Note, Sentences
from metier.routing import Decision
from metier.tools import TaskType, TaskTypeMatch

# simple: no tool is needed; single: one kind of task; several: more than one kind, or more than one request.
Complexity = Literal["simple", "single", "several"]
_MAX_WORDS: Final = 6


_SENTENCES: Final = Sentences(
    {
        "greeting": (
            "the whole message is a greeting or thanks: no tool is needed",
            "整条消息只是问候或致谢，不需要工具",
        ),
        "talk": (
            "words are an answer to this: no tool is offered, skills can still be chosen",
            "用语言就能回答，不提供工具，仍可选择技能",
        ),
        "no_type": ("no task type is likely", "看不出属于哪类任务"),
        "type_by_meaning": ("{type}: {share} by meaning and wording", "{type}：按语义和措辞为 {share}"),
        "type_by_words": ("{type}: the words {words}", "{type}：出现了 {words}"),
        "command": ("the user names the skill {skill}", "用户点名了技能 {skill}"),
        "requests": ("{count} requests in one message", "一条消息里有 {count} 个要求"),
        "head": ("task type: {types} ({complexity})", "任务类型：{types}（{complexity}）"),
        "head_none": ("task type: none ({complexity})", "任务类型：无（{complexity}）"),
        "research": ("research", "研究"),
        "creation": ("creating documents", "创作"),
        "data_processing": ("data processing", "数据处理"),
        "web_task": ("work on the web", "网页任务"),
        "code_development": ("code development", "代码开发"),
        "simple": ("simple", "简单"),
        "single": ("one task", "单项任务"),
        "several": ("several tasks", "多项任务"),
        "words_only": ("judged by keywords, without vectors", "没有语义向量，只按关键词判断"),
    }
)


class TaskNote(Note):
    """Reason of an analysis."""

    sentences = _SENTENCES


@dataclass(frozen=True, slots=True)
class TaskAnalysis:
    """Result of analysing one message. `scores` are probabilities, empty where keywords alone decided.

    `is_talk`: a greeting, thanks or a question that words answer; no tool is needed.
    """

    types: tuple[str, ...]
    complexity: Complexity
    command: str = ""
    candidates: tuple[tuple[str, float], ...] = ()
    scores: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    task_type: TaskType | None = None
    reasons: tuple[TaskNote, ...] = ()
    is_talk: bool = False

    def to_json(self, language: Language = "en") -> JsonObject:
        """Analysis as JSON, its reasons as codes and as sentences of this language."""
        candidates: list[JsonValue] = [{"skill": skill, "score": round(score, 4)} for skill, score in self.candidates]
        return {
            "types": list(self.types),
            "scores": {name: round(score, 4) for name, score in self.scores.items()},
            "complexity": self.complexity,
            "command": self.command or None,
            "candidates": candidates,
            "reasons": [{**one.to_json(), "text": one.text(language)} for one in self.reasons],
        }

    def explain(self, language: Language = "en") -> list[str]:
        """Analysis as lines: the types and the complexity, then the reasons."""
        types = tuple(TaskNote(name).text(language) for name in self.types)
        head = TaskNote.of("head" if types else "head_none", types=types, complexity=TaskNote(self.complexity))
        return [head.text(language), *(f"     {one.text(language)}" for one in self.reasons)]


def explain_types(match: TaskTypeMatch, types: tuple[str, ...], scores: Mapping[str, float]) -> list[TaskNote]:
    """Reasons for these types: the probability where there is one, and the keywords that were found."""
    words = {one.task_type: (*one.keywords, *one.shared_keywords)[:_MAX_WORDS] for one in match.evidence}
    notes = [
        TaskNote.of("type_by_meaning", type=TaskNote(name), share=f"{scores[name]:.0%}")
        for name in types
        if name in scores
    ]
    notes += [TaskNote.of("type_by_words", type=TaskNote(name), words=words[name]) for name in types if words.get(name)]
    return notes or [TaskNote("no_type")]


def choose_complexity(types: tuple[str, ...], decision: Decision | None) -> Complexity:
    """`several` for two kinds of task or two requests, `simple` where neither a type nor a skill is meant."""
    if len(types) > 1 or (decision is not None and len(decision.requests) > 1):
        return "several"
    has_skill = decision is not None and decision.verdict == "auto" and decision.skill is not None
    return "single" if types or has_skill else "simple"
