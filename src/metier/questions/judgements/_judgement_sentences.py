"""Sentences around grounds and judged rows."""

from typing import Final

from metier.language import Sentences

JUDGEMENT_SENTENCES: Final = Sentences(
    {
        "grounds": ("These are the grounds in the result:", "依据都在刚才的结果里："),
        "row": ("{name}: {values}", "{name}：{values}"),
        "source": ("From the result for “{said}”.", "来自「{said}」的结果。"),
        "remaining": ("“{title}”: {count} in all; the first {shown}:", "「{title}」共 {count} 个，前 {shown} 个："),
        "no_remaining": (
            "The result does not say what is left unsolved, as nothing in it was changed or simulated. It found this:",
            "结果里没有改动或仿真过的内容，说不出哪些没有解决。查到的是：",
        ),
        "side_by_side": ("side by side", "并排对比"),
        "what": ("figure", "项目"),
        "verdict": ("verdict", "结论"),
        "compared": (
            "What both results have, “{old}” and “{new}”: rows, figures of rows of one name, else means over the rows. "
            "Which is better is yours to judge.",
            "两次结果都有的项目，分别来自「{old}」和「{new}」：行数、同名行的数值，没有同名行时取各行的平均。好坏请自己判断。",
        ),
        "one_result": (
            "There are no two results of the same kind to compare. Ask for the other one first, such as “and in …?”.",
            "这里没有两份同类的结果可以对比。先看另一个的结果，例如「换成……看看」，再说「对比一下」。",
        ),
        "impact": ("The result counts this:", "结果里写明的数目："),
        "impact_unknown": (
            "How many {affected} are affected is not known: the result does not count them. It counts this:",
            "影响多少{affected}不知道：结果里没有受影响{affected}的数目。写明的数目有：",
        ),
        "pages": (
            "The report consists of what was found and is not written to a number of pages. In short:",
            "报告由查到的内容组成，不会凑成几页。简单说：",
        ),
        "remedy": ("What the result says and advises:", "结果里写明的情况和建议："),
        "no_remedy": ("The result does not say what to do about it. It found this:", "结果没有写怎么处理。查到的是："),
        "quoted": ("“{name}”", "「{name}」"),
        "all": ("“{title}”, {count} rows.", "「{title}」，共 {count} 行。"),
        "all_others": (" Other tables of the result: {tables}.", "结果里还有这些表：{tables}。"),
        "short": ("In short:", "简单说："),
        "said": ("The result says this:", "结果是这样说的："),
        "said_no_verdict": (
            "The result does not say how serious it is. It found this:",
            "结果没有写明有多严重。查到的是：",
        ),
        "effect_unknown": (
            "Whether it affects {affected} is not known: the result says nothing of that. It says this:",
            "会不会影响{affected}不知道：结果没有写到。写明的是：",
        ),
        "other_language": (
            "The report is in Chinese, so its sentences are not quoted here; ask in Chinese to have them quoted.",
            "报告是英文的，这里不引用原句；用英文问，就会引用。",
        ),
        "states": (
            "Of the {total} rows of its table {bad} are not in order.",
            "它的表里共 {total} 行，其中 {bad} 行不正常。",
        ),
        "rows": ("Its tables have these rows: {tables}.", "它的表各有这些行：{tables}。"),
        "rows_of": ("“{title}” {total}", "「{title}」{total} 行"),
        "sum": ("{table}: {column} {sum} in all ({rows} rows)", "{table}：{column}合计 {sum}（{rows} 行）"),
        "bad": (
            "{count} of {total} are not in order, by the column “{column}”: {names}.",
            "按「{column}」一列，{total} 项中有 {count} 项不正常：{names}。",
        ),
        "bad_none": (
            "None of the {total} is told as not in order, by the column “{column}”.",
            "按「{column}」一列，{total} 项中没有写明不正常的。",
        ),
        "good": (
            "{count} of {total} are in order, by the column “{column}”: {names}.",
            "按「{column}」一列，{total} 项中有 {count} 项正常：{names}。",
        ),
        "good_none": (
            "None of the {total} is told as in order, by the column “{column}”.",
            "按「{column}」一列，{total} 项中没有写明正常的。",
        ),
        "unrated": ("Of {count} the state is not told.", "另有 {count} 项没有写明状态。"),
        "kept": ("These are the first {kept} of {total} rows.", "这里只有 {total} 行中的前 {kept} 行。"),
        "worst_first": ("The worst first, by {columns}: {names}.", "按{columns}从差到好排列：{names}。"),
        "worst_by": (
            "The worst first, by {column}; it begins with {names}.",
            "按「{column}」从差到好排列，排在最前的是{names}。",
        ),
        "worst_as_shown": (
            "The table stands in this order already, by {columns}: {names}.",
            "表格本来就是最差在前，依据是{columns}：{names}。",
        ),
    }
)
