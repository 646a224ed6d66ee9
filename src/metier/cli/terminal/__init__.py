"""What commands share, those of packs too: output, the dialogue of a turn, arguments as a person types them."""

from metier.cli.terminal._arguments import read_arguments
from metier.cli.terminal._deferred import defer_models, defer_packages
from metier.cli.terminal._dialogue import (
    Screen,
    is_terminal,
    list_rows,
    parse_rows,
    print_event,
    print_question,
    read_answer,
    suggest_answer,
)
from metier.cli.terminal._documents import (
    WrittenFile,
    attach_documents,
    check_documents,
    find_free_name,
    take_written_documents,
)
from metier.cli.terminal._folders import add_folder
from metier.cli.terminal._help import asks_for_help, print_usage_error, translate_help
from metier.cli.terminal._loading import LoadingStatus, choose_language, parse_language
from metier.cli.terminal._output import (
    JSON_OPTION,
    escape_control_chars,
    format_time,
    print_diagnostics,
    print_error,
    print_failure,
    print_json,
    print_line,
    print_note,
    print_table,
    wants_json,
)
from metier.cli.terminal._pack_commands import PackCommandGroup
from metier.cli.terminal._phrases import translate_text
from metier.cli.terminal._store import open_store
from metier.cli.terminal._words import find_language, keep_sentences, say, say_in, translate_head, translate_value

__all__ = [
    "JSON_OPTION",
    "LoadingStatus",
    "PackCommandGroup",
    "Screen",
    "WrittenFile",
    "add_folder",
    "asks_for_help",
    "attach_documents",
    "check_documents",
    "choose_language",
    "defer_models",
    "defer_packages",
    "escape_control_chars",
    "find_free_name",
    "find_language",
    "format_time",
    "is_terminal",
    "keep_sentences",
    "list_rows",
    "open_store",
    "parse_language",
    "parse_rows",
    "print_diagnostics",
    "print_error",
    "print_event",
    "print_failure",
    "print_json",
    "print_line",
    "print_note",
    "print_question",
    "print_table",
    "print_usage_error",
    "read_answer",
    "read_arguments",
    "say",
    "say_in",
    "suggest_answer",
    "take_written_documents",
    "translate_head",
    "translate_help",
    "translate_text",
    "translate_value",
    "wants_json",
]
