"""Lint rules about scripts: a tool's script must be valid Python and define the function with the tool's name."""

import ast
import warnings
from pathlib import Path, PurePosixPath
from typing import Final

from metier.skills.lint._loaded_skill import LoadedSkill
from metier.skills.model import DeclaredTool, Report

_MAX_SCRIPT_BYTES: Final = 1024 * 1024


def check_scripts(subject: LoadedSkill, known_tools: frozenset[str], report: Report) -> None:
    """Report scripts without a tool, tools without a script, and scripts that cannot work."""
    scripts = [name for name in sorted(subject.files) if _is_script(name)]
    tools = {tool.script: tool for tool in subject.skill.tools if tool.script}
    for name in scripts:
        _check_script(subject, name, tools.get(name), report)
    if subject.skill.source.layout == "manifest":
        _check_missing(subject, known_tools, report)


def _is_script(name: str) -> bool:
    """Whether this is `scripts/x.py`; a leading underscore marks a module shared by other scripts."""
    path = PurePosixPath(name)
    return (
        path.suffix == ".py" and path.parts[0] == "scripts" and len(path.parts) == 2 and not path.stem.startswith("_")
    )


def _check_missing(subject: LoadedSkill, known_tools: frozenset[str], report: Report) -> None:
    has_scripts = any(name.startswith("scripts/") for name in subject.files)
    for tool in subject.skill.tools:
        if tool.origin == "declared" and tool.name not in known_tools and (has_scripts or tool.has_parameters):
            message = f"tool {tool.name!r} has no script"
            hint = f"add scripts/{tool.name}.py with 'def {tool.name}(…)', or set 'builtin': true"
            report.add("script_missing", message, hint=hint, line=subject.find_tool_line(tool.name))


def _check_script(subject: LoadedSkill, name: str, tool: DeclaredTool | None, report: Report) -> None:
    path = subject.skill.source.folder / name
    if tool is None:
        hint = f"declare a tool {PurePosixPath(name).stem!r}, or start the file's name with '_'"
        report.add("script_undeclared", f"{name!r} belongs to no declared tool", hint=hint, path=path)
    module = _parse(subject, name, path, report)
    if tool is not None and module is not None and tool.name not in _function_names(module):
        hint = f"define 'def {tool.name}(…)' at top level"
        report.add("script_without_function", f"{name!r} does not define {tool.name!r}", hint=hint, path=path)


def _parse(subject: LoadedSkill, name: str, path: Path, report: Report) -> ast.Module | None:
    hint = "run it once with Python to see the error"
    try:
        source = subject.read_file(name)
        if len(source) > _MAX_SCRIPT_BYTES:
            report.add("script_invalid", f"{name!r} is too large to be checked", hint="split it", path=path)
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape sequence is not a finding
            return ast.parse(source)
    except SyntaxError as error:
        report.add("script_invalid", f"{name!r}: {error.msg}", hint=hint, path=path, line=error.lineno or None)
    except (ValueError, RecursionError, MemoryError) as error:
        report.add("script_invalid", f"{name!r} cannot be parsed: {error}", hint=hint, path=path)
    except OSError:  # reported by the reader
        pass
    return None


def _function_names(module: ast.Module) -> set[str]:
    return {node.name for node in module.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
