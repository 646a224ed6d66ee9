"""Sentences of the answers in both languages."""

from typing import Final

from metier.language import Sentences

SENTENCES: Final = Sentences(
    {
        "source": (
            "From the table “{title}” ({total} rows), shown for “{said}”.",
            "来自「{said}」的表「{title}」（共 {total} 行）。",
        ),
        "source_chart": ("From the chart “{title}”, shown for “{said}”.", "来自「{said}」的图「{title}」。"),
        "value": ("Row {row}, {name}: {column} is {value}.", "第 {row} 行 {name}：{column} 为 {value}。"),
        "whole_row": ("Row {row}, {name}: {values}.", "第 {row} 行 {name}：{values}。"),
        "no_row": ("The table has {total} rows; there is no row {row}.", "表里只有 {total} 行，没有第 {row} 行。"),
        "filter": (
            "{count} of {rows} rows have {column} {side} {limit}.",
            "{rows} 行中有 {count} 行的{column}{side} {limit}。",
        ),
        "below": ("below", "低于"),
        "above": ("above", "高于"),
        "count": ("{rows} rows.", "共 {rows} 行。"),
        "rank": ("{column}, {order}, the first {count}:", "按{column}{order}，前 {count} 行："),
        "ascending": ("from low to high", "从低到高"),
        "descending": ("from high to low", "从高到低"),
        "mean": (
            "Mean of {column} over {rows} rows: {value}; lowest {low}, highest {high}.",
            "{rows} 行的{column}平均为 {value}，最低 {low}，最高 {high}。",
        ),
        "compare": ("{column}: {values}; the difference is {gap}.", "{column}：{values}，相差 {gap}。"),
        "points": ("percentage points", "个百分点"),
        "more_rows": ("{left} more rows are not listed.", "另有 {left} 行未列出。"),
        "part_kept": (
            "Only {kept} of {total} rows are kept; the answer is about these.",
            "只保存了 {total} 行中的 {kept} 行，回答只针对这些行。",
        ),
        "chart": ("Here is “{title}” as {kind}.", "「{title}」已换成{kind}。"),
        "no_chart": ("There is no chart on screen that can be drawn as {kind}.", "屏幕上没有可以换成{kind}的图。"),
        "data": ("The data behind “{title}”.", "「{title}」背后的数据如下。"),
        "no_data": ("There is no chart on screen yet.", "屏幕上还没有图。"),
        "cannot": (
            "The results on screen do not say this. I can answer from:",
            "屏幕上的结果里没有这一项。可以回答的有：",
        ),
        "table_line": ("- “{title}”: {columns}", "- 「{title}」：{columns}"),
        "next": (
            "“{title}” is done. You can go on with:\n\n{offers}\n\nOr ask about the results: “the five worst cells”.",
            "「{title}」已完成。接下来可以说：\n\n{offers}\n\n也可以问结果里的内容，例如「最差的五个小区」。",
        ),
        "next_nothing": (
            "“{title}” is done. Ask about the results, or say what you want to do next.",
            "「{title}」已完成。可以继续问结果里的内容，或者说说接下来想做什么。",
        ),
        "still_open": ("Still waiting for your answer: {text}", "还在等您的回答：{text}"),
        "line": ("a line chart", "折线图"),
        "grouped_bar": ("a bar chart", "柱状图"),
        "stacked_bar": ("a stacked bar chart", "堆叠柱状图"),
        "scatter": ("a scatter plot", "散点图"),
        "heatmap": ("a heat map", "热力图"),
        "table": ("a table", "表格"),
    }
)
