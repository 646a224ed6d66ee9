"""What a page holds: text, links, forms, tables and lists; read from the visible HTML alone, never run."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urljoin, urlsplit

from metier.textsearch import strip_invisible
from metier.tools.builtin import read_article

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MAX_ROWS: Final = 20_000
_MAX_COLUMNS: Final = 100
_MAX_BLOCKS: Final = 50
_MAX_CELL_CHARS: Final = 2_000
_MAX_LABEL_CHARS: Final = 200
_FIELD_TAGS: Final = ("input", "select", "textarea")
_BUTTONS: Final = frozenset({"submit", "button", "reset", "image"})
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class PageForm:
    """Form of a page: where it is sent, and its fields. `place` is its number in the page, from 0.

    `frame` is the number of the frame that it is in, 0 for the page itself; `url` is the address of that frame.
    """

    place: int
    title: str
    method: str
    action: str
    fields: tuple["FormField", ...]
    buttons: tuple[str, ...] = ()
    frame: int = 0
    url: str = ""


@dataclass(frozen=True, slots=True)
class FormField:
    """Field of a form. `place` is its number among the controls of the form; `options` are pairs of value and text."""

    place: int
    name: str
    label: str
    kind: str
    value: str = ""
    required: bool = False
    checked: bool = False
    options: tuple[tuple[str, str], ...] = ()
    locked: bool = False

    @property
    def is_hidden(self) -> bool:
        return self.kind == "hidden"


@dataclass(frozen=True, slots=True)
class PageTable:
    """Table or list of a page, as rows under columns."""

    kind: Literal["table", "list"]
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Clickable:
    """What can be clicked: its text, its number in the page or frame, its link, the number of the form it sends."""

    place: int
    text: str
    href: str = ""
    sends_form: int | None = None
    frame: int = 0


@dataclass(frozen=True, slots=True)
class PageContent:
    """A page as it was read. `cut`: only its beginning was."""

    url: str
    title: str
    text: str
    links: tuple[tuple[str, str], ...]
    forms: tuple[PageForm, ...]
    tables: tuple[PageTable, ...]
    clickables: tuple[Clickable, ...]
    cut: bool = False

    def find_sent_form(self, target: Clickable) -> PageForm | None:
        """The form that a button sends."""
        places = (target.frame, target.sends_form)
        return next((one for one in self.forms if (one.frame, one.place) == places), None)

    @property
    def wants_login(self) -> bool:
        return any(one.kind == "password" for form in self.forms for one in form.fields)


def read_content(html: str, url: str, *, base: str = "", title: str = "", cut: bool = False) -> PageContent:
    """Read a page from its visible HTML, in which forms are sections with `data-form`."""
    from lxml import html as parser

    base = base or url
    article = read_article(html, base)
    try:
        tree = parser.document_fromstring(strip_invisible(html) or "<p></p>")
    except ValueError:
        tree = parser.document_fromstring("<p></p>")
    return PageContent(
        url,
        flatten(title) or article.title,
        article.text,
        tuple((text, link) for link, text in article.links),
        tuple(_read_forms(tree, base)),
        (*_read_tables(tree), *_read_lists(tree, base))[:_MAX_BLOCKS],
        tuple(_read_clickables(tree, base)),
        cut,
    )


def add_frames(page: PageContent, frames: Mapping[int, PageContent]) -> PageContent:
    """The page with what its frames hold, by the numbers of the frames."""
    shown = [one for one in frames.values() if one.text.strip() or one.tables]
    forms = (replace(form, frame=number, url=one.url) for number, one in frames.items() for form in one.forms)
    clickables = (replace(target, frame=number) for number, one in frames.items() for target in one.clickables)
    return replace(
        page,
        text="\n\n".join([page.text, *(f"## {one.title or one.url}\n\n{one.text}" for one in shown)]),
        links=(*page.links, *(link for one in shown for link in one.links)),
        forms=(*page.forms, *forms)[:_MAX_BLOCKS],
        tables=(*page.tables, *(table for one in shown for table in one.tables))[:_MAX_BLOCKS],
        clickables=(*page.clickables, *clickables),
        cut=page.cut or any(one.cut for one in shown),
    )


def normalize_html(html: str) -> str:
    """Bring the HTML that a server sent to the form of a snapshot: scripts and hidden elements are gone."""
    from lxml import etree
    from lxml import html as parser

    try:
        tree = parser.document_fromstring(re.sub(r"^\s{0,99}<\?xml[^>]{0,500}>", "", html) or "<p></p>")
    except (etree.ParserError, ValueError):
        return ""
    for place, form in enumerate(tree.iter("form")):
        form.set("data-form", str(place))
        form.set("data-action", form.get("action") or "")
        form.set("data-method", form.get("method") or "get")
        for at, one in enumerate(one for one in form.iter() if one.tag in (*_FIELD_TAGS, "button")):
            one.set("data-owner", str(place))
            one.set("data-place", str(at))
            one.set("data-value", one.get("value") or "")
    for form in tree.findall(".//form"):
        form.tag = "section"
    for place, link in enumerate(tree.iterfind(".//a[@href]")):
        link.set("data-click", str(place))
    body = tree.find("body")
    return str(parser.tostring(tree if body is None else body, encoding="unicode"))


def flatten(text: str | None) -> str:
    """A text on one line."""
    return _SPACE.sub(" ", strip_invisible(text or "")).strip()


def _text_of(element: "HtmlElement") -> str:
    return flatten(" ".join(element.itertext()))[:_MAX_CELL_CHARS]


def _read_forms(tree: "HtmlElement", base: str) -> Iterator[PageForm]:
    labels = {one.get("for"): _text_of(one) for one in tree.iter("label") if one.get("for")}
    for section in list(tree.iterfind(".//*[@data-form]"))[:_MAX_BLOCKS]:
        place = section.get("data-form")
        owned = list(tree.iterfind(f".//*[@data-owner='{place}']"))
        fields = tuple(_merge_radios([_read_field(one, labels) for one in owned if _is_field(one)]))
        buttons = tuple(_read_button(one) for one in owned if not _is_field(one) and _sends(one))
        method = (section.get("data-method") or "get").strip().upper()
        yield PageForm(
            int(place),
            _title_before(section, inside=True),
            method if method in ("GET", "POST", "DIALOG") else "GET",
            urljoin(base, (section.get("data-action") or "").strip()),
            fields,
            buttons,
        )


def _merge_radios(fields: list[FormField]) -> Iterator[FormField]:
    """Radio buttons of one name as one field with options."""
    merged: set[str] = set()
    for one in fields:
        if one.kind != "radio":
            yield one
        elif one.name not in merged:
            merged.add(one.name)
            group = [other for other in fields if other.kind == "radio" and other.name == one.name]
            options = tuple((other.value, other.label) for other in group)
            chosen = next((other.value for other in group if other.checked), "")
            required = any(other.required for other in group)
            yield FormField(
                one.place, one.name, one.name, "radio", chosen, required=required, checked=bool(chosen), options=options
            )


def _is_field(one: "HtmlElement") -> bool:
    return one.tag in _FIELD_TAGS and (one.get("type") or "").lower() not in _BUTTONS


def _sends(one: "HtmlElement") -> bool:
    kind = (one.get("type") or ("submit" if one.tag == "button" else "")).lower()
    return kind in ("submit", "image")


def _read_button(one: "HtmlElement") -> str:
    return (_text_of(one) or flatten(one.get("data-value") or one.get("value") or one.get("alt")))[:_MAX_LABEL_CHARS]


def _read_field(one: "HtmlElement", labels: dict[str, str]) -> FormField:
    kind = (
        "select" if one.tag == "select" else one.tag if one.tag == "textarea" else (one.get("type") or "text").lower()
    )
    name = flatten(one.get("name") or "")
    options = tuple((str(item.get("value") or _text_of(item)), _text_of(item)) for item in one.iter("option"))
    around = next((_label_text(up) for up in one.iterancestors("label")), "")
    label = labels.get(one.get("id") or "") or around or flatten(one.get("aria-label") or one.get("placeholder"))
    return FormField(
        int(one.get("data-place") or 0),
        name,
        (label or name)[:_MAX_LABEL_CHARS].rstrip(" :：*"),
        kind,
        (one.get("data-value") or "")[:_MAX_CELL_CHARS],
        required=one.get("required") is not None,
        checked=one.get("checked") is not None,
        options=options[:500],
        locked=one.get("disabled") is not None,
    )


def _label_text(label: "HtmlElement") -> str:
    """Text of a label without that of the control inside it."""
    parts = [label.text or ""]
    for child in label:
        parts += [] if child.tag in _FIELD_TAGS else [" ".join(child.itertext())]
        parts.append(child.tail or "")
    return flatten(" ".join(parts))


def _title_before(element: "HtmlElement", *, inside: bool = False) -> str:
    """Caption or legend of an element, else the heading before it."""
    tags = ("legend", *_HEADINGS) if inside else ("caption",)
    own = next((text for tag in tags for one in element.iter(tag) if (text := _text_of(one))), "")
    if own:
        return own[:_MAX_LABEL_CHARS]
    here: HtmlElement | None = element
    while here is not None:
        for before in here.itersiblings(preceding=True):
            heads = [before] if before.tag in _HEADINGS else list(before.iter(*_HEADINGS))
            if heads and (text := _text_of(heads[-1])):
                return text[:_MAX_LABEL_CHARS]
        here = here.getparent()
    return ""


def _read_tables(tree: "HtmlElement") -> Iterator[PageTable]:
    for table in tree.iter("table"):
        if table.find(".//table") is not None:  # a table for the layout
            continue
        cells = [tuple(_read_cells(row)) for row in list(table.iter("tr"))[: MAX_ROWS + 1]]
        cells = [row for row in cells if any(row)]
        if len(cells) < 2 or max(map(len, cells)) < 2:
            continue
        width = max(map(len, cells))
        rows = [(*row, *("",) * (width - len(row))) for row in cells]
        first = table.find(".//tr")
        has_head = first is not None and (first.find("th") is not None or first.getparent().tag == "thead")
        names = rows[0] if has_head else tuple(f"{at + 1}" for at in range(width))
        columns = tuple(name or f"{at + 1}" for at, name in enumerate(names))
        yield PageTable("table", _title_before(table), columns, tuple(rows[1:] if has_head else rows))


def _read_cells(row: "HtmlElement") -> Iterator[str]:
    width = 0
    for cell in row:
        if cell.tag not in ("td", "th"):
            continue
        span = (cell.get("colspan") or "").strip()
        times = min(int(span), _MAX_COLUMNS) if span.isdigit() and int(span) else 1
        for at in range(times):
            width += 1
            if width <= _MAX_COLUMNS:
                yield _text_of(cell) if at == 0 else ""


def _read_lists(tree: "HtmlElement", base: str) -> Iterator[PageTable]:
    for found in tree.iter("ul", "ol"):
        inner = any(up.tag in ("ul", "ol", "nav", "header", "footer") for up in found.iterancestors())
        items = [one for one in found if one.tag == "li"][:MAX_ROWS]
        if inner or len(items) < 2:
            continue
        links = [one.find(".//a") for one in items]
        urls = [_resolve(base, link.get("href")) if link is not None else "" for link in links]
        rows = [(_text_of(one), url) for one, url in zip(items, urls, strict=True)]
        title = _title_before(found)
        if any(urls):
            yield PageTable("list", title, ("text", "url"), tuple(rows))
        else:
            yield PageTable("list", title, ("text",), tuple((text,) for text, _ in rows))


def _read_clickables(tree: "HtmlElement", base: str) -> Iterator[Clickable]:
    for one in tree.iterfind(".//*[@data-click]"):
        owner = one.get("data-owner")
        sends = int(owner) if owner is not None and _sends(one) else None
        text = _read_button(one) or flatten(one.get("aria-label") or one.get("title"))
        yield Clickable(int(one.get("data-click")), text, _resolve(base, one.get("href")), sends)


def _resolve(base: str, href: str | None) -> str:
    if not href:
        return ""
    try:
        target = urljoin(base, "".join(href.split()))
        return target if urlsplit(target).scheme in ("http", "https") else ""
    except ValueError:
        return ""
