"""Sentences around what a report says."""

from typing import Final

from metier.language import Sentences

REMARK_SENTENCES: Final = Sentences(
    {
        "quoted": ("The report says: “{text}”", "报告里写的是：「{text}」"),
        "source": ("From the report for “{said}”.", "来自「{said}」的报告。"),
        "rule": ("The rule for “{subject}” in the report: “{text}”", "「{subject}」的规则，报告里写的是：「{text}」"),
        "order_kind": (
            "“{first}” stands before “{second}” because the report lists causes first, then symptoms, then what "
            "belongs to other problems.",
            "「{first}」排在「{second}」前面，是因为报告先列根因，再列现象，最后列属于别的问题的发现。",
        ),
        "order_other": (
            "“{first}” concerns {many}, “{second}” {few}; the report does not say why it lists them in this order.",
            "「{first}」涉及 {many} 个，「{second}」涉及 {few} 个；报告没有说明为什么这样排。",
        ),
        "order_reverse": (
            "“{second}” stands before “{first}”, not behind it.",
            "是「{second}」排在「{first}」前面，不是反过来。",
        ),
        "why_row": ("{name} is in the tables of these causes: {causes}.", "{name} 在这些根因的表里：{causes}。"),
        "why_none": (
            "{name} is in none of the {count} tables of causes, so the results do not say why.",
            "{name} 不在 {count} 张根因表的任何一张里，结果没有说明原因。",
        ),
        "why_shown": ("What is seen there: {symptoms}.", "现象：{symptoms}。"),
        "no_more": ("It says no more about it.", "此外没有更多说明。"),
        "not_told": ("The results do not answer this part: “{clause}”.", "结果里答不了的部分：「{clause}」。"),
        "not_in": ("{name} is not in “{finding}”.", "{name} 不在「{finding}」里。"),
        "value": ("{finding} ({values})", "{finding}（{values}）"),
        "both": (
            "{count} are in both “{first}” ({many}) and “{second}” ({few}).",
            "「{first}」（{many} 个）和「{second}」（{few} 个）里都有的共 {count} 个。",
        ),
        "over": (
            "{name}: {column} is {value}; the limit in the report is {limit}, {gap} past it.",
            "{name}：{column} 为 {value}，报告的门限是 {limit}，越过 {gap}。",
        ),
        "within": (
            "{name}: {column} is {value}; the limit in the report is {limit}, not reached by {gap}.",
            "{name}：{column} 为 {value}，报告的门限是 {limit}，未越过，还差 {gap}。",
        ),
        "mean": ("Mean of {rows} rows", "{rows} 行平均"),
        "no_limits": (
            "The report does not say what it leaves out.",
            "报告没有说明哪些没有考虑。",
        ),
        "not_simulated": (
            "There is no simulation among the results yet, so there is nothing before and after and no recommended "
            "change to tell.",
            "结果里还没有优化仿真，所以没有前后对比，也没有推荐的改动可说。",
        ),
    }
)
