"""Formulas as files keep them: newer functions with their prefixes, names of LET and LAMBDA, formulas that spill.

What Excel itself stores: `_xlfn._xlws.SORT(…)` and `FILTER`, `_xlfn.` before other newer functions,
`_xlfn.LET(_xlpm.x,1,_xlpm.x+1)`, `_xlfn.ANCHORARRAY(A1)` for `A1#`. With `_xlfn.SORT` or a bare name of LET it shows
`#NAME?`.
"""

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["is_spilling", "prefix_functions", "show_formula"]

_FUTURE: Final = re.compile(
    r"ACOT|ACOTH|AGGREGATE|ANCHORARRAY|ARABIC|ARRAYTOTEXT|BASE|BETA\.DIST|BETA\.INV|BINOM\.DIST|"
    r"BINOM\.DIST\.RANGE|BINOM\.INV|BITAND|BITLSHIFT|BITOR|BITRSHIFT|BITXOR|BYCOL|BYROW|CEILING\.MATH|"
    r"CEILING\.PRECISE|CHISQ\.DIST|CHISQ\.DIST\.RT|CHISQ\.INV|CHISQ\.INV\.RT|CHISQ\.TEST|CHOOSECOLS|"
    r"CHOOSEROWS|COMBINA|CONCAT|CONFIDENCE\.NORM|CONFIDENCE\.T|COT|COTH|COVARIANCE\.P|COVARIANCE\.S|CSC|"
    r"CSCH|DAYS|DECIMAL|DROP|ERF\.PRECISE|ERFC\.PRECISE|EXPAND|EXPON\.DIST|F\.DIST|F\.DIST\.RT|F\.INV|"
    r"F\.INV\.RT|F\.TEST|FILTER|FILTERXML|FLOOR\.MATH|FLOOR\.PRECISE|FORECAST\.ETS|FORECAST\.ETS\.CONFINT|"
    r"FORECAST\.ETS\.SEASONALITY|FORECAST\.ETS\.STAT|FORECAST\.LINEAR|FORMULATEXT|GAMMA|GAMMA\.DIST|"
    r"GAMMA\.INV|GAMMALN\.PRECISE|GAUSS|GROUPBY|HSTACK|HYPGEOM\.DIST|IFNA|IFS|IMAGE|IMCOSH|IMCOT|IMCSC|"
    r"IMCSCH|IMSEC|IMSECH|IMSINH|IMTAN|ISFORMULA|ISOMITTED|ISOWEEKNUM|LAMBDA|LET|LOGNORM\.DIST|"
    r"LOGNORM\.INV|MAKEARRAY|MAP|MAXIFS|MINIFS|MODE\.MULT|MODE\.SNGL|MUNIT|NEGBINOM\.DIST|NORM\.DIST|"
    r"NORM\.INV|NORM\.S\.DIST|NORM\.S\.INV|NUMBERVALUE|PDURATION|PERCENTILE\.EXC|PERCENTILE\.INC|"
    r"PERCENTOF|PERCENTRANK\.EXC|PERCENTRANK\.INC|PERMUTATIONA|PHI|PIVOTBY|POISSON\.DIST|QUARTILE\.EXC|"
    r"QUARTILE\.INC|QUERYSTRING|RANDARRAY|RANK\.AVG|RANK\.EQ|REDUCE|REGEXEXTRACT|REGEXREPLACE|REGEXTEST|"
    r"RRI|SCAN|SEC|SECH|SEQUENCE|SHEET|SHEETS|SINGLE|SKEW\.P|SORT|SORTBY|STDEV\.P|STDEV\.S|STOCKHISTORY|"
    r"SWITCH|T\.DIST|T\.DIST\.2T|T\.DIST\.RT|T\.INV|T\.INV\.2T|T\.TEST|TAKE|TEXTAFTER|TEXTBEFORE|TEXTJOIN|"
    r"TEXTSPLIT|TOCOL|TOROW|TRIMRANGE|UNICHAR|UNICODE|UNIQUE|VALUETOTEXT|VAR\.P|VAR\.S|VSTACK|WEBSERVICE|"
    r"WEIBULL\.DIST|WRAPCOLS|WRAPROWS|XLOOKUP|XMATCH|XOR|Z\.TEST"
)
_WORKSHEET: Final = frozenset({"FILTER", "SORT"})
# Functions that give arrays: their formula is kept as a dynamic array, else programs show one value of it.
_SPILLING: Final = re.compile(
    r"ANCHORARRAY|BYCOL|BYROW|CHOOSECOLS|CHOOSEROWS|DROP|EXPAND|FILTER|GROUPBY|HSTACK|LAMBDA|LET|"
    r"MAKEARRAY|MAP|PIVOTBY|RANDARRAY|REDUCE|SCAN|SEQUENCE|SORT|SORTBY|TAKE|TEXTSPLIT|TOCOL|TOROW|"
    r"TRIMRANGE|UNIQUE|VSTACK|WRAPCOLS|WRAPROWS"
)
_TOKEN: Final = re.compile(
    r"""(?P<kept>"(?:[^"]|"")*"|'(?:[^']|'')*'!?|\[(?:[^\[\]']|'.|\[(?:[^\[\]']|'.)*\])*\])
    |(?P<spill>\$?[A-Za-z]{1,3}\$?[1-9]\d*(?=\#))\#
    |(?P<word>[A-Za-z_\\\u0080-\uffff$][\w.?\\$\u0080-\uffff]*)
    |(?P<number>\d[\d.]*(?:[eE][+-]?\d+)?)
    |(?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
_PREFIX: Final = re.compile(r"(?i)^(?:_xlfn\.|_xlws\.)+")
_PARAMETER: Final = re.compile(r"(?i)^_xl(?:pm|op)\.")
_NAME: Final = re.compile(r"[A-Za-z_\u0080-\uffff][\w.?\u0080-\uffff]*")


def prefix_functions(text: str) -> str:
    """Formula as a file keeps it: without `=`, newer functions and the names of LET and LAMBDA with their prefixes."""
    tokens = list(_read_tokens(text.strip().removeprefix("=").strip()))
    for at, (kind, token) in enumerate(tokens):
        if kind == "word" and _next_mark(tokens, at) == "(":
            tokens[at] = ("function", _PREFIX.sub("", token).upper())
    for at, (kind, token) in enumerate(tokens):
        if kind == "function" and token in ("LET", "LAMBDA"):
            _mark_names(tokens, at, token)
    return "".join(_store(kind, token) for kind, token in tokens)


def is_spilling(formula: str) -> bool:
    """Whether the stored formula gives an array that may fill the cells beside it."""
    tokens = _read_tokens(formula)
    return any(
        kind == "word" and token.startswith("_") and _SPILLING.fullmatch(_PREFIX.sub("", token))
        for kind, token in tokens
    )


def show_formula(formula: str) -> str:
    """The formula as a person types it: without the prefixes of the file."""
    return "".join(
        _PARAMETER.sub("", _PREFIX.sub("", token)) if kind == "word" else token for kind, token in _read_tokens(formula)
    )


def _read_tokens(text: str) -> Iterator[tuple[str, str]]:
    for match in _TOKEN.finditer(text):
        yield str(match.lastgroup), match[str(match.lastgroup)]


def _store(kind: str, token: str) -> str:
    if kind == "spill":
        return f"_xlfn.ANCHORARRAY({token})"
    if kind == "parameter":
        return f"_xlpm.{_PARAMETER.sub('', token)}"
    if kind != "function":
        return token
    if token in _WORKSHEET:
        return f"_xlfn._xlws.{token}"
    return f"_xlfn.{token}" if _FUTURE.fullmatch(token) else token


def _next_mark(tokens: list[tuple[str, str]], at: int) -> str:
    return next((token for _, token in tokens[at + 1 :] if not token.isspace()), "")


def _mark_names(tokens: list[tuple[str, str]], at: int, function: str) -> None:
    """Turn the names that LET or LAMBDA defines into parameters, as far as its brackets reach."""
    starts, end = _list_arguments(tokens, at)
    defining = starts[:-1:2] if function == "LET" else starts[:-1]
    names: set[str] = set()
    functions: set[str] = set()
    for start, stop in zip(starts, [*starts[1:], end + 1], strict=True):
        words = [token for kind, token in tokens[start : stop - 1] if not token.isspace()]
        plain = _PARAMETER.sub("", words[0]) if words else ""
        if start in defining and len(words) == 1 and _NAME.fullmatch(plain):
            names.add(plain.casefold())
            value = next((token for _, token in tokens[stop:end] if not token.isspace()), "")
            if function == "LAMBDA" or value == "LAMBDA":
                functions.add(plain.casefold())
    for place in range(starts[0] if starts else end, end):
        kind, token = tokens[place]
        known = {"word": names, "parameter": names, "function": functions}.get(kind, set())
        if _PARAMETER.sub("", token).casefold() in known:
            tokens[place] = ("parameter", token)


def _list_arguments(tokens: list[tuple[str, str]], at: int) -> tuple[list[int], int]:
    """Where each argument of the function at `at` begins, and where its bracket closes."""
    depth = 0
    starts: list[int] = []
    for place, (kind, mark) in enumerate(tokens[at + 1 :], at + 1):
        if kind != "mark":
            continue
        depth += (mark in "({") - (mark in ")}")
        if depth == 0 and mark in ")}":
            return starts, place
        if depth == 1 and mark in "(,":
            starts.append(place + 1)
    return starts, len(tokens)
