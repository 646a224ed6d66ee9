"""Help and usage errors of commands in the reader's language.

Commands write their help in English beside their options. `help.zh.json`, beside this module and beside the module of a
pack's commands, has the Chinese text of each; a text that is not there stays as it is.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from typer._click import HelpFormatter
from typer._click.exceptions import NoArgsIsHelpError, UsageError
from typer.core import TyperArgument, TyperGroup, TyperOption

from metier.cli.terminal._words import find_language, say
from metier.language import choose

if TYPE_CHECKING:
    from typer._click import Command

HELP_FILE: Final = "help.zh.json"
_FEW: Final = 2
_SPACING: Final = 2
_MAX_NAMES: Final = 30
_MIN_TEXT: Final = 20
_MARK_WORDS: Final = (("[required]", "[必填]"), ("[default: ", "[默认："), ("; required]", "；必填]"))
_WORD: Final = re.compile(r"[^\s\u2e80-\u9fff\uff00-\uffef]+|\s|.")
_NEVER_FIRST: Final = "，。；：、！？）」”…"
# What the parser of the command line says, and the code of our sentence with the groups as {a} and {b}.
_MESSAGES: Final = (
    (re.compile(r"Missing (?:argument|option|parameter) (?P<a>'.*?'|\S+)\."), "usage_missing"),
    (re.compile(r"No such option: (?P<a>\S+) \(Possible options: (?P<b>.*)\)"), "usage_near"),
    (re.compile(r"No such option: (?P<a>\S+)"), "usage_option"),
    (re.compile(r"No such command (?P<a>'.*?')\. Did you mean (?P<b>.*)\?"), "usage_near"),
    (re.compile(r"No such command (?P<a>'.*')\."), "usage_command"),
    (re.compile(r"Missing command\."), "usage_no_command"),
    (re.compile(r"Got unexpected extra argument\(s\) \((?P<a>.*)\)"), "usage_extra"),
    (re.compile(r"Option (?P<a>'.*?') does not take a value\."), "usage_no_value"),
    (re.compile(r"Option (?P<a>'.*?') requires .*"), "usage_value"),
    (re.compile(r"Invalid value for (?P<a>.*?): (?P<b>.*)", re.DOTALL), "usage_invalid"),
    (re.compile(r"(?P<b>.*)", re.DOTALL), "usage_other"),
)


def asks_for_help(arguments: Sequence[str]) -> bool:
    """Whether help may be printed: it is asked for, or the name of a command is all that is given."""
    return "--help" in arguments or len(arguments) <= _FEW


def translate_help(command: "Command", file: Path | None = None) -> None:
    """Put the help of a command and of all below it into the reader's language."""
    choose(find_language(), en=_keep_help, zh=_translate)(command, file or Path(__file__).with_name(HELP_FILE))


def print_usage_error(error: UsageError) -> None:
    """Print what is wrong with a command line on stderr, in the reader's language."""
    if isinstance(error, NoArgsIsHelpError):
        error.show()
        return
    choose(find_language(), en=_print_english, zh=_print_chinese)(error)


@cache
def _read_texts(file: Path) -> Mapping[str, str]:
    try:
        found: Mapping[str, str] = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def _keep_help(command: "Command", file: Path) -> None:
    """English is what the commands have."""


def _translate(command: "Command", file: Path) -> None:
    texts = {**_read_texts(Path(__file__).with_name(HELP_FILE)), **_read_texts(file)}
    command.context_class = _ChineseContext
    command.help = texts.get(command.help or "", command.help)
    if command.help:  # the first sentence stands in lists
        command.short_help = command.help.split("\n")[0].partition("。")[0]
    command.epilog = texts.get(command.epilog or "", command.epilog)
    for param in command.params:
        if isinstance(param, TyperArgument | TyperOption) and param.help:
            param.help = texts.get(param.help, param.help)
    if isinstance(command, TyperGroup):
        for inner in command.commands.values():
            _translate(inner, file)


def _print_english(error: UsageError) -> None:
    error.show()


def _print_chinese(error: UsageError) -> None:
    if error.ctx is not None:
        _translate(error.ctx.command, Path(__file__).with_name(HELP_FILE))
        formatter = _ChineseFormatter()
        error.ctx.command.format_usage(error.ctx, formatter)
        typer.echo(formatter.getvalue().rstrip("\n"), err=True)
        typer.echo(say("usage_try", command=f"{error.ctx.command_path} --help"), err=True)
    told = error.format_message()
    pattern, code = next(one for one in _MESSAGES if one[0].fullmatch(told))
    found = pattern.fullmatch(told)
    values = found.groupdict() if found else {}
    typer.echo(say(code, **values), err=True)


class _ChineseFormatter(HelpFormatter):
    """Headings in Chinese, and lines that are measured by what characters take on the screen."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, "用法：")

    def write_heading(self, heading: str) -> None:
        names = {"Arguments": "参数", "Options": "选项", "Commands": "命令"}
        self.write(f"{'':>{self.current_indent}}{names.get(heading, heading)}：\n")

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        for line in text.splitlines():
            for part in _wrap(line, self.width - self.current_indent) or [""]:
                self.write(f"{indent}{part}".rstrip() + "\n")

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = _MAX_NAMES, col_spacing: int = _SPACING) -> None:
        rows = [(name, _translate_marks(text)) for name, text in rows]
        taken = min(max((len(name) for name, _ in rows), default=0), col_max) + col_spacing
        for name, text in rows:
            start = " " * self.current_indent + name
            gap = (
                " " * (taken - len(name))
                if len(name) <= taken - col_spacing
                else "\n" + " " * (taken + self.current_indent)
            )
            lines = _wrap(text, max(self.width - taken - self.current_indent, _MIN_TEXT))
            self.write(f"{start}{gap}{lines[0] if lines else ''}".rstrip() + "\n")
            for line in lines[1:]:
                self.write(" " * (taken + self.current_indent) + line + "\n")


class _ChineseContext(typer.Context):
    formatter_class = _ChineseFormatter


def _translate_marks(text: str) -> str:
    text = {"Show this message and exit.": "显示帮助后退出。"}.get(text, text)
    for mark, chinese in _MARK_WORDS:
        text = text.replace(mark, chinese)
    return text


def _wrap(text: str, width: int) -> list[str]:
    return list(_iter_lines(text, width))


def _iter_lines(text: str, width: int) -> Iterator[str]:
    """Lines of at most so many columns; Chinese may be cut anywhere but before a punctuation mark."""
    from rich.cells import cell_len

    line = ""
    for word in _WORD.findall(text.strip()):
        if line and word not in _NEVER_FIRST and cell_len(line + word) > width:
            yield line.rstrip()
            line = ""
        line += word if line or not word.isspace() else ""
    if line:
        yield line.rstrip()
