"""Cut the font of exported PDF files from Noto Sans SC: Latin, punctuation, symbols and the characters of GB 2312.

    python scripts/make_export_font.py NotoSansSC-Regular.ttf

Needs fonttools. The source is the package `@expo-google-fonts/noto-sans-sc` (SIL Open Font License 1.1).
"""

import subprocess
import sys
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "src/metier/exports/fonts/NotoSansSC-subset.ttf"
BLOCKS = "20-7E,A0-FF,2010-2027,2030-205E,20AC,2103,2109,2116,2122,2150-215E,2160-217F,2190-21FF,2200-22FF,2300-23FF"
MORE = "2460-249B,2500-25FF,2600-2603,2605,2606,2610-2612,2713,2714,2717,2718,3000-303F,FE30-FE4F,FF00-FFEF"


def list_code_points() -> str:
    """Code points to keep, as fonttools wants them."""
    hanzi = {bytes([high, low]).decode("gb2312", "ignore") for high in range(0xA1, 0xF8) for low in range(0xA1, 0xFF)}
    return ",".join([BLOCKS, MORE, *sorted(f"{ord(char):X}" for char in hanzi if char)])


def main() -> None:
    """Write the subset."""
    options = ["--no-hinting", "--layout-features=", "--desubroutinize", "--name-IDs=0,1,2,3,4,5,6,13,14"]
    source, target = sys.argv[1], f"--output-file={TARGET}"
    subprocess.run(  # noqa: S603
        [sys.executable, "-m", "fontTools.subset", source, f"--unicodes={list_code_points()}", target, *options],
        check=True,
    )
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
