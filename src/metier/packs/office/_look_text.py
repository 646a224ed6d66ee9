"""A format that a step sets, in words: the same for documents, sheets and slides."""

from collections.abc import Mapping
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, Sentences, join_names
from metier.packs.office.ooxml import name_color

__all__ = ["describe_look"]

_SENTENCES: Final = Sentences(
    {
        "look_font": ("font {value}", "字体 {value}"),
        "look_size": ("{value} pt", "{value} 磅"),
        "look_bold": ("bold", "加粗"),
        "look_not_bold": ("not bold", "不加粗"),
        "look_italic": ("italic", "倾斜"),
        "look_not_italic": ("not italic", "不倾斜"),
        "look_color": ("colour {value}", "颜色 {value}"),
        "look_left": ("aligned left", "左对齐"),
        "look_center": ("centred", "居中"),
        "look_right": ("aligned right", "右对齐"),
        "look_justify": ("justified", "两端对齐"),
        "look_single": ("single spacing", "单倍行距"),
        "look_1.5": ("1.5 lines", "1.5 倍行距"),
        "look_double": ("double spacing", "2 倍行距"),
        "look_space_before": ("{value} pt before", "段前 {value} 磅"),
        "look_space_after": ("{value} pt after", "段后 {value} 磅"),
        "look_underline": ("underlined", "下划线"),
        "look_not_underline": ("not underlined", "无下划线"),
        "look_strike": ("struck through", "删除线"),
        "look_not_strike": ("not struck through", "无删除线"),
        "look_highlight": ("highlighted {value}", "底色 {value}"),
        "look_line_multiple": ("{value} lines", "{value} 倍行距"),
        "look_line_points": ("{value} pt line spacing", "行距 {value} 磅"),
        "look_first_line_chars": ("first line indented by {value} characters", "首行缩进 {value} 字符"),
        "look_first_line_points": ("first line indented by {value} pt", "首行缩进 {value} 磅"),
        "look_left_points": ("indented by {value} pt", "左缩进 {value} 磅"),
        "look_right_chars": ("{value} characters from the right", "右空 {value} 字"),
        "look_latin_font": ("Latin font {value}", "西文字体 {value}"),
        "look_letter_points": ("letters {value} pt apart", "字距 {value} 磅"),
        "look_snap_to_grid": ("on the grid", "对齐网格"),
        "look_not_snap_to_grid": ("not on the grid", "不对齐网格"),
        "look_page_break": ("on a new page", "另起一页"),
        "look_number": ("numbered list", "编号列表"),
        "look_bullet": ("bulleted list", "项目符号"),
        "look_heading": ("heading level {value}", "{value} 级标题"),
        "look_fill_color": ("background {value}", "底色 {value}"),
        "look_borders": ("borders", "边框"),
        "look_not_borders": ("no borders", "无边框"),
        "look_wrap": ("text wrapped", "自动换行"),
        "look_not_wrap": ("text not wrapped", "不自动换行"),
        "look_alternate_rows": ("every other row", "隔行"),
        "look_top": ("at the top", "靠上"),
        "look_middle": ("in the middle of the height", "垂直居中"),
        "look_bottom": ("at the bottom", "靠下"),
        "look_words": ("only “{value}”", "仅“{value}”"),
    }
)
_PLAIN: Final = (
    *(
        "words",
        "font",
        "latin_font",
        "size",
        "color",
        "highlight",
        "fill_color",
        "line_multiple",
        "line_points",
        "first_line_chars",
    ),
    *("first_line_points", "left_points", "right_chars", "space_before", "space_after", "heading", "letter_points"),
)
_COLORS: Final = ("color", "highlight", "fill_color")
_SWITCHES: Final = ("bold", "italic", "underline", "strike", "wrap", "borders", "snap_to_grid")


def describe_look(fields: Mapping[str, JsonValue], language: Language) -> str:
    """Format that a step sets, in words."""
    codes: list[tuple[str, JsonValue]] = []
    for name in _PLAIN:
        if fields.get(name) is not None:
            value = name_color(str(fields[name]), language) if name in _COLORS else fields[name]
            codes.append((f"look_{name}", f"{value:g}" if isinstance(value, float) else value))
    for name, code in (("page_break_before", "look_page_break"), ("alternate_rows", "look_alternate_rows")):
        if fields.get(name):
            codes.append((code, ""))
    for name in _SWITCHES:
        if isinstance(fields.get(name), bool):
            codes.append((f"look_{name}" if fields[name] else f"look_not_{name}", ""))
    for name in ("alignment", "line_spacing", "list"):
        if fields.get(name) is not None:
            codes.append((f"look_{fields[name]}", ""))
    if (vertical := fields.get("vertical")) is not None:
        codes.append(("look_middle" if vertical == "center" else f"look_{vertical}", ""))
    return join_names([_SENTENCES.render(code, language, value=value) for code, value in codes], language)
