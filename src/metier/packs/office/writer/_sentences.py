"""Why a step of a plan is not carried out in a document, and what else is worth knowing."""

import re
from collections.abc import Mapping
from typing import Final

from metier.language import BilingualText, Language, Sentences

__all__ = ["WRITER_SENTENCES", "describe_place", "say"]

WRITER_SENTENCES: Final = Sentences(
    {
        "anchor_missing": ("The text “{anchor}” is not in the document", "文档里没有“{anchor}”"),
        "anchor_ambiguous": (
            "The text “{anchor}” stands in {count} places; name more of the sentence",
            "“{anchor}”在文档里出现了 {count} 次，请多写几个字以便确定位置",
        ),
        "occurrence_missing": (
            "The text “{anchor}” stands in {count} places only",
            "“{anchor}”在文档里只出现了 {count} 次",
        ),
        "address_missing": ("The place {address} is not in the document", "文档里没有位置 {address}"),
        "already_there": ("The document already has this change", "文档里已有这处改动"),
        "nothing_to_change": ("There is nothing to change", "没有需要改动的地方"),
        "block_missing": ("The document has no block {block}", "文档里没有内容块“{block}”"),
        "block_damaged": (
            "The end of block {block} is missing; it was left as it is",
            "内容块“{block}”的结尾标记缺失，没有改动",
        ),
        "no_backup": ("No earlier content of block {block} was kept", "没有保存内容块“{block}”的旧内容"),
        "inside_failed": ("A step inside the block failed: {reason}", "块内有一步未能完成：{reason}"),
        "cursor_lost": (
            "The place was not found in the step before, so nothing is written here",
            "前一步没有找到位置，这一步不写入",
        ),
        "nothing_selected": (
            "Nothing is selected; select text, name a block, or ask for the whole document",
            "没有选中内容；请选中文字、指定内容块，或说明对全文操作",
        ),
        "no_table": ("There is no such table", "没有这样的表格"),
        "table_ambiguous": (
            "The document has {count} tables; say which one is meant",
            "文档里有 {count} 个表格，请说明是哪一个",
        ),
        "no_cell": ("The table has no row {row}, column {col}", "表格没有第 {row} 行第 {col} 列"),
        "no_style": ("The document has no style {style}", "文档里没有样式“{style}”"),
        "no_numbers": (
            "There is no table with numbers from which a chart could be drawn",
            "没有可以画图的数字表格",
        ),
        "chart_kind": ("The chart type {kind} is not known", "不认识图表类型 {kind}"),
        "picture_missing": ("The picture {name} is not there", "没有图片“{name}”"),
        "picture_outside": (
            "The picture {name} lies outside the document's folder",
            "图片“{name}”不在文档所在的文件夹内",
        ),
        "picture_type": ("{name} is not a PNG, JPEG, GIF or BMP picture", "“{name}”不是 PNG、JPEG、GIF 或 BMP 图片"),
        "no_question": ("The question {q} was not found", "没有找到第 {q} 题"),
        "several_questions": ("There are several questions {q}", "第 {q} 题有好几道"),
        "no_blank": ("Question {q} has no blank to fill in", "第 {q} 题没有可填写的空"),
        "placeholders_missing": ("The template has no place for {names}", "模板里没有 {names} 的位置"),
        "values_missing": ("There are no values for {names}", "没有给出 {names} 的值"),
        "other_host": ("{op} is not an operation on documents", "{op} 不是文档操作"),
        "place_p": ("paragraph {one}", "第 {one} 段"),
        "place_t": ("table {one}, row {two}, column {three}", "表 {one} 第 {two} 行第 {three} 列"),
        "place_header": ("header", "页眉"),
        "place_footer": ("footer", "页脚"),
        "place_fn": ("footnote {one}", "脚注 {one}"),
        "place_en": ("endnote {one}", "尾注 {one}"),
        "place_end": ("end of the document", "文末"),
        "place_all": ("whole document", "全文"),
        "no_comments": ("There is no such comment", "没有这样的批注"),
        "merged_table": (
            "The table has merged or nested cells; its rows and columns are not changed here",
            "表格里有合并或嵌套的单元格，不能在此增删行列",
        ),
        "last_line": ("The last row or column of a table cannot be deleted", "不能删除表格仅剩的一行或一列"),
        "look_heading": ("heading level {value}", "{value} 级标题"),
        "look_table": ("table style", "表格样式"),
        "look_borders": ("borders", "边框"),
        "look_header_row": ("header row", "标题行"),
        "page_gbt9704": (
            "A4, margins top 37, left 28, right 26, bottom 35 mm; 22 lines of 28 characters (GB/T 9704-2012)",
            "A4，上 37、左 28、右 26、下 35 毫米，每页 22 行每行 28 字（GB/T 9704-2012）",
        ),
        "page_a4": ("A4", "A4 纸"),
        "page_landscape": ("landscape", "横向"),
        "page_portrait": ("portrait", "纵向"),
        "page_margins": ("margins", "页边距"),
        "page_a3": ("A3", "A3 纸"),
        "page_a5": ("A5", "A5 纸"),
        "page_letter": ("Letter", "Letter 纸"),
        "moved_before": ("(moved before “{text}”)", "（移到“{text}”之前）"),
        "moved_after": ("(moved after “{text}”)", "（移到“{text}”之后）"),
        "settled_accept": ("({count} tracked changes accepted)", "（接受 {count} 处修订）"),
        "settled_reject": ("({count} tracked changes rejected)", "（拒绝 {count} 处修订）"),
        "formats_tracked": (
            "Changes of format are tracked too; they can be accepted, but not rejected here",
            "文档里还有格式修订，这里只能接受，不能拒绝",
        ),
        "no_picture": (
            "There is no picture number {number} in the text; the document has {count}",
            "正文里没有第 {number} 张图片；文档共有 {count} 张",
        ),
        "picture_size": ("(picture, {width} mm wide)", "（图片，宽 {width} 毫米）"),
        "cannot_move": (
            "These paragraphs cannot be moved there",
            "这些段落不能移到那里",
        ),
        "no_headings": (
            "The document has no headings by style, so there is nothing for a table of contents",
            "文档里没有用标题样式的标题，无法生成目录；请先把各级标题设成标题样式",
        ),
        "protection_none": ("not protected", "不受保护"),
        "protection_readOnly": ("read only, without a password", "只读，没有密码"),
        "protection_comments": ("comments only", "只允许批注"),
        "protection_trackedChanges": ("tracked changes only", "只允许修订"),
        "protection_forms": ("forms only", "只允许填写表单"),
        "numbers_plain": ("1", "1"),
        "numbers_dashes": ("— 1 —", "— 1 —"),
        "numbers_of_total": ("Page 1 of N", "第 1 页，共 N 页"),
        "numbers_page_n": ("Page 1", "第 1 页"),
        "remote_links": (
            "The document has {count} links to other places; they were not opened",
            "文档里有 {count} 处指向外部的链接，没有打开",
        ),
        "macros": ("The document contains macros; they were kept and not run", "文档含有宏，已原样保留，没有运行"),
        "not_tracked": (
            "{op} was written directly; Word has no tracked form of it",
            "{op} 已直接写入；这种改动没有修订形式",
        ),
    }
)


def say(code: str, **values: object) -> BilingualText:
    """The sentence of a code in both languages."""
    return BilingualText(_render(code, "zh", values), _render(code, "en", values))


def _render(code: str, language: Language, values: Mapping[str, object]) -> str:
    own = {name: one.text(language) if isinstance(one, BilingualText) else one for name, one in values.items()}
    return WRITER_SENTENCES.render(code, language, **own)


def describe_place(address: str, language: Language) -> str:
    """An address in words; for a place inside another one that of the outer one."""
    kind = re.match("[a-z]*", address)
    numbers = re.findall(r"\d+", address)
    one, two, three = (*numbers, "", "", "")[:3]
    code = f"place_{kind[0] if kind and kind[0] else 'all'}"
    return WRITER_SENTENCES.render(code, language, one=one, two=two, three=three)
