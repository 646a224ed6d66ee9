"""A workbook as parts: sheets, styles, names and tables, opened when they are needed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from lxml import etree

from metier.packs.office._step_error import PlanStepError
from metier.packs.office.files import OfficeFileError
from metier.packs.office.ooxml import OoxmlParts
from metier.packs.office.sheets._addresses import BadAddress, CellArea, parse_area, split_sheet
from metier.packs.office.sheets._cell_xml import unescape_text
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN, BookStyles

RELATION: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_SHEET_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
_STYLES_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"
_BAD_NAME: Final = re.compile(r"[\[\]:*?/\\]")
_ORDER: Final = (
    "fileVersion",
    "fileSharing",
    "workbookPr",
    "workbookProtection",
    "bookViews",
    "sheets",
    "functionGroups",
    "externalReferences",
    "definedNames",
    "calcPr",
    "oleSize",
    "customWorkbookViews",
    "pivotCaches",
    "smartTagPr",
    "smartTagTypes",
    "webPublishing",
    "fileRecoveryPr",
    "webPublishObjects",
    "extLst",
)


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A sheet as the workbook lists it."""

    name: str
    part: str
    state: str
    kind: str


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table (list object) of a sheet."""

    name: str
    sheet: str
    part: str
    area: CellArea
    columns: tuple[str, ...]
    has_header: bool
    has_totals: bool


class WorkbookParts:
    """One workbook that is read or changed."""

    def __init__(self, parts: OoxmlParts) -> None:
        self.parts = parts
        found = parts.list_related("", "officeDocument")
        if not found or not parts.has(found[0].target):
            raise KeyError("workbook")
        self.part = found[0].target
        self.root = parts.xml(self.part)
        if self.root.tag != f"{MAIN}workbook":
            raise PlanStepError("strict_format", "file", say("strict_format"))
        self._sheets: dict[str, SheetPart] = {}
        self._entries: list[SheetEntry] | None = None

    @classmethod
    def open(cls, path: Path, *, to_change: bool = False) -> "WorkbookParts":
        """Open a file; `OfficeFileError` if it is no workbook."""
        try:
            return cls(OoxmlParts.open_to_change(path) if to_change else OoxmlParts.open(path))
        except (KeyError, etree.XMLSyntaxError) as error:
            raise OfficeFileError("corrupt", name=path.name) from error

    def entries(self) -> list[SheetEntry]:
        """Sheets in the order of their tabs."""
        if self._entries is None:
            self._entries = self._read_entries()
        return self._entries

    def _read_entries(self) -> list[SheetEntry]:
        relations = {one.id: one for one in self.parts.relationships(self.part)}
        entries = []
        for one in self.root.iterfind(f"{MAIN}sheets/{MAIN}sheet"):
            relation = relations.get(str(one.get(RELATION)))
            if relation is not None and self.parts.has(relation.target):
                kind = relation.type.rpartition("/")[2]
                entries.append(SheetEntry(str(one.get("name")), relation.target, one.get("state", "visible"), kind))
        return entries

    def entry(self, name: str) -> SheetEntry | None:
        """Sheet of this name; else of this name with letters in any case and with or without blanks around it."""
        said = name.strip().lower()
        alike = [one for one in self.entries() if one.name.strip().lower() == said]
        return next((one for one in alike if one.name == name), alike[0] if alike else None)

    def sheet(self, name: str) -> SheetPart:
        """Cells of a sheet; `KeyError` if there is none."""
        entry = self.entry(name)
        if entry is None or entry.kind != "worksheet":
            raise KeyError(name)
        if entry.name not in self._sheets:
            root = self.parts.xml(entry.part)
            self._sheets[entry.name] = SheetPart(entry.name, entry.part, root, self.string)
        return self._sheets[entry.name]

    def sheets(self) -> Iterator[SheetPart]:
        """All sheets with cells."""
        for entry in self.entries():
            if entry.kind == "worksheet":
                yield self.sheet(entry.name)

    @cached_property
    def _strings(self) -> list[str]:
        found = self.parts.list_related(self.part, "sharedStrings")
        if not found or not self.parts.has(found[0].target):
            return []
        return [shared_text(one) for one in self.parts.xml(found[0].target).iterchildren(f"{MAIN}si")]

    def string(self, index: int) -> str:
        """Shared text by its number."""
        return self._strings[index] if 0 <= index < len(self._strings) else ""

    @cached_property
    def styles(self) -> BookStyles:
        found = self.parts.list_related(self.part, "styles")
        if found and self.parts.has(found[0].target):
            return BookStyles(self.parts.xml(found[0].target))
        name = self.part.rpartition("/")[0] + "/styles.xml"
        self.parts.put_xml(name, etree.fromstring(_EMPTY_STYLES), _STYLES_TYPE)
        self.parts.relate(self.part, "styles", name)
        return BookStyles(self.parts.xml(name))

    @property
    def is_1904(self) -> bool:
        found = self.root.find(f"{MAIN}workbookPr")
        return found is not None and found.get("date1904") in ("1", "true")

    @property
    def active(self) -> SheetEntry:
        """Sheet that is shown when the file opens."""
        view = self.root.find(f"{MAIN}bookViews/{MAIN}workbookView")
        number = int(view.get("activeTab", "0")) if view is not None else 0
        entries = [one for one in self.entries() if one.kind == "worksheet"]
        listed = self.entries()
        if number < len(listed) and listed[number].kind == "worksheet":
            return listed[number]
        return entries[0]

    def activate(self, name: str) -> None:
        """Show this sheet when the file opens."""
        number = [one.name for one in self.entries()].index(name)
        views = self.child("bookViews")
        view = views.find(f"{MAIN}workbookView")
        if view is None:
            view = etree.SubElement(views, f"{MAIN}workbookView")
        if int(view.get("activeTab", "0")) == number:
            return
        view.set("activeTab", str(number))
        for sheet in self.sheets():
            for one in sheet.root.iterfind(f"{MAIN}sheetViews/{MAIN}sheetView"):
                if sheet.name == name:
                    one.set("tabSelected", "1")
                elif "tabSelected" in one.attrib:
                    del one.attrib["tabSelected"]

    def add_sheet(self, name: str, root: etree._Element | None = None) -> SheetPart:
        """Add a sheet after the last one: this one, or an empty one."""
        folder = self.part.rpartition("/")[0]
        part = self.parts.free_name(f"{folder}/worksheets/sheet%d.xml")
        self.parts.put_xml(part, _empty_sheet() if root is None else root, _SHEET_TYPE)
        relation = self.parts.relate(self.part, "worksheet", part)
        sheets = self.child("sheets")
        number = max([0, *(int(one.get("sheetId", "0")) for one in sheets)]) + 1
        etree.SubElement(sheets, f"{MAIN}sheet", {"name": name, "sheetId": str(number), RELATION: relation})
        self._entries = None
        return self.sheet(name)

    def rename(self, old: str, new: str) -> None:
        """Name a sheet anew; references to it are the caller's."""
        for one in self.root.iterfind(f"{MAIN}sheets/{MAIN}sheet"):
            if one.get("name") == old:
                one.set("name", new)
        self._entries = None
        sheet = self._sheets.pop(old, None)
        if sheet is not None:
            sheet.name = new
            self._sheets[new] = sheet

    def delete_sheet(self, name: str) -> None:
        """Remove a sheet, its part and its own names; the active sheet stays the same or becomes the first."""
        entries = [one.name for one in self.entries()]
        number, active = entries.index(name), self.active.name
        entry = self.entries()[number]
        for one in list(self.child("sheets")):
            if one.get("name") == name:
                self.parts.unrelate(self.part, str(one.get(RELATION)))
                self.child("sheets").remove(one)
        names = self.root.find(f"{MAIN}definedNames")
        for one in list(names) if names is not None else ():
            local = one.get("localSheetId")
            if local == str(number):
                names.remove(one)
            elif local is not None and int(local) > number:
                one.set("localSheetId", str(int(local) - 1))
            if any(owner.lower() == name.lower() for owner, _ in parse_areas(one.text or "")):
                one.text = "#REF!"
        if names is not None and not len(names):
            self.root.remove(names)
        self.parts.remove(entry.part)
        self._sheets.pop(name, None)
        self._entries = None
        view = self.root.find(f"{MAIN}bookViews/{MAIN}workbookView")
        if view is not None:
            left = [one.name for one in self.entries()]
            view.set("activeTab", str(left.index(active) if active in left else 0))
            view.attrib.pop("firstSheet", None)

    def child(self, name: str) -> etree._Element:
        """Child of the workbook, put in its place if it is missing."""
        found = self.root.find(f"{MAIN}{name}")
        if found is not None:
            return found
        made = etree.Element(f"{MAIN}{name}")
        later = {f"{MAIN}{one}" for one in _ORDER[_ORDER.index(name) + 1 :]}
        place = next((at for at, one in enumerate(self.root) if one.tag in later), len(self.root))
        self.root.insert(place, made)
        return made

    def defined_name(self, name: str, sheet: str = "") -> str | None:
        """Formula behind a name; a name of the sheet before one of the workbook."""
        entries = [one.name for one in self.entries()]
        local = str(entries.index(sheet)) if sheet in entries else ""
        found = None
        for one in self.root.iterfind(f"{MAIN}definedNames/{MAIN}definedName"):
            if str(one.get("name")).lower() == name.lower():
                if one.get("localSheetId") == local:
                    return str(one.text or "")
                if one.get("localSheetId") is None:
                    found = one.text
        return found

    def set_name(self, name: str, formula: str | None, *, sheet: str = "", is_hidden: bool = False) -> None:
        """Define a name, or remove it with None."""
        local = str([one.name for one in self.entries()].index(sheet)) if sheet else None
        found = None
        for one in self.root.iterfind(f"{MAIN}definedNames/{MAIN}definedName"):
            if str(one.get("name")).lower() == name.lower() and one.get("localSheetId") == local:
                found = one
        if formula is None:
            names = self.root.find(f"{MAIN}definedNames")
            if found is not None and names is not None:
                names.remove(found)
                if not len(names):
                    self.root.remove(names)
            return
        if found is None:
            attributes = {"name": name, **({"localSheetId": local} if local is not None else {})}
            found = etree.Element(f"{MAIN}definedName", {**attributes, **({"hidden": "1"} if is_hidden else {})})
            names = self.child("definedNames")
            # Programs expect the names in the order of the alphabet.
            place = next(
                (at for at, one in enumerate(names) if str(one.get("name")).lower() > name.lower()), len(names)
            )
            names.insert(place, found)
        found.text = formula

    def names(self) -> dict[str, str]:
        """Names of the workbook and the formulas behind them."""
        found = self.root.iterfind(f"{MAIN}definedNames/{MAIN}definedName")
        return {str(one.get("name")): one.text or "" for one in found if one.get("localSheetId") is None}

    def tables(self) -> list[SheetTable]:
        """Tables of all sheets."""
        found = []
        for entry in self.entries():
            for relation in self.parts.list_related(entry.part, "table"):
                if self.parts.has(relation.target):
                    table = _read_table(self.parts.xml(relation.target), entry.name, relation.target)
                    found.extend([] if table is None else [table])
        return found

    def drop_calculation_chain(self) -> None:
        """Remove the order of calculation, which programs build again; a wrong one damages the file."""
        for relation in self.parts.list_related(self.part, "calcChain"):
            self.parts.unrelate(self.part, relation.id)
            if self.parts.has(relation.target):
                self.parts.remove(relation.target)

    def calculate_on_load(self) -> None:
        """Ask the program that opens the file to calculate everything."""
        self.child("calcPr").set("fullCalcOnLoad", "1")


def _empty_sheet() -> etree._Element:
    root = etree.Element(f"{MAIN}worksheet", nsmap={None: MAIN[1:-1]})
    views = etree.SubElement(root, f"{MAIN}sheetViews")
    etree.SubElement(views, f"{MAIN}sheetView", workbookViewId="0")
    etree.SubElement(root, f"{MAIN}sheetFormatPr", defaultRowHeight="15")
    etree.SubElement(root, f"{MAIN}sheetData")
    return root


def shared_text(item: etree._Element) -> str:
    """Text of a shared string without its reading aids."""
    return unescape_text(
        "".join(
            one.text or ""
            for one in item.iter(f"{MAIN}t")
            if one.getparent() is not None and one.getparent().tag != f"{MAIN}rPh"
        )
    )


def is_sheet_name(name: str) -> bool:
    """Whether programs accept this name of a sheet."""
    return 0 < len(name) <= 31 and not _BAD_NAME.search(name) and not name.startswith("'") and not name.endswith("'")


def parse_areas(formula: str) -> list[tuple[str, CellArea]]:
    """Ranges of a name: `'a b'!$A$1:$B$2,Sheet2!$C$3`; empty if it is something else."""
    areas = []
    for part in re.split(r",(?=(?:[^']*'[^']*')*[^']*$)", formula):
        sheet, rest = split_sheet(part)
        try:
            areas.append((sheet or "", parse_area(rest)))
        except BadAddress:
            return []
    return areas


def _read_table(root: etree._Element, sheet: str, part: str) -> SheetTable | None:
    try:
        area = parse_area(str(root.get("ref")))
    except BadAddress:
        return None
    columns = tuple(str(one.get("name")) for one in root.iterfind(f"{MAIN}tableColumns/{MAIN}tableColumn"))
    has_header = root.get("headerRowCount", "1") != "0"
    name = str(root.get("displayName") or root.get("name"))
    return SheetTable(name, sheet, part, area, columns, has_header, root.get("totalsRowCount", "0") != "0")


_EMPTY_STYLES: Final = (
    f'<styleSheet xmlns="{MAIN[1:-1]}"><fonts count="1"><font><sz val="11"/><name val="等线"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)
