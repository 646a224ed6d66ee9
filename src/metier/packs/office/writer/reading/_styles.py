"""Styles of a document: names, heading levels, and the numbering that a style brings."""

import re
from typing import Final

from metier.packs.office.files import Package, XmlElement
from metier.packs.office.writer.reading._names import find, make, w, w_value, whole

__all__ = ["StyleTable"]

_HEADING: Final = re.compile(r"(?:heading|标题)\s*([1-9])", re.IGNORECASE)
_MAX_DEPTH: Final = 20
_USUAL_HALF_POINTS: Final = 21
_HEADING_SIZES: Final = (32, 30, 28, 26, 24, 24, 24, 24, 24)  # half points


class StyleTable:
    """Styles by id. Their elements are shared with other readers of the same styles until `open_to_change`."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self.part = next((one for one in package.list_relations(package.main_part, "styles") if one in package), "")
        self._levels: dict[str, int] = {}
        self._read(package.peek(self.part) if self.part else None)

    def open_to_change(self) -> None:
        """Let the elements be those of this document alone; they may be changed from then on."""
        if self.part:
            self._read(self._package.xml(self.part))
            self._package.touch(self.part)

    def _read(self, root: XmlElement | None) -> None:
        self.root = root
        self._styles: dict[str, XmlElement] = {}
        self._by_name: dict[str, str] = {}
        self.default_paragraph = ""
        for style in () if root is None else root.findall(w("style")):
            style_id = w_value(style, "styleId")
            self._styles[style_id] = style
            self._by_name.setdefault(w_value(find(style, "name")).lower(), style_id)
            is_default = w_value(style, "default") in ("1", "true", "on")
            if is_default and w_value(style, "type") == "paragraph":
                self.default_paragraph = style_id

    def name_of(self, style_id: str) -> str:
        """Name that people see; the id if the style is not defined."""
        return w_value(find(self._styles.get(style_id), "name")) or style_id

    def find_id(self, name: str, kind: str = "") -> str:
        """Id of a style by its id or name; empty if there is none."""
        found = name if name in self._styles else self._by_name.get(name.lower(), "")
        is_kind = not kind or not found or w_value(self._styles[found], "type") == kind
        return found if is_kind else ""

    def chain(self, style_id: str) -> list[XmlElement]:
        """The style and those it is based on."""
        found: list[XmlElement] = []
        while style_id in self._styles and len(found) < _MAX_DEPTH:
            found.append(self._styles[style_id])
            style_id = w_value(find(found[-1], "basedOn"))
        return found

    def heading_level(self, style_id: str) -> int:
        """1 to 9 for a heading style, by its outline level or its name; else 0."""
        if style_id not in self._levels:
            self._levels[style_id] = self._find_level(style_id)
        return self._levels[style_id]

    def _find_level(self, style_id: str) -> int:
        for style in self.chain(style_id):
            level = w_value(find(style, "pPr", "outlineLvl"))
            if level.isdecimal():
                return whole(level) + 1 if whole(level, 9) < 9 else 0
            name = w_value(find(style, "name")) or w_value(style, "styleId")
            if found := _HEADING.fullmatch(name.strip()):
                return int(found[1])
            if name.lower() == "title":
                return 1
        return 0

    def default_half_points(self) -> int:
        """Size of text that no style of its own says, in half points: of the default style, else of the document."""
        sizes = [w_value(find(style, "rPr", "sz")) for style in self.chain(self.default_paragraph)]
        sizes.append(w_value(find(self.root, "docDefaults", "rPrDefault", "rPr", "sz")))
        return whole(next((one for one in sizes if one.isdecimal()), ""), _USUAL_HALF_POINTS)

    def list_paragraph_styles(self) -> list[XmlElement]:
        """Every style of paragraphs."""
        return [one for one in self._styles.values() if w_value(one, "type") == "paragraph"]

    def numbering_of(self, style_id: str) -> tuple[str, str]:
        """Numbering id and level that the style brings; empty if none."""
        for style in self.chain(style_id):
            number = find(style, "pPr", "numPr")
            if number is not None and find(number, "numId") is not None:
                return w_value(find(number, "numId")), w_value(find(number, "ilvl"))
        return "", ""

    def is_hidden(self, style_id: str) -> bool:
        """Whether text in this style is hidden."""
        return any(find(style, "rPr", "vanish") is not None for style in self.chain(style_id))

    def ensure_heading(self, level: int) -> str:
        """Id of the style `heading N`, which is added if the document has none."""
        found = self.find_id(f"heading {level}", "paragraph") or self.find_id(f"标题 {level}", "paragraph")
        if found:
            return found
        size = str(_HEADING_SIZES[level - 1])
        style = make(
            "style",
            {"type": "paragraph", "styleId": f"Heading{level}"},
            make("name", {"val": f"heading {level}"}),
            *([make("basedOn", {"val": self.default_paragraph})] if self.default_paragraph else []),
            make("qFormat"),
            make(
                "pPr",
                None,
                make("keepNext"),
                make("keepLines"),
                make("spacing", {"before": "240", "after": "120"}),
                make("outlineLvl", {"val": str(level - 1)}),
            ),
            make("rPr", None, make("b"), make("bCs"), make("sz", {"val": size}), make("szCs", {"val": size})),
        )
        return self.add(style)

    def add(self, style: XmlElement) -> str:
        """Add a style to the document and return its id."""
        self.open_to_change()
        style_id = w_value(style, "styleId")
        if self.root is not None:
            self.root.append(style)
        self._styles[style_id] = style
        self._by_name[w_value(find(style, "name")).lower()] = style_id
        return style_id
