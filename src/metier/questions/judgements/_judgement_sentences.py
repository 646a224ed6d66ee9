"""Sentences around grounds and judged rows."""

from typing import Final

from metier.language import Sentences

JUDGEMENT_SENTENCES: Final = Sentences(
    {
        "grounds": ("These are the grounds in the result:", "依据都在刚才的结果里："),
        "row": ("{name}: {values}", "{name}：{values}"),
        "source": ("From the result for “{said}”.", "来自「{said}」的结果。"),
        "impact": ("The result counts this:", "结果里写明的数目："),
        "impact_unknown": (
            "How many {affected} are affected is not known: the result does not count them. It counts this:",
            "影响多少{affected}不知道：结果里没有受影响{affected}的数目。写明的数目有：",
        ),
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
