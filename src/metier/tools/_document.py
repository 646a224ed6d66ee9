"""The parameter `doc_text`: the open document, which the runtime fills in for tools that take it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from metier.json_values import JsonObject
from metier.tools._spec import ToolSpec

DOCUMENT: Final = "doc_text"
_NOTE: Final = "省略即可，自动填入当前文档 · leave out: the open document is filled in"


def takes_document(parameters: JsonObject) -> bool:
    """Whether a tool with these parameters takes the open document."""
    properties = parameters.get("properties")
    return isinstance(properties, Mapping) and DOCUMENT in properties


def inject_document(arguments: JsonObject, parameters: JsonObject, document: str | None) -> JsonObject:
    """Add the open document as `doc_text` if the tool accepts it and the call omits it."""
    if document is None or not takes_document(parameters) or arguments.get(DOCUMENT):
        return arguments
    return {**arguments, DOCUMENT: document}


def with_optional_document(spec: ToolSpec, *, explain: bool = True) -> ToolSpec:
    """The spec as it is offered while a document is open: `doc_text` need not be given, and says so."""
    properties = spec.parameters.get("properties")
    if not isinstance(properties, Mapping) or DOCUMENT not in properties:
        return spec
    required = spec.parameters.get("required")
    listed = [name for name in required if name != DOCUMENT] if isinstance(required, list | tuple) else []
    own = properties[DOCUMENT]
    described = {**(own if isinstance(own, Mapping) else {}), **({"description": _NOTE} if explain else {})}
    parameters = {**spec.parameters, "properties": {**properties, DOCUMENT: described}, "required": listed}
    return replace(spec, parameters=parameters)
