"""Changes to modules of other packages, made when the program imports them."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

Action = Callable[[ModuleType], None]


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self) -> None:
        self.actions: dict[str, Action] = {}

    def find_spec(self, name: str, path: Sequence[str] | None,
                  target: ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
        action = self.actions.pop(name, None)
        if action is None:
            return None
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self else None
            if spec is not None and spec.loader is not None:
                _extend(spec.loader, action)
                return spec
        return None


def _extend(loader: importlib.abc.Loader, action: Action) -> None:
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        action(module)

    loader.exec_module = exec_module  # type: ignore[method-assign]


_finder = _Finder()


def after_import(name: str, action: Action) -> None:
    """Calls `action` with the module once it is imported."""
    if not _finder.actions:
        sys.meta_path.insert(0, _finder)
    _finder.actions[name] = action
