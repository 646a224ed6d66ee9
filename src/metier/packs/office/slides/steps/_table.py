"""Which function carries out which operation."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides.steps._animations import add_animation, clear_animations, set_animation_timing
from metier.packs.office.slides.steps._charts import add_chart
from metier.packs.office.slides.steps._look import (
    set_presentation_props,
    set_slide_background,
    set_slide_theme,
    set_slide_transition,
)
from metier.packs.office.slides.steps._placeholders import fill_placeholder
from metier.packs.office.slides.steps._shapes import (
    add_hyperlink,
    add_image,
    add_shape,
    add_textbox,
    insert_word_art,
    set_shape_style,
    set_slide_text_style,
)
from metier.packs.office.slides.steps._size import set_slide_size
from metier.packs.office.slides.steps._slides import (
    add_slide,
    delete_slide,
    duplicate_slide,
    hide_slide,
    reorder_slides,
    set_footer,
    set_header,
    set_notes,
    set_page_numbers,
    set_slide_layout,
)
from metier.packs.office.slides.steps._table_rows import edit_slide_table
from metier.packs.office.slides.steps._tables import add_table, set_table_style
from metier.packs.office.slides.steps._texts import add_point, delete_point, fill_template, insert_text, replace_text

SlideStep = Callable[[SlideSession, OfficeAction], None]
SLIDE_STEPS: Final[Mapping[str, SlideStep]] = MappingProxyType(
    {
        "add_animation": add_animation,
        "add_chart": add_chart,
        "add_hyperlink": add_hyperlink,
        "add_image": add_image,
        "add_shape": add_shape,
        "add_slide": add_slide,
        "add_table": add_table,
        "add_textbox": add_textbox,
        "add_point": add_point,
        "clear_animations": clear_animations,
        "delete_slide": delete_slide,
        "delete_point": delete_point,
        "duplicate_slide": duplicate_slide,
        "fill_placeholder": fill_placeholder,
        "edit_slide_table": edit_slide_table,
        "fill_template": fill_template,
        "hide_slide": hide_slide,
        "insert_text": insert_text,
        "insert_word_art": insert_word_art,
        "reorder_slides": reorder_slides,
        "replace_text": replace_text,
        "set_animation_timing": set_animation_timing,
        "set_footer": set_footer,
        "set_header": set_header,
        "set_notes": set_notes,
        "set_page_numbers": set_page_numbers,
        "set_presentation_props": set_presentation_props,
        "set_shape_style": set_shape_style,
        "set_slide_background": set_slide_background,
        "set_slide_layout": set_slide_layout,
        "set_slide_size": set_slide_size,
        "set_slide_text_style": set_slide_text_style,
        "set_slide_theme": set_slide_theme,
        "set_slide_transition": set_slide_transition,
        "set_table_style": set_table_style,
    }
)
