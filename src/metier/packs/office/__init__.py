"""Office pack: reads and edits documents, sheets and slides by plans that are shown before they are written."""
