"""A presentation that is changed: slides in their order, saved so that untouched parts keep their bytes."""

import copy
import hashlib
import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from lxml import etree
from pptx import Presentation
from pptx.opc.constants import CONTENT_TYPE as CT
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.parts.slide import SlidePart
from pptx.slide import Slide, SlideLayout
from pptx.util import Emu

from metier.packs.office.files import OfficeFileError, open_package, open_parts
from metier.packs.office.ooxml import canonical_xml, parse_xml
from metier.packs.office.slides._sample_look import dress_placeholders, has_subtitle
from metier.packs.office.slides._sections import number_section_slides, settle_sections

_R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_TYPES: Final = "[Content_Types].xml"
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_TABLE_STYLES: Final = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<a:tblStyleLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'def="{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"/>'
)
# PowerPoint's numbers of layouts and the types that templates give them.
_LAYOUTS: Final = (
    (1, ("title",)),
    (2, ("obj", "tx")),
    (3, ("twoObj", "twoTxTwoObj", "twoColTx")),
    (29, ("twoObj", "twoTxTwoObj")),
    (33, ("secHead",)),
    (11, ("titleOnly",)),
    (12, ("blank",)),
    (34, ("twoTxTwoObj",)),
    (36, ("picTx",)),
)


class Deck:
    """Slides of one file. Slide parts keep their names, whatever their order."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        try:
            self.presentation = Presentation(io.BytesIO(_as_presentation(content)))
            self.width, self.height = int(self.presentation.slide_width or 0), int(self.presentation.slide_height or 0)
        except (KeyError, ValueError, AttributeError, etree.XMLSyntaxError, zipfile.BadZipFile) as error:
            raise OfficeFileError("corrupt", name="pptx") from error
        self.part = self.presentation.part

    @classmethod
    def open(cls, path: Path, *, to_change: bool = False) -> "Deck":
        """Open a file; `OfficeFileError` says why not."""
        package = open_package(path)
        if to_change:
            package.check_writable()
        if package.kind != "pptx":
            raise OfficeFileError("wrong_ending", name=path.name, kind=package.kind)
        return cls(package.content)

    @property
    def has_macros(self) -> bool:
        return any(one.reltype.endswith("/vbaProject") for one in self.part.rels.values())

    def slides(self) -> list[Slide]:
        """Slides in their order; the library's own list would rename their parts."""
        return [self.part.related_slide(one.rId) for one in self._ids()]

    def _ids(self) -> list[etree._Element]:
        return list(self.part._element.get_or_add_sldIdLst())

    def layouts(self) -> list[SlideLayout]:
        """Layouts of all masters."""
        return [layout for master in self.presentation.slide_masters for layout in master.slide_layouts]

    def find_layout(self, number: int) -> SlideLayout | None:
        """Layout by PowerPoint's number, else by its place in the template."""
        layouts = self.layouts()
        for wanted, types in _LAYOUTS:
            if wanted == number:
                for kind in types:
                    found = [one for one in layouts if one._element.get("type") == kind]
                    if found:
                        return self._pick_used(found, is_cover=number == 1)
                return self._similar_layout(number)
        return layouts[number - 1] if 1 <= number <= len(layouts) else None

    def _pick_used(self, layouts: Sequence[SlideLayout], *, is_cover: bool) -> SlideLayout:
        """Of layouts that fit alike the one that covers, or the other slides, use, or at least their master.

        LibreOffice writes a master with all layouts for each layout that is used: the cover's has the cover's look.
        """
        used = [one.slide_layout for one in self.slides() if has_subtitle(one) == is_cover]

        def _count_uses(layout: SlideLayout) -> tuple[int, int]:
            master = layout.slide_master.part
            return sum(one.part is layout.part for one in used), sum(one.slide_master.part is master for one in used)

        return max(layouts, key=_count_uses)

    def _similar_layout(self, number: int) -> SlideLayout:
        """Layout with the placeholders that this number stands for."""
        wanted = {1: (True, False), 2: (True, True), 11: (True, False), 12: (False, False)}.get(number, (True, True))

        def _score(layout: SlideLayout) -> int:
            kinds = [int(one.placeholder_format.type or 0) for one in layout.placeholders]
            has_title = any(kind in (1, 3) for kind in kinds)
            bodies = sum(kind in (2, 7) for kind in kinds)
            lacks_subtitle = number == 1 and 4 not in kinds
            return abs(has_title - wanted[0]) * 3 + abs(bodies - int(wanted[1])) * 2 + lacks_subtitle

        layouts = self.layouts()
        least = min(map(_score, layouts))
        return self._pick_used([one for one in layouts if _score(one) == least], is_cover=number == 1)

    def add_slide(self, layout: SlideLayout, position: int | None = None) -> Slide:
        """Add a slide; the position counts from 1, without one it is the last."""
        partname = self._free_name()
        part = SlidePart.new(partname, self.part.package, layout.part)
        relation = self.part.relate_to(part, RT.SLIDE)
        slide = part.slide
        slide.shapes.clone_layout_placeholders(layout)
        _place_alike(slide, layout)
        dress_placeholders(slide, self.slides(), self.presentation)
        self.part._element.get_or_add_sldIdLst().add_sldId(relation)
        self._settle_sections()
        if position is not None:
            self.move(len(self._ids()), position)
        return slide

    def _free_name(self) -> PackURI:
        taken = {str(part.partname) for part in self.part.package.iter_parts()}
        number = 1
        while f"/ppt/slides/slide{number}.xml" in taken:
            number += 1
        return PackURI(f"/ppt/slides/slide{number}.xml")

    def number_of(self, slide: Slide) -> int:
        """Place of a slide, from 1."""
        return next(at for at, one in enumerate(self.slides(), 1) if one.part is slide.part)

    def move(self, source: int, target: int) -> None:
        """Move the slide at one place to another, both from 1."""
        ids = self.part._element.get_or_add_sldIdLst()
        moved = ids[source - 1]
        ids.remove(moved)
        ids.insert(max(0, min(target - 1, len(ids))), moved)
        self._settle_sections()

    def _settle_sections(self) -> None:
        settle_sections(self.part._element, [str(one.get("id")) for one in self._ids()])

    def delete(self, number: int) -> None:
        """Remove a slide, its part and its place in the show."""
        found = self._ids()[number - 1]
        relation = found.rId
        found.getparent().remove(found)
        self.part.drop_rel(relation)
        self._settle_sections()

    def duplicate(self, number: int, position: int | None) -> Slide:
        """Copy a slide with its pictures and charts; charts get data of their own."""
        source = self.slides()[number - 1]
        slide = self.add_slide(source.slide_layout, position)
        tree = slide.shapes._spTree
        for one in list(tree)[2:]:
            tree.remove(one)
        ids = {}
        for relation in source.part.rels.values():
            if relation.reltype in (RT.SLIDE_LAYOUT, RT.NOTES_SLIDE):
                continue
            if relation.is_external:
                ids[relation.rId] = slide.part.relate_to(relation.target_ref, relation.reltype, is_external=True)
            else:
                ids[relation.rId] = slide.part.relate_to(self._copy_part(relation.target_part), relation.reltype)
        for one in list(source.shapes._spTree)[2:]:
            tree.append(_with_relations(copy.deepcopy(one), ids))
        background = source._element.cSld.find("{*}bg")
        if background is not None:
            slide._element.cSld.insert(0, _with_relations(copy.deepcopy(background), ids))
        return slide

    def _copy_part(self, part: Part) -> Part:
        """Pictures are shared; a chart and its workbook are copied."""
        if "/charts/" not in str(part.partname) and "/embeddings/" not in str(part.partname):
            return part
        name = str(part.partname)
        stem, dot, ending = name.rpartition(".")
        pattern = f"{stem.rstrip('0123456789')}%d{dot}{ending}"
        made = type(part).load(
            self.part.package.next_partname(pattern), part.content_type, self.part.package, part.blob
        )
        for relation in part.rels.values():
            if not relation.is_external:
                target = self._copy_part(relation.target_part)
                made.rels._rels[relation.rId] = type(relation)(
                    made.partname.baseURI, relation.rId, relation.reltype, "Internal", target
                )
        return made

    def ensure_table_styles(self) -> None:
        """Add the part for styles of tables, which LibreOffice leaves out; without it tables show no style."""
        if not any(one.reltype == RT.TABLE_STYLES for one in self.part.rels.values()):
            name = PackURI("/ppt/tableStyles.xml")
            part = Part(name, CT.PML_TABLE_STYLES, self.part.package, _TABLE_STYLES.encode())
            self.part.relate_to(part, RT.TABLE_STYLES)

    def digest(self) -> str:
        """Digest of what the deck shows, whatever ids and names its parts have."""
        digest = hashlib.sha256()
        for slide in self.slides():
            digest.update(_describe(slide.part, 0))
        root = copy.deepcopy(self.part._element)
        number_section_slides(root, [str(one.get("id")) for one in self._ids()])
        for name in ("sldIdLst", "custDataLst"):
            for one in root.findall(f"{{*}}{name}"):
                root.remove(one)
        digest.update(canonical_xml(root))
        for master in self.presentation.slide_masters:
            digest.update(canonical_xml(master._element))
            digest.update(next((r.target_part.blob for r in master.part.rels.values() if r.reltype == RT.THEME), b""))
        core = self.presentation.core_properties
        digest.update("|".join([core.title, core.author, core.subject, core.comments]).encode())
        return digest.hexdigest()

    def to_bytes(self) -> bytes:
        """The file; parts that say the same as before keep their bytes and their place. A template stays one."""
        buffer = io.BytesIO()
        self.presentation.save(buffer)
        return _keep_untouched(self.content, buffer.getvalue())

    def to_presentation(self) -> bytes:
        """The file as a presentation, also if it was opened from a template."""
        return _as_presentation(self.to_bytes())

    def emu(self, centimetres: float) -> int:
        return int(Emu(int(centimetres * 360_000)))


def _place_alike(slide: Slide, layout: SlideLayout) -> None:
    """Give placeholders the places of the layout where they could not be told apart by their numbers.

    LibreOffice writes layouts whose placeholders all have the number 0.
    """
    patterns = list(layout.iter_cloneable_placeholders())
    if len({one.placeholder_format.idx for one in patterns}) == len(patterns):
        return
    shapes = [one for one in slide.shapes if one.is_placeholder]
    for shape, pattern in zip(shapes, patterns, strict=False):
        shape.left, shape.top, shape.width, shape.height = pattern.left, pattern.top, pattern.width, pattern.height


def _with_relations(element: etree._Element, ids: dict[str, str]) -> etree._Element:
    for one in element.iter():
        for name, value in one.attrib.items():
            if name.startswith(_R) and value in ids:
                one.set(name, ids[value])
    return element


def _describe(part: Part, depth: int) -> bytes:
    """What a part says, with the parts it names in place of their ids."""
    known = {}
    for relation in part.rels.values():
        if relation.is_external:
            known[relation.rId] = relation.target_ref
        elif relation.reltype in (RT.SLIDE_LAYOUT, RT.SLIDE, RT.NOTES_MASTER, RT.THEME) or depth > 4:
            known[relation.rId] = str(relation.target_part.partname) if relation.reltype != RT.SLIDE else ""
        else:
            known[relation.rId] = hashlib.sha256(_describe(relation.target_part, depth + 1)).hexdigest()
    blob = part.blob
    if not str(part.partname).endswith((".xml", ".rels")):
        return hashlib.sha256(blob).digest()
    root = _with_relations(parse_xml(blob), known)
    unused = sorted(value for key, value in known.items() if key.encode() not in blob)
    return canonical_xml(root) + "|".join(unused).encode()


def _as_presentation(content: bytes) -> bytes:
    """A template or show as a presentation, which is all the library opens; others as they are."""
    with open_parts(content) as archive:
        types = archive.read(_TYPES)
        plain = types
        for kind in (b"template", b"slideshow"):
            plain = plain.replace(b"presentationml." + kind + b".main+xml", b"presentationml.presentation.main+xml")
        if plain == types:
            return content
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
            for info in archive.entries:
                fresh = zipfile.ZipInfo(info.filename, info.date_time)
                fresh.compress_type = zipfile.ZIP_DEFLATED
                made.writestr(fresh, plain if info.filename == _TYPES else archive.read(info))
    return target.getvalue()


def _main_type(types: bytes) -> bytes:
    """Kind of the main part: presentation, template or slideshow."""
    kinds = (b"template", b"slideshow", b"presentation")
    return next((kind for kind in kinds if b"presentationml." + kind + b".main+xml" in types), b"presentation")


def _keep_untouched(before: bytes, after: bytes) -> bytes:
    target = io.BytesIO()
    with (
        open_parts(before) as old,
        open_parts(after) as new,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        names = set(new.names)
        known = [info for info in old.entries if info.filename in names]
        for info in known:
            one, other = old.read(info), new.read(info.filename)
            if info.filename == _TYPES:
                wanted = b"presentationml." + _main_type(one) + b".main+xml"
                other = other.replace(b"presentationml.presentation.main+xml", wanted)
            info_copy = zipfile.ZipInfo(info.filename, info.date_time)
            info_copy.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info_copy, one if _same_part(info.filename, one, other) else other)
        for name in sorted(names - {info.filename for info in known}):
            info_copy = zipfile.ZipInfo(name, _DATE)
            info_copy.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info_copy, new.read(name))
    return target.getvalue()


def _same_part(name: str, one: bytes, other: bytes) -> bool:
    if one == other:
        return True
    if not name.endswith((".xml", ".rels")):
        return False
    try:
        # The library leaves out the blanks by which LibreOffice indents masters and layouts.
        first, second = parse_xml(one, is_indented=True), parse_xml(other, is_indented=True)
    except etree.XMLSyntaxError:
        return False
    if name == _TYPES:
        return sorted(_types(first)) == sorted(_types(second))
    if name.endswith(".rels"):
        return sorted(_targets(first, name)) == sorted(_targets(second, name))
    return canonical_xml(first) == canonical_xml(second)


def _types(root: etree._Element) -> Iterator[tuple[str, ...]]:
    for one in root:
        yield tuple(sorted(one.attrib.values()))


def _targets(root: etree._Element, name: str) -> Iterator[tuple[str, ...]]:
    """Relationships with absolute targets, because programs write them in two ways."""
    import posixpath

    base = posixpath.dirname(posixpath.dirname(f"/{name}"))
    for one in root:
        target = str(one.get("Target"))
        if one.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join(base, target))
        yield str(one.get("Id")), str(one.get("Type")), target
