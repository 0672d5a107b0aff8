"""The element types of the arrays that a kernel takes, where the name of the kernel has them.

nvcc writes the types of the parameters into the name of a kernel in C++: _Z5scalePKfPfi is
scale(const float*, float*, int). The rules are those of the Itanium C++ ABI, section 5.1."""

from __future__ import annotations

import re

_ANY = ""  # memory of bytes may have elements of any type
_BUILTIN = {"f": "float32", "d": "float64", "i": "int32", "j": "uint32", "l": "int64", "m": "uint64", "x": "int64",
            "y": "uint64", "s": "int16", "t": "uint16", "a": "int8", "h": _ANY, "b": _ANY, "c": _ANY, "v": _ANY}
_CLASSES = {"6__half": "float16", "13__nv_bfloat16": "bfloat16"}


class _Unknown(Exception):
    """This reader does not support the form of the name."""


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.seen: list[str] = []  # types that S_, S0_ ... repeat

    def type(self) -> str:
        """"*float32" for a pointer to floats, and "" for a type without elements."""
        if again := re.match(r"S([0-9A-Z]*)_", self.text):
            self.text = self.text[again.end():]
            number = int(again[1], 36) + 1 if again[1] else 0
            if number >= len(self.seen):
                raise _Unknown(again[0])
            return self.seen[number]
        if qualifiers := re.match(r"[rVK]+", self.text):
            self.text = self.text[qualifiers.end():]
            return self._added(self.type())
        first, self.text = self.text[:1], self.text[1:]
        if first == "P":
            return self._added("*" + self.type())
        if first in _BUILTIN:
            return _BUILTIN[first]
        for name, type_ in _CLASSES.items():
            if (first + self.text).startswith(name):
                self.text = self.text[len(name) - 1:]
                return self._added(type_)
        raise _Unknown(first)

    def _added(self, type_: str) -> str:
        self.seen.append(type_)
        return type_


def _entry(ptx: str, kernel: str) -> str:
    """The name of the kernel in the PTX; empty: not the only one with this name, or no C++ name."""
    found = [name for name in re.findall(r"\.entry\s+(\w+)", ptx)
             if kernel in ("", name) or name.startswith(f"_Z{len(kernel)}{kernel}")]
    return found[0] if len(found) == 1 else ""


def declared_arrays(ptx: str, kernel: str, count: int) -> list[str]:
    """The name of NumPy for the elements of each parameter; empty: no array, or not known."""
    unknown = [""] * count
    entry = _entry(ptx, kernel)
    length = re.match(r"_Z(\d+)", entry)
    if length is None:
        return unknown
    reader, types = _Reader(entry[length.end() + int(length[1]):]), []
    try:
        while reader.text:
            types.append(reader.type())
    except _Unknown:
        return unknown
    if len(types) != count:
        return unknown
    return [type_[1:] if type_.startswith("*") and "*" not in type_[1:] else "" for type_ in types]


def differs(declared: str, dtype: str) -> bool:
    """True if elements of the two types have other bits. Signed and unsigned integers are equal, and integers of
    16 bits may be the bits of a float of 16 bits, for which NumPy may have no type."""
    if declared in ("float16", "bfloat16") and dtype in ("int16", "uint16"):
        return False
    return declared != _ANY and declared.removeprefix("u") != dtype.removeprefix("u")
