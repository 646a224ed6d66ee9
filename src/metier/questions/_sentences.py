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
            "{count} of {rows} rows have {column} {limits}.",
            "{rows} 行中有 {count} 行的{column}{limits}。",
        ),
        "below": ("below {limit}", "低于 {limit}"),
        "above": ("above {limit}", "高于 {limit}"),
        "at_most": ("at most {limit}", "不高于 {limit}"),
        "at_least": ("at least {limit}", "不低于 {limit}"),
        "count": ("{rows} rows.", "共 {rows} 行。"),
        "count_names": (
            "{rows} rows with {names} different values of {column}.",
            "共 {rows} 行，{names} 个不同的{column}。",
        ),
        "rank": ("{column}, {order}, the first {count}:", "按{column}{order}，前 {count} 行："),
        "rank_place": ("{column}, {order}, number {place}:", "按{column}{order}，第 {place} 行："),
        "extra": ("{name}: {column} is {value}.", "{name}：{column} 为 {value}。"),
        "ascending": ("from low to high", "从低到高"),
        "descending": ("from high to low", "从高到低"),
        "mean": (
            "Mean of {column} over {rows} rows: {mean}; lowest {low}, highest {high}.",
            "{rows} 行的{column}平均为 {mean}，最低 {low}，最高 {high}。",
        ),
        "median": (
            "Median of {column} over {rows} rows: {median}; mean {mean}, lowest {low}, highest {high}.",
            "{rows} 行的{column}中位数为 {median}，平均 {mean}，最低 {low}，最高 {high}。",
        ),
        "sum": (
            "{column} over {rows} rows: {sum} together, {mean} each on average.",
            "{rows} 行的{column}合计为 {sum}，平均每行 {mean}。",
        ),
        "no_sum": (
            "Values of {column} cannot be added. Their mean over {rows} rows is {mean}; lowest {low}, highest {high}.",
            "{column}不能相加。{rows} 行的平均为 {mean}，最低 {low}，最高 {high}。",
        ),
        "range": (
            "{column}: lowest {low} ({lowest}), highest {high} ({highest}); the difference is {gap}.",
            "{column}：最低 {low}（{lowest}），最高 {high}（{highest}），相差 {gap}。",
        ),
        "share": (
            "{count} of {total} ({share} %), of all in “{title}”.",
            "{total} 个中有 {count} 个，占 {share} %（全部以「{title}」为准）。",
        ),
        "share_of_rows": ("That is {share} % of them.", "占 {share} %。"),
        "others": (
            "{count} of {total} are not in “{title}”.",
            "{total} 个中有 {count} 个不在「{title}」里，如下。",
        ),
        "both": (
            "{count} are in both “{first}” and “{second}”.",
            "「{first}」和「{second}」里都有的共 {count} 个。",
        ),
        "worse": (
            "{count} of {total} have a worse {column} after the simulation.",
            "{total} 个中有 {count} 个仿真后的{column}变差。",
        ),
        "valued": ("{count} of {total} rows have {words}.", "{total} 行中有 {count} 行是{words}，如下。"),
        "is_in": ("Yes: {name} is in “{title}” ({values}).", "是：{name} 在「{title}」里（{values}）。"),
        "is_not_in": (
            "No: {name} is not among the {rows} rows of “{title}”.",
            "否：{name} 不在「{title}」的 {rows} 行里。",
        ),
        "rows_of": ("{count} rows of {name} in “{title}”.", "{name} 在「{title}」里有 {count} 行，如下。"),
        "rows_each": ("{name}: {count} rows.", "{name}：{count} 行。"),
        "changes": (
            "{count} of {total} changes, for {names} different values of {column}.",
            "{total} 处改动中有 {count} 处，涉及 {names} 个{column}，如下。",
        ),
        "no_change_of": (
            "It is not among the {rows} rows of “{title}”: nothing is to be changed there.",
            "「{title}」的 {rows} 行里没有它：不需要改动。",
        ),
        "pair": (
            "{name}: {column} was {before}, is {after} after the simulation, {gap}.",
            "{name}：{column}优化前 {before}，仿真后 {after}，变化 {gap}。",
        ),
        "mean_of": ("Mean of {rows} rows", "{rows} 行平均"),
        "better": ("{name} is better.", "{name} 更好。"),
        "higher": ("{name} is higher.", "{name} 更高。"),
        "equal": ("Both are equal.", "两者相同。"),
        "summary": (
            "{column}: mean {mean} over {rows} rows, lowest {low} ({lowest}), highest {high} ({highest}).",
            "{column}：{rows} 行平均 {mean}，最低 {low}（{lowest}），最高 {high}（{highest}）。",
        ),
        "ties": ("{count} more rows have the same value.", "另有 {count} 行的值与最后一行相同。"),
        "in_order": (
            "“{title}” in its order, the most important first: the first {count}.",
            "「{title}」按重要程度排列，前 {count} 行如下。",
        ),
        "part_shown": (
            "The table has only what its title says; there may be more.",
            "这张表只有标题所说的部分，实际可能更多。",
        ),
        "only_some": (
            "Only {count} of {total} have this value, those of “{title}”.",
            "{total} 个里只有「{title}」的 {count} 个有这一项，其余没有列出。",
        ),
        "one_limit": (
            "I can check one condition at a time. Ask for one of them, then for the other.",
            "一次只能查一个条件，请分开问。",
        ),
        "elsewhere": ("- {title}: {values}", "- {title}：{values}"),
        "first_rows": ("The first {count} rows of “{title}”.", "「{title}」的前 {count} 行如下。"),
        "last_rows": ("The last {count} rows of “{title}”.", "「{title}」的最后 {count} 行如下。"),
        "sorted": ("{count} rows by {column}, {order}.", "{count} 行，按{column}{order}排列。"),
        "listed": ("“{title}”: {count} rows.", "「{title}」共 {count} 行。"),
        "causes": ("Causes that were found: {count}, the most important first.", "找到 {count} 项根因，重要的在前："),
        "source_causes": (
            "Each has its table of evidence among the results for “{said}”.",
            "每一项的证据表都在「{said}」的结果里。",
        ),
        "export": (
            "The results can be saved as they are: “Export PDF” and “Export Word” stand below the answer, all formats "
            "in the menu of the conversation. At the command line: `metier conversations export`.",
            "结果可以直接保存：点回答下方的「导出 PDF」或「导出 Word」，对话菜单里有全部格式。"
            "命令行用 `metier conversations export`。",
        ),
        "table_written": (
            "The table “{title}” is in {name}: {count} rows.",
            "表「{title}」已存为 {name}：{count} 行。",
        ),
        "unknown_chart": (
            "This kind of chart is not available; there are bar, stacked bar, line and scatter charts.",
            "没有这一种图，可以用柱状图、堆叠柱状图、折线图和散点图。",
        ),
        "compare": ("{column}: {values}; the difference is {gap}.", "{column}：{values}，相差 {gap}。"),
        "points": ("percentage points", "个百分点"),
        "more_rows": ("{left} more rows are not listed.", "另有 {left} 行未列出。"),
        "part_kept": (
            "Only {kept} of {total} rows are kept; the answer is about these.",
            "只保存了 {total} 行中的 {kept} 行，回答只针对这些行。",
        ),
        "chart": ("Here is “{title}” as {kind}.", "「{title}」已换成{kind}。"),
        "drawn": ("“{title}” as {kind}.", "「{title}」的{kind}如下。"),
        "no_chart": ("The chart on screen cannot be drawn as {kind}.", "屏幕上的图不能换成{kind}。"),
        "data": ("The data behind “{title}”.", "「{title}」背后的数据如下。"),
        "no_data": ("There is no chart on screen yet.", "屏幕上还没有图。"),
        "cannot": (
            "The results on screen do not say this. I can answer from:",
            "屏幕上的结果里没有这一项。可以回答的有：",
        ),
        "unread": (
            "The results on screen do not say this, there is nothing about {words}. I can answer from:",
            "屏幕上的结果里没有这一项：{words}。可以回答的有：",
        ),
        "wrong_unit": (
            "“{said}” has another unit than that column, which is in {unit}; nothing was compared. Say it in {unit}.",
            "「{said}」的单位和这一列不同，这一列的单位是 {unit}，所以没有比较。请用 {unit} 再说一次。",
        ),
        "no_such_row": (
            "The results on screen have no single row for {names}, so a figure would be about something else. "
            "Name the row as the table has it.",
            "屏幕上的结果里没有唯一对应{names}的一行，给出的数会是别的。请按表里的名称来问。",
        ),
        "row_not_told": (
            "I cannot answer this for {names} alone; ask for one value of this row.",
            "这个问题不能单独针对{names}回答，请直接问这一行的某个值。",
        ),
        "against": (
            "{name}: {column} is {value}. The {figure} over {rows} rows is {level}; the difference is {gap}.",
            "{name}：{column} 为 {value}。{rows} 行的{figure}为 {level}，相差 {gap}。",
        ),
        "figure_mean": ("mean", "平均值"),
        "figure_median": ("median", "中位数"),
        "combined": (
            "I cannot combine {words} with the rest of the question; ask for one after the other. I can answer from:",
            "{words}不能和问题的其余部分一起回答，请分开问。可以回答的有：",
        ),
        "quoted": ("“{word}”", "「{word}」"),
        "table_line": ("- “{title}”: {columns}", "- 「{title}」：{columns}"),
        "share_of_base": (
            "{count} of {total} ({share} %), of all in “{title}”.",
            "{total} 个中有 {count} 个，占 {share} %（全部以「{title}」为准）。",
        ),
        "share_of_each": (
            "Shares of what was found; one row can count under several of them:",
            "各项发现所占的比例，同一行可能属于其中几项：",
        ),
        "share_of_what": (
            "The share of which rows? Name them, for example by a limit or by what was found.",
            "要看哪些行的占比？请说出是哪些，例如加上门限，或说出是哪一项发现。",
        ),
        "narrowed": ("Of {names} only:", "只看{names}的："),
        "listed_short": (
            "The last list has only {count} rows, so there is no number {place}.",
            "刚才只列出了 {count} 行，没有第 {place} 行。",
        ),
        "next": (
            "After “{title}” you can go on with:\n\n{offers}\n\nOr ask about the results.",
            "「{title}」之后可以做：\n\n{offers}\n\n也可以问结果里的内容。",
        ),
        "next_nothing": (
            "Nothing of “{title}” is open. Ask about the results, or say what you want to do next.",
            "「{title}」没有未完成的步骤。可以继续问结果里的内容，或者说说接下来想做什么。",
        ),
        "unread_clause": ("The results do not answer this part: “{clause}”.", "结果里答不了的部分：「{clause}」。"),
        "still_open_above": ("The question above is still open.", "上面的问题还在等你回答。"),
        "still_open": ("Still waiting for your answer: {text}", "还在等你的回答：{text}"),
        "line": ("a line chart", "折线图"),
        "grouped_bar": ("a bar chart", "柱状图"),
        "stacked_bar": ("a stacked bar chart", "堆叠柱状图"),
        "scatter": ("a scatter plot", "散点图"),
        "heatmap": ("a heat map", "热力图"),
        "table": ("a table", "表格"),
    }
)
