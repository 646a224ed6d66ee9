"""Records from files: MATLAB (all versions), CSV, WAV, NumPy, HDF5, Parquet; a sidecar tells what they lack."""

from metier.packs.phm.loaders._channels import Channel, RecordFile
from metier.packs.phm.loaders._files import SUFFIXES, read_file
from metier.packs.phm.loaders._records import (
    Record,
    complete_record,
    list_record_files,
    list_sidecars,
    read_record,
    write_facts,
)

__all__ = [
    "SUFFIXES",
    "Channel",
    "Record",
    "RecordFile",
    "complete_record",
    "list_record_files",
    "list_sidecars",
    "read_file",
    "read_record",
    "write_facts",
]
