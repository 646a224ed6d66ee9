"""Data of a conversation or a user, wherever it is stored: exported as one archive, deleted as a whole."""

from metier.user_data._delete import DeletedUser, delete_conversation, delete_user
from metier.user_data._export import export_conversation, export_user
from metier.user_data._places import STORAGE_RULES, DataPlaces, require_known_user

__all__ = [
    "STORAGE_RULES",
    "DataPlaces",
    "DeletedUser",
    "delete_conversation",
    "delete_user",
    "export_conversation",
    "export_user",
    "require_known_user",
]
