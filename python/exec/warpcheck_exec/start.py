"""Prepares this process: called by sitecustomize."""

from __future__ import annotations

import os
import tempfile
from types import ModuleType

from . import runtime  # noqa: F401
from .imports import after_import


def _extend_list(variable: str, separator: str, value: str) -> None:
    """Adds a value to a list in the environment."""
    values = [one for one in os.environ.get(variable, "").split(separator) if one]
    if value not in values:
        os.environ[variable] = separator.join([*values, value])


def _on_torch(torch: ModuleType) -> None:
    from . import torch_operators

    torch_operators.install(torch)


def _on_cpp_extension(cpp_extension: ModuleType) -> None:
    from . import torch_extensions

    torch_extensions.install(cpp_extension)


def _on_triton_compiler(compiler: ModuleType) -> None:
    from . import triton_kernels

    triton_kernels.replace_machine_code(compiler)


def _on_triton_autotuner(autotuner: ModuleType) -> None:
    from . import triton_kernels

    triton_kernels.choose_first_configuration(autotuner)


def _on_inductor_heuristics(heuristics: ModuleType) -> None:
    from . import triton_kernels

    triton_kernels.choose_first_configuration_of_inductor(heuristics)


def _on_inductor_benchmarking(benchmarking: ModuleType) -> None:
    from . import triton_kernels

    triton_kernels.measure_nothing(benchmarking)


def _on_inductor_config(config: ModuleType) -> None:
    # Threads that hold copies of an element may load what another thread stores in place: see docs/triton.md.
    config.inplace_buffers = False


def _on_cupy_compiler(compiler: ModuleType) -> None:
    from . import cupy_kernels

    cupy_kernels.add_lines(compiler)


def _on_cupy(cupy: ModuleType) -> None:
    from . import cupy_kernels

    cupy_kernels.disable_pools(cupy)


def _on_cute_executor(executor: ModuleType) -> None:
    from . import cute_kernels

    cute_kernels.replace_machine_code(executor)


def _on_numba_codegen(codegen: ModuleType) -> None:
    from . import numba_kernels

    numba_kernels.replace_machine_code(codegen)


# Without its cache, each tensor is an allocation of its own, with limits that are checked.
os.environ.setdefault("PYTORCH_NO_CUDA_MEMORY_CACHING", "1")
# torch.compile compiles in this process, and does not find machine code of runs on a GPU in its cache.
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", os.path.join(tempfile.gettempdir(), f"torchinductor_warpcheck_{os.getuid()}"))
# CuTe DSL writes the PTX of its kernels, with lines, and compiles each function again, because its cache has none.
if "CUTE_DSL_KEEP" not in os.environ and "CUTE_DSL_KEEP_PTX" not in os.environ:
    os.environ["CUTE_DSL_KEEP"] = "ptx"
    os.environ.setdefault("CUTE_DSL_DUMP_DIR", os.path.join(tempfile.gettempdir(), f"cute_warpcheck_{os.getuid()}"))
os.environ.setdefault("CUTE_DSL_LINEINFO", "1")
os.environ.setdefault("CUTE_DSL_DISABLE_FILE_CACHING", "1")
# CuPy loads PTX, which the virtual device executes in place of machine code.
os.environ.setdefault("CUPY_COMPILE_WITH_PTX", "1")
_extend_list("PYTEST_PLUGINS", ",", "warpcheck_exec.pytest_plugin")
after_import("torch", _on_torch)
after_import("torch.utils.cpp_extension", _on_cpp_extension)
after_import("triton.backends.nvidia.compiler", _on_triton_compiler)
after_import("triton.runtime.autotuner", _on_triton_autotuner)
after_import("torch._inductor.config", _on_inductor_config)
after_import("torch._inductor.runtime.triton_heuristics", _on_inductor_heuristics)
after_import("torch._inductor.runtime.benchmarking", _on_inductor_benchmarking)
after_import("cutlass.cutlass_dsl.cuda_jit_executor", _on_cute_executor)
after_import("cupy.cuda.compiler", _on_cupy_compiler)
after_import("cupy", _on_cupy)
after_import("numba.cuda.codegen", _on_numba_codegen)
