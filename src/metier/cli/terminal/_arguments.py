"""Parsing of a tool call's arguments from the command line."""

import sys
from collections.abc import Mapping

from metier.errors import UsageError
from metier.json_values import JsonInvalid, JsonObject, load_json


def read_arguments(text: str) -> JsonObject:
    """Parse one JSON object; `-` reads it from standard input."""
    try:
        found = load_json(sys.stdin.read() if text == "-" else text)
    except (JsonInvalid, UnicodeDecodeError) as error:
        raise UsageError(
            f"the arguments are not JSON: {error}", hint="""for example '{"region": "朝阳区"}'"""
        ) from error
    if not isinstance(found, Mapping):
        raise UsageError("the arguments must be one JSON object", hint="""for example '{"region": "朝阳区"}'""")
    return found
