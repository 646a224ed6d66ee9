"""Size of the default style: what counted on the former one keeps its look."""

from collections.abc import Iterator

from metier.packs.office.files import XmlElement
from metier.packs.office.writer._session import WriterSession
from metier.packs.office.writer.reading import ensure, find, w, w_value

__all__ = ["set_default_size"]

_STORIES = ("header", "footer", "footnotes", "endnotes")


def set_default_size(session: WriterSession, points: float) -> float:
    """Set the size of the default style and return the size that it has; the text of other parts keeps the former."""
    styles, half_points = session.styles, round(points * 2)
    former = styles.default_half_points()
    default = next(iter(styles.chain(styles.default_paragraph)), None)
    if default is None:
        return former / 2
    if former == half_points:
        return points
    styles.open_to_change()
    default = styles.chain(styles.default_paragraph)[0]
    for style in styles.list_paragraph_styles():
        chain = styles.chain(w_value(style, "styleId"))
        if default in chain[1:] and not any(_has_size(one) for one in chain[: chain.index(default)]):
            _set_size(style, former)
    for paragraph in _list_paragraphs(session):
        if w_value(find(paragraph, "pPr", "pStyle")) in ("", styles.default_paragraph):
            _keep_size(session, paragraph, former)
    _set_size(default, half_points)
    # What is left as it is stands on no grid, as before; in some programs a character would fill a cell of it.
    ensure(ensure(default, "pPr"), "snapToGrid").set(w("val"), "0")
    return points


def _list_paragraphs(session: WriterSession) -> Iterator[XmlElement]:
    package = session.package
    yield from session.body.iter(w("p"))
    for kind in _STORIES:
        for part in package.list_relations(package.main_part, kind):
            if part in package:
                yield from package.xml(part).iter(w("p"))
                package.touch(part)


def _keep_size(session: WriterSession, paragraph: XmlElement, half_points: int) -> None:
    """Write the former size where neither the text nor a style of its own says one."""
    for run in paragraph.iter(w("r")):
        style = w_value(find(run, "rPr", "rStyle"))
        if find(run, "rPr", "sz") is None and not any(_has_size(one) for one in session.styles.chain(style)):
            _set_size(run, half_points)


def _has_size(element: XmlElement) -> bool:
    return find(element, "rPr", "sz") is not None


def _set_size(element: XmlElement, half_points: int) -> None:
    properties = ensure(element, "rPr")
    for name in ("sz", "szCs"):
        ensure(properties, name).set(w("val"), str(half_points))
