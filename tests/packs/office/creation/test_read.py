"""Files as the content of a new document."""

from pathlib import Path

import pytest

from metier.packs.office.creation._model import NewTable
from metier.packs.office.creation._read import read_content

TEXT = '名称,备注,编号,数\n甲,"a,b",007,1\n乙,"两\n行",110101199003071234,5.0\n丙,,x,2.5\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_every_cell_of_a_csv_file_is_a_cell_and_says_what_it_said(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "订单.csv"
    file.write_bytes(TEXT.encode(encoding))
    ((table,),) = [section.blocks for section in read_content(file, file.name, "zh").sections]
    assert isinstance(table, NewTable)
    assert table.heads == ("名称", "备注", "编号", "数")
    assert table.rows == (
        ("甲", "a,b", "007", 1),
        ("乙", "两\n行", "110101199003071234", 5.0),
        ("丙", None, "x", 2.5),
    )
