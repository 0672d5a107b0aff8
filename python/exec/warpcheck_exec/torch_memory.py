"""Copies of CUDA tensors on the host."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from .torch_definedness import UndefinedMemory

Tensor = Any  # torch.Tensor; PyTorch is not imported here, because not every program has it
_ANY_DIRECTION = 4  # cudaMemcpyDefault


class _Layout:
    """The bytes of a tensor: rows of `bytes` bytes that are `pitch` bytes apart, at some offsets."""

    def __init__(self, tensor: Tensor) -> None:
        self.bytes = tensor.element_size() if tensor.numel() else 0
        self.rows, self.pitch = 1, 0
        self._outer: list[tuple[int, int]] = []
        axes = sorted((stride * self.bytes, count) for stride, count in zip(tensor.stride(), tensor.shape)
                      if count != 1 and stride != 0)
        if self.bytes == 0:
            return
        rest, end, overlap = [], self.bytes, False
        for stride, count in axes:
            if not rest and stride == self.bytes:
                self.bytes *= count
            else:
                rest.append((stride, count))
            overlap = overlap or stride < end
            end += stride * (count - 1)
        if overlap:  # elements share memory
            self.bytes = end
        elif rest:
            (self.pitch, self.rows), *self._outer = rest

    def offsets(self) -> Iterator[int]:
        if self.bytes == 0:
            return iter(())
        return map(sum, itertools.product(*(range(0, stride * count, stride) for stride, count in self._outer)))


def is_dense(tensor: Tensor) -> bool:
    """True if the bytes of the elements are consecutive."""
    layout = _Layout(tensor)
    return layout.bytes == tensor.numel() * tensor.element_size()


class Copier:
    """Copies by the CUDA runtime of this process, in PyTorch's current stream."""

    def __init__(self, torch: ModuleType) -> None:
        library = ctypes.CDLL(None)
        size, pointer = ctypes.c_size_t, ctypes.c_void_p
        self._copy = library.cudaMemcpyAsync
        self._copy.argtypes = [pointer, pointer, size, ctypes.c_int, pointer]
        self._copy_rows = library.cudaMemcpy2DAsync
        self._copy_rows.argtypes = [pointer, size, pointer, size, size, size, ctypes.c_int, pointer]
        self._stream = torch._C._cuda_getCurrentRawStream

    def copy(self, to: Tensor, source: Tensor) -> None:
        """Copies the bytes of the elements. Both have the same type, shape and strides."""
        layout = _Layout(to)
        stream = self._stream((to if to.is_cuda else source).device.index)
        first_to, first_source = to.data_ptr(), source.data_ptr()
        for offset in layout.offsets():
            if layout.rows == 1:
                status = self._copy(first_to + offset, first_source + offset, layout.bytes, _ANY_DIRECTION, stream)
            else:
                status = self._copy_rows(first_to + offset, layout.pitch, first_source + offset, layout.pitch,
                                         layout.bytes, layout.rows, _ANY_DIRECTION, stream)
            if status != 0:
                raise RuntimeError(f"the copy of an operand of PyTorch failed with the CUDA error {status}")


class HostCopies:
    """The operands of one call. Tensors that share memory have copies that share memory."""

    def __init__(self, torch: ModuleType, copier: Copier) -> None:
        self._torch, self._copier = torch, copier
        self._storages: dict[int, Any] = {}
        self._pairs: list[tuple[Tensor, Tensor]] = []  # tensors with their copies
        self._memory = UndefinedMemory(torch)
        self.undefined: dict[int, tuple[Tensor, Tensor]] = {}  # tensors and their undefined elements; keyed by id of a copy

    def copy_of(self, tensor: Tensor) -> Tensor:
        for own, copy in self._pairs:
            if own is tensor:
                return copy
        torch = self._torch
        storage = tensor.untyped_storage()
        if storage._cdata not in self._storages:
            memory = torch.empty(storage.nbytes(), dtype=torch.uint8, device="cpu")
            self._storages[storage._cdata] = memory.untyped_storage()
        copy = torch.empty(0, dtype=tensor.dtype, device="cpu")
        copy.set_(self._storages[storage._cdata], tensor.storage_offset(), tensor.shape, tensor.stride())
        self._copier.copy(copy, tensor)
        copy = torch._conj(copy) if tensor.is_conj() else copy
        copy = torch._neg_view(copy) if tensor.is_neg() else copy
        self._pairs.append((tensor, copy))
        undefined = self._memory.elements(tensor)
        if undefined is not None:
            self.undefined[id(copy)] = tensor, undefined
        return copy

    def mark_undefined(self, tensors: list[Tensor], elements: list[Tensor | None]) -> None:
        """These elements of tensors then count as never written."""
        for tensor, marked in zip(tensors, elements):
            if marked is not None and tensor.is_cuda:
                self._memory.mark(tensor, marked)

    def write_back(self, tensor: Tensor) -> None:
        """Copies the elements to the tensor, which gets the shape and the strides of its copy."""
        copy = self.copy_of(tensor)
        if copy.shape != tensor.shape:
            tensor.resize_(copy.shape)
        if copy.stride() != tensor.stride():
            tensor.set_(tensor.untyped_storage(), tensor.storage_offset(), copy.shape, copy.stride())
        self._copier.copy(tensor, copy)

    def on_device(self, result: Tensor, device: Any) -> Tensor:
        """The operand of which a result is the copy, or a new tensor."""
        for own, copy in self._pairs:
            if copy is result:
                return own
        if result.device.type != "cpu":
            return result
        tensor = self._torch.empty_strided(result.shape, result.stride(), dtype=result.dtype, device=device)
        self._copier.copy(tensor, result.resolve_conj().resolve_neg())
        return tensor
