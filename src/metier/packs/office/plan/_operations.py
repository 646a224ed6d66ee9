"""All operations of `ah32.plan.v1` and of ours, by name and by host."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, get_args

from metier.packs.office.plan._et_operations import ET_OPERATIONS
from metier.packs.office.plan._fields import HostApp, Operation
from metier.packs.office.plan._shared_operations import SHARED_OPERATIONS
from metier.packs.office.plan._wpp_operations import WPP_OPERATIONS
from metier.packs.office.plan._wps_operations import WPS_OPERATIONS

__all__ = ["HOST_APPS", "OPERATIONS", "operations_of"]

HOST_APPS: Final[tuple[HostApp, ...]] = get_args(HostApp)
OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType(
    {one.name: one for one in (*SHARED_OPERATIONS, *WPS_OPERATIONS, *ET_OPERATIONS, *WPP_OPERATIONS)}
)
# Known operations that no file can hold, with the reason; at most six.
_OF_HOST: Final[Mapping[HostApp, frozenset[str]]] = MappingProxyType(
    {host: frozenset(name for name, one in OPERATIONS.items() if host in one.hosts) for host in HOST_APPS}
)


def operations_of(host: HostApp) -> frozenset[str]:
    """Names of the operations that this host knows."""
    return _OF_HOST[host]
