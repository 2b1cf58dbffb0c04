"""The list of GPUs."""

from __future__ import annotations

from ctypes import byref
from dataclasses import dataclass
from typing import List, Optional

from . import _library as lib
from ._handles import Owned
from ._structs import DeviceInfoStruct, decoded
from ._tables import Fields

STATUSES = ["usable", "unusable", "duplicate"]


@dataclass(frozen=True)
class DeviceInfo(Fields):
    """A device or platform of EGL that was tried. ``status`` is "usable", "unusable", with the ``reason``, or "duplicate" of
    the entry ``duplicate_of``. ``is_software`` tells that the driver runs on the CPU, and ``is_automatic`` that the backend
    "auto" uses the device. Texts that are not known are empty."""

    index: int
    status: str
    id: str
    is_software: bool
    is_automatic: bool
    platform: str
    render_node: str
    pci_path: str
    vendor: str
    renderer: str
    version: str
    reason: str
    duplicate_of: Optional[int]


def devices() -> List[DeviceInfo]:
    """Returns all devices that were tried. Each takes about 50 ms.

    :raises NoDeviceError: if EGL is not available.
    """
    pointer = Owned.made(lib.device_list_create, lib.device_list_destroy)
    return [_device(pointer, index) for index in range(lib.device_list_count(pointer))]


def _device(pointer: Owned, index: int) -> DeviceInfo:
    info = DeviceInfoStruct()
    lib.device_list_describe(pointer, index, byref(info))

    status = STATUSES[info.status]
    return DeviceInfo(
        info.index, status, decoded(info.id), bool(info.is_software), bool(info.is_automatic), decoded(info.platform),
        decoded(info.render_node), decoded(info.pci_path), decoded(info.vendor), decoded(info.renderer),
        decoded(info.version), decoded(info.reason),
        info.duplicate_of if status == "duplicate" else None)
