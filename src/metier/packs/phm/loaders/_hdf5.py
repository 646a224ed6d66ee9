"""HDF5 files: the arrays and facts that a file holds itself.

HDF5 follows links to wherever they lead: to other files, to raw bytes of other files, back to a group above. A file of
somebody else is read only as a tree of its own, of limited depth and size; what leads elsewhere is refused.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import h5py

_MAX_DEPTH: Final = 8
_MAX_OBJECTS: Final = 2_000
_REFERENCED: Final = "#"  # MATLAB keeps what cells refer to in groups of such names
_FACTS: Final = ("fs", "rpm", "sample_rate")


class UnreadableHdf5(ValueError):
    """What a file holds is no record of its own; the words follow the name of the file."""


def list_datasets(file: "h5py.Group") -> "list[tuple[str, h5py.Dataset]]":
    """Datasets of numbers by their path, each once; nothing of them is read yet."""
    return list(_walk(file, "", 0, {_place_of(file)}))


def read_arrays(found: "list[tuple[str, h5py.Dataset]]") -> Iterator[tuple[str, object]]:
    """The arrays, and the facts beside each of them."""
    for name, item in found:
        yield name, item[()]
        for key, value in item.attrs.items():
            fact = to_fact(value)
            if fact is not None and key.lower() in _FACTS:
                yield key, fact


def to_fact(value: object) -> float | str | None:
    """A text or a single number of an attribute; None for anything else."""
    if isinstance(value, bytes | str):
        return value.decode() if isinstance(value, bytes) else value
    array = np.asarray(value)
    return float(array.ravel()[0]) if array.size == 1 and array.dtype.kind in "fiu" else None


def _walk(
    group: "h5py.Group", prefix: str, depth: int, seen: set[tuple[int, int]]
) -> "Iterator[tuple[str, h5py.Dataset]]":
    import h5py

    if depth > _MAX_DEPTH:
        raise UnreadableHdf5(f"holds groups more than {_MAX_DEPTH} deep")
    for name, item in _list_own(group):
        if (place := _place_of(item)) in seen:
            continue
        seen.add(place)
        if len(seen) > _MAX_OBJECTS:
            raise UnreadableHdf5(f"holds more than {_MAX_OBJECTS} groups and arrays")
        if isinstance(item, h5py.Group):
            yield from _walk(item, f"{prefix}{name}/", depth + 1, seen)
        elif isinstance(item, h5py.Dataset) and item.dtype.kind in "fiub":
            if item.external or item.is_virtual:
                raise UnreadableHdf5("holds an array whose samples are in another file")
            yield f"{prefix}{name}", item


def _list_own(group: "h5py.Group") -> "Iterator[tuple[str, h5py.HLObject]]":
    """Members of a group; a soft link is a second name of what has a first one, and is left out."""
    import h5py

    for name in group:
        if name.startswith(_REFERENCED):
            continue
        link = group.get(name, getlink=True)
        if isinstance(link, h5py.ExternalLink):
            raise UnreadableHdf5("links to another file")
        if isinstance(link, h5py.HardLink):
            yield name, group[name]


def _place_of(item: "h5py.HLObject") -> tuple[int, int]:
    """File and address: the same for all names of one object."""
    import h5py

    info = h5py.h5o.get_info(item.id)
    return info.fileno, info.addr
