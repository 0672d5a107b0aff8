"""Elements that were never written: an operator that computes with them is a finding; one that moves them moves this state."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from . import runtime

Tensor = Any

# They write each element of `self` without a read of it.
_WRITES = {"_foreach_copy_", "_foreach_zero_", "bernoulli_", "cauchy_", "copy_", "exponential_", "fill_", "geometric_", "log_normal_",
           "normal_", "random_", "uniform_", "zero_"}
_SELF, _TENSORS = ("self",), ("tensors",)
# The operands whose elements an operator only moves. Others, such as indices, decide where they are moved.
_MOVES = {
    "_chunk_cat": _TENSORS, "_foreach_copy_": ("self", "src"), "_index_put_impl_": ("self", "values"), "cat": _TENSORS, "clone": _SELF,
    "constant_pad_nd": ("self", "value"), "copy_": ("self", "src"), "embedding": ("weight",), "fill_": ("self", "value"), "flip": _SELF, "gather": _SELF,
    "index": _SELF, "index_copy": ("self", "source"), "index_copy_": ("self", "source"), "index_fill": ("self", "value"),
    "index_fill_": ("self", "value"), "index_put": ("self", "values"), "index_put_": ("self", "values"), "index_select": _SELF,
    "masked_fill": ("self", "value"), "masked_fill_": ("self", "value"), "masked_scatter": ("self", "source"),
    "masked_scatter_": ("self", "source"), "masked_select": _SELF, "put_": ("self", "source"), "repeat_interleave": _SELF,
    "roll": _SELF, "scatter": ("self", "src", "value"), "scatter_": ("self", "src", "value"), "stack": _TENSORS, "take": _SELF,
    "tril": _SELF, "tril_": _SELF, "triu": _SELF, "triu_": _SELF, "unfold_copy": _SELF, "where": ("self", "other"),
}
# With these, such an operator computes.
_COMPUTES = ("accumulate", "reduce")
_REAL_FILLS = (math.nan, 5.0, -3.0, math.nan)
_SIGNED_FILLS, _UNSIGNED_FILLS, _BOOL_FILLS = (0, 1, -1, 0), (0, 1, 2, 0), (False, True, True, False)


def _tensors(value: Any, torch: ModuleType) -> Iterator[Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _tensors(one, torch)


def _mapped(value: Any, function: Callable[[Any], Any]) -> Any:
    """The value with function(one) in place of each one that is no list."""
    if isinstance(value, (list, tuple)):
        return type(value)(_mapped(one, function) for one in value)
    return function(value)


def _distinct(values: Tensor, tensor: Tensor) -> Tensor:
    """The values of the elements of a tensor, without repetitions of an element along an axis."""
    for axis, (stride, count) in enumerate(zip(tensor.stride(), tensor.shape)):
        if stride == 0 and count > 1:
            values = values.narrow(axis, 0, 1)
    return values


class UndefinedMemory:
    """The state of the memory of CUDA tensors."""

    def __init__(self, torch: ModuleType) -> None:
        self._torch = torch

    @staticmethod
    def _bytes(tensor: Tensor) -> int:
        """The bytes from the first element to the end of the last one."""
        return (sum(stride * (count - 1) for stride, count in zip(tensor.stride(), tensor.shape)) + 1) * tensor.element_size()

    def _flags_of(self, tensor: Tensor, flags: Tensor) -> Tensor:
        size = tensor.element_size()
        return flags.as_strided((*tensor.shape, size), (*(stride * size for stride in tensor.stride()), 1))

    def elements(self, tensor: Tensor) -> Tensor | None:
        """A tensor on the host, True for each element of which a byte was never written; None: there are none."""
        if tensor.numel() == 0 or runtime.find_undefined(tensor.data_ptr(), self._bytes(tensor)) == 0:
            return None
        flags = self._torch.empty(self._bytes(tensor), dtype=self._torch.bool)
        runtime.find_undefined(tensor.data_ptr(), flags.numel(), flags.data_ptr())
        elements = self._flags_of(tensor, flags).any(-1)
        return elements if elements.any() else None

    def mark(self, tensor: Tensor, elements: Tensor) -> None:
        """These elements then count as never written."""
        if tensor.shape != elements.shape or not elements.any():
            return
        flags = self._torch.zeros(self._bytes(tensor), dtype=self._torch.bool)
        self._flags_of(_distinct(tensor, tensor), flags).copy_(_distinct(elements, tensor).unsqueeze(-1))
        runtime.set_undefined(tensor.data_ptr(), flags.numel(), flags.data_ptr())


class _Operand:
    """A tensor that the operator may read, with its copy on the host."""

    def __init__(self, argument: str, name: str, copy: Tensor, tensor: Tensor, undefined: Tensor) -> None:
        self.argument, self.name, self.copy, self.tensor, self.undefined = argument, name, copy, tensor, undefined

    def report(self, operator: str) -> None:
        """Reports a read of its first element that was never written."""
        index = self.undefined.nonzero()[0].tolist()
        place = sum(at * stride for at, stride in zip(index, self.tensor.stride())) * self.tensor.element_size()
        element = f"element {index} of {self.name}" if index else self.name
        runtime.report_undefined(f"{operator} reads {element}", self.tensor.data_ptr() + place, self.tensor.element_size())


class UndefinedOperands:
    """The operands of one call that have undefined elements, before the operator changes them."""

    def __init__(self, torch: ModuleType, overload: Any, compute: Callable[..., Any]) -> None:
        self._torch, self._compute = torch, compute
        self._args: list[Any] = []
        self._kwargs: dict[str, Any] = {}
        self._operator = overload.name().partition(".")[0]
        self._name = self._operator.removeprefix("aten::")
        self._arguments = overload._schema.arguments
        self._is_random = torch.Tag.nondeterministic_seeded in overload.tags

    def results(self, args: list[Any], kwargs: dict[str, Any], undefined: dict[int, tuple[Tensor, Tensor]]) -> list[Tensor | None]:
        """Reports reads. Returns the elements of each of outputs() that remain undefined. `undefined`: the tensor of a copy, and its
        undefined elements, keyed by the id of the copy."""
        self._args, self._kwargs = args, kwargs
        operands = list(self._operands(undefined))
        if not operands:
            return []
        moved = () if any(self._value(name) for name in _COMPUTES) else _MOVES.get(self._name, ())
        read = [one for one in operands if one.argument not in moved]
        if moved:
            for one in read:
                one.report(self._operator)
            return self._move([one for one in operands if one.argument in moved], moved)
        results: list[Tensor | None] = []
        for one in read:
            found, is_read = self._effects(one)
            if is_read:
                one.report(self._operator)
                return []
            results = found if not results else [first if second is None else second if first is None else first | second
                                                 for first, second in zip(results, found)]
        return results

    def _value(self, name: str) -> Any:
        index = next((index for index, one in enumerate(self._arguments) if one.name == name), None)
        return None if index is None else self._args[index] if index < len(self._args) else self._kwargs.get(name)

    def _operands(self, undefined: dict[int, tuple[Tensor, Tensor]]) -> Iterator[_Operand]:
        for argument in self._arguments:
            is_output = argument.kwarg_only and argument.alias_info is not None and argument.alias_info.is_write
            value = self._value(argument.name)
            if is_output or value is None or argument.name == "self" and self._name in _WRITES:
                continue
            is_list = isinstance(value, (list, tuple))
            for number, copy in enumerate(value if is_list else [value]):
                if id(copy) in undefined:
                    yield _Operand(argument.name, f"{argument.name}[{number}]" if is_list else argument.name, copy, *undefined[id(copy)])

    def outputs(self, args: Any, kwargs: dict[str, Any], result: Any) -> list[Tensor]:
        """The tensors that the operator returns, and then those that it changes."""
        outputs = list(_tensors(result, self._torch))
        for index, one in enumerate(self._arguments):
            if one.alias_info is not None and one.alias_info.is_write:
                outputs += _tensors(args[index] if index < len(args) else kwargs.get(one.name), self._torch)
        return outputs

    def _run(self, change: Callable[[str, Any], Any]) -> Any:
        """Computes with the operands change(name of the argument, operand)."""
        args = [_mapped(one, lambda value, name=argument.name: change(name, value)) for argument, one in zip(self._arguments, self._args)]
        kwargs = {name: _mapped(one, lambda value, name=name: change(name, value)) for name, one in self._kwargs.items()}
        result = self._compute(args, kwargs)
        return result, self.outputs(args, kwargs, result)

    def _move(self, operands: list[_Operand], moved: tuple[str, ...]) -> list[Tensor | None]:
        """The operator moves 1 for each undefined element, and 0 for the others."""
        copies = _Copies(self._torch, zeros=True)
        for one in operands:
            _distinct(copies.raw(one.copy), one.copy).copy_(_distinct(one.undefined, one.copy))

        def change(name: str, value: Any) -> Any:
            if name in moved and isinstance(value, self._torch.Tensor):
                return copies.of(value)
            return type(value)(0) if name in moved and isinstance(value, (bool, int, float, complex)) else value

        _, outputs = self._run(change)
        return [self._is_set(one) for one in outputs]

    def _is_set(self, tensor: Tensor) -> Tensor:
        return (tensor.to(self._torch.float32) if tensor.is_floating_point() else tensor) != 0

    def _effects(self, operand: _Operand) -> tuple[list[Tensor | None], bool]:
        """Computes with other numbers in the undefined elements. An element of the results that depends on them is a read, unless
        it is the number itself at the same place. Returns the undefined elements of the results, and True for a read."""
        runs = [self._run_with(operand, number) for number in range(len(_REAL_FILLS))]
        failed = [one is None for one in runs]
        if any(failed):
            return [], not all(failed)
        values, outputs = zip(*runs)
        if len({len(one) for one in outputs}) != 1:
            return [], True
        if any(one != values[0] for one in values if isinstance(one, (bool, int, float, complex)) and one == one):
            return [], True
        undefined: list[Tensor | None] = []
        for same in zip(*outputs):
            found, is_read = self._compare(operand, same)
            if is_read:
                return [], True
            undefined.append(found)
        return undefined, False

    def _run_with(self, operand: _Operand, number: int) -> Any:
        """None: the operator raised an exception."""
        copies = _Copies(self._torch)
        _fill(self._torch, _distinct(copies.raw(operand.copy), operand.copy), _distinct(operand.undefined, operand.copy), number)
        state = self._torch.default_generator.get_state() if self._is_random else None
        try:
            return self._run(lambda _, value: copies.of(value) if isinstance(value, self._torch.Tensor) else value)
        except Exception:
            return None
        finally:
            if state is not None:
                self._torch.default_generator.set_state(state)

    def _compare(self, operand: _Operand, results: tuple[Tensor, ...]) -> tuple[Tensor | None, bool]:
        first, *others = results
        if any(one.shape != first.shape for one in others):
            return None, True
        bits = [self._bits(one) for one in results]
        *changed, is_random = [(one != bits[0]).any(-1) for one in bits[1:]]
        depends = (changed[0] | changed[1]) & ~is_random
        if not depends.any():
            return None, False
        if first.shape != operand.copy.shape or first.dtype != operand.copy.dtype:
            return None, True
        kept = operand.undefined.reshape(-1)
        for number, one in enumerate(bits):
            expected = self._torch.zeros(operand.copy.shape, dtype=first.dtype)
            _fill(self._torch, expected, operand.undefined, number)
            kept = kept & (one == self._bits(expected)).all(-1)
        return (depends & kept).reshape(first.shape), bool((depends & ~kept).any())

    def _bits(self, tensor: Tensor) -> Tensor:
        plain = tensor.resolve_conj().resolve_neg().contiguous().reshape(-1)
        return plain.view(self._torch.uint8).reshape(plain.numel(), plain.element_size())


def _fill(torch: ModuleType, tensor: Tensor, elements: Tensor, number: int) -> None:
    """Sets these elements to a number that its type can represent."""
    if tensor.is_floating_point() or tensor.is_complex():
        fills = _REAL_FILLS
    elif tensor.dtype == torch.bool:
        fills = _BOOL_FILLS
    else:
        fills = _SIGNED_FILLS if tensor.dtype.is_signed else _UNSIGNED_FILLS
    value = torch.tensor(fills[number], dtype=tensor.dtype)
    bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}.get(tensor.element_size(), tensor.dtype)
    tensor.view(bits).masked_fill_(elements, value.view(bits))


class _Copies:
    """Copies of tensors on the host. Those of tensors that share memory share memory."""

    def __init__(self, torch: ModuleType, zeros: bool = False) -> None:
        self._torch, self._zeros = torch, zeros
        self._storages: dict[int, Any] = {}
        self._copies: dict[int, Tensor] = {}

    def raw(self, tensor: Tensor) -> Tensor:
        """The elements as they are in memory: not conjugated, for example."""
        torch = self._torch
        storage = tensor.untyped_storage()
        if storage._cdata not in self._storages:
            memory = torch.zeros(storage.nbytes(), dtype=torch.uint8) if self._zeros else torch.tensor(
                [], dtype=torch.uint8).set_(storage).clone()
            self._storages[storage._cdata] = memory.untyped_storage()
        return torch.empty(0, dtype=tensor.dtype).set_(
            self._storages[storage._cdata], tensor.storage_offset(), tensor.shape, tensor.stride())

    def of(self, tensor: Tensor) -> Tensor:
        """The same tensor has the same copy."""
        if id(tensor) not in self._copies:
            copy = self.raw(tensor)
            copy = self._torch._conj(copy) if tensor.is_conj() else copy
            self._copies[id(tensor)] = self._torch._neg_view(copy) if tensor.is_neg() else copy
        return self._copies[id(tensor)]
