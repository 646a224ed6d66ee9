"""How each paragraph looks on the page: from its runs, its styles and the defaults of the document."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.files import Package, XmlElement, open_package
from metier.packs.office.writer.reading._names import find, w, w_value, whole
from metier.packs.office.writer.reading._read import walk_paragraphs
from metier.packs.office.writer.reading._runs import list_segments, text_of
from metier.packs.office.writer.reading._styles import StyleTable

__all__ = ["read_looks", "read_page_numbers"]

_ALIGNMENTS: Mapping[str, str] = {
    "left": "left", "start": "left", "center": "center", "right": "right", "end": "right", "both": "justify",
    "distribute": "justify",
}  # fmt: skip
_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MAX_PARAGRAPHS: Final = 4_000


def read_looks(path: Path) -> Mapping[str, JsonObject]:
    """Fields of `apply_paragraph_style` for each paragraph and cell of body, headers and footers, by its address."""
    package = open_package(path)
    reader = _LookReader(package)
    body = find(package.xml(package.main_part), "body")
    found: dict[str, JsonObject] = {}
    margins = ((f"{kind}{number}.", root) for kind, number, root in _iter_margins(package))
    places = (one for prefix, root in (("", body), *margins) for one in walk_paragraphs(root, prefix))
    for placed in places:
        address = placed.address.partition(".p")[0] if placed.kind == "cell" else placed.address
        if address not in found and len(found) < _MAX_PARAGRAPHS:
            found[address] = reader.read(placed.element)
    return found


def read_page_numbers(path: Path) -> JsonObject | None:
    """Page numbers as fields of `set_page_numbers`; None if the document has none."""
    package = open_package(path)
    reader, sides = _LookReader(package), []
    fields: JsonObject = {}
    for kind, number, root in _iter_margins(package):
        for placed in walk_paragraphs(root, f"{kind}{number}."):
            codes = _list_field_codes(placed.element)
            if "PAGE" not in codes:
                continue
            look = reader.read(placed.element)
            sides.append(look["alignment"])
            shown = text_of(placed.element).strip()
            form = "of_total" if "NUMPAGES" in codes else "dashes" if shown[:1] in ("—", "-", "–", "－") else "plain"
            form = "page_n" if form == "plain" and shown.startswith(("第", "Page")) else form
            fields = fields or {"format": form, "position": kind, "font": look.get("font", ""), "size": look["size"]}
    if not fields:
        return None
    is_outside = {"left", "right"} <= set(map(str, sides))
    alignment = "outside" if is_outside else "left" if sides[0] == "justify" else sides[0]
    return {**{name: value for name, value in fields.items() if value}, "alignment": alignment}


def _iter_margins(package: Package) -> Iterator[tuple[str, int, XmlElement]]:
    for kind in ("header", "footer"):
        parts = dict.fromkeys(package.list_relations(package.main_part, kind))
        for number, part in enumerate((one for one in parts if one in package), 1):
            yield kind, number, package.xml(part)


def _list_field_codes(paragraph: XmlElement) -> list[str]:
    codes = [one.text or "" for one in paragraph.iter(w("instrText"))]
    codes += [w_value(one, "instr") for one in paragraph.iter(w("fldSimple"))]
    return [code.split()[0] for code in codes if code.split()]


class _LookReader:
    """Reads looks in one document."""

    def __init__(self, package: Package) -> None:
        self._styles = StyleTable(package)
        self._run_defaults = find(self._styles.root, "docDefaults", "rPrDefault", "rPr")
        self._defaults = find(self._styles.root, "docDefaults", "pPrDefault", "pPr")
        self._theme = _read_theme(package)

    def read(self, paragraph: XmlElement) -> JsonObject:
        own = find(paragraph, "pPr")
        chain = self._styles.chain(w_value(find(own, "pStyle")) or self._styles.default_paragraph)
        levels = [own, *(find(style, "pPr") for style in chain), self._defaults]
        look: dict[str, JsonValue] = {**self._read_run(paragraph, chain), **_read_paragraph(levels)}
        return {name: value for name, value in look.items() if value is not None}

    def _read_run(self, paragraph: XmlElement, chain: Sequence[XmlElement]) -> dict[str, JsonValue]:
        """The look of the run that has most of the characters."""
        sizes: Counter[XmlElement] = Counter()
        for segment in list_segments(paragraph):
            if segment.run is not None:
                sizes[segment.run] += len(segment.text.strip())
        run = sizes.most_common(1)[0][0] if sizes else None
        own = find(run, "rPr")
        character = self._styles.chain(w_value(find(own, "rStyle")))
        inherited = [find(style, "rPr") for style in (*character, *chain)]
        levels = [own, *inherited, self._run_defaults]
        size = _first(levels, "sz", "val")
        color = _first(levels, "color", "val")
        return {
            "font": self._find_font(levels, "eastAsia"),
            "latin_font": self._find_font(levels, "ascii"),
            "size": whole(size, 20) / 2 if size else 10.0,
            "bold": _is_on(levels, "b"),
            "italic": _is_on(levels, "i"),
            "color": color if len(color) == 6 else "000000",
        }

    def _find_font(self, levels: Sequence[XmlElement | None], script: str) -> str | None:
        """The nearest font; one of the theme stands before a name at the same place."""
        for level in levels:
            fonts = find(level, "rFonts")
            if found := self._theme.get(w_value(fonts, f"{script}Theme")):
                return found
            if named := w_value(fonts, script):
                return named
        return None


def _read_paragraph(levels: Sequence[XmlElement | None]) -> dict[str, JsonValue]:
    rule, line = _first(levels, "spacing", "lineRule") or "auto", whole(_first(levels, "spacing", "line"), 240)
    chars = _first(levels, "ind", "firstLineChars")
    indent = whole(_first(levels, "ind", "firstLine"), 0)
    first: dict[str, JsonValue] = (
        {"first_line_chars": whole(chars, 0) / 100} if whole(chars, 0) > 0 else {"first_line_points": indent / 20}
    )
    if not whole(chars, 0) and not indent:
        first = {"first_line_chars": 0}
    spacing: dict[str, JsonValue] = (
        {"line_multiple": round(line / 240, 2)} if rule == "auto" else {"line_points": round(line / 20, 2)}
    )
    return {
        "alignment": _ALIGNMENTS.get(_first(levels, "jc", "val"), "left"),
        **spacing,
        **first,
        "left_points": max(0, whole(_first(levels, "ind", "left") or _first(levels, "ind", "start"), 0)) / 20,
        "right_chars": max(0, whole(_first(levels, "ind", "rightChars"), 0)) / 100,
        "space_before": max(0, whole(_first(levels, "spacing", "before"), 0)) / 20,
        "space_after": max(0, whole(_first(levels, "spacing", "after"), 0)) / 20,
    }


def _first(levels: Sequence[XmlElement | None], name: str, attribute: str) -> str:
    """The nearest value of an attribute; empty if none of the levels has it."""
    return next((value for level in levels if (value := w_value(find(level, name), attribute))), "")


def _is_on(levels: Sequence[XmlElement | None], name: str) -> bool:
    element = next((found for level in levels if (found := find(level, name)) is not None), None)
    return element is not None and w_value(element) not in ("0", "false", "off")


def _read_theme(package: Package) -> Mapping[str, str]:
    """Fonts of the theme under the names that runs use, such as `minorEastAsia`."""
    part = next((one for one in package.list_relations(package.main_part, "theme") if one in package), "")
    return dict(_iter_fonts(package.xml(part))) if part else {}


def _iter_fonts(root: XmlElement) -> Iterator[tuple[str, str]]:
    for group in ("major", "minor"):
        fonts = next(root.iter(f"{_A}{group}Font"), None)
        if fonts is None:
            continue
        hans = next((one.get("typeface", "") for one in fonts.iter(f"{_A}font") if one.get("script") == "Hans"), "")
        for tag, name in (("latin", "Ascii"), ("latin", "HAnsi"), ("ea", "EastAsia")):
            found = next(fonts.iter(f"{_A}{tag}"), None)
            typeface = found.get("typeface", "") if found is not None else ""
            if face := typeface or (hans if tag == "ea" else ""):
                yield f"{group}{name}", face
