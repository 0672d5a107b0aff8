"""The functions of libwarpcheck.so, as include/warpcheck/warpcheck.h declares them."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

OK, FINDINGS, ERROR, UNSUPPORTED = range(4)


class Options(ctypes.Structure):
    """warpcheck_options."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("memory_bytes", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
        ("instructions", ctypes.c_uint64),
        ("seconds", ctypes.c_double),
        ("threads", ctypes.c_uint32),
        ("races", ctypes.c_uint8),
        ("strict_races", ctypes.c_uint8),
        ("strict_barriers", ctypes.c_uint8),
    ]


_SESSION = ctypes.c_void_p
_ADDRESS = ctypes.c_uint64
_SIZES = ctypes.POINTER(ctypes.c_size_t)
_EXTENT = ctypes.POINTER(ctypes.c_uint32)
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "version": (ctypes.c_char_p, []),
    "default_options": (None, [ctypes.POINTER(Options)]),
    "create": (_SESSION, [ctypes.POINTER(Options)]),
    "destroy": (None, [_SESSION]),
    "error": (ctypes.c_char_p, [_SESSION]),
    "allocate": (_ADDRESS, [_SESSION, ctypes.c_size_t, ctypes.c_char_p]),
    "write": (ctypes.c_int, [_SESSION, _ADDRESS, ctypes.c_void_p, ctypes.c_size_t]),
    "read": (ctypes.c_int, [_SESSION, ctypes.c_void_p, _ADDRESS, ctypes.c_size_t, _SIZES]),
    "load": (
        ctypes.c_int,
        [_SESSION, ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint32)],
    ),
    "parameters": (
        ctypes.c_long,
        [_SESSION, ctypes.c_uint32, ctypes.c_char_p, _SIZES, ctypes.c_size_t],
    ),
    "launch": (
        ctypes.c_int,
        [_SESSION, ctypes.c_uint32, ctypes.c_char_p, _EXTENT, _EXTENT, ctypes.c_size_t,
         ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t],
    ),
    "json": (ctypes.c_char_p, [_SESSION]),
    "text": (ctypes.c_char_p, [_SESSION]),
}


def _load() -> ctypes.CDLL:
    """The library of the wheel, or $WARPCHECK_LIBRARY."""
    beside = Path(__file__).parent / "libwarpcheck.so"
    library = ctypes.CDLL(os.environ.get("WARPCHECK_LIBRARY") or str(beside))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, "warpcheck_" + name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()
