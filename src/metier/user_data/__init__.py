"""Data of a conversation or a user, wherever it is stored: exported as one archive, deleted as a whole."""

from metier.user_data._delete import DeletedUser, delete_conversation, delete_user
from metier.user_data._export import export_conversation, export_user
from metier.user_data._places import STORAGE_RULES, DataPlaces, require_known_user
from metier.user_data._profile import correct_profile, delete_profile, read_profile

__all__ = [
    "STORAGE_RULES",
    "DataPlaces",
    "DeletedUser",
    "correct_profile",
    "delete_conversation",
    "delete_profile",
    "delete_user",
    "export_conversation",
    "export_user",
    "read_profile",
    "require_known_user",
]
