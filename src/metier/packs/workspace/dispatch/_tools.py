"""Document tools of the bench: real files from a title and points, so that only the dispatch is measured."""

from pathlib import Path, PurePosixPath

from metier.tools import SideEffect, Tool, ToolContext, ToolError, function_tool


def build_tools() -> tuple[Tool, ...]:
    """`pptx` and `docx`, with arguments that a task can state in full."""
    effects: frozenset[SideEffect] = frozenset({"writes"})
    return (function_tool(pptx, effects=effects), function_tool(docx, effects=effects))


def pptx(path: str, title: str, points: list[str], context: ToolContext) -> dict[str, object]:
    """Write a presentation: a slide for the title and one for each point."""
    from pptx import Presentation

    deck = Presentation()
    for text in (title, *points):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = text
    deck.save(str(_locate(context, path, ".pptx")))
    return {"path": path, "slides": len(points) + 1}


def docx(path: str, title: str, paragraphs: list[str], context: ToolContext) -> dict[str, object]:
    """Write a Word document: a heading and paragraphs."""
    from docx import Document

    document = Document()
    document.add_heading(title)
    for text in paragraphs:
        document.add_paragraph(text)
    document.save(str(_locate(context, path, ".docx")))
    return {"path": path, "paragraphs": len(paragraphs)}


def _locate(context: ToolContext, path: str, suffix: str) -> Path:
    name = PurePosixPath(path)
    if name.name != path or name.suffix != suffix:
        raise ToolError(f"{path!r} is no file name that ends in {suffix}", code="invalid_arguments")
    context.workspace.mkdir(parents=True, exist_ok=True)
    return context.workspace / path
