"""Prepares a Python process of `warpcheck exec`, which puts this folder on PYTHONPATH."""

import ctypes
import importlib.machinery
import importlib.util
import os
import sys


def _run_original() -> None:
    """Runs the sitecustomize that this file hides, as Python would have done."""
    own = os.path.dirname(os.path.abspath(__file__))
    others = [folder for folder in sys.path if os.path.abspath(folder) != own]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_run_original()
# A program may start others without the libraries that `exec` preloads.
if hasattr(ctypes.CDLL(None), "warpcheck_exec_set_interpreter"):
    import warpcheck_exec.start  # noqa: F401
