"""Commands about this installation: its settings, its models, and what works on this machine."""

from metier.cli.setup._backup import backup_command
from metier.cli.setup._doctor import doctor_command
from metier.cli.setup._model import app as model_app
from metier.cli.setup._settings import settings_command

__all__ = ["backup_command", "doctor_command", "model_app", "settings_command"]
