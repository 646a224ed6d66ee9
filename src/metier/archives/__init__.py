"""Zip archives, read within bounds."""

from metier.archives._zip import UNREADABLE_ARCHIVE, ArchiveTooLarge, BoundedZip, find_root, open_zip

__all__ = ["UNREADABLE_ARCHIVE", "ArchiveTooLarge", "BoundedZip", "find_root", "open_zip"]
