"""Options by which PyTorch compiles extensions, so that they contain PTX with the lines of their sources."""

from __future__ import annotations

from types import ModuleType
from typing import Any


def install(cpp_extension: ModuleType) -> None:
    # The options are part of ninja's commands: objects that were compiled without them are compiled again.
    cpp_extension.COMMON_NVCC_FLAGS.append("-lineinfo")
    original = cpp_extension._get_cuda_arch_flags

    def flags_with_ptx(*arguments: Any) -> list[str]:
        return _with_ptx(original(*arguments))

    cpp_extension._get_cuda_arch_flags = flags_with_ptx


def _with_ptx(flags: list[str]) -> list[str]:
    """Adds the PTX of each architecture whose machine code the flags request."""
    prefix = "-gencode=arch=compute_"
    names = [flag[len(prefix):].split(",")[0] for flag in flags if flag.startswith(prefix)]
    return sorted({*flags, *(f"{prefix}{name},code=compute_{name}" for name in names)})
