"""CuPy's kernels with lines, and its arrays as allocations of their own."""

from __future__ import annotations

from types import ModuleType
from typing import Any

_LINES = {"-lineinfo", "--generate-line-info"}


def add_lines(compiler: ModuleType) -> None:
    """Findings have the lines of the source that the program passes to CuPy."""
    original = compiler._compile_with_cache_cuda

    def compile_with_lines(source: str, options: tuple[str, ...], *rest: Any, **named: Any) -> Any:
        added = () if _LINES & set(options) else ("-lineinfo",)
        return original(_aligned(source), (*options, *added), *rest, **named)

    compiler._compile_with_cache_cuda = compile_with_lines


def _aligned(source: str) -> str:
    """CuPy's reductions store numbers in an array of char, which a compiler need not align."""
    return source.replace("__shared__ char _sdata_raw[", "__shared__ __align__(16) char _sdata_raw[")


def disable_pools(cupy: ModuleType) -> None:
    """Without its pools of memory, each array is an allocation of its own, with limits that are checked."""
    cupy.cuda.set_allocator(None)
    cupy.cuda.set_pinned_memory_allocator(None)
