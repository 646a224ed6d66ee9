"""Sentences of the answers about data in both languages."""

from typing import Final

from metier.language import Sentences

SENTENCES: Final = Sentences(
    {
        "source": (
            "Computed from {file}: {rows} of {all} rows{where}.",
            "按「{file}」{all} 行中的 {rows} 行计算{where}。",
        ),
        "source_all": ("Computed from all {all} rows of {file}.", "按「{file}」的全部 {all} 行计算。"),
        "ungrouped": (
            " Rows without “{column}” are in none of the groups: {rows}.",
            "没有「{column}」的 {rows} 行不在任何一组里。",
        ),
        "dated": (" Times are by “{column}”.", "时间按「{column}」。"),
        "where": (" with {conditions}", "（{conditions}）"),
        "is": ("{column} {values}", "{column}为{values}"),
        "is_not": ("without {column} {values}", "不含{column}{values}"),
        "when": ("{first} to {last}", "{first} 至 {last}"),
        "value": ("{name}: {measure} {value} ({rows} rows).", "{name}：{measure} {value}（{rows} 行）。"),
        "figure": ("{measure}: {value} ({rows} rows).", "{measure}：{value}（{rows} 行）。"),
        "count": ("{value} rows{extra}.", "共 {value} 行{extra}。"),
        "count_of": ("{name}: {value} rows.", "{name}：{value} 行。"),
        "first": (
            "First is {name}: {measure} {value} ({rows} rows).",
            "最高的是 {name}：{measure} {value}（{rows} 行）。",
        ),
        "last": (
            "Lowest is {name}: {measure} {value} ({rows} rows).",
            "最低的是 {name}：{measure} {value}（{rows} 行）。",
        ),
        "next": ("Next is {name} with {value}; the difference is {gap}.", "其次是 {name}，{value}，相差 {gap}。"),
        "ties": ("{names} have the same value.", "{names} 的值相同。"),
        "gap": (
            "{first} is {gap} {more} than {second} ({percent}).",
            "{first} 比 {second} {more} {gap}（{percent}）。",
        ),
        "gap_points": ("{first} is {gap} {more} than {second}.", "{first} 比 {second} {more} {gap}。"),
        "points": ("{value} percentage points", "{value} 个百分点"),
        "equal": ("Both are equal.", "两者相同。"),
        "more": ("more", "多"),
        "less": ("less", "少"),
        "share": ("{name}: {part} of {whole}, {share} %.", "{name}：{part}，占 {whole} 的 {share} %。"),
        "listed": ("{measure} by {group}:", "各{group}的{measure}："),
        "fitting": (
            "{count} of {all} ({group}) have {measure} {sign} {limit}.",
            "{all} 个{group}中有 {count} 个的{measure} {sign} {limit}。",
        ),
        "rows_fitting": (
            "{count} of {all} rows have {measure} {sign} {limit}.",
            "{all} 行中有 {count} 行的{measure} {sign} {limit}。",
        ),
        "distinct": ("{count} ({group}): {names}.", "{group}共 {count} 个：{names}。"),
        "typical": (
            "{measure} per {group}: {value} on average, over {count}.",
            "平均每个{group}的{measure}为 {value}（共 {count} 个）。",
        ),
        "typical_time": (
            "{measure} per {group}: {value} on average, over {count} that have rows.",
            "平均每{group}的{measure}为 {value}（按有数据的 {count} {group}）。",
        ),
        "typical_empty": (
            "Not counted: {count} in between (each a {group}) without a row; with them it is {value}.",
            "其间没有数据的 {count} {group}未计入；算上为 {value}。",
        ),
        "unit_M": ("month", "个月"),
        "unit_Q": ("quarter", "个季度"),
        "unit_W": ("week", "周"),
        "unit_D": ("day", "天"),
        "together": ("{names} together", "{names} 合计"),
        "row": ("Line {line}: {values}.", "第 {line} 行：{values}。"),
        "of_sum": ("{measure} (sum)", "{measure}（合计）"),
        "of_mean": ("{measure} (mean)", "{measure}（平均）"),
        "of_median": ("{measure} (median)", "{measure}（中位数）"),
        "profit": ("{money} minus {cost}", "{money} 减 {cost}"),
        "margin": ("({money} − {cost}) / {money}", "({money} − {cost}) ÷ {money}"),
        "no_cost": (
            "Left out: {count} rows without {cost}. Costs that the data do not have, such as rent and wages, are not "
            "in it.",
            "没有{cost}的 {count} 行未计入。数据里没有的费用（如房租、人工）不在内。",
        ),
        "only_costs": (
            "Costs that the data do not have, such as rent and wages, are not in it.",
            "数据里没有的费用（如房租、人工）不在内。",
        ),
        "no_loss": ("No loss: {text}", "没有亏：{text}"),
        "loss": ("A loss: {text}", "在亏：{text}"),
        "loss_times": ("Of {all} months {count} were below zero.", "{all} 个月里有 {count} 个月为负。"),
        "dominant": (
            "Line {line} alone, {value}, is {share} % of {name}; check it first.",
            "其中第 {line} 行一笔 {value} 就占 {name} 的 {share} %；请先核对这一行。",
        ),
        "odd_inside": (
            "{name} includes the outlier of line {line}, {value}.",
            "{name} 里含第 {line} 行的离群值 {value}。",
        ),
        "why": (
            "{name}: {measure} {value}, {rows} rows, {each} a row. The other {others}: {mean} on average, {count} "
            "rows, {typical} a row.",
            "{name}：{measure} {value}，{rows} 行，平均每行 {each}。"
            "其余 {others} 个平均 {mean}，{count} 行，平均每行 {typical}。",
        ),
        "why_rows": ("The difference comes mainly from the number of rows.", "差别主要来自行数。"),
        "why_size": (
            "The difference comes mainly from the value of a row, not from their number.",
            "差别主要来自每行的数额，而不是行数。",
        ),
        "why_both": ("Both the number of rows and their value differ.", "行数和每行的数额都有差别。"),
        "why_not": ("{name} is not above the others.", "{name} 并不比其余的高。"),
        "why_not_low": ("{name} is not below the others.", "{name} 并不比其余的低。"),
        "why_limit": (
            "That is all the data say; reasons outside (weather, campaigns, holidays) are not in it.",
            "数据只能说明这些；外部原因（天气、活动、节日）数据里没有。",
        ),
        "skew": (
            "{measure}: mean {mean}, median {median}. Few large values pull the mean up; the largest is {largest} in "
            "line {line}, and {above} of {rows} rows are above the mean.",
            "{measure}：平均 {mean}，中位数 {median}。少数大值把平均拉高：最大的是第 {line} 行的 {largest}，"
            "{rows} 行里只有 {above} 行高于平均。",
        ),
        "no_skew": ("{measure}: mean {mean}, median {median}.", "{measure}：平均 {mean}，中位数 {median}。"),
        "other_figure": ("The figure in the question, {said}, is not one of these.", "问题里的 {said} 不是其中的数。"),
        "still": (
            "Yes: without {left} {name} is still first, {value}; next is {second}, {other}.",
            "是：去掉{left}后，{name} 仍然第一，{value}；其次是 {second}，{other}。",
        ),
        "no_longer": (
            "No: without {left} {first} is first, {value}; {name} is number {place} with {other}.",
            "不是：去掉{left}后，第一是 {first}，{value}；{name} 排第 {place}，{other}。",
        ),
        "line": ("line {line} ({value})", "第 {line} 行（{value}）"),
        "gaps": ("Missing: {columns}.", "缺少：{columns}。"),
        "gaps_of": ("{column} in {count} rows", "{column} {count} 行"),
        "no_gaps": (
            "Nothing is missing: every cell of {columns} columns has a value.",
            "没有缺失：{columns} 列都填满了。",
        ),
        "odd_row": (
            "The value of {measure} farthest from the rest is in line {line}: {values}. It may be a slip; check it. "
            "{count} values are outside the usual range in all.",
            "{measure}离其余最远的是第 {line} 行：{values}。可能是录入错误，请核对。超出通常范围的值共 {count} 个。",
        ),
        "no_odd": ("No value of {measure} is outside the usual range.", "{measure}没有超出通常范围的值。"),
        "trust": (
            "What it rests on: {rows} rows from {first} to {last}; {gaps} Outside the usual range of {measure}: {odd} "
            "values. Less than two years say nothing about seasons or about this year against the last.",
            "依据：{rows} 行，从 {first} 到 {last}；{gaps}{measure}超出通常范围的值 {odd} 个。"
            "不足两年的数据看不出季节规律，也不能与去年相比。",
        ),
        "trust_long": (
            "What it rests on: {rows} rows from {first} to {last}; {gaps} Outside the usual range of {measure}: {odd} "
            "values.",
            "依据：{rows} 行，从 {first} 到 {last}；{gaps}{measure}超出通常范围的值 {odd} 个。",
        ),
        "forecast": (
            "No forecast: the data reach from {first} to {last}, and nothing here predicts. In them {measure} is "
            "{value}, {month} a month on average.",
            "不做预测：数据只有 {first} 至 {last}，这里没有预测方法。这段时间{measure}为 {value}，平均每月 {month}。",
        ),
        "unread_column": (
            "Not computed: “{column}” in “{file}” cannot be read as numbers (such as “{value}”), and no other "
            "column was taken for it. Correct its values, or ask about another column.",
            "没有计算：「{file}」的「{column}」这一列读不成数字（例如「{value}」），也没有拿别的列代替。请先改好这些值，或者问另一列。",
        ),
        "absent": ("The data have no column for {words}.", "数据里没有{words}对应的列。"),
        "unknown": ("Not computed: I do not understand {words}.", "没有计算：没看懂{words}。"),
        "unclear": (
            "Not computed: {words} can mean more than one thing here.",
            "没有计算：{words}在这里不止一个意思。",
        ),
        "outside": (
            "Not computed: {words} is not in the data, which reach from {first} to {last}.",
            "没有计算：数据只有 {first} 至 {last}，没有{words}。",
        ),
        "unused": (
            "Not computed: I cannot take {words} into account together.",
            "没有计算：{words}合在一起我还算不了。",
        ),
        "none_fit": ("Not computed: no row fits the question.", "没有计算：没有一行符合这句话的条件。"),
        "unread": (
            "Not computed: I cannot put the parts of this question together.",
            "没有计算：这句话的几部分我合不到一起。",
        ),
        "offers": (
            "The columns of {file} are {columns}. You can say, for example: {offers}",
            "「{file}」的列有：{columns}。可以这样说：{offers}",
        ),
        "offer_by": ("{measure} by {by}", "按{by}统计{measure}"),
        "offer_month": ("{measure} by month", "按月统计{measure}"),
        "quoted": ("“{word}”", "「{word}」"),
        "group_M": ("month", "月"),
        "group_Q": ("quarter", "季度"),
        "group_W": ("week", "周"),
        "group_D": ("day", "日"),
        "col_rows": ("rows", "行数"),
        "col_share": ("share %", "占比 %"),
        "more_rows": ("{left} more are not listed.", "另有 {left} 个未列出。"),
        "left_out": ("Left out: {count} rows without {column}.", "没有{column}的 {count} 行未计入。"),
    }
)
