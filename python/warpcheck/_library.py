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


class CheckOptions(ctypes.Structure):
    """warpcheck_check_options."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("cases", ctypes.c_int64),
        ("seed", ctypes.c_uint64),
        ("jobs", ctypes.c_uint32),
        ("device", ctypes.c_char_p),
    ]


class ReferenceCall(ctypes.Structure):
    """warpcheck_reference_call."""

    _fields_ = [
        ("arithmetic", ctypes.c_void_p),
        ("inputs", ctypes.c_size_t),
        ("input", ctypes.POINTER(ctypes.c_void_p)),
        ("is_integer", ctypes.POINTER(ctypes.c_uint8)),
        ("outputs", ctypes.c_size_t),
        ("output", ctypes.POINTER(ctypes.c_void_p)),
        ("extents", ctypes.c_size_t),
        ("extent", ctypes.POINTER(ctypes.c_int64)),
        ("scalars", ctypes.c_size_t),
        ("scalar", ctypes.POINTER(ctypes.c_double)),
    ]


REFERENCE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ReferenceCall))
_SESSION = ctypes.c_void_p
_CONTRACT = ctypes.c_void_p
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
    "parameter_type": (
        ctypes.c_char_p, [_SESSION, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_size_t]),
    "launch": (
        ctypes.c_int,
        [_SESSION, ctypes.c_uint32, ctypes.c_char_p, _EXTENT, _EXTENT, ctypes.c_size_t,
         ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t],
    ),
    "json": (ctypes.c_char_p, [_SESSION]),
    "text": (ctypes.c_char_p, [_SESSION]),
    "default_check_options": (None, [ctypes.POINTER(CheckOptions)]),
    "contract_open_ptx": (ctypes.c_int, [*[ctypes.c_char_p] * 4, ctypes.POINTER(_CONTRACT)]),
    "contract_set_reference": (ctypes.c_int, [_CONTRACT, ctypes.c_char_p, REFERENCE, ctypes.c_void_p]),
    "contract_close": (None, [_CONTRACT]),
    "contract_error": (ctypes.c_char_p, [_CONTRACT]),
    "contract_json": (ctypes.c_char_p, [_CONTRACT]),
    "check": (
        ctypes.c_int, [_CONTRACT, ctypes.POINTER(CheckOptions), ctypes.c_void_p, ctypes.c_void_p]),
    "run_case": (
        ctypes.c_int,
        [_CONTRACT, ctypes.c_char_p, ctypes.POINTER(CheckOptions), ctypes.c_void_p, ctypes.c_void_p],
    ),
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
