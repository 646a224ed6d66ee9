"""Sentences of deep runs in both languages."""

from typing import Final

from metier.language import Language, Sentences

_SENTENCES: Final = Sentences(
    {
        "no_judgement": (
            "Nobody could judge the evidence: no rules and no language model.",
            "没有规则也没有语言模型，无法判断证据是否充分。",
        ),
        "no_report": ("The analysis ended without a report.", "分析结束，但没有生成报告。"),
        "report_left_out": (
            "*The language model's wording is left out: it was no report, or had figures that no evidence has.*",
            "*语言模型的表述没有采用：它不是报告，或含有证据中没有的数字。*",
        ),
        "explained": ("*In the words of the language model:*", "*语言模型的说明：*"),
        "nothing_done": ("**Nothing was analysed: no operator was run.**", "**没有做任何分析：一个算子都没有运行。**"),
        "no_plan": (
            "No plan could be made: this skill needs a pack with rules for it, or a language model.",
            "无法制定分析计划：该技能需要自带规则的技能包，或一个语言模型。",
        ),
        "rounds_used": (
            "The evidence was not sufficient after {rounds} rounds; the report says what was found.",
            "经过 {rounds} 轮分析证据仍不充分，报告给出目前的发现。",
        ),
        "same_plan": (
            "The new plan is the same as the last one; more rounds would not help.",
            "新计划与上一轮相同，继续分析不会有新的结果。",
        ),
        "budget_seconds": ("The time for this analysis is used up.", "本次分析的时间已用完。"),
        "budget_cost": ("The cost limit of this analysis is reached.", "本次分析已达到费用上限。"),
        "workflow": ("Analysis workflow", "分析流程图"),
        "kept": ("Kept: {node} ({why})", "保留：{node}（{why}）"),
    }
)


def render_flow_sentence(code: str, language: Language, **values: object) -> str:
    """Sentence of a code in this language."""
    return _SENTENCES.render(code, language, **values)
