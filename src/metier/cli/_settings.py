"""`metier settings`: every setting with its current value and meaning."""

import re

from metier.cli.terminal import JSON_OPTION, print_json, print_table

_PASSWORD = re.compile(r"(://[^:/@]*:)[^@]*@")


def settings_command(as_json: bool = JSON_OPTION) -> None:
    """Show every setting with its value and meaning. Passwords are masked."""
    from metier.settings import Settings, load_settings

    values = load_settings()
    rows = []
    for name, field in Settings.model_fields.items():
        value = getattr(values, name)
        shown = ":".join(map(str, value)) if isinstance(value, tuple) else "" if value is None else str(value)
        rows.append((f"METIER_{name.upper()}", _PASSWORD.sub(r"\1***@", shown), field.description or ""))
    if as_json:
        print_json({"settings": [dict(zip(("name", "value", "meaning"), row, strict=True)) for row in rows]})
    else:
        print_table(("setting", "value", "meaning"), rows)
