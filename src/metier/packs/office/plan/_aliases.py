"""Other names that models use for hosts, operations, fields and choices."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.office.plan._fields import HostApp

__all__ = [
    "ACTION_LISTS",
    "CHART_TYPES",
    "CHOICE_ALIASES",
    "FIELD_ALIASES",
    "HOST_ALIASES",
    "NOISE_FIELDS",
    "OP_ALIASES",
    "OP_KEYS",
    "PARAMETER_KEYS",
    "PLAN_KEYS",
    "PLAN_WRAPPERS",
]

HOST_ALIASES: Final[Mapping[str, HostApp]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("writer", "word", "doc", "docx", "document", "wps_writer", "wpswriter", "文字", "文档"), "wps"
        ),
        **dict.fromkeys(("excel", "sheet", "sheets", "xlsx", "spreadsheet", "calc", "wps_et", "表格"), "et"),
        **dict.fromkeys(("ppt", "pptx", "powerpoint", "slides", "presentation", "impress", "wps_wpp", "演示"), "wpp"),
    }
)
PLAN_WRAPPERS: Final = ("plan", "result", "data", "output", "ah32_plan")
PLAN_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "schema": "schema_version",
        "version": "schema_version",
        "schemaversion": "schema_version",
        "$schema": "schema_version",
        "host": "host_app",
        "hostapp": "host_app",
        "app": "host_app",
        "target": "host_app",
        "metadata": "meta",
    }
)
ACTION_LISTS: Final = ("steps", "operations", "ops", "action", "commands", "tasks", "plan_actions")
OP_KEYS: Final = ("type", "operation", "action", "op_name", "command", "name", "kind", "method")
PARAMETER_KEYS: Final = ("params", "parameters", "args", "arguments", "payload", "options", "fields", "properties")
NOISE_FIELDS: Final = frozenset(
    {
        "comment",
        "comments",
        "description",
        "desc",
        "explanation",
        "host",
        "host_app",
        "index",
        "note",
        "notes",
        "order",
        "rationale",
        "reason",
        "step",
        "thought",
    }
)
OP_ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "add_text": "insert_text",
        "append_text": "insert_text",
        "write_text": "insert_text",
        "insert_paragraph": "insert_text",
        "add_paragraph": "insert_text",
        "create_table": "insert_table",
        "write_table": "insert_table",
        "insert_chart": "insert_chart_from_selection",
        "create_chart": "insert_chart_from_selection",
        "insert_picture": "insert_image",
        "add_picture": "insert_image",
        "insert_wordart": "insert_word_art",
        "add_word_art": "insert_word_art",
        "insert_comment": "add_comment",
        "comment": "add_comment",
        "replace": "replace_text",
        "find_replace": "replace_text",
        "find_and_replace": "replace_text",
        "insert_after": "insert_after_text",
        "insert_before": "insert_before_text",
        "upsert": "upsert_block",
        "write_block": "upsert_block",
        "remove_block": "delete_block",
        "set_formula": "set_cell_formula",
        "write_cells": "set_cells",
        "set_range": "set_cells",
        "add_sheet": "ensure_sheet",
        "create_sheet": "ensure_sheet",
        "pivot_table": "create_pivot_table",
        "conditional_format": "set_conditional_format",
        "data_validation": "set_data_validation",
        "sort": "sort_range",
        "filter": "filter_range",
        "transpose": "transform_range",
        "create_slide": "add_slide",
        "insert_slide": "add_slide",
        "new_slide": "add_slide",
        "insert_textbox": "add_textbox",
        "add_text_box": "add_textbox",
        "insert_shape": "add_shape",
        "set_theme": "set_slide_theme",
        "set_background": "set_slide_background",
        "set_layout": "set_slide_layout",
        "set_transition": "set_slide_transition",
        "move_slide": "reorder_slides",
        "set_speaker_notes": "set_notes",
        "add_notes": "set_notes",
        "page_numbers": "set_page_numbers",
        "add_page_numbers": "set_page_numbers",
        "insert_page_numbers": "set_page_numbers",
        "header": "set_header",
        "insert_header": "set_header",
        "footer": "set_footer",
        "insert_footer": "set_footer",
        "page_setup": "set_page_setup",
        "select_text": "set_selection_by_text",
        "move_cursor": "set_selection",
    }
)
# Per field the other names under which it comes; used if the operation has the field and not the other name.
FIELD_ALIASES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "text": ("content", "value", "body", "paragraph", "string"),
        "content": ("text", "body", "bullets"),
        "anchor_text": ("anchor", "find_text", "target_text", "after", "before", "search_text"),
        "find_text": ("find", "search", "search_text", "old_text", "old", "pattern", "target_text", "text"),
        "replace_text": ("replace", "replacement", "new_text", "new", "replace_with", "with", "text"),
        "block_id": ("block", "block_name", "bookmark"),
        "cols": ("columns", "col_count", "column_count", "num_cols", "num_columns"),
        "rows": ("row_count", "num_rows"),
        "row": ("row_index",),
        "col": ("column", "col_index", "column_index"),
        "data": ("values", "table", "cells", "table_data", "content"),
        "header": ("has_header", "header_row"),
        "borders": ("border", "has_borders"),
        "size": ("font_size", "fontsize"),
        "font": ("font_name", "font_family"),
        "color": ("font_color", "text_color", "colour"),
        "font_size": ("size",),
        "font_bold": ("bold",),
        "font_color": ("color",),
        "alignment": ("align", "horizontal_alignment"),
        "slide_index": ("slide", "slide_number", "page"),
        "layout": ("layout_index", "slide_layout"),
        "path": ("image_path", "src", "file", "image"),
        "sheet_name": ("sheet", "worksheet", "name"),
        "cell": ("address", "target", "target_cell"),
        "range": ("target_range", "range_address", "address"),
        "source_range": ("range", "source", "data_range"),
        "destination": ("target", "dest", "destination_cell", "target_range"),
        "number_format": ("format",),
        "key": ("sort_key", "column", "sort_by"),
        "order": ("direction", "sort_order"),
        "address": ("url", "link", "href"),
        "shape_type": ("shape",),
        "answers": ("items", "answer_list"),
        "actions": ("steps", "operations", "ops", "children"),
        "values": ("data", "fields", "placeholders"),
        "track": ("tracked", "track_changes", "revision"),
        "track_changes": (),
    }
)
CHOICE_ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "centre": "center",
        "centered": "center",
        "middle": "center",
        "居中": "center",
        "左对齐": "left",
        "右对齐": "right",
        "两端对齐": "justify",
        "justified": "justify",
        "both": "justify",
        "1": "single",
        "1.0": "single",
        "2": "double",
        "2.0": "double",
        "ascending": "asc",
        "descending": "desc",
        "升序": "asc",
        "降序": "desc",
        "end_of_document": "end",
        "document_end": "end",
        "doc_end": "end",
        "start": "start_of_document",
        "end": "end_of_document",
        "avg": "average",
        "mean": "average",
        "whole": "whole_number",
        ">": "greater_than",
        "<": "less_than",
        ">=": "greater_or_equal",
        "<=": "less_or_equal",
        "=": "equal",
        "==": "equal",
        "!=": "not_equal",
        "<>": "not_equal",
    }
)
# Office constants of `insert_chart_from_selection` under the names that models write instead.
CHART_TYPES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "line": 4,
        "pie": 5,
        "column": 51,
        "clustered_column": 51,
        "bar": 57,
        "clustered_bar": 57,
        "line_markers": 65,
        "area": 1,
        "折线图": 4,
        "饼图": 5,
        "柱形图": 51,
        "柱状图": 51,
        "条形图": 57,
    }
)
