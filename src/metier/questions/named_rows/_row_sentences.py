"""Sentences around the rows that a question names."""

from typing import Final

from metier.language import Sentences

ROW_SENTENCES: Final = Sentences(
    {
        "advice": (
            "That is for you to decide. What the result says of {names}:",
            "这要由你决定。关于{names}，结果里写的是：",
        ),
        "grounds": ("What the result says of {names}:", "关于{names}，结果里的依据是："),
        "not_judged": (
            "That is for you to decide: the result has nothing to object to {names}.",
            "这要由你决定：结果里没有对{names}提出意见。",
        ),
        "quoted": ("“{word}”", "「{word}」"),
        "row": ("**{name}**: {values}", "**{name}**：{values}"),
        "value": ("{column}: {value}", "{column}：{value}"),
        "tasks": ("{count} of {total} rows:", "{total} 项中有 {count} 项："),
        "all_tasks": ("All {total} rows:", "共 {total} 项："),
        "mentions": (
            "{count} rows of the result have {names}; judge for yourself whether they answer the question:",
            "结果里有 {count} 行提到{names}，是不是答案请你判断：",
        ),
        "source": (
            "From the table “{title}” ({total} rows), shown for “{said}”.",
            "来自「{said}」的表「{title}」（共 {total} 行）。",
        ),
    }
)
