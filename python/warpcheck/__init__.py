"""warpcheck: checks CUDA kernels without a GPU, by executing their PTX under full checking."""

from ._library import library as _library_functions
from .check import check
from .contract import In, InOut, Out, Stride
from .report import Finding, InputError, KernelError, Report
from .session import Kernel, Undefined, launch
from .sizes import Sizes, ceil_div

__version__ = _library_functions.warpcheck_version().decode()

__all__ = [
    "Finding", "In", "InOut", "InputError", "Kernel", "KernelError", "Out", "Report", "Sizes",
    "Stride", "Undefined", "ceil_div", "check", "launch",
]
