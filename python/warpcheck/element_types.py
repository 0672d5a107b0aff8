"""The types of elements: those of a contract, and how NumPy, PyTorch and Triton name them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .report import InputError

FLOATS = ("f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2")
TYPES = (*FLOATS, "s8", "u8", "s32", "s64")

_OTHER_NAMES = {
    "f16": ("float16", "half", "fp16"),
    "bf16": ("bfloat16",),
    "tf32": ("tensorfloat32",),
    "f32": ("float32", "float", "fp32"),
    "f64": ("float64", "double", "fp64"),
    "e4m3": ("float8_e4m3fn", "fp8e4nv"),
    "e5m2": ("float8_e5m2", "fp8e5"),
    "s8": ("int8", "i8"),
    "u8": ("uint8",),
    "s32": ("int32", "i32"),
    "s64": ("int64", "i64"),
}
_NAMES = {other: name for name, others in _OTHER_NAMES.items() for other in (name, *others)}


def _text(type_: Any) -> str:
    """"float16" for "float16", np.float16, np.dtype("float16") and torch.float16."""
    text = str(type_).rpartition(".")[2]
    if isinstance(type_, str) or text in _NAMES:
        return text
    try:
        return str(type_) if type_ is None else np.dtype(type_).name  # np.dtype(None) is float64
    except TypeError:
        return str(type_)


def element_type(type_: Any) -> str:
    """The name of a type in a contract, "f32" for np.float32. Raises InputError."""
    name = _NAMES.get(_text(type_))
    if name is None:
        raise InputError(f"unknown type '{_text(type_)}': expected one of {', '.join(TYPES)}, "
                         "or a type of NumPy or PyTorch with such elements")
    return name
