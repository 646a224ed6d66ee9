"""Fixed sentences of exported documents, in English and Chinese."""

from typing import Final

from metier.language import Sentences

SENTENCES: Final = Sentences(
    {
        "made": ("Exported on {day} from a conversation of {began}.", "导出于 {day}，会话开始于 {began}。"),
        "untitled": ("Conversation", "会话"),
        "you": ("You", "用户"),
        "answer": ("Answer", "回答"),
        "question": ("Question: {text}", "提问：{text}"),
        "reply": ("Answer given: {text}", "回答：{text}"),
        "yes": ("yes", "是"),
        "no": ("no", "否"),
        "approved": ("approved", "同意"),
        "approved_rows": ("approved {count} of {total} changes", "批准 {total} 处改动中的 {count} 处"),
        "rejected": ("refused", "拒绝"),
        "put_away": ("not answered", "未回答"),
        "exhibits": ("Tables and charts", "表格与图表"),
        "table": ("Table", "表格"),
        "chart": ("Chart", "图表"),
        "map": ("Map", "地图"),
        "file": ("File: {name}", "文件：{name}"),
        "attached": ("Attached files: {names}", "附件：{names}"),
        "files_note": (
            "Files are not part of this document; the ZIP export has them.",
            "文件不包含在本文档中，ZIP 导出包含全部文件。",
        ),
        "missing_characters": (
            "{count} characters are not in the font of this file and stand as □, also when copied: {points}. The Word "
            "and HTML exports have them.",
            "有 {count} 个字不在本文件的字体里，显示为 □，复制出来也是 □：{points}。导出为 Word 或 HTML 可保留原字。",
        ),
        "picture_damaged": ("The picture is damaged or too large to show.", "图片已损坏或过大，无法显示。"),
        "rows": ("{shown} of {total} rows.", "共 {total} 行，列出前 {shown} 行。"),
        "columns": ("{shown} of {total} columns.", "共 {total} 列，列出前 {shown} 列。"),
        "cut": (
            "The document ends here: it has {blocks} parts, the most for this format. The ZIP export has everything.",
            "文档到此为止：已达到该格式的上限（{blocks} 个部分）。ZIP 导出包含全部内容。",
        ),
        "stopped": ("Stopped by the user.", "已被用户停止。"),
        "stage_before": ("Before", "优化前"),
        "stage_after": ("After", "优化后"),
        "stage_difference": ("Difference", "差值"),
        "page": ("Page {number}", "第 {number} 页"),
    }
)
