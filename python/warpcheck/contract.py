"""The contract of a kernel that check() describes by its arguments."""

from __future__ import annotations

import dataclasses
import json
import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any, Union

import numpy as np

from .element_types import FLOATS, element_type
from .report import InputError
from .session import Kernel
from .sizes import Size, expressions, no_size

_DEFAULT_SIZES = range(1, 130)
_BEFORE = "_before"  # names the values of an InOut before the launch


@dataclasses.dataclass(frozen=True)
class Array:
    name: str
    type: Any  # "f32", np.float32, torch.float32 ...; afterwards "f32"
    shape: Sequence[Size]
    finite: bool = False  # holds neither NaN nor infinities
    range: tuple[int | str, int | str] | None = None  # limits of integers: numbers or sizes

    def __post_init__(self) -> None:
        object.__setattr__(self, "type", element_type(self.type))
        if isinstance(self.shape, (str, int)) or callable(self.shape):
            object.__setattr__(self, "shape", (self.shape,))

    @property
    def is_real(self) -> bool:
        return self.type in FLOATS


class In(Array):
    """An array that the kernel reads."""


class Out(Array):
    """An array that the kernel writes; it is undefined before the launch."""


class InOut(Array):
    """An array that the kernel reads and writes."""


@dataclasses.dataclass(frozen=True)
class Stride:
    """The distance in elements from one index to the next along an axis. Without this argument, the
    axis follows from the next one, and the last one is contiguous; with it, cases also have gaps along
    the axis, and the axes in other orders in memory."""

    array: str
    axis: int = 0


Argument = Union[Array, Stride, Size, float]


def _toml(value: Any) -> str:
    """Strings, numbers, and lists of them have the syntax of JSON."""
    return json.dumps(value)


class Contract:
    """`text` is the contract; `inputs` and `outputs` are the arrays of the reference, in its order."""

    def __init__(self, kernel: Kernel, arguments: Sequence[Argument], grid: Any,
                 sizes: Mapping[str, int | Sequence[int]], terms: Any, accumulate: Any, products: Any, strict_barriers: bool) -> None:
        self.arrays = {one.name: one for one in arguments if isinstance(one, Array)}
        self.inputs = [one for one in self.arrays.values() if not isinstance(one, Out)]
        self.outputs = [one for one in self.arrays.values() if not isinstance(one, In)]
        self._require_arrays(arguments)
        self.sizes = self._names(arguments)
        for name in sizes:
            if name not in self.sizes:
                raise no_size(name, self.sizes)
        self._requires: list[str] = []
        self._extents = list(self.sizes)
        shapes = self._shapes = {array.name: self._shape(array) for array in self.arrays.values()}
        domains = {name: _DEFAULT_SIZES for name in self.sizes} | dict(sizes)
        for name in self.sizes:
            self._requires += _domain(name, domains[name])
        values = [self._argument(one, shapes) for one in arguments] + ["0"] * kernel.hidden
        for array in sorted({one.array for one in arguments if isinstance(one, Stride)}):
            self._requires += self._within_32_bits(array, shapes[array], arguments)
        self.name = re.sub(r"[^A-Za-z0-9_]", "_", kernel.name or "kernel")
        operation = self.name + "_" if self.name == "gemm" else self.name
        types = {array.name: array.type for array in self.arrays.values()}
        types |= {"accumulate": element_type(accumulate), "products": element_type(products)}
        [most_terms] = expressions(terms, self.sizes)
        lines = ["[[operation]]", f"name = {_toml(operation)}", f"extents = {_toml(self._extents)}",
                 *(_tensor("inputs", one, shapes[one.name]) for one in self.inputs),
                 *(_tensor("outputs", one, shapes[one.name]) for one in self.outputs),
                 f"terms = {_toml(most_terms)}", "[[variant]]", f"name = {_toml(self.name)}",
                 f"operation = {_toml(operation)}"]
        if kernel.name:
            lines.append(f"kernel = {_toml(kernel.name)}")
        lines += [f"arguments = {_toml(values)}", f"block = {_toml(list(kernel.block))}",
                  f"grid = {_toml(expressions(grid, self.sizes))}", f"shared = {kernel.shared}",
                  "types = { " + ", ".join(f"{name} = {_toml(type_)}" for name, type_ in types.items()) + " }",
                  f"requires = {_toml(self._requires)}"]
        if strict_barriers:
            lines.append("strict_barriers = true")
        self.operation = operation
        self.text = "\n".join(lines) + "\n"

    @property
    def extents(self) -> list[str]:
        """The sizes, and dimensions that are functions of them."""
        return self._extents

    def shape(self, array: Array, sizes: Mapping[str, int]) -> tuple[int, ...]:
        return tuple(sizes[one] if isinstance(one, str) else one for one in self._shapes[array.name])

    def _require_arrays(self, arguments: Sequence[Argument]) -> None:
        for i, argument in enumerate(arguments):
            numbers = (int, float, np.integer, np.floating)
            if not isinstance(argument, (Array, Stride, str, *numbers)) and not callable(argument):
                raise InputError(f"argument {i} is a {type(argument).__name__}, expected In, Out or InOut, Stride, the "
                                 "name of a size, a number or a function of the sizes")
        for name in (one.array for one in arguments if isinstance(one, Stride)):
            if name not in self.arrays:
                raise InputError(f"there is no array '{name}', of which a stride is an argument")
        names = [one.name for one in arguments if isinstance(one, Array)]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"{names.count(name)} arrays have the name '{name}'")
        if not self.outputs:
            raise InputError("no argument is an Out or InOut, so that nothing would be compared")

    @staticmethod
    def _names(arguments: Sequence[Argument]) -> list[str]:
        """The sizes that arguments and shapes name."""
        names: dict[str, None] = {}
        for argument in arguments:
            sizes = argument.shape if isinstance(argument, Array) else [argument]
            names.update(dict.fromkeys(size for size in sizes if isinstance(size, str)))
        return list(names)

    def _shape(self, array: Array) -> list[str | int]:
        """A dimension that is a function of the sizes is an extent of its own."""
        shape: list[str | int] = []
        for axis, size in enumerate(array.shape):
            if isinstance(size, int) or (isinstance(size, str) and size in self.sizes):
                shape.append(size)
                continue
            [text] = expressions(size, self.sizes)
            name = f"{array.name}_{axis}"
            self._extents.append(name)
            self._requires.append(f"{name} == {text}")
            shape.append(name)
        return shape

    def _argument(self, argument: Argument, shapes: Mapping[str, list[str | int]]) -> str:
        if isinstance(argument, Array):
            return argument.name
        if isinstance(argument, Stride):
            return f"stride_{argument.array}_{self._axis(argument, shapes[argument.array])}"
        if isinstance(argument, (float, np.floating)):
            return repr(float(argument))
        if isinstance(argument, np.integer):
            argument = int(argument)
        [text] = expressions(argument, self.sizes)
        return text

    @staticmethod
    def _axis(stride: Stride, shape: list[str | int]) -> int:
        if not -len(shape) <= stride.axis < len(shape):
            raise InputError(f"{stride.array} has {len(shape)} axes, and the stride of axis {stride.axis} is an "
                             "argument")
        return range(len(shape))[stride.axis]

    def _within_32_bits(self, array: str, shape: list[str | int], arguments: Sequence[Argument]) -> list[str]:
        """An axis whose stride is no argument follows from the next one, whose condition has its size."""
        taken = {self._axis(one, shape) for one in arguments if isinstance(one, Stride) and one.array == array}
        conditions = []
        sizes: list[str] = []
        for axis, size in enumerate(shape):
            sizes.append(str(size))
            if axis in taken:
                conditions.append(" * ".join([*sizes, f"stride_{array}_{axis}"]) + " < 2147483648")
                sizes = []
        return conditions


def _tensor(kind: str, array: Array, shape: list[str | int]) -> str:
    name = array.name
    keys = [f"shape = {_toml(shape)}"]
    if kind == "inputs":
        if isinstance(array, InOut):
            name += _BEFORE
        if array.range is not None:
            keys += ([] if array.is_real else ["integer = true"]) + [f"range = {_toml(list(array.range))}"]
        if array.finite or not array.is_real:  # integers have no infinities, but would have their limits
            keys.append("finite = true")
    elif isinstance(array, InOut):
        keys.append(f"updates = {_toml(name + _BEFORE)}")
    return f"{kind}.{name} = {{ {', '.join(keys)} }}"


def _ascending(name: str, values: int | Sequence[int]) -> list[int]:
    """The values of a size, each once; one number is a size that does not vary."""
    try:
        several = [values] if isinstance(values, (int, np.integer)) else list(values)
        ordered = sorted({operator.index(value) for value in several})
    except TypeError:
        raise InputError(f"the values of the size '{name}' are {values!r}, expected integers") from None
    if not ordered:
        raise InputError(f"the size '{name}' has no value")
    if ordered[0] < 0:
        raise InputError(f"the size '{name}' has the value {ordered[0]}, which is negative")
    return ordered


def _domain(name: str, values: int | Sequence[int]) -> list[str]:
    """The conditions that these values alone satisfy."""
    ordered = _ascending(name, values)
    step = ordered[1] - ordered[0] if len(ordered) > 1 else 1
    if ordered != list(range(ordered[0], ordered[-1] + 1, step)):
        return [" or ".join(f"{name} == {value}" for value in ordered)]
    conditions = [f"{name} >= {ordered[0]}", f"{name} <= {ordered[-1]}"]
    return conditions + ([f"{name} % {step} == {ordered[0] % step}"] if step > 1 else [])
