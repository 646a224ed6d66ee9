"""Sentences of the data room, in English and Chinese."""

from typing import Final

from metier.language import Sentences

TEXTS: Final = Sentences(
    {
        "empty_file": ("{name} is empty.", "{name} 是空文件。"),
        "empty_file_hint": ("choose a file with a header and rows", "请换一个有表头和数据行的文件"),
        "no_rows": ("{name} has a header and no rows.", "{name} 只有表头，没有数据行。"),
        "no_rows_hint": ("choose a file with rows", "请换一个有数据行的文件"),
        "file_too_large": (
            "{name} has {size} MB; a table of up to {most} MB can be analysed.",
            "{name} 有 {size} MB；最多能分析 {most} MB 的表。",
        ),
        "file_too_large_hint": ("split it, or keep the columns that are needed", "请拆分文件，或只保留需要的列"),
        "too_many_columns": (
            "{name} has {count} columns; a table of up to {most} columns can be analysed.",
            "{name} 有 {count} 列；最多能分析 {most} 列的表。",
        ),
        "too_many_columns_hint": ("keep the columns that are needed", "请只保留需要的列"),
        "not_a_table": ("{name} is not a text table.", "{name} 不是文本表格。"),
        "not_a_table_hint": ("use csv, xlsx or json", "请使用 csv、xlsx 或 json"),
        "open_quote": (
            "{name} cannot be split into rows: a quotation mark in it is never closed.",
            "无法把 {name} 分成行：里面有一个引号没有闭合。",
        ),
        "open_quote_hint": ("close or remove the mark and use the file again", "请补上或去掉这个引号，再使用该文件"),
        "not_a_workbook": (
            "{name} cannot be opened: it is damaged, locked by a password, or no xlsx file.",
            "打不开 {name}：文件已损坏、设了密码，或不是 xlsx。",
        ),
        "not_a_workbook_hint": ("save it again as xlsx without a password", "请另存为没有密码的 xlsx"),
        "bad_json": ("{name} is not valid JSON.", "{name} 不是有效的 JSON。"),
        "bad_json_hint": ("a list of objects, or one object a line", "应是对象的列表，或每行一个对象"),
        "no_records": ("{name} holds no list of records.", "{name} 里没有记录列表。"),
        "no_records_hint": ("a list of objects, or one object a line", "应是对象的列表，或每行一个对象"),
        "no_file": ("There is no file {name}.", "没有文件 {name}。"),
        "unnamed": ("column {number}", "第{number}列"),
        "duplicate_names": (
            "Several columns are called {names}; the later ones are numbered.",
            "有重名的列：{names}；后面的加了序号。",
        ),
        "encoding": ("The file is written in {encoding}.", "文件编码是 {encoding}。"),
        "rows_long": (
            "{count} rows have more cells than the header; the extra cells are left out (lines {lines}).",
            "有 {count} 行的单元格比表头多，多出的没有计入（行 {lines}）。",
        ),
        "rows_short": (
            "{count} rows have fewer cells than the header; the missing ones count as gaps (lines {lines}).",
            "有 {count} 行的单元格比表头少，缺的按空值计（行 {lines}）。",
        ),
        "formulas_uncomputed": (
            "No results are stored for the formulas in {names}: open the file in a spreadsheet program and save it.",
            "{names} 里的公式没有存下算好的值：请用表格软件打开并保存这个文件，再来分析。",
        ),
        "formula_cells": (
            "{count} cells begin like a formula (=, +, @); they are kept as text and not calculated.",
            "有 {count} 个单元格以 =、+ 或 @ 开头，按文字保留，不作为公式计算。",
        ),
        "guarded": (
            "{count} cells that a spreadsheet program would run as a formula begin with an apostrophe in the csv file.",
            "csv 里有 {count} 个会被表格软件当成公式的单元格，前面加了撇号。",
        ),
        "sheet": ("Sheet “{name}” is analysed; there are also {others}.", "分析的是工作表「{name}」；另有 {others}。"),
        "invented": (
            "The figures of this sample are invented; to analyse your own, attach a csv, xlsx or json file.",
            "这是示例数据，数字均为虚构；要分析自己的数据，请附上 csv、xlsx 或 json 文件。",
        ),
        "invented_notice": ("Sample data: the figures are invented.", "示例数据，数字均为虚构。"),
        "assumed_file": (
            "Analysed: {name}, the newest of {count} files; name another to change it.",
            "分析的是最新的文件 {name}（共 {count} 个）；说出另一个文件名即可更换。",
        ),
        "overview": (
            "{title}: {rows} rows, {columns} columns ({kinds}).",
            "{title}：{rows} 行，{columns} 列（{kinds}）。",
        ),
        "gaps": ("Most gaps: {names}.", "空值最多：{names}。"),
        "no_gaps": ("No gaps.", "没有空值。"),
        "odd": (
            "{name}: {count} values are not {kind}; the figures leave that out.",
            "{name}：有 {count} 个值不是{kind}，没有计入。",
        ),
        "decimal_comma": (
            "{name}: the comma is read as the decimal point ({forms} is 1,234.5).",
            "{name}：逗号按小数点读取（{forms} 是 1,234.5）。",
        ),
        "dates_mixed": ("{name}: dates in several forms ({forms}).", "{name}：日期有多种写法（{forms}）。"),
        "dates_unsure": (
            "{name}: day and month cannot be told apart, MM/DD is assumed ({forms}).",
            "{name}：分不清日和月，按「月/日」读取（{forms}）。",
        ),
        "duplicates": ("{count} rows are exact duplicates.", "有 {count} 行完全重复。"),
        "ids": ("Kept as text, not counted as numbers: {names}.", "作为编号按文字保留，不当数字计算：{names}。"),
        "outliers": (
            "{name}: {count} of {n} values are outliers (beyond 1.5 quartile distances), "
            "the farthest {value}{unit} in line {line}.",
            "{name}：{n} 个值中有 {count} 个离群值（超出四分位距 1.5 倍），最远的是第 {line} 行的 {value}{unit}。",
        ),
        "kind_number": ("number", "数字"),
        "kind_date": ("date", "日期"),
        "kind_year": ("year", "年份"),
        "kind_id": ("identifier", "编号"),
        "kind_boolean": ("yes/no", "是/否"),
        "kind_category": ("category", "类别"),
        "kind_text": ("text", "文本"),
        "kind_count": ("{count} × {kind}", "{kind} {count} 列"),
        "profile_title": ("Profile of {file} (n = {rows} rows)", "{file} 的数据概况（共 {rows} 行）"),
        "groups_title": (
            "{measure} by {by} ({how}, top {shown} of {all})",
            "各{by}的{measure}（{how}，{all} 个中的前 {shown} 个）",
        ),
        "groups_title_all": ("{measure} by {by} ({how}, all {all})", "各{by}的{measure}（{how}，共 {all} 个）"),
        "trend_title": ("{measure} by {period} ({how})", "{measure}按{period}的走势（{how}）"),
        "pivot_title": ("{measure}: {by} × {across} ({how})", "{measure}：{by} × {across}（{how}）"),
        "pivot_cut": (
            " – {rows} of {all_rows} rows, {columns} of {all_columns} columns",
            "，{all_rows} 行中的 {rows} 行，{all_columns} 列中的 {columns} 列",
        ),
        "outliers_title": (
            "Outliers of {measure} (farthest {shown} of {all})",
            "{measure}的离群值（{all} 个中最远的 {shown} 个）",
        ),
        "table_title": ("{figures} by {keys}", "{keys}：{figures}"),
        "table_title_all": ("{figures}, all rows", "全部行：{figures}"),
        "top_title": ("Top {count} of {keys} by {figures}", "{keys}：{figures}最大的 {count} 个"),
        "bottom_title": ("Lowest {count} of {keys} by {figures}", "{keys}：{figures}最小的 {count} 个"),
        "compare_title": ("{measure} by {period} ({how}, {versus})", "{measure}按{period}（{how}，{versus}）"),
        "compare_title_by": (
            "{measure} by {by} and {period} ({how}, {versus})",
            "各{by}的{measure}按{period}（{how}，{versus}）",
        ),
        "rows_cut": (" – the first {rows} of {all} rows", "，{all} 行中的前 {rows} 行"),
        "title_where": (" – only {conditions}", "，只含 {conditions}"),
        "where_in": ("{name} = {values}", "{name}＝{values}"),
        "where_not": ("{name} other than {values}", "{name}≠{values}"),
        "time_key": ("{name} by {period}", "{name}（按{period}）"),
        "where_lines": ("rows other than line {lines}", "第 {lines} 行以外的行"),
        "ask_no_line": (
            "No figure was computed: the file has no row in line {lines}; its rows are in lines 2 to {last}.",
            "没有计算：文件里没有第 {lines} 行的数据，数据在第 2 行到第 {last} 行（第 1 行是表头）。",
        ),
        "rows_chosen": ("{count} of {all} rows are counted", "计入 {all} 行中的 {count} 行"),
        "left_out_of": (
            "Left out: {count} rows without one of {names}.",
            "有 {count} 行缺少其中一项（{names}），没有计入。",
        ),
        "versus_year": ("change against a year before", "同比"),
        "versus_previous": ("change against the period before", "环比"),
        "col_versus_year": ("a year before", "上年同期"),
        "col_versus_previous": ("period before", "上期"),
        "last_change": (
            "{name}: {measure} {value}{unit} against {before}{unit} ({change}).",
            "{name}：{measure} {value}{unit}，之前 {before}{unit}（{change}）。",
        ),
        "nothing_before": (
            "The data have no earlier period to compare with ({versus}).",
            "数据里没有更早的同类周期，算不出{versus}。",
        ),
        "first_row": ("First row: {name} with {values} (n = {count}).", "第一行：{name}，{values}（n = {count}）。"),
        "all_rows": ("All rows: {values} (n = {count}).", "全部行：{values}（n = {count}）。"),
        "ask_which_column": (
            "No figure was computed: “{value}” is a value of {columns}. Say which column is meant.",
            "没有计算：「{value}」在 {columns} 里都有。请说明指哪一列。",
        ),
        "ask_which_number": (
            "No figure was computed: which column shall be “{words}”? There are {columns}.",
            "没有计算：「{words}」指哪一列？可选 {columns}。",
        ),
        "ask_when": (
            "No figure was computed: which dates are “{words}”? "
            "Say them as “2024”, “March 2024” or “2024-01 to 2024-06”.",
            "没有计算：「{words}」是哪段时间？请写成「2024年」「2024年3月」或「2024-01到2024-06」。",
        ),
        "ask_no_time": (
            "No figure was computed: no column holds the dates that “{words}” needs.",
            "没有计算：「{words}」需要日期，表里没有这样的列。",
        ),
        "ask_unknown_value": (
            "No figure was computed: no column has the value “{value}”. Values are {known}.",
            "没有计算：没有哪一列有「{value}」这个值。已有的值：{known}。",
        ),
        "ask_unread_column": (
            "No figure was computed: “{name}” cannot be read as numbers (such as “{value}”), and no other column was "
            "taken for it. Correct its values, or name another column.",
            "没有计算：「{name}」这一列读不成数字（例如「{value}」），也没有拿别的列代替。请先改好这些值，或者指定另一列。",
        ),
        "unread_column": (
            "“{name}” cannot be read as numbers (such as “{value}”): it is in no figure here.",
            "「{name}」这一列读不成数字（例如「{value}」），这里的数字都不包含它。",
        ),
        "ask_unknown_column": (
            "No figure was computed: there is no column for “{name}”. The columns are {columns}.",
            "没有计算：没有「{name}」对应的列。现有的列：{columns}。",
        ),
        "ask_top": (
            "No figure was computed: of {columns}, which one shall be ranked within which? "
            "Say it as “top 3 products per region”.",
            "没有计算：{columns} 中，在谁里面给谁排名？请写成「每个地区销售额前三的产品」。",
        ),
        "ask_no_rows": (
            "No figure was computed: no row has {conditions}.",
            "没有计算：没有满足 {conditions} 的行。",
        ),
        "how_median": ("median", "中位数"),
        "how_min": ("minimum", "最小"),
        "how_max": ("maximum", "最大"),
        "how_std": ("standard deviation", "标准差"),
        "how_nunique": ("different values", "不同值个数"),
        "how_count": ("count", "个数"),
        "how_sum": ("sum", "合计"),
        "how_mean": ("mean", "平均"),
        "period_D": ("day", "日"),
        "period_W": ("week", "周"),
        "period_M": ("month", "月"),
        "period_Q": ("quarter", "季度"),
        "period_Y": ("year", "年"),
        "top_sum": (
            "{by} {name} has the largest {measure}: {value}{unit} ({share}% of {total}{unit}, n = {count}).",
            "{by}「{name}」的{measure}最大：{value}{unit}（占总计 {total}{unit} 的 {share}%，n = {count}）。",
        ),
        "top_sum_plain": (
            "{by} {name} has the largest {measure}: {value}{unit} (n = {count}).",
            "{by}「{name}」的{measure}合计最大：{value}{unit}（n = {count}）。",
        ),
        "top_mean": (
            "{by} {name} has the highest mean {measure}: {value}{unit} (median {median}{unit}, n = {count}).",
            "{by}「{name}」的平均{measure}最高：{value}{unit}（中位数 {median}{unit}，n = {count}）。",
        ),
        "skewed": (
            "{measure}: mean {mean}{unit} and median {median}{unit} differ much; a few large values pull the mean up.",
            "{measure}：平均 {mean}{unit} 与中位数 {median}{unit} 相差大，少数大值拉高了平均。",
        ),
        "trend_change": (
            "{measure} from {first} to {last}: {start}{unit} → {end}{unit} ({change}).",
            "{measure}从 {first} 到 {last}：{start}{unit} → {end}{unit}（{change}）。",
        ),
        "change_percent": ("{value}%", "{value}%"),
        "change_points": ("{value} percentage points", "{value} 个百分点"),
        "peak": ("The peak is {name} with {value}{unit}.", "最高的是 {name}，{value}{unit}。"),
        "peaks": ("The peaks are {name} with {value}{unit} each.", "最高的是 {name}，均为 {value}{unit}。"),
        "partial": (
            "The first and last period may be incomplete: data from {first} to {last}.",
            "首尾两个周期可能不完整：数据从 {first} 到 {last}。",
        ),
        "no_measure": (
            "{name} has no column of numbers, so rows are counted.",
            "{name} 没有数字列，因此按行数统计。",
        ),
        "row_count": ("number of rows", "行数"),
        "left_out": (
            "Left out of the groups: {count} rows without {by} or {measure}.",
            "有 {count} 行缺少{by}或{measure}，没有计入分组。",
        ),
        "dominant": (
            "One row (line {line}: {value}{unit}) gives {share}% of the {measure} of {name}; "
            "check it before you rely on the ranking.",
            "其中第 {line} 行一笔 {value}{unit} 就占「{name}」{measure}的 {share}%；请先核对这一行，再看排名。",
        ),
        "dominant_peak": (
            "One row (line {line}: {value}{unit}) gives {share}% of {name}; check it before you rely on the trend.",
            "其中第 {line} 行一笔 {value}{unit} 就占 {name} 的 {share}%；请先核对这一行，再看走势。",
        ),
        "written": (
            "{name} is written: {rows} rows, {columns} columns. {file} is unchanged.",
            "已生成 {name}：{rows} 行、{columns} 列。{file} 没有改动。",
        ),
        "already_clean": ("{name} needs no cleaning.", "{name} 不需要清洗。"),
        "no_other": ("There is no second file to merge.", "没有可以合并的第二个文件。"),
        "no_other_hint": ("attach it and ask again", "请附上另一个文件后再说一次"),
        "code_note": (
            "Forecasts, correlations and the like are computed by code that a language model writes; "
            "the figures here are those that need none.",
            "预测、相关性这类分析由语言模型写代码完成；这里先给出不需要模型就能算出的数字。",
        ),
        "no_common_column": ("{first} and {second} have no column in common.", "{first} 和 {second} 没有同名的列。"),
        "no_common_column_hint": ("give both a column of the same name to join on", "请让两个文件有一个同名的列"),
        "key_not_unique": (
            "“{key}” is not unique in {second}: {count} rows repeat it, so rows would multiply.",
            "「{second}」的「{key}」有 {count} 行重复，合并会使行数变多。",
        ),
        "key_not_unique_hint": ("remove the duplicates first", "请先去重"),
        "unit_points": ("pp", "百分点"),
        "fences": (
            "{count} values lie outside {low}{unit} to {high}{unit}, the usual range of {measure}.",
            "{measure}的通常范围是 {low}{unit} 到 {high}{unit}，有 {count} 个值在范围之外。",
        ),
        "no_outliers": ("{measure} has no outliers.", "{measure}没有离群值。"),
        "col_value": ("value", "数值"),
        "col_name": ("column", "列"),
        "col_kind": ("kind", "类型"),
        "col_unit": ("unit", "单位"),
        "col_n": ("n", "n"),
        "col_gaps": ("gaps", "空值"),
        "col_gap_share": ("gaps", "空值占比"),
        "col_distinct": ("distinct", "不同值"),
        "col_min": ("minimum", "最小"),
        "col_median": ("median", "中位数"),
        "col_mean": ("mean", "平均"),
        "col_max": ("maximum", "最大"),
        "col_outliers": ("outliers", "离群值"),
        "col_share": ("share", "占比"),
        "col_share_all": ("share of the total", "占总计"),
        "col_share_of": ("share of its {name}", "占所在{name}"),
        "col_period": ("period", "周期"),
        "col_change": ("change", "环比"),
        "col_line": ("line", "行"),
        "next": (
            "Ask on, such as “by month”, “pivot {by} and {across}”, “clean the data” or “convert the data to xlsx”.",
            "可以接着说：「按月看趋势」「{by}和{across}的透视表」「清洗数据」「把数据转换成xlsx」。",
        ),
        "report_done": (
            "Report: {names}. `{script}` computes every figure of it again from {file}.",
            "报告：{names}。运行 {script} 可以从 {file} 重新算出报告里的每个数字。",
        ),
        "script_title": ("{name}: computes the figures of the report again", "{name}：重新计算报告中的数字"),
        "report_title": ("Data analysis: {file}", "数据分析：{file}"),
        "findings": ("Findings", "主要发现"),
        "notes": ("About the data", "数据说明"),
    }
)
