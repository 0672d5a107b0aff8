"""Numba's kernels as PTX, which the virtual device executes in place of machine code."""

from __future__ import annotations

from types import ModuleType
from typing import Any


def replace_machine_code(codegen: ModuleType) -> None:
    """Loads the PTX of a kernel that needs no other file."""
    original = codegen.CUDACodeLibrary.get_cubin

    def get_ptx(self: Any, cc: Any = None) -> Any:
        from cuda.core import ObjectCode

        texts = self.get_asm_strs(cc=cc)
        if len(texts) > 1 or self._linking_files or self.needs_cudadevrt:
            return original(self, cc)
        return ObjectCode.from_ptx(texts[0].encode())

    codegen.CUDACodeLibrary.get_cubin = get_ptx
