"""Checks a kernel against a reference in NumPy, on generated problems."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Union

import numpy as np

from .report import Finding, InputError, Report
from .session import DeviceArray, Kernel, Session, scalar_bytes

# Error of one rounding, relative to the result: half a unit in the last place.
_ROUNDING = {"bf16": 2.0**-8, "f16": 2.0**-11, "tf32": 2.0**-11, "f32": 2.0**-24, "f64": 2.0**-53}
_DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s8": np.int8, "u8": np.uint8,
           "s16": np.int16, "u16": np.uint16, "s32": np.int32, "u32": np.uint32, "s64": np.int64,
           "u64": np.uint64}
# Roundings of a result besides those of the sum: of operands, scaling, functions such as exp().
_FURTHER_ROUNDINGS = 16
_MOST_SHRINKING = 300  # launches


class Sizes(dict[str, int]):
    """The sizes of a problem: sizes.m is sizes["m"]."""

    def __getattr__(self, name: str) -> int:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


Size = Union[str, int, Callable[[Sizes], int]]


@dataclasses.dataclass(frozen=True)
class Array:
    name: str
    type: str  # "f32"
    shape: Sequence[Size]


class In(Array):
    """An array that the kernel reads."""


class Out(Array):
    """An array that the kernel writes; it is undefined before the launch."""


class InOut(Array):
    """An array that the kernel reads and writes."""


@dataclasses.dataclass(frozen=True)
class Stride:
    """The distance in elements from one index to the next along an axis. Without this argument, the
    array is contiguous; with it, lines of the array are also generated further apart."""

    array: str
    axis: int = 0


Argument = Union[Array, Stride, Size, float]


@dataclasses.dataclass(frozen=True)
class Case:
    """One problem. `str(case)` is one line that parse() reads back."""

    sizes: Sizes
    pads: Mapping[str, int]  # elements between the lines of an array
    data: str  # "small": small integers; "normal"
    seed: int

    def __str__(self) -> str:
        fields = [f"{name}={value}" for name, value in self.sizes.items()]
        fields += [f"pad_{name}={value}" for name, value in self.pads.items() if value]
        return " ".join([*fields, f"data={self.data}", f"seed={self.seed}"])

    @staticmethod
    def parse(line: str) -> Case:
        sizes, pads, data, seed = Sizes(), {}, "small", 0
        for field in line.split():
            name, equals, value = field.partition("=")
            if name == "data" and value in ("small", "normal"):
                data = value
            elif not equals or not value.isdigit():
                raise InputError(f"found '{field}' in a case, expected NAME=NUMBER")
            elif name == "seed":
                seed = int(value)
            elif name.startswith("pad_"):
                pads[name[4:]] = int(value)
            else:
                sizes[name] = int(value)
        return Case(sizes, pads, data, seed)


def ceil_div(x: int, y: int) -> int:
    """x / y, rounded up."""
    return -(-x // y)


def _value(size: Size, sizes: Sizes) -> int:
    if isinstance(size, str):
        if size not in sizes:
            raise InputError(f"there is no size '{size}'; there are {', '.join(sizes)}")
        return sizes[size]
    return int(size(sizes) if callable(size) else size)


class _Problem:
    """The arrays of a case on the host."""

    def __init__(self, arguments: Sequence[Argument], case: Case) -> None:
        rng = np.random.default_rng(case.seed)
        self.arrays: dict[str, np.ndarray] = {}
        for array in (one for one in arguments if isinstance(one, Array)):
            shape = [_value(size, case.sizes) for size in array.shape]
            memory = [*shape[:-1], shape[-1] + case.pads.get(array.name, 0)] if shape else []
            own = np.zeros(memory, _DTYPES[array.type])[tuple(map(slice, shape))]
            if not isinstance(array, Out):
                own[...] = _data(rng, case.data, own)
            self.arrays[array.name] = own


def _data(rng: np.random.Generator, kind: str, array: np.ndarray) -> np.ndarray:
    if kind == "normal" and array.dtype.kind == "f":
        return np.clip(rng.standard_normal(array.shape), -4, 4)
    values = rng.integers(1, 4, array.shape)  # not 0, which hides the loss of a term
    return values if array.dtype.kind == "u" else values * rng.choice([-1, 1], array.shape)


def _edges(domain: Sequence[int]) -> list[int]:
    """The values of a size at which kernels change their behaviour."""
    at_edges = {2**i + d for i in range(21) for d in (-1, 0, 1)} | {3, 5, 100}
    return sorted((at_edges & set(domain)) | {domain[0], domain[-1]})


def _element(name: str, index: Iterable[int]) -> str:
    return f"{name}[{', '.join(map(str, index))}]"


class _Checker:
    def __init__(self, kernel: Kernel, reference: Callable[..., Any], arguments: Sequence[Argument],
                 grid: Any, terms: Any, accumulate: str, products: str, options: Mapping[str, Any]) -> None:
        self.kernel, self.reference, self.arguments = kernel, reference, list(arguments)
        self.grid, self.terms, self.options = grid, terms, options
        for type_ in (accumulate, products):
            if type_ not in _ROUNDING:
                raise InputError(f"unknown type '{type_}': expected one of {', '.join(_ROUNDING)}")
        self.accumulate, self.products = _ROUNDING[accumulate], _ROUNDING[products]
        self.strided = {one.array for one in self.arguments if isinstance(one, Stride)}
        self.declared = {one.name: one for one in self.arguments if isinstance(one, Array)}
        for name in self.strided - set(self.declared):
            raise InputError(f"there is no array '{name}', of which a stride is an argument")
        for array in self.declared.values():
            if array.type not in _DTYPES:
                raise InputError(f"unknown type '{array.type}': expected one of {', '.join(_DTYPES)}")
        if all(isinstance(one, In) for one in self.declared.values()):
            raise InputError("no argument is an Out or InOut, so that nothing would be compared")

    def cases(self, domains: Mapping[str, Sequence[int]], count: int, seed: int) -> Iterable[Case]:
        """The first case has the smallest sizes."""
        for i in range(count):
            rng = np.random.default_rng([seed, i])
            sizes = Sizes()
            for name, domain in domains.items():
                values = _edges(domain) if rng.random() < 0.8 else domain
                sizes[name] = int(domain[0] if i == 0 else rng.choice(values))
            pads = {name: int(rng.integers(1, 9)) for name in sorted(self.strided) if i % 2 == 1}
            yield Case(sizes, pads, "normal" if i % 3 == 2 else "small", int(rng.integers(1 << 20)))

    def run(self, case: Case) -> Report:
        problem = _Problem(self.arguments, case)
        before = {name: array.copy() for name, array in problem.arrays.items()}
        session = Session(self.kernel, **self.options)
        expected = len(session.parameter_bytes) - self.kernel.hidden
        if len(self.arguments) != expected:
            raise InputError(f"{len(self.arguments)} arguments for a kernel that takes {expected}")
        on_device = {
            name: DeviceArray(session, array, name, not isinstance(self.declared[name], Out))
            for name, array in problem.arrays.items()}
        values = [self._bytes(argument, size, problem, on_device, case)
                  for argument, size in zip(self.arguments, session.parameter_bytes)]
        values += [bytes(size) for size in session.parameter_bytes[expected:]]
        grid = self.grid(case.sizes) if callable(self.grid) else self.grid
        report = session.launch(grid, values)
        if not report.passed:
            return report
        for array in on_device.values():
            array.copy_back()
        finding = self._compare(problem.arrays, before, on_device, case)
        return dataclasses.replace(report, findings=(finding,)) if finding else report

    def _bytes(self, argument: Argument, size: int, problem: _Problem,
               on_device: Mapping[str, DeviceArray], case: Case) -> bytes:
        if isinstance(argument, Array):
            return scalar_bytes(on_device[argument.name].address, size, argument.name)
        if isinstance(argument, Stride):
            array = problem.arrays[argument.array]
            return scalar_bytes(array.strides[argument.axis] // array.itemsize, size, str(argument))
        if isinstance(argument, (str, int)) or callable(argument):
            return scalar_bytes(_value(argument, case.sizes), size, str(argument))
        return scalar_bytes(argument, size, str(argument))

    def _compare(self, after: Mapping[str, np.ndarray], before: Mapping[str, np.ndarray],
                 on_device: Mapping[str, DeviceArray], case: Case) -> Finding | None:
        for name, array in self.declared.items():
            if isinstance(array, In) and not np.array_equal(after[name], before[name], equal_nan=True):
                index = np.argwhere(after[name] != before[name])[0]
                return self._finding("input-modified", f"the kernel changed its input {name}, first at "
                                     f"{_element(name, index)}")
            missing = on_device[name].first_undefined() if isinstance(array, Out) else None
            if missing is not None:
                return self._finding("wrong-result", f"{_element(name, missing)} is never written")
        inputs = [before[name] for name, array in self.declared.items() if not isinstance(array, Out)]
        wide = [x.astype(np.float64 if x.dtype.kind == "f" else np.int64) for x in inputs]
        outputs = [array for array in self.declared.values() if not isinstance(array, In)]
        expected = self._reference(wide, outputs)
        with np.errstate(all="ignore"):
            magnitudes = self._reference([np.abs(x) for x in wide], outputs)
        for array, right, magnitude in zip(outputs, expected, magnitudes):
            found = after[array.name].astype(right.dtype)
            if found.shape != right.shape:
                raise InputError(f"the reference of {array.name} has the shape {right.shape}, "
                                 f"expected {found.shape}")
            bound = self._bound(array, right, magnitude, case)
            with np.errstate(invalid="ignore"):
                is_right = (np.abs(found - right) <= bound) | (found == right)
            is_right |= np.isnan(found) & np.isnan(right)
            if is_right.all():
                continue
            index = tuple(np.argwhere(~is_right)[0])
            allowed = f"to within {bound[index]:.3g}" if bound[index] else "exactly"
            return self._finding(
                "wrong-result", f"{_element(array.name, index)} is {found[index]:.9g}, expected "
                f"{right[index]:.9g} {allowed}; {np.sum(~is_right)} of {found.size} elements are wrong")
        return None

    def _reference(self, inputs: Sequence[np.ndarray], outputs: Sequence[Array]) -> list[np.ndarray]:
        results = self.reference(*inputs)
        results = list(results) if isinstance(results, tuple) else [results]
        if len(results) != len(outputs):
            raise InputError(f"the reference returns {len(results)} arrays, expected {len(outputs)}")
        return [np.asarray(result, np.float64 if _DTYPES[array.type]().dtype.kind == "f" else np.int64)
                for result, array in zip(results, outputs)]

    def _bound(self, array: Array, right: np.ndarray, magnitude: np.ndarray, case: Case) -> np.ndarray:
        """The error of a sum of `terms` terms, of the products in it, and of the conversion to the type
        of the output. The magnitude of all terms is the reference of absolute inputs."""
        if array.type not in _ROUNDING:
            return np.zeros(right.shape)
        terms = self.terms(case.sizes) if callable(self.terms) else self.terms
        scale = np.fmax(np.abs(right), np.where(np.isfinite(magnitude), np.abs(magnitude), 0))
        smallest = float(np.finfo(_DTYPES[array.type]).tiny)
        roundings = (terms * self.accumulate + _FURTHER_ROUNDINGS * self.products
                     + _ROUNDING[array.type])
        return roundings * scale + smallest

    @staticmethod
    def _finding(kind: str, message: str) -> Finding:
        return Finding(kind, message, f"error[{kind}]: {message}\n")

    def shrink(self, case: Case, finding: Finding, domains: Mapping[str, Sequence[int]]) -> tuple[Case, Finding]:
        """The smallest case with the same class and place of finding that smaller sizes lead to."""
        launches = 0
        shrunk = True
        while shrunk:
            shrunk = False
            for smaller in _smaller(case, domains):
                launches += 1
                if launches > _MOST_SHRINKING:
                    return case, finding
                same = [one for one in self.run(smaller).findings if one.place == finding.place]
                if same:
                    case, finding, shrunk = smaller, same[0], True
                    break
        return case, finding


def _smaller(case: Case, domains: Mapping[str, Sequence[int]]) -> Iterable[Case]:
    if case.pads:
        yield dataclasses.replace(case, pads={})
    if case.data != "small":
        yield dataclasses.replace(case, data="small")
    for name, value in case.sizes.items():
        below = [one for one in domains[name] if one < value]
        for position in dict.fromkeys([0, len(below) // 2, len(below) * 3 // 4, len(below) - 1]):
            if below:
                yield dataclasses.replace(case, sizes=Sizes({**case.sizes, name: below[position]}))


def _with_case(finding: Finding, case: Case) -> Finding:
    text = f"{finding.text.rstrip()}\n  case       {case}\n  replay     check(..., case=\"{case}\")\n"
    return dataclasses.replace(finding, case=str(case), text=text)


def _names(arguments: Sequence[Argument]) -> list[str]:
    """The sizes that arguments and shapes name."""
    names: dict[str, None] = {}
    for argument in arguments:
        sizes = argument.shape if isinstance(argument, Array) else [argument]
        names.update(dict.fromkeys(size for size in sizes if isinstance(size, str)))
    return list(names)


def check(kernel: Kernel | str, reference: Callable[..., Any], arguments: Sequence[Argument], *,
          grid: Sequence[int] | Callable[[Sizes], Sequence[int]],
          sizes: Mapping[str, Sequence[int]] | None = None, terms: int | Callable[[Sizes], int] = 1,
          accumulate: str = "f32", products: str = "", cases: int = 30, seed: int = 0, case: str | Case | None = None,
          **options: Any) -> Report:
    """Runs a kernel on generated problems, and compares its outputs with those of `reference`.

    `arguments` are the parameters of the kernel in order: In, Out and InOut arrays, the name of a
    size, Stride, numbers, and functions of the sizes. `sizes` has the values of each size, in
    ascending order; default: 1 to 129. `reference` takes the In and InOut arrays in float64 (or
    int64) and returns the Out and InOut arrays. An output is a sum of `terms` terms in the type
    `accumulate`, of products in the type `products` (default: the same), from which its error bound
    follows. A failing case is shrunk; `case` runs one case alone. Raises InputError; never
    KernelError."""
    own = kernel if isinstance(kernel, Kernel) else Kernel(kernel)
    checker = _Checker(own, reference, arguments, grid, terms, accumulate, products or accumulate, options)
    domains = {name: range(1, 130) for name in _names(arguments)} | dict(sizes or {})
    if case is not None:
        one = Case.parse(case) if isinstance(case, str) else case
        report = checker.run(one)
        return dataclasses.replace(report, findings=tuple(_with_case(f, one) for f in report.findings))
    findings: dict[tuple[str, str, int], Finding] = {}
    notes: dict[tuple[str, str, int], Finding] = {}
    unsupported, ran, instructions = "", 0, 0
    for one in checker.cases(domains, cases, seed):
        report = checker.run(one)
        ran += 1
        instructions += report.warp_instructions
        unsupported = unsupported or report.unsupported
        notes = {note.place: note for note in report.notes} | notes
        for finding in report.findings:
            if finding.place in findings:
                continue
            smallest, shown = checker.shrink(one, finding, domains)
            findings[finding.place] = _with_case(shown, smallest)
    return Report(tuple(findings.values()), tuple(notes.values()), unsupported, "", instructions, ran)

