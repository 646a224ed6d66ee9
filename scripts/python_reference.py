"""Generate the Python API reference from the public packages: signatures and docstrings of what `__all__` names."""

from collections.abc import Iterator
from pathlib import Path

import griffe

PACKAGES = (
    "metier",
    "metier.agent",
    "metier.langchain",
    "metier.skills",
    "metier.skills.lint",
    "metier.routing",
    "metier.tools",
    "metier.tools.builtin",
    "metier.context",
    "metier.plans",
    "metier.store",
    "metier.telemetry",
    "metier.pack",
    "metier.testing",
    "metier.testing.journeys",
)
_NOT_PUBLIC = frozenset({"bench", "cli", "flow", "packs", "server"})
_SIGNATURE_WIDTH = 100
_EMPTY_MAPPINGS = frozenset({"(lambda: MappingProxyType({}))()", "_empty_object()"})
_FRAMEWORK_HOOKS = frozenset({"settings_customise_sources"})
_PREFIXES = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}


def reference_lines(source: Path) -> Iterator[str]:
    """Lines of the page: one section per package, one entry per public name."""
    root = _load(source)
    yield "What each public package offers. Everything else is private and may change without notice.\n"
    for package in PACKAGES:
        module = root if package == "metier" else root[package.removeprefix("metier.")]
        yield f"## `{package}`\n\n{_first_paragraph(module)}\n"
        for name in sorted(_exported(module)):
            yield from _entry_lines(module, name)


def _load(source: Path) -> griffe.Object | griffe.Alias:
    """Read the package without the rooms that offer nothing public: they are two thirds of it."""
    loader = griffe.GriffeLoader(search_paths=[source])
    finder, list_all = loader.finder, loader.finder.submodules
    finder.submodules = lambda module: [one for one in list_all(module) if one[0][0] not in _NOT_PUBLIC]  # type: ignore[method-assign]
    root = loader.load("metier")
    loader.resolve_aliases(external=False)
    return root


def _exported(module: griffe.Object | griffe.Alias) -> list[str]:
    return [name if isinstance(name, str) else str(name) for name in module.exports or ()]


def _entry_lines(module: griffe.Object | griffe.Alias, name: str) -> Iterator[str]:
    item = _find(module, name)
    if item is None:
        return
    if item.is_class:
        yield f"### `{name}`\n\n{_class_summary(item)}"
        yield from _member_lines(item)
    elif isinstance(item, griffe.Function):
        yield f"### `{name}`\n\n```python\n{_signature(item)}\n```\n\n{_first_paragraph(item)}\n"
    else:
        typed = item.annotation if isinstance(item, griffe.Attribute) else None
        annotation = f": `{typed}`" if typed else ""
        yield f"### `{name}`{annotation}\n\n{_first_paragraph(item)}\n".replace("\n\n\n", "\n")


def _find(module: griffe.Object | griffe.Alias, name: str) -> griffe.Object | griffe.Alias | None:
    found = module.members.get(name)
    if found is None:
        return None
    try:
        return found.final_target if isinstance(found, griffe.Alias) else found
    except griffe.AliasResolutionError:
        return None


def _class_summary(item: griffe.Object | griffe.Alias) -> str:
    initializer = item.members.get("__init__")
    shown = _signature(initializer, item.name) if isinstance(initializer, griffe.Function) else ""
    call = f"```python\n{shown}\n```\n\n" if shown else ""
    return f"{call}{_first_paragraph(item)}\n"


def _member_lines(item: griffe.Object | griffe.Alias) -> Iterator[str]:
    """A line for each public method and documented property."""
    lines = []
    for name, member in item.members.items():
        if name.startswith("_") or name in _FRAMEWORK_HOOKS or member.is_alias:
            continue
        if not (member.is_function or member.is_attribute):
            continue
        text = " ".join(_first_paragraph(member).split())
        if member.is_function or text:
            shown = _signature(member) if isinstance(member, griffe.Function) else name
            line = " ".join(shown.split()).replace("( ", "(").replace(", )", ")").removeprefix("def ")
            lines.append(f"- `{line}`" + (f": {text}" if text else ""))
    if lines:
        yield "\n".join([*lines, ""])


def _signature(item: griffe.Function, name: str = "") -> str:
    """Signature without `self`, one parameter per line where it is long."""
    public = [one for one in item.parameters if one.name not in ("self", "cls") and not one.name.startswith("_")]
    parameters = [_parameter(one, item.module) for one in public]
    keyword_only = [index for index, one in enumerate(public) if one.kind is griffe.ParameterKind.keyword_only]
    if keyword_only and not any(one.kind is griffe.ParameterKind.var_positional for one in public):
        parameters.insert(keyword_only[0], "*")
    returns, is_context = str(item.returns or ""), _is_context_manager(item)
    if is_context:
        returns = returns.replace("AsyncIterator[", "AbstractAsyncContextManager[").replace(
            "Iterator[", "AbstractContextManager["
        )
    returns = f" -> {returns}" if returns and not name else ""
    is_async = "async" in item.labels and not is_context
    head = f"{'' if name else 'async def ' if is_async else 'def '}{name or item.name}"
    line = f"{head}({', '.join(parameters)}){returns}"
    if len(line) <= _SIGNATURE_WIDTH:
        return line
    return f"{head}(\n" + "".join(f"    {one},\n" for one in parameters) + f"){returns}"


def _is_context_manager(item: griffe.Function) -> bool:
    return any(str(one.value).endswith("contextmanager") for one in item.decorators)


def _parameter(one: griffe.Parameter, module: griffe.Module) -> str:
    prefix = _PREFIXES.get(one.kind, "") if one.kind else ""
    annotation = f": {one.annotation}" if one.annotation is not None else ""
    has_default = one.default is not None and not prefix
    equals = " = " if annotation else "="
    return f"{prefix}{one.name}{annotation}{f'{equals}{_default(str(one.default), module)}' if has_default else ''}"


def _default(written: str, module: griffe.Module) -> str:
    """Default as a caller would write it: the value of a private constant, `…` where that says nothing."""
    if written in _EMPTY_MAPPINGS:
        return "{}"
    if not written.startswith(("_", "(lambda")):
        return written
    constant = module.members.get(written)
    value = str(constant.value) if isinstance(constant, griffe.Attribute) and constant.value is not None else ""
    return value if value.replace("_", "").isdigit() else "…"


def _first_paragraph(item: griffe.Object | griffe.Alias) -> str:
    text = item.docstring.value if item.docstring else ""
    return text.split("\n\n")[0].strip()
