"""Sentences of the document tools."""

from typing import Final

from metier.language import Sentences

TEXTS: Final = Sentences(
    {
        "made_pptx": (
            "Made {name}: {count} slides in 16:9, from {source}.",
            "已生成「{name}」：16:9，共 {count} 页，内容取自{source}。",
        ),
        "made_docx": (
            "Made {name}: {count} sections on A4, from {source}.",
            "已生成「{name}」：A4，共 {count} 个部分，内容取自{source}。",
        ),
        "made_pdf": (
            "Made {name}: {count} pages of A4, from {source}.",
            "已生成「{name}」：A4，共 {count} 页，内容取自{source}。",
        ),
        "made_xlsx": (
            "Made {name}: {count} sheets, from {source}.",
            "已生成「{name}」：共 {count} 张工作表，内容取自{source}。",
        ),
        "marks": (
            "Its [n] refer to {count} sources, which are listed at the end.",
            "文中 [n] 对应 {count} 个来源，列在最后。",
        ),
        "assumed": (
            "The request does not say what to use, so the newest content of the conversation was taken; "
            "name another to change it.",
            "你没有说用什么内容，用的是本对话里最新的一份；要换就说出名称。",
        ),
        "flat": (
            "The outline has one level, so its points stand on one slide; indented lines below a point "
            "give it a slide of its own.",
            "提纲只有一层，要点放在同一页；在某一条下面缩进写小点，它就单独成页。",
        ),
        "layout": ("Please look at slide {slides}: the text is tight.", "请看一下第 {slides} 页：文字偏多。"),
        "contents": ("Contents of {name}", "{name} 的内容"),
        "part": ("Part", "部分"),
        "points": ("Points", "要点"),
        "first": ("Begins with", "开头"),
        "only_heading": ("(heading only)", "（只有标题）"),
        "source_outline": ("your outline", "你的提纲"),
        "source_sample": ("the sample outline (invented figures)", "示例提纲（数字为虚构）"),
        "source_research": ("the research report “{title}”", "研究结果「{title}」"),
        "sample_notice": ("Sample: the figures are invented.", "示例，数字均为虚构。"),
        "source_data": ("the analysis of {title}", "「{title}」的分析结果"),
        "source_document": ("the document {title}", "文件「{title}」"),
        "option_outline": ("the last outline", "上一份提纲"),
        "option_sample": ("sample outline", "示例提纲"),
        "option_research": ("research report", "研究结果"),
        "option_data": ("analysis", "分析结果"),
        "findings": ("Findings", "主要结论"),
        "disagreements": ("Figures that disagree", "说法不一的数字"),
        "missing": ("Not found", "没有找到的"),
        "period": (" ({period})", "（{period}）"),
        "compared": ("{about}: {values}", "{about}：{values}"),
        "and": ("; ", "；"),
        "evidence": ("Evidence", "证据"),
        "research_title": ("Research report", "研究结果"),
        "data_title": ("Analysis of {name}", "{name} 数据分析"),
        "research_subtitle": ("Every point has the number of its source.", "每条都注明来源编号。"),
        "quote": ("Quote", "原文"),
        "page": ("page {number}", "第 {number} 页"),
        "line": ("line {number}", "第 {number} 行"),
        "read_at": ("read {time}", "{time} 读取"),
    }
)
PROBLEMS: Final = Sentences(
    {
        "outline_empty": (
            "There are no points to write: the outline is empty or names only a topic.",
            "没有可以写进文件的要点：提纲是空的，或者只有一个主题。",
        ),
        "outline_too_long": (
            "The outline has {count} points; one file takes at most {most}. Nothing was written.",
            "提纲有 {count} 条，一份文件最多 {most} 条，没有生成文件。",
        ),
        "too_many_sections": (
            "The content has {count} sections; a deck takes at most {most}. Nothing was written.",
            "内容有 {count} 个部分，一份演示最多 {most} 个，没有生成文件。",
        ),
        "no_research": (
            "This conversation has no research report yet.",
            "本对话还没有研究结果。",
        ),
        "no_data": ("This conversation has no analysis yet.", "本对话还没有分析结果。"),
        "no_document": ("There is no such document in this conversation.", "本对话里没有这份文件。"),
        "no_outline": ("This conversation has no outline yet.", "本对话还没有提纲。"),
        "document_empty": ("{name} has no text that could be used.", "「{name}」里没有可以用的文字。"),
        "document_unreadable": ("{name} cannot be used as content.", "「{name}」不能作为内容来源。"),
    }
)
HINTS: Final = Sentences(
    {
        "outline_empty": (
            "write an outline with a point on each line, attach a document, or say “use the sample outline”",
            "每行写一条要点，或附上文件，或说“用示例提纲”",
        ),
        "outline_too_long": (
            "split it into several files, or join points",
            "请分成几份，或合并要点",
        ),
        "too_many_sections": ("split it into several files, or make a docx", "请分成几份，或做成 Word 文档"),
        "no_research": (
            "say for example “research the market of electric cars, then make slides”",
            "可以说“研究新能源汽车市场趋势，然后做成PPT”",
        ),
        "no_data": ("attach a table and ask for its analysis first", "请先附上表格做一次数据分析"),
        "no_document": ("attach the file first", "请先附上文件"),
        "no_outline": ("write an outline with a point on each line", "每行写一条要点"),
        "document_empty": ("attach a file with text", "请附上有文字的文件"),
        "document_unreadable": (
            "attach a docx, pptx, xlsx, csv, pdf, md or txt file",
            "请附上 docx、pptx、xlsx、csv、pdf、md 或 txt 文件",
        ),
    }
)
