"""Linter for skills: findings as text, JSON or SARIF, and safe automatic fixes."""

from metier.skills.lint._fix import Fix, fix
from metier.skills.lint._lint import lint
from metier.skills.lint._report import LintReport, to_json, to_text
from metier.skills.lint._sarif import to_sarif
from metier.skills.lint._self_test import SelfTest, run_self_test

__all__ = ["Fix", "LintReport", "SelfTest", "fix", "lint", "run_self_test", "to_json", "to_sarif", "to_text"]
