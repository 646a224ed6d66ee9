"""Files that a user attached to a conversation: checked by content, kept in its workspace, read by skills."""

from metier.attachments._attachments import (
    MAX_FILES,
    AttachedText,
    Attachment,
    add_attachment,
    list_attached_names,
    list_attachments,
    may_have_attachments,
    read_attached_text,
    remove_attachment,
)
from metier.attachments._names import NamedFile, match_names, replace_names, strip_ending
from metier.attachments._open_document import keep_open_document, read_open_document
from metier.attachments._sections import (
    DocumentSection,
    find_section,
    outline_sections,
    split_document,
)

__all__ = [
    "MAX_FILES",
    "AttachedText",
    "Attachment",
    "DocumentSection",
    "NamedFile",
    "add_attachment",
    "find_section",
    "keep_open_document",
    "list_attached_names",
    "list_attachments",
    "match_names",
    "may_have_attachments",
    "outline_sections",
    "read_attached_text",
    "read_open_document",
    "remove_attachment",
    "replace_names",
    "split_document",
    "strip_ending",
]
