"""Files that a user attached to a conversation: checked by content, kept in its workspace, read by skills."""

from metier.attachments._attachments import (
    MAX_FILES,
    AttachedText,
    Attachment,
    add_attachment,
    list_attachments,
    read_attached_text,
    remove_attachment,
)

__all__ = [
    "MAX_FILES",
    "AttachedText",
    "Attachment",
    "add_attachment",
    "list_attachments",
    "read_attached_text",
    "remove_attachment",
]
