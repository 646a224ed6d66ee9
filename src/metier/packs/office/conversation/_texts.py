"""Sentences of the tools in both languages."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Sentences

TEXTS: Final = Sentences(
    {
        "documents": ("Documents of this conversation: {names}.", "本对话的文件：{names}。"),
        "no_documents": (
            "No document yet. Attach a Word, Excel, PowerPoint or text file, or try a sample.",
            "还没有文件。请附上 Word、表格、演示或文本文件，也可以先用示例。",
        ),
        "other_work": (
            "“{message}” asks for something else than a look at {name}, so nothing was prepared. Say for example: "
            "change “A” to “B”; add a paragraph at the end: …; or ask for the review itself.",
            "「{message}」不是在要求分析「{name}」，所以没有准备改动。可以这样说：把“甲”改成“乙”；在最后加一段：……；"
            "或者直接说要审查、核查。",
        ),
        "outline": (
            "**{name}**: {count} paragraphs, {chars} characters. {writes}",
            "**{name}**：{count} 段，{chars} 字。{writes}",
        ),
        "outline_sheets": (
            "**{name}**: {count} sheets, {cells} filled cells, {formulas} formulas. {writes}",
            "**{name}**：{count} 张工作表，{cells} 个有内容的单元格，{formulas} 个公式。{writes}",
        ),
        "never_written": ("Nothing was written to it yet.", "还没有写入过。"),
        "writes": ("Written {count} times here.", "已在这里写入 {count} 次。"),
        "outline_slides": (
            "**{name}**: {count} slides, {texts} texts, {chars} characters.",
            "**{name}**：{count} 页，{texts} 处文字，{chars} 字。",
        ),
        "nothing": (
            "Nothing would change in {name}: it is already as asked.",
            "「{name}」不需要改动，已经符合要求。",
        ),
        "written": (
            "{count} changes were written to **{name}** ({mode}), version {version}.{kept} "
            "Say 'undo the write' to get the earlier bytes back.",
            "已在**{name}**写入 {count} 处改动（{mode}），这是第 {version} 版。{kept}说「撤销写入」可以恢复到写入前。",
        ),
        "attachment_kept": (" The attachment stays as it was.", "附件保持原样。"),
        "left_out": ("{count} changes were left out as you chose.", "按你的选择，有 {count} 处没有写入。"),
        "skipped": ("{count} steps were not carried out: {reasons}", "有 {count} 步没有执行：{reasons}"),
        "written_before": (
            "These changes stand in **{name}** already, as version {version}; nothing was written twice. "
            "Say 'undo the write' to get the earlier bytes back.",
            "这些改动已经写入**{name}**（第 {version} 版），没有重复写入。说「撤销写入」可以恢复到写入前。",
        ),
        "repeated": (
            "{name} was not changed: these very changes were written before.",
            "「{name}」没有改动：这些内容已经写过了。",
        ),
        "not_changed": ("{name} was not changed.", "「{name}」没有改动。"),
        "undone": (
            "Version {version} of **{name}** was taken back: the file has exactly the bytes it had before.",
            "已撤销**{name}**的第 {version} 版，文件与写入前逐字节相同。",
        ),
        "undo_more": ("{left} earlier writes can be taken back too.", "之前的 {left} 次写入也还可以撤销。"),
        "drafted": (
            "The changes for **{name}** are drafted; look at them before they are written.",
            "已为**{name}**起草改动，请先看改动再写入。",
        ),
        "later": (
            "Two documents at a time are changed here. Still to be done, please send it next: {message}",
            "一次最多改两份文件。还没有做，请接着发送：{message}",
        ),
        "made_files": (
            "{count} files were made from **{name}**, which stays as it was; say 'undo the write' to remove them.",
            "已按**{name}**新建 {count} 个文件，模板保持原样；说「撤销写入」可以删除。",
        ),
        "unmade_files": ("{count} files were removed.", "已删除 {count} 个文件。"),
        "ready": (
            "The plan is valid: {count} changes ({repairs} repairs).",
            "方案有效：{count} 处改动（自动修正 {repairs} 处）。",
        ),
        "on_template": (
            "The slides are made on the template **{name}**: its layouts, page size, fonts and colours. {slides}",
            "套用模板**{name}**：版式、页面尺寸、字体和配色都取自它。{slides}",
        ),
        "slides_left": ("Its {count} slides of its own are left out.", "模板里原有的 {count} 页不带入。"),
        "slides_kept": (
            "Its {count} slides of its own stay, the new ones come behind them.",
            "模板里原有的 {count} 页保留，新页排在后面。",
        ),
        "places": ("{place} and others: {count} paragraphs", "{place}等 {count} 段"),
        "places_all": ("{place}: {count} paragraphs", "{place}，共 {count} 段"),
        "place_paragraph": ("Paragraph {number}", "第 {number} 段"),
        "place_cell": ("Table {table}, row {row}, column {column}", "表 {table} 第 {row} 行第 {column} 列"),
        "place_slide": ("Slide {number}", "第 {number} 页"),
        "place_all": ("whole document", "全文"),
        "place_header": ("header", "页眉"),
        "place_footer": ("footer", "页脚"),
        "place_fn": ("footnote", "脚注"),
        "place_end": ("end of the document", "文末"),
    }
)
MODES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "direct": BilingualText("直接写入", "written directly"),
        "tracked": BilingualText("修订和批注", "tracked changes and comments"),
        "compare_table": BilingualText("文末对照表", "comparison table at the end"),
    }
)
TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "find_document": BilingualText("找到文件", "Find the document"),
        "list_documents": BilingualText("列出文件", "List the documents"),
        "describe_document": BilingualText("查看文件结构", "Look at the document"),
        "propose_changes": BilingualText("准备改动", "Prepare the changes"),
        "find_pattern": BilingualText("找到模板或样本", "Find the template or sample"),
        "draft_changes": BilingualText("起草改动", "Draft the changes"),
        "submit_plan": BilingualText("提交方案", "Submit a plan"),
        "write_document": BilingualText("写入文件", "Write the document"),
        "undo_write": BilingualText("撤销写入", "Undo the write"),
    }
)
