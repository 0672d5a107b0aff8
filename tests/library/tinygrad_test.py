"""Runs tinygrad's mock GPU, which loads libgpuocelot, on libwarpcheck. Usage: tinygrad_test.py LIBRARY NVRTC.

Exits with 77 if tinygrad or NVRTC is missing. There is no libcuda.so: the mock GPU calls none of its functions."""

import ctypes
import ctypes.util
import os
import sys
from unittest.mock import MagicMock

os.environ["CUDACPU"] = "1"
LIBRARIES = {"gpuocelot": sys.argv[1], "nvrtc": sys.argv[2], "cuda": "libcuda.so"}
find_library, load = ctypes.util.find_library, ctypes.CDLL
ctypes.util.find_library = lambda name: LIBRARIES.get(name) or find_library(name)
ctypes.CDLL = lambda name, *rest, **more: (
    MagicMock() if name == LIBRARIES["cuda"] else load(name, *rest, **more))
try:
    import numpy as np
    import tinygrad.runtime.ops_cuda as ops_cuda
    from tinygrad import Tensor
except (ImportError, OSError) as error:
    print("skipped:", error)
    sys.exit(77)

ops_cuda.CUDADevice.default_arch_name = "sm_80"
rng = np.random.default_rng(0)
a = rng.standard_normal((33, 17), dtype=np.float32)
b = rng.standard_normal((17, 21), dtype=np.float32)
found = (Tensor(a, device="CUDA") @ Tensor(b, device="CUDA")).softmax().numpy()
product = np.exp(a @ b - (a @ b).max(1, keepdims=True))
np.testing.assert_allclose(found, product / product.sum(1, keepdims=True), rtol=1e-5)

# A finding reaches tinygrad as the status of the launch. The text of an error is in libcuda.so.
SOURCE = b"""
.version 7.0
.target sm_80
.address_size 64
.visible .entry store(.param .u64 unused) { .reg .b64 %d; mov.b64 %d, 16; st.global.u32 [%d], 1; ret; }
"""
statuses = []
ops_cuda.check = statuses.append
program = ops_cuda.CUDAProgram(None, "store", SOURCE)
program((ctypes.c_uint8 * 16)(), global_size=(1, 1, 1), local_size=(1, 1, 1))
assert statuses == [1], statuses
