"""Functions of the sizes of a problem as expressions of a contract."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Union

from .report import InputError

_MOST_BRANCHES = 6  # branches of one function on comparisons of sizes


def no_size(name: str, names: Iterable[str]) -> InputError:
    """The error of a name that is none of the sizes, with the nearest one."""
    near = difflib.get_close_matches(str(name), list(names), 1, 0.5)
    suggestion = f"; did you mean '{near[0]}'?" if near else ""
    return InputError(f"there is no size '{name}'; there are {', '.join(names) or 'none'}{suggestion}")


class _Undecided(Exception):
    """A function branches on a comparison for which no result is chosen yet."""


class _Branches:
    """The results of the branches of one evaluation of a function, in their order."""

    def __init__(self, chosen: list[bool]) -> None:
        self.chosen, self.taken = chosen, 0

    def take(self, condition: str) -> bool:
        if self.taken == len(self.chosen):
            raise _Undecided(condition)
        self.taken += 1
        return self.chosen[self.taken - 1]


class Expression:
    """An integer that depends on the sizes. Arithmetic with it builds the text of the expression."""

    def __init__(self, text: str, branches: _Branches, may_be_negative: bool = False) -> None:
        self.text, self._branches, self._may_be_negative = text, branches, may_be_negative

    def _with(self, symbol: str, other: Any, swapped: bool = False) -> Expression:
        one, two = (_text(other), self.text) if swapped else (self.text, _text(other))
        negative = symbol == "-" or self._may_be_negative or _may_be_negative(other)
        text = f"({one} {symbol} {two})"
        if negative and symbol in "/%":  # a contract rounds towards zero, Python towards minus infinity
            below = f"(({one} % {two}) < 0)"
            text = f"({text} - {below})" if symbol == "/" else f"({text} + {below} * {two})"
        return Expression(text, self._branches, negative)

    def ceil_div(self, other: Any, swapped: bool = False) -> Expression:
        one, two = (_text(other), self.text) if swapped else (self.text, _text(other))
        return Expression(f"ceil_div({one}, {two})", self._branches)

    def __bool__(self) -> bool:
        return self._branches.take(self.text if self.text.startswith("(") else f"({self.text} != 0)")

    def __add__(self, other: Any) -> Expression:
        return self._with("+", other)

    def __radd__(self, other: Any) -> Expression:
        return self._with("+", other, True)

    def __sub__(self, other: Any) -> Expression:
        return self._with("-", other)

    def __rsub__(self, other: Any) -> Expression:
        return self._with("-", other, True)

    def __mul__(self, other: Any) -> Expression:
        return self._with("*", other)

    def __rmul__(self, other: Any) -> Expression:
        return self._with("*", other, True)

    def __floordiv__(self, other: Any) -> Expression:
        return self._with("/", other)

    def __rfloordiv__(self, other: Any) -> Expression:
        return self._with("/", other, True)

    def __mod__(self, other: Any) -> Expression:
        return self._with("%", other)

    def __rmod__(self, other: Any) -> Expression:
        return self._with("%", other, True)

    def __neg__(self) -> Expression:
        return self._with("-", 0, True)

    def __lt__(self, other: Any) -> Expression:
        return self._with("<", other)

    def __le__(self, other: Any) -> Expression:
        return self._with("<=", other)

    def __gt__(self, other: Any) -> Expression:
        return self._with(">", other)

    def __ge__(self, other: Any) -> Expression:
        return self._with(">=", other)

    def __eq__(self, other: object) -> Any:
        return self._with("==", other)

    def __ne__(self, other: object) -> Any:
        return self._with("!=", other)

    __hash__ = object.__hash__


def _may_be_negative(value: Any) -> bool:
    return value._may_be_negative if isinstance(value, Expression) else value < 0


def _text(value: Any) -> str:
    if isinstance(value, Expression):
        return value.text
    try:
        return str(value.__index__())
    except AttributeError:
        raise InputError(f"found {value!r} in a function of the sizes, expected an integer") from None


class Sizes(dict[str, Any]):
    """The sizes of a problem: sizes.m is sizes["m"]."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


Size = Union[str, int, Callable[[Sizes], Any]]


def ceil_div(x: Any, y: Any) -> Any:
    """x / y, rounded up."""
    if isinstance(x, Expression):
        return x.ceil_div(y)
    if isinstance(y, Expression):
        return y.ceil_div(x, swapped=True)
    return -(-x // y)


def _chosen(condition: str, yes: str, no: str) -> str:
    return yes if yes == no else f"({condition} * {yes} + (1 - {condition}) * {no})"


def _evaluated(function: Callable[[Sizes], Any], names: Sequence[str], chosen: list[bool]) -> list[str]:
    """The texts of the values that the function returns, for both results of each comparison."""
    branches = _Branches(chosen)
    try:
        values = function(Sizes({name: Expression(name, branches) for name in names}))
        return [_text(value) for value in (values if isinstance(values, (tuple, list)) else [values])]
    except _Undecided as condition:
        if len(chosen) == _MOST_BRANCHES:
            raise InputError(f"a function of the sizes branches more than {_MOST_BRANCHES} times") from None
        yes = _evaluated(function, names, [*chosen, True])
        no = _evaluated(function, names, [*chosen, False])
        if len(yes) != len(no):
            raise InputError("a function of the sizes returns tuples of different lengths") from None
        return [_chosen(str(condition), one, other) for one, other in zip(yes, no)]
    except TypeError as error:
        raise InputError(f"expected integer arithmetic in a function of the sizes: {error}") from error
    except KeyError as error:
        raise no_size(error.args[0], names) from error
    except AttributeError as error:
        raise no_size(str(error), names) from error


def expressions(size: Size | Sequence[Any], names: Sequence[str]) -> list[str]:
    """The texts of a size, of a sequence of them, or of what a function of the sizes returns."""
    if callable(size):
        return _evaluated(size, names, [])
    if isinstance(size, str):
        if size not in names:
            raise no_size(size, names)
        return [size]
    if isinstance(size, Sequence):
        return [text for one in size for text in expressions(one, names)]
    return [_text(size)]
