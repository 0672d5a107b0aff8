"""Checks a kernel against a reference in NumPy, on generated cases."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _library
from ._library import library
from .contract import Argument, Array, Contract
from .report import Finding, InputError, Report
from .session import Kernel, Session
from .sizes import Sizes


class _Reference:
    """The function as the library calls it. Keeps the first exception."""

    def __init__(self, function: Callable[..., Any], contract: Contract) -> None:
        self.function, self.contract = function, contract
        self.error: BaseException | None = None
        self.callback = _library.REFERENCE(self._compute)

    def _compute(self, _: Any, call: Any) -> int:
        try:
            self._evaluate(call.contents)
            return 0
        except BaseException as error:  # the library has no exceptions
            self.error = self.error or error
            return 1

    def _evaluate(self, call: _library.ReferenceCall) -> None:
        sizes = {name: call.extent[i] for i, name in enumerate(self.contract.extents)}
        inputs = [self._array(one, call.input[i], sizes, bool(call.is_integer[i]))
                  for i, one in enumerate(self.contract.inputs)]
        with np.errstate(all="ignore"):
            results = self.function(*inputs)
        results = list(results) if isinstance(results, tuple) else [results]
        outputs = self.contract.outputs
        if len(results) != len(outputs):
            raise InputError(f"the reference returns {len(results)} arrays, expected {len(outputs)}")
        for i, (result, output) in enumerate(zip(results, outputs)):
            to = _view(call.output[i], self.contract.shape(output, sizes), np.float64)
            result = np.asarray(result, np.float64)
            if result.shape != to.shape:
                raise InputError(f"the reference of {output.name} has the shape {result.shape}, expected {to.shape}")
            to[...] = result

    def _array(self, array: Array, address: int, sizes: Mapping[str, int], is_integer: bool) -> np.ndarray:
        elements = _view(address, self.contract.shape(array, sizes), np.int64 if is_integer else np.float64)
        return elements.copy() if array.is_real else elements.astype(np.int64)


def _view(address: int, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        return np.empty(shape, dtype)
    memory = (ctypes.c_byte * (count * np.dtype(dtype).itemsize)).from_address(address)
    return np.frombuffer(memory, dtype).reshape(shape)


class _Checker:
    """A kernel with its contract and its reference in the library."""

    def __init__(self, kernel: Kernel, reference: Callable[..., Any], contract: Contract) -> None:
        self.contract = contract
        self._reference = _Reference(reference, contract)
        self._handle = ctypes.c_void_p()
        file = kernel.file if kernel.file.endswith(".ptx") else kernel.file + ".ptx"
        status = library.warpcheck_contract_open_ptx(
            kernel.ptx.encode(), file.encode(), contract.text.encode(), b'check(..., case="{}")', self._handle)
        if not self._handle:
            raise MemoryError("no memory for a contract")
        try:
            self._require(status)
            self._require(library.warpcheck_contract_set_reference(
                self._handle, contract.operation.encode(), self._reference.callback, None))
        except InputError:
            self.close()
            raise

    def close(self) -> None:
        library.warpcheck_contract_close(self._handle)

    def _require(self, status: int) -> None:
        if self._reference.error is not None:
            raise self._reference.error
        error = library.warpcheck_contract_error(self._handle).decode()
        if status != _library.OK and error:
            raise InputError(error)

    def run(self, cases: int, seed: int, jobs: int, line: str) -> Report:
        options = _library.CheckOptions()
        library.warpcheck_default_check_options(options)
        options.cases, options.seed, options.jobs = cases, seed, jobs
        if line:
            status = library.warpcheck_run_case(self._handle, line.encode(), options, None, None)
        else:
            status = library.warpcheck_check(self._handle, options, None, None)
        self._require(status)
        return _report(json.loads(library.warpcheck_contract_json(self._handle).decode() or "{}"))


def _report(result: Mapping[str, Any]) -> Report:
    undecided = {one["verdict"]: one["text"] for one in result.get("variants", []) if one["text"]}
    return Report(
        findings=tuple(map(Finding.from_json, result.get("findings", []))),
        notes=tuple(map(Finding.from_json, result.get("notes", []))),
        unsupported=undecided.get("unsupported", ""),
        mistrusted=undecided.get("mistrusted", ""),
        cases=result.get("cases", 0),
    )


def _case_line(case: str, contract: Contract) -> str:
    """A line that may lack the names of the kernel and its operation."""
    fields = case.split()
    names = [field.partition("=")[0] for field in fields if "=" in field]
    for name in contract.sizes:
        if name not in names:
            raise InputError(f"the case has no size '{name}': '{case}'")
    if fields[0] != contract.name:
        fields = [contract.name, f"operation={contract.operation}", *fields]
    fields += [field for field in ("data=lattice", "seed=0") if field.partition("=")[0] not in names]
    return " ".join(fields)


def check(kernel: Kernel | str, reference: Callable[..., Any], arguments: Sequence[Argument], *,
          grid: int | Sequence[int] | Callable[[Sizes], int | Sequence[int]],
          sizes: Mapping[str, int | Sequence[int]] | None = None, terms: int | Callable[[Sizes], int] = 1,
          accumulate: Any = "f32", products: Any = "", cases: int = 30, seed: int = 0, case: str | None = None,
          jobs: int = 0, strict_barriers: bool = False) -> Report:
    """Runs a kernel on generated cases, and compares its outputs with those of `reference`.

    `arguments` are the parameters of the kernel in order: In, Out and InOut arrays, the name of a
    size, Stride, numbers, and functions of the sizes. `sizes` has the values of each size;
    default: 1 to 129. `reference` takes the In and InOut arrays in float64 (or
    int64) and returns the Out and InOut arrays. An output is a sum of `terms` terms in the type
    `accumulate`, of products in the type `products` (default: the same), from which its error bound
    follows. A failing case is shrunk; `case` runs one case alone. `jobs` are threads of the host, which
    do not change the result. Raises InputError, and what the reference raises; never KernelError."""
    own = kernel if isinstance(kernel, Kernel) else Kernel(kernel)
    expected = len(Session(own).parameter_bytes) - own.hidden
    contract = Contract(own, arguments, grid, sizes or {}, terms, accumulate, products or accumulate, strict_barriers)
    if len(arguments) != expected:
        raise InputError(f"{len(arguments)} arguments for a kernel that takes {expected}")
    line = "" if case is None else _case_line(case, contract)
    checker = _Checker(own, reference, contract)
    try:
        return checker.run(cases, seed, jobs, line)
    finally:
        checker.close()
