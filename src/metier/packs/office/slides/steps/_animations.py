"""Animations: entrance effects as PowerPoint writes them."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from lxml import etree
from pptx.oxml.ns import qn
from pptx.shapes.base import BaseShape
from pptx.slide import Slide

from metier.packs.office.ooxml import parse_xml
from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._place import is_mark
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession

_P: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
_SLIDE_TARGET: Final = '" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond>'
_EMPTY_TIMING: Final = (
    f'<p:timing xmlns:p="{_P}"><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot">'
    '<p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq">'
    f'<p:childTnLst/></p:cTn><p:prevCondLst><p:cond evt="onPrev{_SLIDE_TARGET}</p:prevCondLst>'
    f'<p:nextCondLst><p:cond evt="onNext{_SLIDE_TARGET}</p:nextCondLst></p:seq></p:childTnLst></p:cTn></p:par>'
    "</p:tnLst></p:timing>"
)
# Number of the effect and the filter that draws it; an empty filter appears at once.
_EFFECTS: Final[Mapping[str, tuple[int, str]]] = MappingProxyType(
    {
        "appear": (1, ""),
        "fade": (10, "fade"),
        "fade_in": (10, "fade"),
        "wipe": (22, "wipe(left)"),
        "split": (16, "barn(inVertical)"),
        "blinds": (3, "blinds(horizontal)"),
        "box": (4, "box(in)"),
        "checkerboard": (5, "checkerboard(across)"),
        "circle": (6, "circle(in)"),
        "dissolve": (9, "dissolve"),
        "wheel": (21, "wheel(1)"),
        "random_bars": (14, "randombar(horizontal)"),
    }
)
_TRIGGERS: Final[Mapping[str, str]] = MappingProxyType(
    {"on_click": "clickEffect", "with_previous": "withEffect", "after_previous": "afterEffect"}
)


def add_animation(session: SlideSession, action: OfficeAction) -> None:
    """Let a shape come in; effects without a drawing of their own fade in, and a warning says so."""
    slide = session.slide(action)
    shape = _target(session, action, slide)
    name = action.text("effect").strip().lower().replace(" ", "_").replace("-", "_")
    preset, drawing = _EFFECTS.get(name, _EFFECTS["fade"])
    if name not in _EFFECTS:
        session.warn("plain_effect", name=action.text("effect"))
    trigger = _TRIGGERS.get(action.text("trigger", "on_click"), "clickEffect")
    playing = _list_presets(slide, shape)
    if playing:
        if str(preset) not in playing:
            session.warn("has_animation", name=shape.name, number=session.deck.number_of(slide))
        return
    title = say("animation", number=session.deck.number_of(slide))
    if not session.offer(action, session.address(slide, shape.name), title, ("", name)):
        return
    duration, delay = action.size("duration") or 1.0, action.size("delay") or 0.0
    timing = _timing(slide)
    first = max(int(one.get("id", "0")) for one in timing.iter(qn("p:cTn"))) + 1
    times = (int(duration * 1000), int(delay * 1000))
    sequence = timing.find(f".//{qn('p:seq')}/{qn('p:cTn')}/{qn('p:childTnLst')}")
    sequence.append(parse_xml(_effect(shape.shape_id, preset, drawing, trigger, (first, *times)).encode()))


def _list_presets(slide: Slide, shape: BaseShape) -> set[str]:
    """Numbers of the effects that play on a shape."""
    targets = (one for one in slide._element.iter(qn("p:spTgt")) if one.get("spid") == str(shape.shape_id))
    effects = (next((up for up in one.iterancestors(qn("p:cTn")) if up.get("presetID")), None) for one in targets)
    return {"" if one is None else str(one.get("presetID")) for one in effects}


def clear_animations(session: SlideSession, action: OfficeAction) -> None:
    """Take all effects off slides; films and sounds keep their own playing."""
    for slide in session.slides(action):
        effects = [one for one in slide._element.iter(qn("p:cTn")) if one.get("presetClass")]
        title = say("no_animations", number=session.deck.number_of(slide))
        session.change_slide(action, slide, title, "0", partial(_drop_effects, slide, len(effects)))


def _drop_effects(slide: Slide, count: int) -> None:
    timing = slide._element.find(qn("p:timing"))
    if timing is None or not count:
        return
    for name in ("p:seq", "p:bldLst"):
        for one in list(timing.iter(qn(name))):
            one.getparent().remove(one)
    if not any(True for _ in timing.iter(qn("p:video"), qn("p:audio"))):
        slide._element.remove(timing)


def _target(session: SlideSession, action: OfficeAction, slide: Slide) -> BaseShape:
    if action.text("target_shape_name"):
        return session.shape(action, slide, "target_shape_name")
    shapes = [one for one in slide.shapes if not is_mark(one)]
    index = action.whole("target_index") or len(shapes)
    if not 1 <= index <= len(shapes):
        number = session.deck.number_of(slide)
        known = [one.name for one in shapes]
        raise session.fail("no_shape", "target_index", number=number, name=str(index), known=known)
    return shapes[index - 1]


def _timing(slide: Slide) -> etree._Element:
    root = slide._element
    found = root.find(qn("p:timing"))
    if found is not None and found.find(f".//{qn('p:seq')}/{qn('p:cTn')}/{qn('p:childTnLst')}") is not None:
        return found
    if found is not None:
        root.remove(found)
    made = parse_xml(_EMPTY_TIMING.encode())
    extensions = root.find(qn("p:extLst"))
    if extensions is not None:
        extensions.addprevious(made)
    else:
        root.append(made)
    return made


def _effect(shape: int, preset: int, drawing: str, trigger: str, times: tuple[int, int, int]) -> str:
    first, duration, delay = times
    start = "indefinite" if trigger == "clickEffect" else "0"
    target = f'<p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl>'
    motion = ""
    if drawing:
        motion = (
            f'<p:animEffect transition="in" filter="{drawing}"><p:cBhvr><p:cTn id="{first + 4}" dur="{duration}"/>'
            f"{target}</p:cBhvr></p:animEffect>"
        )
    return (
        f'<p:par xmlns:p="{_P}"><p:cTn id="{first}" fill="hold"><p:stCondLst><p:cond delay="{start}"/></p:stCondLst>'
        f'<p:childTnLst><p:par><p:cTn id="{first + 1}" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst>'
        f'<p:childTnLst><p:par><p:cTn id="{first + 2}" presetID="{preset}" presetClass="entr" presetSubtype="0" '
        f'fill="hold" nodeType="{trigger}"><p:stCondLst><p:cond delay="{delay}"/></p:stCondLst><p:childTnLst><p:set>'
        f'<p:cBhvr><p:cTn id="{first + 3}" dur="1" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst></p:cTn>'
        f"{target}<p:attrNameLst><p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr>"
        f'<p:to><p:strVal val="visible"/></p:to></p:set>{motion}</p:childTnLst></p:cTn></p:par></p:childTnLst>'
        "</p:cTn></p:par></p:childTnLst></p:cTn></p:par>"
    )


def set_animation_timing(session: SlideSession, action: OfficeAction) -> None:
    """Trigger, duration and delay of the n-th animation of a slide."""
    slide = session.slide(action)
    number = session.deck.number_of(slide)
    index = action.whole("animation_index")
    effects = [one for one in slide._element.iter(qn("p:cTn")) if one.get("presetClass")]
    if index > len(effects):
        raise session.fail("no_animation", "animation_index", number=number, index=index)
    effect = effects[index - 1]
    after = ", ".join(
        f"{name}={action.fields[name]}"
        for name in ("trigger", "duration", "delay")
        if action.fields.get(name) is not None
    )
    if not session.offer(action, session.address(slide), say("animation", number=number), ("", after)):
        return
    if action.text("trigger"):
        effect.set("nodeType", _TRIGGERS[action.text("trigger")])
        outer = effect.getparent().getparent().getparent().getparent().getparent().getparent()
        condition = outer.find(f"{qn('p:stCondLst')}/{qn('p:cond')}")
        if condition is not None:
            condition.set("delay", "indefinite" if action.text("trigger") == "on_click" else "0")
    delay, duration = action.size("delay"), action.size("duration")
    condition = effect.find(f"{qn('p:stCondLst')}/{qn('p:cond')}")
    if delay is not None and condition is not None:
        condition.set("delay", str(int(delay * 1000)))
    for one in effect.iter(qn("p:animEffect")) if duration is not None else ():
        one.find(f".//{qn('p:cTn')}").set("dur", str(int((duration or 1.0) * 1000)))
