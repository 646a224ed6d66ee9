"""Sentences of answers to questions of a known shape."""

from typing import Final

from metier.language import Sentences

SHAPE_SENTENCES: Final = Sentences(
    {
        "source": ("From {tables}, shown for “{said}”.", "来自「{said}」的{tables}。"),
        "table": ("“{title}” ({rows} rows)", "「{title}」（共 {rows} 行）"),
        "quoted": ("“{word}”", "「{word}」"),
        "more_rows": ("{left} more rows are not listed.", "另有 {left} 行未列出。"),
        "only_some": (
            "Only {count} of {total} have this value, those of “{title}”.",
            "{total} 个里只有「{title}」的 {count} 个有这一项，其余没有列出。",
        ),
        "outliers": (
            "{column}: {count} of {rows} rows are outliers, more than three standard deviations ({spread}) away from "
            "the mean ({mean}).",
            "{column}：{rows} 行中有 {count} 行离群，规则是偏离平均值（{mean}）超过三倍标准差（{spread}）。",
        ),
        "farthest": (
            "The farthest is {name} with {value}, {times} standard deviations away.",
            "离得最远的是 {name}，{value}，偏离 {times} 倍标准差。",
        ),
        "weights_other": (
            "With the weights {weights} and the same scores, {first} leads with {points} before {second} with {other}; "
            "before it was {before}.",
            "打分不变，权重换成{weights}：领先的变成「{first}」（{points}），其次「{second}」（{other}）；原来是「{before}」。",
        ),
        "weights_same": (
            "With the weights {weights} and the same scores, {first} still leads with {points} before {second} with "
            "{other}.",
            "打分不变，权重换成{weights}：领先的仍是「{first}」（{points}），其次「{second}」（{other}）。",
        ),
        "weights_tie": (
            "With the weights {weights} and the same scores, {first} and {second} have {points} both.",
            "打分不变，权重换成{weights}：「{first}」和「{second}」同为 {points}。",
        ),
        "bands": ("{column}, {rows} rows:", "{column}，共 {rows} 行："),
        "band": ("band", "档"),
        "number": ("rows", "行数"),
        "in_no_band": ("in none of them", "不在其中"),
        "edges": (
            "A value on the edge of two counts in the one that is named first.",
            "正好在两档边界上的值计入先说的一档。",
        ),
        "part": (
            "{column}, {order}, the first {count} of {rows} rows ({share} %):",
            "按{column}{order}，{rows} 行中的前 {count} 行（{share} %）：",
        ),
        "ascending": ("from low to high", "从低到高"),
        "descending": ("from high to low", "从高到低"),
        "percentile": (
            "{column} over {rows} rows: the {share} % percentile is {value} (interpolated).",
            "{rows} 行的{column}：{share} % 分位数为 {value}（线性插值）。",
        ),
        "correlation": (
            "{first} and {second}: correlation {value} over {rows} rows, {reading}.",
            "{first}与{second}：{rows} 行的相关系数为 {value}，{reading}。",
        ),
        "too_few": (
            "{first} and {second}: only {rows} rows have both, too few for a correlation.",
            "{first}与{second}：只有 {rows} 行两项都有，不足以计算相关系数。",
        ),
        "strong_up": ("strong, both rise together", "强相关，同升同降"),
        "strong_down": ("strong, one falls as the other rises", "强相关，一升一降"),
        "medium_up": ("moderate, both rise together", "中等相关，同升同降"),
        "medium_down": ("moderate, one falls as the other rises", "中等相关，一升一降"),
        "uncorrelated": ("hardly any", "几乎不相关"),
        "fine": (
            "{count} of {total} rows are in none of the {findings} tables of causes and symptoms.",
            "{total} 行中有 {count} 行不在 {findings} 张根因和现象表的任何一张里。",
        ),
        "no_cause": (
            "{count} of {total} rows are in none of the {causes} tables of causes; {symptoms} of these are in a table "
            "of symptoms.",
            "{total} 行中有 {count} 行不在 {causes} 张根因表的任何一张里，其中 {symptoms} 行有现象。",
        ),
        "several": (
            "{count} of {total} rows are in the tables of {least} or more causes.",
            "{total} 行中有 {count} 行同时在 {least} 张或更多的根因表里。",
        ),
        "causes": ("causes", "根因"),
        "cause": ("cause", "根因"),
        "second": (
            "Second by number of rows is {second} ({count}), {gap} behind {first} ({most}).",
            "按行数排第二的是{second}（{count}），比第一的{first}（{most}）少 {gap}。",
        ),
        "pair": (
            "{first}: {most}. {second}: {count}. The difference is {gap}.",
            "{first} {most}，{second} {count}，相差 {gap}。",
        ),
        "mostly": ("So it is mostly {first}.", "以{first}为主。"),
        "equal": ("Both are equal.", "两者相同。"),
        "row": ("Row {number} of “{title}”, {name}: {values}.", "「{title}」第 {number} 行 {name}：{values}。"),
        "in_finding": ("- {finding}: {values}", "- {finding}：{values}"),
        "in_none": ("It is in no table of causes or symptoms.", "它不在任何一张根因或现象表里。"),
        "value": ("{column} {value}", "{column} {value}"),
        "best_worst": ("Best and worst by {column}:", "按{column}比较最好和最差："),
        "best": ("best: {name}", "最好：{name}"),
        "worst": ("worst: {name}", "最差：{name}"),
        "indicator": ("value", "指标"),
        "found_in": ("causes and symptoms", "根因和现象"),
        "moved": (
            "{count} of {rows} rows have a {column} below {limit}.",
            "{rows} 行中有 {count} 行的{column}低于 {limit}。",
        ),
        "moved_finding": (
            "“{finding}” has {now} rows by its own rule; how many it would have with another threshold cannot be "
            "computed from the tables on screen.",
            "「{finding}」按现有规则有 {now} 行；换一个门限会有多少行，屏幕上的表算不出来。",
        ),
        "summary": (
            "{count} of {total} rows have at least one cause; the most frequent are {causes}.",
            "{total} 个里有 {count} 个至少有一项根因，最多的是{causes}。",
        ),
        "first": (
            "The analysis ranks “{first}” first ({count} rows), beginning with {name}.",
            "分析把「{first}」排在第一（{count} 个），从 {name} 开始。",
        ),
        "no_costs": ("The results have no costs.", "结果里没有成本数据。"),
        "counted": ("{name} ({count})", "{name}（{count} 个）"),
        "rests_on": (
            "{finding}: {count} of {total} rows. It rests on {values}.",
            "{finding}：{total} 行中有 {count} 行，依据是{values}。",
        ),
        "between": ("{column} from {low} to {high}", "{column}（{low} 到 {high}）"),
        "no_confidence": ("The results have no figure for how sure this is.", "结果里没有置信度这一项。"),
        "rows_of": ("{finding}: {count} rows.", "{finding}：{count} 行。"),
        "no_time": (
            "No column of the results on screen has a time, so this cannot be answered from them.",
            "屏幕上的结果里没有时间这一列，无法据此回答。",
        ),
        "no_site": (
            "No column of the results on screen says which site a row belongs to.",
            "屏幕上的结果里没有站点这一列，看不出哪些行属于同一个站。",
        ),
        "no_gaps": (
            "None of the {cells} values of the {tables} tables on screen is missing. How good the data are, the tables "
            "do not say.",
            "屏幕上 {tables} 张表的 {cells} 个值没有缺失。数据本身是否可靠，表里没有说明。",
        ),
        "gaps": (
            "{count} of {cells} values of the {tables} tables on screen are missing: {columns}.",
            "屏幕上 {tables} 张表的 {cells} 个值中缺 {count} 个：{columns}。",
        ),
        "total": ("{rows} rows are in the analysis.", "分析共有 {rows} 行。"),
        "grouped": ("Mean {column} by cause:", "各根因的{column}平均值："),
        "mean": ("mean", "平均"),
        "have_it": ("rows with a value", "有值的行数"),
    }
)
