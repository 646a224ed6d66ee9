"""Questions of the drafting rules: where a request is not clear, one precise question instead of a guess."""

from typing import ClassVar, Final

from metier.language import Note, NoteValue, Sentences

__all__ = ["DraftNote", "Unclear"]

_SENTENCES: Final = Sentences(
    {
        "no_object": (
            "What should I add to the document: for example a table (which columns, how many rows), a chart (which "
            "numbers), a heading, or a list?",
            "你想在文档里加入什么？例如：表格（哪些列、几行）、图表（哪些数据）、标题或条目。",
        ),
        "too_long": (
            "The message has {count} characters; rules read at most {limit}. Please say it in several messages, or "
            "attach what it contains as a file.",
            "这条消息有 {count} 个字符，按规则最多读 {limit} 个。请分几条说，或把内容作为文件附上。",
        ),
        "what_where": (
            "“{part}”: which place is meant, and what should it say or look like then? The document has: {known}.",
            "“{part}”：具体改哪一处，改成什么样？文件里有：{known}。",
        ),
        "no_slide": (
            "What should the slide show: its title and the points on it?",
            "这一页要写什么？请告诉我标题和要点。",
        ),
        "unsupported": (
            "I cannot do “{part}” by rules, so nothing was written. Shall I do the rest of the request without it?",
            "“{part}”这一步目前不能按规则完成，所以还没有写入任何内容。要不要去掉这一步，只做其余部分？",
        ),
        "unsupported_alone": (
            "I cannot do “{part}” by rules, so nothing was written. Please say the request again without it, or in "
            "other words.",
            "“{part}”这一步目前不能按规则完成，所以还没有写入任何内容。请去掉这一步，或换个说法再说一次。",
        ),
        "not_understood": (
            "I did not understand “{part}”. What should be done there?",
            "“{part}”这部分没有看懂，请说明要做什么。",
        ),
        "order_or_talk": (
            "Should “{part}” be done as well? If it only explains, please say the rest again without it.",
            "“{part}”也要处理吗？如果只是说明，请去掉这句再说一次。",
        ),
        "undone": (
            "I cannot do {names} by rules; nothing is written yet.",
            "{names}：目前不能按规则完成，还没有写入任何内容。",
        ),
        "no_columns": (
            "Which columns should the table have, and how many rows?",
            "这个表格要有哪些列、几行？",
        ),
        "column_count": (
            "The request says {said} columns but names {named}: {names}. Which columns are right?",
            "你说是 {said} 列，但列出了 {named} 个列名：{names}。以哪个为准？",
        ),
        "header_counted": (
            "Is the header one of the {count} rows, or does it come above them?",
            "这 {count} 行里包括表头，还是表头另算？",
        ),
        "item_count": (
            "The request says {said} but lists {named}: {names}. Which is right?",
            "你说是 {said} 项，但列出了 {named} 项：{names}。以哪个为准？",
        ),
        "no_items": ("What should the {count} points say?", "这 {count} 点分别写什么？"),
        "no_list": ("Which items should be listed?", "要列出哪些条目？"),
        "no_chart_data": (
            "Which numbers should the chart show (for example: Q1 120, Q2 150), or which table should I select?",
            "图表用哪些数据？例如“一季度 120、二季度 150”，或先选中一个表格。",
        ),
        "no_selection": (
            "Which table should the chart be made from? Please select it, or name the numbers.",
            "要根据哪个表格作图？请先选中表格，或直接给出数据。",
        ),
        "value_count": (
            "There are {labels} periods but {values} numbers. Which number belongs to which period?",
            "有 {labels} 个时间点，却有 {values} 个数。请说明各自对应的数值。",
        ),
        "chart_type": (
            "Which kind of chart: columns, line or pie?",
            "要哪种图：柱状图、折线图还是饼图？",
        ),
        "unit": (
            "The numbers have different units. In which unit should all of them be?",
            "这些数的单位不一致，统一用什么单位？",
        ),
        "no_title": ("Which text should the {what} have?", "{what}写什么文字？"),
        "no_prices": (
            "Each position of the quotation needs a quantity and a unit price. Which are they?",
            "报价的每一项都要有数量和单价，请补充。",
        ),
        "budget_numbers": (
            "Each line of the budget needs two numbers, budget and actual. Which are they?",
            "预算表的每一行需要预算和实际两个数，请补充。",
        ),
        "no_groups": (
            "Which numbers should be summed: please name them (Sales 100, IT 250 …) or the range of cells.",
            "要汇总哪些数据？请直接给出（如“销售部 1200、研发部 3400”），或说明所在的单元格区域。",
        ),
        "no_tasks": (
            "Which tasks should the Gantt table have, and over how many weeks?",
            "甘特表有哪些任务、跨多少周？",
        ),
        "no_anchor": (
            "I do not find “{anchor}” in the document. Where should it go?",
            "文档里没有找到“{anchor}”，要放在哪里？",
        ),
        "many_anchors": (
            "“{anchor}” stands in the document {count} times. Which one do you mean?",
            "“{anchor}”在文档里出现了 {count} 次，你指的是哪一处？",
        ),
        "too_large": (
            "A table may have at most 100 rows and 50 columns. How large should it be?",
            "表格最多 100 行、50 列。要多大？",
        ),
        "several": (
            "The request names several things I cannot order for certain ({names}). Which one first?",
            "请求里提到了多项内容（{names}），请说明先做哪一项。",
        ),
        # What was decided where the request left it open.
        "default_columns": (
            "No columns were named, so the usual ones are taken: {names}.",
            "没有说有哪些列，先用常用的：{names}。",
        ),
        "default_rows": (
            "No number of rows was said, so there are {count} empty ones; for another number, say it with the order.",
            "没有说几行，先留 {count} 个空行；要别的行数，下指令时说明几行。",
        ),
        "default_sections": (
            "No sections were named, so the usual ones are taken: {names}.",
            "没有说有哪些栏目，先用常用的：{names}。",
        ),
        "default_outline": (
            "No headings were named, so a general outline is taken as a start.",
            "没有说有哪些标题，先用通用提纲。",
        ),
        "left_out": (
            "Left out as background, without effect on the plan: {parts}. If something of it was meant as an order, "
            "say so.",
            "以下内容当作背景说明，没有影响方案：{parts}。如果其中有要求，请再说一次。",
        ),
        "computed_total": ("total computed: {total}", "合计由程序计算：{total}"),
        "even_schedule": (
            "tasks are placed evenly in their order; please adjust",
            "任务按先后顺序平均排布，请按实际调整",
        ),
        "new_sheet": ("written to its own sheet “{sheet}”", "写入单独的工作表“{sheet}”"),
        "object": ("understood: {names}", "理解为：{names}"),
    }
)


class DraftNote(Note):
    """A question or a reason of the drafting rules."""

    sentences: ClassVar[Sentences] = _SENTENCES


class Unclear(Exception):  # no error of the program: the request needs an answer
    """The request needs an answer before anything is written."""

    def __init__(self, code: str, **values: NoteValue) -> None:
        super().__init__(code)
        self.note = DraftNote(code, values)
