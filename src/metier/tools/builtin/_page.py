"""Extract the readable text of an HTML page with headings, lists and links; hidden elements are dropped."""

import re
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import urldefrag, urljoin, urlsplit

from metier.errors import MissingExtra
from metier.patterns import compile_later
from metier.textsearch import strip_invisible

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MAX_LINKS = 50
_MAX_LINK_CHARS = 500
_MAX_TITLE_CHARS = 300
_MAX_DEPTH = 260  # the parser's own limit is 256
_MIN_PART_CHARS = 400
_MAX_GUESS_ELEMENTS = 10_000  # readability takes 0.2 ms per element: half a minute for 100,000
# fmt: off
_DROPPED: Final = frozenset((
    "script", "style", "noscript", "template", "svg", "math", "canvas", "iframe", "object", "embed", "head",
    "input", "select", "textarea", "button", "form",
))
# fmt: on
# fmt: off
_BLOCKS: Final = frozenset((
    "address", "article", "aside", "blockquote", "body", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section",
    "summary", "table", "tbody", "thead", "tfoot", "tr", "ul", "caption",
))
# fmt: on
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_HIDDEN_STYLE: Final = compile_later(
    r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)|font-size\s*:\s*0)",
    re.IGNORECASE,
)
_SPACE: Final = compile_later(r"[ \t\r\f\v\xa0\u3000]+")
_LINE_EDGES: Final = compile_later(r" *\n *")
_GAPS: Final = compile_later(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Article:
    """Readable content of a page: title, text, and links as pairs of URL and label."""

    title: str
    text: str
    links: tuple[tuple[str, str], ...]


def read_article(html: str, url: str) -> Article:
    """Extract the main text of a page, or the whole body if no main part is found; `MissingExtra` without parsers."""
    _require_parsers()
    from lxml import etree
    from lxml import html as parser

    try:
        tree = parser.document_fromstring(_strip_xml_declaration(html) or "<p></p>")
    except (etree.ParserError, ValueError):
        return Article("", "", ())
    title = _to_one_line(tree.findtext(".//title") or "")
    _drop_hidden(tree)
    whole = _render(tree, url)
    marked = _find_main_element(tree)
    part = _render(marked, url) if marked is not None else _guess_main_part(tree, url)
    if part is None or len(part.text()) < min(_MIN_PART_CHARS, len(whole.text()) // 2):
        return _build_article(title, whole)
    return _build_article(title, part)


def _require_parsers() -> None:
    for package in ("lxml.html", "readability"):
        try:
            import_module(package)
        except ImportError as error:
            message = f"reading a web page needs the package {error.name!r}"
            raise MissingExtra(message, hint="pip install 'metier[web]'") from error


def _render(tree: "HtmlElement", url: str) -> "_Writer":
    writer = _Writer(url)
    writer.write(tree)
    return writer


def _build_article(title: str, writer: "_Writer") -> Article:
    return Article(title[:_MAX_TITLE_CHARS], writer.text(), tuple(writer.links.items())[:_MAX_LINKS])


def _strip_xml_declaration(html: str) -> str:
    """Remove the XML declaration: lxml rejects text that names an encoding."""
    return re.sub(r"^\s{0,99}<\?xml[^>]{0,500}>", "", strip_invisible(html), count=1)


def _find_main_element(tree: "HtmlElement") -> "HtmlElement | None":
    """Return the element marked as main content.

    It keeps short lists and tables, which readability drops.
    """
    for path in (".//main", ".//*[@role='main']", ".//article"):
        found = tree.findall(path)
        if len(found) == 1:
            return found[0]
    return None


def _guess_main_part(tree: "HtmlElement", url: str) -> "_Writer | None":
    from lxml import etree
    from lxml import html as parser
    from readability import Document  # type: ignore[import-untyped]  # readability has no types
    from readability.readability import Unparseable  # type: ignore[import-untyped]  # readability has no types

    if sum(1 for _ in islice(tree.iter(), _MAX_GUESS_ELEMENTS + 1)) > _MAX_GUESS_ELEMENTS:
        return None
    try:
        html = parser.tostring(tree, encoding="unicode")
        return _render(parser.document_fromstring(Document(html).summary(html_partial=True)), url)
    except (Unparseable, etree.LxmlError, ValueError, TypeError, IndexError):
        return None


def _drop_hidden(tree: "HtmlElement") -> None:
    """Remove hidden elements, a common place for prompt injection."""
    for element in list(tree.iter()):
        inside = element is not tree and element.getparent() is not None
        if inside and (not isinstance(element.tag, str) or _is_hidden(element)):
            element.drop_tree()


def _is_hidden(element: "HtmlElement") -> bool:
    return (
        element.tag in _DROPPED
        or element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or bool(_HIDDEN_STYLE.search(element.get("style") or ""))
    )


def _to_one_line(text: str) -> str:
    return " ".join(strip_invisible(text).split())


@dataclass(slots=True)
class _Writer:
    """Renders an element tree as text; `links` holds each URL once, in document order."""

    base: str
    links: dict[str, str] = field(default_factory=dict)
    _out: list[str] = field(default_factory=list)

    def text(self) -> str:
        joined = _LINE_EDGES.sub("\n", _SPACE.sub(" ", "".join(self._out)))
        return _GAPS.sub("\n\n", joined.replace("\x00", " ")).strip()

    def write(self, element: "HtmlElement", depth: int = 0) -> None:
        tag = element.tag if isinstance(element.tag, str) else ""
        if not tag or tag in _DROPPED or depth > _MAX_DEPTH:
            return
        self._write_opening(element, tag)
        if tag == "pre":
            self._out.append("".join(element.itertext()).replace(" ", "\x00").replace("\t", "\x00\x00"))
        elif tag == "a":
            self._write_link(element)
        else:
            self._write_children(element, depth)
        if tag in _HEADINGS or (tag in _BLOCKS and tag not in ("li", "tr", "dt", "dd")):
            self._out.append("\n" if tag == "div" else "\n\n")

    def _write_opening(self, element: "HtmlElement", tag: str) -> None:
        if tag in _HEADINGS:
            self._out.append(f"\n\n{'#' * int(tag[1])} ")
        elif tag == "li":
            self._out.append("\n- ")
        elif tag == "br":
            self._out.append("\n")
        elif tag in ("td", "th"):
            self._out.append(" | ")
        elif tag == "img" and _to_one_line(element.get("alt") or ""):
            self._out.append(f"[image: {_to_one_line(element.get('alt') or '')}]")
        elif tag in _BLOCKS:
            self._out.append("\n")

    def _write_children(self, element: "HtmlElement", depth: int) -> None:
        self._out.append(_flatten(element.text))
        for child in element:
            self.write(child, depth + 1)
            self._out.append(_flatten(child.tail))

    def _write_link(self, element: "HtmlElement") -> None:
        """Write a link as Markdown; if its URL is not http(s), only the label."""
        label = _to_one_line(" ".join(element.itertext())) or _to_one_line(element.get("title") or "")
        target = self._resolve_target(element.get("href") or "")
        if not label:
            return
        if target:
            self.links.setdefault(target, label[:_MAX_TITLE_CHARS])
        self._out.append(f"[{label}]({target})" if target else label)

    def _resolve_target(self, href: str) -> str:
        try:
            target = urldefrag(urljoin(self.base, "".join(strip_invisible(href).split()))).url
            usable = urlsplit(target).scheme in ("http", "https") and len(target) <= _MAX_LINK_CHARS
        except ValueError:
            return ""
        return target if usable and target != urldefrag(self.base).url else ""


def _flatten(text: str | None) -> str:
    return (text or "").replace("\n", " ")
