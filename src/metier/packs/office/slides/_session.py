"""State while a plan is carried out on a deck: the current slide, the changes, the block."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pptx.shapes.base import BaseShape
from pptx.slide import Slide

from metier.language import BilingualText, Language, NoteValue
from metier.packs.office._hosts import Change, SkippedAction
from metier.packs.office._plan_session import PlanSession
from metier.packs.office.ooxml import canonical_xml
from metier.packs.office.plan import OfficeAction, StyleSpec
from metier.packs.office.slides._deck import Deck
from metier.packs.office.slides._place import (
    MARK_SIZE,
    Box,
    drop_covered_placeholders,
    find_place,
    free_region,
    tighten_texts,
)
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._sizes import is_title

PREFIX: Final = "mt:"


@dataclass(slots=True)
class SlideSession(PlanSession):
    """One run of a plan on a deck."""

    deck: Deck
    folder: Path
    language: Language
    chosen: frozenset[str] | None
    style: StyleSpec
    current: Slide | None = None
    position: int | None = None
    block: str = ""
    marks: int = 0
    path: str = "actions"
    changes: list[Change] = field(default_factory=list)
    skipped: list[SkippedAction] = field(default_factory=list)
    warnings: list[BilingualText] = field(default_factory=list)
    inner: list[tuple[str, BilingualText, tuple[str, str]]] = field(default_factory=list)

    @property
    def size(self) -> tuple[int, int]:
        return self.deck.width, self.deck.height

    def render(self, code: str, **values: NoteValue) -> BilingualText:
        return say(code, **values)

    def change_slide(
        self,
        action: OfficeAction,
        slide: Slide,
        title: BilingualText,
        after: str,
        change: Callable[[], None],
    ) -> None:
        """Make a change of one slide and record it, but only if the slide is another one afterwards."""
        number = self.deck.number_of(slide) if action.flag("apply_to_all") else 0
        change_id = f"{action.id}#{number}" if number else action.id
        if not self.block and self.chosen is not None and change_id not in self.chosen:
            return
        before = canonical_xml(slide._element)
        change()
        if canonical_xml(slide._element) != before:
            self.offer(action, self.address(slide), title, ("", after), number)

    def slide(self, action: OfficeAction) -> Slide:
        """Slide that a step means: by number, else the current one, else the last."""
        slides = self.deck.slides()
        number = action.whole("slide_index")
        if number:
            if number > len(slides):
                raise self.fail("no_slide", "slide_index", number=number, count=len(slides))
            return slides[number - 1]
        if self.current is not None:
            return self.current
        if not slides:
            raise self.fail("no_slide", "slide_index", number=1, count=0)
        return slides[-1]

    def slides(self, action: OfficeAction) -> list[Slide]:
        """All slides with `apply_to_all`, else the one that is meant."""
        return self.deck.slides() if action.flag("apply_to_all") else [self.slide(action)]

    def shape(self, action: OfficeAction, slide: Slide, name: str = "shape_name") -> BaseShape:
        """Shape by its name."""
        wanted = action.text(name)
        shapes = [one.name for one in slide.shapes]
        for one in slide.shapes:
            if one.name == wanted:
                return one
        number = self.deck.number_of(slide)
        raise self.fail("no_shape", name, number=number, name=wanted, known=shapes)

    def wanted_box(self, action: OfficeAction, width_cm: float, height_cm: float) -> Box:
        """Place that a step asks for, in centimetres."""
        emu = self.deck.emu
        left, top = action.size("left"), action.size("top")
        width, height = emu(action.size("width") or width_cm), emu(action.size("height") or height_cm)
        if (left or 1.0, top or 1.0) == (1.0, 1.0):
            # Nobody chose this corner: the middle under the title is meant.
            region = free_region(self.slide(action), self.size)
            return Box(region.left + max(region.width - width, 0) // 2, region.top, width, height)
        return Box(emu(1.0 if left is None else left), emu(1.0 if top is None else top), width, height)

    def place(self, slide: Slide, wanted: Box, name: str, *, least: float = 0.5) -> Box | None:
        """Free place for something new; empty placeholders under it go."""
        found = find_place(slide, self.size, wanted, least=least)
        if found is None and tighten_texts(slide):
            found = find_place(slide, self.size, wanted, least=least)
        if found is None:
            return None
        if abs(found.left - wanted.left) + abs(found.top - wanted.top) > 720_000:
            self.warn("moved", name=name, number=self.deck.number_of(slide))
        drop_covered_placeholders(slide, found)
        return found

    def mark(self, shape: BaseShape, kind: str = "") -> None:
        """Name a shape after its block, so that a second run finds it."""
        if self.block:
            self.marks += 1
            shape.name = f"{PREFIX}{self.block}:{kind or self.marks}"

    def next_slide(self, slide: Slide) -> Slide:
        """Further slide for what did not fit: same layout and title."""
        number = self.deck.number_of(slide)
        made = self.deck.add_slide(slide.slide_layout, number + 1)
        title = slide.shapes.title
        if title is not None and made.shapes.title is not None:
            more = say("continued").text(self.language)
            made.shapes.title.text_frame.text = title.text_frame.text.removesuffix(more) + more
        self.mark_slide(made)
        self.warn("split", number=number)
        if self.current is not None and self.current.part is slide.part:
            self.current = made
        if self.position is not None:
            self.position += 1
        return made

    def mark_slide(self, slide: Slide) -> None:
        """Put an invisible shape with the block's name on a slide; names of slides and placeholders get lost."""
        if not self.block:
            return
        self.marks += 1
        shape = slide.shapes.add_textbox(0, 0, MARK_SIZE, MARK_SIZE)
        shape.name = f"{PREFIX}{self.block}:slide{self.marks}"

    def address(self, slide: Slide, shape: str = "") -> str:
        number = self.deck.number_of(slide)
        return f"s{number}.{shape}" if shape else f"s{number}"


def slide_texts(slide: Slide, language: Language) -> str:
    """All text of a slide, for the preview; its title is a heading."""
    lines = []
    for shape in slide.shapes:
        if shape.has_text_frame and shape.text_frame.text.strip():
            text = shape.text_frame.text.replace("\x0b", "\n")
            lines.append(f"# {' '.join(text.split())}" if is_title(shape) else text)
        elif getattr(shape, "has_table", False) and shape.has_table:
            for row in shape.table.rows:
                lines.append("\t".join(cell.text for cell in row.cells))
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            lines.append(say("chart_here").text(language))
    return "\n".join(lines)
