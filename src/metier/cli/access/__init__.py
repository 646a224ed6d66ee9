"""Commands about who may do what and whose data is stored: users, keys, conversations, approvals, ratings, audit."""

from metier.cli.access._approvals import app as approvals_app
from metier.cli.access._audit import app as audit_app
from metier.cli.access._conversations import app as conversations_app
from metier.cli.access._feedback import app as feedback_app
from metier.cli.access._keys import app as keys_app
from metier.cli.access._open import terminal_principal
from metier.cli.access._profile import app as profile_app
from metier.cli.access._users import app as users_app

__all__ = [
    "approvals_app",
    "audit_app",
    "conversations_app",
    "feedback_app",
    "keys_app",
    "profile_app",
    "terminal_principal",
    "users_app",
]
