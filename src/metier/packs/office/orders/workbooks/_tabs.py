"""Orders for sheets as a whole: the colour of a tab, a copy, locked formulas, a title above the table."""

from typing import Final

from metier.json_values import JsonObject
from metier.language import choose
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.orders._context import ADD, OrderContext, step
from metier.packs.office.orders._looks import COLOR, read_color_word, take_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._view import choose_table, column_letters, take_sheet

__all__ = ["TAB_RULES"]

_SHEET_NAME_CHARS: Final = 31


def _tab_color(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Colour of a tab: 把工资表的标签颜色改成绿色, colour the Budget tab orange."""
    if not text.has(r"标签|页签|\btabs?\b") or not text.has(COLOR):
        return None
    named = take_sheet(context.reading, text)
    found = text.take(rf"({COLOR})")
    if found is None:
        return None
    is_for_all = (
        text.has(r"\btabs\b") or text.take_all(r"(?:所有|全部|每一?个|各个?)的?|都|\b(?:all|every|each)(?: of)?\b") > 0
    )
    text.take_all(
        r"(?:工作表|表|sheet)?(?:标签|页签)(?:页)?(?:的)?(?:颜色|色)?|颜色|(?:标|涂|设|改|换|变|染|弄)(?:置)?(?:成|为|上)?|"
        r"\b(?:work)?(?:sheet|tab)s?\b|\bcolou?r(?:ed)?\b|\b(?:in|paint|mark)\b"
    )
    if not named and len(context.reading.sheets) > 1 and not is_for_all:
        raise OrderUnclear("which_sheet", known=tuple(one.name for one in context.reading.sheets))
    sheets = [named] if named else [one.name for one in context.reading.sheets]
    return [step("set_tab_color", sheet_name=one, color=read_color_word(found[1])) for one in sheets]


def _copy(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A copy of a whole sheet: 把销售明细复制一份，叫“备份”."""
    if not text.take(
        r"复制(?:一[份张个])?(?:出来)?|拷贝(?:一份)?|建(?:一?个)?副本|备份一份|\b(?:copy|duplicate)\b|"
        r"\bmake (?:a |another )(?:copy|duplicate) of\b"
    ):
        return None
    if text.has(
        r"新的?(?:文件|工作簿|文档)|另存|另一?个(?:文件|工作簿)|\b(?:new|another|separate) (?:file|workbook)\b"
    ):
        return None  # a copy goes into this file
    new = text.take_quote(
        r"叫做?|名为|命名为|改名为|取名|名字(?:叫|为|是)?|名称(?:为|是)?|为|成|"
        r"\b(?:called|named|as|call it|name it|rename it to|to)\b"
    ) or text.take_value(
        r"[,，]?\s*(?:叫做?|名为|命名为|改名为|取名为?|名字(?:叫|为|是))|"
        r"\b(?:and )?(?:called|named|call it|name it|rename it to)\b"
    )
    named = take_sheet(context.reading, text, bare=True)
    text.take_all(r"[,，]|整张?|工作表|一?[份张]|表|\b(?:work)?(?:sheet|tab)s?\b")
    if not named and len(context.reading.sheets) == 1:
        named = context.reading.sheets[0].name
    if not named:
        return None
    taken = {one.name.lower() for one in context.reading.sheets}
    copy = choose(context.language, zh="副本", en="copy")
    made = new or next(
        name
        for number in range(1, 100)
        if (name := f"{named[:24]} {copy}{number if number > 1 else ''}").lower() not in taken
    )
    if len(made) > _SHEET_NAME_CHARS or made.lower() in taken:
        raise OrderUnclear("no_text")
    return [step("copy_sheet", sheet_name=named, new_name=made)]


def _lock_formulas(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Formulas cannot be changed, the rest can: 把有公式的单元格锁住."""
    thing = (
        r"(?:所有|全部)?(?:的)?(?:有|含|带)?公式(?:的)?(?:单元格|格子|格|列|区域|部分|的地方)?|"
        r"\b(?:all |only )?(?:the )?(?:cells? (?:with|that have|containing) formulas?|formulas?(?: cells?)?)\b"
    )
    lock = r"锁(?:定|住|上|起来|死|好)?|保护(?:起来|好|住)?|\b(?:lock|protect)(?:ed)?\b"
    if not text.has(thing) or not text.has(lock) or text.has(r"密码|\bpassword\b|取消|解除|\bun(?:lock|protect)"):
        return None
    text.take_all(thing)
    text.take_all(lock)
    named = take_sheet(context.reading, text)
    text.take_all(
        r"[,，]|只|(?:防止|免得|别|不让|不许|不能)?(?:别人|大家|他们|同事|人)?(?:都)?(?:不能|不让|不许|没法|改不了|乱|误)*"
        r"(?:修改|改动|改|动|删|编辑)(?:不了|到|动)?|其[他它余](?:的)?(?:单元格|格子|地方)?(?:都)?"
        r"(?:还|仍然?|可以|能|照[常样旧]?|正常|随便)*(?:填写?|改|编辑|写|用)?|"
        r"\b(?:so (?:that )?)?(?:nobody|no one|others?|people|they|students?) (?:can(?:no|')t|cannot|can) (?:edit|"
        r"change|break|overwrite|touch|mess (?:up|with))(?: (?:them|it))?\b|\bonly\b|\bcells?\b|"
        r"\b(?:leave|keep) the (?:rest|other cells|others) (?:open|editable|unlocked)\b"
    )
    sheets = [one for one in context.reading.sheets if not named or one.name == named]
    if not any(cell.formula for one in sheets for cell in one.cells):
        raise OrderUnclear("no_formulas")
    return [step("set_protection", kind="formulas", sheet_name=named or None)]


def _title_row(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A line above the table with its title: put a heading row "Expenses" above everything, merged across."""
    above = (
        r"(?:在|到)?(?:表格?|数据|表头|首行|第一行|整张?表)?的?(?:最上面|最上方|顶部|顶上|上面|上方|最前面)|"
        r"\b(?:above (?:everything|the (?:table|header(?: row)?|data)|it all)|"
        r"at the (?:very )?top|on top|over the table)\b"
    )
    thing = (
        rf"(?:{ADD})(?:上|入)?(?:一?[个行])?(?:大?标题|表名|题目)(?:行)?|"
        r"\b(?:put|add|insert|place|write) (?:a |the )?(?:big |main )?(?:heading|title|headline)(?: row| line)?\b"
    )
    if not text.has(above) or not text.has(thing) or not text.has(QUOTED):
        return None
    words = text.take_any_quote()
    text.take_all(above)
    text.take(thing)
    place = choose_table(context.reading, text)
    merged = bool(
        text.take(
            r"[,，]?(?:合并(?:单元格)?(?:居中)?|跨列居中)|[,]?\s*(?:and )?\bmerged?(?: it)?"
            r"(?: and cent(?:er|re)d?)?(?: across(?: (?:the|all) (?:table|columns))?)?"
        )
    )
    look = take_look(text)
    if set(look) - {"bold", "size", "font", "color", "alignment", "fill"}:
        raise OrderUnclear("no_look")
    text.take_all(r"[,，:]|写上?|内容|\b(?:saying|reading|across|that says|row)\b|居中")
    sheet, right = quote_sheet(place.sheet), column_letters(place.columns[-1])
    left = column_letters(place.columns[0])
    row = place.table.header_row
    fill = look.pop("fill", None)
    if merged:
        look.setdefault("alignment", "center")
    look.setdefault("bold", True)
    return [
        step("insert_lines", before=str(row), count=1, sheet_name=place.sheet),
        step("set_cells", cells=[{"cell": f"{sheet}!{left}{row}", "value": words}]),
        *([step("merge_cells", range=f"{sheet}!{left}{row}:{right}{row}")] if merged else []),
        step("set_cell_style", range=f"{sheet}!{left}{row}:{right}{row}", fill_color=fill, **look),
    ]


TAB_RULES: Final = (_tab_color, _lock_formulas, _title_row, _copy)
