"""Formulas as trees. References are kept apart, so that dependencies are known without calculating."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from metier.packs.office.sheets._addresses import BadAddress, CellArea, parse_area, split_sheet

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+)
    |(?P<text>"(?:[^"]|"")*")
    |(?P<error>\#(?:NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|N/A|SPILL!|CALC!))
    |(?P<reference>(?:'(?:[^'\[\]]|'')+'!|[\w.\u4e00-\u9fff]+!)?
        (?:\$?[A-Za-z]{1,3}\$?[1-9]\d*(?::\$?[A-Za-z]{1,3}\$?[1-9]\d*)?
        |\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?[1-9]\d*:\$?[1-9]\d*)(?![\w(.!\u4e00-\u9fff]))
    |(?P<function>[A-Za-z_][\w.]*\s*\()
    |(?P<table>[\w.\u4e00-\u9fff]*\[(?:[^\[\]']|'.|\[(?:[^\[\]']|'.)*\])*\])
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<name>[A-Za-z_\\\u0080-\uffff][\w.?\\\u4e00-\u9fff]*(?!!))
    |(?P<operator><=|>=|<>|[-+*/^&=<>%(),;{}@])""",
    re.VERBOSE,
)
_BINARY: Final = ((("=", "<>", "<", ">", "<=", ">="),), (("&",),), (("+", "-"),), (("*", "/"),))
_MAX_DEPTH: Final = 300
# Functions whose third range is read in the size of the first, whatever its own.
_RESIZING: Final = frozenset({"SUMIF", "AVERAGEIF"})
_PREFIXES: Final = ("_XLFN._XLWS.", "_XLFN.", "_XLWS.")

Node: TypeAlias = tuple[object, ...]


class FormulaProblem(ValueError):
    """The text is no formula, or one whose syntax is not known here."""


@dataclass(slots=True)
class ParsedFormula:
    """Tree of a formula, the ranges it reads and the names it uses."""

    tree: Node
    references: list[tuple[str | None, CellArea]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    functions: set[str] = field(default_factory=set)


def parse_formula(text: str) -> ParsedFormula:
    """Parse a formula, with or without its `=`; `FormulaProblem` if it is none."""
    parser = _Parser(_tokens(text.strip().removeprefix("=")))
    parsed = ParsedFormula(("missing",))
    parser.parsed = parsed
    parsed.tree = parser.expression()
    if parser.kind != "end":
        raise FormulaProblem(f"unexpected {parser.text!r}")
    return parsed


def scan_formula(text: str) -> ParsedFormula | None:
    """References of a formula without its tree, several times as fast; None if names or tables need a closer look."""
    scanned = ParsedFormula(("missing",))
    for kind, token in _tokens(text.strip().removeprefix("=")):
        if kind in ("name", "table"):
            return None
        if kind == "reference":
            sheet, rest = split_sheet(token)
            try:
                scanned.references.append((sheet, parse_area(rest)))
            except BadAddress:
                return None
        elif kind == "function":
            scanned.functions.add(token[:-1].strip().upper())
            if not scanned.functions.isdisjoint(_RESIZING):
                return None
    return scanned


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, at = [], 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise FormulaProblem(f"unexpected {text[at : at + 10]!r}")
        if found.lastgroup != "space":
            tokens.append((str(found.lastgroup), found[0]))
        at = found.end()
    return [*tokens, ("end", "")]


class _Parser:
    """Recursive descent over the tokens of one formula."""

    def __init__(self, tokens: Sequence[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0
        self.parsed = ParsedFormula(("missing",))

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0]

    @property
    def text(self) -> str:
        return self.tokens[self.at][1]

    def expression(self, level: int = 0) -> Node:
        self._go_down()
        if level == len(_BINARY):
            node = self._power()
        else:
            node = self.expression(level + 1)
            while self.kind == "operator" and self.text in _BINARY[level][0]:
                operator = self._next()
                node = ("binary", operator, node, self.expression(level + 1))
        self.depth -= 1
        return node

    def _go_down(self) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise FormulaProblem("nested too deeply")

    def _next(self) -> str:
        text = self.text
        self.at += 1
        return text

    def _power(self) -> Node:
        node = self._unary()
        while self.kind == "operator" and self.text == "^":
            self._next()
            node = ("binary", "^", node, self._unary())
        return node

    def _unary(self) -> Node:
        if self.kind == "operator" and self.text in ("-", "+", "@"):
            operator = self._next()
            self._go_down()
            node = self._unary()
            self.depth -= 1
            return node if operator in "+@" else ("negate", node)
        node = self._operand()
        while self.kind == "operator" and self.text == "%":
            self._next()
            node = ("percent", node)
        return node

    def _operand(self) -> Node:
        kind, text = self.kind, self._next()
        if kind == "number":
            return ("value", float(text))
        if kind == "text":
            return ("value", text[1:-1].replace('""', '"'))
        if kind == "error":
            return ("error", text)
        if kind == "reference":
            return self._reference(text)
        if kind == "table":
            self.parsed.names.append(text)
            return ("table", text)
        if kind == "function":
            return self._parse_applications(self._call(text))
        if kind == "name":
            return self._name(text)
        if text == "(":
            node = self.expression()
            self._expect(")")
            return node
        if text == "{":
            return self._array()
        raise FormulaProblem(f"unexpected {text!r}" if text else "the formula ends too early")

    def _reference(self, text: str) -> Node:
        sheet, rest = split_sheet(text)
        try:
            area = parse_area(rest)
        except BadAddress:
            raise FormulaProblem(f"no such range {rest!r}") from None
        self.parsed.references.append((sheet, area))
        return ("range", sheet, area)

    def _name(self, text: str) -> Node:
        if text.upper() in ("TRUE", "FALSE"):
            return ("value", text.upper() == "TRUE")
        self.parsed.names.append(text)
        return ("name", text)

    def _parse_applications(self, made: Node) -> Node:
        """A call of what a function gives: `LAMBDA(x,x+1)(3)`."""
        while self.kind == "operator" and self.text == "(":
            self._next()
            made = ("apply", made, self._arguments())
        return made

    def _call(self, text: str) -> Node:
        name = text[:-1].strip().upper()
        for prefix in _PREFIXES:
            name = name.removeprefix(prefix)
        self.parsed.functions.add(name)
        arguments = self._arguments()
        if name in _RESIZING and len(arguments) > 2:
            arguments[2] = self._resize(arguments[2], arguments[0])
        return ("call", name, arguments)

    def _resize(self, node: Node, like: Node) -> Node:
        """The range from its first cell on in the size of another; what is no range stays."""
        area, other = node[-1], like[-1]
        if (
            node[0] != "range"
            or like[0] != "range"
            or not isinstance(area, CellArea)
            or not isinstance(other, CellArea)
        ):
            return node
        if (area.height, area.width) == (other.height, other.width):
            return node
        sized = CellArea(area.top, area.left, area.top + other.height - 1, area.left + other.width - 1)
        sheet = node[1] if isinstance(node[1], str) else None
        self.parsed.references.append((sheet, sized))
        return ("range", sheet, sized)

    def _arguments(self) -> list[Node]:
        arguments: list[Node] = []
        while not (self.kind == "operator" and self.text == ")"):
            if self.kind == "operator" and self.text == ",":
                arguments.append(("missing",))
            else:
                arguments.append(self.expression())
            if self.kind == "operator" and self.text == ",":
                self._next()
                if self.kind == "operator" and self.text == ")":
                    arguments.append(("missing",))
            elif self.text != ")":
                raise FormulaProblem("a bracket is not closed")
        self._next()
        return arguments

    def _array(self) -> Node:
        rows: list[list[Node]] = [[]]
        while True:
            rows[-1].append(self._unary())
            text = self._next()
            if text == "}":
                return ("array", rows)
            if text == ";":
                rows.append([])
            elif text != ",":
                raise FormulaProblem("an array is not closed")

    def _expect(self, text: str) -> None:
        if self._next() != text:
            raise FormulaProblem("a bracket is not closed")
