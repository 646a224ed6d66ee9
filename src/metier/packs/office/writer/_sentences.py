"""Why a step of a plan is not carried out in a document, and what else is worth knowing."""

from typing import Final

from metier.language import BilingualText, Sentences

__all__ = ["WRITER_SENTENCES", "say"]

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
        "no_blank": ("Question {q} has no blank to fill in", "第 {q} 题没有可填写的空"),
        "placeholders_missing": ("The template has no place for {names}", "模板里没有 {names} 的位置"),
        "values_missing": ("There are no values for {names}", "没有给出 {names} 的值"),
        "other_host": ("{op} is not an operation on documents", "{op} 不是文档操作"),
        "not_in_mode": (
            "{op} cannot be written as a tracked change; nothing was done",
            "{op} 无法以修订方式写入，没有执行",
        ),
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
    return BilingualText(WRITER_SENTENCES.render(code, "zh", **values), WRITER_SENTENCES.render(code, "en", **values))
