"""`metier settings`: every setting with its current value and meaning."""

import json
from collections.abc import Mapping
from pathlib import Path

from metier.cli.terminal import JSON_OPTION, find_language, print_json, print_table
from metier.language import choose


def settings_command(as_json: bool = JSON_OPTION) -> None:
    """Show every setting with its value and meaning. Keys and passwords are masked."""
    from metier.masking import mask_secrets
    from metier.settings import Settings, load_settings

    values = load_settings()
    rows = [
        (f"METIER_{name.upper()}", _render_value(mask_secrets(getattr(values, name), name)), field.description or "")
        for name, field in Settings.model_fields.items()
    ]
    if as_json:
        print_json({"settings": [dict(zip(("name", "value", "meaning"), row, strict=True)) for row in rows]})
    else:
        known = choose(find_language(), en=dict[str, str], zh=_read_chinese)()
        print_table(("setting", "value", "meaning"), [(*row[:2], known.get(row[0], row[2])) for row in rows])


def _read_chinese() -> Mapping[str, str]:
    """Meaning of each setting in Chinese."""
    told: Mapping[str, str] = json.loads(Path(__file__).with_name("settings.zh.json").read_text("utf-8"))
    return {f"METIER_{name.upper()}": text for name, text in told.items()}


def _render_value(value: object) -> str:
    if isinstance(value, list):
        return ":".join(map(str, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=str) if value else ""
    return "" if value is None else str(value)
