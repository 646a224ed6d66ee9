"""Sentences of research reports in both languages."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Sentences

TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "search_sources": BilingualText("查找资料", "Search the sources"),
        "collect_evidence": BilingualText("摘录原文", "Collect evidence"),
        "write_findings": BilingualText("核对并写报告", "Check and write the report"),
    }
)
KINDS: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "attachments": BilingualText("附上的文件", "the attached files"),
        "folder": BilingualText("我的文件夹", "my folder"),
        "web": BilingualText("网上的资料", "the web"),
        "samples": BilingualText("示例文章", "the sample articles"),
    }
)
TEXTS: Final = Sentences(
    {
        "notice": (
            "The figures in this report are invented: it was made from the sample articles. To use your"
            " own material, put"
            " files into the folder {folder} or attach them, then say “use my folder”.",
            "本报告取自示例文章，其中的数字是虚构的。要用自己的资料，请把文件放进文件夹 {folder}"
            " 或附上文件，然后说「用我的文件夹」。",
        ),
        "length": (
            "The report quotes what the sources say, so it is not written to a length of {length}.",
            "报告由资料里的原文和出处组成，不会凑成{length}；篇幅随资料而定。",
        ),
        "title": ("Research: {question}", "研究报告：{question}"),
        "sample_title": ("Research (sample, figures invented): {question}", "研究报告（示例，数字为虚构）：{question}"),
        "sources": (
            "Sources: {kind}, {documents} documents, {relevant} of them about “{subject}”. {quotes}"
            " passages are quoted word"
            " for word from {used} sources.",
            "资料：{kind}，共 {documents} 份，其中 {relevant} 份与“{subject}”有关。逐字摘录 {quotes}"
            " 段原文，来自 {used} 份资料。",
        ),
        "findings": ("Findings", "结论"),
        "quote": ("“{text}” [{id}]", "“{text}” [{id}]"),
        "quoted_above": ("quoted above: [{id}]", "见上文引用 [{id}]"),
        "disagreements": ("Figures that differ", "不一致的数字"),
        "disagreements_note": (
            "The sources state different figures for the same measure and time. Check whether they count"
            " the same things.",
            "各资料对同一指标、同一时间给出的数字不同，请核对口径。",
        ),
        "measure": ("Measure", "指标"),
        "period": ("Time", "时间"),
        "stated": ("Stated by the sources", "各资料的数字"),
        "missing": ("Not found", "没有找到"),
        "missing_one": ("Nothing in the sources answers: {question}", "资料中没有找到：{question}"),
        "nothing": (
            "No source was found about “{subject}” in {kind} ({documents} documents). Nothing is stated"
            " without a source."
            " Add documents about it to the folder {folder} or attach them, then say “use my folder”; or"
            " ask about something"
            " else.",
            "在{kind}（{documents} 份）中没有找到与“{subject}”有关的资料；没有出处就不下结论。"
            "可以把相关文件放进文件夹 {folder} 或附上文件，再说「用我的文件夹」；也可以换一个题目。",
        ),
        "empty_folder": (
            "The folder {folder} has no documents yet. Put md, txt, html, csv, pdf, docx, pptx or xlsx"
            " files there or attach"
            " them, then say “use my folder”; to look at the sample articles meanwhile, say “use the"
            " sample articles”.",
            "文件夹 {folder} 里还没有文件。请放入 md、txt、html、csv、pdf、docx、pptx 或 xlsx 文件，"
            "或附上文件，再说「用我的文件夹」；"
            "也可以先说「用示例文章」。",
        ),
        "empty_attachments": (
            "No file is attached to this conversation. Attach files, or say “use the sample articles”.",
            "本对话还没有附上文件。请附上文件，或说「用示例文章」。",
        ),
        "unread_attachments": (
            "None of the attached files has text to read. Attach one with text, or say “use the sample articles”.",
            "附上的文件里没有能读取的文字。请附上带文字的文件，或说「用示例文章」。",
        ),
        "empty_web": (
            "No web search is set up here ({problem}). Say “use my folder” or “use the sample articles”.",
            "这里没有可用的网络搜索（{problem}）。可以说「用我的文件夹」或「用示例文章」。",
        ),
        "no_web": ("METIER_WEB_SEARCH is local", "METIER_WEB_SEARCH 为 local"),
        "no_pages": ("no page could be opened", "没有能打开的网页"),
        "unread": ("Not read: {names} ({why}).", "未读取：{names}（{why}）。"),
        "file_locked": ("protected by a password", "有密码保护"),
        "file_damaged": ("damaged", "文件已损坏"),
        "file_too_complex": ("too large once unpacked", "解开后过大"),
        "no_text": ("without text, perhaps scanned", "没有文字，可能是扫描件"),
        "missing_extra": ("needs the extra metier[office]", "需要安装 metier[office]"),
        "unread_yet": ("not read yet, ask again in a moment", "尚未读完，请稍后再问一次"),
        "orders": (
            "Left out, because they give orders instead of information: {count} sentences.",
            "有 {count} 句是指令而不是资料，未采用。",
        ),
        "checked": (
            "Checked before delivery: {quotes} quotes stand word for word in their sources, all numbers"
            " are in the passages"
            " they cite; {removed} sentences were taken out.",
            "交付前核对：{quotes} 段引文与原文逐字一致，数字均见于所引原文；删去 {removed} 句。",
        ),
        "removed": ("taken out: {text} ({why})", "删去：{text}（{why}）"),
        "not_cited": ("no source", "没有出处"),
        "unknown_source": ("source [{detail}] does not exist", "出处 [{detail}] 不存在"),
        "quote_differs": ("the quote is not in the source", "引文与原文不符"),
        "number_not_in_source": ("{detail} is not in the source", "原文中没有 {detail}"),
        "not_in_source": ("the source has changed", "原文已改变"),
        "references": ("Sources", "来源"),
        "reference": ("[{id}] {title}, {label}", "[{id}] {title}，{label}"),
        "page": ("{source}, page {at}", "{source} 第 {at} 页"),
        "slide": ("{source}, slide {at}", "{source} 第 {at} 页幻灯片"),
        "row": ("{source}, row {at}", "{source} {at} 行"),
        "line": ("{source}, line {at}", "{source} 第 {at} 行"),
        "url": ("{source}, read {time}", "{source}，读取于 {time}"),
        "files": ("Files: {names}", "文件：{names}"),
        "no_files": ("The report could not be saved as {names}: {why}", "报告无法存成 {names}：{why}"),
        "next": (
            "To go on, ask about one part, such as “and the price?”, or say “save it as PDF” or “make slides of it”.",
            "接着可以问其中一方面，例如「价格呢」，或说「存成PDF」「做成PPT」。",
        ),
    }
)
