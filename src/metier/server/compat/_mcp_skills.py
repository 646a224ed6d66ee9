"""Skills over MCP: list of skills, their files with digests, and the file contents."""

import hashlib
import mimetypes
from base64 import b64encode
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote, unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from metier.skills import Catalog, Skill

_PAGE_SIZE: Final = 100
_SCHEME: Final = "skill://"
_MARKDOWN: Final = "text/markdown"


class ListSkills(types.PaginatedRequestParams):
    """Parameters of `skills/list`: a page of skills."""


class GetSkill(types.RequestParams):
    """Parameters of `skills/get`: one skill by its URI."""

    uri: str


class SkillResources:
    """Skills of a catalog as MCP resources. They can only be read here; `metier_run` uses them."""

    def __init__(self, catalog: Callable[[], Catalog]) -> None:
        self._catalog = catalog

    def list_page(self, cursor: str | None) -> dict[str, Any]:
        """List a page of skills ordered by id; the cursor is the last id seen."""
        skills = sorted((skill for skill in self._catalog() if skill.enabled), key=lambda skill: skill.id)
        rest = [skill for skill in skills if cursor is None or skill.id > cursor]
        told: dict[str, Any] = {"skills": [_build_entry(skill) for skill in rest[:_PAGE_SIZE]]}
        if len(rest) > _PAGE_SIZE:
            told["nextCursor"] = rest[_PAGE_SIZE - 1].id
        return told

    def get_entry(self, uri: str) -> dict[str, Any]:
        """Return one skill with its files."""
        return _build_entry(self._find(uri)[0])

    def list_resources(self) -> list[types.Resource]:
        """List every file of every enabled skill."""
        return [
            types.Resource(
                uri=file["uri"],
                name=f"{skill.id}/{file['path']}",
                description=skill.description if file["path"] == skill.source.path.name else None,
                mime_type=file["mimeType"],
                size=file["size"],
            )
            for skill in self._catalog()
            if skill.enabled
            for file in _list_files(skill)
        ]

    def read(self, uri: str) -> types.TextResourceContents | types.BlobResourceContents:
        """Read one file of a skill.

        Refused if the path is not among the skill's files, or if its content no longer has the catalog's digest.
        """
        skill, path = self._find(uri)
        path = path or skill.source.path.name
        known = {file["path"]: file for file in _list_files(skill)}
        if path not in known:
            raise _not_found_error(uri)
        raw = (skill.source.folder / path).read_bytes()
        if f"sha256:{hashlib.sha256(raw).hexdigest()}" != known[path]["digest"]:
            raise MCPError(types.INTERNAL_ERROR, f"{uri} changed while it was read; list the skills again")
        kind = known[path]["mimeType"]
        try:
            return types.TextResourceContents(uri=uri, mime_type=kind, text=raw.decode())
        except UnicodeDecodeError:
            return types.BlobResourceContents(uri=uri, mime_type=kind, blob=b64encode(raw).decode())

    def _find(self, uri: str) -> tuple[Skill, str]:
        name, _, path = uri.removeprefix(_SCHEME).partition("/")
        skill = self._catalog().get(unquote(name)) if uri.startswith(_SCHEME) else None
        if skill is None or not skill.enabled:
            raise _not_found_error(uri)
        return skill, unquote(path)


def _not_found_error(uri: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, f"there is no {uri[:200]!r}; skills/list has what there is")


def _build_entry(skill: Skill) -> dict[str, Any]:
    return {
        "uri": _build_uri(skill.id),
        "name": skill.id,
        "title": skill.title,
        "description": skill.description,
        "version": skill.version or None,
        "digest": f"sha256:{skill.digest}",
        "frontmatter": {"name": skill.id, "description": skill.description, "metadata": {"title": skill.title}},
        "files": _list_files(skill),
    }


def _list_files(skill: Skill) -> list[dict[str, Any]]:
    return [
        {
            "path": file.path,
            "uri": _build_uri(skill.id, file.path),
            "size": file.size_bytes,
            "digest": f"sha256:{file.sha256}",
            "mimeType": _MARKDOWN if file.path.endswith(".md") else mimetypes.guess_type(file.path)[0] or "text/plain",
        }
        for file in skill.files
    ]


def _build_uri(skill: str, path: str = "") -> str:
    return f"{_SCHEME}{quote(skill)}" + (f"/{quote(path)}" if path else "")
