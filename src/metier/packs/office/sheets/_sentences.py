"""Sentences of the sheet executor: what a change is, and why a step fails."""

from typing import Final

from metier.language import BilingualText, NoteValue, Sentences

SHEET_SENTENCES: Final = Sentences(
    {
        # why a step fails
        "bad_address": ("{text} is no cell or range", "“{text}”不是单元格或区域"),
        "no_sheet": ("There is no sheet {name}; sheets: {known}", "没有工作表“{name}”；现有：{known}"),
        "bad_sheet_name": (
            "{name} cannot be the name of a sheet: at most 31 characters, none of [ ] : * ? / \\",
            "“{name}”不能用作工作表名：最多 31 个字，且不能含 [ ] : * ? / \\",
        ),
        "too_many_cells": ("{text} has {count} cells; at most {limit}", "{text} 有 {count} 个单元格，最多 {limit} 个"),
        "protected": ("The sheet {name} is protected", "工作表“{name}”受保护，不能修改"),
        "merged": ("{text} lies inside the merged cells {area}", "{text} 位于合并单元格 {area} 之内"),
        "merged_area": ("{text} has merged cells ({area})", "{text} 中有合并单元格（{area}）"),
        "bad_formula": ("{text} is no formula: {reason}", "“{text}”不是公式：{reason}"),
        "in_array": ("{text} is part of an array formula", "{text} 属于数组公式，不能单独修改"),
        "wrong_size": (
            "The values have {rows} rows and {columns} columns, but {text} is another size",
            "数据为 {rows} 行 {columns} 列，与 {text} 的大小不符",
        ),
        "no_values": ("The step has no values", "这一步没有要写的值"),
        "bad_color": ("{text} is no colour", "“{text}”不是颜色"),
        "bad_key": ("{key} is no column of {text}", "“{key}”不是 {text} 中的列"),
        "hidden_rows": (
            "{text} has hidden rows, which sorting would mix with the others",
            "{text} 中有隐藏行，排序会打乱数据；请先取消隐藏或筛选",
        ),
        "reads_rows": (
            "Formulas of {text} read other rows ({cells}); sorted, they would calculate something else. "
            "Turn them into values first, or sort without them",
            "{text} 中有公式引用了其他行（{cells}），排序后结果会不对；请先把它们转成数值，或不带这些列排序",
        ),
        "table_empty": (
            "These are all rows of the table {name}; at least one must stay",
            "这些是表格“{name}”的全部数据行，至少要留一行",
        ),
        "loses_cells": (
            "{count} formulas read cells that are deleted and will show #REF!: {cells}",
            "{count} 个公式引用了要删除的单元格，删除后会变成 #REF!：{cells}",
        ),
        "no_date": (
            "{text} holds “{value}”, which cannot be read as a date; the dates were left as they are",
            "{text} 里的“{value}”认不出是哪一天，日期没有改动",
        ),
        "bad_field": ("{text} has no column number {field}", "{text} 没有第 {field} 列"),
        "overlap": ("{text} overlaps {other}", "{text} 与 {other} 重叠"),
        "no_field": ("{text} has no column {field}; columns: {known}", "{text} 中没有“{field}”列；现有：{known}"),
        "occupied": ("{text} is not empty", "{text} 不是空白区域"),
        "no_data": ("{text} has no data", "{text} 中没有数据"),
        "bad_chart_type": (
            "The chart type {number} is not known; known: {known}",
            "不认识图表类型 {number}；可用：{known}",
        ),
        "no_numbers": ("{text} has no numbers for a chart", "{text} 中没有可画图的数字"),
        "bad_validation": ("The rule needs {field}", "该规则缺少 {field}"),
        "list_too_long": ("A list of choices has at most 255 characters", "下拉选项合计最多 255 个字符"),
        "bad_picture_remote": ("Pictures of the network are not loaded: {path}", "不加载网络图片：{path}"),
        "bad_picture_outside": (
            "The picture must be in the document's folder: {path}",
            "图片须在文档所在文件夹内：{path}",
        ),
        "bad_picture_missing": ("There is no picture {path}", "没有图片 {path}"),
        "bad_picture_too_large": ("The picture is larger than 20 MB: {path}", "图片超过 20 MB：{path}"),
        "bad_picture_not_a_picture": (
            "{path} is no PNG, JPEG, GIF or BMP picture",
            "{path} 不是 PNG、JPEG、GIF 或 BMP 图片",
        ),
        "text_too_long": ("A cell takes at most 32,767 characters", "一个单元格最多 32767 个字符"),
        "mode_unsupported": (
            "Sheets have no tracked changes; write them directly, after the preview",
            "表格没有修订模式；请预览后直接写入",
        ),
        "no_match": ("No cell has the text {text}", "没有单元格含有“{text}”"),
        "missing_values": ("No value for {names}", "没有 {names} 的值"),
        "not_here": ("{op} does not exist for sheets", "表格没有 {op} 操作"),
        "strict_format": (
            "The workbook is saved as strict Open XML, which is not edited here; save it as an ordinary .xlsx workbook",
            "工作簿存为“严格 Open XML”格式，无法在此编辑；请另存为普通 .xlsx 工作簿",
        ),
        "structure_locked": ("The structure of the workbook is protected", "工作簿结构受保护，不能增加工作表"),
        "macros": ("The document contains macros; they were kept and not run", "文档含有宏，已原样保留，没有运行"),
        "has_pivot": (
            "The sheet {name} has a pivot table; its rows and columns are not moved here",
            "工作表“{name}”中有数据透视表，不能在此增删行列",
        ),
        "in_table": (
            "The table {name} stands there; its columns and its head are not inserted or deleted here",
            "那里是表格“{name}”，不能在此增删它的列或表头",
        ),
        "merge_loses": (
            "Merging {text} would lose all values but the first",
            "合并 {text} 会丢掉除第一个以外的内容",
        ),
        "last_sheet": ("{name} is the only sheet that is shown", "“{name}”是唯一可见的工作表，不能删除"),
        "sheet_is_read": ("Formulas of {known} read the sheet {name}", "{known} 的公式引用了工作表“{name}”"),
        "not_copied": (
            "The sheet {name} has charts, pictures, tables, links or comments, which are not copied here",
            "工作表“{name}”中有图表、图片、表格对象、链接或批注，不能在此复制",
        ),
        # what a change is
        "copy_sheet": ("Copy the sheet {text} as {other}", "把工作表“{text}”复制为“{other}”"),
        "tab_color": ("Tab colour of {text}", "{text} 的标签颜色"),
        "insert_lines": ("Insert {text}", "插入 {text}"),
        "delete_lines": ("Delete {text}", "删除 {text}"),
        "hide_lines": ("Hide {text}", "隐藏 {text}"),
        "show_lines": ("Show {text}", "取消隐藏 {text}"),
        "look": ("Look of {text}", "{text} 的样式"),
        "size": ("Size of {text}", "{text} 的行高或列宽"),
        "freeze": ("Frozen panes of {text}", "{text} 的冻结窗格"),
        "merge": ("Merge {text}", "合并 {text}"),
        "unmerge": ("Take {text} apart", "取消合并 {text}"),
        "clear_filter": ("Show all rows of {text}", "取消 {text} 的筛选"),
        "rename_sheet": ("Rename the sheet {text} to {other}", "工作表“{text}”改名为“{other}”"),
        "delete_sheet": ("Delete the sheet {text}", "删除工作表 {text}"),
        "cell": ("Set {text}", "填写 {text}"),
        "formula": ("Formula in {text}", "{text} 的公式"),
        "format": ("Number format of {text}", "{text} 的数字格式"),
        "rule_color_scale": ("colours from low to high", "由低到高的色阶"),
        "rule_data_bar": ("data bars", "数据条"),
        "rule_between": ("values between {one} and {two}: {look}", "介于 {one} 和 {two} 之间的单元格：{look}"),
        "rule_not_between": ("values outside {one} to {two}: {look}", "不在 {one} 到 {two} 之间的单元格：{look}"),
        "rule_equal": ("values equal to {one}: {look}", "等于 {one} 的单元格：{look}"),
        "rule_not_equal": ("values other than {one}: {look}", "不等于 {one} 的单元格：{look}"),
        "rule_greater_than": ("values above {one}: {look}", "大于 {one} 的单元格：{look}"),
        "rule_less_than": ("values below {one}: {look}", "小于 {one} 的单元格：{look}"),
        "rule_greater_or_equal": ("values of at least {one}: {look}", "不小于 {one} 的单元格：{look}"),
        "rule_less_or_equal": ("values of at most {one}: {look}", "不大于 {one} 的单元格：{look}"),
        "rule": ("Conditional format of {text}", "{text} 的条件格式"),
        "validation": ("Data validation of {text}", "{text} 的数据有效性"),
        "sort": ("Sort {text}", "排序 {text}"),
        "filter": ("Filter {text}", "筛选 {text}"),
        "transpose": ("Transpose {other} to {text}", "把 {other} 转置到 {text}"),
        "summary": ("Summary of {other} at {text}", "在 {text} 汇总 {other}"),
        "new_sheet": ("New sheet {text}", "新建工作表 {text}"),
        "clear_sheet": ("Clear the sheet {text}", "清空工作表 {text}"),
        "table": ("Table at {text}", "在 {text} 插入表格"),
        "text": ("Text at {text}", "在 {text} 写入文字"),
        "picture": ("Picture at {text}", "在 {text} 插入图片"),
        "chart": ("Chart of {other}", "{other} 的图表"),
        "block": ("Write or update a block", "写入或更新内容块"),
        "delete_block": ("Delete the block {text}", "删除块 {text}"),
        "replace": ("Replace in {text}", "替换 {text} 中的文字"),
        "comment": ("Comment at {text}", "{text} 的批注"),
        "header": ("Header of {text}", "{text} 的页眉"),
        "page": ("Printed pages of {text}", "{text} 的打印设置"),
        "page_orientation": ("orientation: {value}", "方向：{value}"),
        "page_preset": ("paper: {value}", "纸张：{value}"),
        "page_pages_wide": ("fitted to {value} pages in width", "宽度缩放到 {value} 页"),
        "page_pages_tall": ("fitted to {value} pages in height", "高度缩放到 {value} 页"),
        "page_centered": ("centred on the page: {value}", "水平居中：{value}"),
        "page_title_rows": ("rows repeated on every page: {value}", "每页重复的标题行：{value}"),
        "page_print_area": ("print area: {value}", "打印区域：{value}"),
        "page_margins": ("margins left / right / top / bottom: {value} mm", "页边距 左 / 右 / 上 / 下：{value} 毫米"),
        "word_portrait": ("portrait", "纵向"),
        "word_landscape": ("landscape", "横向"),
        "word_yes": ("yes", "是"),
        "word_no": ("no", "否"),
        "protection": ("Protection of {text}", "{text} 的编辑保护"),
        "protected_True": ("protected, without a password", "受保护，没有密码"),
        "protected_formulas": (
            "{count} formulas locked, all other cells open, without a password",
            "锁定 {count} 个公式单元格，其余单元格可改，没有密码",
        ),
        "no_formulas": ("There are no formulas to lock", "没有可以锁定的公式"),
        "protected_False": ("not protected", "不受保护"),
        "footer": ("Footer of {text}", "{text} 的页脚"),
        # what a person should know
        "live_summary": (
            "The summary consists of live formulas; it is not a pivot table of the program",
            "汇总表由实时公式组成，不是软件自带的数据透视表",
        ),
        "rows_deleted": ("{count} rows were deleted", "共删除 {count} 行"),
        "live_note": ("Calculated by formulas from {text}", "由公式从 {text} 实时汇总"),
        "moved": ("{text} was not empty, so the content went to {other}", "{text} 已有内容，因此写到了 {other}"),
        "bad_format": (
            '{text} is no number format: brackets and quotes are closed, letters stand in quotes, such as 0.0"k"',
            '{text} 不是数字格式：括号和引号要成对，字母要放在引号里，例如 0.0"k"',
        ),
        "reads_itself": (
            "{count} formulas without a value, because the cell is read by its own formula: {cells}",
            "{count} 个公式直接或间接引用了自己的单元格，没有结果：{cells}",
        ),
        "shows_error": (
            "{count} formulas with an error as value: {cells}",
            "{count} 个公式的结果是错误：{cells}",
        ),
        "not_calculated": (
            "{count} formulas could not be calculated here; they get their values when the file is opened: {cells}",
            "{count} 个公式无法在此计算，打开文件时会自动重算：{cells}",
        ),
        "may_be_old": (
            "{count} formulas could not be calculated here and keep their old values, which may be out of date until "
            "the file is opened: {cells}",
            "{count} 个公式无法在此计算，保留原来的值，打开文件重算之前可能不是最新：{cells}",
        ),
        "spills": (
            "{cell} gives several values: here it has the first one, and the others appear beside it when the file is "
            "opened in a program that knows dynamic arrays (Excel 2021, Microsoft 365)",
            "{cell} 的结果有多个值：这里先有第一个，其余的用支持动态数组的软件（如 Excel 2021）打开时显示在旁边",
        ),
        "unpaired": ("The chart takes the first {count} rows", "图表只取前 {count} 行"),
        "all": ("(all)", "（全部）"),
        "total": ("Total", "合计"),
        "sum": ("Sum of ", "求和："),
        "count": ("Count of ", "计数："),
        "average": ("Average of ", "平均："),
        "max": ("Max of ", "最大："),
        "min": ("Min of ", "最小："),
    }
)


def say(code: str, **values: NoteValue) -> BilingualText:
    """Sentence in both languages."""
    return BilingualText(
        zh=SHEET_SENTENCES.render(code, "zh", **values), en=SHEET_SENTENCES.render(code, "en", **values)
    )
