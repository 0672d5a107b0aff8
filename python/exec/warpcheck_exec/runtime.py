"""The functions of the CUDA runtime of `warpcheck exec`, which this process has loaded."""

from __future__ import annotations

import atexit
import ctypes
import dataclasses
import json
import os
import sys
import threading
from collections.abc import Iterable
from types import CodeType, FrameType
from typing import Any

_MOST_CALLS = 48
# Their calls are those of the test runner and of launchers: not the program's.
_HIDDEN = ("_pytest", "pluggy", "pytest", "xdist", "execnet", "runpy", "importlib", "threading", "warpcheck_exec", "triton.runtime",
           "triton.backends", "cutlass.base_dsl", "cutlass.cutlass_dsl", "torch._dynamo", "torch._functorch", "torch._inductor",
           "torch._ops", "torch.autograd", "torch.nn.modules.module", "torch.utils._contextlib")


@dataclasses.dataclass(frozen=True)
class Finding:
    kind: str  # "finding", "known", "note" or "unsupported"
    text: str


_CURRENT = ctypes.CFUNCTYPE(ctypes.c_uint64)
_DESCRIBE = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)


class _Library:
    def __init__(self) -> None:
        library = ctypes.CDLL(None)  # it is preloaded
        self.begin_test = self._function(library, "begin_test", None, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_double)
        self.take_findings = self._function(library, "take_findings", ctypes.c_char_p)
        self.unsupported = self._function(library, "unsupported", None, ctypes.c_char_p, ctypes.c_char_p)
        self.find_undefined = self._function(library, "find_undefined", ctypes.c_size_t, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p)
        self.set_undefined = self._function(library, "set_undefined", None, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p)
        self.report_undefined = self._function(library, "report_undefined", None, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_size_t)
        self.replace_next_image = self._function(library, "replace_next_image", None, ctypes.c_char_p)
        self.set_interpreter = self._function(library, "set_interpreter", None, _CURRENT, _DESCRIBE)

    @staticmethod
    def _function(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
        function = getattr(library, "warpcheck_exec_" + name)
        function.restype, function.argtypes = result, arguments
        return function


def begin_test(name: str, allowed: Iterable[str] = (), seconds: float = 0.0) -> None:
    """Later findings and launches belong to this test; empty: to none. Findings of the classes `allowed` do not fail it. Its
    launches may take `seconds` in all; 0: as the options of the command state."""
    _library.begin_test(name.encode(), ",".join(allowed).encode(), seconds)


def take_findings() -> list[Finding]:
    """Returns the findings since the last call."""
    return [Finding(**one) for one in json.loads(_library.take_findings())]


def report_unsupported(what: str, reason: str) -> None:
    """Reports a part of the program that cannot run here."""
    _library.unsupported(what.encode(), reason.encode())


def find_undefined(address: int, size: int, flags: int | None = None) -> int:
    """The number of bytes of device memory that were never written. The memory at `flags` receives 1 for each, and 0 for others."""
    return int(_library.find_undefined(address, size, flags))


def set_undefined(address: int, size: int, flags: int) -> None:
    """The bytes of device memory whose flags are 1 then count as never written."""
    _library.set_undefined(address, size, flags)


def replace_next_image(ptx: str) -> None:
    """The next module that the program loads is machine code, compiled from this PTX."""
    _library.replace_next_image(ptx.encode())


def report_undefined(access: str, address: int, size: int) -> None:
    """Reports a read of an element that was never written: `aten::sum reads element [3] of self`."""
    _library.report_undefined(access.encode(), address, size)


class _Calls:
    """The calls of the program on its threads, each different stack with a number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[tuple[CodeType, int], ...], int] = {}
        self._stacks: list[tuple[tuple[CodeType, int], ...]] = []
        self._shown: dict[CodeType, bool] = {}

    def current(self) -> int:
        """The calls of this thread, and those of the main thread, for which a thread that C++ started works."""
        calls = self._calls(sys._getframe())
        main = threading.main_thread().ident
        thread = threading._active.get(threading.get_ident())  # type: ignore[attr-defined]
        if isinstance(thread, (type(None), threading._DummyThread)) and main is not None:  # type: ignore[attr-defined]
            calls += self._calls(sys._current_frames().get(main))
        stack = tuple(calls[:_MOST_CALLS])
        number = self._numbers.setdefault(stack, len(self._stacks) + 1)
        if number > len(self._stacks):
            self._stacks.append(stack)
        return number

    def describe(self, number: int, text: int, size: int) -> int:
        calls = [(code.co_name, code.co_filename, line) for code, line in self._stacks[number - 1]]
        while len(data := json.dumps(calls).encode()) > size:
            calls.pop()
        ctypes.memmove(text, data, len(data))
        return len(data)

    def _calls(self, frame: FrameType | None) -> list[tuple[CodeType, int]]:
        calls = []
        while frame is not None:
            if self._is_shown(frame):
                calls.append((frame.f_code, frame.f_lineno))
            frame = frame.f_back
        return calls

    def _is_shown(self, frame: FrameType) -> bool:
        shown = self._shown.get(frame.f_code)
        if shown is None:
            spec = frame.f_globals.get("__spec__")  # has the name of a module that runs as __main__
            module = spec.name if spec is not None else frame.f_globals.get("__name__", "")
            is_command = os.path.basename(frame.f_code.co_filename) in ("pytest", "py.test")
            # Code without a module is generated, as that of the launchers of torch.compile.
            shown = module != "" and not is_command and not any(module == hidden or module.startswith(hidden + ".") for hidden in _HIDDEN)
            self._shown[frame.f_code] = shown
        return shown


_library = _Library()
_calls = _Calls()
_functions = _CURRENT(_calls.current), _DESCRIBE(_calls.describe)
_library.set_interpreter(*_functions)
atexit.register(_library.set_interpreter, _CURRENT(), _DESCRIBE())
