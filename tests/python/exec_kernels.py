"""Kernels in PTX that a Python program launches by the driver API, as the tests of exec_test.py import them."""

import ctypes

PTX = b"""
.version 7.0
.target sm_80
.address_size 64
.file 1 "twice.cu"
.visible .entry twice(.param .u64 x, .param .u32 n) {
  .reg .pred %p; .reg .b32 %r<5>; .reg .b64 %d<3>;
  .loc 1 3 1
  ld.param.u64 %d1, [x];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p, %r2, %r1;
  @%p ret;
  mad.wide.u32 %d1, %r2, 4, %d1;
  .loc 1 5 3
  ld.global.u32 %r3, [%d1];
  add.u32 %r3, %r3, %r3;
  st.global.u32 [%d1], %r3;
  ret;
}
.visible .entry slow(.param .u32 n) {
  .reg .pred %p; .reg .b32 %r<3>;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 0;
loop:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p, %r2, %r1;
  @%p bra loop;
  ret;
}
"""


class Kernels:
    """`library_type`: ctypes.CDLL releases Python's lock during a call, ctypes.PyDLL does not."""

    def __init__(self, library_type=ctypes.CDLL):
        self.cuda = library_type("libcuda.so.1")
        self.call("cuInit", 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.context = context
        self.call("cuCtxSetCurrent", context)
        self.module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(self.module), PTX)

    def call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        assert status == 0, f"{name} returns {status}"

    def launch(self, name, *arguments):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), self.module, name.encode())
        pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(one) for one in arguments))
        self.cuda.cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, None, pointers, None)

    def slow(self, iterations):
        """Counts up to `iterations` in 64 threads."""
        self.call("cuCtxSetCurrent", self.context)
        self.launch("slow", ctypes.c_uint32(iterations))
        self.call("cuCtxSynchronize")

    def twice(self, count, size):
        """Doubles `count` elements of an array of `size` elements, which are 1."""
        address = ctypes.c_uint64()
        self.call("cuCtxSetCurrent", self.context)
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(4 * size))
        self.call("cuMemsetD32_v2", address, ctypes.c_uint(1), ctypes.c_size_t(size))
        self.launch("twice", address, ctypes.c_uint32(count))
        result = (ctypes.c_uint32 * size)()
        self.call("cuMemcpyDtoH_v2", result, address, ctypes.c_size_t(4 * size))
        self.call("cuMemFree_v2", address)
        return list(result)
