"""Sentences about rows that wait for approval."""

from typing import Final

from metier.language import Sentences

PROPOSAL_SENTENCES: Final = Sentences(
    {
        "rows": (
            "{count} rows are proposed; nothing has been done yet.",
            "提议了 {count} 行，现在还没有执行。",
        ),
        "at": ("They are at: {places}.", "位置：{places}。"),
        "chosen": ("Chosen so far: {rows}.", "目前选中：{rows}。"),
        "row_number": ("row {number}", "第 {number} 行"),
        "rows_numbered": ("rows {numbers}", "第 {numbers} 行"),
        "number": ("No.", "行"),
        "reasons": ("Why these rows are proposed:", "这些改动的理由："),
        "reason": ("{number}. **{name}**: {values}", "{number}. **{name}**：{values}"),
        "value": ("{column}: {value}", "{column}：{value}"),
        "no_reason": ("the result states no reason for this row", "结果里没有写这一行的理由"),
        "more": (
            "{left} more rows; ask about one of them by its number (“why row {number}?”).",
            "还有 {left} 行；可以按行号问其中一行（「第{number}行为什么要改」）。",
        ),
        "source": (
            "From the table “{title}” ({total} rows), shown for “{said}”.",
            "来自「{said}」的表「{title}」（共 {total} 行）。",
        ),
        "other_language": (
            "The reasons are written in Chinese: see the table “{title}” above, or ask in Chinese. "
            "What would be done, by row:",
            "理由是用英文写的：请看上面的表「{title}」，或用英文问。各行要做的是：",
        ),
        "no_reasons": (
            "The result states no reasons for single rows; this step comes from your message “{said}”. "
            "What would be done, by row:",
            "结果里没有逐行写理由；这一步来自你的要求「{said}」。各行要做的是：",
        ),
        "row_missing": (
            "There is no such row: the proposal has {count} rows.",
            "没有这一行：提议一共 {count} 行。",
        ),
        "untouched": (
            "None of the {count} rows names “{subject}”.",
            "这 {count} 行里没有一行提到「{subject}」。",
        ),
        "touched": (
            "“{subject}” is named in {count} of them: {rows}.",
            "提到「{subject}」的有 {count} 行：第 {rows} 行。",
        ),
        "only_rows": (
            "Only what these {count} rows list would be written; nothing has been done yet.",
            "只会写入这 {count} 行列出的内容，其余不动；现在还没有执行。",
        ),
        "wide_rows": (
            "Row {rows} is about the whole, so it may change other places too.",
            "第 {rows} 行是对整体的，也可能影响别处。",
        ),
        "place_too": (
            "Rows that belong to the place of that name:",
            "另外，位置叫这个名字的行：",
        ),
    }
)
