"""Kernels of CuTe DSL as PTX, which the virtual device executes in place of machine code."""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

from . import runtime


def replace_machine_code(executor: ModuleType) -> None:
    """Loads the PTX of a compiled function where its machine code would be loaded."""
    os.makedirs(os.environ.get("CUTE_DSL_DUMP_DIR", "."), exist_ok=True)
    function = executor.CudaDialectJitCompiledFunction
    original = function._load_cuda_library

    def load_ptx(self: Any) -> Any:
        if self.__ptx__:
            runtime.replace_next_image(self.__ptx__)
        return original(self)

    function._load_cuda_library = load_ptx
