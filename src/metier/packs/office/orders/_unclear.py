"""What an order leaves open: one question with what was understood."""

from typing import ClassVar, Final

from metier.language import Note, NoteValue, Sentences

__all__ = ["OrderNote", "OrderUnclear"]

_SENTENCES: Final = Sentences(
    {
        "part": (
            "I understood part of it, but not “{part}”, so nothing was prepared. What should be done there?",
            "其他部分看懂了，但“{part}”没有看懂，所以没有准备改动。请说明这里要做什么。",
        ),
        "no_place": (
            "Where should it be done: which paragraph, heading, table, column or slide?",
            "要改哪里？请说明是哪一段、哪个标题、哪个表格、哪一列或哪一页。",
        ),
        "no_text_here": (
            "“{text}” is not in the document. Which words or cells are meant, and what should stand there?",
            "文档里没有找到“{text}”。指的是哪几个字或哪些格，要改成什么？",
        ),
        "many_places": (
            "“{text}” stands in {count} places. Which one is meant?",
            "“{text}”有 {count} 处，指的是哪一处？",
        ),
        "which_line": (
            "“{text}” fits several lines: {known}. Which one is meant?",
            "“{text}”有几处都符合：{known}。指的是哪一处？",
        ),
        "which_of": (
            "Which one is meant: “{first}” or “{second}”?",
            "指的是“{first}”，还是“{second}”？",
        ),
        "not_ordered": (
            "“{text}” may only be told, not ordered. If {change} is wanted, please say it as an order; nothing was "
            "prepared.",
            "“{text}”不一定是要改动。如果要这样改：{change}，请直接说要改成什么；现在没有准备改动。",
        ),
        "no_such_day": (
            "There is no such day: {text}. Which day is meant?",
            "没有这一天：{text}。指的是哪一天？",
        ),
        "no_such": (
            "There is no {text}; the document has {known}.",
            "没有{text}；文件里有：{known}。",
        ),
        "too_many_clauses": (
            "The message says too much at once: at most {limit} clauses are read as orders. Please say it in parts.",
            "一次说得太多了：最多按 {limit} 个分句读取要求。请分几次说。",
        ),
        "no_slide_title": ("Which title should the new slide have?", "新的一页标题写什么？"),
        "stays_there": (
            "Slide {number} is there already. Where should it go?",
            "第 {number} 页已经在这个位置，要移到哪里？",
        ),
        "nothing_there": (
            "{text} has nothing in it; the table goes to {known}. Which one is meant?",
            "{text}是空的；表格到 {known} 为止。指的是哪一处？",
        ),
        "no_column": (
            "Which column is meant? The table has: {known}.",
            "指的是哪一列？表里有：{known}。",
        ),
        "twin_columns": (
            "Several columns are called “{text}”. Which one is meant: column {known}?",
            "有几列都叫“{text}”，指的是哪一列：{known}？",
        ),
        "name_or_value": (
            "Should “{text}” be the new heading of “{column}”, or the value or format of its cells?",
            "“{text}”是“{column}”这一列的新表头，还是其中单元格的值或格式？",
        ),
        "which_number": (
            "“{column}” has numbers. Which number should “{text}” be?",
            "“{column}”这一列是数字，“{text}”应填成哪个数？",
        ),
        "no_row": (
            "There is no row {row}; the sheet ends with row {last}.",
            "没有第 {row} 行；工作表到第 {last} 行为止。",
        ),
        "bad_size": (
            "A font size of {size} is not possible. Which size between 1 and {most} should it be?",
            "字号不能是 {size}。请给出 1 到 {most} 之间的字号。",
        ),
        "too_many_steps": (
            "That would be {count} single changes; at most {limit} are made at once. For which part should it be done?",
            "这样要改 {count} 处，一次最多 {limit} 处。请说明只改哪一部分。",
        ),
        "which_theme": (
            "Which colours should the deck have: blue, green, red or grey?",
            "配色要哪一种：蓝色、绿色、红色还是灰色？",
        ),
        "which_sheet": ("Which sheet is meant? The workbook has: {known}.", "指的是哪张工作表？文件里有：{known}。"),
        "no_table": ("There is no table with a header row here.", "这里没有带表头的表格。"),
        "which_table": (
            "There are {count} tables. Which one is meant?",
            "文档里有 {count} 个表格，指的是哪一个？",
        ),
        "who_signs": (
            "Who signs, and which date is written? For example: add a sign-off: HR department, 1 May 2026.",
            "落款写谁、哪一天？例如：加落款：行政部，2026年5月1日。",
        ),
        "no_text": ("Which text should be written there?", "要写什么文字？"),
        "no_value": ("Which value should it get?", "要改成什么？"),
        "name_of_value": (
            "“{text}” names a value. Which words stand in the text now?",
            "“{text}”是一个名称。现在文中写的是哪几个字？请把原来的文字写出来。",
        ),
        "term_in_text": (
            "“{text}” stands in running text, and “{new}” does not fit in its place: {known}. Which words of it should "
            "become which?",
            "“{text}”在句子里，直接换成“{new}”句子就不通了：{known}。要把其中哪几个字改成什么？",
        ),
        "words_or_value": (
            "Should the words “{text}” become “{new}”, or should “{new}” stand where the value for “{text}” is? To "
            "replace the words, put both in quotation marks.",
            "是把“{text}”这几个字换成“{new}”，还是把“{text}”对应的内容改成“{new}”？如果是替换文字，请把两边都加上引号。",
        ),
        "no_look": ((
            "Which look should it get, for example bold, red, centred, 14 "
            "pt?"
        ), "要设成什么样式？例如加粗、红色、居中、14 号。"),
        "no_condition": ((
            "Which rows are meant: which column, and which "
            "value?"
        ), "指的是哪些行？请说明哪一列、什么值。"),
        "has_total": (
            "The table already has a total in row {row}. To have it calculated anew, say “recalculate the total”.",
            "表格第 {row} 行已经有合计。要重新计算它，请说「重新计算合计」。",
        ),
        "has_total_here": (
            "The table already has a total in row {row}. To change it, say which cell and what it should say.",
            "表格第 {row} 行已经有合计。要改它，请说明哪一格改成多少。",
        ),
        "numbers_beside_total": (
            "Row {row} of the table is a total; a table with one gets no column of numbers yet.",
            "表格第 {row} 行是合计；有合计行的表格还不能加序号列。",
        ),
        "no_numbers": ("“{text}” has no numbers to calculate with.", "“{text}”这一列没有可以计算的数字。"),
        "mixed_units": (
            "The numbers count different things ({known} and others). Which ones should the chart show?",
            "这些数的单位不一样（有{known}）。图里画哪一种？",
        ),
        "which_columns": (
            "Which columns should be added up in each row? Number columns: {known}.",
            "每行要把哪几列相加？数值列有：{known}。",
        ),
        "renumber": (
            "The clauses have typed numbers; a new one before the last would renumber them. Put it at "
            "the end, or give "
            "its number?",
            "条款是手写编号，插在中间会打乱后面的编号。放在最后，还是请给出编号？",
        ),
        "value_count": (
            "The row has {columns} columns, but {count} values were given: {names}. Which value belongs where?",
            "这张表有 {columns} 列，但给出了 {count} 个值：{names}。请说明各自填在哪一列。",
        ),
        "no_chart_type": ("Which kind of chart: columns, line or pie?", "要哪种图：柱状图、折线图还是饼图？"),
        "no_password": (
            "No password is set here: the protection works without one. Protect the file without a password?",
            "这里不设密码，保护不带密码。要不带密码保护吗？",
        ),
        "only_sheets": (
            "Only a whole sheet can be protected, not single cells. Protect the sheet?",
            "只能保护整张工作表，不能只保护部分单元格。要保护整张表吗？",
        ),
        "day_or_month": (
            "In “{text}”, which comes first: the day or the month? Write for example dd/mm/yyyy.",
            "“{text}”里哪个是日、哪个是月？请写成例如 dd/mm/yyyy。",
        ),
        "one_filter": (
            "One filter at a time is set here. Which rows should be shown: which column, and which value?",
            "一次只能设一个筛选条件。要显示哪些行？请说明哪一列、什么值。",
        ),
        "which_year": ("Of which year? The table has: {known}.", "指的是哪一年？表里有：{known}。"),
        "too_many_points": (
            "The text has {count} sentences, which are no such points. Which of them should stay?",
            "这段文字有 {count} 句，分不成这样的要点。要保留哪几句？",
        ),
        "no_split_place": (
            "Slide {number} has no list of points that could be divided. Which of its contents should move?",
            "第 {number} 页没有可以分开的要点。哪些内容要放到新的一页？",
        ),
        "no_notes": ("No slide has notes here.", "这里没有备注。"),
        "no_picture": (
            "Which picture? Please attach the file.",
            "要放哪张图片？请先上传图片文件。",
        ),
        "one_by_one": (
            "These orders would be in each other's way. Please give them one after the other.",
            "这几项改动会互相影响，请分开一项一项地说。",
        ),
        "no_split": (
            "At which sign should the texts be split?",
            "按什么来拆分？例如按逗号、空格，或拆成姓和名。",
        ),
        "has_formulas": (
            "“{text}” has formulas; its values cannot be changed by hand. Which column should change?",
            "“{text}”这一列有公式，不能直接改数值。要改哪一列？",
        ),
        "no_duplicates": ("No row stands there twice; nothing is to be deleted.", "没有重复的行，不用删除。"),
        "no_formulas": ("There is no formula in this file; it holds values only.", "文件里没有公式，本来就都是数值。"),
        "open_formulas": (
            "The value of {text} is not known here: it is a date, an error, or was never calculated. Which value "
            "should stand there?",
            "{text} 的结果在这里不能确定（日期、错误，或从未算过）。这一格要写成什么值？",
        ),
        "no_title": ((
            "The document has no title of its own. Which line is "
            "meant?"
        ), "文档没有单独的标题。指的是哪一行？"),
    }
)  # fmt: skip


class OrderNote(Note):
    """Sentence about an order, with its code."""

    sentences: ClassVar[Sentences] = _SENTENCES


class OrderUnclear(Exception):
    """The order needs an answer first."""

    def __init__(self, code: str, **values: NoteValue) -> None:
        super().__init__(code)
        self.note = OrderNote.of(code, **values)
