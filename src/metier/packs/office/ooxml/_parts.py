"""Zip package of an Office file. Parts are parsed when they are needed and written back only if their XML changed."""

import hashlib
import io
import posixpath
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from lxml import etree

from metier.packs.office.files import open_package, open_parts

CONTENT_TYPES: Final = "[Content_Types].xml"
_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_RELATIONS: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_RELATIONS_TYPE: Final = "application/vnd.openxmlformats-package.relationships+xml"
# The same date in every file, so that the same change gives the same bytes.
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_MAX_COMPARED_BYTES: Final = 2_000_000
_STRICT: Final = "http://purl.oclc.org/ooxml/officeDocument/relationships/"
_TRANSITIONAL: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


@dataclass(frozen=True, slots=True)
class Relationship:
    """A part that another part names; `target` is a part's name, or an address outside."""

    id: str
    type: str
    target: str
    is_external: bool = False


def parse_xml(content: bytes, *, is_indented: bool = False) -> etree._Element:
    """Parse without entities, network or external files; of an indented part without the blanks between elements."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, remove_blank_text=is_indented
    )
    return etree.fromstring(content, parser)


def canonical_xml(root: etree._Element) -> bytes:
    """Bytes that are equal if and only if two trees say the same."""
    return bytes(etree.tostring(root, method="c14n"))


class OoxmlParts:
    """Parts of one file. What nobody changes is written as it was read."""

    def __init__(self, content: bytes) -> None:
        self._infos: dict[str, ZipInfo] = {}
        self._bytes: dict[str, bytes] = {}
        self._original: dict[str, bytes] = {}
        self._trees: dict[str, etree._Element] = {}
        self._seen: dict[str, bytes] = {}
        with open_parts(content) as archive:
            for info in archive.entries:
                if info.is_dir():
                    continue
                self._infos[info.filename] = info
                self._original[info.filename] = archive.read(info)
        self._bytes.update(self._original)

    @classmethod
    def open(cls, path: Path) -> "OoxmlParts":
        """Read a file; `OfficeFileError` if it is damaged, hostile, locked by a password or of another kind."""
        return cls(open_package(path).content)

    @classmethod
    def open_to_change(cls, path: Path) -> "OoxmlParts":
        """Read a file that will be changed; a signed or protected one is refused."""
        package = open_package(path)
        package.check_writable()
        return cls(package.content)

    @property
    def names(self) -> list[str]:
        """Names of all parts, in the order of the file."""
        return list(self._bytes)

    def has(self, name: str) -> bool:
        return name in self._bytes

    def read(self, name: str) -> bytes:
        """Bytes of a part as they would be written now; `KeyError` if there is none."""
        if name in self._trees:
            self._settle(name)
        return self._bytes[name]

    def xml(self, name: str) -> etree._Element:
        """Root element of a part; what is changed in it is written."""
        if name not in self._trees:
            self._trees[name] = parse_xml(self._bytes[name])
            self._seen[name] = hashlib.sha256(_serialize(self._trees[name])).digest()
        return self._trees[name]

    def put(self, name: str, content: bytes, content_type: str = "") -> None:
        """Add or replace a part."""
        self._trees.pop(name, None)
        if self._bytes.get(name) != content:
            self._bytes[name] = content
        if content_type:
            self.set_content_type(name, content_type)

    def put_xml(self, name: str, root: etree._Element, content_type: str = "") -> None:
        """Add or replace a part; a part that says the same keeps its bytes."""
        if name in self._bytes and canonical_xml(parse_xml(self.read(name))) == canonical_xml(root):
            return
        self.put(name, _serialize(root), content_type)

    def remove(self, name: str) -> None:
        """Remove a part, its relationships and its content type."""
        for one in (name, _relations_name(name)):
            self._bytes.pop(one, None)
            self._trees.pop(one, None)
        types = self.xml(CONTENT_TYPES)
        for override in types.findall(f"{_TYPES}Override"):
            if override.get("PartName") == f"/{name}":
                types.remove(override)

    def free_name(self, pattern: str) -> str:
        """First name `pattern % number` that no part has."""
        number = 1
        while self.has(pattern % number):
            number += 1
        return pattern % number

    def content_type(self, name: str) -> str:
        types = self.xml(CONTENT_TYPES)
        for override in types.findall(f"{_TYPES}Override"):
            if override.get("PartName") == f"/{name}":
                return str(override.get("ContentType"))
        ending = name.rpartition(".")[2].lower()
        for default in types.findall(f"{_TYPES}Default"):
            if str(default.get("Extension")).lower() == ending:
                return str(default.get("ContentType"))
        return ""

    def set_content_type(self, name: str, content_type: str) -> None:
        """Name the type of a part; pictures share a default by their ending."""
        if self.content_type(name) == content_type:
            return
        types = self.xml(CONTENT_TYPES)
        ending = name.rpartition(".")[2]
        if content_type.startswith("image/"):
            first = etree.Element(f"{_TYPES}Default", Extension=ending, ContentType=content_type)
            types.insert(0, first)
        else:
            etree.SubElement(types, f"{_TYPES}Override", PartName=f"/{name}", ContentType=content_type)

    def relationships(self, name: str) -> list[Relationship]:
        """What a part names; the package itself is the name `""`."""
        relations = _relations_name(name)
        if not self.has(relations):
            return []
        folder = posixpath.dirname(name)
        found = []
        for one in self.xml(relations).findall(f"{_RELATIONS}Relationship"):
            is_external = one.get("TargetMode") == "External"
            target = str(one.get("Target"))
            if not is_external:
                target = posixpath.normpath(posixpath.join(folder, target)) if target[:1] != "/" else target[1:]
            kind = str(one.get("Type")).replace(_STRICT, _TRANSITIONAL)
            found.append(Relationship(str(one.get("Id")), kind, target, is_external))
        return found

    def list_related(self, name: str, kind: str) -> list[Relationship]:
        """Relationships whose type ends with this word, such as `worksheet`."""
        return [one for one in self.relationships(name) if one.type.rpartition("/")[2] == kind]

    def relate(self, name: str, kind: str, target: str, *, is_external: bool = False) -> str:
        """Id of the relationship to a target, added if there is none."""
        for one in self.relationships(name):
            if one.type.rpartition("/")[2] == kind and one.target == target and one.is_external == is_external:
                return one.id
        relations = _relations_name(name)
        if not self.has(relations):
            self.put_xml(relations, etree.Element(f"{_RELATIONS}Relationships", nsmap={None: _RELATIONS[1:-1]}))
            if not self.content_type(relations):
                self.set_content_type(relations, _RELATIONS_TYPE)
        root = self.xml(relations)
        taken = {one.get("Id") for one in root}
        number = 1
        while f"rId{number}" in taken:
            number += 1
        shown = target if is_external else posixpath.relpath(target, posixpath.dirname(name) or ".")
        attributes = {"Id": f"rId{number}", "Type": _TRANSITIONAL + kind, "Target": shown}
        if is_external:
            attributes["TargetMode"] = "External"
        etree.SubElement(root, f"{_RELATIONS}Relationship", attributes)
        return f"rId{number}"

    def unrelate(self, name: str, relation_id: str) -> None:
        """Remove a relationship; without any left, its part goes too."""
        root = self.xml(_relations_name(name))
        for one in root.findall(f"{_RELATIONS}Relationship"):
            if one.get("Id") == relation_id:
                root.remove(one)

    def is_changed(self) -> bool:
        """Whether a part was added, removed or changed in what it says."""
        for name in list(self._trees):
            self._settle(name)
        return self._bytes != self._original

    def to_bytes(self) -> bytes:
        """The file: old parts in their old order, then the new ones by name."""
        self.is_changed()
        buffer = io.BytesIO()
        with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
            for name in [one for one in self._infos if one in self._bytes]:
                info = self._infos[name]
                fresh = ZipInfo(name, info.date_time)
                fresh.compress_type = info.compress_type if info.compress_type == ZIP_STORED else ZIP_DEFLATED
                fresh.external_attr = info.external_attr
                archive.writestr(fresh, self._bytes[name])
            for name in sorted(set(self._bytes) - set(self._infos)):
                fresh = ZipInfo(name, _DATE)
                fresh.compress_type = ZIP_DEFLATED
                archive.writestr(fresh, self._bytes[name])
        return buffer.getvalue()

    def _settle(self, name: str) -> None:
        """Write a parsed part to bytes if it says something else than before."""
        root = self._trees[name]
        content = _serialize(root)
        mark = hashlib.sha256(content).digest()
        if self._seen.get(name) == mark:
            return
        before = self._original.get(name)
        current = self._bytes.get(name)
        for known in (before, current):
            # Large parts differ in more than spelling if they differ; to compare them takes seconds.
            if known is not None and len(known) < _MAX_COMPARED_BYTES and _says_same(name, parse_xml(known), root):
                self._bytes[name] = known
                return
        if before is not None and hashlib.sha256(_serialize(parse_xml(before))).digest() == mark:
            content = before
        self._bytes[name], self._seen[name] = content, mark


def _says_same(name: str, one: etree._Element, other: etree._Element) -> bool:
    """Whether two trees of a part say the same; in lists of parts the order says nothing."""
    if name == CONTENT_TYPES or name.endswith(".rels"):
        return sorted(sorted(item.attrib.items()) for item in one) == sorted(
            sorted(item.attrib.items()) for item in other
        )
    return canonical_xml(one) == canonical_xml(other)


def _serialize(root: etree._Element) -> bytes:
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


def _relations_name(name: str) -> str:
    folder, _, file = name.rpartition("/")
    return f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels"
