"""Kernels and launches on NumPy arrays."""

from __future__ import annotations

import ctypes
import dataclasses
import itertools
import json
import operator
import os
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np

from . import _library
from ._library import library
from .declared_types import declared_arrays, differs
from .report import Finding, InputError, Report


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel in PTX with what a launch of it needs besides arguments and grid. `ptx` is the text, or the path of a
    file that ends with .ptx."""

    ptx: str
    name: str = ""  # empty: the only kernel of the PTX
    block: tuple[int, ...] = (1,)  # also one int
    shared: int = 0  # bytes of dynamic shared memory
    file: str = "kernel.ptx"  # names the PTX in messages
    hidden: int = 0  # parameters that the compiler added at the end; they are 0
    arrays: tuple[str, ...] = ()  # the type of the elements of each parameter, "float32"; empty: not known

    def __post_init__(self) -> None:
        object.__setattr__(self, "block", _axes(self.block))
        is_path = isinstance(self.ptx, os.PathLike) or "\n" not in self.ptx
        if is_path and Path(self.ptx).suffix in (".cu", ".cubin", ".fatbin"):
            raise InputError(f"{self.ptx} is no PTX; `nvcc -ptx -lineinfo` compiles it from CUDA C++")
        if is_path and Path(self.ptx).suffix == ".ptx":
            object.__setattr__(self, "file", str(self.ptx) if self.file == "kernel.ptx" else self.file)
            object.__setattr__(self, "ptx", Path(self.ptx).read_text())

    @staticmethod
    def from_file(path: str | os.PathLike[str], **fields: Any) -> Kernel:
        return Kernel(Path(path).read_text(), **{"file": str(path), **fields})


class Undefined:
    """An array whose memory the kernel must write before it reads it."""

    def __init__(self, array: np.ndarray) -> None:
        if not isinstance(array, np.ndarray):
            raise InputError(f"Undefined() of a {type(array).__name__}, expected a NumPy array")
        self.array = array


Argument = Union[np.ndarray, Undefined, np.generic, int, float, bytes]
Extent = Union[int, Sequence[int]]  # size of a grid or a block


def _runs(array: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """The parts of an array whose bytes are contiguous, with their offsets from its first element."""
    order = sorted(range(array.ndim), key=lambda axis: -abs(array.strides[axis]))
    array = array.transpose(order)
    inner = array.ndim
    size = array.itemsize
    while inner > 0 and (array.strides[inner - 1] == size or array.shape[inner - 1] == 1):
        size *= array.shape[inner - 1]
        inner -= 1
    if array.size == 0:
        return
    for index in itertools.product(*map(range, array.shape[:inner])):
        yield array[(*index, ...)], sum(i * stride for i, stride in zip(index, array.strides))


class DeviceArray:
    """An array in memory of the device with the same strides. Bytes between its elements are undefined."""

    def __init__(self, session: Session, array: np.ndarray, name: str, defined: bool) -> None:
        extents = [(n - 1) * stride for n, stride in zip(array.shape, array.strides) if n > 0]
        self.before = -sum(extent for extent in extents if extent < 0)
        bytes_ = self.before + sum(e for e in extents if e > 0) + array.itemsize if array.size else 0
        self.session, self.array, self.name = session, array, name
        self.address = session.allocate(bytes_, name) + self.before
        if defined:
            for part, offset in _runs(array):
                session.write(self.address + offset, np.ascontiguousarray(part))

    def copy_back(self) -> None:
        for part, offset in _runs(self.array):
            after = np.empty(part.shape, part.dtype)
            self.session.read(after, self.address + offset)
            if part.flags.writeable:
                part[...] = after
            elif after.tobytes() != part.tobytes():
                raise InputError(f"the kernel wrote to {self.name}, whose array is read-only: pass a copy of it")


class Session:
    """The memory and one module of a virtual device."""

    def __init__(self, kernel: Kernel, **options: Any) -> None:
        chosen = _library.Options()
        library.warpcheck_default_options(chosen)
        for name, value in options.items():
            if name not in dict(_library.Options._fields_[1:]):
                raise TypeError(f"unknown option '{name}'")
            setattr(chosen, name, value)
        self.kernel = kernel
        self._handle = library.warpcheck_create(chosen)
        if not self._handle:
            raise MemoryError("no memory for a session")
        weakref.finalize(self, library.warpcheck_destroy, self._handle)
        module = ctypes.c_uint32()
        self._require(library.warpcheck_load(
            self._handle, kernel.ptx.encode(), kernel.file.encode(), module))
        self._module = module.value
        self._name = kernel.name.encode() or None
        self.parameter_bytes = self._parameter_bytes()
        self.parameter_types = [  # "f32", "s32", "address" ...; "" if the PTX does not show it
            library.warpcheck_parameter_type(self._handle, self._module, self._name, i).decode()
            for i in range(len(self.parameter_bytes))]

    def _require(self, status: int) -> None:
        if status == _library.ERROR:
            raise InputError(library.warpcheck_error(self._handle).decode())

    def _parameter_bytes(self) -> list[int]:
        count = library.warpcheck_parameters(self._handle, self._module, self._name, None, 0)
        if count < 0:
            self._require(_library.ERROR)
        sizes = (ctypes.c_size_t * count)()
        library.warpcheck_parameters(self._handle, self._module, self._name, sizes, count)
        return list(sizes)

    def allocate(self, bytes_: int, name: str) -> int:
        address = library.warpcheck_allocate(self._handle, bytes_, name.encode())
        if address == 0:
            raise MemoryError(library.warpcheck_error(self._handle).decode())
        return int(address)

    def write(self, address: int, data: np.ndarray) -> None:
        self._require(library.warpcheck_write(self._handle, address, data.ctypes.data, data.nbytes))

    def read(self, data: np.ndarray, address: int) -> int:
        """Fills the array, and returns the number of its bytes that were never written."""
        undefined = ctypes.c_size_t()
        self._require(library.warpcheck_read(
            self._handle, data.ctypes.data, address, data.nbytes, undefined))
        return undefined.value

    def launch(self, grid: Extent, values: Sequence[bytes], block: Extent | None = None,
               shared: int | None = None) -> Report:
        buffers = [ctypes.create_string_buffer(value, len(value)) for value in values]
        pointers = (ctypes.c_void_p * len(buffers))(*map(ctypes.addressof, buffers))
        self._require(library.warpcheck_launch(
            self._handle, self._module, self._name, _extent(grid), _extent(self.kernel.block if block is None else block),
            self.kernel.shared if shared is None else shared, pointers, len(buffers)))
        return _report(json.loads(library.warpcheck_json(self._handle).decode()))


def _axes(extent: Extent) -> tuple[int, ...]:
    """One to three numbers of threads or blocks; a number alone is that along x."""
    try:
        values = [extent] if isinstance(extent, (int, np.integer)) else list(extent)
        axes = tuple(map(operator.index, values))
    except TypeError:
        raise InputError(f"{extent!r} is no grid or block: expected one to three integers") from None
    if not 1 <= len(axes) <= 3 or any(not 0 <= axis < 1 << 32 for axis in axes):
        raise InputError(f"{axes} is no grid or block")
    return axes


def _extent(extent: Extent) -> Any:
    return (ctypes.c_uint32 * 3)(*[*_axes(extent), 1, 1][:3])


def _report(result: Mapping[str, Any]) -> Report:
    unsupported = result["unsupported"]
    return Report(
        findings=tuple(map(Finding.from_json, result["findings"])),
        notes=tuple(map(Finding.from_json, result["notes"])),
        unsupported=unsupported["text"] if unsupported else "",
        printed=result["printed"],
        warp_instructions=result["warp_instructions"],
    )


def _float_bytes(value: float, type_: str, name: str) -> bytes:
    """A value rounded to nearest, ties to even."""
    formats = {"f16": np.float16, "bf16": np.float32, "f32": np.float32, "f64": np.float64}
    if type_ not in formats:
        raise InputError(f"{name} is {value}, and the parameter of the kernel is {type_}: pass its bytes")
    with np.errstate(over="ignore"):
        data = formats[type_](value)
        if type_ == "bf16" and np.isfinite(data):
            bits = int(data.view(np.uint32))
            bits += 0x7FFF + (bits >> 16 & 1)
            data = np.uint32(bits & 0xFFFF0000).view(np.float32)
    if np.isfinite(value) and (not np.isfinite(data) or (data == 0) != (value == 0)):
        raise InputError(f"{name} is {value}, which {type_}, the type of the parameter, cannot hold")
    return data.tobytes()[2:] if type_ == "bf16" else data.tobytes()


def scalar_bytes(value: np.generic | int | float | bytes, size: int, type_: str, name: str) -> bytes:
    """A value in the format of a parameter of `size` bytes. The parameter's type decides the format."""
    if isinstance(value, (np.generic, bytes)):
        data = value if isinstance(value, bytes) else value.tobytes()
        if len(data) != size:
            raise InputError(f"{name} has {len(data)} bytes, the parameter of the kernel has {size}")
        return data
    if type_[:1] in ("f", "b", "e"):
        return _float_bytes(float(value), type_, name)
    if value == 0:
        return bytes(size)
    if type_ in ("", "struct"):
        raise InputError(f"{name} is {value}, and the PTX does not show whether the parameter is an integer or a "
                         f"float: pass np.int32({value:g}), np.float32({value:g}) or bytes")
    if value != value or value in (float("inf"), float("-inf")) or value != int(value):
        raise InputError(f"{name} is {value}, the parameter of the kernel is an integer")
    value = int(value)
    lowest = 0 if type_[0] == "u" else -(1 << (8 * size - 1))
    highest = (1 << (8 * size - 1 if type_[0] == "s" else 8 * size)) - 1
    if not lowest <= value <= highest:
        raise InputError(f"{name} is {value}, which the parameter of {size} bytes cannot hold")
    return (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")


def _require_kind(argument: Any, name: str, size: int, declared: str) -> None:
    """Raises InputError for an argument that a parameter of `size` bytes cannot take, whatever its value."""
    if isinstance(argument, (np.ndarray, Undefined)):
        dtype = (argument.array if isinstance(argument, Undefined) else argument).dtype
        if size != 8:
            raise InputError(f"{name} is an array, the parameter of the kernel has {size} bytes")
        if dtype.hasobject:
            raise InputError(f"{name} is an array of Python objects, expected one of numbers")
        if differs(declared, dtype.name):
            raise InputError(f"{name} is an array of {dtype.name}, the kernel takes {declared}: "
                             f"convert it with astype(np.{declared})")
    elif not isinstance(argument, (np.generic, int, float, bytes)):
        is_like_array = hasattr(argument, "__array__") or isinstance(argument, (list, tuple))
        advice = "a NumPy array, into which the kernel's results are written" if is_like_array else "an array or a number"
        raise InputError(f"{name} is a {type(argument).__name__}, expected {advice}")
    elif declared and not isinstance(argument, bytes) and argument != 0:  # a pointer may be null
        raise InputError(f"{name} is the number {argument}, the kernel takes an array of {declared}")


def _names_of(arguments: Sequence[Argument], names: Sequence[str] | Mapping[int, str]) -> list[str]:
    """The names of the arguments in findings: of each, of the arrays alone, or of some positions."""
    found = [f"argument {i}" for i in range(len(arguments))]
    arrays = [i for i, one in enumerate(arguments) if isinstance(one, (np.ndarray, Undefined))]
    if isinstance(names, Mapping):
        named = dict(names)
    elif isinstance(names, str):
        raise InputError(f"names is the text '{names}', expected a sequence of names")
    else:
        named = dict(zip(arrays if len(names) == len(arrays) else range(len(names)), names))
    for position, name in named.items():
        if not isinstance(position, int) or not 0 <= position < len(arguments):
            raise InputError(f"'{name}' names argument {position}, but there are {len(arguments)} arguments")
        found[position] = name
    return found


def launch(ptx: str | os.PathLike[str] | Kernel, *arguments: Argument, grid: Extent,
           block: Extent | None = None, kernel: str = "", shared: int | None = None,
           names: Sequence[str] | Mapping[int, str] = (), **options: Any) -> Report:
    """Runs a kernel on NumPy arrays under full checking, and copies the arrays back.

    Each array is memory of its own: an access outside of its elements is a finding. Findings name
    the arrays "argument 0", "argument 1" ..., or by `names`: of all arguments, of the arrays alone, or by position,
    {3: "y"}. A Python int or float is passed as the parameter's type in the PTX: 2 to a `.f32` is 2.0. `options`: fields of
    warpcheck_options, such as seed=1 or strict_races=True. Raises InputError."""
    own = ptx if isinstance(ptx, Kernel) else Kernel(ptx)
    if kernel:
        own = dataclasses.replace(own, name=kernel)
    session = Session(own, **options)
    expected = len(session.parameter_bytes) - own.hidden
    if len(arguments) != expected:
        raise InputError(f"{len(arguments)} arguments for a kernel that takes {expected}")
    arrays: list[DeviceArray] = []
    values: list[bytes] = []
    declared = own.arrays or declared_arrays(own.ptx, own.name, expected)
    all_names = _names_of(arguments, names)
    for argument, name, size, type_ in zip(arguments, all_names, session.parameter_bytes, declared):
        _require_kind(argument, name, size, type_)
    for argument, name, size, type_ in zip(arguments, all_names, session.parameter_bytes, session.parameter_types):
        if isinstance(argument, (np.ndarray, Undefined)):
            defined = isinstance(argument, np.ndarray)
            array = argument if isinstance(argument, np.ndarray) else argument.array
            arrays.append(DeviceArray(session, array, name, defined))
            argument, type_ = arrays[-1].address, "address"
        values.append(scalar_bytes(argument, size, type_, name))
    values += [bytes(size) for size in session.parameter_bytes[expected:]]
    report = session.launch(grid, values, block, shared)
    for device_array in arrays:
        device_array.copy_back()
    return report
