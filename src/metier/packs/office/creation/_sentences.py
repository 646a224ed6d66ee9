"""Headings and notes that new documents have besides their content."""

from typing import Final

from metier.language import Sentences

SENTENCES: Final = Sentences(
    {
        "agenda": ("Contents", "目录"),
        "sources": ("Sources", "来源"),
        "continued": ("{title} ({number})", "{title}（{number}）"),
        "rows_shown": ("{title} ({shown} of {total} rows)", "{title}（前 {shown} 行，共 {total} 行）"),
        "columns_shown": (
            "{title} ({shown} of {total} columns)",
            "{title}（前 {shown} 列，共 {total} 列）",
        ),
        "paragraphs_shown": (
            "{shown} of {total} paragraphs are on the slide, the others in its notes.",
            "本页列出 {shown} 段，共 {total} 段，其余在备注里。",
        ),
        "table": ("Table", "表格"),
        "chart": ("Chart", "图表"),
        "content": ("Content", "内容"),
        "section": ("Section", "部分"),
        "number": ("No.", "编号"),
        "source": ("Source", "来源"),
        "place": ("Place", "位置"),
        "yes": ("yes", "是"),
        "no": ("no", "否"),
    }
)
