"""warpcheck: checks CUDA kernels without a GPU, by executing their PTX under full checking."""

from ._library import library as _library_functions
from .check import Case, In, InOut, Out, Sizes, Stride, ceil_div, check
from .report import Finding, InputError, KernelError, Report
from .session import Kernel, Undefined, launch

__version__ = _library_functions.warpcheck_version().decode()

__all__ = [
    "Case", "Finding", "In", "InOut", "InputError", "Kernel", "KernelError", "Out", "Report", "Sizes",
    "Stride", "Undefined", "ceil_div", "check", "launch",
]
