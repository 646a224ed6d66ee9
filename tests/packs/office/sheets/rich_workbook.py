"""A workbook as people have them: sparklines, newer data bars, a chart, a text box, a table, shared formulas."""

import io
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
from openpyxl.chart import BarChart, Reference
from openpyxl.worksheet.table import Table

_EXTENSIONS = """<extLst>
<ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}"
 xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main">
<x14:conditionalFormattings><x14:conditionalFormatting xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main">
<x14:cfRule type="dataBar" id="{11111111-2222-3333-4444-555555555555}">
<x14:dataBar minLength="0" maxLength="100" gradient="0">
<x14:cfvo type="autoMin"/><x14:cfvo type="autoMax"/><x14:negativeFillColor rgb="FFFF0000"/>
<x14:axisColor rgb="FF000000"/>
</x14:dataBar></x14:cfRule><xm:sqref>C2:C7</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext>
<ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}"
 xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main">
<x14:sparklineGroups xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main">
<x14:sparklineGroup displayEmptyCellsAs="gap">
<x14:colorSeries rgb="FF376092"/><x14:sparklines><x14:sparkline><xm:f>销售!B2:C2</xm:f><xm:sqref>F2</xm:sqref>
</x14:sparkline>
</x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>"""
_TEXT_BOX = """<xdr:twoCellAnchor xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:from><xdr:col>8</xdr:col>
<xdr:colOff>0</xdr:colOff>
<xdr:row>20</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>11</xdr:col><xdr:colOff>0</xdr:colOff>
<xdr:row>24</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:sp macro="" textlink=""><xdr:nvSpPr>
<xdr:cNvPr id="9" name="备注框"/>
<xdr:cNvSpPr txBox="1"/></xdr:nvSpPr><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></a:xfrm>
<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr>
<xdr:txBody><a:bodyPr/><a:p><a:r><a:t>人工备注</a:t></a:r></a:p>
</xdr:txBody></xdr:sp><xdr:clientData/></xdr:twoCellAnchor>"""
ROWS = (
    ("华东", "一月", 120.5, 3),
    ("华北", "一月", 80, 2),
    ("华东", "二月", 99.5, 4),
    ("华南", "二月", 61, 1),
    ("华北", "三月", 140, 5),
    ("华东", "三月", 75.25, 2),
)


def write_rich_workbook(path: Path) -> Path:
    """Write the workbook: sheet 销售 with data in A1:E7, sheet 明细 with a table."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "销售"
    sheet.append(["地区", "月份", "金额", "数量", "单价", "走势"])
    for number, row in enumerate(ROWS, 2):
        sheet.append([*row, f"=ROUND(C{number}/D{number},2)"])
    sheet["A9"], sheet["C9"] = "合计", "=SUM(C2:C7)"
    sheet["D9"] = "=SUM(D2:D7)"
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=3, min_row=1, max_row=7), titles_from_data=True)
    sheet.add_chart(chart, "I2")
    other = book.create_sheet("明细")
    for line in (["编号", "名称"], ["A1", "甲"], ["A2", "乙"]):
        other.append(line)
    other.add_table(Table(displayName="明细表", ref="A1:B3"))
    other["D1"] = "=销售!C9*2"
    buffer = io.BytesIO()
    book.save(buffer)
    path.write_bytes(_patch(buffer.getvalue()))
    return path


def _patch(content: bytes) -> bytes:
    """Add what the library cannot write."""
    target = io.BytesIO()
    with ZipFile(io.BytesIO(content)) as source, ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name in source.namelist():
            text = source.read(name)
            if name == "xl/worksheets/sheet1.xml":
                text = text.replace(b"</worksheet>", _EXTENSIONS.encode() + b"</worksheet>")
            if name == "xl/drawings/drawing1.xml":
                end = text.rindex(b"</")
                text = text[:end] + _TEXT_BOX.encode() + text[end:]
            archive.writestr(name, text)
    return target.getvalue()


def read_parts(path: Path) -> dict[str, bytes]:
    """All parts of a file by name."""
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
