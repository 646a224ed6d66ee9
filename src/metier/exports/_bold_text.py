"""Bold text beside Chinese characters: CommonMark leaves `**（甲）**乙` as it is, for a bracket ends no word there."""

from typing import TYPE_CHECKING, Final

from metier.patterns import compile_later

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

_BOLD: Final = compile_later(r"\*\*(?![\s*])([^*\n]*[^\s*])\*\*(?!\*)")


def add_bold_rule(parser: "MarkdownIt") -> None:
    """Read two asterisks, text without any, and two asterisks as bold, whatever stands beside them."""
    parser.inline.ruler.before("emphasis", "bold", _read_bold)


def _read_bold(state: "StateInline", silent: bool) -> bool:
    found = _BOLD.match(state.src, state.pos, state.posMax)
    if found is None or (state.pos and state.src[state.pos - 1] in "*\\"):
        return False
    if not silent:
        end = state.posMax
        state.push("strong_open", "strong", 1)
        state.pos, state.posMax = found.span(1)
        state.md.inline.tokenize(state)
        state.push("strong_close", "strong", -1)
        state.posMax = end
    state.pos = found.end()
    return True
