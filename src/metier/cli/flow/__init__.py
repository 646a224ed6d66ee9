"""Commands about deep runs: operators, and graphs replayed on other data."""

from metier.cli.flow._flow import app as flow_app

__all__ = ["flow_app"]
