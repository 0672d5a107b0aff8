"""Prepares a Python process of `warpcheck exec`, which puts this folder on PYTHONPATH."""

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

import warpcheck_exec.start  # noqa: E402, F401
