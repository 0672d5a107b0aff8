"""Kernels of Triton, compiled to PTX without a GPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .session import Kernel


_ELEMENTS = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "i8": "int8", "u8": "uint8",
             "i16": "int16", "u16": "uint16", "i32": "int32", "u32": "uint32", "i64": "int64", "u64": "uint64"}


def _elements(type_: str) -> str:
    """The name of NumPy for the elements of an array, "*fp32"; empty: no array, or a type that NumPy lacks."""
    return _ELEMENTS.get(type_[1:], "") if type_.startswith("*") else ""


def compile(function: Any, signature: Mapping[str, str], constants: Mapping[str, Any], *,
            num_warps: int = 4, arch: int = 80, **options: Any) -> Kernel:
    """Compiles a function with @triton.jit for sm_ARCH.

    `signature` has the Triton type of each parameter, "*fp32" or "i32"; `constants` the values of
    those that are tl.constexpr. Findings name the lines of the function."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    types = {**signature, **{name: "constexpr" for name in constants}}
    source = ASTSource(fn=function, signature={name: types[name] for name in function.arg_names},
                       constexprs=dict(constants))
    compiled = triton.compile(source, target=GPUTarget("cuda", arch, 32),
                              options={"num_warps": num_warps, **options})
    metadata = compiled.metadata
    ptx = compiled.asm["ptx"]
    # Triton adds pointers to scratch memory, which is empty unless the metadata state a size.
    sizes = [getattr(metadata, name, 0) for name in ("global_scratch_size", "profile_scratch_size")]
    if any(sizes):
        raise ValueError(f"{metadata.name} needs scratch memory, which this function does not provide")
    declared = ptx[ptx.index(".entry"):]
    hidden = declared[:declared.index(")")].count(".param") - len(signature)
    arrays = tuple(_elements(types[name]) for name in function.arg_names if name not in constants)
    return Kernel(ptx, metadata.name, (32 * metadata.num_warps,), metadata.shared,
                  f"{metadata.name}.ptx", hidden, arrays)
