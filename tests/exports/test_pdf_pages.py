"""Pages of a PDF: a heading never stands alone at the foot of one."""

from io import BytesIO

from pypdf import PdfReader

from metier.exports import build_report, write_document

TABLE = "| one | two |\n|---|---|\n" + "\n".join(f"| cell {row} | 2 |" for row in range(60))


def test_no_page_ends_with_a_heading_or_a_bold_title() -> None:
    """The filler pushes headings over the foot of the page, a line at a time."""
    alone = []
    for count in range(30, 34):
        lines = "\n\n".join("A line of text." for _ in range(count))
        text = f"{lines}\n\n## Reading\n\n**Nature**\n\n- A sentence.\n- Another one.\n\n## Grounds\n\n{TABLE}"
        pages = PdfReader(BytesIO(write_document(build_report("Chart", text, "en", {}), "pdf"))).pages
        ends = [
            [line for line in page.extract_text().splitlines() if not line.startswith("Page ")][-1] for page in pages
        ]
        alone += [(count, end) for end in ends if end.strip() in ("Reading", "Nature", "Grounds")]
    assert alone == []
