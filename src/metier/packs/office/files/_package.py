"""An Office file as its parts: only those that are changed are written anew, all others keep their bytes."""

import hashlib
import io
import posixpath
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from lxml import etree

from metier.packs.office.files._errors import OfficeFileError
from metier.packs.office.files._xml import XmlElement, parse_shared_xml, parse_xml, serialise_xml

__all__ = ["Package", "PackageKind", "StoredPart"]

PackageKind = Literal["docx", "xlsx", "pptx"]
_TYPES_PART: Final = "[Content_Types].xml"
_TYPES_NAMESPACE: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_RELATIONS_NAMESPACE: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_RELATION_TYPE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_NEW_DATE: Final = (1980, 1, 1, 0, 0, 0)
_PROTECTED: Final[tuple[tuple[str, re.Pattern[bytes]], ...]] = (
    ("word/settings.xml", re.compile(rb"<w:documentProtection\b[^>]*>")),
    ("word/settings.xml", re.compile(rb"<w:writeProtection\b[^>]*w:(?:hash|hashValue)=[^>]*>")),
    ("xl/workbook.xml", re.compile(rb"<(?:\w+:)?(?:fileSharing)\b[^>]*(?:hashValue|reservationPassword)=[^>]*>")),
    ("ppt/presentation.xml", re.compile(rb"<p:modifyVerifier\b[^>]*>")),
)
_ENFORCED: Final = re.compile(rb'w:enforcement="(?:1|true|on)"')
_EDIT: Final = re.compile(rb'w:edit="(\w+)"')


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A part as it is stored in the file."""

    info: ZipInfo
    content: bytes


@dataclass(frozen=True, slots=True)
class RemoteLink:
    """A link to somewhere outside of the file; it is never fetched."""

    part: str
    kind: str
    target: str


class Package:
    """Parts of an open file, and the changes that were made to them."""

    def __init__(self, path: Path, kind: PackageKind, content: bytes, parts: Mapping[str, StoredPart]) -> None:
        self.path = path
        self.kind = kind
        self.content = content
        self._parts = dict(parts)
        self._trees: dict[str, XmlElement] = {}
        self._changed: dict[str, bytes | None] = {}
        self._dirty: set[str] = set()

    @property
    def digest(self) -> str:
        """SHA-256 of the file as it was read."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def has_macros(self) -> bool:
        return any(name.endswith("vbaProject.bin") for name in self._parts)

    @property
    def is_signed(self) -> bool:
        return any(name.startswith("_xmlsignatures/") for name in self._parts)

    @property
    def protection(self) -> str:
        """How editing is restricted: `readOnly`, `comments`, `trackedChanges`, `forms`, `password`; else empty."""
        for part, pattern in _PROTECTED:
            found = pattern.search(self.read(part)) if part in self else None
            if found is None:
                continue
            if b"documentProtection" not in found[0]:
                return "password"
            if _ENFORCED.search(found[0]):
                edit = _EDIT.search(found[0])
                return edit[1].decode() if edit else "readOnly"
        return ""

    @property
    def remote_links(self) -> tuple[RemoteLink, ...]:
        """Links to other places, except the hyperlinks that a reader clicks."""
        return tuple(
            RemoteLink(name, relation.get("Type", "").rpartition("/")[2], relation.get("Target", ""))
            for name in self._parts
            if name.endswith(".rels")
            for relation in self.xml(name)
            if relation.get("TargetMode") == "External" and not relation.get("Type", "").endswith("/hyperlink")
        )

    def check_writable(self, *, only: Literal["", "comments", "trackedChanges"] = "") -> None:
        """Refuse a file that is signed, or protected in another way than `only` these changes."""
        if self.is_signed:
            raise OfficeFileError("signed", name=self.path.name)
        protection = self.protection
        if protection and not (only and protection == only):
            raise OfficeFileError("protected", name=self.path.name, kind=protection)

    def __contains__(self, name: object) -> bool:
        if name in self._changed:
            return self._changed[str(name)] is not None
        return name in self._parts

    def __iter__(self) -> Iterator[str]:
        return (name for name in dict.fromkeys((*self._parts, *self._changed)) if name in self)

    @property
    def main_part(self) -> str:
        """Name of the part with the document, workbook or presentation."""
        return next(self.list_relations("", "officeDocument"))

    def read(self, name: str) -> bytes:
        """Bytes of a part as they would be written now."""
        if name in self._dirty:
            return serialise_xml(self._trees[name])
        changed = self._changed.get(name)
        if changed is not None:
            return changed
        if name not in self._parts:
            raise OfficeFileError("corrupt", name=self.path.name)
        return self._parts[name].content

    def xml(self, name: str) -> XmlElement:
        """Root element of a part; call `touch` after changing it."""
        if name not in self._trees:
            self._trees[name] = parse_xml(self.read(name), self.path.name)
        return self._trees[name]

    def peek(self, name: str) -> XmlElement:
        """Root element of a part that is only read: packages with the same bytes share it.

        A file is opened several times in a turn, and its styles are often the largest part of it.
        """
        if name in self._trees:
            return self._trees[name]
        with suppress(OfficeFileError):
            return parse_shared_xml(self.read(name))
        return self.xml(name)  # whose error names the file

    def touch(self, name: str) -> None:
        """Note that the part's elements were changed."""
        self.xml(name)
        self._dirty.add(name)

    def write(self, name: str, content: bytes) -> None:
        """Set the bytes of a part that exists or is new."""
        self._trees.pop(name, None)
        self._dirty.discard(name)
        self._changed[name] = content

    def remove(self, name: str) -> None:
        """Leave a part out, with its own relations."""
        for one in (name, relations_part(name)):
            if one in self:
                self.write(one, b"")
                self._changed[one] = None
        types = self.xml(_TYPES_PART)
        for override in types.findall(f"{_TYPES_NAMESPACE}Override"):
            if override.get("PartName") == f"/{name}":
                types.remove(override)
                self.touch(_TYPES_PART)

    def add(self, name: str, content: bytes, content_type: str) -> None:
        """Add a part with its content type."""
        self.write(name, content)
        if self.content_type(name) != content_type:
            types = self.xml(_TYPES_PART)
            etree.SubElement(
                types, f"{_TYPES_NAMESPACE}Override", {"PartName": f"/{name}", "ContentType": content_type}
            )
            self.touch(_TYPES_PART)

    def add_default_type(self, ending: str, content_type: str) -> None:
        """Ensure the content type of all parts with an ending such as `png`."""
        types = self.xml(_TYPES_PART)
        known = {one.get("Extension", "").lower() for one in types.findall(f"{_TYPES_NAMESPACE}Default")}
        if ending not in known:
            types.insert(
                0, etree.Element(f"{_TYPES_NAMESPACE}Default", {"Extension": ending, "ContentType": content_type})
            )
            self.touch(_TYPES_PART)

    def content_type(self, name: str) -> str:
        """Content type of a part; empty if it has none."""
        types = self.xml(_TYPES_PART)
        ending = name.rpartition(".")[2].lower()
        found = ""
        for one in types:
            if one.get("PartName", "").lower() == f"/{name}".lower():
                return str(one.get("ContentType", ""))
            if one.get("Extension", "").lower() == ending:
                found = one.get("ContentType", "")
        return found

    def list_relations(self, part: str, kind: str) -> Iterator[str]:
        """Names of the parts that a part refers to by this kind of relation; the package itself is `""`."""
        for relation in self._relations(part):
            is_kind = relation.get("Type", "").rpartition("/")[2] == kind
            if is_kind and relation.get("TargetMode") != "External":
                yield resolve_target(part, relation.get("Target", ""))

    def find_relation(self, part: str, relation_id: str) -> str:
        """Name of the part behind a relation's id; empty if there is none."""
        for relation in self._relations(part):
            if relation.get("Id") == relation_id and relation.get("TargetMode") != "External":
                return resolve_target(part, relation.get("Target", ""))
        return ""

    def add_relation(self, part: str, kind: str, target: str, *, is_external: bool = False) -> str:
        """Relate a part to another and return the relation's id; an equal one is used again."""
        name = relations_part(part)
        if name not in self:
            self.write(name, f'<Relationships xmlns="{_RELATIONS_NAMESPACE[1:-1]}"/>'.encode())
        root = self.xml(name)
        shown = target if is_external else posixpath.relpath(target, posixpath.dirname(part) or ".")
        for relation in root:
            if relation.get("Type") == _RELATION_TYPE + kind and relation.get("Target") in (shown, f"/{target}"):
                return str(relation.get("Id"))
        used = {relation.get("Id") for relation in root}
        relation_id = next(f"rId{number}" for number in range(len(used) + 1, 10**6) if f"rId{number}" not in used)
        values = {"Id": relation_id, "Type": _RELATION_TYPE + kind, "Target": shown}
        if is_external:
            values["TargetMode"] = "External"
        etree.SubElement(root, f"{_RELATIONS_NAMESPACE}Relationship", values)
        self.touch(name)
        return relation_id

    def new_name(self, pattern: str) -> str:
        """First free part name of a pattern such as `word/charts/chart{}.xml`."""
        return next(name for number in range(1, 10**6) if (name := pattern.format(number)) not in self)

    @property
    def changed_parts(self) -> tuple[str, ...]:
        """Parts whose bytes differ from the file's."""
        names = dict.fromkeys((*self._changed, *self._dirty))
        return tuple(name for name in names if name not in self or not self._is_as_stored(name))

    def read_stored(self, name: str) -> bytes | None:
        """Bytes of a part as the file has them; None if it is new."""
        return self._parts[name].content if name in self._parts else None

    def _is_as_stored(self, name: str) -> bool:
        return name in self._parts and self.read(name) == self._parts[name].content

    def save(self, target: Path) -> bool:
        """Write the file and return whether anything changed; if nothing did, the target has the same bytes."""
        if not self.changed_parts:
            target.write_bytes(self.content)
            return False
        buffer = io.BytesIO()
        with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
            for name in self:
                stored = self._parts.get(name)
                info = ZipInfo(name, stored.info.date_time if stored else _NEW_DATE)
                info.compress_type = stored.info.compress_type if stored else ZIP_DEFLATED
                info.external_attr = stored.info.external_attr if stored else 0o600 << 16
                archive.writestr(info, self.read(name))
        target.write_bytes(buffer.getvalue())
        return True

    def _relations(self, part: str) -> Iterator[XmlElement]:
        name = relations_part(part)
        if name in self:
            yield from self.xml(name)


def relations_part(part: str) -> str:
    """Name of the part that holds a part's relations."""
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def resolve_target(part: str, target: str) -> str:
    """Name of the part that a relation's target means."""
    if target.startswith("/"):
        return target[1:]
    return posixpath.normpath(posixpath.join(posixpath.dirname(part), target))
