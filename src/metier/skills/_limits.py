"""Size limits of skills, so that one skill cannot slow down or crowd out the others in its folder."""

from typing import Final

FRONT_MATTER_BYTES: Final = 16 * 1024
MAIN_FILE_BYTES: Final = 1024 * 1024
FILE_BYTES: Final = 5 * 1024 * 1024
FOLDER_BYTES: Final = 20 * 1024 * 1024
FOLDER_FILES: Final = 100
FOLDER_DEPTH: Final = 6
SCAN_DEPTH: Final = 4
SCAN_FOLDERS: Final = 50_000
YAML_DEPTH: Final = 12
YAML_CHARS: Final = 256 * 1024
LIST_ITEMS: Final = 500
NAME_CHARS: Final = 64
DESCRIPTION_CHARS: Final = 1024
COMPATIBILITY_CHARS: Final = 500
FILE_NAME_BYTES: Final = 255
ARCHIVE_RATIO: Final = 100
ARCHIVE_SMALL_BYTES: Final = 1024 * 1024
ARCHIVE_BYTES: Final = 64 * 1024 * 1024
ARCHIVE_DEPTH: Final = 3
