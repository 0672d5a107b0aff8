"""PyTorch's operators on CUDA tensors, computed by the CPU kernels of the same operators.

PyTorch's own kernels are machine code, which the virtual device cannot execute. Each operator that PyTorch registers for
CUDA is registered again here, so that calls from C++, from backward threads and from other threads have the new kernel
too. Operators of extensions are not affected: their kernels run on the virtual device."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from . import runtime, torch_replacements
from .torch_definedness import UndefinedOperands
from .torch_memory import Copier, HostCopies, Tensor, is_dense

# They launch no kernel.
_KEPT = {
    "_cudnn_init_dropout_state", "_efficientzerotensor", "_has_compatible_shallow_copy_type", "_pin_memory", "_resize_output_", "empty.memory_format",
    "empty_strided", "is_pinned", "is_set_to", "record_stream", "resize_", "set_", "set_.source_Storage",
    "set_.source_Storage_storage_offset", "set_.source_Tensor",
}
# PyTorch has one kernel of these for all devices, which launches kernels, or chooses a library.
_FOR_ALL_DEVICES = ("convolution", "convolution_backward", "copy_")

_generator_lock = threading.RLock()


class Operators:
    """The kernels of all operators, and what they share."""

    def __init__(self, torch: ModuleType) -> None:
        self.torch = torch
        self.copier = Copier(torch)
        self.replacements = torch_replacements.replacements(torch)
        self._converting_copy = _Operator(self, self._overload("copy_"))

    def register(self) -> Any:
        """Returns the registrations, which end with this object."""
        library = self.torch.library.Library("aten", "IMPL")
        registered = self.torch._C._dispatch_get_registrations_for_dispatch_key("CUDA")
        own = {name.removeprefix("aten::") for name in registered if name.startswith("aten::")}
        for name in sorted(own.union(_FOR_ALL_DEVICES) - _KEPT):
            overload = self._overload(name)
            if not overload.is_view:
                library.impl(name, self._copy if name == "copy_" else _Operator(self, overload), "CUDA")
        return library

    def _overload(self, name: str) -> Any:
        packet, _, overload = name.partition(".")
        return getattr(getattr(self.torch.ops.aten, packet), overload or "default")

    def _copy(self, to: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
        """PyTorch's own kernel copies dense tensors of the same layout by the CUDA runtime: bytes stay undefined if they
        are, and a copy of pinned memory that does not block may race with the host."""
        with self.torch._C.DisableTorchFunction():
            if source._is_zerotensor():  # it has no memory
                return to.zero_()
            is_plain = (to.dtype == source.dtype and to.shape == source.shape and to.stride() == source.stride()
                        and to.is_conj() == source.is_conj() and to.is_neg() == source.is_neg() and is_dense(to))
            if not is_plain:
                return self._converting_copy(to, source, non_blocking)
            key = self.torch._C.DispatchKey.CompositeExplicitAutograd
            return self._overload("copy_")._op_dk(key, to, source, non_blocking)

    def compute(self, overload: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Calls the kernel of the CPU, or computes the same by other operators."""
        function = self.replacements.get(overload)
        if function is None and self.torch._C._dispatch_has_computed_kernel_for_dispatch_key(overload.name(), "CPU"):
            function = overload
        if function is None:
            function = self.torch._decomp.decomposition_table.get(overload)
        if function is None:
            raise self.unsupported(overload.name(), "PyTorch has no kernel of this operator for the CPU: use other "
                                                    "operators if the variable WARPCHECK_EXEC is set")
        return function(*args, **kwargs)

    def unsupported(self, what: str, reason: str) -> NotImplementedError:
        """Reports it, and returns the error to raise."""
        runtime.report_unsupported(what, reason)
        return NotImplementedError(f"{what}: {reason}")

    @contextlib.contextmanager
    def random_numbers(self, generator: Any) -> Iterator[None]:
        """Within it, the default generator of the CPU has the state that belongs to that of a generator of CUDA."""
        torch = self.torch
        if generator is None:
            torch.cuda.init()
            generator = torch.cuda.default_generators[torch.cuda.current_device()]
        with _generator_lock:
            state = torch.default_generator.get_state()
            offset = generator.get_offset()
            torch.default_generator.manual_seed((generator.initial_seed() * 0x9E3779B1 + offset) % 2**63)
            generator.set_offset(offset + 4)
            try:
                yield
            finally:
                torch.default_generator.set_state(state)


class _Operator:
    """The kernel of one operator."""

    def __init__(self, operators: Operators, overload: Any) -> None:
        self.operators, self.overload, self.torch = operators, overload, operators.torch
        self.is_random = self.torch.Tag.nondeterministic_seeded in overload.tags
        self.written = [(index, argument.name) for index, argument in enumerate(overload._schema.arguments)
                        if argument.alias_info is not None and argument.alias_info.is_write]
        self.tensors = [index for index, argument in enumerate(overload._schema.arguments)
                        if isinstance(argument.type, self.torch.TensorType)]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with self.torch._C.DisableTorchFunction():
            call = _Call(self.operators, self.overload)
            host_args = [call.on_host(one) for one in args]
            host_kwargs = {name: call.on_host(one) for name, one in kwargs.items()}
            random = self.operators.random_numbers(call.generator) if self.is_random else contextlib.nullcontext()
            undefined = UndefinedOperands(self.torch, self.overload, self._compute) if call.copies.undefined else None
            with random:
                remaining = undefined.results(host_args, host_kwargs, call.copies.undefined) if undefined else []
                result = self._compute(host_args, host_kwargs)
            for index, name in self.written:
                call.write_back(args[index] if index < len(args) else kwargs.get(name))
            result = call.on_device(result)
            if undefined:
                call.copies.mark_undefined(undefined.outputs(args, kwargs, result), remaining)
            return result

    def _compute(self, args: list[Any], kwargs: dict[str, Any]) -> Any:
        # PyTorch passes the tensor of a number, as in `x % 2`, as a number, which is the operand of another overload.
        if any(index < len(args) and isinstance(args[index], (bool, int, float, complex)) for index in self.tensors):
            return self.overload.overloadpacket(*args, **kwargs)
        return self.operators.compute(self.overload, args, kwargs)


class _Call:
    """The operands of one call."""

    def __init__(self, operators: Operators, overload: Any) -> None:
        self.operators, self.overload, self.torch = operators, overload, operators.torch
        self.copies = HostCopies(operators.torch, operators.copier)
        self.device: Any = None
        self.generator: Any = None

    def on_host(self, value: Any) -> Any:
        torch = self.torch
        if isinstance(value, torch.Tensor):
            if not value.is_cuda:
                return value
            self._require_strided(value)
            self.device = value.device
            return self.copies.copy_of(value)
        if isinstance(value, (list, tuple)):
            return [self.on_host(one) for one in value]
        if isinstance(value, torch.device) and value.type == "cuda":
            self.device = value
            return torch.device("cpu")
        if isinstance(value, torch.Generator) and value.device.type == "cuda":
            self.generator = value
            return None
        return value

    def _require_strided(self, tensor: Tensor) -> None:
        if tensor.layout != self.torch.strided:
            raise self.operators.unsupported(self.overload.name(), f"an operand or a result has the layout {tensor.layout}; "
                                             "dense tensors are supported")

    def write_back(self, value: Any) -> None:
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(one, self.torch.Tensor) and one.is_cuda:
                self.copies.write_back(one)

    def on_device(self, value: Any) -> Any:
        if isinstance(value, self.torch.Tensor):
            self._require_strided(value)
            return self.copies.on_device(value, self.device or "cuda")
        if isinstance(value, (list, tuple)):
            return type(value)(self.on_device(one) for one in value)
        return value


def install(torch: ModuleType) -> None:
    """Called when PyTorch has been imported."""
    if torch.version.cuda is None:
        return
    # These libraries are machine code. PyTorch's own operators take their place.
    torch.backends.cudnn.enabled = False
    for library in ("cudnn", "flash", "mem_efficient"):
        getattr(torch.backends.cuda, f"enable_{library}_sdp")(False)
    torch._warpcheck_operators = Operators(torch).register()
