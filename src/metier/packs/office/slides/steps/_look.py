"""Background, theme, transitions and properties of a deck."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml.ns import qn
from pptx.slide import Slide

from metier.packs.office.ooxml import OoxmlParts, canonical_xml, parse_xml
from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
_MC: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_P14: Final = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_EFFECTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "fade": "<p:fade/>",
        "push": '<p:push dir="u"/>',
        "wipe": '<p:wipe dir="l"/>',
        "split": '<p:split orient="vert"/>',
        "cut": "<p:cut/>",
        "cover": '<p:cover dir="l"/>',
        "uncover": '<p:pull dir="l"/>',
        "random": "<p:random/>",
        "zoom": "<p:zoom/>",
        "wheel": '<p:wheel spokes="4"/>',
        "dissolve": "<p:dissolve/>",
        "circle": "<p:circle/>",
        "blinds": '<p:blinds dir="vert"/>',
        "none": "",
    }
)
# Colours of our own themes: dark, light, and six accents.
_THEMES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "blue": ("1F3864", "EAF0FA", "2F5597", "C55A11", "548235", "7F6000", "7030A0", "00808A"),
        "green": ("1E4620", "EAF4EA", "2E7D32", "F9A825", "00695C", "6D4C41", "5E35B1", "0277BD"),
        "red": ("5F1116", "FBEDEE", "B71C1C", "37474F", "EF6C00", "6D4C41", "283593", "00838F"),
        "gray": ("263238", "ECEFF1", "455A64", "0277BD", "00897B", "F9A825", "6A1B9A", "C62828"),
        "office": ("44546A", "E7E6E6", "4472C4", "ED7D31", "A5A5A5", "FFC000", "5B9BD5", "70AD47"),
    }
)
_SLOTS: Final = ("dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6")


def set_slide_background(session: SlideSession, action: OfficeAction) -> None:
    color = session.color(action, "color")
    for slide in session.slides(action):
        title = say("background", number=session.deck.number_of(slide))
        session.change_slide(action, slide, title, color, partial(_fill_background, slide, color))


def _fill_background(slide: Slide, color: str) -> None:
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = RGBColor.from_string(color)


def set_slide_transition(session: SlideSession, action: OfficeAction) -> None:
    name = action.text("effect", "fade").strip().lower()
    if name not in _EFFECTS:
        raise session.fail("bad_effect", "effect", name=name, known=sorted(_EFFECTS))
    if action.text("sound"):
        session.warn("no_sound")
    duration, on_click = action.size("duration") or 1.0, action.flag("advance_on_click", True)
    for slide in session.slides(action):
        title = say("transition", number=session.deck.number_of(slide))
        session.change_slide(action, slide, title, name, partial(_write_transition, slide, name, duration, on_click))


def _write_transition(slide: Slide, name: str, duration: float, on_click: bool) -> None:
    root = slide._element
    for one in list(root):
        is_old = one.tag == qn("p:transition") or (
            one.tag == f"{{{_MC}}}AlternateContent" and one.find(f".//{{{_P}}}transition") is not None
        )
        if is_old:
            root.remove(one)
    if name == "none":
        return
    speed = "slow" if duration > 1.5 else "med" if duration > 0.6 else "fast"
    click = "" if on_click else ' advClick="0"'
    inner = _EFFECTS[name]
    text = (
        f'<mc:AlternateContent xmlns:mc="{_MC}" xmlns:p="{_P}"><mc:Choice xmlns:p14="{_P14}" Requires="p14">'
        f'<p:transition spd="{speed}" p14:dur="{int(duration * 1000)}"{click}>{inner}</p:transition></mc:Choice>'
        f'<mc:Fallback><p:transition spd="{speed}"{click}>{inner}</p:transition></mc:Fallback></mc:AlternateContent>'
    )
    later = [qn(one) for one in ("p:timing", "p:extLst")]
    place = next((at for at, one in enumerate(root) if one.tag in later), len(root))
    root.insert(place, parse_xml(text.encode()))


def set_slide_theme(session: SlideSession, action: OfficeAction) -> None:
    """Colours and fonts of a template file, or one of our own palettes."""
    template, name = action.text("template_path"), action.text("theme_name").strip().lower()
    if template:
        theme = _template_theme(session, template)
    else:
        names = sorted(_THEMES)
        index = action.whole("theme_index")
        name = name or (names[index - 1] if 1 <= index <= len(names) else "")
        if name not in _THEMES:
            raise session.fail("no_theme", "theme_name", name=name or str(index), known=names)
        theme = None
    for master in session.deck.presentation.slide_masters:
        for relation in master.part.rels.values():
            if relation.reltype != RT.THEME:
                continue
            part = relation.target_part
            new = theme if theme is not None else _with_palette(part.blob, _THEMES[name])
            if canonical_xml(parse_xml(part.blob)) == canonical_xml(parse_xml(new)):
                continue
            if session.offer(action, "", say("theme"), ("", template or name)):
                part._blob = new
                if template:
                    session.warn("layouts_stay")


def _template_theme(session: SlideSession, path: str) -> bytes:
    root = session.folder.resolve()
    file = (root / path).resolve()
    if not file.is_relative_to(root) or not file.is_file():
        raise session.fail("no_template", "template_path", path=path)
    parts = OoxmlParts.open(Path(file))
    main = parts.list_related("", "officeDocument")[0].target
    for master in parts.list_related(main, "slideMaster"):
        for theme in parts.list_related(master.target, "theme"):
            return parts.read(theme.target)
    raise session.fail("no_template", "template_path", path=path)


def _with_palette(theme: bytes, colors: tuple[str, ...]) -> bytes:
    root = parse_xml(theme)
    scheme = root.find(f".//{_A}clrScheme")
    for slot, color in zip(_SLOTS, colors, strict=True):
        holder = scheme.find(f"{_A}{slot}") if scheme is not None else None
        if holder is not None:
            for one in list(holder):
                holder.remove(one)
            etree.SubElement(holder, f"{_A}srgbClr", val=color)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


def set_presentation_props(session: SlideSession, action: OfficeAction) -> None:
    core = session.deck.presentation.core_properties
    given = {
        "title": str(action.fields.get("title") or ""),
        **{one: action.text(one) for one in ("author", "subject", "comments")},
    }
    new = {name: value for name, value in given.items() if value and getattr(core, name) != value}
    if not new:
        return
    before = ", ".join(f"{name}: {getattr(core, name)}" for name in new)
    after = ", ".join(f"{name}: {value}" for name, value in new.items())
    if session.offer(action, "", say("props"), (before, after)):
        for name, value in new.items():
            setattr(core, name, value[:255])
